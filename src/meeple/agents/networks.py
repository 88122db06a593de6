"""Networks of agents: the catalogue that finds the file of a name, and loading for a game."""

import functools
import os
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meeple.agents.allowed import is_allowed
from meeple.agents.network_files import NETWORK, NetworkFacts, check_kind, network_facts
from meeple.agents.own import load_own_predictor, names_own
from meeple.errors import CheckpointError, MeepleError, NotAllowed, RunError, SpecError
from meeple.files import is_plain_name, reported
from meeple.games.contract.game import Game
from meeple.games.contract.symmetry import Variant
from meeple.search.evaluators import Predict, through_symmetry, with_swap
from meeple.tensor_file import PathLike

if TYPE_CHECKING:  # PyTorch takes a second to import
    from meeple.nets.checkpoint import Checkpoint

CHECKPOINTS = "checkpoints"  # the folder in a run's folder
RUNS = Path("runs")  # the default folder of runs
STUDIES = "reproduce"  # the folder of all studies in a folder of runs
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
    with reported(f"cannot read {folder}"):
        names = os.listdir(folder)
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


def shipped_for(game: Game) -> dict[str, NetworkFacts]:
    """Return the shipped networks for a game with these options, or for a variant, by name."""
    found = {name: network_facts(path) for name, path in shipped_networks().items()}
    return {name: learned for name, learned in found.items() if learned_here(learned, game)}


def _options_of(learned: NetworkFacts, game: Game) -> dict[str, Any]:
    """Return the options of the game that a network learned, those of older files included."""
    return {**game.unsaid, **learned.options}


def learned_here(learned: NetworkFacts, game: Game) -> bool:
    """Return whether a network was trained for this game, a variant, or without its swap rule."""
    game = without_swap(game.usual(), learned) or game.usual()
    options = _options_of(learned, game)
    return learned.game == game.name and (
        options == dict(game.options) or learned_variant(learned, game) is not None
    )


def without_swap(game: Game, learned: NetworkFacts) -> Game | None:
    """Return the game without its swap rule if a network was trained without it, else None."""
    rule = game.swap_rule()
    if rule is None or learned.game != game.name:
        return None
    if not rule.without.items() <= _options_of(learned, game).items():
        return None
    return type(game)(**{**game.options, **rule.without})


def learned_variant(
    learned: NetworkFacts, game: Game, free: Collection[str] = ()
) -> Variant | None:
    """Return the variant of a game that a network was trained for and can play it by, or None.

    Args:
        learned: the facts of the network.
        game: the game to play.
        free: options that may differ, such as the board's size.
    """

    def bound(*options: Mapping[str, Any]) -> dict[str, Any]:
        """Merge options, later ones over earlier ones, without the free ones."""
        joined = {name: value for one in options for name, value in one.items()}
        return {name: value for name, value in joined.items() if name not in free}

    options = _options_of(learned, game)
    if learned.game != game.name or bound(options) == bound(game.options):
        return None
    said = learned.variants
    if said is not None and all(bound(options, one) != bound(game.options) for one in said):
        return None
    for variant in game.variants():
        if bound(game.options, variant.options) == bound(options):
            return variant
    return None


@dataclass(frozen=True)
class NetworkFile:
    """The file of a network that is known by a name; messages about it give the name."""

    name: str
    file: Path

    def __fspath__(self) -> str:
        return str(self.file)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Catalogue:
    """What specs may name, by where they come from.

    `runs` is the folder whose runs, and studies in `STUDIES`, are known by name beside the shipped
    networks; paths are allowed `below` some folders. Without `runs` the operator typed the spec: a
    name is then any path, of a file or a run's folder, or that of a shipped network.
    """

    runs: Path | None = None
    below: tuple[Path, ...] = ()

    def names(self) -> dict[str, Path]:
        """Return the files and folders of runs that are known by name.

        A study's network is named STUDY/NAME.
        """
        found = shipped_networks()
        if self.runs is None or not self.runs.is_dir():
            return found
        for folder in sorted(self.runs.iterdir()):
            try:
                if is_plain_name(folder.name):
                    checkpoint_files(folder)
                    found[network_of_run(folder.name)] = folder.resolve()
            except RunError:
                continue
        for file in sorted((self.runs / STUDIES).glob("*/*.safetensors")):
            if is_plain_name(file.parent.name) and is_plain_name(file.stem):
                found[f"{file.parent.name}/{file.stem}"] = file.resolve()
        return found

    def check(self, name: str) -> None:
        """Raise SpecError for the name of a network that is not known."""
        if not self._takes_all(name):
            self._place_of(name)

    def check_file(self, path: str) -> None:
        """Raise NotAllowed for the path of another file that may not be named."""
        if not self._takes_all(path) and self._path_of(path) is None:
            raise NotAllowed(path, "names a file outside the folder of runs")

    def _takes_all(self, name: str) -> bool:
        return self.runs is None or is_allowed(name)

    def _path_of(self, path: str) -> Path | None:
        """Return the real path of a file or folder below one of `below`, or None."""
        if "\0" in path:
            return None
        place = Path(os.path.realpath(os.path.expanduser(path)))
        inside = any(place.is_relative_to(folder.resolve()) for folder in self.below)
        return place if inside and os.path.exists(place) else None

    def _place_of(self, name: str) -> Path:
        """Return the file or run that a name means; `runs/NAME`, as commands write it, is a run."""
        place = self._path_of(name)
        if place is not None:
            return place
        known = self.names()
        if name in known:
            return known[name]
        place = known.get(name.removeprefix("runs/"))
        if place is not None and place.is_dir():
            return place
        if self.below:
            raise NotAllowed(name, "is no network that ships or lies in the folder of runs")
        raise SpecError(f"there is no network '{name}'; there are {', '.join(known) or 'none'}")

    def find(self, name: PathLike) -> PathLike:
        """Return the file of a network: of a run the newest.

        Raises:
            RunError: the folder has no network.
            CheckpointError, SpecError: there is no network of that name.
        """
        if self._takes_all(str(name)):
            return _find_anywhere(name)
        place = self._place_of(str(name))
        return NetworkFile(str(name), checkpoint_files(place)[-1][1] if place.is_dir() else place)


PATHS = Catalogue()
"""Of specs that are typed on the command line, or given in Python."""
NEARBY = Catalogue(RUNS, (RUNS,))
"""Of specs in files that commands read."""


def network_of_run(name: str) -> str:
    """Return the name of a run's network: the run's own, with a prefix if a shipped one has it.

    The levels refer to shipped networks by name.
    """
    return f"runs/{name}" if name in shipped_networks() else name


def find_checkpoint(path: PathLike) -> Path:
    """Return the file of a network: `path`, the newest of a run's folder, or a shipped one.

    Raises:
        RunError: the folder has no network.
        CheckpointError: there is no file, folder or shipped network of that name.
    """
    return Path(_find_anywhere(path))


def _find_anywhere(path: PathLike) -> PathLike:
    place = Path(os.path.expanduser(path))
    if os.path.isdir(place):
        return checkpoint_files(place)[-1][1]
    if os.path.exists(place):
        return place
    shipped = shipped_networks()
    if str(path) not in shipped:
        known = ", ".join(shipped)
        raise CheckpointError(f"there is no file or run {path}; networks that ship: {known}")
    return NetworkFile(str(path), shipped[str(path)])


def load_predictor(
    path: PathLike, game: Game, number_format: str = "float32", *, batch: int = 64
) -> Predict:
    """Load a network for a game, as a function of observations and legal actions.

    A network of a variant of the game (`Rules.variants`) plays by the variant's symmetry, and a
    network of the game without its swap rule (`Rules.swap_rule`) judges a swap by its values.

    Args:
        path: the file of a network; a string may also name a run, a shipped network, or a custom
            evaluator FILE.py:NAME.
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
    if isinstance(path, str) and names_own(path):
        return load_own_predictor(path, game)
    from meeple.nets.inference import Predictor

    file = _find_anywhere(path) if isinstance(path, str) else path
    check_kind(file, NETWORK)
    facts, game = network_facts(file), game.usual()
    if plain := without_swap(game, facts):
        predict = load_predictor(file, plain, number_format, batch=batch)
        return with_swap(predict, game)
    variant = learned_variant(facts, game, game.board_options)
    if variant is not None:
        game = type(game)(**{**game.options, **variant.options})
    network = load_network(file, game)
    if resized := network.trained_on(game.options, game.board_options):
        _note(f"the network {file} was {resized}; it plays {game.name} on another board")
    predict = Predictor(network.weights, number_format, batch=batch)
    return predict if variant is None else through_symmetry(predict, variant.symmetry)


def trained_on(path: PathLike, game: Game, catalogue: Catalogue = PATHS) -> str:
    """Return "trained on size=7" if a network was trained on a board of another size than `game`'s.

    The text is empty for every other network, and for one that cannot be read.
    """
    from meeple.nets.checkpoint import read_metadata

    try:
        file = catalogue.find(path)
        if network_facts(file).kind is not NETWORK:
            return ""
        return read_metadata(file).trained_on(game.usual().options, game.board_options)
    except MeepleError:
        return ""


@functools.cache
def _note(sentence: str) -> None:
    """Print a sentence to stderr, once in a process."""
    sys.stderr.write(f"{sentence}\n")


def load_network(file: PathLike, game: Game) -> "Checkpoint":
    """Load the network of a file for a game; it is resized to the game's board if possible.

    Raises:
        CheckpointError: as in `nets.checkpoint.load`.
    """
    from meeple.nets.checkpoint import Board, load

    check_kind(file, NETWORK)
    board = Board(game.board_options, game.observation_shape, game.num_actions)
    options = dict(game.options)
    return load(file, game=game.name, options=options, unsaid=game.unsaid, board=board)
