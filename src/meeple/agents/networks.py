"""Networks of agents: from a file, the newest of a run, or a shipped one by name."""

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meeple.agents.own import load_own_predictor, names_own
from meeple.errors import CheckpointError, RunError
from meeple.games.contract.game import Game
from meeple.games.contract.symmetry import Variant
from meeple.search.evaluators import Predict, through_symmetry
from meeple.search.values.file import KIND as VALUES
from meeple.tensor_file import is_of_kind

if TYPE_CHECKING:  # PyTorch takes a second to import
    from meeple.nets.checkpoint import Checkpoint, Metadata

CHECKPOINTS = "checkpoints"  # the folder in a run's folder
_SHIPPED = Path(__file__).resolve().parent.parent / "pretrained"
_EPISODE = re.compile(r"(\d+)\.safetensors$")


def checkpoint_files(run: str | Path) -> list[tuple[int, Path]]:
    """Return the saved networks of a run as (episode, file), in order of the episode.

    Raises:
        RunError: there is no such run, or it has no networks.
    """
    folder = Path(run) / CHECKPOINTS
    if not os.path.isdir(folder):
        raise RunError(f"{run} is no run folder: it has no folder '{CHECKPOINTS}'")
    try:
        names = os.listdir(folder)
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror or error}") from None
    found = []
    for name in names:
        episode = _EPISODE.search(name)
        if episode and not name.startswith("."):
            found.append((int(episode[1]), folder / name))
    if not found:
        raise RunError(f"{folder} holds no network (*.safetensors, its name ending in the episode)")
    return sorted(found)


def shipped_networks() -> dict[str, Path]:
    """Return the shipped networks by name; docs/results.md says how each was trained."""
    return {path.stem: path for path in sorted(_SHIPPED.glob("*.safetensors"))}


def shipped_for(game: Game) -> list[str]:
    """Return the names of shipped networks for a game with these options, or for a variant."""
    from meeple.nets.checkpoint import read_metadata

    found = []
    for name, path in shipped_networks().items():
        if not is_of_kind(path, VALUES) and learned_here(read_metadata(path), game):
            found.append(name)
    return found


def learned_here(learned: "Metadata", game: Game) -> bool:
    """Return whether a network was trained for a game with these options, or for a variant."""
    options = {**game.unsaid, **learned.options}
    return learned.game == game.name and (
        options == dict(game.options) or learned_variant(learned, game) is not None
    )


def learned_variant(learned: "Metadata", game: Game, free: Collection[str] = ()) -> Variant | None:
    """Return the variant of a game that a network was trained for and can play it by, or None.

    Args:
        learned: of the network.
        game: the game to play.
        free: options that may differ, such as the board's size.
    """

    def bound(*options: Mapping[str, Any]) -> dict[str, Any]:
        """Merge options, later ones over earlier ones, without the free ones."""
        joined = {name: value for one in options for name, value in one.items()}
        return {name: value for name, value in joined.items() if name not in free}

    options = {**game.unsaid, **learned.options}
    if learned.game != game.name or bound(options) == bound(game.options):
        return None
    said = learned.variants
    if said is not None and all(bound(options, one) != bound(game.options) for one in said):
        return None
    for variant in game.variants():
        if bound(game.options, variant.options) == bound(options):
            return variant
    return None


def find_checkpoint(path: str | Path) -> Path:
    """Return the file of a network: `path`, the newest of a run's folder, or a shipped one.

    Raises:
        RunError: the folder has no network.
        CheckpointError: there is no file, folder or shipped network of that name.
    """
    place = Path(os.path.expanduser(path))
    if os.path.isdir(place):
        return checkpoint_files(place)[-1][1]
    shipped = shipped_networks()
    if not os.path.exists(place):
        if str(path) not in shipped:
            known = ", ".join(shipped)
            raise CheckpointError(f"there is no file or run {path}; networks that ship: {known}")
        return shipped[str(path)]
    return place


def load_predictor(
    path: str | Path, game: Game, number_format: str = "float32", *, batch: int = 64
) -> Predict:
    """Load a network for a game, as a function of observations and legal actions.

    A network of a variant of the game (`Rules.variants`) plays by the variant's symmetry.

    Args:
        path: as for `find_checkpoint`, or a custom evaluator FILE.py:NAME.
        game: the game to play.
        number_format: "float32" gives equal results in every run on a machine; "auto" is the
            fastest for batches of `batch` positions.
        batch: the usual number of positions in a batch.

    Returns:
        A function of observations [B, *observation_shape] and legal actions [B, A].

    Raises:
        CheckpointError: the file is missing, corrupt or of another game.
        RunError: the folder has no network.
    """
    if names_own(str(path)):
        return load_own_predictor(str(path), game)
    from meeple.nets.checkpoint import read_metadata
    from meeple.nets.inference import Predictor

    file = find_checkpoint(path)
    variant = None
    if not is_of_kind(file, VALUES):
        variant = learned_variant(read_metadata(file), game, game.board_options)
    if variant is not None:
        game = type(game)(**{**game.options, **variant.options})
    predict = Predictor(load_network(file, game).weights, number_format, batch=batch)
    return predict if variant is None else through_symmetry(predict, variant.symmetry)


def load_network(file: str | Path, game: Game) -> "Checkpoint":
    """Load the network of a file for a game; it is resized to the game's board if possible.

    Raises:
        CheckpointError: as in `nets.checkpoint.load`.
    """
    from meeple.nets.checkpoint import Board, load

    if is_of_kind(file, VALUES):
        raise CheckpointError(
            f"{file} is a value network: play it as states:PATH, or uct:sims=1000,network=PATH"
        )
    board = Board(game.board_options, game.observation_shape, game.num_actions)
    options = dict(game.options)
    return load(file, game=game.name, options=options, unsaid=game.unsaid, board=board)
