"""The agents to choose from on a page: the ladder of the game, then the user's networks."""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.ladders import rating_of
from meeple.agents.levels import BY_RULES, ladder_for, strongest_within
from meeple.agents.networks import Catalogue, learned_here
from meeple.agents.spec import within_seconds
from meeple.agents.words import in_words
from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.nets.checkpoint import Metadata, read_metadata

SECONDS = 1  # search time of a hint


@dataclass(frozen=True)
class LevelChoice:
    """One step of the slider."""

    name: str
    spec: str
    words: str  # what it does
    rating: int | None = None  # Elo points above random play, rounded to tens; None: not measured


def levels(game: Game, fitting: Iterable[str]) -> list[LevelChoice]:
    """Return the steps of one game, with the networks named in `fitting` at the end."""
    ladder = ladder_for(game)
    doubt = " (not measured for this game)" if ladder is BY_RULES else ""
    found = [
        LevelChoice(
            level.name, level.spec, in_words(level.spec, game) + doubt, about(game, level.spec)
        )
        for level in ladder.levels
    ]
    for name in fitting:
        spec = f"puct:{name},sims=400"
        if spec not in ladder.steps.values():
            found.append(LevelChoice(f"Network {name}", spec, in_words(spec), about(game, spec)))
    return found


def about(game: Game, spec: str) -> int | None:
    """Return an agent's rating as the page shows it, from the shipped ladder of this board."""
    rating = rating_of(game, spec)
    return None if rating is None else 10 * round(rating / 10)


def strongest_spec(game: Game, runs: Path) -> str:
    """Return the strongest agent of a game's ladder, at one second a move.

    If the ladder was not measured, it is a search with a fitting network, if there is one.
    """
    fitting = networks_for(game, runs) if ladder_for(game) is BY_RULES else []
    if fitting:
        return within_seconds(f"puct:{fitting[-1]},sims=400", SECONDS)
    return strongest_within(game, SECONDS)


def networks_for(game: Game, runs: Path) -> list[str]:
    """Return the names of the networks trained for a game with these options, or a variant."""
    return [name for name, learned in networks(runs).items() if learned_here(learned, game)]


def networks(runs: Path) -> dict[str, Metadata]:
    """Return the metadata of all known networks by name, without unreadable ones."""
    found = {}
    catalogue = Catalogue(runs)
    for name in catalogue.names():
        with contextlib.suppress(MeepleError):
            found[name] = read_metadata(catalogue.find(name))
    return found
