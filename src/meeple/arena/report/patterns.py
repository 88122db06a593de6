"""The section of a report with pictures of the patterns that decide most."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from meeple.arena.report.sections import Section
from meeple.games.boards.scene import Scene, squares
from meeple.games.boards.svg import drawing_of
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import Cells
from meeple.search.patterns.contents import sampled_positions
from meeple.search.patterns.contributions import contributions
from meeple.search.patterns.file import load_patterns

MAX_PICTURES = 24
CELL = "p1"  # the piece that marks a pattern's cells


def patterns_section(file: Path, game: Game) -> Section:
    """Return pictures of the patterns in a file that contribute most, the greatest first.

    Raises:
        CheckpointError: the file is no whole pattern evaluation of this game.
    """
    evaluation = load_patterns(file, game)
    layout, shares = evaluation.layout, contributions(evaluation, sampled_positions(game))
    board = _board(game, layout.contents.cells)
    pictures = []
    for pattern in np.argsort(-shares, kind="stable")[:MAX_PICTURES]:
        group = layout.groups[layout.pattern_of.index(pattern)]
        places = layout.pattern_of.count(int(pattern))
        words = f"{100 * shares[pattern]:.1f} %, {places} place{'s' * (places > 1)}"
        drawn = drawing_of(_marked(board, group), "")
        pictures.append(f"<figure>{drawn}<figcaption>{words}</figcaption></figure>")
    note = (
        f"Of {len(shares)} patterns, those with the largest shares of the variance of the "
        "evaluation's logit over positions of random games. Symmetries place a pattern elsewhere."
    )
    return Section(
        "Patterns",
        f'<p class="settings">{note}</p><div class="patterns">{"".join(pictures)}</div>',
    )


def _board(game: Game, cells: int) -> Scene:
    """Return the game's own board if it has these cells, or a grid of them."""
    scene, shape = game.scene(game.start(0)), game.observation_shape
    own = scene.has_cells and len(scene.facts["pieces"]) == cells
    if own:
        return scene
    columns = shape[-1] if len(shape) > 2 and cells % shape[-1] == 0 else cells
    return squares(np.full((cells // columns, columns), -1))


def _marked(board: Scene, group: Cells) -> Scene:
    pieces = [CELL if cell in group else "" for cell in range(len(board.facts["pieces"]))]
    return replace(board, facts={**board.facts, "pieces": pieces, "last": [], "line": []})
