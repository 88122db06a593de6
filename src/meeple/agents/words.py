"""Descriptions of agents by their specs, for people."""

from collections.abc import Callable, Mapping
from pathlib import Path

from meeple.agents.kinds import AGENTS, NETWORK_PATHS
from meeple.agents.networks import PATHS, Catalogue, trained_on
from meeple.agents.spec import ENGINE, Parsed, parse
from meeple.games.contract.game import Game
from meeple.options import OptionValue
from meeple.sentences import say

_DESCRIPTIONS = {
    "random": "any legal move",
    "weighted": "sensible moves without looking ahead",
    "greedy": "the best next position by the game's heuristic",
    "minimax": "minimax with the game's heuristic",
    "perfect": "the exact solver",
    "human": "a person",
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
    return f"{words} ({board})" if board else words


def in_words(spec: str, game: Game | None = None, catalogue: Catalogue = PATHS) -> str:
    """Return the same with limits: "tree search with random rollouts, 3,000 simulations a move".

    Raises SpecError for a wrong spec.
    """
    parsed = parse(spec)
    limits = [say(parsed.options[key]) for key, say in _LIMITS.items() if key in parsed.options]
    words = ", ".join([method_in_words(spec, game, catalogue), *limits])
    loss = float(parsed.options.get("loss", 0.0))
    if loss:
        return f"{words}; {_errors(parsed, loss)}"
    if parsed.options.get("temperature"):
        return f"{words}; draws its moves by their probabilities"
    return words


def _errors(parsed: Parsed, loss: float) -> str:
    """Describe how an agent with a loss errs, and what it sees anyway."""
    errs = next(words for least, words in _ERRORS if loss >= least)
    if parsed.name in ("uct", "puct") and parsed.options.get("decisive", True):
        return say("agent.but_sees_wins_and", how=errs)
    if parsed.name == "minimax" and int(parsed.options.get("depth", 0)) > 1:
        return say("agent.but_sees_wins_and", how=errs)
    return errs


_ERRORS = (
    (0.5, "plays almost at random"),
    (0.12, "errs often, and gravely"),
    (0.05, "errs often"),
    (0.02, "errs now and then"),
    (0.0, "errs slightly"),
)
"""How an agent plays from a loss on."""


def _method(parsed: Parsed) -> str:
    if parsed.name == "agent":
        return f"{(parsed.path or '').rpartition(':')[2]}, a custom agent"
    if parsed.name == ENGINE:
        return say("agent.the_program", agent=parsed.options.get("name") or parsed.path)
    if parsed.name == "strategy":
        return f"the sampled strategy {Path(parsed.path or '').stem}"
    if words := AGENTS[parsed.name].words:
        return words.format(f"the network {Path(parsed.path).stem}" if parsed.path else "rollouts")
    if parsed.path is not None:
        own = parsed.path.rpartition(".py:")[2]
        network = f"the network {Path(own).stem}"
        if parsed.name == "states":
            return f"the best next position by {network}"
        return f"tree search with {network}" if parsed.name == "puct" else f"{network} alone"
    if parsed.name == "uct":
        return f"tree search with {_leaves(parsed.options)}"
    if "eval" in parsed.options:
        return say("agent.minimax_with_the_patterns", name=Path(str(parsed.options["eval"])).stem)
    if parsed.options.get("heuristic") == "even":
        return "minimax without a heuristic"
    if parsed.options.get("heuristic") == "simple":
        return "minimax with a simple heuristic"
    return _DESCRIPTIONS.get(parsed.name, parsed.name)


def _leaves(options: Mapping[str, OptionValue]) -> str:
    if "network" in options:
        return f"the value network {Path(str(options['network'])).stem}"
    if options.get("plies"):
        return "short rollouts and the game's heuristic"
    return "rollouts by the rule of thumb" if options.get("guided") else "rollouts"


_LIMITS: dict[str, Callable[[OptionValue], str]] = {
    "depth": lambda depth: f"{depth} {'ply' if depth == 1 else 'plies'} ahead",
    "sims": lambda simulations: say("agent.simulations_a_move", n=simulations),
    "seconds": lambda seconds: f"{seconds:g} s a move",
}
