"""Which agent evaluates a game's positions, for hints and analyses, and how strong it is.

`evaluators.json` has one tournament for each board, between all agents that search it, with equal
time for a move; `python -m bench.nets --tournaments` writes it.
"""

import functools
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from meeple.agents.kinds import AGENTS
from meeple.agents.ladders import entry_of, is_on
from meeple.agents.levels import BY_RULES, levels_for
from meeple.agents.network_files import NetworkFacts
from meeple.agents.networks import PATHS, Catalogue, shipped_for, shipped_networks
from meeple.agents.spec import network_in, parse, within_seconds
from meeple.agents.words import in_words, limits_in_words, method_in_words
from meeple.games.contract.game import Game
from meeple.kernels import HEURISTIC
from meeple.sentences import in_turn, say

FILE = Path(__file__).with_suffix(".json")
MAX_OVERTIME = 1.2  # of the time for a move, of an agent that takes no limit

Result = Mapping[str, Any]
"""A tournament as `Tournament.to_json` returns it, with `seconds`, the time for a move."""


@functools.cache
def results() -> tuple[Result, ...]:
    """Return the shipped tournaments."""
    return tuple(json.loads(FILE.read_text(encoding="utf-8")))


def contenders(game: Game, seconds: float) -> list[str]:
    """Return the specs of all agents that search a game, limited by seconds where they take them.

    They are tree search with rollouts, minimax if the game has a heuristic, the strongest level,
    and the strongest agent of each network that ships for the game.
    """
    specs = ["uct:sims=1", *(["minimax:depth=1"] if game.has(HEURISTIC) else [])]
    specs += [known.kind.strongest.format(name) for name, known in shipped_for(game).items()]
    specs.append(levels_for(game).strongest)
    return list(dict.fromkeys(within_seconds(spec, seconds) for spec in specs))


def evaluator_for(
    game: Game, seconds: float, networks: Mapping[str, NetworkFacts] | None = None
) -> str:
    """Return the spec of the strongest agent measured for a game and size, at `seconds` a move.

    It is the winner of the shipped tournament on this board, else the strongest of the game's
    levels. If the game has no levels of its own, it is the search with the last of the networks.

    Args:
        game: the game to evaluate.
        seconds: time for a move, for agents that take it.
        networks: the user's networks for this game, by name.
    """
    spec = next(_measured(game, seconds), None)
    if spec is None and networks and levels_for(game) is BY_RULES:
        name, learned = list(networks.items())[-1]
        spec = learned.kind.strongest.format(name)
    return within_seconds(spec or levels_for(game).strongest, seconds)


def second_evaluator(game: Game, seconds: float, first: str) -> str | None:
    """Return the spec of another agent that evaluates a game's positions, to compare with.

    It is the best other one of the tournament on this board, else the last of the contenders. None
    if the game has no other one.

    Args:
        game: the game to evaluate.
        seconds: time for a move, for agents that take it.
        first: the spec of the evaluator to compare with.
    """
    candidates = [*_measured(game, seconds), *reversed(contenders(game, seconds))]
    others = (spec for spec in candidates if _unlimited(spec) != _unlimited(first))
    found = next(others, None)
    return None if found is None else within_seconds(found, seconds)


def described(game: Game, spec: str, catalogue: Catalogue = PATHS) -> str:
    """Return how an agent finds its moves, and how strong it was measured to be."""
    return in_turn([in_words(spec, game, catalogue), *filter(None, [strength_of(game, spec)])])


def strength_of(game: Game, spec: str) -> str:
    """Return the measured strength of an agent of any limit, as the end of a sentence, or "".

    It is the share against the best other agent of the tournament on this board, else the rating of
    the same agent with the limit of the game's ladder.
    """
    result = _result_for(game, parse(spec).options.get("seconds"))
    if result is not None:
        specs = [agent["spec"] for agent in result["agents"]]
        same = [at for at, one in enumerate(specs) if _unlimited(one) == _unlimited(spec)]
        if same:
            return _against_next(result, same[0])
    rated = entry_of(game, lambda one: _unlimited(one) == _unlimited(spec))
    if rated is None:
        return ""
    low, high = rated["interval"]
    fields = {"n": rated["rating"], "n2": low, "n3": high}
    limits = limits_in_words(rated["spec"])
    if not limits:
        return say("agent.rated_elo_points_above", **fields)
    return say("agent.rated_with_limits", limits=limits, **fields)


def _measured(game: Game, seconds: float) -> Iterator[str]:
    """Yield the agents of the tournament on a board, the best first, that can evaluate now."""
    result = _result_for(game, seconds)
    for agent in () if result is None else sorted(result["agents"], key=lambda one: -one["rating"]):
        spec: str = agent["spec"]
        network = network_in(spec)
        limited = "seconds" in AGENTS[parse(spec).name].keys
        fast = limited or agent["ms_per_move"] <= 1000 * MAX_OVERTIME * seconds
        if fast and (network is None or network in shipped_networks()):
            yield spec


def _result_for(game: Game, seconds: Any) -> Result | None:
    """Return the tournament on this board whose time for a move is nearest to the given one."""
    wanted = math.log(float(seconds or 1))
    found = [one for one in results() if is_on(one, game)]
    return min(found, key=lambda one: abs(math.log(one["seconds"]) - wanted), default=None)


def _against_next(result: Result, agent: int) -> str:
    """Return the share of an agent against the best other one."""
    agents = result["agents"]
    others = [at for at in range(len(agents)) if at != agent]
    other = max(others, key=lambda at: float(agents[at]["rating"]))
    share = result["matrix"][agent][other]
    if share is None:
        return ""
    games, seconds = result["games_per_group"], result["seconds"]
    return say(
        "agent.won_of_games_against",
        n=100 * share,
        n2=games,
        method=method_in_words(agents[other]["spec"]),
        n3=seconds,
    )


def _unlimited(spec: str) -> str:
    """Return a spec without limits of its search, to compare agents by."""
    return within_seconds(spec, 1)
