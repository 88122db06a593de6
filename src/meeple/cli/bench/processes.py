"""What is measured of whole processes: the time to a first move, the memory of a large tree."""

import statistics
import time

from meeple.cli.bench.measuring import Figures, in_new_process
from meeple.cli.bench.subjects import Asked

TREE_NODES = 1_000_000

FIRST_MOVE = """
import json, time
import meeple
game = meeple.make("hex", size=7)
agent = meeple.agent("uct:sims=1000", game)
agent.choose(game.start())
from meeple.kernel_cache import compiled_here
print(json.dumps({"compiled": len(compiled_here())}))
"""
LARGE_TREE = f"""
import json, sys
from meeple.cli.bench.measuring import peak_bytes
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


def start(asked: Asked) -> Figures:
    """`meeple bench start`."""
    return start_time(asked.times)


def memory(asked: Asked) -> Figures:
    """`meeple bench memory`."""
    return tree_memory()


def start_time(repeats: int) -> Figures:
    """From the start of a new process to its first move by search, on Hex 7x7."""
    in_new_process(FIRST_MOVE)  # fills the cache, if need be
    seconds, compiled = [], 0
    for _ in range(repeats):
        began = time.perf_counter()
        compiled = max(compiled, in_new_process(FIRST_MOVE)["compiled"])
        seconds.append(time.perf_counter() - began)
    return {
        "repeats": repeats,
        "seconds": round(min(seconds), 3),
        "seconds_median": round(statistics.median(seconds), 3),
        "compiled": compiled,
    }


def tree_memory() -> Figures:
    """The peak memory of a process that grows a tree of a million nodes on Hex 7x7."""
    return in_new_process(LARGE_TREE)
