"""The picture of the study of Catan: what the agents got, and how the networks learned."""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from meeple.arena.statistics import wilson_interval
from meeple.studies.catan_games import Result, found_of, wins_of
from meeple.studies.catan_players import KINDS, LEARNERS
from meeple.studies.catan_training import Training

if TYPE_CHECKING:  # matplotlib is slow to import
    from matplotlib.axes import Axes

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#888888"  # of the palette of Okabe and Ito
SMOOTH = 20  # points of a curve of training


def picture(results: Sequence[Result], trainings: Mapping[str, Training]) -> bytes:
    """A PNG: shares and wins of the five agents, and each network's error beside equal shares'."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4.4), layout="constrained", dpi=110)
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    _draw_results(left, results)
    _draw_learning(right, trainings)
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _draw_results(axes: "Axes", results: Sequence[Result]) -> None:
    """Each agent's mean share and its games won."""
    rows = np.arange(len(KINDS))[::-1]
    found = [found_of(results, who) for who in range(len(KINDS))]
    wins = [wins_of(results, who) for who in range(len(KINDS))]
    for shift, colour, words, middle, ends in (
        (
            0.12,
            BLUE,
            "mean share of the points",
            [f.share for f in found],
            [f.interval for f in found],
        ),
        (
            -0.12,
            ORANGE,
            "games won",
            [won / max(1, f.count) for won, f in zip(wins, found, strict=True)],
            [wilson_interval(won, f.count) for won, f in zip(wins, found, strict=True)],
        ),
    ):
        at = 100 * np.array(middle)
        axes.errorbar(
            at, rows + shift, xerr=np.abs(100 * np.array(ends).T - at), fmt="o", color=colour,
            capsize=3, label=words,
        )  # fmt: skip
    axes.axvline(25, color=GREY, linestyle="--", linewidth=1)
    axes.set_yticks(rows, [kind.words for kind in KINDS])
    axes.set_xlabel("% (95 % intervals; 25 % is an even share)")
    axes.set_title(f"{len(results)} games, four of the five in each")
    axes.legend()
    axes.grid(axis="x", alpha=0.3)


def _draw_learning(axes: "Axes", trainings: Mapping[str, Training]) -> None:
    """Each network's error as it learned."""
    for kind, colour in zip(LEARNERS, (BLUE, ORANGE), strict=True):
        training = trainings[kind.name]
        stretch, error = _smooth(training.losses)
        axes.plot(stretch, error, color=colour, marker=".", label=kind.words)
        axes.plot(*_smooth(training.even), color=colour, linestyle="--", linewidth=1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("games played against itself")
    axes.set_ylabel("squared error of a share, × 1000")
    axes.set_title("Error before learning from a game; dashed: of equal shares")
    axes.legend()
    axes.grid(alpha=0.3)


def _smooth(values: list[float]) -> tuple[list[float], list[float]]:
    """Means of equal stretches, each at its middle."""
    stretches = np.array_split(np.arange(len(values)), min(SMOOTH, len(values)))
    return (
        [float(stretch.mean()) for stretch in stretches],
        [float(np.mean([values[index] for index in stretch])) for stretch in stretches],
    )
