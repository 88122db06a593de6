"""Optional capabilities of games: one protocol each, with a function for callers.

A game has a capability if its class has the methods of the protocol; nothing is registered. Callers
use the function of a method's name: in a game without the capability it does what the protocol's
own method does, such as return nothing. `Game` itself holds only what every game has. Further
protocols are in `sights.py`, `lessons.py` and `patterns.py`; `games/check` checks each of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from meeple.games.contract.forwarding import of_game, of_position
from meeple.games.contract.game import Game, Position
from meeple.games.contract.rules import refuse

Plan = tuple[int, ...]  # actions of one seat, one after the other

# ------------------------------------------------------------ in text


@runtime_checkable
class GroupsActions(Protocol):
    """Sorts legal actions into menus: for `meeple play`, the agent `human` and the browser."""

    def action_groups(self, position: Position) -> Mapping[str, Mapping[str, int]]:
        """Return the legal actions by the title of their group, each under a short label.

        A label that is a number is the number of a place on the drawn board.
        """
        return {}


action_groups = of_position(GroupsActions.action_groups)


@runtime_checkable
class ParsesLines(Protocol):
    """Reads several actions from one typed line: for `meeple play` and the agent `human`."""

    def parse_line(self, position: Position, text: str) -> list[int] | None:
        """Return the actions that a line names, in order; `None` if it names none.

        By default at most one, by its name.

        Raises:
            IllegalAction: the line names something that is not possible in this position.
        """
        action = position.game.parse_action(position, text)
        return None if action is None else [action]


parse_line = of_position(ParsesLines.parse_line)


@dataclass(frozen=True)
class Pasted:
    """What a text of another program means: moves of a game, perhaps on another board."""

    game: Game
    moves: str = ""


@runtime_checkable
class ReadsPasted(Protocol):
    """Reads texts of other programs that are no list of moves: boards, links."""

    def pasted(self, text: str) -> Pasted | None:
        """Return what a text means; `None` if it is a list of moves.

        Raises:
            UsageError: the text is a board or a link that this game cannot have.
        """
        return None


pasted = of_game(ReadsPasted.pasted)


@runtime_checkable
class HasGuide(Protocol):
    """Explains a position to a person: for the help of `meeple play` and of the browser."""

    def guide(self, position: Position) -> str:
        """Return a few lines about the board and what may be typed in this position."""
        return ""


guide = of_position(HasGuide.guide)


@runtime_checkable
class PlacesActions(Protocol):
    """Says where on the drawn board an action acts: for the list of moves in the browser."""

    def spots(self, action: int) -> tuple[str, ...]:
        """Return the spots of the scene that an action touches in every position."""
        return ()


spots = of_game(PlacesActions.spots)


@runtime_checkable
class DescribesActions(Protocol):
    """Describes what happened: for logs of games in the terminal, the browser and JSON lines."""

    def describe_action(
        self, before: Position, action: int, after: Position, seat: int | None
    ) -> str | None:
        """Return a sentence that says what an action did, with what `seat` may know.

        Args:
            before: the position in which the action or chance outcome was played.
            action: the action or outcome.
            after: the position that followed.
            seat: the reader; `None` for the public.

        Returns:
            The sentence; empty if there is nothing to report yet; `None` if the action's name
            says all.
        """
        return None


describe_action = of_position(DescribesActions.describe_action)


@runtime_checkable
class ExplainsActions(Protocol):
    """Explains the choices of agents that follow `prune`: for the log in the browser."""

    def explain_action(self, position: Position, action: int, seat: int | None) -> str:
        """Return why such an agent chooses this action, with what `seat` may know.

        Empty if there is nothing to explain. `seat` is `None` for the public.
        """
        return ""


explain_action = of_position(ExplainsActions.explain_action)

# ------------------------------------------------------------ explanations of positions

MARKS, LINE, AREA, NUMBERS = SHAPES = ("marks", "line", "area", "numbers")


@dataclass(frozen=True)
class Explanation:
    """A fact about a position: a sentence, and the spots of the scene that it is about.

    Attributes:
        kind: what it is, in a few words for a legend: "open three".
        sentence: the fact.
        spots: the spots of the scene, in order.
        player: the seat that has what is explained; None: no seat.
        shape: how the spots are drawn: each with a mark (MARKS), joined by a line (LINE), as the
            corners of an area (AREA), or with numbers from 1 on (NUMBERS).
        at: the spot that must be pointed at for it to be shown; "": it is always shown.
    """

    kind: str
    sentence: str
    spots: tuple[str, ...] = ()
    player: int | None = None
    shape: str = MARKS
    at: str = ""


@runtime_checkable
class ExplainsPositions(Protocol):
    """Explains positions to a person: for the analysis in the browser."""

    def explanations(self, position: Position, seat: int | None) -> Sequence[Explanation]:
        """Return facts about a position that are certain, with what `seat` may know.

        `seat` is `None` for the public. It may take some 50 ms.
        """
        return ()


explanations = of_position(ExplainsPositions.explanations)

# ------------------------------------------------------------ trade


@runtime_checkable
class Trading(Protocol):
    """Trade between players as whole plans: for `states:PATH` and its rules of bargaining."""

    def offers(self, position: Position) -> Sequence[Plan]:
        """Return the plans by which the seat to move can begin, answer or carry out a trade.

        They depend only on what that seat knows.
        """
        return ()

    def partners(self, position: Position, offer: Plan) -> Sequence[tuple[int, ...]]:
        """Return the ways in which an offer can succeed: for each, the seats that must agree."""
        raise _no_trade(position)

    def agreed(self, position: Position, offer: Plan, partners: tuple[int, ...]) -> Plan:
        """Return an offer with all actions that complete it if exactly `partners` agree."""
        raise _no_trade(position)

    def refusal(self, position: Position) -> int | None:
        """Return the action that refuses an offer; `None` if no offer awaits an answer.

        It replaces the answer of a custom agent that fails or is late.
        """
        return None

    def offer_words(self, position: Position, offer: Plan) -> str:
        """Return a phrase that says what a plan trades, for the seat to move."""
        raise _no_trade(position)


def _no_trade(position: Position) -> TypeError:
    return TypeError(f"{position.game.name} has no trade between players")


offers = of_position(Trading.offers)
partners = of_position(Trading.partners)
agreed = of_position(Trading.agreed)
refusal = of_position(Trading.refusal)
offer_words = of_position(Trading.offer_words)


class Answer(NamedTuple):
    """A seat's answer to an offer of the mover."""

    seat: int
    gains: tuple[int, ...]  # of each kind of goods by the offer, negative what the seat gives
    agreed: bool
    countered: bool  # whether it proposed other terms instead
    now: bool  # whether it was given in the present turn


@runtime_checkable
class RemembersAnswers(Protocol):
    """Trade whose past answers are known: agents offer less to those who refuse."""

    def answers(self, position: Position) -> Sequence[Answer]:
        """Return all answers so far to offers of the seat to move, in order; all of them public."""
        return ()

    def gains(self, trades: Sequence[tuple[Plan, int]]) -> Sequence[tuple[int, ...]]:
        """Return what a seat that agrees to an offer gains, as in `Answer`, for each of both."""
        return [()] * len(trades)

    def without_offers(self, position: Position) -> Position:
        """Return a copy of a position in which no offer may be begun in this turn.

        If none may be begun in the position, it is returned itself.
        """
        return position


answers = of_position(RemembersAnswers.answers)
gains = of_game(RemembersAnswers.gains)
without_offers = of_position(RemembersAnswers.without_offers)

# ------------------------------------------------------------ solving


class PositionSolver(Protocol):
    """An exact search of positions of a game of two players, in slices.

    It decides some positions, such as those near the end, and leaves others undecided. It keeps
    what it has learned from one position to the next.
    """

    share: float
    """The share of a move's time that a search may take."""
    nodes_per_second: int
    """The speed on a fast processor: decides which positions are tried in a given time."""
    finds_wins_only: bool
    """Whether it only finds wins of one seat: without one, the position is undecided."""

    def nodes(self, position: Position) -> int | None:
        """Return the usual number of nodes of a position; None if it is not worth a try."""
        ...

    def order_by(self, evaluation: int, memory: int) -> None:
        """Take an evaluation that may order moves: addresses of its kernel and of its memory."""
        ...

    def open(self, position: Position, attacker: int | None = None) -> None:
        """Begin to search a position, in which a player is to move.

        `attacker` is the seat whose win is searched, by default the one to move; a solver that
        decides positions ignores it.
        """
        ...

    def advance(self, nodes: int) -> bool:
        """Search about `nodes` further nodes; return whether the search is finished."""
        ...

    @property
    def payoffs(self) -> npt.NDArray[np.float64] | None:
        """[players] the payoffs under best play; None if the finished search did not decide."""
        ...

    @property
    def line(self) -> list[int]:
        """The actions of the decided position that reach them, as far as they are known."""
        ...

    @property
    def plies(self) -> int:
        """The most plies until then."""
        ...


@runtime_checkable
class SolvesPositions(Protocol):
    """Has a fast exact search of some positions: for `minimax:seconds=T`."""

    def position_solver(self) -> PositionSolver | None:
        """Return a new solver; None if there is none for these options."""
        return None


position_solver = of_game(SolvesPositions.position_solver)

# ------------------------------------------------------------ layouts and statistics


@runtime_checkable
class HasSetup(Protocol):
    """Begins with a set-up in which nothing is hidden: for quick games from its positions."""

    def in_setup(self, position: Position) -> bool:
        """Return whether a player makes a choice of the set-up, with nothing hidden yet."""
        return False


in_setup = of_position(HasSetup.in_setup)


@runtime_checkable
class HasLayout(Protocol):
    """Deals a board by chance: for records of games, `meeple games --layout` and JSON lines."""

    def layout(self, position: Position) -> Any:
        """Return the board that was dealt before the first action, as JSON data.

        `None` if the options alone determine the opening position.
        """
        return None

    def with_layout(self, layout: Any) -> Game:
        """Return the same game on the board that `layout` describes.

        Raises:
            OptionError: the game does not allow this board, or has the same in every game.
        """
        game: Any = self
        raise refuse(game, "its board is the same in every game")


layout = of_position(HasLayout.layout)
with_layout = of_game(HasLayout.with_layout)


@runtime_checkable
class CountsHabits(Protocol):
    """Counts how agents play: for `meeple match --habits` and the evaluations of a training run."""

    def habits(self, position: Position) -> Mapping[str, Sequence[float]]:
        """Return numbers of what each seat did in the game so far: by name, one per seat."""
        return {}


habits = of_position(CountsHabits.habits)


@dataclass(frozen=True)
class StatisticsTable:
    """A table about one played game.

    Attributes:
        title: what it is about.
        rows: by label, a number or a text for each seat.
    """

    title: str
    rows: Mapping[str, Sequence[float | str]]


@runtime_checkable
class HasStatistics(Protocol):
    """Counts what happened in a game: for the review of a game that is over."""

    def statistics(self, position: Position) -> Sequence[StatisticsTable]:
        """Return tables about the whole game; they show what was hidden from seats."""
        return ()


statistics = of_position(HasStatistics.statistics)
