"""The picture of a tournament: ratings with intervals, and the table of results."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from meeple.arena.figures.standings import Standings

if TYPE_CHECKING:  # matplotlib is slow to import
    from matplotlib.axes import Axes

COLOURS = "PuOr"  # diverging, and distinct for colour-blind readers (ColorBrewer)
BLUE = "#0072b2"  # of the palette of Okabe and Ito
MAX_ANNOTATED = 16  # agents whose cells still have room for a number
MAX_LABEL_LETTERS = 28
MAX_LETTERS = 40  # of all labels together that fit side by side


def picture(
    standings: Standings,
    labels: Sequence[str],
    episodes: Sequence[int] | None = None,
    unit: str = "episode",
) -> bytes:
    """Return a PNG with two panels: ratings, and the result of each agent against each.

    With `episodes`, the ratings are a learning curve over these numbers; `unit` is their unit,
    "episode" or "round".
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    agents = len(labels)
    height = min(max(4.2, 2.2 + 0.42 * agents), 14)
    figure = Figure(figsize=(2.4 * height, height), layout="constrained", dpi=110)
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))
    short = [
        label if len(label) <= MAX_LABEL_LETTERS else f"…{label[-MAX_LABEL_LETTERS:]}"
        for label in labels
    ]
    if episodes is None:
        _draw_ranking(left, standings, short)
    else:
        _draw_curve(left, standings, episodes, unit)
    order = standings.ranking() if episodes is None else range(agents)
    _draw_matrix(right, standings, short, order, "agent" if episodes is None else unit)
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


def _margins(standings: Standings) -> np.ndarray:
    ratings = standings.ratings
    return np.stack([ratings.elo - ratings.low, ratings.high - ratings.elo])


def _draw_curve(axes: "Axes", standings: Standings, episodes: Sequence[int], unit: str) -> None:
    axes.errorbar(
        episodes, standings.ratings.elo, yerr=_margins(standings),
        color=BLUE, marker="o", capsize=3, linewidth=1.5,
    )  # fmt: skip
    axes.set_xlabel(f"{unit}s of training")
    axes.set_ylabel("rating (Elo; 0 = average)")
    axes.set_title("Ratings, with 95 % intervals")
    axes.grid(alpha=0.3)


def _draw_ranking(axes: "Axes", standings: Standings, labels: Sequence[str]) -> None:
    order = standings.ranking()[::-1]
    axes.errorbar(
        standings.ratings.elo[order], range(len(order)), xerr=_margins(standings)[:, order],
        color=BLUE, fmt="o", capsize=3,
    )  # fmt: skip
    axes.set_yticks(range(len(order)), [labels[agent] for agent in order])
    axes.set_xlabel("rating (Elo; 0 = average)")
    axes.set_title("Ratings, with 95 % intervals")
    axes.grid(alpha=0.3)


def _draw_matrix(
    axes: "Axes", standings: Standings, labels: Sequence[str], order: Sequence[int], what: str
) -> None:
    shares = 100 * standings.matrix[np.ix_(order, order)]
    image = axes.imshow(shares, cmap=COLOURS, vmin=0, vmax=100)
    axes.figure.colorbar(image, ax=axes, label="% of the points won by the row", shrink=0.85)
    names = [labels[agent] for agent in order]
    upright = sum(map(len, names)) > MAX_LETTERS
    turned: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(names)), names, **(turned if upright else {}))
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel(f"against {what}")
    axes.set_ylabel(what)
    axes.set_facecolor("#cccccc")  # where two did not meet
    axes.set_title("Result of each against each")
    if len(names) > MAX_ANNOTATED:
        return
    for row, column in np.argwhere(~np.isnan(shares)).tolist():
        share = shares[row, column]
        ink = "white" if abs(share - 50) > 35 else "black"
        axes.text(column, row, f"{share:.0f}", ha="center", va="center", color=ink)
