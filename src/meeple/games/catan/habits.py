"""Statistics per seat of one game: awards, robber moves, cards lost to sevens, trades."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import public_points
from meeple.games.catan.rules.roads import owner_of
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract.position import BarePosition
from meeple.kernels import kernel

MIN_LEADER_POINTS = 7  # public points of a leading seat, which the robber should block

HABITS = (
    "longest road",  # held at the end
    "largest army",
    "cards discarded",
    "robber moved while another leads",
    "robber kept off all who lead",
    "development cards bought",
    "trades with the bank",
    "offers",
    "trades with players",  # on the player's own turn
)
(_ROAD, _ARMY, _DISCARDED, _ROBBER, _SPARED, _BOUGHT, _BANK, _OFFERS, _TRADES) = range(len(HABITS))

_TILE_VERTICES = TOPOLOGY.tile_vertices


def habits(position: BarePosition) -> dict[str, list[float]]:
    """Return, by name of HABITS, how often each seat did it in the game so far.

    A seat with at least MIN_LEADER_POINTS public points leads.
    """
    steps = list(position.steps())
    rows = [step.before for step in steps] + [position.row]
    actions = np.array([step.action for step in steps], dtype=np.int64)
    found = np.zeros((len(HABITS), int(position.state.players)))
    _count(np.frombuffer(np.concatenate(rows), c.State), actions, found)
    return {name: found[index].tolist() for index, name in enumerate(HABITS)}


@kernel
def _count(states: Any, actions: Any, found: Any) -> None:
    """Add the habits of a game to `found`, [habits, seats].

    Args:
        states: [N + 1], the states before each action, then the last one.
        actions: [N], actions and outcomes.
        found: the counts; updated.
    """
    for index in range(actions.shape[0]):
        s, action = states[index], actions[index]
        seat = np.int64(s.to_move)
        if seat < 0:
            continue  # a chance outcome is not an action
        habit = _habit_of(s, action)
        if habit >= 0:
            found[habit, seat] += 1
        if habit == _ROBBER and _is_spared(s, action - c.ROBBER_TO):
            found[_SPARED, seat] += 1
    end = states[actions.shape[0]]
    if end.longest_road >= 0:
        found[_ROAD, end.longest_road] = 1
    if end.largest_army >= 0:
        found[_ARMY, end.largest_army] = 1


@kernel
def _habit_of(s: Any, action: int) -> int:
    """Return the index of the habit that an action counts for; -1: none."""
    if s.phase == c.DEAL and action < c.ROB:
        return -1  # a clause
    if action >= c.ROBBER_TO and action < c.ROB:
        return _ROBBER if _leads(s, c.NO_SEAT) else -1
    if action == c.BUY_CARD:
        return _BOUGHT
    if action >= c.MARITIME and action < c.DISCARD_ONE:
        return _BANK
    if action >= c.DISCARD_ONE and action < c.GIVE:
        return _DISCARDED
    if action == c.PROPOSE and s.phase == c.OFFER:
        return _OFFERS
    if action >= c.TRADE_WITH and action < c.WITHDRAW:
        return _TRADES
    return -1


@kernel
def _leads(s: Any, seat: int) -> bool:
    """Return whether a given seat other than the mover leads; NO_SEAT: whether any does."""
    for other in range(s.players):
        candidate = seat == c.NO_SEAT or seat == other
        if candidate and other != s.to_move and public_points(s, other) >= MIN_LEADER_POINTS:
            return True
    return False


@kernel
def _is_spared(s: Any, tile: int) -> bool:
    """Return whether no leading seat has a building at a tile."""
    for corner in range(6):
        owner = owner_of(s, np.int64(_TILE_VERTICES[tile, corner]))
        if owner >= 0 and _leads(s, owner):
            return False
    return True
