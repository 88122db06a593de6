"""The choice of a training method for a game, by a race of the methods that fit it.

Each method trains for an equal part of the first tenth of the time, in a folder below that of the
run. Then their agents play matches at equal time a move. The run of the winner moves into the
folder and is trained further; the others stay where they are. `race.json` has all results.
"""

import math
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from meeple.agents.networks import checkpoint_files
from meeple.agents.spec import agent as make_agent
from meeple.agents.spec_syntax import write
from meeple.arena.match import match
from meeple.arena.plan.schedule import round_length
from meeple.errors import RunError, Stopped, UsageError
from meeple.executors.executor import Stop
from meeple.files import reported
from meeple.games.contract.game import Game
from meeple.learn import loop
from meeple.learn.config import AnyConfig, Method
from meeple.learn.run.chosen import (
    MATCH_SHARE,
    MOVE_SECONDS,
    RACE,
    RACE_SHARE,
    Contest,
    Race,
    enter,
    lasting,
    read_race,
    save_race,
)
from meeple.learn.run.folder import CONFIG, RunFolder, config_of, holds_run, sole_trainer
from meeple.learn.run.metrics import Silent
from meeple.learn.selfplay.openings import draw_opening

FINAL_SHARE = 0.05  # of the minutes: the match of the trained agent against the yardstick
PATIENCE = 3.0  # times the training of a method in the race, after which a batch is given up
MIN_MINUTES = 0.01  # of training, whatever the race took
MAX_GAMES = 40  # of a match, which ends earlier once it is decided
SEED = 7  # of the matches
YARDSTICK = write("uct", None, {"seconds": MOVE_SECONDS})  # what needs no training
WARM_UP: Mapping[Method, Mapping[str, Mapping[str, Any]]] = {
    "patterns": {"training": {"games": 1}},
    "self-play": {"selfplay": {"games": 1}, "search": {"simulations": 2}},
}
"""Changes of a configuration by which its kernels are compiled before the clock starts."""

Learn = Callable[[Path, AnyConfig, Stop], bool]
"""Trains the run in a folder to its end, or until the last argument returns true; returns False if
the user stopped it."""


class _Entrant(NamedTuple):
    name: str
    folder: Path
    config: AnyConfig


def train_chosen(
    game: Game, folder: Path, minutes: float, learn: Learn, say: Callable[[str], None], stop: Stop
) -> None:
    """Train a game by the method that wins a race, or continue the run in a folder that holds one.

    What was trained is saved: the same call continues after an interruption.

    Args:
        game: the game to learn.
        folder: the run's folder.
        minutes: wall-clock time of race, training and final match, of all calls together, without
            that of compiling.
        learn: trains a run.
        say: receives sentences on the progress.
        stop: turns true if all is to stop.

    Raises:
        Stopped: `stop` turned true, or `learn` returned False.
        UsageError: the minutes are not positive.
        RunError: the folder cannot be used, or its run is of another game.
    """
    if not 0 < minutes < math.inf:
        raise UsageError(f"minutes must be above 0, not {minutes}")
    if not holds_run(folder):
        _choose_method(game, folder, minutes, learn, say, stop)
    config = config_of(folder)
    if config.make_game() != game:
        raise RunError(f"{folder} holds a run of {config.make_game()!r}: choose another folder")
    race, left = read_race(folder), minutes
    if race is not None:
        say(race.sentence)
        # Leave time for the race and the final match.
        left = max((1 - FINAL_SHARE) * minutes - race.spent / 60, MIN_MINUTES)
    if config.run.minutes != left:
        with sole_trainer(folder):
            RunFolder(folder).prolong(lasting(config, left))
    if not learn(folder, config_of(folder), lambda: False):
        raise Stopped
    if race is not None:
        entrant = _Entrant(race.winner, folder, config)
        final = _play(game, entrant, None, 60 * minutes * FINAL_SHARE, stop)
        save_race(folder, race.model_copy(update={"final": final}))


def _choose_method(
    game: Game, folder: Path, minutes: float, learn: Learn, say: Callable[[str], None], stop: Stop
) -> None:
    """Make the run of a game in a folder. Raises Stopped before the race is over."""
    race = read_race(folder)
    if race is None:
        entrants = [
            _Entrant(name, folder / RACE / name, config)
            for name, config in enter(game, folder, minutes).items()
        ]
        seconds = _train_all(entrants, learn, say)
        ready = [one for one in entrants if len(entrants) == 1 or _has_network(one.folder)]
        if not ready:
            raise RunError("no method has a network after its part of the race: allow more minutes")
        contests, winner = _play_all(game, ready, 60 * minutes * RACE_SHARE * MATCH_SHARE, stop)
        others = sum(seconds.values()) - seconds[winner]
        spent = others + sum(contest.seconds for contest in contests)
        race = Race(seconds=seconds, contests=contests, winner=winner, spent=spent)
        save_race(folder, race)
    _install(folder / RACE / race.winner, folder)


def _train_all(
    entrants: Sequence[_Entrant], learn: Learn, say: Callable[[str], None]
) -> dict[str, float]:
    """Train every method for its part of the race; return the seconds of each.

    A batch that takes `PATIENCE` times as long is given up. One method alone is not trained yet.
    """
    share = config_of(entrants[0].folder).run.minutes or 0.0
    if len(entrants) > 1:
        names = ", ".join(one.name for one in entrants)
        say(f"Methods that fit: {names}; each trains for {60 * share:.0f} s, then they play")
    seconds: dict[str, float] = {}
    for name, folder, config in entrants:
        state, _ = RunFolder(folder).newest_state()
        if state is None and len(entrants) > 1 and config.method in WARM_UP:
            _warm_up(config, WARM_UP[config.method])
        began = time.monotonic()
        end = began + 60 * share * PATIENCE

        def is_late(end: float = end) -> bool:
            return time.monotonic() > end

        if len(entrants) > 1 and not learn(folder, config_of(folder), is_late):
            raise Stopped
        state, _ = RunFolder(folder).newest_state()
        seconds[name] = max(state.seconds if state else 0.0, time.monotonic() - began)
    return seconds


def _warm_up(config: AnyConfig, changes: Mapping[str, Mapping[str, Any]]) -> None:
    """Train a moment in a temporary folder, which compiles all kernels."""
    sections = {
        name: getattr(config, name).model_copy(update=fields) for name, fields in changes.items()
    }
    sections["matches"] = config.matches.model_copy(update={"minutes": 1e-6, "games": 2})
    with tempfile.TemporaryDirectory() as folder:
        loop.start_run(config.model_copy(update=sections), folder)
        reporter = _FirstWave()
        loop.train(folder, reporter, lambda: reporter.is_over)


class _FirstWave(Silent):
    """A reporter that knows whether a wave is over."""

    is_over = False

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        self.is_over = True


def _has_network(folder: Path) -> bool:
    try:
        return bool(checkpoint_files(folder))
    except RunError:
        return False


# ------------------------------------------------------------ matches


def _play_all(
    game: Game, entrants: Sequence[_Entrant], seconds: float, stop: Stop
) -> tuple[list[Contest], str]:
    """Let each method play the best of those before it; return the matches and the winner."""
    best, contests = entrants[0], []
    for other in entrants[1:]:
        contest = _play(game, best, other, seconds / (len(entrants) - 1), stop)
        contests.append(contest)
        if contest.share < 0.5:
            best = other
    return contests, best.name


def _play(
    game: Game, entrant: _Entrant, other: _Entrant | None, seconds: float, stop: Stop
) -> Contest:
    """Let an agent play that of another method, or the yardstick; at least one round of seats.

    Raises Stopped, and KeyboardInterrupt if a game was interrupted.
    """
    specs = [_spec(entrant), YARDSTICK if other is None else _spec(other)]
    opponent = YARDSTICK if other is None else other.name
    for spec in specs:  # compile before the clock starts
        position = draw_opening(game, SEED, 0, np.random.default_rng(SEED))
        make_agent(spec, game, SEED).choose(position)
    total, games, began = np.zeros(3), 0, time.monotonic()  # the share, the points of both
    while True:
        if stop():
            raise Stopped
        count = round_length(len(specs), game)
        result = match(game, specs, count, seed=SEED + games, openings=True)
        if result.interrupted:
            raise KeyboardInterrupt
        points = [one.points for one in result.agents if one.points is not None]
        counted = result.agents[0].games  # in a game for one side one deal, of two games
        games += counted
        total += counted * np.array([result.agents[0].share, *(points or (0, 0))])
        share, *mean = (total / games).tolist()
        contest = Contest(
            method=entrant.name,
            opponent=opponent,
            share=share,
            games=games,
            seconds=time.monotonic() - began,
            points=(mean[0], mean[1]) if points else None,
        )
        if games >= MAX_GAMES or contest.seconds > seconds or contest.is_clear:
            return contest


def _spec(entrant: _Entrant) -> str:
    """Return the spec of a method's agent; value networks are so fast that they need no clock."""
    network = str(entrant.folder)
    if entrant.config.method == "patterns":
        return write("minimax", None, {"eval": network, "seconds": MOVE_SECONDS})
    if entrant.config.method == "values":
        return write("states", network)
    return write("puct", network, {"seconds": MOVE_SECONDS})


# ------------------------------------------------------------ files


def _install(won: Path, folder: Path) -> None:
    """Move the run of the winner into the folder: last its configuration, which makes it a run."""
    with reported(f"cannot move the run {won}"):
        for name in sorted(os.listdir(won), key=lambda name: name == CONFIG):
            os.replace(won / name, folder / name)
        won.rmdir()
