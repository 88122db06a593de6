"""Plays the games of the Catan study in parallel, and evaluates their shares and wins."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Agent
from meeple.arena.figures.statistics import Z, wilson_interval
from meeple.arena.games.conditions import MAX_WORKERS
from meeple.arena.games.play import play_game
from meeple.arena.plan.seating import seating_plan
from meeple.arena.plan.seeds import seeds_of
from meeple.errors import RunError, Stopped
from meeple.files import save
from meeple.games.contract.game import Game, Position
from meeple.games.contract.result import SHARE_TOLERANCE
from meeple_studies.catan_players import KINDS, StudyTerms, player
from meeple_studies.perceptron import Perceptron
from meeple_studies.study import ExperimentResult, Progress

SAVE_EVERY = 10  # games of the tournament
TOURNAMENT, AGAINST_RANDOM, AGAINST_UNTRAINED, UNGUIDED, RANDOM, LEAVES, SHIPPED = range(2, 9)
"""Seed streams, so that no two experiments share seeds; 1 is the stream of training."""


@dataclass(frozen=True)
class Result:
    """The result of a game."""

    lineup: tuple[int, ...]  # the agent of each seat, by the caller's numbers
    shares: tuple[float, ...]  # of the points, by seat; empty if the limit was reached
    actions: int = 0  # of players
    turns: int = 0  # completed turns

    @property
    def winner(self) -> int | None:
        """The agent with the greatest share; None if it is shared or the game has no result."""
        if not self.shares or sorted(self.shares)[-2] >= max(self.shares) - SHARE_TOLERANCE:
            return None
        return self.lineup[int(np.argmax(self.shares))]


def play_many(
    game: Game,
    seat: Callable[[int], tuple[Sequence[int], Sequence[Agent]]],
    stream: int,
    numbers: range,
    seed: int,
    workers: int,
    limit: int | None = None,
) -> Iterator[Result]:
    """Play games in threads and yield their results in order, the same for any number of workers.

    Ctrl-C drops unfinished games.

    Args:
        game: the game.
        seat: returns the line-up and new agents of a game by its number.
        stream: the seed stream.
        numbers: the games' numbers.
        seed: of the experiment.
        workers: number of threads.
        limit: player actions after which a game is stopped; None means no limit.
    """

    def play(number: int) -> Result:
        lineup, agents = seat(number)
        actions = 0

        def count(position: Position) -> None:
            nonlocal actions
            actions += position.to_move >= 0

        seeds = seeds_of(seed, stream, number, count=1 + game.players)
        try:
            played = play_game(
                game,
                agents,
                seeds,
                on_position=count,
                stopped=lambda: limit is not None and actions > limit,
            )
        except Stopped:
            return Result(tuple(lineup), (), actions)
        end = played.position
        shares, turns = tuple(end.payoffs.tolist()), int(end.state.turns)
        return Result(tuple(lineup), shares, actions, turns)

    pool = ThreadPoolExecutor(max(1, min(workers, MAX_WORKERS, len(numbers))))
    try:
        yield from pool.map(play, numbers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# ---------------------------------------------------------------- evaluation


def shares_of(results: Sequence[Result], who: int) -> npt.NDArray[np.float64]:
    """Return an agent's share in each of its games."""
    return np.array([r.shares[r.lineup.index(who)] for r in results if who in r.lineup])


def wins_of(results: Sequence[Result], who: int) -> int:
    """Return the number of games that an agent won alone."""
    return sum(result.winner == who for result in results)


def mean_interval(shares: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the normal 95 % interval of a mean share; (0, 1) for fewer than two games."""
    if len(shares) < 2:
        return 0.0, 1.0
    mean, margin = float(shares.mean()), Z * float(shares.std(ddof=1)) / len(shares) ** 0.5
    return max(0.0, mean - margin), min(1.0, mean + margin)


def found_of(results: Sequence[Result], who: int) -> ExperimentResult:
    """Return an agent's mean share of the points, with its number of wins as the detail."""
    shares, wins = shares_of(results, who), wins_of(results, who)
    low, high = (100 * end for end in wilson_interval(wins, len(shares)))
    detail = f"{wins} of {len(shares)} games won: {low:.1f} to {high:.1f} %"
    mean = float(shares.mean()) if len(shares) else 0.0
    return ExperimentResult(mean, len(shares), mean_interval(shares), detail)


def lengths(results: Sequence[Result], who: int) -> dict[str, float]:
    """Return the number of games that an agent won, and their mean actions and turns."""
    won = [result for result in results if result.winner == who]
    if not won:
        return {"games won": 0}
    actions, turns = ([getattr(one, name) for one in won] for name in ("actions", "turns"))
    return {
        "games won": len(won),
        "actions": float(np.mean(actions)),
        "turns": float(np.mean(turns)),
    }


# ---------------------------------------------------------------- the tournament


def tournament(
    game: Game,
    networks: Mapping[str, Perceptron],
    terms: StudyTerms,
    about: Mapping[str, Any],
    path: Path,
    games: int,
    *,
    seed: int,
    workers: int,
    progress: Progress,
) -> list[Result]:
    """Play a tournament with four of the five agents in each game; return all results.

    Games of the file with the same `about` are not played again. Each block of 20 games omits each
    agent equally often and gives each agent every seat equally often; the plan of 120 games has
    every seating once.
    """
    plan = seating_plan(len(KINDS), game.players)
    results = read_games(path, about)[:games]

    def seat(number: int) -> tuple[Sequence[int], Sequence[Agent]]:
        lineup = plan[number % len(plan)]
        return lineup, [player(KINDS[who], game, terms, networks) for who in lineup]

    rest = range(len(results), games)
    for result in play_many(game, seat, TOURNAMENT, rest, seed, workers):
        results.append(result)
        if len(results) % SAVE_EVERY == 0 or len(results) == games:
            _write(path, about, results)
        progress(len(results), games)
    return results


def read_games(path: Path, about: Mapping[str, Any] | None = None) -> list[Result]:
    """Return the games of a file; none if it is missing or has a different `about`.

    Raises RunError if the file holds something else.
    """
    try:
        kept = json.loads(path.read_text())
        if about is not None and kept["terms"] != about:
            return []
        return [
            Result(tuple(game["lineup"]), tuple(game["shares"]), game["actions"], game["turns"])
            for game in kept["games"]
        ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, LookupError):
        raise RunError(f"{path} holds no games of the tournament; choose another folder") from None


def _write(path: Path, about: Mapping[str, Any], results: Sequence[Result]) -> None:
    games = [asdict(result) for result in results]
    save(path, json.dumps({"terms": about, "games": games}) + "\n")
