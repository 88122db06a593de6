"""Train the contestants, judge their checkpoints, and report: `make race`, about four hours.

`python -m bench.race train meeple` (or `pgx`, `openspiel`) trains a contestant for 60 CPU minutes,
or resumes; `judge` judges the checkpoints that have no figures yet; `report` prints the table and
draws the curves; `positions` solves the positions anew. Without arguments: all but the last.
"""

import argparse
import functools
import importlib
import json
import os
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":  # before the clocks of searches are made
    time.perf_counter = time.process_time

from bench.race.clock import MARKS, checkpoint

CONTESTANTS = {
    "meeple": "ours",
    "patterns": "patterns",
    "pgx": "pgx_mctx",
    "openspiel": "openspiel_az",
}
TITLES = {
    "meeple": "Meeple",
    "patterns": "Meeple's patterns",
    "pgx": "pgx with mctx",
    "openspiel": "OpenSpiel",
}
PANELS = {  # of the picture, with the path of the figure in a row
    "result kept, network alone": ("alone", "keep"),
    "best move, network alone": ("alone", "best"),
    "result kept, 100 simulations": ("search", "keep"),
    "against uct:sims=1000": ("match",),
}
KINDS = {  # rows of the table
    "alone": "{}, network alone",
    "search": "{}, 100 simulations (patterns: 10 ms)",
    "match": "{} against `uct:sims=1000`",
}
PACKAGES = "pgx", "mctx", "jax", "flax", "open_spiel", "torch", "openvino"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def module_of(name: str) -> Any:
    """Return the module of a contestant."""
    return importlib.import_module(f"bench.race.{CONTESTANTS[name]}")


def judge(runs: Path, results: Path, names: list[str]) -> None:
    """Judge checkpoints that have no figures yet; append each to the results."""
    from bench.race import judge, ours

    known = {(row["name"], row["minutes"]) for row in read(results)}
    positions = judge.read_positions()
    for name in ("uct:sims=1000", "random"):
        if (name, 0) not in known:
            figures = judge.shares(ours.Player(name, name), positions, 0)
            append(results, {"name": name, "minutes": 0, "alone": figures})
    for mark in MARKS:
        for name in names:
            file = checkpoint(runs / name, mark)
            if (name, mark) in known or not file.exists():
                continue
            found = judge.judge(module_of(name).load_player(file), positions)
            append(results, {"name": name, "minutes": mark, **found})


def read(results: Path) -> list[dict[str, Any]]:
    """Return the figures so far."""
    lines = results.read_text().splitlines() if results.exists() else []
    return [json.loads(line) for line in lines]


def append(results: Path, row: dict[str, Any]) -> None:
    """Save and print a row."""
    line = json.dumps(row)
    with results.open("a") as file:
        file.write(line + "\n")
    print(line, flush=True)


def table(rows: list[dict[str, Any]]) -> str:
    """Return the table of the results in Markdown: a column for each mark."""
    known = {(row["name"], row["minutes"]): row for row in rows}
    lines = ["| | " + " | ".join(f"{mark} min" for mark in MARKS) + " |", "|---" * 6 + "|"]
    for kind, words in KINDS.items():
        for name in CONTESTANTS:
            found = [known.get((name, mark)) for mark in MARKS]
            cells = [words.format(TITLES[name]), *(_cell(row and row[kind]) for row in found)]
            lines.append("| " + " | ".join(cells) + " |")
    lines += [f"{r['name']}: {_cell(r['alone'])}" for r in rows if not r["minutes"]]
    return "\n".join(lines)


def _cell(figures: dict[str, Any] | None) -> str:
    """Return the shares of a checkpoint in percent."""
    if figures is None:
        return ""
    if "keep" in figures:
        return ", ".join(f"{100 * figures[name]['share']:.1f}" for name in ("keep", "best"))
    low, high = figures["interval"]
    return f"{100 * figures['share']:.1f} ({100 * low:.0f} to {100 * high:.0f})"


def draw(rows: list[dict[str, Any]], file: Path) -> None:
    """Draw the shares by CPU minutes: of moves that keep the result, and against the opponent."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "race"  # equal figures give equal files
    figure = Figure(figsize=(8, 6), layout="constrained")
    rows = sorted(rows, key=lambda row: row["minutes"])
    for axes, (title, path) in zip(figure.subplots(2, 2).flat, PANELS.items(), strict=True):
        axes.set(title=title, xlabel="CPU minutes", ylabel="%", xscale="log", ylim=(0, 100))
        axes.set_xticks(MARKS, [str(mark) for mark in MARKS])
        axes.set_xlim(MARKS[0] / 1.2, MARKS[-1] * 1.2)
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        for name in CONTESTANTS:
            own = [row for row in rows if row["name"] == name]
            found = [functools.reduce(dict.__getitem__, path, row) for row in own]
            shares = np.array([100 * one["share"] for one in found])
            ends = np.array([one["interval"] for one in found]).reshape(-1, 2).T * 100
            errors = np.maximum([shares - ends[0], ends[1] - shares], 0)
            minutes = [row["minutes"] for row in own]
            axes.errorbar(minutes, shares, errors, marker="o", capsize=3, label=TITLES[name])
        for row in rows if path[-1] in ("keep", "best") else ():
            if not row["minutes"]:
                style = "--" if "uct" in row["name"] else ":"
                share = 100 * row["alone"][path[-1]]["share"]
                axes.axhline(share, ls=style, color="grey", label=row["name"])
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    figure.savefig(file, metadata={"Date": None})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.race", description=__doc__)
    parser.add_argument("command", nargs="?", default="all")
    parser.add_argument("names", nargs="*", help="contestants")
    parser.add_argument("--runs", type=Path, default=Path("runs") / "race")
    parser.add_argument("--draw", type=Path, default=Path("build") / "race.svg", metavar="FILE.svg")
    given = parser.parse_args()
    names, results = given.names or list(CONTESTANTS), given.runs / "results.jsonl"
    if given.command == "learn-openspiel":
        module_of("openspiel").learn(Path(names[0]))
    elif given.command == "train":
        for name in names:
            module_of(name).train(given.runs / name)
    elif given.command == "judge":
        judge(given.runs, results, names)
    elif given.command == "report":
        rows = read(results)
        print(table(rows))
        print(", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES))
        given.draw.parent.mkdir(parents=True, exist_ok=True)
        draw(rows, given.draw)
    elif given.command == "positions":
        from bench.race import judge as judging
        from bench.race.solver import new_table

        judging.write_positions(judging.make_positions(new_table()))
    elif given.command == "all":
        # Processes of their own, each on one thread: JAX and Numba do not share one well.
        runs = ["--runs", str(given.runs)]
        steps = [["train", name] for name in names] + [["judge", name] for name in names]
        for step in [*steps, ["report", "--draw", str(given.draw)]]:
            command = [sys.executable, "-m", "bench.race", *step, *runs]
            subprocess.run(command, env={**os.environ, **ONE_THREAD}, check=True)
    else:
        parser.error("train, judge, report or positions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
