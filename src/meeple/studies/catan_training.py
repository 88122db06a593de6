"""How the study's networks learn: by playing themselves, from each game's own end, one by one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.arena.play import play_game
from meeple.arena.seeds import seeds_of
from meeple.errors import CheckpointError, RunError
from meeple.games.contract.game import Game, Position
from meeple.search.perceptron import Perceptron
from meeple.studies.catan_players import Kind, searcher, untrained
from meeple.studies.regression import Descent, error, learn, no_velocity, outputs
from meeple.tensor_file import read_tensors, write_tensors

FILE_KIND = "network of the Catan study"
SAVE_EVERY = 100  # games
DESCENT = Descent()
_WEIGHTS = Perceptron._fields
_STREAM = 1  # of seeds, for games of training


@dataclass
class Training:
    """A network that learns; what it said of each game before it learned from it."""

    network: Perceptron
    velocity: list[npt.NDArray[np.float32]]
    losses: list[float]  # mean squared error over the game's positions, times 1,000
    even: list[float]  # the same of equal shares for all
    named: list[bool]  # half way, it gave the most to whoever came out first

    @property
    def games(self) -> int:
        """Played so far."""
        return len(self.losses)


def train(
    kind: Kind,
    game: Game,
    path: Path,
    games: int,
    simulations: int,
    seed: int,
    progress: Callable[[int, int], None],
) -> Training:
    """Train one kind's network for so many games, going on from the file where it is of these
    terms; saved now and then, and at Ctrl-C.
    """
    terms = {"agent": kind.name, "simulations": simulations, "seed": seed}
    training = _load(path, terms) or _begin(seed)
    players = [searcher(kind, game, simulations, training.network) for _ in range(game.players)]
    try:
        while training.games < games:
            _learn_from_a_game(training, game, players, seed)
            if training.games % SAVE_EVERY == 0:
                _save(path, terms, training)
            progress(training.games, games)
    finally:
        _save(path, terms, training)
    return training


def trained(path: Path) -> Training:
    """A network from its file. Raises RunError where it was not trained yet."""
    training = _load(path, None)
    if training is None:
        raise RunError(f"{path} is not there: run the experiment train-{path.stem} first")
    return training


def _begin(seed: int) -> Training:
    network = untrained(seed)
    return Training(network, no_velocity(network), [], [], [])


def _learn_from_a_game(training: Training, game: Game, players: list[Any], seed: int) -> None:
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
    training.losses.append(1000 * error(training.network, features, targets))
    training.even.append(1000 * float(np.square(shares - 1 / len(shares)).mean()))
    rng = np.random.default_rng([seed, _STREAM, number])
    learn(training.network, training.velocity, features, targets, DESCENT, rng)


# ---------------------------------------------------------------- the file


def _save(path: Path, terms: dict[str, Any], training: Training) -> None:
    tensors = dict(zip(_WEIGHTS, training.network, strict=True))
    tensors |= {
        f"velocity.{name}": speed
        for name, speed in zip(_WEIGHTS[1:], training.velocity, strict=True)
    }
    history = {name: getattr(training, name) for name in ("losses", "even", "named")}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_tensors(path, FILE_KIND, tensors, {"terms": terms, **history})


def _load(path: Path, terms: dict[str, Any] | None) -> Training | None:
    """What the file holds; None where there is none, or it is of other terms than those given."""
    if not path.exists():
        return None
    metadata, tensors = read_tensors(path, FILE_KIND)
    try:
        if terms is not None and metadata["terms"] != terms:
            return None
        network = Perceptron(*(tensors[name].copy() for name in _WEIGHTS))
        velocity = [tensors[f"velocity.{name}"].copy() for name in _WEIGHTS[1:]]
        history = [list(metadata[name]) for name in ("losses", "even", "named")]
    except (KeyError, TypeError):
        raise CheckpointError(f"{path} lacks what a trained network has") from None
    return Training(network, velocity, *history)
