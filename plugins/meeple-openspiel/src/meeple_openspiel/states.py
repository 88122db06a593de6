"""States of an OpenSpiel game as records of their history, and its rules as kernels.

A record holds the actions and chance outcomes since the start. The library's own states are kept in
a cache by this history; a state in the cache is never changed.
"""

import _thread
import ctypes
import random
import threading
import traceback
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from meeple import kernels
from meeple.errors import MeepleError
from meeple.kernels import CHANCE, OVER, record_at

MAX_CACHED_STATES = 2048  # in each of the two generations of the cache
_RETRY_SECONDS = 0.01  # after which a deferred Ctrl-C is raised again

_COUNT = ctypes.sizeof(ctypes.c_int32)  # offset of `count` in a state record, and its size
_HISTORY = 2 * _COUNT  # offset of `history`
_ACTION = ctypes.sizeof(ctypes.c_int32)  # bytes of an action
_SHARE = ctypes.sizeof(ctypes.c_double)

Sampler = Callable[[Any, int, random.Random], Sequence[int]]
"""Takes a state, a seat and a generator; returns the history of a sampled state."""


def state_record(max_plies: int) -> kernels.RecordType:
    """Return the record of a state: whose turn it is, and the actions and outcomes so far."""
    return kernels.record(to_move=np.int8, count=np.int32, history=(np.int32, (max_plies,)))


def seat_to_move(state: Any) -> int:
    """Return the seat to move of a state of OpenSpiel, or CHANCE or OVER."""
    if state.is_terminal():
        return OVER
    return CHANCE if state.is_chance_node() else int(state.current_player())


class SharesOfUtility:
    """Converts utilities, whose sum is constant, to shares of the win: the least utility is 0."""

    def __init__(self, game: Any) -> None:
        total = game.utility_sum() or 0.0
        self.players = game.num_players()
        self.low = game.min_utility()
        if self.players == 2:
            self.low = min(self.low, total - game.max_utility())
        self.range = total - self.players * self.low

    def of(self, utilities: Sequence[float]) -> list[float]:
        """Return the shares of utilities."""
        return [(utility - self.low) / self.range for utility in utilities]


class States:
    """The rules of one game of OpenSpiel, as functions of addresses of records.

    Attributes:
        failure: the first error that a kernel met; its state became a draw.
    """

    def __init__(
        self, game: Any, observe: Callable[[Any, int], Sequence[float]], sampler: Sampler | None
    ) -> None:
        """Take a game.

        Args:
            game: the `pyspiel.Game`.
            observe: returns the observation of a state by a seat, as numbers.
            sampler: samples states that a seat cannot tell apart; None: nothing is hidden.
        """
        self._game, self._observe, self._sampler = game, observe, sampler
        self._shares = SharesOfUtility(game)
        self._max_plies = game.max_game_length() + game.max_chance_nodes_in_history()
        self._new: dict[bytes, Any] = {b"": game.new_initial_state()}
        self._old: dict[bytes, Any] = {}
        self.failure: Exception | None = None

    @property
    def functions(self) -> dict[int, Callable[..., None]]:
        """The kernels by index."""
        found: dict[int, Callable[..., None]] = {
            kernels.START: self._start,
            kernels.LEGAL: self._legal,
            kernels.PLAY: self._play,
            kernels.PAYOFFS: self._payoffs,
            kernels.OBSERVE: self._write_observation,
            kernels.ROLLOUT: self._rollout,
        }
        if self._sampler is not None:
            found[kernels.RESAMPLE] = self._resample
        if not kernels.COMPILED:  # plain Python can receive an exception
            return found
        return {index: self._guarded(function) for index, function in found.items()}

    def at(self, address: int) -> Any:
        """Return the state of the record at an address; the caller must not change it."""
        return self._of(self._key(address))

    def check(self) -> None:
        """Raise the first error that a kernel met.

        Raises:
            MeepleError: OpenSpiel failed.
        """
        if self.failure is not None:
            error, self.failure = self.failure, None
            raise MeepleError(f"OpenSpiel's {self._game.get_type().short_name} failed: {error}")

    # ------------------------------------------------------------ kernels

    def _start(self, address: int, options: int, rng: int) -> None:
        self._write(address, [], self._new_or_old(b""))

    def _legal(self, address: int, moves: int) -> None:
        state = self.at(address)
        chances: list[float] = []
        if state.is_chance_node():
            outcomes = [one for one in state.chance_outcomes() if one[1] > 0]
            actions = [outcome for outcome, _ in outcomes]
            chances = [chance for _, chance in outcomes]
        else:
            actions = state.legal_actions()
        count = len(actions)
        ctypes.memmove(moves + _COUNT, array("i", actions).tobytes(), count * _ACTION)
        if chances:
            place = moves + _COUNT + self.max_moves * _ACTION
            ctypes.memmove(place, array("f", chances).tobytes(), count * _ACTION)
        ctypes.memmove(moves, count.to_bytes(_COUNT, "little"), _COUNT)

    @property
    def max_moves(self) -> int:
        """The largest number of actions or outcomes of a position."""
        return int(max(self._game.num_distinct_actions(), self._game.max_chance_outcomes(), 1))

    def _play(self, address: int, action: int) -> None:
        key = self._key(address)
        after = key + action.to_bytes(_ACTION, "little")
        state = self._new_or_old(after)
        if state is None:
            state = self._of(key).clone()
            state.apply_action(action)
            self._keep(after, state)
        count = len(key) // _ACTION
        if count == self._max_plies:
            raise RuntimeError(f"a game has more than {count} actions, its stated length")
        ctypes.memmove(address + _HISTORY + len(key), after[len(key) :], _ACTION)
        self._write_head(address, seat_to_move(state), count + 1)

    def _payoffs(self, address: int, out: int) -> None:
        shares = self._shares.of(self.at(address).returns())
        ctypes.memmove(out, array("d", shares).tobytes(), len(shares) * _SHARE)

    def _write_observation(self, address: int, player: int, out: int) -> None:
        numbers = array("f", self._observe(self.at(address), player))
        ctypes.memmove(out, numbers.tobytes(), len(numbers) * numbers.itemsize)

    def _rollout(self, address: int, rng: int) -> None:
        state, choice = self.at(address).clone(), _generator(rng)
        while not state.is_terminal():
            state.apply_action(random_action(state, choice))
        self._write(address, state.history(), state)

    def _resample(self, address: int, player: int, rng: int) -> None:
        assert self._sampler is not None
        state = self.at(address)
        if not state.is_terminal():
            history = self._sampler(state, player, _generator(rng))
            self._write(address, history, None)

    # ------------------------------------------------------------ records

    def _key(self, address: int) -> bytes:
        count = int.from_bytes(ctypes.string_at(address + _COUNT, _COUNT), "little")
        return ctypes.string_at(address + _HISTORY, min(count, self._max_plies) * _ACTION)

    def _write(self, address: int, history: Sequence[int], state: Any) -> None:
        """Write a history into a record; `state` follows from it and is kept, if it is known."""
        key = array("i", history).tobytes()
        if state is not None:
            self._keep(key, state)
        rest = bytes((self._max_plies - len(history)) * _ACTION)  # equal states have equal bytes
        ctypes.memmove(address + _HISTORY, key + rest, self._max_plies * _ACTION)
        self._write_head(address, seat_to_move(self._of(key)), len(history))

    @staticmethod
    def _write_head(address: int, to_move: int, count: int) -> None:
        head = to_move.to_bytes(1, "little", signed=True) + bytes(_COUNT - 1)
        ctypes.memmove(address, head + count.to_bytes(_COUNT, "little"), 2 * _COUNT)

    # ------------------------------------------------------------ the cache

    def _of(self, key: bytes) -> Any:
        state = self._new_or_old(key)
        if state is None:
            state = self._replayed(key)
            self._keep(key, state)
        return state

    def _new_or_old(self, key: bytes) -> Any:
        state = self._new.get(key)
        if state is None and (state := self._old.get(key)) is not None:
            self._keep(key, state)
        return state

    def _keep(self, key: bytes, state: Any) -> None:
        if len(self._new) >= MAX_CACHED_STATES:
            self._old, self._new = self._new, {}
        self._new[key] = state

    def _replayed(self, key: bytes) -> Any:
        known = self._new_or_old(key[:-_ACTION])
        state = self._game.new_initial_state() if known is None else known.clone()
        actions = array("i", key if known is None else key[-_ACTION:])
        for action in actions:
            if action not in legal_or_outcomes(state):
                raise RuntimeError(f"the action {action} of a record is not legal")
            state.apply_action(action)
        return state

    # ------------------------------------------------------------ errors

    def _guarded(self, function: Callable[..., None]) -> Callable[..., None]:
        """Return a kernel that raises nothing: it defers Ctrl-C and keeps the first error."""

        def guarded(*values: int) -> None:
            try:
                try:
                    function(*values)
                except KeyboardInterrupt:  # it has changed nothing: what it writes, it writes last
                    function(*values)
                    threading.Timer(_RETRY_SECONDS, _thread.interrupt_main).start()
            except Exception as error:
                if self.failure is None:
                    self.failure = error
                    traceback.print_exc()
                if function not in (self._legal, self._payoffs, self._write_observation):
                    self._write_head(values[0], OVER, 0)

        return guarded


def legal_or_outcomes(state: Any) -> list[int]:
    """Return the legal actions of a state, or the outcomes of a chance node."""
    if state.is_chance_node():
        return [outcome for outcome, chance in state.chance_outcomes() if chance > 0]
    return list(state.legal_actions())


def random_action(state: Any, choice: random.Random) -> int:
    """Draw a legal action uniformly, or an outcome of chance by its probability."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return int(choice.choices(outcomes, chances)[0])
    return int(choice.choice(state.legal_actions()))


def _generator(rng: int) -> random.Random:
    """Return a generator that continues the one at an address, which advances by a step."""
    return random.Random(int(kernels.next_uint64(record_at(rng, kernels.Rng))))
