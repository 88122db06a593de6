"""Drawings of boards as text, plain ASCII or with ANSI colours."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.boards.cards import write_cards
from meeple.games.boards.scene import CARDS, FELT, LINES, ROW, TEXT, Scene, checked
from meeple.games.boards.shape import HEXAGONS, LABEL_REACH, PITS, POINTS, Point

PLAIN = ("X", "O", "*", "#")  # stones without colours, by player
_SIGNS = {
    "": ".",
    **{f"p{player}": sign for player, sign in enumerate(PLAIN)},
    **{name: name[0] for name in ("stone", "copper", "gold")},  # pieces that the page draws
}
DISC = "●"  # a stone in colours
EMPTY = "·"  # an empty cell
CROSS = ("+", "×")  # a free cell that a rule closes, without and with colours

# From the 256-colour palette: legible on black and on white, and distinct for colour-blind readers:
# player 1 red, player 2 blue, player 3 orange, player 4 purple.
_SHADES = (196, 33, 172, 97)
_GREY = 245
_STONES = {"black": 16, "white": 231}
_GROUNDS = {LINES: (180, 94, 19), FELT: (29, 22, 226)}
"""By style: the colours of a board, of its empty cells and of the free cells that are marked."""
_WON = 214  # the ground of a winning row of stones
_RESET = "\x1b[0m"


def paint(text: str, player: int) -> str:
    """Return a text in a player's colour."""
    return _ink(text, _SHADES[player])


def stone(colour: str, style: str) -> str:
    """Return a black or white stone on a board of that style."""
    return _on(_GROUNDS[style][0], _ink(DISC, _STONES[colour]))


def _ink(text: str, shade: int) -> str:
    return f"\x1b[1;38;5;{shade}m{text}{_RESET}"


def _on(ground: int, text: str) -> str:
    """Return a text on a ground, which colours within the text keep."""
    begin = f"\x1b[48;5;{ground}m"
    return f"{begin}{text.replace(_RESET, _RESET + begin)}{_RESET}"


def block(text: str, player: int) -> str:
    """Return a text in white on a player's colour."""
    return f"\x1b[1;38;5;231;48;5;{_SHADES[player]}m{text}{_RESET}"


def dim(text: str) -> str:
    """Return a text in grey."""
    return f"\x1b[38;5;{_GREY}m{text}{_RESET}"


def bold(text: str) -> str:
    """Return a text in bold."""
    return f"\x1b[1m{text}{_RESET}"


def free(text: str) -> str:
    """Return a text in green, which marks a free place."""
    return f"\x1b[1;38;5;34m{text}{_RESET}"


def star(colour: bool) -> str:
    """Return the mark of a free cell that a legal action of interest fills."""
    return free("★") if colour else "*"


def write(
    scene: Scene,
    colour: bool = False,
    marked: Collection[int] = (),
    names: Mapping[str, str] | None = None,
) -> str:
    """Return a board of cells or rows, or a table of cards, as text.

    A player's stone is an X, an O and so on, a named piece its letter, any other its text. The last
    move is shown in (), a winning line in [] or on the winner's colour.

    Args:
        scene: the board.
        colour: whether to use ANSI colours.
        marked: legal actions whose free cells are shown as stars.
        names: what to write in place of the names of rows and columns.

    Raises:
        NotImplementedError: the board is of another family.
    """
    if checked(scene).family == CARDS:
        return write_cards(scene.facts)
    if scene.family == ROW:
        lines = {
            row["label"]: [cell["piece"] for cell in row["cells"]] for row in scene.facts["rows"]
        }
        margin = max(map(len, lines), default=0)
        return "\n".join(
            f"{label:>{margin}} {' '.join(map(_sign, cells)) or '-'}"
            for label, cells in lines.items()
        )
    if not scene.has_cells:
        raise NotImplementedError(f"a game that shows {scene.family} draws its own text")
    drawn = _Canvas(scene, colour).drawn(_touched(scene, marked), names or {})
    return "\n".join(filter(None, [drawn, scene.facts.get("note")]))


def write_line(scene: Scene) -> str:
    """Return any board in one line: rows without coordinates, separated by "/"."""
    if scene.family == CARDS:
        return " / ".join(write(scene).splitlines())
    if scene.family == TEXT:
        return " / ".join(line.strip() for line in scene.facts["text"].splitlines())
    if scene.family == ROW:
        return " / ".join(
            f"{row['label']} {_joined([_sign(cell['piece']) for cell in row['cells']]) or '-'}"
            for row in scene.facts["rows"]
        )
    if not scene.has_cells:
        return ""
    cells = zip(scene.facts["pieces"], scene.facts["places"], strict=True)
    signs = [_sign(piece, scene.facts.get("looks")) if place else "" for piece, place in cells]
    columns = scene.facts["columns"]
    lines_of_signs = (signs[first : first + columns] for first in range(0, len(signs), columns))
    return "/".join(_joined([sign for sign in line if sign]) for line in lines_of_signs)


def _joined(signs: Sequence[str]) -> str:
    """Join signs of one character without spaces, and longer ones with spaces."""
    return (" " if any(len(sign) > 1 for sign in signs) else "").join(signs)


def _sign(piece: str, looks: Mapping[str, Any] | None = None) -> str:
    """Return a piece as plain text."""
    return looks[piece]["letter"] if looks and piece in looks else _SIGNS.get(piece, piece)


def _touched(scene: Scene, actions: Collection[int]) -> set[str]:
    paths = [scene.marks.get(action) or scene.clicks.get(action, ())[-1:] for action in actions]
    return {spot for path in paths for spot in path}


class _Canvas:
    """A board of cells as characters: a cell's text ends at its place, with room for brackets."""

    def __init__(self, scene: Scene, colour: bool) -> None:
        self.facts, self.colour = scene.facts, colour
        self.looks: Mapping[str, Any] = scene.facts.get("looks") or {}
        self.texts = [_sign(piece, self.looks) for piece in scene.facts["pieces"]]
        self.wide = max(map(len, self.texts), default=1)
        self.reach = LABEL_REACH.get(scene.family, 1.0)
        spare = {HEXAGONS: 1 + (self.wide + 1) % 2, POINTS: 3, PITS: 3}.get(scene.family, 1)
        self.unit = self.wide + spare  # characters from a cell to the next
        self.places = {cell: place for cell, place in enumerate(scene.facts["places"]) if place}
        edges = scene.facts.get("edges", ())
        self.players = {edge["side"]: edge["player"] for edge in edges if "side" in edge}
        self.walls = [edge["points"] for edge in edges if "side" not in edge]
        heights = [y for _, y in self.places.values()]
        heights += [y for _, _, y, _ in scene.facts["labels"]]
        heights += [(start[1] + end[1]) / 2 for start, end in self.walls]
        apart = 2 if scene.family == POINTS else 1
        levels = sorted({round(y, 2) for y in heights})
        self.levels = {level: apart * line for line, level in enumerate(levels)}
        self.signs = dict[tuple[int, int], str]()  # by line and column
        self.grounds = _GROUNDS.get(scene.facts.get("style", "")) if colour else None

    def drawn(self, marked: Collection[str], names: Mapping[str, str]) -> str:
        """Return the board, with stars on the marked spots that are free."""
        for pair in self.facts.get("joined", ()):
            self._draw_line(*(self._at(self.places[cell]) for cell in pair))
        for text, x, y, side in self.facts["labels"]:
            self._put_label(names.get(text, text), x, y, side)
        for start, end in self.walls:
            self._put_wall(start, end)
        for cell, place in self.places.items():
            self._put(*self._at(place), self._cell(cell, marked), len(self.texts[cell] or " "))
        self._put_brackets()
        lines = {line for line, _ in self.signs}
        return "\n".join(self._line(line) for line in sorted(lines))

    def _line(self, line: int) -> str:
        """Return a line of characters, on the ground of the board where it has one."""
        first = min(column for _, column in self.signs)
        last = max(column for row, column in self.signs if row == line)
        signs = [self.signs.get((line, column), " ") for column in range(first, last + 1)]
        cells = [at[1] - first for at in map(self._at, self.places.values()) if at[0] == line]
        if self.grounds and cells:
            inside = slice(min(cells) - self.wide, max(cells) + 2)
            signs[inside] = [_on(self.grounds[0], "".join(signs[inside]))]
        return "".join(signs).rstrip()

    def _at(self, place: Point) -> tuple[int, int]:
        return self.levels[round(place[1], 2)], round(place[0] * self.unit)

    def _put(self, line: int, column: int, text: str, width: int) -> None:
        """Put a text, which may contain colour codes, so that its `width` ends at a column."""
        signs = text if len(text) == width else [text] + [""] * (width - 1)
        for place, sign in enumerate(signs, column - width + 1):
            self.signs[line, place] = sign

    def _put_label(self, text: str, x: float, y: float, side: str) -> None:
        if side == "left":
            column = self._at((x + self.reach, y))[1] - self.wide - 2
        elif side == "right":
            column = self._at((x - self.reach, y))[1] + 2 + len(text)
        else:
            column = self._at((x, y))[1]
        player = self.players.get(side)
        painted = text if player is None or not self.colour else block(text, player)
        self._put(self._at((x, y))[0], column, painted, len(text))

    def _put_wall(self, start: Point, end: Point) -> None:
        line, column = self._at(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        across, down = abs(end[0] - start[0]), abs(end[1] - start[1])
        if not across:
            self._put(line, column - self.unit // 2 + 1, "|", 1)
        elif not down:
            self._put(line, column, "-" * self.wide, self.wide)
        else:
            self._put(line, column, "\\/"[(end[0] - start[0]) * (end[1] - start[1]) < 0], 1)

    def _draw_line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        (line, column), (last, aim) = min(start, end), max(start, end)
        if line == last:
            self._put(line, aim, "-" * (aim - column), aim - column)
        for between in range(line + 1, last):
            place = column + (aim - column) * (between - line) / (last - line)
            sign = "|" if aim == column else "\\" if aim > column else "/"
            self._put(between, round(place), sign, 1)

    def _cell(self, cell: int, marked: Collection[str]) -> str:
        piece, text, colour = self.facts["pieces"][cell], self.texts[cell], self.colour
        in_line = str(cell) in self.facts["line"]
        if not piece:
            if str(cell) in self.facts.get("closed", ()):
                return self._free(CROSS[colour])
            if str(cell) in marked:
                return _ink("★", self.grounds[2]) if self.grounds else star(colour)
            return self._free(EMPTY if colour else ".")
        player = self._owner(piece)
        if not colour or player is None:
            return text
        shown, colours = (text if piece in self.looks else DISC), self.facts.get("colours", ())
        if self.grounds and player < len(colours):
            own = _ink(shown, _STONES[colours[player]])
            return _on(_WON, own) if in_line else own
        return (block if in_line else paint)(shown, player)

    def _free(self, sign: str) -> str:
        if self.grounds:
            return _ink(sign, self.grounds[1])
        return dim(sign) if self.colour else sign

    def _owner(self, piece: str) -> int | None:
        if piece in self.looks:
            player: int | None = self.looks[piece]["player"]
            return player
        return int(piece[1:]) if piece[:1] == "p" and piece[1:].isdigit() else None

    def _put_brackets(self) -> None:
        """Put () around the last move, and [] around a line, or between its discs."""
        ends: dict[tuple[int, int], list[tuple[str, int | None]]] = {}
        for spots, pair in ((self.facts["line"], ("[", "]")), (self.facts["last"], ("(", ")"))):
            for cell in map(int, spots):
                line, column = self._at(self.places[cell])
                owner = self._owner(self.facts["pieces"][cell])
                ends.setdefault((line, column - self.wide), []).append((pair[0], owner))
                ends.setdefault((line, column + 1), []).append((pair[1], owner))
        for place, found in ends.items():
            signs, owner = [sign for sign, _ in found], found[0][1]
            inside = "[" in signs and "]" in signs
            sign = next((one for one in signs if one in "()"), " " if inside else signs[0])
            if not self.colour:
                self.signs[place] = sign
            elif inside and owner is not None:
                self.signs[place] = _on(_WON, sign) if self.grounds else block(sign, owner)
            elif sign in "()":
                black = _STONES["black"]
                self.signs[place] = _ink(sign, black) if self.grounds else bold(sign)


def winning_chain(owner: npt.NDArray[np.int_], winner: int) -> tuple[int, ...]:
    """Return the cells of a shortest chain of the winner's stones between their two sides.

    Args:
        owner: [size, size] int, the player of each stone; -1 for a free cell.
        winner: the player.

    Raises:
        ValueError: the player has not joined their sides.
    """
    size = len(owner)
    across = 0 if winner == 0 else 1  # which coordinate runs from side to side
    steps = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))
    start = [cell for cell in np.argwhere(owner == winner).tolist() if cell[across] == 0]
    chains = deque([(row, column)] for row, column in start)
    seen = {chain[0] for chain in chains}
    while chains:
        chain = chains.popleft()
        row, column = chain[-1]
        if chain[-1][across] == size - 1:
            return tuple(row * size + column for row, column in chain)
        for down, right in steps:
            cell = (row + down, column + right)
            inside = 0 <= cell[0] < size and 0 <= cell[1] < size
            if inside and owner[cell] == winner and cell not in seen:
                seen.add(cell)
                chains.append([*chain, cell])
    raise ValueError(f"player {winner + 1} has not joined their sides")
