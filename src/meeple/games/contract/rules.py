"""The rules of a game as they run compiled: its options, its sizes and its kernels' addresses.

All that search, networks and learning need of a game is here. What people see of it, its names and
its board, is `Game` in `game.py`.
"""

import operator
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import OptionError, UsageError
from meeple.games.contract.symmetry import Symmetry, Variant
from meeple.kernels.table import KernelTable, Memory
from meeple.options import Option, OptionValue, check_options

_one_table = threading.Lock()  # for a game, whichever thread comes first
_PRUNING = (kernels.PRUNE, kernels.NARROW)
_REQUIRED = ("start", "legal", "play", "payoffs", "observe")


class Rules:
    """The rules of one game with its options fixed; immutable."""

    name: ClassVar[str]
    declared: ClassVar[Mapping[str, Option]] = {}  # the options a user may set
    board_options: ClassVar[Sequence[str]] = ()  # those that set the board's size and no more
    later: ClassVar[Sequence[str]] = ()  # those that older files of networks say nothing of
    max_moves: ClassVar[int]  # most legal actions, or chance outcomes, in any position
    open_actions: ClassVar[bool] = False  # where something is hidden: all see what players do
    transpositions: ClassVar[bool] = True  # whether UCT gains from sharing equal positions
    prunes: ClassVar[bool] = True  # whether searches heed `prune` and `narrow` unasked
    State: ClassVar[kernels.RecordType]
    Options: ClassVar[kernels.RecordType]  # what the `start` kernel is given
    Features: ClassVar[kernels.RecordType]  # what `seat_features` fills: `kernels.parts_record`

    players: int = 2
    num_actions: int  # actions are ids in range(num_actions)
    max_plies: int  # no game is longer
    observation_shape: tuple[int, ...]
    num_cells: int = 0  # that the `ownership` kernel speaks of

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, OptionValue] = check_options(self.name, self.declared, options)
        self.configure()

    # ------------------------------------------------------------ what a game file fills in

    def configure(self) -> None:
        """Set `players`, `num_actions`, `max_plies` and `observation_shape` from the options.

        Raises OptionError where options that are valid alone do not go together.
        """
        raise NotImplementedError

    def encode_options(self, options: Any) -> None:
        """Write the options into a record of type `Options`: by default, those of equal names."""
        for field in options.dtype.names:
            setattr(options, field, self.options[field])

    def symmetries(self) -> Sequence[Symmetry]:
        """The symmetries of the game, the identity left out."""
        return ()

    def variants(self) -> Sequence[Variant]:
        """Other options under which this is the same game, each with the symmetry to it.

        A network that learned one of them plays this game too, through that symmetry.
        """
        return ()

    # ------------------------------------------------------------ what every game gets

    @property
    def unsaid(self) -> dict[str, OptionValue | None]:
        """The options of `later`, as they are in a file that says nothing of them."""
        return {name: self.declared[name].default for name in self.later}

    def compile(self, *wanted: int) -> None:
        """Compile these kernels (`kernels.PLAY`..), or load them from disk; without names, all.

        What any position needs comes with them; those that the game lacks are ignored. A kernel
        that nobody asks for is compiled when it is called: ask before a clock starts.
        """
        indices = {*kernels.PLAYING, *wanted} if wanted else range(len(kernels.KERNELS))
        self._table.compile(indices)

    def not_compiled(self, wanted: Iterable[int]) -> list[int]:
        """Those of these kernels that would have to be compiled, as they are not on disk either."""
        return self._table.not_compiled(wanted)

    def checked_seat(self, seat: int) -> int:
        """A seat, which kernels take on trust. Raises UsageError where there is no such one."""
        seat = whole_number(seat, "a seat")
        if not 0 <= seat < self.players:
            raise UsageError(f"there is no seat {seat}: seats are 0 to {self.players - 1}")
        return seat

    def address_of(self, index: int) -> int:
        """Where a kernel lies, for `kernel_table.caller`; 0 where the game lacks it."""
        return self._table.address_of(index)

    @property
    def rules(self) -> npt.NDArray[np.int64]:
        """[kernels] their addresses, indexed by `kernels.START`..; 0 where there is none."""
        return self._table.addresses

    @property
    def can_prune(self) -> bool:
        """Whether a search may be asked to heed `prune`."""
        return self._supplies(kernels.PRUNE)

    def pruning_rules(self) -> npt.NDArray[np.int64]:
        """`rules`, with `prune` and `narrow` for a search that is asked to heed them; compiled."""
        if self.prunes:
            self.compile(*_PRUNING)
            return self.rules
        table = self._owned("_pruning_kernels", self._new_pruning_table)
        table.compile(_PRUNING)
        found = self.rules.copy()
        found[list(_PRUNING)] = table.addresses[list(_PRUNING)]
        return found

    @property
    def _table(self) -> KernelTable:
        return self._owned("_kernels", self._new_table)

    def _owned(self, name: str, new: Callable[[], KernelTable]) -> KernelTable:
        """Owned by the class; as plain Python, by the game, as those know their arrays' lengths."""
        owner: Any = type(self) if kernels.COMPILED else self
        if name not in vars(owner):
            with _one_table:
                if name not in vars(owner):
                    setattr(owner, name, new())
        table: KernelTable = vars(owner)[name]
        return table

    @property
    def state_bytes(self) -> int:
        """The size of a state record in bytes."""
        return self.State.itemsize

    def has(self, kernel: int) -> bool:
        """Whether the game supplies an optional kernel, such as `kernels.ROLLOUT`, for all."""
        return self._supplies(kernel) and (self.prunes or kernel not in _PRUNING)

    def _supplies(self, kernel: int) -> bool:
        return hasattr(sys.modules[type(self).__module__], kernels.KERNELS[kernel])

    @property
    def hides(self) -> bool:
        """Whether players do not know all of the state, so that search must sample it."""
        return self.has(kernels.RESAMPLE)

    def _new_table(self) -> KernelTable:
        module = sys.modules[type(self).__module__]
        first = self.State.names[0] if self.State.names else ""
        if first != "to_move" or self.State["to_move"] != np.int8:
            raise TypeError(f"{self.name}: the first field of State must be `to_move=np.int8`")
        functions = {}
        for index, name in enumerate(kernels.KERNELS[: kernels.JUDGE]):
            function = getattr(module, name, None)
            if function is not None:
                if self.prunes or index not in _PRUNING:
                    functions[index] = function
            elif name in _REQUIRED:
                raise TypeError(f"{self.name}: the game file lacks the kernel `{name}`")
        return KernelTable(self.name, functions, self._memory)

    def _new_pruning_table(self) -> KernelTable:
        module = sys.modules[type(self).__module__]
        functions = {
            index: getattr(module, kernels.KERNELS[index])
            for index in _PRUNING
            if self._supplies(index)
        }
        return KernelTable(self.name, functions, self._memory)

    @property
    def _memory(self) -> Memory:
        records = {
            kernels.STATE: self.State,
            kernels.OPTIONS: self.Options,
            kernels.RNG: kernels.Rng,
            kernels.MOVES: kernels.moves_record(self.max_moves),
        }
        if self._supplies(kernels.SEAT_FEATURES):
            records[kernels.PARTS] = self.Features
        lengths = {
            kernels.SHARES: self.players,
            kernels.FEATURES: int(np.prod(self.observation_shape)),
            kernels.KEY: 2,
            kernels.OWNERS: self.num_cells,
            kernels.FLAG: 1,
        }
        return Memory(records, lengths)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"meeple.make({self.name!r}{options})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == getattr(other, "options", None)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    def __reduce__(self) -> Any:
        return _again, (type(self), dict(self.options))


def _again(kind: type[Rules], options: Mapping[str, OptionValue]) -> Rules:
    """A game made anew of its class and options, as its compiled rules are a process's own."""
    return kind(**options)


def refuse(rules: Rules, sentence: str) -> OptionError:
    """The error of options that do not go together."""
    return OptionError(f"{rules.name}: {sentence}")


def whole_number(number: int, what: str) -> int:
    """A whole number as Python's own. Raises UsageError that says what it should be."""
    try:
        return operator.index(number)
    except TypeError:
        raise UsageError(f"{what} is a whole number, not {number!r:.60}") from None
