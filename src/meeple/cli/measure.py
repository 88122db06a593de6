"""What `meeple bench` measures, each as a function that returns its figures; nothing is printed.

Speeds are measured in turns with the peer's, several times over, so that whatever else the machine
does slows both alike. The best repeat says most of a program, the median how much to trust it.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game
from meeple.search.determinization import searched_by_worlds
from meeple.search.mcts.information_set import InformationSetSearch
from meeple.search.mcts.uct import UctSearch
from meeple.search.mcts.uct_kernels import EXPLORATION
from meeple.search.perft import perft
from meeple.search.random_games import play_random_games

Figures = dict[str, Any]

REPEATS = 7
SLICE_SECONDS = 0.3  # a repeat lasts at least about this long
SLOW_SLICES = 10  # so many times that, where games are slow and of very different lengths
TREE_NODES = 1_000_000


def in_turns(works: list[Callable[[], float]], repeats: int) -> list[list[float]]:
    """The rates that each work returns, taken in turns; each is run once before, unmeasured."""
    for work in works:
        work()
    rates: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, found in zip(works, rates, strict=True):
            found.append(work())
    return rates


def rate_of(work: Callable[[], int], slices: int = 1) -> float:
    """Things done a second, by a function that does some and says how many."""
    done, began = 0, time.perf_counter()
    while True:
        done += work()
        elapsed = time.perf_counter() - began
        if elapsed > slices * SLICE_SECONDS:
            return done / elapsed


# ---------------------------------------------------------------- UCT


def uct_speed(game: Game, simulations: int, threads: int, peer: bool, repeats: int) -> Figures:
    """Searches of the opening position, each on an empty tree, against OpenSpiel if asked for.

    Like the peer's, without transpositions and proofs, unless there is no peer to compare with.
    Several threads are compared with one that grows a tree as large as each of theirs.
    """
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


def best_and_median(name: str, rates: list[float]) -> Figures:
    """The best rate and the median, under these names."""
    return {name: round(max(rates)), f"{name}_median": round(statistics.median(rates))}


def ratios(rates: list[list[float]]) -> Figures:
    """How many times the second work's rate the first one's is."""
    (best, peer_best), (median, peer_median) = (
        [kind(found) for found in rates] for kind in (max, statistics.median)
    )
    return {
        "ratio": round(best / peer_best, 2),
        "ratio_median": round(median / peer_median, 2),
    }


def _uct(game: Game, simulations: int, threads: int, plain: bool) -> Callable[[], float]:
    sharing = False if plain else None
    search: UctSearch | InformationSetSearch
    if searched_by_worlds(game):
        if threads != 1:
            raise UsageError(f"{game.name} is searched by worlds, on one thread")
        search = InformationSetSearch(game)
    else:
        search = UctSearch(game, threads=threads, solve=not plain, transpositions=sharing)
    position = game.start()

    def once() -> int:
        search.begin(0)
        return search.run(position, simulations).simulations

    return lambda: rate_of(once)


def _openspiel(game: Game, simulations: int) -> Callable[[], float]:
    """The same by OpenSpiel: one random rollout a leaf, the same constant, no proofs."""
    try:
        import pyspiel
    except ImportError:
        install = "pip install 'meeple[bench]'"
        raise MeepleError(f"OpenSpiel is not installed; install it with: {install}") from None
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
    """OpenSpiel's name and parameters for a game. Raises UsageError where it has none such."""
    options = dict(game.options)
    if game.name == "hex" and not options["swap"] and int(options["size"]) <= 11:
        return "hex", {"board_size": int(options["size"])}
    if game.name == "nim":
        heaps = [int(part) for part in str(options["heaps"] or options["stones"]).split(",")]
        if int(options["take"]) >= max(heaps):  # theirs has no such limit
            piles = ";".join(map(str, heaps))
            return "nim", {"pile_sizes": piles, "is_misere": bool(options["misere"])}
    if game.name == "reversi" and options == {"size": 8, "payoff": "win"}:
        return "othello", {}
    if game.name == "gomoku" and options["rule"] == "freestyle":
        return "gomoku", {"size": int(options["size"]), "connect": int(options["in_a_row"])}
    raise UsageError(
        f"OpenSpiel has no game like {game!r}; compare hex up to size=11 without swap, "
        "nim with take as large as the largest heap, reversi with size=8 and payoff=win, "
        "or gomoku with rule=freestyle"
    )


def tree_memory() -> Figures:
    """The peak memory of a process that grows a tree of a million nodes on Hex 7x7."""
    return _in_new_process(
        f"""
import json, sys
from meeple.cli.measure import peak_bytes
from meeple.games.contract.registry import make
from meeple.search.mcts.uct import UctSearch
game = make("hex", size=7)
search = UctSearch(game, max_nodes={TREE_NODES})
position = game.start()
before = peak_bytes()
nodes = simulations = 0
while nodes + game.max_moves <= {TREE_NODES}:
    result = search.run(position, 1000)
    nodes, simulations = result.nodes, simulations + result.simulations
print(json.dumps({{"nodes": nodes, "simulations": simulations, "tree_mib": search.nbytes / 2**20,
    "peak_rss_mib": peak_bytes() / 2**20, "peak_rss_mib_before": before / 2**20}}))
"""
    )


def peak_bytes() -> int:
    """The most memory that this process has held at any time."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    status = Path("/proc/self/status")
    if status.exists():  # what `getrusage` gives there may be a parent's, from before its exec
        words = status.read_text().split()
        return int(words[words.index("VmHWM:") + 1]) * 1024
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


# ---------------------------------------------------------------- rules, and the start


def game_speed(game: Game, repeats: int, peer: bool = False) -> Figures:
    """Random games through the compiled rules, move by move, on one thread.

    Against catanatron if asked for: four random players or as many as the game has, and both play
    all their games on one island. Plies are compared with what it logs, which has no chance in it.
    """
    position, plies, games = game.start(), 0, 0

    def play() -> int:
        nonlocal plies, games
        games += 50
        plies += play_random_games(position, 50, seed=games)
        return 50

    works = [lambda: rate_of(play)]
    if peer:
        theirs = _CatanatronGames(game)
        works.append(lambda: rate_of(theirs.play, SLOW_SLICES))
    rates = in_turns(works, repeats)
    figures = {"repeats": repeats, **best_and_median("games_per_second", rates[0])}
    figures["plies_per_second"] = round(max(rates[0]) * plies / games)
    figures["plies_per_game"] = round(plies / games, 1)
    if peer:
        length = theirs.plies / theirs.games
        figures |= {
            f"peer_games_per_second{name}": round(value, 2)
            for name, value in (("", max(rates[1])), ("_median", statistics.median(rates[1])))
        }
        figures["peer_plies_per_second"] = round(max(rates[1]) * length)
        figures["peer_plies_per_game"] = round(length, 1)
        figures |= ratios(rates)
        figures["peer"] = "catanatron (Python)"
    return figures


class _CatanatronGames:
    """Games of catanatron among random players, all on one island."""

    def __init__(self, game: Game) -> None:
        self.players, self.points = catanatron_game(game)
        self.games = self.plies = 0
        try:
            import catanatron
            from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap
        except ImportError:
            install = "pip install 'meeple[bench]'"
            raise MeepleError(f"catanatron is not installed; install it with: {install}") from None
        self._theirs = catanatron
        self._island = CatanMap.from_template(BASE_MAP_TEMPLATE)

    def play(self) -> int:
        """Play a game; how many that is."""
        colours = list(self._theirs.Color)[: self.players]
        people = [self._theirs.RandomPlayer(colour) for colour in colours]
        self.games += 1
        goal, island = self.points, self._island
        played = self._theirs.Game(people, seed=self.games, vps_to_win=goal, catan_map=island)
        played.play()
        self.plies += len(played.state.actions)
        return 1


CATANATRON = {  # the options in which it can only play so
    "domestic_trade": False,
    "board": "random",
    "robber": True,
    "development_cards": True,
    "discard_limit": 7,
    "friendly_robber": False,
    "max_turns": 1000,
}


def catanatron_game(game: Game) -> tuple[int, int]:
    """Players and winning points of catanatron's game. Raises UsageError where it has none such."""
    options = dict(game.options)
    if game.name != "catan" or any(options[name] != value for name, value in CATANATRON.items()):
        raise UsageError(
            f"catanatron has no game like {game!r}; compare catan with domestic_trade=off, "
            "and of the other options only players, victory_points, payoff or hidden_hands"
        )
    return int(options["players"]), int(options["victory_points"])


def perft_speed(game: Game, depth: int, repeats: int) -> Figures:
    """Positions at each depth from the start, and how many a second at the deepest.

    `positions_per_second` counts the moves of the last ply without playing them, as is the custom;
    `played_positions_per_second` plays them all.
    """
    position = game.start()
    counts = [perft(position, plies) for plies in range(1, depth + 1)]
    works = [lambda: rate_of(lambda: perft(position, depth))]
    works.append(lambda: rate_of(lambda: perft(position, depth, bulk=False)))
    counted, played = in_turns(works, repeats)
    return {
        "depth": depth,
        "counts": counts,
        "repeats": repeats,
        **best_and_median("positions_per_second", counted),
        **best_and_median("played_positions_per_second", played),
    }


def start_time(repeats: int) -> Figures:
    """From the start of a new process to its first move by search, on Hex 7x7."""
    program = """
import json, time
import meeple
game = meeple.make("hex", size=7)
agent = meeple.agent("uct:sims=1000", game)
agent.choose(game.start())
from meeple.kernels import compiled_here
print(json.dumps({"compiled": len(compiled_here())}))
"""
    _in_new_process(program)  # fills the cache, if need be
    seconds, compiled = [], 0
    for _ in range(repeats):
        began = time.perf_counter()
        compiled = max(compiled, _in_new_process(program)["compiled"])
        seconds.append(time.perf_counter() - began)
    return {
        "repeats": repeats,
        "seconds": round(min(seconds), 3),
        "seconds_median": round(statistics.median(seconds), 3),
        "compiled": compiled,
    }


def _in_new_process(program: str) -> Figures:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise MeepleError(f"a measuring process failed: {done.stderr.strip()[-500:]}")
    figures: Figures = json.loads(done.stdout)
    return figures
