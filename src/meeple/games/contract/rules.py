"""The compiled rules of a game: its options, its sizes and the addresses of its kernels.

Search, networks and learning use only this class. `Game` in `game.py` adds names of actions and
drawings.
"""

import functools
import inspect
import math
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import MeepleError, OptionError, UsageError
from meeple.games.contract import points
from meeple.games.contract.points import Scoring, scoring_of
from meeple.games.contract.symmetry import SwapRule, Symmetry, Variant
from meeple.kernels.kernel_source import code_of, line_of_definition
from meeple.kernels.table import KernelTable, Memory
from meeple.options import Integer, Option, OptionValue, check_options, whole_number

_table_lock = threading.Lock()  # so that two threads do not build the same table
_PRUNING = (kernels.PRUNE, kernels.NARROW)


class Rules:
    """The rules of one game with fixed options; immutable."""

    name: ClassVar[str]
    declared: ClassVar[Mapping[str, Option]] = {}  # the options that a user may set
    board_options: ClassVar[Sequence[str]] = ()  # options that set only the size of the board
    start_option: ClassVar[str] = ""
    """The option that sets the position a game begins with; left out of `options` by default."""
    later: ClassVar[Sequence[str]] = ()  # options that older network files do not contain
    max_moves: ClassVar[int]  # largest number of legal actions or outcomes
    open_actions: ClassVar[bool] = False  # all players see the actions, even if states are hidden
    secret_choices: ClassVar[bool] = False  # only its seat sees an action: `Simultaneous`
    transpositions: ClassVar[bool] = True  # whether UCT shares the nodes of equal positions
    can_be_drawn: ClassVar[bool] = True  # whether the rules allow equal shares at the end
    prunes: ClassVar[bool] = True  # whether searches use `prune` and `narrow` by default
    State: ClassVar[kernels.RecordType]  # by default that of the class's module, as `Options` is
    Options: ClassVar[kernels.RecordType] = kernels.record()
    """The argument of the kernel `start`: by default a field for each `Integer` option."""
    Features: ClassVar[kernels.RecordType]  # filled by `seat_features`: a `kernels.parts_record`
    kernel_modules: ClassVar[Sequence[ModuleType]] = ()
    """The modules that define its kernels, beside the one of the class."""

    players: int = 2
    """The seats. Once the game is made, also that of the par, if one side plays (see `points`)."""
    teams: Sequence[Sequence[int]] = ()
    """The seats that share their payoff, for each team of two seats or more."""
    points: Sequence[float] | None = None
    """The least and the most points of a seat: `payoffs` then writes points instead of shares.

    So do `heuristic`, `simple_heuristic` and `known_result`. One player, or one team of all, plays
    against a *par*: a last seat that never moves and whose share is what is missing to the most
    points. `seats` is the number of seats without it.
    """
    num_actions: int  # actions are numbers in range(num_actions)
    max_plies: int  # upper bound of the length of a game
    observation_shape: tuple[int, ...]
    num_cells: int = 0  # number of cells of the kernels `ownership` and `contents`
    num_contents: int = 0  # number of contents of a cell that the kernel `contents` writes
    exchanged_contents: Sequence[int] = ()
    """[num_contents] the content that each becomes when two players exchange their pieces."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in ("State", "Options"):
            own = getattr(sys.modules.get(cls.__module__), name, None)
            if own is not None and getattr(cls, name, None) is getattr(Rules, name, None):
                setattr(cls, name, own)
        whole = [name for name, one in cls.declared.items() if isinstance(one, Integer)]
        if cls.Options is Rules.Options and whole:
            cls.Options = kernels.record(**dict.fromkeys(whole, np.int32))

    def __init__(self, /, **options: Any) -> None:
        checked = check_options(self.name, self.declared, options)
        start = self.start_option
        if start and checked[start] == self.declared[start].default:
            checked = MappingProxyType({name: checked[name] for name in checked if name != start})
        self.options: Mapping[str, OptionValue] = checked
        self.configure()
        try:
            self.scoring: Scoring = scoring_of(self.points, self.players, self.teams)
        except (TypeError, ValueError) as error:
            raise refuse(self, str(error)) from None
        self.players = sum(map(len, self.scoring.sides))
        if self.has_par and kernels.SEAT_FEATURES in self._supplied:
            raise refuse(self, "`seat_features` is for games of several sides; leave it out")
        if getattr(self, "max_plies", 1) < 1:
            raise self.longer_than_declared()

    # ------------------------------------------------------------ what a game file fills in

    def configure(self) -> None:
        """Set what depends on the options, such as `num_actions`; the rest the class sets.

        Raises:
            OptionError: options that are valid one by one do not go together.
        """

    def encode_options(self, options: Any) -> None:
        """Write the options into a record of type `Options`: by default, those of equal names."""
        for field in options.dtype.names:
            setattr(options, field, self.options[field])

    def symmetries(self) -> Sequence[Symmetry]:
        """Return the symmetries of the game, without the identity."""
        return ()

    def variants(self) -> Sequence[Variant]:
        """Return other options under which this is the same game, each with its symmetry.

        A network trained on one of them plays this game too, through the symmetry.
        """
        return ()

    def swap_rule(self) -> SwapRule | None:
        """Return the swap rule; None if the game has none.

        A network trained on the game without the rule plays this game too.
        """
        return None

    # ------------------------------------------------------------ what every game gets

    @classmethod
    def form_options(cls) -> list[str]:
        """Return the names of the options that a form shows, in which no board can be typed."""
        return [name for name in cls.declared if name != cls.start_option]

    def usual(self) -> Self:
        """Return the game that begins with its usual position, with the same other options.

        Networks, levels and ratings are those of this game.
        """
        others = {name: self.options[name] for name in self.options if name != self.start_option}
        return self if others == self.options else type(self)(**others)

    @property
    def unsaid(self) -> dict[str, OptionValue | None]:
        """The options of `later` with the values that a file without them means."""
        return {name: self.declared[name].default for name in self.later}

    def compile(self, *wanted: int) -> None:
        """Compile these kernels (`kernels.PLAY`, ...), or load them from disk; by default all.

        The kernels that every position needs are included; kernels that the game lacks are ignored.
        Any other kernel is compiled at its first call, so call this before a clock starts.
        """
        indices = {*kernels.PLAYING, *wanted} if wanted else range(len(kernels.KERNELS))
        self._table.compile(indices)

    def not_compiled(self, wanted: Iterable[int]) -> list[int]:
        """Return those of these kernels that are neither compiled nor on disk."""
        return self._table.not_compiled(wanted)

    @property
    def seats(self) -> int:
        """The number of seats that move: all but that of a par."""
        return self.scoring.seats

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team, and each seat that plays alone, a par included."""
        return self.scoring.sides

    @property
    def has_par(self) -> bool:
        """Whether the last seat is a par's, which never moves."""
        return self.scoring.has_par

    @property
    def scale(self) -> dict[str, Any]:
        """The sides, without a par, and the range of the points, as JSON data.

        Empty if each seat plays for its share of the win.
        """
        if self.points is None and not self.teams:
            return {}
        sides = [list(seats) for seats in self.sides[: len(self.sides) - self.has_par]]
        span = {} if self.points is None else {"range": [*map(float, self.points)]}
        return {"sides": sides, **span}

    def side_of(self, seat: int) -> int:
        """Return the index in `sides` of a seat's side."""
        return next(index for index, side in enumerate(self.sides) if seat in side)

    def checked_seat(self, seat: int) -> int:
        """Return a valid seat; kernels do not check it.

        Raises:
            UsageError: there is no such seat.
        """
        seat = whole_number(seat, "a seat")
        if not 0 <= seat < self.seats:
            raise UsageError(f"there is no seat {seat}: seats are 0 to {self.seats - 1}")
        return seat

    def address_of(self, index: int) -> int:
        """Return the address of a kernel, for `kernels.table.caller`; 0 if the game lacks it."""
        return self._table.address_of(index)

    @property
    def addresses(self) -> npt.NDArray[np.int64]:
        """[kernels] int64, the addresses of all kernels by `kernels.START`, ...; 0 if missing."""
        return self._table.addresses

    def longer_than_declared(self) -> MeepleError:
        """Return the error of a game with more plies than `max_plies`; it names the line."""
        return MeepleError(
            f"{_place_that_sets(type(self), 'max_plies')}: {self!r} can have more than "
            f"{self.max_plies} plies, its `max_plies`: set it to the most plies of any game, "
            "chance outcomes included"
        )

    def place_of(self, names: Sequence[str]) -> tuple[str, int]:
        """Return the file and line of the first of these kernels or methods that the game has."""
        for name in names:
            code = code_of(self.kernel_named(name) or getattr(type(self), name, None))
            if code is not None:
                return code.co_filename, line_of_definition(code)
        return sys.modules[type(self).__module__].__file__ or "", 0

    @property
    def num_features(self) -> int:
        """The length of an observation."""
        return math.prod(self.observation_shape)

    @property
    def can_prune(self) -> bool:
        """Whether a search can use the kernel `prune`."""
        return kernels.PRUNE in self._supplied

    def pruning_addresses(self) -> npt.NDArray[np.int64]:
        """Return `addresses` [kernels], `prune` and `narrow` among them, for `prune=on`."""
        if self.prunes:
            self.compile(*_PRUNING)
            return self.addresses
        table = self._owned("_pruning_kernels", self._new_pruning_table)
        table.compile(_PRUNING)
        found = self.addresses.copy()
        found[list(_PRUNING)] = table.addresses[list(_PRUNING)]
        return found

    @property
    def _table(self) -> KernelTable:
        scored = self.points is not None
        return self._owned(f"_kernels {self.scoring}" if scored else "_kernels", self._new_table)

    def address_of_points(self) -> int:
        """Return the address of the kernel that writes the points, in a game of points."""
        return self._owned("_points_kernels", self._new_points_table).address_of(kernels.PAYOFFS)

    def _owned(self, name: str, new: Callable[[], KernelTable]) -> KernelTable:
        """Return an attribute of the class; in plain Python, of the game.

        Without compilation the lengths of arrays depend on the game's options.
        """
        owner: Any = type(self) if kernels.COMPILED else self
        if name not in vars(owner):
            with _table_lock:
                if name not in vars(owner):
                    setattr(owner, name, new())
        table: KernelTable = vars(owner)[name]
        return table

    @property
    def state_bytes(self) -> int:
        """The size of a state record in bytes."""
        return self.State.itemsize

    def has(self, kernel: int) -> bool:
        """Return whether every caller can use an optional kernel, such as `kernels.ROLLOUT`."""
        return kernel in self._supplied and (self.prunes or kernel not in _PRUNING)

    @functools.cached_property
    def _supplied(self) -> frozenset[int]:
        """The kernels that the game has: agents ask at every move."""
        return frozenset(self._functions(range(len(kernels.GAME_KERNELS))))

    @classmethod
    def kernel_named(cls, name: str) -> kernels.Function | None:
        """Return the game's kernel of this name; None if it lacks it."""
        state = getattr(cls, "State", None)
        own = (points,) if state is not None and "points" in (state.names or ()) else ()
        for module in (sys.modules[cls.__module__], *cls.kernel_modules, *own):
            found: kernels.Function | None = getattr(module, name, None)
            if callable(found):  # a module may have the name of its kernel
                return found
        return None

    def _functions(self, indices: Iterable[int]) -> dict[int, kernels.Function]:
        """Return those of these kernels that the game has."""
        found = {index: self.kernel_named(kernels.KERNELS[index]) for index in indices}
        return {index: one for index, one in found.items() if one is not None}

    @property
    def hides(self) -> bool:
        """Whether players do not know the whole state, so that search must sample it."""
        return self.has(kernels.RESAMPLE)

    def _new_table(self) -> KernelTable:
        first = self.State.names[0] if self.State.names else ""
        if first != "to_move" or self.State["to_move"] != np.int8:
            raise TypeError(f"{self.name}: the first field of State must be `to_move=np.int8`")
        functions = self._functions(range(len(kernels.GAME_KERNELS)))
        for index in kernels.REQUIRED:
            if index not in functions:
                name = kernels.KERNELS[index]
                raise TypeError(f"{self.name}: the game file lacks the kernel `{name}`")
        for index in () if self.prunes else _PRUNING:
            functions.pop(index, None)
        if self.points is not None:
            functions = {i: self.scoring.wrapped(i, one) for i, one in functions.items()}
        return KernelTable(self.name, functions, self.memory)

    def _new_points_table(self) -> KernelTable:
        return KernelTable(self.name, self._functions([kernels.PAYOFFS]), self.memory)

    def _new_pruning_table(self) -> KernelTable:
        return KernelTable(self.name, self._functions(_PRUNING), self.memory)

    @property
    def memory(self) -> Memory:
        """The types and lengths of what its kernels receive."""
        records = {
            kernels.STATE: self.State,
            kernels.OPTIONS: self.Options,
            kernels.RNG: kernels.Rng,
            kernels.MOVES: kernels.moves_record(self.max_moves),
        }
        if kernels.SEAT_FEATURES in self._supplied:
            records[kernels.PARTS] = self.Features
        arrays = {one for parameters in kernels.SIGNATURES.values() for one in parameters}
        lengths = {
            one: getattr(self, one.length) if isinstance(one.length, str) else one.length
            for one in arrays
            if one.items is not None
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


def _place_that_sets(kind: type[Rules], attribute: str) -> str:
    """Return the file and line in which a class sets an attribute, or the class's name."""
    for one in kind.__mro__:
        try:
            lines, first = inspect.getsourcelines(one)
            file = inspect.getsourcefile(one)
        except (OSError, TypeError):
            continue
        for number, line in enumerate(lines, first):
            if re.search(rf"\b{attribute}\b[^=]*=[^=]", line):
                return f"{file}:{number}"
    return kind.__name__


def _again(kind: type[Rules], options: Mapping[str, OptionValue]) -> Rules:
    """Build a game from its class and options; compiled rules cannot be sent to another process."""
    return kind(**options)


def refuse(rules: Rules, sentence: str) -> OptionError:
    """Return the error for options that do not go together."""
    return OptionError(f"{rules.name}: {sentence}")
