"""What happened in a game of Catan, seat by seat: throws and luck, robber, cards, trades, races."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract.capabilities import StatisticsTable
from meeple.games.contract.position import BarePosition
from meeple.sentences import say

THROWS = {total: (6 - abs(total - 7)) / 36 for total in range(2, 13)}  # probability of each sum


def statistics(position: BarePosition) -> list[StatisticsTable]:
    """Return the tables of a game so far, from the hands of all seats.

    The expected cards of a throw are the exact mean over the eleven sums, with the buildings, the
    robber and the bank as they were; a seven yields none. `luck` is what came minus what was
    expected.
    """
    steps = list(position.steps())
    states = np.frombuffer(b"".join(bytes(s.before) for s in steps) + bytes(position.row), c.State)
    actions = np.array([step.action for step in steps], dtype=np.int64)
    flows = _Flows(position, states, actions)
    tables = [flows.throws(), flows.robber(), flows.trade(), flows.development_cards()]
    return [*tables, _opening(states[-1], actions), *_races(states)]


class _Flows:
    """The cards that came and went in each step, by what caused it."""

    def __init__(self, position: BarePosition, states: Any, actions: Any) -> None:
        self.states, self.actions = states, actions
        self.seats = int(states[0]["players"])
        self._scratch = position.copy()
        hands = states["hand"][:, : self.seats].astype(np.int64)
        self.change = np.diff(hands, axis=0)  # [steps, seats, resources]
        self.phase, self.mover = states["phase"][:-1], states["to_move"][:-1]

    def _gained(self, at: Any) -> npt.NDArray[np.int64]:
        """Return the cards that each seat gained in the steps `at`."""
        return np.maximum(self.change[at], 0).sum(axis=(0, 2))

    def _lost(self, at: Any) -> npt.NDArray[np.int64]:
        return np.maximum(-self.change[at], 0).sum(axis=(0, 2))

    def _done(self, first: int, end: int) -> Any:
        """Return whether each step is an action from `first` to before `end`."""
        return (self.mover >= 0) & (self.actions >= first) & (self.actions < end)

    def throws(self) -> StatisticsTable:
        thrown = np.flatnonzero(self.phase == c.DICE)
        expected, blocked = np.zeros(self.seats), np.zeros(self.seats)
        for at in thrown:
            before, total = self.states[at], int(self.actions[at])
            for other, probability in THROWS.items():
                expected += probability * self._yielded(before, other)
            if total != 7:
                free = before.copy()
                free["robber"] = c.NO_SEAT
                came = self.change[at].sum(axis=1)
                blocked += np.maximum(self._yielded(free, total) - came, 0)
        came = self._gained(thrown)
        return StatisticsTable(
            "Throws",
            {
                "cards from throws": came.tolist(),
                "expected": np.round(expected, 1).tolist(),
                "luck": np.round(came - expected, 1).tolist(),
                "blocked by the robber": blocked.astype(int).tolist(),
            },
        )

    def _yielded(self, state: Any, total: int) -> npt.NDArray[np.int64]:
        """Return the cards that a throw gives each seat in a state that awaits the dice."""
        if total == 7:
            return np.zeros(self.seats, dtype=np.int64)
        position = self._scratch
        position.row[:] = np.frombuffer(state.tobytes(), dtype=np.uint8)
        position.play(total)
        gain = position.state.hand.astype(np.int64) - state["hand"]
        position.undo()
        return np.asarray(gain.sum(axis=1)[: self.seats])

    def robber(self) -> StatisticsTable:
        discarded = self._done(c.DISCARD_ONE, c.GIVE) & (self.phase == c.DISCARD)
        moved = self._done(c.ROBBER_TO, c.ROB) & (self.phase == c.ROBBER)
        stolen = self.phase == c.STEAL
        return StatisticsTable(
            "Robber",
            {
                "times moved": [int((moved & (self.mover == s)).sum()) for s in range(self.seats)],
                "cards stolen": self._gained(stolen).tolist(),
                "cards lost to thieves": self._lost(stolen).tolist(),
                "cards discarded": self._lost(discarded).tolist(),
            },
        )

    def trade(self) -> StatisticsTable:
        bank = self._done(c.MARITIME, c.DISCARD_ONE)
        closed = (self.mover >= 0) & np.isin(self.phase, (c.CHOOSE, c.CONSENT))
        between = closed & (self.change != 0).any(axis=(1, 2))
        rows: dict[str, list[Any]] = {
            "trades with the bank": [
                int((bank & (self.mover == seat)).sum()) for seat in range(self.seats)
            ],
            "cards given to the bank": self._lost(bank).tolist(),
            "trades with players": (self.change[between] != 0).any(axis=2).sum(axis=0).tolist(),
            "cards given to players": self._lost(between).tolist(),
            "cards received from players": self._gained(between).tolist(),
        }
        return StatisticsTable("Trade", rows)

    def development_cards(self) -> StatisticsTable:
        bought = self._done(c.BUY_CARD, c.BUY_CARD + 1)
        last = self.states[-1]
        plenty = self._done(c.PLAY_PLENTY, c.PLAY_MONOPOLY)
        monopoly = self._done(c.PLAY_MONOPOLY, c.MARITIME)
        return StatisticsTable(
            "Development cards",
            {
                "bought": [int((bought & (self.mover == s)).sum()) for s in range(self.seats)],
                "knights played": last["played"][: self.seats, c.KNIGHT].tolist(),
                "cards by year of plenty": self._gained(plenty).tolist(),
                "cards by monopoly": self._gained(monopoly).tolist(),
                "cards lost to monopolies": self._lost(monopoly).tolist(),
            },
        )


def _opening(last: Any, actions: npt.NDArray[np.int64]) -> StatisticsTable:
    """Return the first settlements of each seat: resources, and ways of 36 to produce."""
    seats = int(last["players"])
    words: list[list[str]] = [[] for _ in range(seats)]
    ways = [0] * seats
    turn = [*range(seats), *reversed(range(seats))]
    placed = [int(a) for a in actions if c.SETTLEMENT_AT <= a < c.CITY_AT][: 2 * seats]
    for seat, action in zip(turn, placed, strict=False):
        tiles = [int(t) for t in TOPOLOGY.vertex_tiles[action - c.SETTLEMENT_AT] if t >= 0]
        made = [t for t in tiles if last["tile_resource"][t] != c.DESERT]
        ways[seat] += sum(6 - abs(int(last["tile_number"][t]) - 7) for t in made)
        words[seat].append(
            ", ".join(
                f"{c.RESOURCES[int(last['tile_resource'][t])]} {int(last['tile_number'][t])}"
                for t in made
            )
        )
    rows: dict[str, list[Any]] = {
        "first settlement": [own[0] if own else "" for own in words],
        "second settlement": [own[1] if len(own) > 1 else "" for own in words],
        "ways of 36 to produce": list(ways),
    }
    return StatisticsTable("Opening", rows)


def _races(states: Any) -> list[StatisticsTable]:
    """Return, for both awards, the turns in which each seat held it, if any seat did."""
    found = []
    seats = int(states[0]["players"])
    for title, name in (("Longest road", "longest_road"), ("Largest army", "largest_army")):
        taken: list[list[str]] = [[] for _ in range(seats)]
        for before, after in pairwise(states[[name, "turns"]]):
            if after[name] != before[name] and after[name] >= 0:
                taken[int(after[name])].append(say("catan.turn", n=int(after["turns"]) + 1))
        if any(taken):
            holder = int(states[-1][name])
            rows: dict[str, list[Any]] = {
                "taken in": [say("text.list", all=own) if own else "" for own in taken],
                "held at the end": ["yes" if seat == holder else "" for seat in range(seats)],
            }
            found.append(StatisticsTable(title, rows))
    return found
