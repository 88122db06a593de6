"""Strengths to choose from on a page: the ladder of the game, then networks that a user trained."""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.ladders import rating_of
from meeple.agents.levels import BY_RULES, ladder_for, strongest_within
from meeple.agents.networks import find_checkpoint, learned_here
from meeple.agents.spec import within_seconds
from meeple.agents.words import in_words
from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.nets.checkpoint import Metadata, read_metadata
from meeple.server.specs import known_networks

SECONDS = 1  # of a hint


@dataclass(frozen=True)
class Choice:
    """One step of the slider."""

    name: str
    spec: str
    words: str  # what it does
    rating: int | None = None  # Elo points above random play, rounded to tens; None: not measured


def levels(game: Game, fitting: Iterable[str]) -> list[Choice]:
    """The steps for one game, with the networks that fit it, by name, at the end."""
    ladder = ladder_for(game)
    doubt = " (not measured for this game)" if ladder is BY_RULES else ""
    found = [
        Choice(level.name, level.spec, level.words + doubt, about(game, level.spec))
        for level in ladder.levels
    ]
    for name in fitting:
        spec = f"puct:{name},sims=400"
        if spec not in ladder.steps.values():
            found.append(Choice(f"Network {name}", spec, in_words(spec), about(game, spec)))
    return found


def about(game: Game, spec: str) -> int | None:
    """An agent's rating as the page shows it, by the ladder that ships for just this board."""
    rating = rating_of(game, spec)
    return None if rating is None else 10 * round(rating / 10)


def strongest_spec(game: Game, runs: Path) -> str:
    """The strongest agent by the matches of a game's ladder, for a second a move. Where no matches
    were played, a search with a network that fits.
    """
    fitting = networks_for(game, runs) if ladder_for(game) is BY_RULES else []
    if fitting:
        return within_seconds(f"puct:{fitting[-1]},sims=400", SECONDS)
    return strongest_within(game, SECONDS)


def networks_for(game: Game, runs: Path) -> list[str]:
    """The networks that learned a game with just these options, or a variant of it."""
    return [name for name, learned in networks(runs).items() if learned_here(learned, game)]


def networks(runs: Path) -> dict[str, Metadata]:
    """What the networks that may be named say of themselves; those that cannot be read left out."""
    found = {}
    for name, path in known_networks(runs).items():
        with contextlib.suppress(MeepleError):
            found[name] = read_metadata(find_checkpoint(path))
    return found
