"""Each game's notation of cells and special moves in SGF. Files and records are in `sgf.py`.

Hex: column letter and row number, `a1` at the top left; `swap-pieces`, `swap-sides`, `resign` and
`forfeit` (https://www.red-bean.com/sgf/hex.html). Little Golem writes two letters instead, column
and row, and `swap`. Gomoku and Renju: two letters as in Go, `aa` at the top left; players say `h8`,
whose rows count from the bottom. Othello: a letter and a number, `a1` at the top left, and `PA` for
a pass, as Edax reads and writes; two letters are understood as well. GGF (`ggf.py`) and WTHOR
(`wthor.py`) name the cells of Othello in the same way.
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meeple.games.boards.grid import cell_name, column_name
from meeple.protocols.records.vocabulary import NOTHING_GIVEN, stated_rule

PASS, SWAP, SWAP_SIDES, RESIGN = "pass", "swap", "swap-sides", "resign"

_SPECIAL = {
    "hex": {
        "swap": SWAP,
        "swap-pieces": SWAP,
        "swap-sides": SWAP_SIDES,
        "resign": RESIGN,
        "forfeit": RESIGN,
    },
    "gomoku": {"resign": RESIGN},
    "reversi": {"": PASS, "pa": PASS, "pass": PASS, "ps": PASS, "--": PASS, "tt": PASS}
    | {"resign": RESIGN},
}
_LETTERS = re.compile(r"([a-z])([a-z])")
_NAME = re.compile(r"([a-z])([0-9]{1,2})")


@dataclass(frozen=True)
class Dialect:
    """One game's SGF."""

    number: int  # in GM
    size: int  # if SZ is missing
    from_bottom: bool  # whether the rows of a name such as `h8` count from the bottom
    write: Callable[[int, int], str]  # returns the text of (row, column)
    rules: Callable[[Mapping[str, Any]], str]  # returns the RU of the options, or ""


def _two_letters(row: int, column: int) -> str:
    return column_name(column) + column_name(row)


def _hex_rules(options: Mapping[str, Any]) -> str:
    return "swap" if options["swap"] else ""


def _gomoku_rules(options: Mapping[str, Any]) -> str:
    row = "" if options["in_a_row"] == 5 else f" {options['in_a_row']} in a row"
    return f"{options['rule']}{row}"


def _reversi_rules(options: Mapping[str, Any]) -> str:
    return "discs" if options["payoff"] == "discs" else ""


DIALECTS = {
    "hex": Dialect(11, 11, False, cell_name, _hex_rules),
    "gomoku": Dialect(4, 15, True, _two_letters, _gomoku_rules),
    "reversi": Dialect(2, 8, False, cell_name, _reversi_rules),
}


_RULES: dict[str, tuple[str, Mapping[str, Sequence[set[str]]], tuple[str, ...]]] = {
    "hex": (
        "swap",
        {
            "on": ({"swap"}, {"pie"}, {"swap", "pieces"}, {"swap", "sides"}),
            "off": ({"no", "swap"}, {"noswap"}, {"no", "pie"}),
        },
        ("off",),
    ),
    "gomoku": (
        "rule",
        {
            "freestyle": ({"freestyle"}, {"free", "style"}, {"free"}, {"0"}),
            "standard": ({"standard"}, {"exact"}, {"exactly"}, {"exactly", "five"}, {"1"}),
            "renju": ({"renju"}, {"4"}),
        },
        ("freestyle", "standard"),
    ),
    "reversi": (
        "payoff",
        {"win": ({"win"}, {"othello"}, {"standard"}), "discs": ({"discs"},)},
        ("win",),
    ),
}
"""By game: the option that RU states, the words of RU for each of its values, and the values of
files that say nothing, the likeliest first. The numbers are those of the protocol of the Gomocup,
which c-gomoku-cli writes (https://github.com/nkg114mc/c-gomoku-cli)."""


def cell_of(game: str, value: str, size: int) -> tuple[int, int] | None:
    """Return the (row, column) of a value, or None; upper and lower case are equal."""
    word = value.strip().lower()
    if found := _LETTERS.fullmatch(word):
        row, column = _index(found[2]), _index(found[1])
    elif found := _NAME.fullmatch(word):
        number = int(found[2])
        row = size - number if DIALECTS[game].from_bottom else number - 1
        column = _index(found[1])
    else:
        return None
    return (row, column) if 0 <= row < size and 0 <= column < size else None


@functools.lru_cache(4096)
def cells_of(game: str, value: str, size: int) -> int:
    """Return the cells of a point or of a rectangle such as `aa:cc`, of any two opposite corners.

    A cell is the bit `row * size + column`; 0 means that a corner is not on the board.
    """
    corners = [cell_of(game, corner, size) for corner in value.split(":", 2)]
    known = [corner for corner in corners if corner is not None]
    if len(known) < len(corners) or len(corners) > 2:
        return 0
    (top, bottom), (left, right) = (sorted((known[0][at], known[-1][at])) for at in (0, 1))
    columns = (1 << (right + 1)) - (1 << left)
    return sum(columns << (row * size) for row in range(top, bottom + 1))


def special(game: str, value: str) -> str | None:
    """Return the special move of a value, or None."""
    return _SPECIAL[game].get(value.strip().lower())


def is_two_letters(value: str) -> bool:
    """Return whether a value is two letters, as in Go."""
    return _LETTERS.fullmatch(value.strip().lower()) is not None


def options_of(
    game: str, size: int, rules: str, swapped: bool, given: Mapping[str, Any] = NOTHING_GIVEN
) -> list[dict[str, Any]]:
    """Return the possible options of a file, the likeliest first.

    Files rarely say whether more than five in a row win at Gomoku; then the moves must decide.

    Args:
        game: the game.
        size: rows of the board.
        rules: the value of RU, or "".
        swapped: whether the moves show that the players may swap.
        given: options that the user gave.

    Raises:
        MeepleError: the rule is unknown, or another than the given one.
    """
    said = rules.lower()
    found = re.search(r"([3-6]) in a row", said) if game == "gomoku" else None
    words = {*re.findall(r"\w+", said.replace(found[0], "") if found else said)}
    words -= {game, "rule", "rules"}
    name, known, usual = _RULES[game]
    if words:
        rule = next((rule for rule, phrases in known.items() if words in phrases), None)
        usual = (stated_rule(rules, rule, known, given, name),)
    elif name in given:
        usual = (str(given[name]),)
    elif game == "hex" and swapped:
        usual = ("on",)
    row = {"in_a_row": int(found[1]) if found else min(5, size)} if game == "gomoku" else {}
    return [
        {"size": size, name: rule, **({"in_a_row": 5} if rule == "renju" else row)}
        for rule in usual
    ]


def _index(letter: str) -> int:
    return ord(letter) - ord("a")
