"""The figure of the Catan study: results, game lengths and training errors."""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from meeple.arena.figures.statistics import wilson_interval
from meeple_studies.catan_games import Result, found_of, wins_of
from meeple_studies.catan_players import KINDS, LEARNERS
from meeple_studies.catan_training import Training

if TYPE_CHECKING:  # matplotlib is slow to import
    from matplotlib.axes import Axes

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#888888"  # of Okabe and Ito
SMOOTH = 40  # points of a training curve


def picture(results: Sequence[Result], trainings: Mapping[str, Training]) -> bytes:
    """Draw the figure as a PNG: shares, wins, game lengths by winner and each network's errors."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 8.4), layout="constrained", dpi=110)
    FigureCanvasAgg(figure)
    (left, right), below = figure.subplots(2, 2)
    _draw_results(left, results)
    _draw_lengths(right, results)
    for axes, kind in zip(below, LEARNERS, strict=True):
        _draw_learning(axes, trainings[kind.name])
        axes.set_title(kind.words.capitalize())
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _draw_results(axes: "Axes", results: Sequence[Result]) -> None:
    """Draw each agent's mean share and its share of games won."""
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


def _draw_lengths(axes: "Axes", results: Sequence[Result]) -> None:
    """Draw the actions of the games that each agent won: median, quartiles and extremes."""
    rows = np.arange(len(KINDS))[::-1]
    actions = [
        [result.actions for result in results if result.winner == who] for who in range(len(KINDS))
    ]
    axes.boxplot(
        actions, positions=rows.tolist(), orientation="horizontal", widths=0.5, whis=(0, 100),
        manage_ticks=False, medianprops={"color": ORANGE},
    )  # fmt: skip
    axes.set_yticks(
        rows, [f"{kind.words} ({len(a)})" for kind, a in zip(KINDS, actions, strict=True)]
    )
    axes.set_xlim(left=0)
    axes.set_xlabel("actions of all players")
    axes.set_title("Length of a game, by who won it (games)")
    axes.grid(axis="x", alpha=0.3)


def _draw_learning(axes: "Axes", training: Training) -> None:
    """Draw a network's errors before and after each training game, and those of equal shares."""
    curves = [("before learning from the game", training.before, BLUE, "-")]
    for name, of, colour in (
        ("after, positions learned from", "training", GREY),
        ("after, validation", "validation", GREEN),
        ("after, test", "test", ORANGE),
    ):
        after = [float(getattr(losses, of)) for losses in training.after]
        if not np.isnan(after).all():
            curves.append((name, after, colour, "-"))
    curves.append(("equal shares", training.even, GREY, "--"))
    for name, errors, colour, line in curves:
        axes.plot(*_smooth(errors), color=colour, linestyle=line, label=name, linewidth=1.5)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("games played against itself")
    axes.set_ylabel("squared error of a share, × 1000")
    axes.legend()
    axes.grid(alpha=0.3)


def _smooth(values: list[float]) -> tuple[list[float], list[float]]:
    """Return the middles of equal intervals of games, and the means in them times 1,000."""
    stretches = np.array_split(np.arange(len(values)), min(SMOOTH, len(values)))
    return (
        [float(stretch.mean()) for stretch in stretches],
        [1000 * float(np.nanmean([values[index] for index in stretch])) for stretch in stretches],
    )
