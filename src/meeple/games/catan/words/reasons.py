"""Why a player trades or does not, in words: what `prune` judged, as far as others may know it.

All agents but `random` judge so: they take what makes more of their hand, and nothing from who has
nearly won. What is told to others follows from that rule, public points and the action alone; only
those who may see the hand are told what it lacks.
"""

from typing import Any

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import can_pay, public_points
from meeple.games.catan.strategy.prune import gain_of, nearly_won
from meeple.games.catan.words.names import amounts, player
from meeple.games.catan.words.sentences import gains_from
from meeple.games.contract.game import Position


def explain_action(position: Position, action: int, seat: int | None) -> str:
    """Why an agent does this now, for the eyes of a seat (None: anybody); empty where none is said.

    `action` is legal here, and an agent's that judges by `prune`: nothing is known of why people
    do what they do. Where the seat may not see the hand, the reason is the same for every hand.
    """
    s = position.state
    if s.to_move < 0:
        return ""
    shown = bool(not s.hidden_hands or s.to_move == seat)
    twin = position.copy().state  # judging adds cards and takes them away again
    if s.phase == c.ANSWER and action == c.ACCEPT:
        return _accepts(twin, shown)
    if s.phase == c.ANSWER and action == c.REFUSE:
        return _refuses(twin, shown)
    if s.phase == c.OFFER and action == c.PROPOSE:
        return _offers(twin, shown)
    if s.phase == c.CHOOSE and c.TRADE_WITH <= action < c.WITHDRAW:
        return _chooses(twin, action - c.TRADE_WITH)
    return ""


def _accepts(s: Any, shown: bool) -> str:
    """Yes: prune lets it be said only where it helps, and not to who has nearly won."""
    turn = int(s.on_turn)
    if shown and (nearly_won(s, turn) or _gain(s, turn) <= 0):
        return ""  # by some other judgement than prune's
    return _better(s.give[turn].tolist(), s.want[turn].tolist())


def _refuses(s: Any, shown: bool) -> str:
    turn, seat = int(s.on_turn), int(s.to_move)
    if nearly_won(s, turn):
        held = public_points(s, turn)
        return f"{player(turn)} is too close to winning, with {held} of {s.victory_points} points"
    asked = amounts(s.want[turn].tolist())
    if not shown:
        return f"it does not hold {asked}, or would rather keep it"
    if not can_pay(s, seat, turn):
        return f"it does not hold {asked}"
    if _gain(s, turn) <= 0:
        return f"{amounts(s.give[turn].tolist())} would make no more of its hand than {asked}"
    return "it would help, but it keeps its cards for now"


def _offers(s: Any, shown: bool) -> str:
    """An offer: prune composes only those that help."""
    seat = int(s.to_move)
    if shown and float(gain_of(s, seat, seat, 1)) <= 0:
        return ""
    return _better(s.want[seat].tolist(), s.give[seat].tolist())


def _chooses(s: Any, other: int) -> str:
    """Whom to trade with: the fewer points, the likelier."""
    rivals = [i for i in range(int(s.players)) if s.answers[i] in (c.ACCEPTED, c.COUNTERED)]
    fewest = min(int(public_points(s, i)) for i in rivals)
    if len(rivals) > 1 and public_points(s, other) == fewest:
        equal = sum(public_points(s, i) == fewest for i in rivals) > 1
        more = "nobody of those who agreed has fewer points" if equal else ""
        return more or f"{player(other)} has the fewest points of those who agreed"
    gains = gains_from(s, other)
    came, went = ([max(0, sign * gain) for gain in gains] for sign in (1, -1))
    return _better(came, went)


def _better(came: list[int], went: list[int]) -> str:
    """What comes is worth more than what goes."""
    return f"{amounts(came)} makes more of its hand than {amounts(went)}"


def _gain(s: Any, turn: int) -> float:
    """What the seat to move would gain by the open offer."""
    return float(gain_of(s, int(s.to_move), turn, -1))
