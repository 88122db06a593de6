"""Strengths to choose from: for each game a few agents, the weakest first."""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.networks import find_checkpoint
from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.kernels import PRUNE
from meeple.nets.checkpoint import Metadata, read_metadata
from meeple.search.determinization import searched_by_determinization
from meeple.server.specs import known_networks


@dataclass(frozen=True)
class Level:
    """One step of the slider."""

    name: str
    spec: str
    words: str  # what it does


def levels(game: Game, runs: Path) -> list[Level]:
    """The steps for one game, with the networks that fit it at the end."""
    found = [Level("Anything goes", "random", "plays any legal move")]
    if game.has(PRUNE):
        found.append(Level("Beginner", "weighted", "plays sensible moves without looking ahead"))
        found.append(Level("Casual", "greedy", "takes the best next position"))
    if searched_by_determinization(game):
        steps = [("Practised", 200), ("Strong", 1000), ("Very strong", 5000)]
    else:
        steps = [("Beginner", 20), ("Casual", 100), ("Practised", 500), ("Strong", 3000)]
        steps.append(("Very strong", 20_000))
    for name, simulations in steps:
        words = f"searches {simulations:,} simulations a move"
        found.append(Level(name, f"uct:sims={simulations}", words))
    return found + [
        Level(f"Network {name}", f"puct:{name},sims=400", "searches with a network")
        for name in networks_for(game, runs)
    ]


def hint_spec(game: Game, runs: Path) -> str:
    """The agent that gives hints: a second of search, with a network where one fits."""
    fitting = networks_for(game, runs)
    return f"puct:{fitting[-1]},seconds=1" if fitting else "uct:seconds=1"


def networks_for(game: Game, runs: Path) -> list[str]:
    """The networks that learned a game with just these options."""
    return [
        name
        for name, learned in networks(runs).items()
        if learned.game == game.name and learned.options == dict(game.options)
    ]


def networks(runs: Path) -> dict[str, Metadata]:
    """What the networks that may be named say of themselves; those that cannot be read left out."""
    found = {}
    for name, path in known_networks(runs).items():
        with contextlib.suppress(MeepleError):
            found[name] = read_metadata(find_checkpoint(path))
    return found
