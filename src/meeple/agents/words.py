"""Descriptions of agents by their specs, for people."""

from collections.abc import Callable, Mapping
from pathlib import Path

from meeple.agents.kinds import AGENTS, NETWORK_PATHS
from meeple.agents.networks import PATHS, Catalogue, trained_on
from meeple.agents.spec import ENGINE, Parsed, parse
from meeple.games.contract.game import Game
from meeple.options import OptionValue
from meeple.sentences import in_turn, say

_DESCRIPTIONS = {
    "random": say("agent.any_legal_move"),
    "weighted": say("agent.sensible_moves"),
    "greedy": say("agent.next_by_heuristic"),
    "playouts": say("agent.playouts"),
    "minimax": say("agent.minimax_heuristic"),
    "perfect": say("agent.exact_solver"),
    "human": say("agent.person"),
}


def method_in_words(spec: str, game: Game | None = None, catalogue: Catalogue = PATHS) -> str:
    """Return how an agent finds its moves, without limits: "tree search with the network hex7".

    Args:
        spec: of the agent.
        game: the game that it plays; the words then say if the network was trained on a board of
            another size: "tree search with the network hex7 (trained on size=7)".
        catalogue: finds the file of the network that the spec names.

    Raises:
        SpecError: the spec is wrong.
    """
    parsed = parse(spec)
    words = _method(parsed)
    if game is None or parsed.path is None or AGENTS[parsed.name].path not in NETWORK_PATHS:
        return words
    board = trained_on(parsed.path, game, catalogue)
    return say("text.why", what=words, why=board) if board else words


def in_words(spec: str, game: Game | None = None, catalogue: Catalogue = PATHS) -> str:
    """Return the same with limits: "tree search with random rollouts, 3,000 simulations a move".

    Raises SpecError for a wrong spec.
    """
    parsed = parse(spec)
    words, limits = method_in_words(spec, game, catalogue), limits_in_words(spec)
    if limits:
        words = say("text.list", all=[words, *limits])
    loss = float(parsed.options.get("loss", 0.0))
    if loss:
        return in_turn([words, _errors(parsed, loss)])
    if parsed.options.get("temperature"):
        return in_turn([words, say("agent.draws_moves")])
    return words


def limits_in_words(spec: str) -> list[str]:
    """Return the limits of a move of an agent, such as "3,000 simulations a move"."""
    options = parse(spec).options
    return [limit(options[key]) for key, limit in _LIMITS.items() if key in options]


def _errors(parsed: Parsed, loss: float) -> str:
    """Describe how an agent with a loss errs, and what it sees anyway."""
    errs = next(words for least, words in _ERRORS if loss >= least)
    if parsed.name in ("uct", "puct", "playouts") and parsed.options.get("decisive", True):
        return say("agent.but_sees_wins_and", how=errs)
    if parsed.name == "minimax" and int(parsed.options.get("depth", 0)) > 1:
        return say("agent.but_sees_wins_and", how=errs)
    return errs


_ERRORS = (
    (0.5, say("agent.almost_random")),
    (0.12, say("agent.errs_gravely")),
    (0.05, say("agent.errs_often")),
    (0.02, say("agent.errs_sometimes")),
    (0.0, say("agent.errs_slightly")),
)
"""How an agent plays from a loss on."""


def _method(parsed: Parsed) -> str:
    if parsed.name == "agent":
        return say("agent.custom", name=(parsed.path or "").rpartition(":")[2])
    if parsed.name == ENGINE:
        return say("agent.the_program", agent=parsed.options.get("name") or parsed.path)
    if parsed.name == "strategy":
        return say("agent.sampled_strategy", name=Path(parsed.path or "").stem)
    if words := AGENTS[parsed.name].words:
        return words.format(f"the network {Path(parsed.path).stem}" if parsed.path else "rollouts")
    if parsed.path is not None:
        name = Path(parsed.path.rpartition(".py:")[2]).stem
        if parsed.name == "states":
            return say("agent.next_by_network", name=name)
        return say("agent.network_search" if parsed.name == "puct" else "agent.network", name=name)
    if parsed.name == "uct":
        return _search(parsed.options)
    if "eval" in parsed.options:
        return say("agent.minimax_with_the_patterns", name=Path(str(parsed.options["eval"])).stem)
    if parsed.options.get("heuristic") == "even":
        return say("agent.minimax_without")
    if parsed.options.get("heuristic") == "simple":
        return say("agent.minimax_simple")
    return _DESCRIPTIONS.get(parsed.name, parsed.name)


def _search(options: Mapping[str, OptionValue]) -> str:
    if "network" in options:
        return say("agent.value_network_search", name=Path(str(options["network"])).stem)
    if options.get("plies"):
        return say("agent.short_rollouts")
    return say("agent.guided_rollouts" if options.get("guided") else "agent.rollouts")


def _depth(plies: OptionValue) -> str:
    return say("agent.one_ply") if plies == 1 else say("agent.plies", n=plies)


_LIMITS: dict[str, Callable[[OptionValue], str]] = {
    "depth": _depth,
    "sims": lambda simulations: say("agent.simulations_a_move", n=simulations),
    "seconds": lambda seconds: say("agent.seconds_a_move", n=seconds),
}
