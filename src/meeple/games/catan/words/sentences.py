"""Describe actions and outcomes of Catan in sentences, limited to what one viewer may know."""

from typing import Any

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import points
from meeple.games.catan.words.deal_words import deal_words
from meeple.games.catan.words.names import CARDS, RESOURCES, amount, amounts, corner, player, side
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE, OVER
from meeple.sentences import in_turn, say


def describe_action(before: Position, action: int, after: Position, seat: int | None = None) -> str:
    """Describe what an action or outcome did, without cards hidden from the reader.

    Args:
        before: the position before the action.
        action: the action or outcome.
        after: the position after it.
        seat: the reader; None: the public.

    Returns:
        A sentence; "" if there is nothing to report (yet): for a roll or a purchase before its
        outcome, while an offer is composed or cards are discarded one by one, and at a turn's end.
    """
    s, t = before.state, after.state
    if s.to_move == CHANCE:
        told = _outcome(s, action, t, seat)
    elif c.DISCARD_ONE <= action < c.GIVE:
        told = "" if t.discards[s.to_move] else _discarded(before, action)
    else:
        told = _act(s, action, t)
    parts = [part for part in (told, *_awards(s, t), _end(t)) if part]
    return in_turn(parts) if parts else ""


def tile_words(s: Any, tile: int) -> str:
    """Name a tile by its resource and number: `ore 10`, `desert`."""
    resource = int(s.tile_resource[tile])
    if resource == c.DESERT:
        return say("name.desert")
    return say("catan.land", resource=RESOURCES[resource], n=int(s.tile_number[tile]))


def tile_name(s: Any, tile: int) -> str:
    """Name a tile by its number on the board, and what it is: `tile 5 (ore 10)`."""
    return say("catan.tile", n=int(tile), land=tile_words(s, tile))


# ---------------------------------------------------------------- chance


def _outcome(s: Any, outcome: int, t: Any, seat: int | None) -> str:
    who = player(s.on_turn)
    if s.phase == c.DICE:
        return say("catan.rolled", who=who, n=outcome, what=_dice(s, outcome, t))
    if s.phase == c.STEAL:
        seen = seat in (s.on_turn, s.victim) or not s.hidden_hands
        whom = player(s.victim)
        if not seen:
            return say("catan.stole", who=who, whom=whom)
        return say("catan.stole_from", who=who, cards=amount(1, outcome), whom=whom)
    seen = seat == s.on_turn or not s.hidden_hands
    if seen:
        return say("catan.bought_card", who=who, card=CARDS[outcome])
    return say("catan.bought_a_development_card", who=who)


def _dice(s: Any, total: int, t: Any) -> str:
    seats = range(int(s.players))
    if total == 7 and s.with_robber:
        lost = [
            say("catan.must_discard_cards", who=player(i), n=t.discards[i])
            for i in seats
            if t.discards[i]
        ]
        return say("text.list", all=lost) if lost else say("catan.none_discards")
    gains = t.hand - s.hand
    got = [
        say("catan.gets", who=player(i), cards=amounts(gains[i].tolist()))
        for i in seats
        if gains[i].any()
    ]
    return say("text.list", all=got) if got else say("catan.none_gets")


# ---------------------------------------------------------------- actions


def _act(s: Any, action: int, t: Any) -> str:
    """Describe an action; "" if a chance outcome or the rest of an offer describes it."""
    if s.phase >= c.DEAL or action >= c.DEAL_GIVE:
        done = _dealt(s, action, t)
    elif action < c.ROB:
        done = _built(s, action, t)
    else:
        done = _played(s, action, t) or _traded(s, action, t)
    return done


def _discarded(before: Position, last: int) -> str:
    """Describe a seat's whole discard once its last card is discarded."""
    seat = before.to_move
    first = len(before.actions)
    while first and c.DISCARD_ONE <= before.actions[first - 1] < c.GIVE:
        first -= 1
    counts = [0] * c.KINDS
    counts[last - c.DISCARD_ONE] += 1
    for step in before.steps(first):
        if step.before.view(c.State)[0].to_move == seat:
            counts[step.action - c.DISCARD_ONE] += 1
    return say("catan.discarded", who=player(seat), cards=amounts(counts))


def _built(s: Any, action: int, t: Any) -> str:
    who = player(s.to_move)
    if action < c.CITY_AT:
        place = corner(action - c.SETTLEMENT_AT)
        gains = [max(0, gain) for gain in (t.hand - s.hand)[s.to_move].tolist()]
        if any(gains):
            return say("catan.built_settlement_got", who=who, place=place, cards=amounts(gains))
        return say("catan.built_settlement", who=who, place=place)
    if action < c.ROAD_AT:
        return say("catan.built_city", who=who, place=corner(action - c.CITY_AT))
    if action < c.ROBBER_TO:
        return say("catan.built_road", who=who, place=side(action - c.ROAD_AT))
    return say("catan.moved_robber", who=who, place=tile_name(s, action - c.ROBBER_TO))


def _played(s: Any, action: int, t: Any) -> str:
    """Describe plays of cards and trades with the bank."""
    who, change = player(s.to_move), (t.hand - s.hand)[s.to_move].tolist()
    if action == c.PLAY_KNIGHT:
        return say("catan.played_knight", who=who)
    if action == c.PLAY_ROADS:
        return say("catan.played_roads", who=who)
    if c.PLAY_PLENTY <= action < c.PLAY_MONOPOLY:
        return say("catan.played_plenty", who=who, cards=amounts(change))
    if c.PLAY_MONOPOLY <= action < c.MARITIME:
        resource = action - c.PLAY_MONOPOLY
        lost = (s.hand - t.hand)[: s.players, resource].tolist()
        taken = [say("catan.from", n=n, who=player(i)) for i, n in enumerate(lost) if n > 0]
        what = say("text.list", all=taken) if taken else say("name.none")
        return say("catan.played_monopoly", who=who, card=RESOURCES[resource], what=what)
    if c.MARITIME <= action < c.DISCARD_ONE:
        went, came = _sides(change)
        return say("catan.traded_bank", who=who, cards=went, cards2=came)
    return ""


def _traded(s: Any, action: int, t: Any) -> str:
    """Describe offers, answers and the resulting trades."""
    who = player(s.to_move)
    if action == c.PROPOSE:
        give, want = s.give[s.to_move].tolist(), s.want[s.to_move].tolist()
        code = "catan.countered" if s.phase == c.COUNTER else "catan.offered"
        return say(code, who=who, cards=amounts(give), cards2=amounts(want))
    if action == c.ACCEPT:
        return say("catan.accepted", who=who)
    if action == c.REFUSE:
        return say("catan.all_refused" if t.phase == c.MAIN else "catan.refused", who=who)
    if c.TRADE_WITH <= action < c.WITHDRAW:
        went, came = _sides((t.hand - s.hand)[s.on_turn].tolist())
        whom = player(action - c.TRADE_WITH)
        return say("catan.traded", who=who, cards=went, cards2=came, whom=whom)
    if action == c.WITHDRAW and s.phase == c.CHOOSE:
        return say("catan.withdrew", who=who)
    return ""


def _dealt(s: Any, action: int, t: Any) -> str:
    """Describe a proposed deal and its result."""
    who = player(s.to_move)
    if action == c.PROPOSE:
        return say("catan.proposed_deal", who=who, deal=deal_words(s))
    if action == c.ACCEPT and t.phase == c.CONSENT:
        return say("catan.agreed", who=who)
    if action == c.ACCEPT:
        return say("catan.all_agreed", who=who, deal=deal_words(s))
    return say("catan.deal_refused", who=who) if action == c.REFUSE else ""


def offer_words(s: Any, seat: int) -> str:
    """Describe a seat's composed offer or counter-offer: `2 wood for 1 ore`."""
    return say(
        "catan.for", cards=amounts(s.give[seat].tolist()), cards2=amounts(s.want[seat].tolist())
    )


def gains_from(s: Any, other: int) -> list[int]:
    """Return what the seat on turn gains by the answer of another seat, by resource."""
    if s.answers[other] == c.COUNTERED:
        gains = s.give[other] - s.want[other]
    else:
        gains = s.want[s.on_turn] - s.give[s.on_turn]
    return [int(gain) for gain in gains]


def exchange_words(change: list[int]) -> str:
    """Describe the cards given and the cards received for them."""
    went, came = _sides(change)
    return say("catan.for", cards=went, cards2=came)


def _sides(change: list[int]) -> tuple[str, str]:
    """Return the cards given and the cards received."""
    went, came = (amounts([max(0, sign * n) for n in change]) for sign in (-1, 1))
    return went, came


# ---------------------------------------------------------------- what follows


def _awards(s: Any, t: Any) -> list[str]:
    told: list[str] = []
    for field, name in (("longest_road", "road"), ("largest_army", "army")):
        old, new = int(s[field]), int(t[field])
        if old == new:
            continue
        if new == c.NO_SEAT:
            told.append(say(f"catan.loses_{name}", who=player(old)))
        elif old >= 0:
            told.append(say(f"catan.takes_{name}_from", who=player(new), whom=player(old)))
        else:
            told.append(say(f"catan.takes_{name}", who=player(new)))
    return told


def _end(t: Any) -> str:
    if t.to_move != OVER:
        return ""
    total = points(t, int(t.on_turn))
    if total >= t.victory_points:
        return say("catan.wins_with_points", who=player(t.on_turn), n=int(total))
    return say("catan.ends_one") if t.turns == 1 else say("catan.ends", n=int(t.turns))
