"""Training of the Catan study's networks by self-play, from the result of each game."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.arena.games.play import play_game
from meeple.arena.plan.seeds import seeds_of
from meeple.errors import CheckpointError, RunError
from meeple.games.contract.game import Game, Position
from meeple.tensor_file import SavedWeights
from meeple_studies.agent import StudyAgent
from meeple_studies.catan_players import SCHEDULES, AgentVariant, StudyTerms, searcher, untrained
from meeple_studies.perceptron import Perceptron
from meeple_studies.perceptron_file import load_perceptron, save_perceptron
from meeple_studies.regression import Array, PerceptronLosses, error, fit, outputs

SAVE_EVERY = 100  # games
_STREAM = 1  # of seeds, for games of training


@dataclass
class Training:
    """A network in training, with its errors for each game before and after the update."""

    network: Perceptron
    velocity: Array  # momentum of SGD
    before: list[float]  # mean squared error over the game's positions, before the update
    even: list[float]  # the error of equal shares
    named: list[bool]  # whether the winner had the largest predicted share half way
    after: list[PerceptronLosses]  # after the update

    @property
    def games(self) -> int:
        """Number of games so far."""
        return len(self.before)


def train(
    kind: AgentVariant,
    game: Game,
    path: Path,
    games: int,
    terms: StudyTerms,
    seed: int,
    progress: Callable[[int, int], None],
) -> Training:
    """Train the network of one agent until it has learned from `games` games.

    Training resumes from the file if it has the same settings. The network is saved every
    `SAVE_EVERY` games, at the end and at Ctrl-C.
    """
    about = {"agent": kind.name, "seed": seed, **asdict(terms), "hidden": list(terms.hidden)}
    training = _load(path, about) or _begin(seed, terms)
    players = [searcher(kind, game, terms, training.network) for _ in range(game.players)]
    try:
        while training.games < games:
            _train_on_game(training, game, players, terms, seed)
            if training.games % SAVE_EVERY == 0:
                _save(path, game, about, training)
            progress(training.games, games)
    finally:
        _save(path, game, about, training)
    return training


def trained(path: Path) -> Training:
    """Load a trained network. Raises RunError if there is no file."""
    training = _load(path, None)
    if training is None:
        raise RunError(f"{path} is not there: run the experiment train-{path.stem} first")
    return training


def _begin(seed: int, terms: StudyTerms) -> Training:
    network = untrained(seed, terms)
    return Training(network, np.zeros_like(network.weights), [], [], [], [])


def _train_on_game(
    training: Training, game: Game, players: list[StudyAgent], terms: StudyTerms, seed: int
) -> None:
    number = training.games
    seen: list[npt.NDArray[np.float32]] = []

    def note(position: Position) -> None:
        if position.to_move >= 0:
            seen.append(position.observation(0))

    played = play_game(
        game, players, seeds_of(seed, _STREAM, number, count=1 + game.players), on_position=note
    )
    shares = played.position.payoffs.astype(np.float32)
    features, targets = np.stack(seen), np.tile(shares, (len(seen), 1))
    half = outputs(training.network, features[len(seen) // 2][None])[0]
    training.named.append(bool(shares[int(half.argmax())] == shares.max()))
    training.before.append(error(training.network, features, targets))
    training.even.append(float(np.square(shares - 1 / len(shares)).mean()))
    rng = np.random.default_rng([seed, _STREAM, number])
    schedule = SCHEDULES[terms.schedule]
    training.after.append(
        fit(training.network, training.velocity, features, targets, *schedule, rng)
    )


# ---------------------------------------------------------------- the file


def _save(path: Path, game: Game, terms: dict[str, Any], training: Training) -> None:
    history = {name: getattr(training, name) for name in ("before", "even", "named")}
    history["after"] = [[None if x != x else x for x in losses] for losses in training.after]
    path.parent.mkdir(parents=True, exist_ok=True)
    tensors = {"velocity": training.velocity}
    saved = SavedWeights(tensors, game.name, dict(game.options), {"terms": terms, **history})
    save_perceptron(path, training.network, saved)


def _load(path: Path, terms: dict[str, Any] | None) -> Training | None:
    """Load the training of a file; None if it is missing or has other settings than `terms`."""
    if not path.exists():
        return None
    network, saved = load_perceptron(path)
    try:
        if terms is not None and saved.extra["terms"] != terms:
            return None
        before, even, named = (list(saved.extra[name]) for name in ("before", "even", "named"))
        after = [
            PerceptronLosses(*(float("nan") if x is None else x for x in losses))
            for losses in saved.extra["after"]
        ]
        velocity = saved.weights["velocity"].copy()
        return Training(network, velocity, before, even, named, after)
    except (KeyError, TypeError):
        raise CheckpointError(f"{path} lacks what a network in training has") from None
