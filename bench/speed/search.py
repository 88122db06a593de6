"""Benchmarks of search: UCT, optionally against OpenSpiel, and PUCT without a network."""

from collections.abc import Callable
from typing import Any

from bench.speed.measuring import Figures, best_and_median, in_turns, rate_of, ratios
from bench.speed.subjects import PUCT_SIMULATIONS, SIMULATIONS, BenchOptions, about
from meeple.errors import UsageError
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.search.batch import start_positions
from meeple.search.determinization import searched_by_determinization
from meeple.search.evaluators import UniformEvaluator
from meeple.search.mcts.information_set import InformationSetUct
from meeple.search.mcts.lockstep import Lockstep, LockstepSettings
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.mcts.uct_kernels import EXPLORATION

LOCKSTEP = 64  # parallel games of puct


def uct(options: BenchOptions) -> Figures:
    """`python -m bench uct`."""
    game, peer = options.open(), options.vs is not None
    simulations, threads = options.sims or SIMULATIONS, options.threads or 1
    return about(game) | uct_speed(game, simulations, threads, peer, options.times)


def puct(options: BenchOptions) -> Figures:
    """`python -m bench puct`."""
    game = options.open()
    return about(game) | puct_speed(game, options.sims or PUCT_SIMULATIONS, LOCKSTEP, options.times)


def uct_speed(game: Game, simulations: int, threads: int, peer: bool, repeats: int) -> Figures:
    """Measure searches of the opening position, each on an empty tree.

    With `peer`, OpenSpiel searches too, and both do without transpositions and proofs. Several
    threads are compared with one that grows a tree as large as each of theirs.
    """
    if peer:
        need("pyspiel", "the comparison")
    works = [_uct(game, simulations, threads, plain=peer)]
    if peer:
        works.append(_openspiel(game, simulations))
    elif threads > 1:
        works.append(_uct(game, simulations // threads, 1, plain=False))
    rates = in_turns(works, repeats)
    figures = {
        "simulations": simulations,
        "threads": threads,
        "repeats": repeats,
        **best_and_median("sims_per_second", rates[0]),
    }
    if len(rates) == 2:
        other = "peer_sims_per_second" if peer else "one_thread_sims_per_second"
        figures |= best_and_median(other, rates[1])
        figures |= ratios(rates)
    if peer:
        figures["peer"] = "OpenSpiel MCTSBot (C++)"
    return figures


def _uct(game: Game, simulations: int, threads: int, plain: bool) -> Callable[[], float]:
    sharing = False if plain else None
    search: TreeSearch[OpenUct] | TreeSearch[InformationSetUct]
    if searched_by_determinization(game):
        if threads != 1:
            raise UsageError(f"{game.name} is searched by determinization, on one thread")
        search = TreeSearch(InformationSetUct(game))
    else:
        search = TreeSearch(
            OpenUct(game, UctSettings(solve=not plain, transpositions=sharing), threads=threads)
        )
    position = game.start()

    def once() -> int:
        search.begin(0)
        return search.run(position, simulations).simulations

    return lambda: rate_of(once)


def _openspiel(game: Game, simulations: int) -> Callable[[], float]:
    """Return the same search by OpenSpiel: one random rollout a leaf, the same c, no proofs."""
    import pyspiel

    theirs = pyspiel.load_game(*openspiel_game(game))
    state = theirs.new_initial_state()
    judge = pyspiel.RandomRolloutEvaluator(1, 0)
    memory_mb, solve, seed, verbose = 2000, False, 0, False
    bot = pyspiel.MCTSBot(theirs, judge, EXPLORATION, simulations, memory_mb, solve, seed, verbose)

    def once() -> int:
        bot.mcts_search(state)
        return simulations

    return lambda: rate_of(once)


def openspiel_game(game: Game) -> tuple[str, dict[str, Any]]:
    """Return OpenSpiel's name and parameters of a game; raise UsageError if it has no such game."""
    options = dict(game.options)
    if game.name == "hex" and not options["swap"] and int(options["size"]) <= 11:
        return "hex", {"board_size": int(options["size"])}
    if game.name == "nim":
        heaps = [int(part) for part in str(options["heaps"] or options["stones"]).split(",")]
        if int(options["take"]) >= max(heaps):  # OpenSpiel's game has no such limit
            piles = ";".join(map(str, heaps))
            return "nim", {"pile_sizes": piles, "is_misere": bool(options["misere"])}
    if game.name == "reversi" and options == {"size": 8, "payoff": "win"}:
        return "othello", {}
    plain = options.get("rule") == "freestyle" and options.get("opening") == "none"
    if game.name == "gomoku" and plain:
        return "gomoku", {"size": int(options["size"]), "connect": int(options["in_a_row"])}
    raise UsageError(
        f"OpenSpiel has no game like {game!r}; compare hex up to size=11 without swap, "
        "nim with take as large as the largest heap, reversi with size=8 and payoff=win, "
        "or gomoku with rule=freestyle and opening=none"
    )


def puct_speed(game: Game, simulations: int, games: int, repeats: int) -> Figures:
    """Measure searches of openings in lockstep on one thread, with a uniform evaluator.

    This is the cost of PUCT without a network: descents, rules, observations and backup.
    """
    searches = Lockstep(game, games, LockstepSettings(c=1.0, room=simulations), seed=0)
    openings, judge = start_positions(game, range(games)), UniformEvaluator()

    def once() -> int:
        searches.begin(openings)
        return searches.run(judge, simulations)

    (rates,) = in_turns([lambda: rate_of(once)], repeats)
    return {
        "simulations": simulations,
        "games_in_lockstep": games,
        "repeats": repeats,
        **best_and_median("sims_per_second", rates),
    }
