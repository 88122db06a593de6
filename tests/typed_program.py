"""A user's program with every public name, which mypy checks and a test runs."""

from pathlib import Path
from typing import assert_type

import numpy as np
import numpy.typing as npt

import meeple
from meeple.agents.agent import Agent
from meeple.agents.loaded import LoadedAgent, PositionAnalysis
from meeple.arena.figures.match_result import MatchResult
from meeple.arena.tournament import Tournament
from meeple.games.contract.game import Game
from meeple.learn.training_run import TrainingRun


class First:
    """An agent of a user."""

    def choose(self, position: meeple.Position) -> int:
        """Return the first legal action."""
        return int(position.legal_actions()[0])


def report(error: meeple.MeepleError) -> str:
    """Return an error as its sentence."""
    return str(error)


def play() -> meeple.Position:
    """Play a game of Nim between two agents."""
    game = assert_type(meeple.make("nim", stones=7), Game)
    position = assert_type(game.start(seed=1), meeple.Position)
    agent = assert_type(meeple.agent("uct:sims=20", game, seed=1), Agent)
    while position.to_move not in (meeple.OVER, meeple.CHANCE):
        position.play(agent.choose(position))
    assert_type(position.payoffs, npt.NDArray[np.float64])
    try:
        position.play("take 1")
    except meeple.IllegalAction as error:
        report(error)
    return position


def compare() -> tuple[MatchResult, Tournament]:
    """Compare agents."""
    game = meeple.make("nim", stones=7)
    result = assert_type(meeple.match(game, [First(), "random"], games=4), MatchResult)
    table = assert_type(meeple.tournament(game, ["random", "uct:sims=20"], games=4), Tournament)
    return result, table


def study() -> float:
    """Analyse, solve and measure."""
    game = meeple.make("nim", stones=5)
    analysis = assert_type(meeple.analyse(game.start(), "uct:sims=50"), PositionAnalysis)
    payoffs: list[float] = meeple.solve(game.start()).payoffs.tolist()
    network = assert_type(meeple.load("tictactoe", sims=10), LoadedAgent)
    assert network.game.name == "gomoku"
    assert analysis.rows()
    return meeple.exploitability("perfect", game, samples=1) + payoffs[0]


def learn(folder: Path) -> TrainingRun:
    """Train for a second."""
    game = meeple.make("nim", stones=5)
    return assert_type(meeple.train(game, 0.01, folder, quiet=True), TrainingRun)
