"""Games of the study of Catan, played side by side, and what their shares and wins say."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Agent
from meeple.arena.match import MAX_WORKERS
from meeple.arena.play import play_game
from meeple.arena.seating import seating_plan
from meeple.arena.seeds import seeds_of
from meeple.arena.statistics import Z, wilson_interval
from meeple.errors import RunError, Stopped
from meeple.files import write_atomically
from meeple.games.contract.game import Game, Position
from meeple.search.perceptron import Perceptron
from meeple.studies.catan_players import KINDS, player
from meeple.studies.study import Found, Progress

SAVE_EVERY = 10  # games of the tournament
TOURNAMENT, AGAINST_RANDOM, AGAINST_UNTRAINED, UNGUIDED, RANDOM = range(2, 7)
"""Streams of seeds, so that no two experiments play with the same; 1 is that of training."""

_TIE = 1e-9  # shares closer than this are equal


@dataclass(frozen=True)
class Result:
    """A game that was played: who sat where, by numbers that the caller gives, and what it gave."""

    lineup: tuple[int, ...]
    shares: tuple[float, ...]  # of the points, by seat; none where the limit came first


def play_many(
    game: Game,
    seat: Callable[[int], tuple[Sequence[int], Sequence[Agent]]],
    stream: int,
    numbers: range,
    seed: int,
    workers: int,
    limit: int | None = None,
) -> Iterator[Result]:
    """Play the games of these numbers, by threads; results come in order, the same for any number
    of workers. Ctrl-C drops what is unfinished.

    Args:
        seat: of a game's number, the line-up and new agents for its seats.
        limit: actions of players after which a game is broken off.
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
            return Result(tuple(lineup), ())
        return Result(tuple(lineup), tuple(played.position.payoffs.tolist()))

    pool = ThreadPoolExecutor(max(1, min(workers, MAX_WORKERS, len(numbers))))
    try:
        yield from pool.map(play, numbers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# ---------------------------------------------------------------- what they say


def shares_of(results: Sequence[Result], who: int) -> npt.NDArray[np.float64]:
    """Somebody's share in each game that they sat in."""
    return np.array([r.shares[r.lineup.index(who)] for r in results if who in r.lineup])


def wins_of(results: Sequence[Result], who: int) -> int:
    """Games in which their share was the greatest, alone."""
    return sum(
        sorted(r.shares)[-2] < r.shares[r.lineup.index(who)] - _TIE
        for r in results
        if who in r.lineup
    )


def mean_interval(shares: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The normal 95 % interval of a mean share; (0, 1) for fewer than two games."""
    if len(shares) < 2:
        return 0.0, 1.0
    mean, margin = float(shares.mean()), Z * float(shares.std(ddof=1)) / len(shares) ** 0.5
    return max(0.0, mean - margin), min(1.0, mean + margin)


def found_of(results: Sequence[Result], who: int) -> Found:
    """Somebody's mean share of the points, and in words how many games they won."""
    shares, wins = shares_of(results, who), wins_of(results, who)
    low, high = (100 * end for end in wilson_interval(wins, len(shares)))
    detail = f"{wins} of {len(shares)} games won: {low:.1f} to {high:.1f} %"
    mean = float(shares.mean()) if len(shares) else 0.0
    return Found(mean, len(shares), mean_interval(shares), detail)


# ---------------------------------------------------------------- the tournament


def tournament(
    game: Game,
    networks: Mapping[str, Perceptron],
    terms: Mapping[str, Any],
    path: Path,
    games: int,
    *,
    seed: int,
    simulations: int,
    workers: int,
    progress: Progress,
) -> list[Result]:
    """So many games, four of the five in each; those that the file holds of these terms are kept.

    Every block of 20 games leaves out each agent equally often, and gives each every seat equally
    often; the plan of 120 has every order of seats once.
    """
    plan = seating_plan(len(KINDS), game.players)
    results = _read(path, terms)[:games]

    def seat(number: int) -> tuple[Sequence[int], Sequence[Agent]]:
        lineup = plan[number % len(plan)]
        return lineup, [player(KINDS[who], game, simulations, networks) for who in lineup]

    rest = range(len(results), games)
    for result in play_many(game, seat, TOURNAMENT, rest, seed, workers):
        results.append(result)
        if len(results) % SAVE_EVERY == 0 or len(results) == games:
            _write(path, terms, results)
        progress(len(results), games)
    return results


def _read(path: Path, terms: Mapping[str, Any]) -> list[Result]:
    """The games in the file, none where it is of other terms."""
    try:
        kept = json.loads(path.read_text())
        if kept["terms"] != terms:
            return []
        return [Result(tuple(game["lineup"]), tuple(game["shares"])) for game in kept["games"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, LookupError):
        raise RunError(f"{path} holds no games of the tournament; choose another folder") from None


def _write(path: Path, terms: Mapping[str, Any], results: Sequence[Result]) -> None:
    games = [{"lineup": result.lineup, "shares": result.shares} for result in results]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps({"terms": terms, "games": games}) + "\n")
    except OSError as error:
        raise RunError(f"cannot save {path}: {error.strerror or error}") from error
