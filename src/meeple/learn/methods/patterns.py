"""Patterns as a method of the training loop.

Rounds of games by temporal differences, then a round of regression for each stage on positions that
deeper searches label, from the last stage to the first.
"""

import time

import numpy as np

from meeple.agents.minimax import MinimaxAgent
from meeple.agents.networks import CHECKPOINTS, checkpoint_files
from meeple.arena.games.lockstep import AgentPlayer, BatchPlayer, patterns_player
from meeple.errors import CheckpointError, Stopped
from meeple.games.contract.game import Game
from meeple.learn.config import PatternsConfig
from meeple.learn.evaluation.matches import Matches
from meeple.learn.evaluation.results import ALONE, SEARCH
from meeple.learn.fit.learner import Losses
from meeple.learn.methods.method import Method
from meeple.learn.methods.probes import measure
from meeple.learn.methods.relabelling import Relabelling
from meeple.learn.run.folder import TRAINING, RunFolder
from meeple.learn.run.run import Run
from meeple.learn.run.schema import RunState, file_after
from meeple.search.patterns.drawn import Drawn
from meeple.search.patterns.evaluation import PatternEvaluation, Weights
from meeple.search.patterns.file import DRAWN, load_patterns, save_patterns
from meeple.search.patterns.learning import PatternLearner, games_at_once
from meeple.search.patterns.regression import (
    fitted_factors,
    fitted_weights,
    shares_of,
    used_weights,
)
from meeple.search.patterns.temporal_differences import TdSettings
from meeple.tensor_file import Tensors, read_tensors, write_tensors

SEARCH_DEPTH = 4  # plies of the matches with search
CONVERTING_GAMES = 2000  # that the factors of logits are fitted to
CONVERTING = 1  # part of their seed
HELD_OUT = 0.1  # share of the labelled positions on which a fit is evaluated
_STEPS = "Meeple pattern training"


class PatternsRun(Run):
    """A run that learns the weights of patterns; its episodes are rounds."""

    folders = (CHECKPOINTS, TRAINING)
    config: PatternsConfig

    def __init__(self, config: PatternsConfig, folder: RunFolder) -> None:
        super().__init__(config, folder)
        self.game.compile()
        game = config.training_game()
        drawn = Drawn.for_game(game, config.run.seed) if config.draws(game) else None
        self.learn(PatternEvaluation(game, drawn=drawn))

    def learn(self, evaluation: PatternEvaluation) -> None:
        """Learn the weights of an evaluation from now on."""
        self.learner = PatternLearner(self.config.training_game(), evaluation)

    @property
    def _tensors(self) -> Tensors:
        """The arrays that are learned, by their names in files."""
        learner = self.learner
        net, absolute = np.moveaxis(learner.sums, 2, 0)
        return {"weights": learner.evaluation.weights, "net": net, "absolute": absolute}

    def save_files(self) -> None:
        drawn = self.learner.evaluation.drawn
        about = {"game": self.game.name, DRAWN: drawn and drawn.to_json()}
        write_tensors(self.training_file, _STEPS, self._tensors, about)

    def restore(self, state: RunState) -> None:
        super().restore(state)
        path = self.training_file
        about, tensors = read_tensors(path, _STEPS)
        drawn = Drawn.from_json(about[DRAWN], self.game) if about.get(DRAWN) else None
        if drawn != self.learner.evaluation.drawn:  # those of `run.start`, or of an older version
            self.learn(PatternEvaluation(self.config.training_game(), drawn=drawn))
        for name, place in self._tensors.items():
            if name not in tensors or tensors[name].shape != place.shape:
                raise CheckpointError(f"{path} is corrupt: it lacks {name}, or has it otherwise")
        self.learner.evaluation.weights[:] = tensors["weights"]
        self.learner.sums = np.stack((tensors["net"], tensors["absolute"]), axis=2)

    def save_checkpoint(self) -> None:
        """Save the current weights as a checkpoint."""
        path = self.folder.path / CHECKPOINTS / file_after(self.state.episodes)
        games = self.config.games_after(self.state.episodes)
        evaluation = self.learner.evaluation
        if self.config.training.options:
            evaluation = self.converted(evaluation.weights, self.game)
        probes, seed = self.config.training.probes, self.config.run.seed
        if self.is_over and probes:
            measure(self.game, evaluation, probes, seed)
        seconds = round(self.state.seconds)
        save_patterns(path, self.game, evaluation, games=games, seconds=seconds)

    def converted(self, weights: Weights, game: Game) -> PatternEvaluation:
        """Return weights whose logits are fitted to the results of games with other payoffs."""
        evaluation = PatternEvaluation(game, weights, self.learner.evaluation.drawn)
        learner = PatternLearner(game, evaluation)
        learner.begin(self.config.run.seed, self.state.episodes, CONVERTING)
        settings = td_settings(self.config)._replace(exploration=0.0)
        examples = learner.examples(CONVERTING_GAMES, settings)
        factors = fitted_factors(examples, len(weights))
        evaluation.weights[:] *= factors[:, None].astype(np.float32)
        return evaluation


def td_settings(config: PatternsConfig) -> TdSettings:
    """Return how the games of a configuration are played and learned from."""
    training = config.training
    return TdSettings(training.step, training.decay, training.exploration, training.opening)


class PatternsMethod(Method[PatternsRun, int]):
    """Learn the weights of patterns from games of the evaluation itself.

    A batch is the number of a round: of games or, after all of those, of labels. The games of a
    round depend on the run's seed, its number and the weights before it.
    """

    def open(self) -> None:
        """Save the weights before the first round as the first checkpoint."""
        run = self.run
        start = run.config.run.start
        if not run.state.episodes and start is not None:
            evaluation = load_patterns(run.folder.catalogue.find(start), run.game)
            evaluation.deviations[:] = evaluation.tempo[:] = 0.0  # of other weights
            run.learn(evaluation)
            if run.config.training.options:
                run.learn(run.converted(evaluation.weights, run.config.training_game()))
        self._matches = self._new_matches()
        if not run.state.episodes:
            run.save_checkpoint()
            run.save()

    def collect(self) -> int:
        return self.run.state.episodes

    def fit(self, batch: int) -> Losses:
        began = time.perf_counter()
        self.run.learner.begin(self.run.config.run.seed, batch)
        rounds = self.run.config.run.rounds
        means = self._play() if batch < rounds else self._relabel(batch - rounds)
        return Losses(means, time.perf_counter() - began, threads=1)

    def _play(self) -> dict[str, float]:
        """Learn from a round of games by temporal differences. Raises Stopped."""
        training, settings, total = self.run.config.training, td_settings(self.run.config), 0.0
        most = games_at_once(self.run.game)
        for first in range(0, training.games, most):
            if self._stop():
                raise Stopped
            games = min(most, training.games - first)
            total += games * self.run.learner.learn(games, settings, training.threads)
        return {"loss/share": total / training.games}

    def _relabel(self, done: int) -> dict[str, float]:
        """Fit a stage to labels of deeper searches; `done` later stages are. Raises Stopped.

        Later stages evaluate the leaves of the searches, so they are fitted before.
        """
        config, learner = self.run.config, self.run.learner
        labelling, evaluation = config.labels, learner.evaluation
        stage = len(evaluation.weights) - 1 - done
        states = learner.positions(labelling.positions, stage, td_settings(config))
        held = round(HELD_OUT * len(states))
        if held == 0:
            return {}
        game = config.training_game()
        relabelling = Relabelling(game, evaluation, labelling.depth, labelling.exact)
        labels, used = relabelling.labels(states, self._stop), used_weights(evaluation, states)
        before = evaluation.weights[stage].astype(np.float64)
        after = fitted_weights(
            before, used[held:], labels[held:], labelling.smoothing, labelling.steps
        )
        evaluation.weights[stage] = after
        errors = [
            float(np.mean((shares_of(weights, used[:held]) - labels[:held]) ** 2))
            for weights in (before, after)
        ]
        return {
            "loss/share": errors[1],
            "loss/share_before": errors[0],
            "labels/learned": float(len(states) - held),
        }

    def must_save(self, batch: int) -> bool:
        due = self.run.state.episodes % self.run.config.training.saved == 0
        if due or self.is_over:
            self.run.save_checkpoint()
        return due

    def _new_matches(self) -> Matches:
        run, evaluation = self.run, self.run.learner.evaluation

        def player(depth: int) -> BatchPlayer:
            return AgentPlayer(lambda: MinimaxAgent(run.game, depth=depth, patterns=evaluation))

        ways = {ALONE: lambda games: player(1), SEARCH: lambda games: player(SEARCH_DEPTH)}
        return Matches(
            run, ways, lambda: patterns_player(checkpoint_files(run.folder.path)[0][1], run.game)
        )
