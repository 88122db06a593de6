"""All benchmarks of `python -m bench`, as the rows of one table."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

from bench.speed import games, learning, processes, search
from bench.speed.measuring import Figures
from bench.speed.subjects import PUCT_SIMULATIONS, SIMULATIONS
from meeple.cli.shared.arguments import open_game
from meeple.cli.shared.words import title
from meeple.games.contract.result import percent
from meeple.learn.config import parse_config

PEERED: tuple[tuple[str, list[str]], ...] = (  # games that OpenSpiel also has
    ("hex", ["size=7"]),
    ("hex", ["size=11"]),
    ("nim", ["heaps=1,3,5,7", "take=7", "misere=on"]),
    ("reversi", []),
    ("gomoku", ["size=9"]),
    ("gomoku", ["size=15"]),
)
RULES: tuple[tuple[str, list[str]], ...] = (
    ("nim", []),
    ("ledge", []),
    ("hex", ["size=7"]),
    ("hex", ["size=11"]),
    ("reversi", []),
    ("gomoku", []),
)
PERFT_DEPTH = 9  # plies, on Reversi
SHARED_SIMULATIONS = 200_000  # simulations of the search on two threads
SELFPLAY_SIZES = (4, 5)  # Hex board sizes
SELFPLAY = """
[game]
name = "hex"
options = {{ size = {size} }}
"""


class Row(NamedTuple):
    """A row of the table: the subject, its figure as text, a comparison, and all figures."""

    what: str
    figure: str
    against: str
    figures: Figures


def every_row(repeats: int) -> Iterator[Row]:
    """Yield the rows, each once it is measured."""
    for name, option in PEERED:
        yield _uct(name, option, repeats)
    yield _two_threads(repeats)
    yield _memory()
    for name, option in RULES:
        yield _games(name, option, repeats)
    yield _catan(repeats)
    yield _perft(repeats)
    yield _start(repeats)
    yield _puct(repeats)
    for size in SELFPLAY_SIZES:
        yield _selfplay(size, repeats)


def _rate(figures: Figures, things: str) -> str:
    """Return the best rate as text."""
    return f"{figures[f'{things}_per_second']:,} {things}/s"


def _uct(name: str, option: list[str], repeats: int) -> Row:
    """Measure search against OpenSpiel, or alone if that is not installed."""
    peer = find_spec("pyspiel") is not None
    figures = search.uct_speed(open_game(name, option), SIMULATIONS, 1, peer, repeats)
    against = f"{figures['ratio']} x OpenSpiel" if peer else "(OpenSpiel is not installed)"
    return Row(f"uct, {name} {' '.join(option)}", _rate(figures, "sims"), against, figures)


def _two_threads(repeats: int) -> Row:
    game = open_game("hex", ["size=7"])
    figures = search.uct_speed(game, SHARED_SIMULATIONS, 2, False, repeats)
    against = f"{figures['ratio']} x one"
    return Row("uct, two threads, hex size=7", _rate(figures, "sims"), against, figures)


def _memory() -> Row:
    figures = processes.tree_memory()
    words = f"{figures['peak_rss_mib']:.0f} MiB peak"
    return Row("a tree of a million nodes", words, f"tree {figures['tree_mib']:.0f} MiB", figures)


def _games(name: str, option: list[str], repeats: int) -> Row:
    game = open_game(name, option)
    figures = games.game_speed(game, repeats)
    plies = f"{figures['plies_per_second']:,} plies/s"
    return Row(f"random games, {title(game)}"[:43], _rate(figures, "games"), plies, figures)


def _catan(repeats: int) -> Row:
    """Measure random games of Catan against catanatron, or alone if that is not installed."""
    peer = find_spec("catanatron") is not None
    figures = games.game_speed(open_game("catan", ["domestic_trade=off"]), repeats, peer)
    against = f"{figures['ratio']} x catanatron" if peer else "(catanatron is not installed)"
    return Row("random games, catan without offers", _rate(figures, "games"), against, figures)


def _perft(repeats: int) -> Row:
    figures = games.perft_speed(open_game("reversi"), PERFT_DEPTH, repeats)
    played = f"all played {figures['played_positions_per_second']:,}"
    return Row(f"perft {PERFT_DEPTH}, reversi", _rate(figures, "positions"), played, figures)


def _start(repeats: int) -> Row:
    figures = processes.start_time(open_game("hex", ["size=7"]), repeats)
    first = f"{figures['first_seconds']:.1f} s the first time, with compilation"
    return Row("start to first move", f"{figures['seconds']:.2f} s", first, figures)


def _puct(repeats: int) -> Row:
    game = open_game("reversi")
    figures = search.puct_speed(game, PUCT_SIMULATIONS, search.LOCKSTEP, repeats)
    words = f"{search.LOCKSTEP} games in lockstep"
    return Row("puct without a network, reversi", _rate(figures, "sims"), words, figures)


def _selfplay(size: int, repeats: int) -> Row:
    """Measure on-policy self-play with the default settings of a configuration."""
    figures = learning.selfplay_speed(parse_config(SELFPLAY.format(size=size)), repeats)
    shares = (f"{name} {percent(figures[name])}" for name in ("network", "tree", "rules", "python"))
    words = f"{figures['episodes_per_second']:.1f} episodes/s"
    return Row(f"self-play, hex size={size}", words, ", ".join(shares), figures)
