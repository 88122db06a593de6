"""A game in progress, known by its rules alone: the state, its history, and playing.

`Position` in `game.py` adds names of actions and drawings.
"""

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import IllegalAction, UsageError
from meeple.games.contract import sights
from meeple.games.contract.faults import (
    TOLERANCE,
    Fault,
    error_of,
    fault_of_moves,
    fault_of_payoffs,
)
from meeple.games.contract.rules import Rules
from meeple.kernels import CHANCE, OVER
from meeple.kernels.table import caller
from meeple.low_priority import pause_if_low_priority
from meeple.options import whole_number

_start = caller("start")
_legal = caller("legal")
_play = caller("play")
_payoffs = caller("payoffs")
_observe = caller("observe")

_MAX_LISTED_ACTIONS = 30  # in an error message


class Step(NamedTuple):
    """An action or outcome with the states before and after it."""

    before: npt.NDArray[np.uint8]  # [state_bytes]
    action: int
    after: npt.NDArray[np.uint8]  # [state_bytes]


class BarePosition:
    """A game in progress; mutable. The seed determines all randomness, chance moves included."""

    game: Rules
    address: int
    """The memory address of the state record, for kernels; valid while the position exists."""

    def __init__(self, game: Rules, seed: int = 0) -> None:
        self.game = game
        self.seed = whole_number(seed, "a seed")
        self._buffer = np.zeros(1, dtype=game.State)
        self._moves = np.zeros(1, dtype=kernels.moves_record(game.max_moves))
        self._locate()
        self._rng = kernels.new_rng(self.seed)
        self._past: list[tuple[bytes, int]] = []  # the state and the generator before each action
        self._actions: list[int] = []
        options = np.zeros(1, dtype=game.Options)
        game.encode_options(options[0])
        _start(self.game.address_of(kernels.START), self.address, _at(options), _at(self._rng))
        self._check_mover()

    def _locate(self) -> None:
        """Read the addresses of the arrays, which stay where they are."""
        self.address, self._address_of_moves = _at(self._buffer), _at(self._moves)

    # ------------------------------------------------------------ looking

    @property
    def state(self) -> Any:
        """The state record: a view with the fields as attributes."""
        return self._buffer[0]

    @property
    def row(self) -> npt.NDArray[np.uint8]:
        """[state_bytes] uint8, a view of the state as bytes."""
        return self._buffer.view(np.uint8)

    @property
    def to_move(self) -> int:
        """The seat to move, 0 to players - 1, or CHANCE (-1), or OVER (-2)."""
        return int(self._buffer["to_move"][0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move == OVER

    @property
    def actions(self) -> tuple[int, ...]:
        """All actions and chance outcomes since the start."""
        return tuple(self._actions)

    @property
    def payoffs(self) -> npt.NDArray[np.float64]:
        """[players] float64 in [0, 1] that sum to 1: the shares of a finished game.

        Raises:
            ValueError: the game is not over.
            KernelError: they are no shares of one win.
        """
        if not self.is_over:
            raise ValueError("payoffs are known only once the game is over")
        out = np.zeros(self.game.players)
        _payoffs(self.game.address_of(kernels.PAYOFFS), self.address, _at(out))
        self._raise(fault_of_payoffs(out))
        return out

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """[seats] float64, the points of a finished game of points.

        Raises:
            ValueError: the game is not over, or has no points.
        """
        if not self.is_over or self.game.points is None:
            raise ValueError("points are known only once a game of points is over")
        out = np.zeros(self.game.players)
        _payoffs(self.game.address_of_points(), self.address, _at(out))
        return out[: self.game.seats]

    @property
    def tally(self) -> dict[str, Any]:
        """What the text of a result says beside the shares, as JSON data.

        `sides`: the seats of each, without a par; `range` of the points, and `points` of each seat
        at the end. Empty if each seat plays for its share.
        """
        scored = self.is_over and self.game.points is not None
        return self.game.scale | ({"points": self.points.tolist()} if scored else {})

    def legal_actions(self) -> npt.NDArray[np.int32]:
        """Return the legal actions [n]; at a chance node the outcomes; empty after the end.

        Raises:
            KernelError: the game is not over, and has none, or more than its `max_moves`.
        """
        return self._fill_moves()["actions"][0, : self._moves["count"][0]].copy()

    def chance_outcomes(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        """Return the outcomes [n] of a chance node and their probabilities [n], which sum to 1.

        Raises:
            ValueError: this is not a chance node.
        """
        if self.to_move != CHANCE:
            raise ValueError("this is not a chance node")
        count = self._fill_moves()["count"][0]
        return (
            self._moves["actions"][0, :count].copy(),
            self._moves["probabilities"][0, :count].copy(),
        )

    def _fill_moves(self) -> npt.NDArray[Any]:
        self._moves["count"] = 0
        if not self.is_over:
            _legal(self.game.address_of(kernels.LEGAL), self.address, self._address_of_moves)
            if not 0 < self._moves["count"][0] <= self.game.max_moves:
                self._raise_fault()
        return self._moves

    def ensure_sound(self) -> None:
        """Check all that the rules write for this position.

        Raises:
            KernelError: no game may have it; the message names the line and the actions so far.
        """
        self._fill_moves()
        self._raise_fault()
        if self.is_over:
            _ = self.payoffs

    def _check_mover(self) -> None:
        if not OVER <= self.to_move < self.game.seats:
            self._raise_fault()

    def _raise_fault(self) -> None:
        """Raise the error of the seat to move or of the listed moves, if they have a fault."""
        self._raise(fault_of_moves(self.game, self.to_move, self._moves))

    def _raise(self, fault: Fault | None) -> None:
        if fault is not None:
            self.game.address_of(kernels.LEGAL)  # raises first the error of a library's game
            raise error_of(fault, self.game, self.seed, self.actions)

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal: bool [num_actions]."""
        mask = np.zeros(self.game.num_actions, dtype=np.bool_)
        mask[self.legal_actions()] = True
        return mask

    def observation(self, player: int) -> npt.NDArray[np.float32]:
        """Return what a player may know: float32 [*game.observation_shape].

        Raises:
            UsageError: there is no such seat.
        """
        player = self.game.checked_seat(player)
        out = np.zeros(self.game.observation_shape, dtype=np.float32)
        _observe(self.game.address_of(kernels.OBSERVE), self.address, player, _at(out))
        return out

    # ------------------------------------------------------------ playing

    def play(self, action: int) -> None:
        """Play an action, or at a chance node an outcome.

        Every outcome advances the generator by one draw, even if the caller chose it. Later draws
        depend only on the seed and on the number of outcomes.

        Raises:
            IllegalAction: the action is not legal; the position is unchanged.
            MeepleError: the game has had `max_plies` plies and is not over, or its rules are at
                fault.
        """
        pause_if_low_priority()
        try:
            action = whole_number(action, "an action")
        except UsageError as error:
            raise IllegalAction(str(error)) from None
        legal = self.legal_actions()
        if action not in legal:
            raise IllegalAction(self._refusal(action, legal))
        if self.to_move >= 0 and not 0 <= action < self.game.num_actions:
            self._raise_fault()
        if len(self._actions) >= self.game.max_plies:
            raise self.game.longer_than_declared()
        self._past.append((self._buffer.tobytes(), int(self._rng["state"][0])))
        self._actions.append(action)
        if self.to_move == CHANCE:
            kernels.uniform(self._rng[0])
        _play(self.game.address_of(kernels.PLAY), self.address, action)
        self._check_mover()

    def _refusal(self, action: int, legal: npt.NDArray[np.int32]) -> str:
        if self.is_over:
            return f"action {action} cannot be played: the game is over"
        name, reason = f"{action}", ""
        if 0 <= action < self.game.num_actions:
            with contextlib.suppress(Exception):  # an action that is not legal may have no name
                name = f"{action} ({self.action_name(action)})"
                reason = self.illegal_reason(action)
        return f"action {name} is not legal here{self._why(reason, legal)}"

    def _why(self, reason: str, legal: npt.NDArray[np.int32]) -> str:
        return f": {reason}" if reason else f"; legal: {self._listed(legal)}"

    def _listed(self, legal: npt.NDArray[np.int32]) -> str:
        """Return the names of at most `_MAX_LISTED_ACTIONS` legal actions, for an error."""
        names = [self.action_name(action) for action in legal[:_MAX_LISTED_ACTIONS].tolist()]
        hidden = len(legal) - len(names)
        more = f" and {hidden} more" if hidden > 0 else ""
        return ", ".join(names) + more

    def action_name(self, action: int) -> str:
        """Return the name of an action: its number, if only the rules are known."""
        return str(action)

    def illegal_reason(self, action: int) -> str:
        """Return which rule makes an action illegal: empty, if only the rules are known."""
        return ""

    def play_chance(self) -> int:
        """Draw an outcome at a chance node from the position's generator, and play it.

        After `undo` the same outcome is drawn again.

        Returns:
            The outcome.

        Raises:
            ValueError: this is not a chance node.
            KernelError: the probabilities do not sum to 1.
        """
        outcomes, probabilities = self.chance_outcomes()
        total = float(probabilities.sum())
        if not abs(total - 1) < TOLERANCE:
            self._raise_fault()
        draw = kernels.uniform(self._rng.copy()[0]) * total
        index = int(np.searchsorted(np.cumsum(probabilities), draw, side="right"))
        outcome = int(outcomes[min(index, len(outcomes) - 1)])
        self.play(outcome)
        return outcome

    def undo(self) -> None:
        """Take back the last action or chance outcome.

        Raises:
            ValueError: this is the opening position.
        """
        if not self._past:
            raise ValueError("nothing to undo: this is the opening position")
        pause_if_low_priority()
        state, rng = self._past.pop()
        self._actions.pop()
        self.row[:] = np.frombuffer(state, dtype=np.uint8)
        self._rng["state"] = rng

    def copy(self) -> Self:
        """Return an independent position with the same state, history and generator."""
        twin = type(self).__new__(type(self))
        twin.game, twin.seed = self.game, self.seed
        # NumPy copies only the fields, but searches compare all bytes of states.
        twin._buffer = self.row.copy().view(self.game.State)
        twin._moves = self._moves.copy()
        twin._locate()
        twin._rng = self._rng.copy()
        twin._past, twin._actions = self._past.copy(), self._actions.copy()
        return twin

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()  # a game cannot be copied, and need not be

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Restore a position from its attributes, with arrays that lie elsewhere (OpenSpiel)."""
        vars(self).update(attributes)
        self._locate()

    def steps(self, first: int = 0) -> Iterator[Step]:
        """Yield the actions from number `first` on, each with the states before and after it.

        Raises:
            UsageError: `first` is negative.
        """
        if first < 0:
            raise UsageError(f"actions are numbered from 0: there is none of number {first}")
        states = [np.frombuffer(state, dtype=np.uint8) for state, _ in self._past[first:]]
        for action, (before, after) in zip(
            self._actions[first:], itertools.pairwise([*states, self.row.copy()]), strict=True
        ):
            yield Step(before, action, after)

    def state_before(self, number: int) -> npt.NDArray[np.uint8]:
        """Return the state [state_bytes] before the action of a number, read-only."""
        return np.frombuffer(self._past[number][0], dtype=np.uint8)

    def sights(self, seat: int, first: int = 0) -> Iterator[Any]:
        """Yield what a seat sees of each action from number `first` on: `sights.sight`."""
        for step in self.steps(first):
            yield sights.sight(self.game, step.before, step.action, step.after, seat)

    def __eq__(self, other: object) -> bool:
        """Whether both are of equal games and have equal states; the ways there may differ."""
        if not isinstance(other, BarePosition):
            return NotImplemented
        return self.game == other.game and self._buffer.tobytes() == other._buffer.tobytes()

    def __hash__(self) -> int:
        """Return the hash of game and state: do not play on in a position that is a key."""
        return hash((self.game, self._buffer.tobytes()))

    def __repr__(self) -> str:
        return f"<Position of {self.game!r} after {len(self._actions)} actions>"


def _at(array: npt.NDArray[Any]) -> int:
    return int(array.ctypes.data)
