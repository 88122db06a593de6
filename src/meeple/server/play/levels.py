"""The agents to choose from on a page: the levels of the game, then the user's networks."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.evaluators import evaluator_for
from meeple.agents.ladders import rating_of
from meeple.agents.levels import BY_RULES, Levels, levels_for
from meeple.agents.network_files import NetworkFacts, network_facts
from meeple.agents.networks import Catalogue, learned_here
from meeple.agents.words import in_words
from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.sentences import say

SECONDS = 1  # search time of a hint


@dataclass(frozen=True)
class LevelChoice:
    """One step of the slider."""

    name: str
    spec: str
    words: str  # what it does
    rating: int | None = None  # Elo points above random play, rounded to tens; None: not measured


def levels(game: Game, fitting: Mapping[str, NetworkFacts]) -> list[LevelChoice]:
    """Return the steps of one game, with the networks of `fitting` at the end."""
    table = levels_for(game)
    found = [
        LevelChoice(
            level.name, level.spec, _words(game, table, level.spec), about(game, level.spec)
        )
        for level in table.levels
    ]
    choices = network_choices(game, fitting, every_agent=False)
    return found + [one for one in choices if one.spec not in table.steps.values()]


def _words(game: Game, table: Levels, spec: str) -> str:
    words = in_words(spec, game)
    return say("agent.not_measured", words=words) if table is BY_RULES else words


def level_name(game: Game, spec: str) -> str:
    """Return the name of the game's level with this spec, or ""."""
    return next((name for name, step in levels_for(game).steps.items() if step == spec), "")


def network_choices(
    game: Game, fitting: Mapping[str, NetworkFacts], *, every_agent: bool = True
) -> list[LevelChoice]:
    """Return the agents that play with networks, or only the strongest of each network."""
    found = []
    for name, learned in fitting.items():
        agents = learned.kind.rated(name)
        for label, spec in agents if every_agent else agents[-1:]:
            found.append(LevelChoice(label, spec, in_words(spec), about(game, spec)))
    return found


def about(game: Game, spec: str) -> int | None:
    """Return an agent's rating as the page shows it, from the shipped ladder of this board."""
    rating = rating_of(game, spec)
    return None if rating is None else 10 * round(rating / 10)


def default_evaluator(game: Game, runs: Path) -> str:
    """Return the spec of the agent of hints and analyses, at one second a move."""
    return evaluator_for(game, SECONDS, networks_for(game, runs))


def networks_for(game: Game, runs: Path) -> dict[str, NetworkFacts]:
    """Return the networks trained for a game with these options, or a variant, by name."""
    known = networks(runs)
    return {name: learned for name, learned in known.items() if learned_here(learned, game)}


def networks(runs: Path) -> dict[str, NetworkFacts]:
    """Return all known networks by name, without unreadable ones."""
    found = {}
    catalogue = Catalogue(runs)
    for name in catalogue.names():
        with contextlib.suppress(MeepleError):
            found[name] = network_facts(catalogue.find(name))
    return found
