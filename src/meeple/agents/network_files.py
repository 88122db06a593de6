"""Files of networks: their kinds, what each was trained for, and the agents that play with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from meeple.agents.spec_syntax import quoted
from meeple.errors import CheckpointError
from meeple.nets import checkpoint
from meeple.nets.architecture import Architecture
from meeple.search.patterns import file as patterns_file
from meeple.search.values import file as values_file
from meeple.sentences import say
from meeple.tensor_file import PathLike, SavedWeights, kind_of, read_metadata


@dataclass(frozen=True)
class NetworkKind:
    """A kind of file that evaluates positions."""

    name: str
    usage: str  # specs that play with it, as a template of the file, for messages
    agents: Mapping[str, str]  # specs that are rated, as templates of the file's name

    def rated(self, network: str) -> list[tuple[str, str]]:
        """Return names and specs of the agents that are rated, the strongest last."""
        agents = self.agents.items()
        return [
            (say(f"agent.by_{key}", name=network), spec.format(network)) for key, spec in agents
        ]

    @property
    def strongest(self) -> str:
        """The last of the agents, as a template of the file's name."""
        return list(self.agents.values())[-1]


NETWORK = NetworkKind(
    "network",
    "puct:{0},sims=400 or policy:{0}",
    {"network_alone": "policy:{}", "network": "puct:{},sims=400"},
)
VALUES = NetworkKind(
    "value network",
    "states:{0}, or uct:sims=1000,network={0}",
    {"network": "states:{}"},
)
PATTERNS = NetworkKind(
    "pattern evaluation",
    "minimax:eval={0},depth=6",
    {"patterns_alone": "minimax:eval={},depth=1", "patterns": "minimax:eval={},depth=6"},
)
KINDS: Mapping[str, NetworkKind] = {
    checkpoint.KIND: NETWORK,
    values_file.KIND: VALUES,
    patterns_file.KIND: PATTERNS,
}
"""The kinds by the words in the metadata of files."""


@dataclass(frozen=True)
class NetworkFacts:
    """What a file says about itself, without its weights."""

    kind: NetworkKind
    game: str
    options: Mapping[str, Any]
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Whatever the writer added, such as the episode."""
    variants: tuple[Mapping[str, Any], ...] | None = None
    """As in `nets.checkpoint.Metadata`."""
    architecture: str = ""
    """Of a network, in words: "tower of 32 channels and 4 blocks"."""


def network_facts(path: PathLike) -> NetworkFacts:
    """Return what the file of a network of any kind says.

    Raises:
        CheckpointError: the file is missing or corrupt, or no network.
    """
    word = kind_of(path)
    kind = KINDS.get(word, NETWORK)
    if kind is NETWORK:
        saved = checkpoint.read_metadata(path)  # its error says what else the file is
        words = _in_words(saved.architecture)
        return NetworkFacts(kind, saved.game, saved.options, saved.extra, saved.variants, words)
    found = SavedWeights.of(path, read_metadata(path, word), {})
    return NetworkFacts(kind, found.game, found.options, found.extra)


def _in_words(architecture: Architecture) -> str:
    if architecture.kind == "conv":
        return f"tower of {architecture.channels} channels and {architecture.blocks} blocks"
    layers = "dense layers" if architecture.kind == "mlp" else "convolutions"
    return f"{layers} of {', '.join(map(str, architecture.hidden))}"


def check_kind(path: PathLike, wanted: NetworkKind) -> None:
    """Raise CheckpointError if a file holds a network of another kind than the wanted one."""
    found = KINDS.get(kind_of(path))
    if found is not None and found is not wanted:
        usage = found.usage.format(quoted(str(path)))
        raise CheckpointError(
            say("agent.is_a_not_a", file=path, kind=found.name, kind2=wanted.name, command=usage)
        )
