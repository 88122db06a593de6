"""The game contract as people meet it: a game that names, draws and describes, and its positions.

A game is a module with a `State` record, kernels named as in `meeple.kernels.SIGNATURES`, and one
subclass of `Game`. Rules run compiled (`rules.py`); the class is plain Python.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from meeple import kernels
from meeple.errors import IllegalAction, UsageError
from meeple.games.boards import scene as scenes
from meeple.games.boards.scene import Scene
from meeple.games.contract import capabilities
from meeple.games.contract.belief import Belief, StateBelief
from meeple.games.contract.position import BarePosition
from meeple.games.contract.rules import Rules


class Game(Rules):
    """One game with its options fixed; immutable. Built by `meeple.make(name, **options)`."""

    summary: ClassVar[str]
    perfect_information: ClassVar[bool | None] = None
    """Whether every player knows all of the state. None: yes, unless its module has `resample` or
    the class a `view` for each seat."""
    examples: ClassVar[Sequence[Mapping[str, Any]]] = ({},)  # options that tests try

    # ------------------------------------------------------------ what a game file may fill in

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
        if type(self).scene is Game.scene:  # which is this text
            raise NotImplementedError
        return scenes.write(self.scene(position))

    def draw_marked(
        self, position: "Position", actions: Collection[int], colour: bool = False
    ) -> str:
        """The position with some legal actions marked, where the game can show that."""
        return self.draw(position, colour)

    def view(self, position: "Position", seat: int, colour: bool = False) -> str:
        """The position as text for one seat, with what it alone knows; `draw` is for all to see."""
        return self.draw(position, colour)

    def scene(self, position: "Position", seat: int | None = None) -> Scene:
        """The position as data for a drawn board, as a seat may know it (None: anybody).

        By default its text; see `meeple.games.boards.scene` for the boards there are.
        """
        shown = self.draw(position) if seat is None else self.view(position, seat)
        return scenes.text(shown)

    def player_name(self, player: int) -> str:
        """What people call a seat."""
        return f"player {player + 1}"

    # ------------------------------------------------------------ what every game gets

    def start(self, seed: int = 0) -> "Position":
        """The opening position; all its randomness comes from the seed."""
        return Position(self, seed)

    @property
    def hides(self) -> bool:
        """Whether players do not know all of the state, so that search must sample it."""
        if self.perfect_information is not None:
            return not self.perfect_information
        return super().hides or type(self).view is not Game.view

    def ensure_samples(self) -> None:
        """Raise UsageError where a game does not say how to sample what a seat cannot know."""
        if not self.has(kernels.RESAMPLE) and type(self).belief is Game.belief:
            raise UsageError(
                f"{self.name} hides something (its view differs from seat to seat) and lacks the "
                "kernel `resample`, by which a search samples what a seat cannot know: write it, "
                "or set perfect_information = True in the class if nothing is hidden"
            )

    def belief(self, seat: int, seed: int = 0) -> Belief:
        """What a seat believes, from the start of a game on; for games that hide something.

        Raises UsageError where there is no such seat, or as `ensure_samples`.
        """
        self.ensure_samples()
        return StateBelief(self.checked_seat(seat), self.address_of(kernels.RESAMPLE))


class Position(BarePosition):
    """A game in progress with the names and the board that people see."""

    game: Game

    def __init__(self, game: Game, seed: int = 0) -> None:
        super().__init__(game, seed)

    def action_name(self, action: int) -> str:
        """What people call an action here. Raises UsageError for a number that is no action's."""
        if not 0 <= action < self.game.num_actions:
            raise UsageError(f"there is no action {action} of {self.game.num_actions:,}")
        return self.game.action_name(self, int(action))

    def parse_action(self, text: str) -> int:
        """The legal action that a text names. Raises IllegalAction naming the legal ones."""
        if not isinstance(text, str):
            raise IllegalAction(f"an action's name is a text, not {text!r:.60}")
        action = self.game.parse_action(self, text)
        if self.is_over:
            raise IllegalAction(f"'{text}' cannot be played: the game is over")
        legal = self.legal_actions()
        if action is None or action not in legal:
            raise IllegalAction(f"'{text}' is not legal here; legal: {self._listed(legal)}")
        return action

    def action_groups(self) -> Mapping[str, Mapping[str, int]]:
        """Return the menu of this position, as `capabilities.action_groups`."""
        return capabilities.action_groups(self)

    def __str__(self) -> str:
        return self.game.draw(self)
