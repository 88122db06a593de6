"""Finding and loading networks to play with: a file, the newest of a run, or one that ships."""

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
    """The networks that a run kept, as (episode, file), by episode.

    A file's name ends in the episode. Raises RunError where there is no run, or none with networks.
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
    """The networks that come with Meeple, by name; how each was made is in docs/results.md."""
    return {path.stem: path for path in sorted(_SHIPPED.glob("*.safetensors"))}


def shipped_for(game: Game) -> list[str]:
    """The names of those networks that learned a game with just these options, or a variant."""
    from meeple.nets.checkpoint import read_metadata

    found = []
    for name, path in shipped_networks().items():
        if not is_of_kind(path, VALUES) and learned_here(read_metadata(path), game):
            found.append(name)
    return found


def learned_here(learned: "Metadata", game: Game) -> bool:
    """Whether a network learned a game with just these options, or a variant of it."""
    options = {**game.unsaid, **learned.options}
    return learned.game == game.name and (
        options == dict(game.options) or learned_variant(learned, game) is not None
    )


def learned_variant(learned: "Metadata", game: Game, free: Collection[str] = ()) -> Variant | None:
    """The variant of a game that a network learned, and plays it through; else None.

    Options in `free`, such as the board's size, may differ.
    """

    def bound(*options: Mapping[str, Any]) -> dict[str, Any]:
        """Later options replace earlier ones."""
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
    """The file itself, the newest network of a run folder, or a shipped one by its name.

    Raises RunError where the folder has none, CheckpointError where there is nothing of that name.
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
    """The network of a file or of a run's newest checkpoint, for this game with these options; or
    a custom evaluator, FILE.py:NAME, which stands in for one.

    One that learned a variant of the game (`Rules.variants`) plays through the variant's symmetry.
    It judges observations [B, *shape] with what is legal [B, A]. In float32 the same seed gives
    the same game in every run on a machine; "auto" is the faster format for batches of that size.
    Raises CheckpointError where the file is missing, corrupt or of
    another game, RunError where a folder holds no network.
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
    """The network of a file, for this game with these options.

    One trained on another size of board is resized, where its architecture allows that. Raises
    CheckpointError as `nets.checkpoint.load`.
    """
    from meeple.nets.checkpoint import Board, load

    if is_of_kind(file, VALUES):
        raise CheckpointError(
            f"{file} is a value network: play it as states:PATH, or uct:sims=1000,network=PATH"
        )
    board = Board(game.board_options, game.observation_shape, game.num_actions)
    options = dict(game.options)
    return load(file, game=game.name, options=options, unsaid=game.unsaid, board=board)
