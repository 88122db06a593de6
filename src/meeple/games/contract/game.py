"""Games as people see them: names of actions, drawings, scenes; and positions of such games.

A game is a module with a `State` record, kernels with the names in `meeple.kernels.SIGNATURES`, and
one subclass of `Game`. The rules run compiled (`rules.py`); the class is plain Python. What only
some games can do is in `capabilities.py`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from meeple import kernels
from meeple.errors import IllegalAction, UsageError
from meeple.games.boards import scene as scenes
from meeple.games.boards.drawing import write
from meeple.games.boards.scene import Scene
from meeple.games.boards.shape import Shape
from meeple.games.boards.svg import drawing_of
from meeple.games.contract.belief import Belief, StateBelief
from meeple.games.contract.position import BarePosition
from meeple.games.contract.result import percent
from meeple.games.contract.rules import Rules
from meeple.kernels import CHANCE
from meeple.sentences import say

MAX_NAME_CHARS = 200  # of an action
MAX_TITLE_VALUE_CHARS = 40  # of an option's value in a title


class Game(Rules):
    """A game with fixed options; immutable. `meeple.make(name, **options)` builds it."""

    summary: ClassVar[str]
    perfect_information: ClassVar[bool | None] = None
    """Whether every player knows the whole state.

    `None`: no, if the module has the kernel `resample` or the class has its own `view`; otherwise
    yes.
    """
    examples: ClassVar[Sequence[Mapping[str, Any]]] = ({},)  # options that tests use
    drawn: ClassVar[Sequence[Mapping[str, Any]]] = ()  # options whose drawings call other kernels

    shape: Shape | None = None
    """Of the board, for patterns; by default the planes of an observation are of squares."""

    action_names: Sequence[str] = ()  # of all actions; by default of the cells of the `shape`
    outcome_names: Sequence[str] = ()  # the same, of the outcomes of chance

    # ------------------------------------------------------------ what a game file may fill in

    def action_name(self, position: "Position", action: int) -> str:
        """Return the name of an action in this position, by default that of `action_names`."""
        names = self.action_names or (self.shape.names if self.shape is not None else ())
        if self.outcome_names and position.to_move == CHANCE:
            names = self.outcome_names
        return names[action] if 0 <= action < len(names) else str(action)

    def parse_action(self, position: "Position", text: str) -> int | None:
        """Return the action that a text names, legal or not; `None` if it names none.

        By default the text is compared with `action_name` of the legal actions.
        """
        wanted = " ".join(text.lower().split())
        for action in position.legal_actions().tolist():
            if self.action_name(position, action).lower() == wanted:
                return int(action)
        return None

    def illegal_reason(self, position: "Position", action: int) -> str:
        """Return which rule makes an action illegal, for messages; empty if the list says all."""
        return ""

    def draw(self, position: "Position", colour: bool = False) -> str:
        """Return the position as text, with ANSI colours if `colour`; by default its `scene`."""
        if type(self).scene is Game.scene and not self._has_board:  # the scene is this text
            raise NotImplementedError("the class lacks `draw`, and a `scene` that can be drawn")
        return self.draw_marked(position, (), colour)

    def draw_marked(
        self, position: "Position", actions: Collection[int], colour: bool = False
    ) -> str:
        """Return the drawing with some legal actions marked, if it is that of the `scene`."""
        if type(self).draw is not Game.draw:
            return self.draw(position, colour)
        return write(self.scene(position), colour, actions)

    def view(self, position: "Position", seat: int, colour: bool = False) -> str:
        """Return the drawing for one seat, with its private knowledge; `draw` is public.

        By default what the page shows to that seat, its `scene`, as text; the public drawing of a
        class that has a `draw` and hides nothing, or has no `scene`.
        """
        own = type(self).draw, type(self).draw_marked
        drawn = own != (Game.draw, Game.draw_marked) and not self.hides
        if (type(self).scene is not Game.scene or self._has_board) and not drawn:
            return write(self.scene(position, seat), colour)
        return self.draw(position, colour)

    def scene(self, position: "Position", seat: int | None = None) -> Scene:
        """Return the position as data for a drawn board.

        Args:
            position: the position.
            seat: the viewer, whose private knowledge is shown; `None` for a spectator, who sees
                what all seats know. Clicks are of legal actions, on spots that this viewer sees.

        `meeple.games.boards.scene` has the kinds of boards. The default is the `shape` with the
        field `board` of the state, if the game has both and hides nothing, else the drawing as
        text.
        """
        if self._has_board and self.shape is not None:
            pieces, last = position.state.board[: self.shape.size], position.actions[-1:]
            return scenes.board(self.shape, pieces, position.legal_actions(), last=last)
        shown = self.draw(position) if seat is None else self.view(position, seat)
        return scenes.text(shown)

    @property
    def _has_board(self) -> bool:
        """Whether the default scene is a board."""
        known = self.shape is not None and "board" in (self.State.names or ())
        return known and type(self).draw is Game.draw and not self.hides

    def player_name(self, player: int) -> str:
        """Return the name of a seat."""
        return say("game.player", n=player + 1)

    @property
    def seat_names(self) -> list[str]:
        """The names of all seats, without a par."""
        return [self.player_name(player) for player in range(self.seats)]

    @property
    def player_names(self) -> list[str]:
        """The names of all players [players], that of a par included."""
        return [*self.seat_names, say("game.par")] if self.has_par else self.seat_names

    # ------------------------------------------------------------ what every game gets

    def worth(self, values: Any, seat: int) -> str:
        """Return what values [players] promise a seat: "62 %", or its side's points or lead."""
        total, sides = sum(values[one] for one in self.sides[self.side_of(seat)]), len(self.sides)
        if self.points is None or total != total:
            return percent(total)
        low, high = self.points
        if self.has_par:
            return f"{low + total * (high - low):.1f}"
        return f"{(total - 1 / sides) * sides * (high - low):+.1f}"

    @property
    def worth_name(self) -> str:
        """What `worth` returns, as words. A lead is one over the mean of the other sides."""
        if self.points is None:
            return "winning chance"
        return "expected points" if self.has_par else "expected lead"

    @property
    def title(self) -> str:
        """The name for people, with the options that differ from the defaults: "Hex, size=7"."""
        changed = [
            f"{name}={_short(str(value))}"
            for name, value in self.options.items()
            if value != self.declared[name].default
        ]
        return ", ".join([self.name.replace("-", " ").capitalize(), *changed])

    def start(self, seed: int = 0) -> "Position":
        """Return the opening position; the seed determines all its randomness."""
        return Position(self, seed)

    @property
    def hides(self) -> bool:
        """Whether players do not know the whole state, so that search must sample it."""
        if self.perfect_information is not None:
            return not self.perfect_information
        return super().hides or type(self).view is not Game.view

    def ensure_samples(self) -> None:
        """Check that the game can sample hidden information.

        Raises:
            UsageError: the game has neither the kernel `resample` nor a `belief` of its own.
        """
        if not self.has(kernels.RESAMPLE) and type(self).belief is Game.belief:
            raise UsageError(
                f"{self.name} hides something (its view differs from seat to seat) and lacks the "
                "kernel `resample`, by which a search samples what a seat cannot know: write it, "
                "or set perfect_information = True in the class if nothing is hidden"
            )

    def belief(self, seat: int, seed: int = 0) -> Belief:
        """Return what a seat believes, from the start of a game; for games that hide something.

        Raises:
            UsageError: there is no such seat, or the game cannot sample hidden information.
        """
        self.ensure_samples()
        return StateBelief(self.checked_seat(seat), self.address_of(kernels.RESAMPLE))


def shown_name(name: Any) -> str:
    """Return a name of an action as it is shown: a short text without control characters."""
    if isinstance(name, str) and len(name) <= MAX_NAME_CHARS and name.isprintable():
        return name  # with its code and fields, if it is a sentence
    return "".join(letter for letter in str(name)[:MAX_NAME_CHARS] if letter.isprintable())


def _short(value: str) -> str:
    """Return the value of an option for a title, in which a long one is cut."""
    return value if len(value) <= MAX_TITLE_VALUE_CHARS else f"{value[:MAX_TITLE_VALUE_CHARS]}..."


class Position(BarePosition):
    """A game in progress, with the names of actions and the drawing."""

    game: Game

    def __init__(self, game: Game, seed: int = 0) -> None:
        super().__init__(game, seed)

    def play(self, action: int | str) -> None:
        """Play an action by its number or name, or at a chance node an outcome.

        Raises:
            IllegalAction: the action is not legal; the position is unchanged.
        """
        super().play(self.parse_action(action) if isinstance(action, str) else action)

    def action_name(self, action: int) -> str:
        """Return the name of an action in this position.

        Raises:
            UsageError: there is no action of this number.
        """
        outcome = self.to_move == CHANCE and action in self.legal_actions()
        if not (0 <= action < self.game.num_actions or outcome):
            raise UsageError(f"there is no action {action} of {self.game.num_actions:,}")
        return shown_name(self.game.action_name(self, int(action)))

    def parse_action(self, text: str) -> int:
        """Return the legal action that a text names.

        Raises:
            IllegalAction: the text names no legal action; the message lists the legal ones.
        """
        if not isinstance(text, str):
            raise IllegalAction(f"an action's name is a text, not {text!r:.60}")
        action = self.game.parse_action(self, text)
        if self.is_over:
            raise IllegalAction(say("game.cannot_be_played_the", name=text))
        legal = self.legal_actions()
        if action is None or action not in legal:
            reason = "" if action is None else self.illegal_reason(action)
            if reason:
                raise IllegalAction(say("game.illegal_because", name=text, reason=reason))
            raise IllegalAction(say("game.illegal", name=text, list=self._listed(legal)))
        return action

    def illegal_reason(self, action: int) -> str:
        """Return which rule makes an action illegal; empty if the list of legal ones says all."""
        return self.game.illegal_reason(self, action)

    def __str__(self) -> str:
        return self.game.draw(self)

    def _repr_html_(self) -> str:
        """Return the board as an SVG picture, for notebooks; as text if the game has no board."""
        return drawing_of(self.game.scene(self), str(self))
