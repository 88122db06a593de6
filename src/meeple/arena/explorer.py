"""The explorer: actions played from a position in recorded games, with their results.

Transpositions and symmetric positions count as one position, see
`meeple.games.contract.images`. The explorer works for games without hidden information and chance
that begin in one position.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.arena.figures.statistics import wilson_interval
from meeple.errors import MeepleError, Stopped
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.games.contract.images import (
    PositionKey,
    images_of,
    permutations_of,
    position_after,
    position_key,
)
from meeple.games.contract.records import GameRecord
from meeple.kernels import CHANCE
from meeple.protocols.records.vocabulary import year_of

DETOUR = 2  # maximum number of additional actions, such as passes, before a position
EXAMPLES = 3  # games that are named for each action


class Example(NamedTuple):
    """A game in which an action was played."""

    game: str  # its name
    ply: int  # actions before the action


class PlayedGame(NamedTuple):
    """The first actions of a recorded game, and its result."""

    name: str  # that identifies it for a reader
    actions: tuple[int, ...]  # the first ones, or all
    plies: int  # of the whole game
    shares: tuple[float, ...] | None  # of the win, by seat; None if unknown
    year: int | None
    is_declared: bool = False  # whether only the file says so


@dataclass
class NextAction:
    """An action that was played from a position, with the results of its games."""

    action: int = -1
    name: str = ""
    games: int = 0
    decided: int = 0  # games whose result is known
    declared: int = 0  # of these, games whose result is only declared by a file
    points: float = 0.0  # the mover's, in those
    plies: int = 0  # of all games together, to their ends
    years: list[int] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)  # the first found
    as_played: Counter[int] = field(default_factory=Counter)
    """Number of games of each of the symmetric actions that count together."""
    alike: list[str] = field(default_factory=list)  # their names

    @property
    def share(self) -> float | None:
        """The mover's mean share of the win; None if no result is known."""
        return self.points / self.decided if self.decided else None

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson interval of the share, 95 %."""
        return wilson_interval(self.points, self.decided)

    def to_json(self) -> dict[str, object]:
        """Return the fields of the command's and the page's JSON."""
        return {
            "move": self.name,
            "action": self.action,
            "alike": self.alike,
            "games": self.games,
            "decided": self.decided,
            "declared": self.declared,
            "share": self.share,
            "interval": list(self.interval),
            "plies": self.plies / self.games,
            "years": [min(self.years), max(self.years)] if self.years else None,
            "examples": [example._asdict() for example in self.examples],
        }


class Explored(NamedTuple):
    """The actions that were played from a position, the most frequent first."""

    position: Position
    reached: int  # games that came to it
    ended: int  # of them, those that ended there
    nexts: list[NextAction]
    games: list[PlayedGame]  # those that came to it


def is_explorable(game: Game) -> bool:
    """Return whether a game has no hidden information, no chance and one start position."""
    start = game.start(0)
    by_chance = start.to_move == CHANCE or start.row.tobytes() != game.start(1).row.tobytes()
    return not (game.hides or by_chance or capabilities.layout(start) is not None)


def check_explorable(game: Game) -> None:
    """Raise MeepleError for a game that cannot be explored."""
    if not is_explorable(game):
        raise MeepleError(f"{game.name} cannot be explored: it hides or draws something")


def played_game(game: Game, record: GameRecord, name: str, most: int | None = None) -> PlayedGame:
    """Return the first `most` actions of a record, checked by the rules.

    Raises:
        MeepleError: An action is illegal.
    """
    position = game.start(record.seed)
    for action in record.actions[:most]:
        position.play(position.parse_action(action))
    shares, year = record.shares, year_of(record)
    plies, declared = len(record.actions), record.is_declared
    return PlayedGame(name, position.actions, plies, shares, year, declared)


def explore(
    game: Game,
    games: Iterable[PlayedGame],
    line: Sequence[int] = (),
    *,
    symmetries: bool = True,
    stop: Callable[[], bool] = lambda: False,
) -> Explored:
    """Return the actions that were played in the games that reached the position after `line`.

    Actions of symmetric positions are translated to this position and count together.

    Raises:
        IllegalAction: The line breaks the rules.
        MeepleError: The game cannot be explored.
        Stopped: The work was stopped.
    """
    check_explorable(game)
    position = position_after(game, line)
    mover = position.to_move
    permutations = permutations_of(game)[: None if symmetries else 1]
    images = images_of(game, line, permutations)
    found: dict[int, NextAction] = {}
    came: list[PlayedGame] = []
    ended = 0
    for one in games:
        if stop():
            raise Stopped
        met = _meeting(game, one, images, len(line) + DETOUR)
        if met is None:
            continue
        came.append(one)
        ply, backs = met
        if ply >= len(one.actions):
            ended += 1
            continue
        alike = [int(back[one.actions[ply]]) for back in backs]
        entry = found.setdefault(min(alike), NextAction())
        entry.as_played[alike[0]] += 1
        _count(entry, one, mover, ply)
    for entry in found.values():  # of moves that are alike, the one that people play
        entry.action = entry.as_played.most_common(1)[0][0]
        entry.name = position.action_name(entry.action)
        entry.alike = [position.action_name(action) for action in entry.as_played]
    nexts = sorted(found.values(), key=lambda one: (-one.games, one.action))
    return Explored(position, len(came), ended, nexts, came)


def _count(entry: NextAction, game: PlayedGame, seat: int, ply: int) -> None:
    entry.games += 1
    entry.plies += game.plies
    if game.shares is not None:
        entry.decided += 1
        entry.declared += game.is_declared
        entry.points += game.shares[seat]
    if game.year is not None:
        entry.years.append(game.year)
    if len(entry.examples) < EXAMPLES:
        entry.examples.append(Example(game.name, ply))


def _meeting(
    game: Game,
    one: PlayedGame,
    images: dict[PositionKey, list[npt.NDArray[np.intp]]],
    most: int,
) -> tuple[int, list[npt.NDArray[np.intp]]] | None:
    """Return the number of actions after which a game first reached an image, and its mapping."""
    position = game.start()
    for ply in range(min(len(one.actions), most) + 1):
        if backs := images.get(position_key(position)):
            return ply, backs
        if ply < len(one.actions):
            position.play(one.actions[ply])
    return None
