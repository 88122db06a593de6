"""What happened in a game of Catan, in sentences: each as one seat, or the public, may know it."""

from typing import Any

from meeple.games.catan.hands import points
from meeple.games.catan.names import amounts, player
from meeple.games.catan.state import (
    ACCEPT,
    CARDS,
    CHOOSE,
    CITY_AT,
    COUNTER,
    DESERT,
    DICE,
    DISCARD_ONE,
    GIVE,
    KINDS,
    MAIN,
    MARITIME,
    NOBODY,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_ROADS,
    PROPOSE,
    REFUSE,
    RESOURCES,
    ROAD_AT,
    ROB,
    ROBBER_TO,
    SETTLEMENT_AT,
    STEAL,
    TRADE_WITH,
    WITHDRAW,
    State,
)
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE, OVER


def tell(before: Position, action: int, after: Position, seat: int | None = None) -> str:
    """What an action or outcome did, as a seat may know it; None: as anybody may.

    Empty where there is nothing to tell (yet): for a roll or a purchase before chance has answered,
    while an offer is composed or cards are discarded one by one, and at a turn's end. Never tells a
    hidden card to others than who may see it.
    """
    s, t = before.state, after.state
    if s.to_move == CHANCE:
        told = _outcome(s, action, t, seat)
    elif DISCARD_ONE <= action < GIVE:
        told = "" if t.discards[s.to_move] else _discarded(before, action)
    else:
        told = _act(s, action, t)
    return "; ".join(filter(None, (told, *_awards(s, t), _end(t))))


def tile_words(s: Any, tile: int) -> str:
    """A tile by what lies there: `ore 10`, `desert`."""
    resource = int(s.tile_resource[tile])
    return "desert" if resource == DESERT else f"{RESOURCES[resource]} {s.tile_number[tile]}"


# ---------------------------------------------------------------- chance


def _outcome(s: Any, outcome: int, t: Any, seat: int | None) -> str:
    who = player(s.on_turn)
    if s.phase == DICE:
        return f"{who} rolled {outcome}: {_dice(s, outcome, t)}"
    if s.phase == STEAL:
        seen = seat in (s.on_turn, s.victim) or not s.hidden_hands
        card = f"1 {RESOURCES[outcome]}" if seen else "a card"
        return f"{who} stole {card} from {player(s.victim)}"
    seen = seat == s.on_turn or not s.hidden_hands
    return f"{who} bought a development card" + (f": {CARDS[outcome]}" if seen else "")


def _dice(s: Any, total: int, t: Any) -> str:
    seats = range(int(s.players))
    if total == 7 and s.with_robber:
        lost = [f"{player(i)} must discard {t.discards[i]} cards" for i in seats if t.discards[i]]
        return ", ".join(lost) or "nobody must discard"
    gains = t.hand - s.hand
    got = [f"{player(i)} gets {amounts(gains[i].tolist())}" for i in seats if gains[i].any()]
    return ", ".join(got) or "nobody gets anything"


# ---------------------------------------------------------------- actions


def _act(s: Any, action: int, t: Any) -> str:
    """What a seat did; empty where chance or the rest of an offer must tell."""
    done = _built(s, action, t) if action < ROB else _played(s, action, t)
    if not done:
        done = _traded(s, action, t)
    return f"{player(s.to_move)} {done}" if done else ""


def _discarded(before: Position, last: int) -> str:
    """All that a seat has discarded, with its last card."""
    seat = before.to_move
    first = len(before.actions)
    while first and DISCARD_ONE <= before.actions[first - 1] < GIVE:
        first -= 1
    counts = [0] * KINDS
    counts[last - DISCARD_ONE] += 1
    for step in before.steps(first):
        if step.before.view(State)[0].to_move == seat:
            counts[step.action - DISCARD_ONE] += 1
    return f"{player(seat)} discarded {amounts(counts)}"


def _built(s: Any, action: int, t: Any) -> str:
    if action < CITY_AT:
        gains = [max(0, gain) for gain in (t.hand - s.hand)[s.to_move].tolist()]
        got = f" and got {amounts(gains)}" if any(gains) else ""
        return f"built a settlement at {action - SETTLEMENT_AT}{got}"
    if action < ROAD_AT:
        return f"built a city at {action - CITY_AT}"
    if action < ROBBER_TO:
        return f"built a road at {action - ROAD_AT}"
    tile = action - ROBBER_TO
    return f"moved the robber to tile {tile} ({tile_words(s, tile)})"


def _played(s: Any, action: int, t: Any) -> str:
    """Cards, and trade with the bank."""
    change = (t.hand - s.hand)[s.to_move].tolist()
    if action == PLAY_KNIGHT:
        return "played a knight"
    if action == PLAY_ROADS:
        return "played road building"
    if PLAY_PLENTY <= action < PLAY_MONOPOLY:
        return f"played year of plenty and took {amounts(change)}"
    if PLAY_MONOPOLY <= action < MARITIME:
        resource = action - PLAY_MONOPOLY
        lost = (s.hand - t.hand)[: s.players, resource].tolist()
        taken = [f"{n} from {player(i)}" for i, n in enumerate(lost) if n > 0]
        return f"played monopoly and took {RESOURCES[resource]}: {', '.join(taken) or 'none'}"
    if MARITIME <= action < DISCARD_ONE:
        return f"traded {exchange_words(change)} with the bank"
    return ""


def _traded(s: Any, action: int, t: Any) -> str:
    """Offers, answers, and what came of them."""
    if action == PROPOSE:
        offer = offer_words(s, int(s.to_move))
        return f"made a counter-offer: {offer}" if s.phase == COUNTER else f"offered {offer}"
    if action == ACCEPT:
        return "accepted"
    if action == REFUSE:
        return "refused" + (", and so have all" if t.phase == MAIN else "")
    if TRADE_WITH <= action < WITHDRAW:
        change = (t.hand - s.hand)[s.on_turn].tolist()
        return f"traded {exchange_words(change)} with {player(action - TRADE_WITH)}"
    if action == WITHDRAW and s.phase == CHOOSE:
        return "withdrew the offer"
    return ""


def offer_words(s: Any, seat: int) -> str:
    """The offer or counter-offer that a seat has composed: `2 wood for 1 ore`."""
    return f"{amounts(s.give[seat].tolist())} for {amounts(s.want[seat].tolist())}"


def exchange_words(change: list[int]) -> str:
    """What went and what came for it."""
    went, came = ([max(0, sign * n) for n in change] for sign in (-1, 1))
    return f"{amounts(went)} for {amounts(came)}"


# ---------------------------------------------------------------- what follows


def _awards(s: Any, t: Any) -> list[str]:
    told = []
    for field, name in (("longest_road", "longest road"), ("largest_army", "largest army")):
        old, new = int(s[field]), int(t[field])
        if old == new:
            continue
        if new == NOBODY:
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
