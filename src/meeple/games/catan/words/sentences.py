"""Describe actions and outcomes of Catan in sentences, limited to what one viewer may know."""

from typing import Any

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import points
from meeple.games.catan.words.deal_words import deal_words
from meeple.games.catan.words.names import amounts, player
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE, OVER


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
    return "; ".join(filter(None, (told, *_awards(s, t), _end(t))))


def tile_words(s: Any, tile: int) -> str:
    """Name a tile by its resource and number: `ore 10`, `desert`."""
    resource = int(s.tile_resource[tile])
    return "desert" if resource == c.DESERT else f"{c.RESOURCES[resource]} {s.tile_number[tile]}"


# ---------------------------------------------------------------- chance


def _outcome(s: Any, outcome: int, t: Any, seat: int | None) -> str:
    who = player(s.on_turn)
    if s.phase == c.DICE:
        return f"{who} rolled {outcome}: {_dice(s, outcome, t)}"
    if s.phase == c.STEAL:
        seen = seat in (s.on_turn, s.victim) or not s.hidden_hands
        card = f"1 {c.RESOURCES[outcome]}" if seen else "a card"
        return f"{who} stole {card} from {player(s.victim)}"
    seen = seat == s.on_turn or not s.hidden_hands
    return f"{who} bought a development card" + (f": {c.CARDS[outcome]}" if seen else "")


def _dice(s: Any, total: int, t: Any) -> str:
    seats = range(int(s.players))
    if total == 7 and s.with_robber:
        lost = [f"{player(i)} must discard {t.discards[i]} cards" for i in seats if t.discards[i]]
        return ", ".join(lost) or "no player must discard"
    gains = t.hand - s.hand
    got = [f"{player(i)} gets {amounts(gains[i].tolist())}" for i in seats if gains[i].any()]
    return ", ".join(got) or "no player gets a card"


# ---------------------------------------------------------------- actions


def _act(s: Any, action: int, t: Any) -> str:
    """Describe an action; "" if a chance outcome or the rest of an offer describes it."""
    if s.phase >= c.DEAL or action >= c.DEAL_GIVE:
        done = _dealt(s, action, t)
    elif action < c.ROB:
        done = _built(s, action, t)
    else:
        done = _played(s, action, t) or _traded(s, action, t)
    return f"{player(s.to_move)} {done}" if done else ""


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
    return f"{player(seat)} discarded {amounts(counts)}"


def _built(s: Any, action: int, t: Any) -> str:
    if action < c.CITY_AT:
        gains = [max(0, gain) for gain in (t.hand - s.hand)[s.to_move].tolist()]
        got = f" and got {amounts(gains)}" if any(gains) else ""
        return f"built a settlement at {action - c.SETTLEMENT_AT}{got}"
    if action < c.ROAD_AT:
        return f"built a city at {action - c.CITY_AT}"
    if action < c.ROBBER_TO:
        return f"built a road at {action - c.ROAD_AT}"
    tile = action - c.ROBBER_TO
    return f"moved the robber to tile {tile} ({tile_words(s, tile)})"


def _played(s: Any, action: int, t: Any) -> str:
    """Describe plays of cards and trades with the bank."""
    change = (t.hand - s.hand)[s.to_move].tolist()
    if action == c.PLAY_KNIGHT:
        return "played a knight"
    if action == c.PLAY_ROADS:
        return "played road building"
    if c.PLAY_PLENTY <= action < c.PLAY_MONOPOLY:
        return f"played year of plenty and took {amounts(change)}"
    if c.PLAY_MONOPOLY <= action < c.MARITIME:
        resource = action - c.PLAY_MONOPOLY
        lost = (s.hand - t.hand)[: s.players, resource].tolist()
        taken = [f"{n} from {player(i)}" for i, n in enumerate(lost) if n > 0]
        return f"played monopoly and took {c.RESOURCES[resource]}: {', '.join(taken) or 'none'}"
    if c.MARITIME <= action < c.DISCARD_ONE:
        return f"traded {exchange_words(change)} with the bank"
    return ""


def _traded(s: Any, action: int, t: Any) -> str:
    """Describe offers, answers and the resulting trades."""
    if action == c.PROPOSE:
        offer = offer_words(s, int(s.to_move))
        return f"made a counter-offer: {offer}" if s.phase == c.COUNTER else f"offered {offer}"
    if action == c.ACCEPT:
        return "accepted"
    if action == c.REFUSE:
        return "refused" + (", and so have all" if t.phase == c.MAIN else "")
    if c.TRADE_WITH <= action < c.WITHDRAW:
        change = (t.hand - s.hand)[s.on_turn].tolist()
        return f"traded {exchange_words(change)} with {player(action - c.TRADE_WITH)}"
    if action == c.WITHDRAW and s.phase == c.CHOOSE:
        return "withdrew the offer"
    return ""


def _dealt(s: Any, action: int, t: Any) -> str:
    """Describe a proposed deal and its result."""
    if action == c.PROPOSE:
        return f"proposed a deal: {deal_words(s)}"
    if action == c.ACCEPT:
        return (
            "agreed" if t.phase == c.CONSENT else f"agreed, and the deal is done: {deal_words(s)}"
        )
    return "refused, and the deal is off" if action == c.REFUSE else ""


def offer_words(s: Any, seat: int) -> str:
    """Describe a seat's composed offer or counter-offer: `2 wood for 1 ore`."""
    return f"{amounts(s.give[seat].tolist())} for {amounts(s.want[seat].tolist())}"


def gains_from(s: Any, other: int) -> list[int]:
    """Return what the seat on turn gains by the answer of another seat, by resource."""
    if s.answers[other] == c.COUNTERED:
        gains = s.give[other] - s.want[other]
    else:
        gains = s.want[s.on_turn] - s.give[s.on_turn]
    return [int(gain) for gain in gains]


def exchange_words(change: list[int]) -> str:
    """Describe the cards given and the cards received for them."""
    went, came = ([max(0, sign * n) for n in change] for sign in (-1, 1))
    return f"{amounts(went)} for {amounts(came)}"


# ---------------------------------------------------------------- what follows


def _awards(s: Any, t: Any) -> list[str]:
    told = []
    for field, name in (("longest_road", "longest road"), ("largest_army", "largest army")):
        old, new = int(s[field]), int(t[field])
        if old == new:
            continue
        if new == c.NO_SEAT:
            told.append(f"{player(old)} loses the {name}")
        else:
            told.append(f"{player(new)} takes the {name}" + f" from {player(old)}" * (old >= 0))
    return told


def _end(t: Any) -> str:
    if t.to_move != OVER:
        return ""
    total = points(t, int(t.on_turn))
    if total >= t.victory_points:
        return f"{player(t.on_turn)} wins with {total} points"
    return f"the game ends after {t.turns} turn" + "s" * bool(t.turns != 1)
