"""The game contract: what a game file declares, and the compiled rules that search calls.

A game is a module with a `State` record, kernels named as in `meeple.kernels.SIGNATURES`, and one
subclass of `Game` that names, draws and describes them. Rules run compiled; the class is plain
Python.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import OptionError
from meeple.games.contract.options import Option, OptionValue, check_options

if TYPE_CHECKING:
    from meeple.games.boards.scene import Scene
    from meeple.games.contract.belief import Belief
    from meeple.games.contract.position import Position

_REQUIRED = ("start", "legal", "play", "payoffs", "observe")


@dataclass(frozen=True)
class Symmetry:
    """A way to see the same position differently, as index arrays to gather with.

    For a flat observation o, a policy p and shares v of a position, `o[observation]`, `p[action]`
    and `v[player]` belong to the transformed position. `player[i]` is who sits in seat i there.
    """

    observation: npt.NDArray[np.intp]
    action: npt.NDArray[np.intp]
    player: npt.NDArray[np.intp]


class Game:
    """One game with its options fixed; immutable. Built by `meeple.make(name, **options)`."""

    name: ClassVar[str]
    summary: ClassVar[str]
    declared: ClassVar[Mapping[str, Option]] = {}  # the options a user may set
    board_options: ClassVar[Sequence[str]] = ()  # those that set the board's size and no more
    examples: ClassVar[Sequence[Mapping[str, Any]]] = ({},)  # options that tests try
    max_moves: ClassVar[int]  # most legal actions, or chance outcomes, in any position
    transpositions: ClassVar[bool] = True  # whether UCT gains from sharing equal positions
    State: ClassVar[kernels.RecordType]
    Options: ClassVar[kernels.RecordType]  # what the `start` kernel is given

    players: int = 2
    num_actions: int  # actions are ids in range(num_actions)
    max_plies: int  # no game is longer
    observation_shape: tuple[int, ...]
    num_cells: int = 0  # that the `ownership` kernel speaks of

    def __init__(self, **options: Any) -> None:
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

    def action_name(self, position: "Position", action: int) -> str:
        """What people call an action in this position."""
        return str(action)

    def parse_action(self, position: "Position", text: str) -> int | None:
        """The action that a text names, legal or not, or None. By default: by `action_name`."""
        wanted = " ".join(text.lower().split())
        for action in position.legal_actions().tolist():
            if self.action_name(position, action).lower() == wanted:
                return int(action)
        return None

    def draw(self, position: "Position", colour: bool = False) -> str:
        """The position as text, with ANSI colours if asked for. By default from its `scene`."""
        from meeple.games.boards import scene

        if type(self).scene is Game.scene:  # which is this text
            raise NotImplementedError
        return scene.write(self.scene(position))

    def draw_marked(
        self, position: "Position", actions: Collection[int], colour: bool = False
    ) -> str:
        """The position with some legal actions marked, where the game can show that."""
        return self.draw(position, colour)

    def view(self, position: "Position", seat: int, colour: bool = False) -> str:
        """The position as text for one seat, with what it alone knows; `draw` is for all to see."""
        return self.draw(position, colour)

    def scene(self, position: "Position", seat: int | None = None) -> "Scene":
        """The position as data for a drawn board, as a seat may know it (None: anybody).

        By default its text; see `meeple.games.boards.scene` for the boards there are.
        """
        from meeple.games.boards import scene

        return scene.text(position, seat)

    def parse_line(self, position: "Position", text: str) -> list[int] | None:
        """The actions that a line of a person names, one after the other; or None.

        Most lines name one. Raises IllegalAction in a sentence for what cannot be done here.
        """
        action = self.parse_action(position, text)
        return None if action is None else [action]

    def action_groups(self, position: "Position") -> Mapping[str, Mapping[str, int]]:
        """The legal actions for a menu: by a title of what they do, each under a short label.

        Labels that are numbers are those of the drawn board. Without groups, there is no menu.
        """
        return {}

    def guide(self, position: "Position") -> str:
        """What a person who asks for help should know here, in a few lines."""
        return ""

    def tell(
        self, before: "Position", action: int, after: "Position", seat: int | None
    ) -> str | None:
        """What an action did, in a sentence as a seat may know it (None: anybody).

        Empty where there is nothing to tell yet. By default None: the action's name says all.
        """
        return None

    def reason(self, position: "Position", action: int, seat: int | None) -> str:
        """Why an agent that judges by `prune` does this, for the eyes of a seat (None: anybody).

        Empty where there is nothing to say, as by default.
        """
        return ""

    def layout(self, position: "Position") -> Any:
        """The board that was laid before the first action, as JSON data, for records.

        By default None: the options alone say what the opening position is.
        """
        return None

    def laid_out(self, layout: Any) -> "Game":
        """The same game on a board as `layout` gives it. Raises OptionError if that cannot be."""
        raise refuse(self, "its board is the same in every game")

    def player_name(self, player: int) -> str:
        """What people call a seat."""
        return f"player {player + 1}"

    def symmetries(self) -> Sequence[Symmetry]:
        """The symmetries of the game, the identity left out."""
        return ()

    # ------------------------------------------------------------ what every game gets

    def start(self, seed: int = 0) -> "Position":
        """The opening position; all its randomness comes from the seed."""
        from meeple.games.contract.position import Position

        return Position(self, seed)

    def compile(self) -> None:
        """Compile the rules, or load them from disk, unless this process has them already.

        The first use of `rules` does it anyway; to be called before a clock or threads start.
        """
        owner: Any = type(self) if kernels.COMPILED else self
        if "_rules" not in vars(owner):
            owner._rules = self._compile()

    @property
    def rules(self) -> npt.NDArray[np.int64]:
        """The addresses of the compiled kernels, indexed by `kernels.START`..; 0 where none.

        Owned by the class; as plain Python, by the game itself, as those know the lengths of its
        arrays.
        """
        owner: Any = type(self) if kernels.COMPILED else self
        if "_rules" not in vars(owner):
            self.compile()
        rules: npt.NDArray[np.int64] = owner._rules
        return rules

    @property
    def state_bytes(self) -> int:
        """The size of a state record in bytes."""
        return self.State.itemsize

    def has(self, kernel: int) -> bool:
        """Whether the game supplies an optional kernel, such as `kernels.ROLLOUT`."""
        return hasattr(sys.modules[type(self).__module__], kernels.KERNELS[kernel])

    @property
    def hides(self) -> bool:
        """Whether players do not know all of the state, so that search must sample it."""
        return self.has(kernels.RESAMPLE)

    def belief(self, seat: int, seed: int = 0) -> "Belief":
        """What a seat believes, from the start of a game on; for games that hide something."""
        from meeple.games.contract.belief import StateBelief

        return StateBelief(seat, int(self.rules[kernels.RESAMPLE]))

    def _compile(self) -> npt.NDArray[np.int64]:
        module = sys.modules[type(self).__module__]
        first = self.State.names[0] if self.State.names else ""
        if first != "to_move" or self.State["to_move"] != np.int8:
            raise TypeError(f"{self.name}: the first field of State must be `to_move=np.int8`")
        records = {
            kernels.STATE: self.State,
            kernels.OPTIONS: self.Options,
            kernels.RNG: kernels.Rng,
            kernels.MOVES: kernels.moves_record(self.max_moves),
        }
        lengths = {
            kernels.SHARES: self.players,
            kernels.FEATURES: int(np.prod(self.observation_shape)),
            kernels.KEY: 2,
            kernels.OWNERS: self.num_cells,
        }
        rules = np.zeros(len(kernels.KERNELS), dtype=np.int64)
        with kernels.compiling(self.name):
            for index, name in enumerate(kernels.KERNELS):
                function = getattr(module, name, None)
                if function is not None:
                    rules[index] = kernels.entry_point(function, name, records, lengths)
                elif name in _REQUIRED:
                    raise TypeError(f"{self.name}: the game file lacks the kernel `{name}`")
        rules.setflags(write=False)
        return rules

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"meeple.make({self.name!r}{options})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == getattr(other, "options", None)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    def __reduce__(self) -> Any:
        from meeple.games.contract.registry import make_from

        return make_from, (self.name, dict(self.options))


def refuse(game: Game, sentence: str) -> OptionError:
    """The error of options that do not go together."""
    return OptionError(f"{game.name}: {sentence}")
