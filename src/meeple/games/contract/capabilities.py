"""Optional capabilities of games: one protocol each, and the functions by which callers use them.

A game has a capability if its class has the methods of the protocol; nothing is registered. Callers
use the functions of this module, which return a neutral default for a game without the capability.
`Game` itself holds only what every game has; what seats see of actions is in `sights.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

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
        ...


def action_groups(position: Position) -> Mapping[str, Mapping[str, int]]:
    """Return the menu of a position; empty if its game has no menus."""
    game = position.game
    return game.action_groups(position) if isinstance(game, GroupsActions) else {}


@runtime_checkable
class ParsesLines(Protocol):
    """Reads several actions from one typed line: for `meeple play` and the agent `human`."""

    def parse_line(self, position: Position, text: str) -> list[int] | None:
        """Return the actions that a line names, in order; `None` if it names none.

        Raises:
            IllegalAction: the line names something that is not possible in this position.
        """
        ...


def parse_line(position: Position, text: str) -> list[int] | None:
    """Return the actions that a typed line names: by default at most one, by its name.

    Raises:
        IllegalAction: the line names something that is not possible in this position.
    """
    game = position.game
    if isinstance(game, ParsesLines):
        return game.parse_line(position, text)
    action = game.parse_action(position, text)
    return None if action is None else [action]


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
        ...


def pasted(game: Game, text: str) -> Pasted | None:
    """Return what a pasted text means; `None` if it is a list of moves. Raises UsageError."""
    return game.pasted(text) if isinstance(game, ReadsPasted) else None


@runtime_checkable
class HasGuide(Protocol):
    """Explains a position to a person: for the help of `meeple play` and of the browser."""

    def guide(self, position: Position) -> str:
        """Return a few lines about the board and what may be typed in this position."""
        ...


def guide(position: Position) -> str:
    """Return the help text of a position; empty if its game has none."""
    return position.game.guide(position) if isinstance(position.game, HasGuide) else ""


@runtime_checkable
class PlacesActions(Protocol):
    """Says where on the drawn board an action acts: for the list of moves in the browser."""

    def spots(self, action: int) -> tuple[str, ...]:
        """Return the spots of the scene that an action touches in every position."""
        ...


def spots(game: Game, action: int) -> tuple[str, ...]:
    """Return the spots of an action; empty if it has none, or its game does not place actions."""
    return game.spots(action) if isinstance(game, PlacesActions) else ()


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
        ...


def describe_action(before: Position, action: int, after: Position, seat: int | None) -> str | None:
    """Return a sentence on an action for one seat; `None` if the action's name says all."""
    game = before.game
    if isinstance(game, DescribesActions):
        return game.describe_action(before, action, after, seat)
    return None


@runtime_checkable
class ExplainsActions(Protocol):
    """Explains the choices of agents that follow `prune`: for the log in the browser."""

    def explain_action(self, position: Position, action: int, seat: int | None) -> str:
        """Return why such an agent chooses this action, with what `seat` may know.

        Empty if there is nothing to explain. `seat` is `None` for the public.
        """
        ...


def explain_action(position: Position, action: int, seat: int | None) -> str:
    """Return why an agent that follows `prune` chooses an action; empty without explanation."""
    game = position.game
    return game.explain_action(position, action, seat) if isinstance(game, ExplainsActions) else ""


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
        ...


def explanations(position: Position, seat: int | None) -> Sequence[Explanation]:
    """Return facts about a position, with what `seat` may know; empty if its game has none."""
    game = position.game
    return game.explanations(position, seat) if isinstance(game, ExplainsPositions) else ()


# ------------------------------------------------------------ trade


@runtime_checkable
class Trading(Protocol):
    """Trade between players as whole plans: for `states:PATH` and its rules of bargaining."""

    def offers(self, position: Position) -> Sequence[Plan]:
        """Return the plans by which the seat to move can begin, answer or carry out a trade.

        They depend only on what that seat knows.
        """
        ...

    def partners(self, position: Position, offer: Plan) -> Sequence[tuple[int, ...]]:
        """Return the ways in which an offer can succeed: for each, the seats that must agree."""
        ...

    def agreed(self, position: Position, offer: Plan, partners: tuple[int, ...]) -> Plan:
        """Return an offer with all actions that complete it if exactly `partners` agree."""
        ...

    def refusal(self, position: Position) -> int | None:
        """Return the action that refuses an offer; `None` if no offer awaits an answer.

        It replaces the answer of a custom agent that fails or is late.
        """
        ...

    def offer_words(self, position: Position, offer: Plan) -> str:
        """Return a phrase that says what a plan trades, for the seat to move."""
        ...


@runtime_checkable
class RemembersRefusals(Protocol):
    """Trade whose past answers are known: agents offer less to those who refuse."""

    def refusals(self, position: Position) -> Sequence[int]:
        """Return for each seat its refusals of the mover's last offers, since it last agreed."""
        ...

    def without_offers(self, position: Position) -> Position:
        """Return a copy of a position in which no offer may be begun in this turn.

        If none may be begun in the position, it is returned itself.
        """
        ...


def refusals(position: Position) -> Sequence[int]:
    """Return the refusals of each seat since it last agreed; zeros if the game has no memory."""
    game = position.game
    return game.refusals(position) if isinstance(game, RemembersRefusals) else [0] * game.players


def without_offers(position: Position) -> Position:
    """Return a position without the actions that begin an offer; itself if it has none."""
    game = position.game
    return game.without_offers(position) if isinstance(game, RemembersRefusals) else position


def offers(position: Position) -> Sequence[Plan]:
    """Return the trading plans of the seat to move; none in a game without trade."""
    return position.game.offers(position) if isinstance(position.game, Trading) else ()


def partners(position: Position, offer: Plan) -> Sequence[tuple[int, ...]]:
    """Return, for each way in which an offer can succeed, the seats that must agree."""
    return _trading(position).partners(position, offer)


def agreed(position: Position, offer: Plan, partners: tuple[int, ...]) -> Plan:
    """Return an offer with all actions that complete it if exactly `partners` agree."""
    return _trading(position).agreed(position, offer, partners)


def refusal(position: Position) -> int | None:
    """Return the action that refuses the offer that awaits an answer, if there is one."""
    return position.game.refusal(position) if isinstance(position.game, Trading) else None


def offer_words(position: Position, offer: Plan) -> str:
    """Return a phrase that says what a plan trades, for the seat to move."""
    return _trading(position).offer_words(position, offer)


def _trading(position: Position) -> Trading:
    game = position.game
    if not isinstance(game, Trading):
        raise TypeError(f"{game.name} has no trade between players")
    return game


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
        ...


def position_solver(game: Game) -> PositionSolver | None:
    """Return a new solver of the game's positions, if it has one."""
    return game.position_solver() if isinstance(game, SolvesPositions) else None


# ------------------------------------------------------------ layouts and statistics


@runtime_checkable
class HasSetup(Protocol):
    """Begins with a set-up in which nothing is hidden: for quick games from its positions."""

    def in_setup(self, position: Position) -> bool:
        """Return whether the position belongs to the set-up."""
        ...


def in_setup(position: Position) -> bool:
    """Return whether a player makes a choice of the game's set-up, with nothing hidden yet."""
    return isinstance(position.game, HasSetup) and position.game.in_setup(position)


@runtime_checkable
class HasLayout(Protocol):
    """Deals a board by chance: for records of games, `meeple games --layout` and JSON lines."""

    def layout(self, position: Position) -> Any:
        """Return the board that was dealt before the first action, as JSON data.

        `None` if the options alone determine the opening position.
        """
        ...

    def with_layout(self, layout: Any) -> Game:
        """Return the same game on the board that `layout` describes.

        Raises:
            OptionError: the options of the game do not allow this board.
        """
        ...


def layout(position: Position) -> Any:
    """Return the dealt board as JSON data; `None` if the options determine the position."""
    return position.game.layout(position) if isinstance(position.game, HasLayout) else None


def with_layout(game: Game, layout: Any) -> Game:
    """Return the same game on a given board.

    Raises:
        OptionError: the game's board is the same in every game, or cannot be the given one.
    """
    if isinstance(game, HasLayout):
        return game.with_layout(layout)
    raise refuse(game, "its board is the same in every game")


@runtime_checkable
class CountsHabits(Protocol):
    """Counts how agents play: for `meeple match --habits` and the evaluations of a training run."""

    def habits(self, position: Position) -> Mapping[str, Sequence[float]]:
        """Return numbers of what each seat did in the game so far: by name, one per seat."""
        ...


def habits(position: Position) -> Mapping[str, Sequence[float]]:
    """Return what each seat did in the game so far; empty if the game counts nothing."""
    return position.game.habits(position) if isinstance(position.game, CountsHabits) else {}


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
        ...


def statistics(position: Position) -> Sequence[StatisticsTable]:
    """Return what happened in the game so far; empty if the game counts nothing."""
    return position.game.statistics(position) if isinstance(position.game, HasStatistics) else ()
