"""What `meeple bench` measures, each as a function that returns its figures; nothing is printed.

Speeds are measured in turns with the peer's, several times over, so that whatever else the machine
does slows both alike. The best repeat says most of a program, the median how much to trust it.
"""

import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meeple.errors import MeepleError, UsageError
from meeple.games.game import Game
from meeple.search.perft import perft
from meeple.search.random_games import play_random_games
from meeple.search.uct import EXPLORATION, UctSearch

if TYPE_CHECKING:
    from meeple.learn.config import Config
    from meeple.search.evaluators import Predict

Figures = dict[str, Any]

REPEATS = 7
SLICE_SECONDS = 0.3  # a repeat lasts at least about this long
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


def rate_of(work: Callable[[], int]) -> float:
    """Things done a second, by a function that does some and says how many."""
    done, began = 0, time.perf_counter()
    while True:
        done += work()
        elapsed = time.perf_counter() - began
        if elapsed > SLICE_SECONDS:
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
        **_best_and_median("sims_per_second", rates[0]),
    }
    if len(rates) == 2:
        other = "peer_sims_per_second" if peer else "one_thread_sims_per_second"
        figures |= _best_and_median(other, rates[1])
        figures["ratio"] = round(max(rates[0]) / max(rates[1]), 2)
        figures["ratio_median"] = round(
            statistics.median(rates[0]) / statistics.median(rates[1]), 2
        )
    if peer:
        figures["peer"] = "OpenSpiel MCTSBot (C++)"
    return figures


def _best_and_median(name: str, rates: list[float]) -> Figures:
    return {name: round(max(rates)), f"{name}_median": round(statistics.median(rates))}


def _uct(game: Game, simulations: int, threads: int, plain: bool) -> Callable[[], float]:
    sharing = False if plain else None
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
from meeple.games.registry import make
from meeple.search.uct import UctSearch
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


def game_speed(game: Game, repeats: int) -> Figures:
    """Random games through the compiled rules, move by move, on one thread."""
    position, plies, games = game.start(), 0, 0

    def play() -> int:
        nonlocal plies, games
        games += 50
        plies += play_random_games(position, 50, seed=games)
        return 50

    (rates,) = in_turns([lambda: rate_of(play)], repeats)
    length = plies / games
    figures = {"repeats": repeats, **_best_and_median("games_per_second", rates)}
    figures["plies_per_second"] = round(max(rates) * length)
    figures["plies_per_game"] = round(length, 1)
    return figures


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
        **_best_and_median("positions_per_second", counted),
        **_best_and_median("played_positions_per_second", played),
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


# ---------------------------------------------------------------- self-play


def selfplay_speed(config: "Config", repeats: int) -> Figures:
    """Waves of self-play by an untrained network on one worker, and where their time goes.

    Shares of the best wave's time: `network`, calls of the network; `tree`, descents, expansion
    and backing up, less the moves played in them; `rules`, the moves of rollouts and descents,
    legal moves and observations; `python`, all that lies between. The moves of descents happen
    inside the tree's kernels: they are counted, and their cost is taken from random games.
    """
    from meeple.learn.selfplay import play_wave
    from meeple.search import fleet
    from meeple.search.batch import StateBatch

    game, games = config.make_game(), config.selfplay.games
    predict = _untrained(config, game)
    play_wave(game, config, [predict], range(games))
    ply_seconds = 1 / game_speed(game, 3)["plies_per_second"]
    waves = []
    for repeat in range(1, repeats + 1):
        rules, tree, plies = Tally(), Tally(), Tally()
        with (
            rules.timing(StateBatch, "observe", "play", "payoffs"),
            tree.timing(fleet, "_gather", "_apply", "_advance"),
            plies.counting_descents(fleet.Fleet),
        ):
            numbers = range(repeat * games, (repeat + 1) * games)
            _, timing = play_wave(game, config, [predict], numbers)
        inside = min(plies.total * ply_seconds, tree.total)
        waves.append(
            {
                "episodes_per_second": games / timing.total,
                "simulations_per_second": timing.simulations / timing.total,
                "network": timing.network / timing.total,
                "tree": (tree.total - inside) / timing.total,
                "rules": (rules.total + inside) / timing.total,
            }
        )
    best = max(waves, key=lambda wave: wave["episodes_per_second"])
    best["python"] = 1 - best["network"] - best["tree"] - best["rules"]
    figures = {name: round(value, 3) for name, value in best.items()}
    middle = statistics.median(wave["episodes_per_second"] for wave in waves)
    return {
        "repeats": repeats,
        "games_in_lockstep": games,
        **figures,
        "episodes_per_second_median": round(middle, 3),
    }


def _untrained(config: "Config", game: Game) -> "Predict":
    from meeple.nets.architecture import Architecture
    from meeple.nets.inference import Predictor
    from meeple.nets.network import ActorNetwork

    architecture = Architecture(
        kind=config.network.kind,
        hidden=config.network.hidden,
        channels=config.network.channels,
        blocks=config.network.blocks,
        activation=config.network.activation,
        critic=config.network.critic,
        observation_shape=game.observation_shape,
        num_actions=game.num_actions,
        players=game.players,
    )
    batch = config.selfplay.games * config.search.leaves
    return Predictor(ActorNetwork(architecture, seed=1), config.selfplay.format, batch=batch)


class Tally:
    """A sum over the calls of functions, which are replaced by counting ones for a while."""

    def __init__(self) -> None:
        self.total = 0.0

    @contextlib.contextmanager
    def timing(self, owner: Any, *names: str) -> Iterator[None]:
        """Add up the seconds spent in these functions of a module or class."""

        def timed(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any) -> Any:
                began = time.perf_counter()
                found = function(*arguments)
                self.total += time.perf_counter() - began
                return found

            return call

        with contextlib.ExitStack() as stack:
            for name in names:
                stack.enter_context(replaced(owner, name, timed(getattr(owner, name))))
            yield

    @contextlib.contextmanager
    def counting_descents(self, fleet: Any) -> Iterator[None]:
        """Add up the moves played in descents to the leaves that were evaluated."""
        back_up = fleet._back_up

        def call(self_: Any, count: int, judged: Any) -> None:
            self.total += float(self_._depths[:count].sum())
            back_up(self_, count, judged)

        with replaced(fleet, "_back_up", call):
            yield


@contextlib.contextmanager
def replaced(owner: Any, name: str, by: Any) -> Iterator[None]:
    """An attribute with another value for a while."""
    before = getattr(owner, name)
    setattr(owner, name, by)
    try:
        yield
    finally:
        setattr(owner, name, before)
