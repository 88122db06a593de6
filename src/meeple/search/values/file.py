"""Saved value networks: weights with the game and options that they were trained for."""

import math
from typing import Any

from meeple.errors import CheckpointError
from meeple.games.contract.game import Game
from meeple.search.values.acceptance import Acceptance
from meeple.search.values.features import features_of
from meeple.search.values.network import ValueNetwork, weight_shapes, widths_of
from meeple.tensor_file import PathLike, SavedWeights, read_weights

KIND = "Meeple value network"
MAX_FILE_BYTES = 2**27  # the widest network that a configuration allows takes a quarter
ACCEPTANCE = "acceptance"  # key of the weights of the acceptance model


def load_network(path: PathLike) -> SavedWeights:
    """Read a network. CheckpointError where the file is no whole value network."""
    return read_weights(path, KIND, max_bytes=MAX_FILE_BYTES)


def compiled(path: PathLike, game: Game) -> ValueNetwork:
    """The network of a file, ready to evaluate states of a game.

    It may have been trained with other options, such as another number of players. CheckpointError
    where the file is no value network, or of another game.
    """
    return network_of(load_network(path), game, path)


def network_of(saved: SavedWeights, game: Game, path: PathLike) -> ValueNetwork:
    """The network that a file had, ready to evaluate states of a game; see `compiled`."""
    if saved.game != game.name:
        raise CheckpointError(f"{path} was trained for {saved.game}, not for {game.name}")
    features = features_of(game)
    try:
        expected = weight_shapes(features, widths_of(saved.weights))
    except KeyError as error:
        raise CheckpointError(f"{path} lacks the weights {error}") from None
    found = {name: values.shape for name, values in saved.weights.items()}
    if found != expected:
        raise CheckpointError(f"{path} has weights of other shapes than {game.name} needs")
    return ValueNetwork(saved.weights, features, game.players, _acceptance_in(saved.extra, path))


def _acceptance_in(extra: dict[str, Any], path: PathLike) -> Acceptance | None:
    """The model of which trades are accepted, where the file has one."""
    weights = extra.get(ACCEPTANCE)
    match weights:
        case None:
            return None
        case [
            float() | int() as always,
            float() | int() as partner,
            float() | int() as proposer,
        ] if all(map(math.isfinite, weights)):
            return Acceptance(always, partner, proposer)
    raise CheckpointError(
        f"{path} is corrupt: acceptance must be three numbers, all finite, not {weights!r:.80}"
    )
