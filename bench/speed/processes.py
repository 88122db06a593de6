"""Benchmarks of whole processes: the time to a first move, the memory of a large tree."""

import json
import statistics
import tempfile
import time

from bench.speed.measuring import Figures, in_new_process
from bench.speed.subjects import BenchOptions, about
from meeple.games.contract.game import Game

TREE_NODES = 1_000_000
FIRST_SEARCH = "uct:sims=1000"

FIRST_MOVE = """
import json, sys
import meeple
name, options, spec = json.loads(sys.argv[1])
game = meeple.make(name, **options)
agent, position = meeple.agent(spec, game), game.start()
while position.to_move < 0:
    position.play_chance()
agent.choose(position)
from meeple.kernels.cache import newly_compiled
print(json.dumps({"compiled": len(newly_compiled())}))
"""
LARGE_TREE = f"""
import json, sys
from bench.speed.measuring import peak_bytes
from meeple.games.contract.registry import make
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
game = make("hex", size=7)
search = TreeSearch(OpenUct(game, UctSettings(max_nodes={TREE_NODES})))
position = game.start()
before = peak_bytes()
nodes = simulations = 0
while nodes + game.max_moves <= {TREE_NODES}:
    result = search.run(position, 1000)
    nodes, simulations = result.nodes, simulations + result.simulations
print(json.dumps({{"nodes": nodes, "simulations": simulations,
    "tree_mib": search.rule.nbytes / 2**20,
    "peak_rss_mib": peak_bytes() / 2**20, "peak_rss_mib_before": before / 2**20}}))
"""


def start(options: BenchOptions) -> Figures:
    """`python -m bench start`."""
    game = options.open()
    return about(game) | start_time(game, options.times)


def memory(options: BenchOptions) -> Figures:
    """`python -m bench memory`."""
    return tree_memory()


def start_time(game: Game, repeats: int) -> Figures:
    """Measure the seconds from the start of a new process to its first move by search.

    The first time is that of a process with an empty kernel cache.
    """
    request = json.dumps([game.name, dict(game.options), FIRST_SEARCH])
    with tempfile.TemporaryDirectory() as empty:
        first, _ = _first_move(request, MEEPLE_CACHE=empty, MEEPLE_QUIET="1")
        later = [_first_move(request, MEEPLE_CACHE=empty) for _ in range(repeats)]
    seconds = [took for took, _ in later]
    return {
        "repeats": repeats,
        "first_seconds": round(first, 3),
        "seconds": round(min(seconds), 3),
        "seconds_median": round(statistics.median(seconds), 3),
        "compiled": max(compiled for _, compiled in later),
    }


def _first_move(request: str, **environment: str) -> tuple[float, int]:
    """Return the seconds that a new process takes, and the number of kernels it compiles."""
    began = time.perf_counter()
    compiled = in_new_process(FIRST_MOVE, request, **environment)["compiled"]
    return time.perf_counter() - began, compiled


def tree_memory() -> Figures:
    """Measure the peak memory of a process that grows a tree of a million nodes on Hex 7x7."""
    return in_new_process(LARGE_TREE)
