"""`meeple bench`: how fast this machine searches, plays, starts and learns."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.cli.terminal import GameOptions, open_game, title
from meeple.errors import UsageError
from meeple.games.contract.game import Game

SUBJECTS = ("uct", "puct", "games", "perft", "start", "memory", "selfplay", "belief")
PEERS = {"openspiel": "uct", "catanatron": "games"}  # and what is compared with each
GAME = "hex"
SIMULATIONS = 10_000
REPEATS = 7
PUCT_SIMULATIONS = 200
LOCKSTEP = 64  # games of puct

Row = dict[str, Any]


def bench(
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="[SUBJECT]",
            help="uct: simulations/s of search; puct: of lockstep search without a network; "
            "games: random games/s; perft: positions at each depth, and how many a second; "
            "start: seconds to the first move; memory: of a million-node tree; "
            "selfplay: episodes/s; belief: microseconds to know what a seat of Catan can know. "
            "Without: all, as a table.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="For uct, puct, games and perft (default hex), and belief (catan).",
        ),
    ] = None,
    option: GameOptions = None,
    sims: Annotated[
        int | None,
        typer.Option(
            "--sims",
            min=2,
            max=1_000_000,
            help=f"For uct and puct: simulations of each search (default {SIMULATIONS}, "
            f"{PUCT_SIMULATIONS}).",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            min=1,
            help="For perft: plies. A game that ended earlier counts 1, and the moves of the last "
            "ply are counted, not played; the speed with all of them played is given too.",
        ),
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs", help="A peer to compare with: for uct openspiel, for games catanatron."
        ),
    ] = None,
    threads: Annotated[
        int,
        typer.Option(
            "--threads", min=1, max=64, help="For uct and selfplay: compared with one thread."
        ),
    ] = 1,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="For selfplay: a training configuration."),
    ] = None,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", min=1, help="The best and the median of so many; for belief: games."
        ),
    ] = REPEATS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure speed, against other programs where there are any."""
    if subject is None:
        show_all(repeats, as_json)
        return
    if subject not in SUBJECTS:
        raise UsageError(f"there is no benchmark '{subject}'; there are {', '.join(SUBJECTS)}")
    if vs is not None and vs not in PEERS:
        raise UsageError(f"there is no peer '{vs}' to compare with; there are {', '.join(PEERS)}")
    if vs is not None and (subject != PEERS[vs] or threads > 1):
        raise UsageError(
            f"--vs {vs} compares {PEERS[vs]} on one thread; leave it out, or --threads"
        )
    if subject == "perft":
        figures = perft_figures(open_game(game or GAME, option), depth, repeats)
    elif subject == "belief":
        figures = belief_figures(open_game(game or "catan", option), repeats)
    else:
        name, peer = game or GAME, vs is not None
        figures = measured(subject, name, option, sims, peer, threads, config, repeats)
    print(json.dumps(figures) if as_json else "\n".join(lines(figures)))


def measured(
    subject: str,
    game_name: str,
    option: list[str] | None,
    sims: int | None,
    peer: bool,
    threads: int,
    config: Path | None,
    repeats: int,
) -> Row:
    """The figures of one subject, with what they are of."""
    from meeple.cli import measure

    if subject == "start":
        return measure.start_time(repeats)
    if subject == "memory":
        return measure.tree_memory()
    if subject == "selfplay":
        if config is None:
            raise UsageError("selfplay needs a training configuration: --config FILE")
        from meeple.cli import measure_learning
        from meeple.learn.config import load_config

        chosen = load_config(config)
        about_config = {"config": str(config)}
        if threads > 1:
            return about_config | measure_learning.selfplay_speedup(chosen, threads, repeats)
        return about_config | measure_learning.selfplay_speed(chosen, repeats)
    game = open_game(game_name, option)
    if subject == "puct":
        return about(game) | puct_figures(game, sims or PUCT_SIMULATIONS, repeats)
    if subject == "games":
        return about(game) | measure.game_speed(game, repeats, peer)
    return about(game) | measure.uct_speed(game, sims or SIMULATIONS, threads, peer, repeats)


def puct_figures(game: Game, simulations: int, repeats: int) -> Row:
    """The figures of lockstep search without a network."""
    from meeple.cli import measure_learning

    return measure_learning.puct_speed(game, simulations, LOCKSTEP, repeats)


def perft_figures(game: Game, depth: int | None, repeats: int) -> Row:
    """The figures of perft, with what they are of."""
    from meeple.cli import measure

    if depth is None:
        raise UsageError("perft needs a number of plies: --depth N")
    return about(game) | measure.perft_speed(game, depth, repeats)


def belief_figures(game: Game, games: int) -> Row:
    """The figures of belief, with what they are of."""
    from meeple.cli import measure_belief

    return about(game) | measure_belief.belief_cost(game, games)


def about(game: Game) -> Row:
    """What figures are of."""
    return {"game": game.name, "options": dict(game.options)}


def lines(figures: Row) -> Iterator[str]:
    """Figures for people, one a line."""
    for name, value in figures.items():
        words = json.dumps(value) if isinstance(value, dict) else as_word(value)
        yield f"{name.replace('_', ' '):<36}{words}"


def as_word(value: Any) -> str:
    """A figure with thousands apart."""
    return f"{value:,}" if isinstance(value, int) else str(value)


# ---------------------------------------------------------------- all of them

NIM = ["heaps=1,3,5,7", "take=7", "misere=on"]
PEERED: tuple[tuple[str, list[str]], ...] = (  # games that OpenSpiel has too
    ("hex", ["size=7"]),
    ("hex", ["size=11"]),
    ("nim", NIM),
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
PERFT_DEPTH = 9  # of Reversi
SELFPLAY = """
[game]
name = "hex"
options = {{ size = {size} }}
"""


def show_all(repeats: int, as_json: bool) -> None:
    """Measure everything, and print a table, a line as soon as it is measured."""
    rows: list[Row] = []
    for row in every_row(repeats):
        rows.append(row)
        if not as_json:
            print(f"{row['what']:<44}{row['figure']:>24}  {row['against']}", flush=True)
    if as_json:
        print(json.dumps(rows))


def every_row(repeats: int) -> Iterator[Row]:
    """The rows of the table: what, its figure in words, what it is against, all figures."""
    from meeple.cli import measure

    for name, option in PEERED:
        yield uct_row(name, option, repeats)
    figures = measure.uct_speed(open_game("hex", ["size=7"]), 200_000, 2, False, repeats)
    yield row(
        "uct, two threads, hex size=7", rate(figures, "sims"), f"{figures['ratio']} x one", figures
    )
    figures = measure.tree_memory()
    words = f"{figures['peak_rss_mib']:.0f} MiB peak"
    yield row("a tree of a million nodes", words, f"tree {figures['tree_mib']:.0f} MiB", figures)
    for name, option in RULES:
        game = open_game(name, option)
        figures = measure.game_speed(game, repeats)
        plies = f"{figures['plies_per_second']:,} plies/s"
        yield row(f"random games, {title(game)}"[:43], rate(figures, "games"), plies, figures)
    yield catan_row(repeats)
    figures = measure.perft_speed(open_game("reversi", []), PERFT_DEPTH, repeats)
    played = f"all played {figures['played_positions_per_second']:,}"
    yield row(f"perft {PERFT_DEPTH}, reversi", rate(figures, "positions"), played, figures)
    figures = measure.start_time(repeats)
    words = f"{figures['seconds']:.2f} s"
    yield row("start to first move", words, f"compiled {figures['compiled']} kernels", figures)
    figures = puct_figures(open_game("reversi", []), PUCT_SIMULATIONS, repeats)
    words = f"{LOCKSTEP} games in lockstep"
    yield row("puct without a network, reversi", rate(figures, "sims"), words, figures)
    for size in (4, 5):
        yield selfplay_row(size, repeats)


def row(what: str, figure: str, against: str, figures: Row) -> Row:
    """A row of the table."""
    return {"what": what, "figure": figure, "against": against, "figures": figures}


def rate(figures: Row, things: str) -> str:
    """The best rate in words."""
    return f"{figures[f'{things}_per_second']:,} {things}/s"


def uct_row(name: str, option: list[str], repeats: int) -> Row:
    """Search against OpenSpiel, or alone where that is not installed."""
    from importlib.util import find_spec

    from meeple.cli import measure

    peer = find_spec("pyspiel") is not None
    figures = measure.uct_speed(open_game(name, option), SIMULATIONS, 1, peer, repeats)
    against = f"{figures['ratio']} x OpenSpiel" if peer else "(OpenSpiel is not installed)"
    what = f"uct, {name} {' '.join(option)}"
    return row(what, rate(figures, "sims"), against, figures)


def catan_row(repeats: int) -> Row:
    """Random games of Catan against catanatron, or alone where that is not installed."""
    from importlib.util import find_spec

    from meeple.cli import measure

    peer = find_spec("catanatron") is not None
    figures = measure.game_speed(open_game("catan", ["domestic_trade=off"]), repeats, peer)
    against = f"{figures['ratio']} x catanatron" if peer else "(catanatron is not installed)"
    return row("random games, catan without offers", rate(figures, "games"), against, figures)


def selfplay_row(size: int, repeats: int) -> Row:
    """On-policy self-play with the settings that a configuration has by default."""
    from meeple.cli import measure_learning
    from meeple.learn.config import parse_config

    config = parse_config(SELFPLAY.format(size=size))
    figures = measure_learning.selfplay_speed(config, repeats)
    shares = ", ".join(
        f"{name} {figures[name]:.0%}" for name in ("network", "tree", "rules", "python")
    )
    words = f"{figures['episodes_per_second']:.1f} episodes/s"
    return row(f"self-play, hex size={size}", words, shares, figures)
