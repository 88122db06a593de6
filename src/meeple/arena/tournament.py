"""A round robin: every group of agents that fits at one board plays a match."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from meeple.agents.spec import agent as make_agent
from meeple.arena.match import match
from meeple.arena.seeds import seeds_of
from meeple.arena.standings import Entry, Standings
from meeple.arena.workers import OnPosition
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord

Progress = Callable[[int, int], None]  # called with games played and games in all
OnGame = Callable[[Entry], None]  # called with each game when it is over


@dataclass(frozen=True)
class Tournament:
    """The outcome of a round robin; agent i of the standings is the i-th spec."""

    game: Game
    games_per_group: int
    seed: int
    standings: Standings
    uneven: int  # games left over once every agent of a group has had each seat equally often
    interrupted: bool

    def to_json(self) -> dict[str, Any]:
        """All but the games, as JSON; `matrix[i][j]` is agent i's share of the points against j."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "games_per_group": self.games_per_group,
            "games": len(self.standings.entries),
            "seed": self.seed,
            "agents": [
                {"spec": figures.pop("name"), **figures} for figures in self.standings.to_json()
            ],
            "matrix": self.standings.matrix_json(),
        }


def play_tournament(
    game: Game,
    specs: Sequence[str],
    games: int = 50,
    seed: int = 7,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    on_game: OnGame | None = None,
    on_position: OnPosition | None = None,
) -> Tournament:
    """Let every group of agents that fits at one board (every pair, for two) play `games` games.

    The other arguments, and what is raised, are those of `meeple.match`; a game's number counts
    through all groups. Ctrl-C ends the tournament with the games played so far.
    """
    if len(specs) < 2:
        raise UsageError(f"a tournament takes at least 2 agents, not {len(specs)}")
    if len(set(specs)) < len(specs):
        raise UsageError("a tournament takes each agent once, and one is named twice")
    for spec in specs:
        make_agent(spec, game)  # what is wrong with one is said before anything is played
    groups = list(itertools.combinations(range(len(specs)), min(game.players, len(specs))))
    entries: list[Entry] = []
    uneven, interrupted = 0, False
    for index, group in enumerate(groups):
        before, all_games = index * games, games * len(groups)
        try:
            result = match(
                game,
                [specs[agent] for agent in group],
                games,
                seeds_of(seed, index, count=1)[0],
                workers=workers,
                progress=progress and partial(_progress_of_all, progress, before, all_games),
                on_game=on_game and partial(_tell, on_game, specs),
                on_position=on_position and partial(_show, on_position, before),
            )
        except KeyboardInterrupt:  # while its agents were made
            interrupted = True
            break
        uneven = max(uneven, result.uneven)
        for lineup, record in zip(result.lineups, result.records, strict=True):
            entries.append(Entry(tuple(group[agent] for agent in lineup), record))
        if result.interrupted:
            interrupted = True
            break
    return Tournament(game, games, seed, Standings(specs, entries), uneven, interrupted)


# ---------------------------------------------------------------- a match's hooks, for all matches


def _progress_of_all(
    progress: Progress, before: int, all_games: int, done: int, total: int
) -> None:
    """Count the games of the matches before, too."""
    progress(before + done, all_games)


def _tell(on_game: OnGame, specs: Sequence[str], number: int, record: GameRecord) -> None:
    """Name the agents by their numbers in the tournament."""
    on_game(Entry(tuple(specs.index(name) for name in record.seats), record))


def _show(
    on_position: OnPosition, before: int, number: int, names: tuple[str, ...], position: Position
) -> None:
    """Number a game through all matches."""
    on_position(before + number, names, position)
