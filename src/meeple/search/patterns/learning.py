"""Learns the weights of an evaluation by temporal differences, and gives positions of its games."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import new_rng
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.temporal_differences import (
    Floats,
    GameMemory,
    Learned,
    TdSettings,
    examples_of_game,
    learn_from_games,
    new_game_memory,
    new_learned,
    sample_positions,
)
from meeple.search.room import faults_reported

GAMES_PER_POSITION = 2  # at most, to find positions of a stage
MAX_GAMES = 1000  # at once
WORK = 2**36  # numbers that are observed in these games at most: some seconds


def games_at_once(game: Game) -> int:
    """Return how many games are learned from without a pause, fewer on larger boards."""
    numbers = game.max_plies * game.max_moves * game.num_features
    return max(1, min(MAX_GAMES, WORK // numbers))


class Examples(NamedTuple):
    """Positions of games, for the player to move in each; N positions."""

    stages: npt.NDArray[np.int32]  # [N]
    logits: npt.NDArray[np.float64]  # [N] by the evaluation
    shares: npt.NDArray[np.float64]  # [N] results of the games


class PatternLearner:
    """Learns the weights of an evaluation from games against itself."""

    def __init__(self, game: Game, evaluation: PatternEvaluation) -> None:
        """Allocate the memory; the weights of `evaluation` are learned in place."""
        self.evaluation = evaluation
        layout = evaluation.layout
        self._places = np.append(layout.weight_of, layout.weights).astype(np.int64)  # [P] weights
        _, self._first = np.unique(self._places, return_index=True)  # [weights + 1] places
        self._learned = new_learned(self._places, len(evaluation.weights))
        self._game, self._play = game, new_game_memory(game)
        self._helpers: list[tuple[PatternEvaluation, GameMemory]] = []  # of further threads
        self.begin(0)

    def begin(self, *seed: int) -> None:
        """Let all games from now on depend on a seed."""
        self._seed = seed
        for number, play in enumerate([self._play, *(play for _, play in self._helpers)]):
            play.rng[:] = new_rng(*seed, *[number] * (number > 0))

    def learn(self, games: int, settings: TdSettings, threads: int = 1) -> float:
        """Play games and learn from each; return the mean squared error of the shares.

        Threads change the same weights without locks (Recht et al., "Hogwild!", 2011), so with more
        than one the result depends on their timing.
        """
        learned = self._with_weights()
        while len(self._helpers) < threads - 1:
            self._helpers.append((self.evaluation.copy(), new_game_memory(self._game)))
            self._helpers[-1][1].rng[:] = new_rng(*self._seed, len(self._helpers))

        def run(thread: int) -> float:
            tables, play = self._tables, self._play
            if thread:
                evaluation, play = self._helpers[thread - 1]
                tables = evaluation.memory[0]
            share = games // threads + (thread < games % threads)
            return float(learn_from_games(tables, learned, play, share, settings))

        with faults_reported(self._game):
            if threads == 1:
                total = run(0)
            else:
                with ThreadPoolExecutor(threads) as pool:
                    total = sum(pool.map(run, range(threads)))
        np.take(learned.weights, self._first, axis=1, out=self.evaluation.weights)
        return total / games

    def examples(self, games: int, settings: TdSettings) -> Examples:
        """Play games without learning; return their positions."""
        found, learned = [], self._with_weights()
        for _ in range(games):
            plies = self._game.max_plies
            example = Examples(np.zeros(plies, np.int32), np.zeros(plies), np.zeros(plies))
            with faults_reported(self._game):
                count = examples_of_game(self._tables, learned, self._play, settings, example)
            found.append([values[:count] for values in example])
        return Examples(*map(np.concatenate, zip(*found, strict=True)))

    def positions(self, count: int, stage: int, settings: TdSettings) -> npt.NDArray[np.uint8]:
        """Play games without learning; return [N, B] different positions of a stage.

        N is at most `count`. A game gives one of its positions at random, and at most
        `GAMES_PER_POSITION * count` games are played.
        """
        found = np.zeros((count, self._game.state_bytes), np.uint8)
        games = GAMES_PER_POSITION * count
        with faults_reported(self._game):
            length = sample_positions(
                self._tables, self._with_weights(), self._play, games, settings, stage, found
            )
        _, first = np.unique(found[:length], axis=0, return_index=True)
        return found[np.sort(first)]

    @property
    def sums(self) -> Floats:
        """[stages, weights + 1, 2] the sums of changes, by which the next steps are chosen."""
        return self._learned.sums[:, self._first]

    @sums.setter
    def sums(self, sums: Floats) -> None:
        self._learned.sums[:] = sums[:, self._places]

    def _with_weights(self) -> Learned:
        """Return what is learned, with the weights of the evaluation."""
        np.take(self.evaluation.weights, self._places, axis=1, out=self._learned.weights)
        return self._learned

    @property
    def _tables(self) -> Any:
        return self.evaluation.memory[0]
