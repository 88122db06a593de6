"""Explain an agent's trade decision by the rule in `prune`, without revealing hidden cards.

All agents except `random` follow that rule: they accept trades that improve their hand, and none
with a player who has nearly won. An explanation for other seats depends only on the rule, public
points and the action; only viewers who may see the hand learn what it lacks.
"""

from typing import Any

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import can_pay, public_points
from meeple.games.catan.strategy.prune import gain_of, nearly_won
from meeple.games.catan.words.names import amounts, player
from meeple.games.catan.words.sentences import gains_from
from meeple.games.contract.game import Position
from meeple.sentences import say


def explain_action(position: Position, action: int, seat: int | None) -> str:
    """Explain an agent's action to one viewer.

    Args:
        position: the position before the action.
        action: a legal action, chosen by an agent that follows `prune`.
        seat: the viewer; None: a spectator.

    Returns:
        The reason, or "" if there is none to give. For a viewer who may not see the mover's hand,
        the reason is the same for every possible hand.
    """
    s = position.state
    if s.to_move < 0:
        return ""
    shown = bool(not s.hidden_hands or s.to_move == seat)
    twin = position.copy().state  # a copy: evaluating a trade adds and removes cards
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
    """Explain an acceptance: `prune` accepts only helpful trades with players far from winning."""
    turn = int(s.on_turn)
    if shown and (nearly_won(s, turn) or _gain(s, turn) <= 0):
        return ""  # `prune` would not accept
    return _better(s.give[turn].tolist(), s.want[turn].tolist())


def _refuses(s: Any, shown: bool) -> str:
    turn, seat = int(s.on_turn), int(s.to_move)
    if nearly_won(s, turn):
        held = public_points(s, turn)
        return say("catan.nearly_won", who=player(turn), n=held, n2=s.victory_points)
    asked = amounts(s.want[turn].tolist())
    if not shown:
        return say("catan.lacks_or_keeps", cards=asked)
    if not can_pay(s, seat, turn):
        return say("catan.lacks", cards=asked)
    if _gain(s, turn) <= 0:
        return say("catan.no_better", cards=amounts(s.give[turn].tolist()), cards2=asked)
    return say("catan.keeps")


def _offers(s: Any, shown: bool) -> str:
    """Explain an offer: `prune` composes only offers that help."""
    seat = int(s.to_move)
    if shown and float(gain_of(s, seat, seat, 1)) <= 0:
        return ""
    return _better(s.want[seat].tolist(), s.give[seat].tolist())


def _chooses(s: Any, other: int) -> str:
    """Explain the choice of a partner: `prune` prefers partners with fewer points."""
    rivals = [i for i in range(int(s.players)) if s.answers[i] in (c.ACCEPTED, c.COUNTERED)]
    fewest = min(int(public_points(s, i)) for i in rivals)
    if len(rivals) > 1 and public_points(s, other) == fewest:
        equal = sum(public_points(s, i) == fewest for i in rivals) > 1
        more = say("catan.none_fewer") if equal else ""
        return more or say("catan.fewest_points", who=player(other))
    gains = gains_from(s, other)
    came, went = ([max(0, sign * gain) for gain in gains] for sign in (1, -1))
    return _better(came, went)


def _better(came: list[int], went: list[int]) -> str:
    """Say that the cards received improve the hand more than the cards given."""
    return say("catan.better", cards=amounts(came), cards2=amounts(went))


def _gain(s: Any, turn: int) -> float:
    """Return the heuristic gain of the open offer for the seat to move."""
    return float(gain_of(s, int(s.to_move), turn, -1))
