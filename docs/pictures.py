"""Write the pictures that Meeple draws for the site: `python -m docs.pictures`.

Boards are those of notebooks. A picture whose name ends in `-steps` has a group for each step; the
script of the site shows one at a time, and other viewers the last.
"""

import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import meeple
from examples.mcts import Generator, Node, rollout, select_by_ucb1, simulate
from meeple.cli.new_game import Kind, written_files
from meeple.games.boards import scene as scenes
from meeple.games.boards import shape as shapes
from meeple.games.boards.pieces import Piece
from meeple.games.boards.svg import drawing_of
from meeple.games.contract.registry import make
from meeple.search.exact.cfr import solve_by_cfr
from meeple.search.exact.information_tree import information_tree

FOLDER = Path(__file__).resolve().parent / "images"
INK, QUIET, LINE, GROUND = "#1b2126", "#5b6670", "#a9a59b", "#f4f1ea"
PLAYERS = ("#c2410c", "#0b63b0")

# ---------------------------------------------------------------- boards


def board(name: str, *moves: str, **options: Any) -> str:
    """Return the board of a game after some moves."""
    position = make(name, **options).start(seed=1)
    for move in moves:
        position.play(move)
    return picture_of(position)


def island() -> str:
    """Return Catan's island after the set-up, which agents of the heuristic play."""
    game = make("catan", board="beginner")
    position, agent = game.start(seed=1), meeple.agent("greedy", game, seed=1)
    for _ in range(16):  # a settlement and a road, twice for each of four players
        position.play(agent.choose(position))
    return picture_of(position)


def picture_of(position: meeple.Position) -> str:
    """Return the picture of a position, without the table below an island."""
    return position._repr_html_().partition("<table>")[0]


def shape(name: str) -> str:
    """Return a board of a shape, with what a scene can show on it."""
    return drawing_of(SCENES[name], "")


ROUND = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
MORRIS = shapes.points(  # three rings of eight points, joined in the middles of their sides
    [(3 + size * x, 3 + size * y) for size in (3, 2, 1) for x, y in ROUND],
    [[8 * ring + at for at in (*range(8), 0)] for ring in range(3)]
    + [[at, 8 + at, 16 + at] for at in (1, 3, 5, 7)],
)
TOWER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#7a3e9d" '
    'd="M5 21V18H7V9H5V3H8V5H10.5V3H13.5V5H16V3H19V9H17V18H19V21Z"/></svg>'
)
LOOKS = {
    "king": Piece("K", player=0),
    "queen": Piece("Q", player=1),
    "tower": Piece("T", picture=TOWER),
    "dragon": Piece("D", colour="#ffd54f"),
}
SCENES = {
    "squares": scenes.board(
        shapes.grid(4, 5, holes=(7, 12)),
        [*["king", "", "", "", "dragon"], *[""] * 10, *["tower", "", "", "", "queen"]],
        walls=[(1, 6), (13, 14)],
        last=[19],
        looks=LOOKS,
    ),
    "lines": scenes.squares(np.array([[-1, 0, -1], [-1, 1, -1], [-1] * 3]), style=scenes.LINES),
    "diamond": scenes.hexagons(
        np.array([[-1, 0, -1, -1], [1, 0, -1, -1], [-1, 1, -1, -1]]),
        edges={"top": 0, "bottom": 0, "left": 1, "right": 1},
    ),
    "hexhex": scenes.board(shapes.hexhex(3), [-1] * 12 + [0, 1] + [-1] * 11, last=[13]),
    "triangle": scenes.board(shapes.triangle(4), [-1] * 9 + [0, 1] + [-1] * 5, last=[10]),
    "points": scenes.board(MORRIS, [0, 0, 0, -1, 1, 1, -1, 1] + [-1] * 16, line=[0, 1, 2]),
    "pits": scenes.board(shapes.pits(6), list(map(str, [4, 4, 0, 5, 5, 5, 1] + [4] * 6 + [0]))),
}


# ---------------------------------------------------------------- search

STONES, WIDE, HIGH, MARGIN = 5, 62, 68, 30
TREE_STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 80)
VISIT_STEPS = (10, 30, 100, 300, 1000, 3000)


def tree() -> str:
    """Return the tree of UCT in Nim as it grows."""
    places = dict(_places((), STONES, 0))
    leaves = max(x for x, _ in places.values())
    size = (2 * MARGIN + leaves * WIDE + 16, 2 * MARGIN + STONES * HIGH + 12)
    steps = [
        (f"{simulations:,} simulation{'s' * (simulations > 1)}", list(_nodes(root, (), places)))
        for simulations, root in searched(make("nim", stones=STONES).start(), TREE_STEPS)
    ]
    return stepped(size, steps)


def searched(position: meeple.Position, steps: Sequence[int]) -> Iterator[tuple[int, Node]]:
    """Yield the root of one UCT search after each of some numbers of simulations."""
    root, rng = Node(visits=1), Generator(1)
    select = partial(select_by_ucb1, rng=rng, c=1.4)
    for number in range(1, steps[-1] + 1):
        simulate(root, position.copy(), select, lambda _, leaf: rollout(leaf, rng), rng)
        if number in steps:
            yield number, root


def _places(path: tuple[int, ...], left: int, first: float) -> Iterator[tuple[Any, Any]]:
    """Yield the place of each position of Nim, by the actions that lead there: leaf, depth."""
    if left == 0:
        yield path, (first, len(path))
        return
    middles = []
    for action in range(min(3, left)):
        below = list(_places((*path, action), left - action - 1, first))
        yield from below
        middles.append(below[-1][1][0])
        first = max(x for _, (x, _) in below) + 1
    yield path, ((middles[0] + middles[-1]) / 2, len(path))


def _nodes(node: Node, path: tuple[int, ...], places: dict[Any, Any]) -> Iterator[str]:
    """Yield the drawing of a node, its edges and what is below it."""
    x, y = _at(places[path])
    for action, child in sorted(node.children.items()):
        end = _at(places[*path, action])
        width = 1 + 5 * child.visits / node.visits
        yield line((x, y), end, LINE, width)
        yield text(((x + end[0]) / 2 + 7, (y + end[1]) / 2), str(action + 1), QUIET, 11)
        yield from _nodes(child, (*path, action), places)
    mover = (len(path) - 1) % 2
    colour = PLAYERS[mover] if path else INK
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="{colour}"/>'
    count = node.visits if path else node.visits - 1  # the root begins with one
    yield text((x, y), str(count), "#ffffff", 12)
    if path:
        yield text((x + 30, y), f"{node.mean(mover):.2f}", INK, 11)


def _at(place: tuple[float, int]) -> tuple[float, float]:
    return MARGIN + place[0] * WIDE, MARGIN + place[1] * HIGH


def visits() -> str:
    """Return how a search divides its visits over the moves of tic-tac-toe."""
    position = make("gomoku", size=3, in_a_row=3).start()
    position.play("a1")
    position.play("b1")
    steps = []
    for simulations, root in searched(position, VISIT_STEPS):
        total, parts = sum(child.visits for child in root.children.values()), []
        for row, (action, child) in enumerate(sorted(root.children.items())):
            share, y = child.visits / total, 24 + 30 * row
            parts.append(text((26, y), position.action_name(action), INK, 14))
            parts.append(box((50, y - 10), (max(1.0, 430 * share), 20), PLAYERS[0]))
            parts.append(text((80 + 430 * share, y), f"{100 * share:.0f} %", INK, 13))
        steps.append((f"{simulations:,} simulations", parts))
    return stepped((560, 228), steps)


# ---------------------------------------------------------------- information and equilibrium


def doors() -> str:
    """Return the house with two doors in both determinizations, and as the player knows it."""
    parts: list[str] = []
    titles = ("prize on the left", "prize on the right", "what the player knows")
    for number, (title, left, right) in enumerate(zip(titles, (1, 0, 0.5), (0, 1, 0.5))):
        x = 20 + 230 * number
        middle, inside = (x + 100, 60), (x + 150, 130)
        entering = max(left, right)
        leaves = (
            (inside, (x + 105, 200), "left", left, PLAYERS[0] if left == entering else LINE),
            (inside, (x + 195, 200), "right", right, PLAYERS[0] if right == entering else LINE),
            (middle, (x + 50, 130), "leave", 0.6, PLAYERS[0] if entering < 0.6 else LINE),
            (middle, inside, "enter", entering, PLAYERS[0] if entering > 0.6 else LINE),
        )
        parts.append(text((x + 110, 22), title, INK, 15))
        for start, end, name, share, colour in leaves:
            parts.append(line(start, end, colour, 4 if colour != LINE else 2))
            side = -24 if end[0] < start[0] else 24
            place = ((start[0] + end[0]) / 2 + side, (start[1] + end[1]) / 2 - 6)
            parts.append(text(place, name, QUIET, 12))
            parts.append(_share(end, share))
        parts.append(_share(middle, max(0.6, entering)))
    return picture((710, 240), parts)


def _share(at: tuple[float, float], share: float) -> str:
    x, y = at
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="17" fill="{GROUND}" stroke="{INK}"/>'
    return disc + text(at, f"{share:g}", INK, 13)


ITERATIONS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
DECADES = (-5, -1)  # of the exploitability in the picture


def equilibrium() -> str:
    """Return the exploitability of CFR+ in Kuhn poker by its iterations, on logarithmic scales."""
    with tempfile.TemporaryDirectory() as folder:
        file, _, _ = written_files("kuhn-poker", Kind.hidden, Path(folder))
        kuhn = information_tree(make(str(file)))
    found = [solve_by_cfr(kuhn, n, precision=0.0).exploitability for n in ITERATIONS]

    def place(iterations: float, share: float) -> tuple[float, float]:
        return 70 + 150 * math.log10(iterations), 20 + 60 * (DECADES[1] - math.log10(share))

    parts = []
    for decade in range(DECADES[0], DECADES[1] + 1):
        start, end = place(1, 10**decade), place(1000, 10**decade)
        parts += [line(start, end, LINE, 1), text((40, start[1]), f"{10**decade:g}", QUIET, 12)]
    for iterations in (1, 10, 100, 1000):
        start, end = place(iterations, 10 ** DECADES[1]), place(iterations, 10 ** DECADES[0])
        below = (end[0], end[1] + 16)
        parts += [line(start, end, LINE, 1), text(below, f"{iterations:,}", QUIET, 12)]
    points = [place(*pair) for pair in zip(ITERATIONS, found)]
    parts += [line(a, b, PLAYERS[1], 3) for a, b in pairwise(points)]
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{PLAYERS[1]}"/>' for x, y in points]
    parts.append(text((295, 300), "iterations", INK, 13))
    return picture((560, 316), parts)


# ---------------------------------------------------------------- SVG

Point = tuple[float, float]


def picture(size: Point, parts: Sequence[str]) -> str:
    """Return parts as a picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" '
        f'width="{size[0]:.0f}" height="{size[1]:.0f}" font-family="sans-serif" '
        f'text-anchor="middle" dominant-baseline="central">{"".join(parts)}</svg>'
    )


def stepped(size: Point, steps: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a picture of several steps, each with its words."""
    return picture(
        size,
        [
            f'<g class="step" data-words="{words}"{hidden}>{"".join(parts)}</g>\n'
            for (words, parts), hidden in zip(
                steps, [' style="display:none"'] * (len(steps) - 1) + [""], strict=True
            )
        ],
    )


def line(start: Point, end: Point, colour: str, width: float) -> str:
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{width:.1f}"/>'
    )


def box(at: Point, size: Point, colour: str) -> str:
    return (
        f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}" '
        f'fill="{colour}"/>'
    )


def text(at: Point, words: str, colour: str, size: int) -> str:
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" fill="{colour}" font-size="{size}">{words}</text>'
    )


PICTURES: dict[str, Callable[[], str]] = {
    "rules/nim": partial(board, "nim", heaps="1,3,5"),
    "rules/ledge": partial(board, "ledge"),
    "rules/hex-won": partial(
        board, "hex", "c3", "b3", "b4", "c2", "d2", "d1", "b5", "c1", "e1", size=5
    ),
    "rules/hex-bridge": partial(board, "hex", "c2", "e1", "b4", size=5),
    "rules/gomoku": partial(board, "gomoku", "f6", "e5", "g5", "e6", "h4", "h6", size=11),
    "rules/reversi": partial(board, "reversi", "d3", "c3", "c4", "e3"),
    "rules/catan": island,
    **{f"shapes/{name}": partial(shape, name) for name in SCENES},
    "concepts/search-steps": tree,
    "concepts/visits-steps": visits,
    "concepts/information": doors,
    "concepts/equilibrium": equilibrium,
}
"""Every picture by its name below `docs/images/`."""

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        file = FOLDER / f"{name}.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(draw() + "\n", encoding="utf-8")
