"""Monte Carlo counterfactual regret minimisation by external sampling, for games of any size.

An iteration walks the game once for each seat: all actions of that seat, and one sampled action of
every other seat and of chance (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for
regret minimization in extensive games", 2009). With two seats, whose payoffs sum to 1, the average
strategy converges to an equilibrium. With more there is no such guarantee.

Only information sets that were reached take memory. Their keys are those of `recall.py`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import TooLarge
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    LEGAL,
    OBSERVE,
    OVER,
    PAYOFFS,
    START,
    inlined,
    invoke2,
    invoke3,
    kernel,
    uniform,
)
from meeple.search.exact.information_tree import Floats, InformationTree
from meeple.search.exact.recall import key_of, memory_after, memory_at_start, memory_seen
from meeple.search.loading import load_kernels
from meeple.search.machine.slices import Clock
from meeple.search.machine.table import fill_slots, slot_of
from meeple.search.moves import (
    Moves,
    copy_state,
    list_actions,
    new_moves,
    one_less,
    play,
    play_chance,
    plies_of,
    seat_to_move,
)
from meeple.search.room import PliesExceeded, faults_reported, fits

MAX_INFORMATION_SETS = 20_000_000  # default maximum; they take about 1 GB with three actions each

_FIRST_SETS = 1 << 10  # room of a new table
_NO_ROOM = -1
TYPES = {"keys": "uint64", "first": "int64", "regret": "float64", "total": "float64"}
"""The types of `Sums`."""
_SETS, _SLOTS, _FULL = 0, 1, 2  # indices of `Regrets.used`


class Regrets(NamedTuple):
    """A table of information sets, numbered from 1; the actions of a set have adjacent slots."""

    numbers: npt.NDArray[np.int32]  # [H] sets by hash, see `machine/table.py`
    keys: npt.NDArray[np.uint64]  # [I + 1]
    first: npt.NDArray[np.int64]  # [I + 1] the first slot of each set
    regret: Floats  # [S] the sum of an action's regrets
    total: Floats  # [S] the sum of an action's probabilities
    used: npt.NDArray[np.int64]  # [3] sets, slots, and whether a set found no room


class Sums(NamedTuple):
    """The content of a table: I information sets, S slots."""

    keys: npt.NDArray[np.uint64]  # [I]
    first: npt.NDArray[np.int64]  # [I]
    regret: Floats  # [S]
    total: Floats  # [S]


class Walk(NamedTuple):
    """Working memory of a walk: a frame for each decision of the seat whose actions are all tried.

    D frames, P seats, A actions at most.
    """

    states: npt.NDArray[np.uint8]  # [D + 1, state_bytes]
    memories: npt.NDArray[np.uint64]  # [D + 1, P] the hash of what each seat remembers
    actions: npt.NDArray[np.int32]  # [D, A]
    choices: npt.NDArray[np.int64]  # [D] the number of actions
    tried: npt.NDArray[np.int64]  # [D] actions whose value is known
    first: npt.NDArray[np.int64]  # [D] the first slot, or _NO_ROOM
    strategy: Floats  # [D, A]
    values: Floats  # [D, A]
    drawn: Floats  # [A] the strategy of another seat
    moves: Moves
    shown: npt.NDArray[np.float32]  # [observation size]
    shares: Floats  # [P]


class ExternalSampling:
    """The regrets and average strategy of all seats of a game.

    Attributes:
        iterations: iterations so far.
    """

    def __init__(
        self, game: Game, seed: int = 0, max_information_sets: int = MAX_INFORMATION_SETS
    ) -> None:
        """Begin with the uniform strategy.

        A start of the game that is drawn from its seed is drawn anew for every walk.
        """
        self.game, self.iterations = game, 0
        self._max_sets = max_information_sets
        self._rng = kernels.new_rng(seed)
        self._options = np.zeros(1, dtype=game.Options)
        game.encode_options(self._options[0])
        self._walk = _new_walk(game)
        nothing = Sums(*(np.zeros(0, dtype=kind) for kind in TYPES.values()))
        self._table = _table_of(nothing, _FIRST_SETS, 2 * max(_FIRST_SETS, game.max_moves))
        load_kernels(game, (OBSERVE,), lambda: self._run(0))

    @property
    def information_sets(self) -> int:
        """The number of information sets that were reached."""
        return int(self._table.used[_SETS])

    @property
    def generator(self) -> int:
        """The state of the random generator."""
        return int(self._rng["state"][0])

    @property
    def sums(self) -> Sums:
        """What the table holds."""
        table, (sets, slots, _) = self._table, self._table.used.tolist()
        stored = slice(1, 1 + sets)
        return Sums(
            table.keys[stored], table.first[stored], table.regret[:slots], table.total[:slots]
        )

    def restore(self, sums: Sums, iterations: int, generator: int) -> None:
        """Continue from sums, of as many iterations, with a state of the generator.

        The keys must be different and not 0, and `first` must be numbers of slots.
        """
        sets = max(_FIRST_SETS, 1 << len(sums.keys).bit_length())
        # No set ends beyond the arrays, whatever a file says of where its slots begin.
        spare = max(2 * sets, 2 * self.game.max_moves) + self.game.max_moves
        self._table = _table_of(sums, sets, len(sums.regret) + spare)
        self._rng["state"] = generator
        self.iterations = iterations

    def run(self, iterations: int, stop: Callable[[], bool] = lambda: False) -> float:
        """Run more iterations, until `stop` is true; equal seeds give equal results.

        Returns:
            The seconds that they took.

        Raises:
            TooLarge: more information sets were reached than may be stored.
        """
        last, clock = self.iterations + iterations, Clock(stop=stop)
        for steps in clock.slices():
            self.iterations += self._run(min(steps, last - self.iterations))
            if self._table.used[_FULL]:
                self._grow()
            if self.iterations == last:
                break
        return clock.elapsed

    def probabilities(self, position: Position) -> Floats:
        """Return the average strategy [n] for the legal actions; uniform where it never was."""
        count = len(position.legal_actions())
        return self._average([key_of(position)], np.array([0, count]))

    def strategy(self, tree: InformationTree) -> Floats:
        """Return the average strategy of all slots [S] of the game's tree."""
        return self._average(list(tree.numbers), tree.sets.first)

    def _average(self, keys: list[int], first: npt.NDArray[np.int64]) -> Floats:
        out = np.zeros(int(first[-1]))
        average_strategies(self._table, np.array(keys, dtype=np.uint64), first, out)
        return out

    def _run(self, iterations: int) -> int:
        address = self._options.ctypes.data
        with faults_reported(self.game):
            return int(
                run_iterations(
                    self._table, self.game.addresses, address, self._rng, self._walk, iterations
                )
            )

    def _grow(self) -> None:
        """Double the room of the table."""
        if self.information_sets >= self._max_sets:
            raise TooLarge(
                f"{self.game!r} has more than {self._max_sets:,} information sets; the limit can "
                "be raised where there is memory"
            )
        old = self._table
        self._table = _table_of(self.sums, len(old.numbers), 2 * len(old.regret))


def _table_of(sums: Sums, sets: int, slots: int) -> Regrets:
    """Return a table of these sums with room for `sets` sets, a power of two, and for `slots`."""
    known, used = len(sums.keys), len(sums.regret)
    table = Regrets(
        numbers=np.zeros(2 * sets, dtype=np.int32),
        keys=np.pad(sums.keys, (1, sets - known)),
        first=np.pad(sums.first, (1, sets - known)),
        regret=np.pad(sums.regret, (0, slots - used)),
        total=np.pad(sums.total, (0, slots - used)),
        used=np.array([known, used, 0]),
    )
    fill_slots(table.numbers, table.keys, 1 + known)
    return table


def _new_walk(game: Game) -> Walk:
    depth, width, seats = game.max_plies + 1, game.max_moves, game.players
    return Walk(
        states=np.zeros((depth + 1, game.state_bytes), dtype=np.uint8),
        memories=np.zeros((depth + 1, seats), dtype=np.uint64),
        actions=np.zeros((depth, width), dtype=np.int32),
        choices=np.zeros(depth, dtype=np.int64),
        tried=np.zeros(depth, dtype=np.int64),
        first=np.zeros(depth, dtype=np.int64),
        strategy=np.zeros((depth, width)),
        values=np.zeros((depth, width)),
        drawn=np.zeros(width),
        moves=new_moves(game),
        shown=np.zeros(int(np.prod(game.observation_shape)), dtype=np.float32),
        shares=np.zeros(seats),
    )


# ---------------------------------------------------------------- information sets


@kernel
def _first_slot(table: Any, key: Any, count: int) -> int:
    """Return the first slot of a set of `count` actions, added if it is new, or _NO_ROOM."""
    slot, used = slot_of(table.numbers, table.keys, key), table.used
    if table.numbers[slot] == 0:
        if not (fits(table.keys, used[_SETS] + 2) and fits(table.regret, used[_SLOTS] + count)):
            used[_FULL] = 1
            return _NO_ROOM
        used[_SETS] += 1
        table.numbers[slot] = used[_SETS]
        table.keys[used[_SETS]] = key
        table.first[used[_SETS]] = used[_SLOTS]
        used[_SLOTS] += count
    return int(table.first[table.numbers[slot]])


@inlined
def _match(table: Any, first: int, count: int, out: Any) -> None:
    """Write the strategy [count] of regret matching: proportional to positive regrets."""
    positive = 0.0
    if first != _NO_ROOM:
        for index in range(count):
            positive += max(table.regret[first + index], 0.0)
    for index in range(count):
        if positive > 0.0:
            out[index] = max(table.regret[first + index], 0.0) / positive
        else:
            out[index] = 1.0 / count


@kernel
def average_strategies(table: Any, keys: Any, first: Any, out: Any) -> None:
    """Write the average strategies [S] of sets [I], whose slots begin at `first` [I + 1]."""
    for number in range(keys.shape[0]):
        begin, end = first[number], first[number + 1]
        known = table.numbers[slot_of(table.numbers, table.keys, keys[number])]
        stored, total = table.first[known] - begin, 0.0
        if known > 0:
            for slot in range(begin, end):
                total += table.total[stored + slot]
        for slot in range(begin, end):
            out[slot] = table.total[stored + slot] / total if total > 0.0 else 1.0 / (end - begin)


# ---------------------------------------------------------------- iterations


@kernel
def run_iterations(
    table: Any, rules: Any, options: int, rngs: Any, walk: Any, iterations: int
) -> int:
    """Run iterations, and return how many; consumes the generator in `rngs`.

    `options` is the address of the game's options. Ends after an iteration in which a set found no
    room: it counts, and that set keeps no regrets.
    """
    for done in range(iterations):
        for seat in range(walk.shares.shape[0]):
            walk.states[0, :] = 0
            invoke3(rules[START], walk.states[0].ctypes.data, options, rngs.ctypes.data)
            _walk_for(table, rules, rngs[0], walk, seat)
        if table.used[_FULL] != 0:
            return done + 1
    return iterations


@kernel
def _walk_for(table: Any, rules: Any, rng: Any, walk: Any, seat: int) -> None:
    """Walk the game from its start with all actions of a seat; update the regrets of its sets.

    Raises PliesExceeded at a game longer than `max_plies`.
    """
    for other in range(walk.shares.shape[0]):
        walk.memories[0, other] = memory_at_start(other)
    walk.choices[0] = walk.tried[0] = 0
    depth, value = 0, 0.0
    while True:
        mover = _go_to_decision(table, rules, rng, walk, seat, depth)
        if mover != OVER:
            if not fits(walk.choices, depth + 1):
                raise PliesExceeded
            _open(table, rules, walk, seat, depth)
            _try_next(rules, walk, seat, depth)
            depth += 1
            continue
        invoke2(rules[PAYOFFS], walk.states[depth].ctypes.data, walk.shares.ctypes.data)
        value = walk.shares[seat]
        while depth > 0:
            depth -= 1
            walk.values[depth, walk.tried[depth]] = value
            walk.tried[depth] += 1
            if walk.tried[depth] < walk.choices[depth]:
                break
            value = _close(table, walk, depth)
        if walk.tried[depth] == walk.choices[depth]:
            return
        _try_next(rules, walk, seat, depth)
        depth += 1


@inlined
def _go_to_decision(table: Any, rules: Any, rng: Any, walk: Any, seat: int, depth: int) -> int:
    """Sample chance and other seats in a frame's state, to the seat's decision or the end.

    Adds the strategy of the seat after `seat` to its average.
    """
    state, memories, left = walk.states[depth], walk.memories[depth], plies_of(walk.moves)
    while True:
        play_chance(rules, state, walk.moves, rng)
        mover = seat_to_move(state)
        if mover in (OVER, seat):
            return int(mover)
        left = one_less(left)
        memory = _observed(rules, walk, state, memories[mover], mover)
        count = list_actions(rules, LEGAL, state, walk.moves)
        first = _first_slot(table, memory, count)
        _match(table, first, count, walk.drawn)
        if first != _NO_ROOM and mover == (seat + 1) % walk.shares.shape[0]:
            for index in range(count):
                table.total[first + index] += walk.drawn[index]
        mark, chosen = uniform(rng), 0
        while chosen < count - 1:
            mark -= walk.drawn[chosen]
            if mark < 0.0:
                break
            chosen += 1
        action = walk.moves.actions[chosen]
        memories[mover] = memory_after(memory, action)
        play(rules, state, action)


@inlined
def _observed(rules: Any, walk: Any, state: Any, memory: Any, seat: int) -> Any:
    """Return a seat's memory with what it observes in a state."""
    walk.shown[:] = 0.0
    invoke3(rules[OBSERVE], state.ctypes.data, np.int64(seat), walk.shown.ctypes.data)
    return memory_seen(memory, walk.shown)


@inlined
def _open(table: Any, rules: Any, walk: Any, seat: int, depth: int) -> None:
    """Make a frame of the state of a decision of `seat`."""
    state = walk.states[depth]
    memory = _observed(rules, walk, state, walk.memories[depth, seat], seat)
    walk.memories[depth, seat] = memory
    count = list_actions(rules, LEGAL, state, walk.moves)
    for index in range(count):
        walk.actions[depth, index] = walk.moves.actions[index]
    walk.choices[depth], walk.tried[depth] = count, 0
    walk.first[depth] = _first_slot(table, memory, count)
    _match(table, walk.first[depth], count, walk.strategy[depth])


@inlined
def _try_next(rules: Any, walk: Any, seat: int, depth: int) -> None:
    """Play the next action of a frame into the frame below."""
    action = walk.actions[depth, walk.tried[depth]]
    copy_state(walk.states[depth], walk.states[depth + 1])
    for other in range(walk.shares.shape[0]):
        walk.memories[depth + 1, other] = walk.memories[depth, other]
    walk.memories[depth + 1, seat] = memory_after(walk.memories[depth, seat], action)
    play(rules, walk.states[depth + 1], action)


@inlined
def _close(table: Any, walk: Any, depth: int) -> float:
    """Return the value of a frame whose actions are all tried, and add the regrets."""
    value, first = 0.0, walk.first[depth]
    for index in range(walk.choices[depth]):
        value += walk.strategy[depth, index] * walk.values[depth, index]
    if first != _NO_ROOM:
        for index in range(walk.choices[depth]):
            table.regret[first + index] += walk.values[depth, index] - value
    return float(value)
