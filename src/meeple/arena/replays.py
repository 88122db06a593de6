"""Games as data for a page that replays them without a server: boards, move by move."""

import itertools
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from meeple.arena.forfeit import shares_of
from meeple.arena.standings import Entry
from meeple.games.boards.scene import HEXAGONS, SQUARES
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, positions
from meeple.games.contract.result import result_text
from meeple.kernels import CHANCE

MOST_GAMES = 200
MOST_CHARACTERS = 2_000_000  # of all games together, as JSON

Board = list[str]  # the pieces of all cells, or the lines of a text


def replays(
    entries: Sequence[Entry], most: int = MOST_GAMES, size: int = MOST_CHARACTERS
) -> list[dict[str, Any]]:
    """Games as JSON for `report.js`, so many and so large together at the most, in their order.

    The first games of all line-ups come before the second ones, so that each is there. A game has
    its number from 1, `seats`, `result`, the number of its `opening` actions, its `board`
    ({"family", "rows", "columns"}, or {"family": "text"}) and `frames`: of each position who played
    what (seat from 0, -1 for chance and at the start; words), what has changed on the board since
    the frame before (cell or line, piece or text, and so on), and the cells of that move.
    """
    found: dict[int, dict[str, Any]] = {}
    left = size
    for number in itertools.islice(_spread(entries), most):
        game = _replay(number, entries[number].record)
        left -= len(json.dumps(game))
        if left < 0:
            break
        found[number] = game
    return [found[number] for number in sorted(found)]


def _spread(entries: Sequence[Entry]) -> Iterator[int]:
    """The numbers of all games: the first of every line-up, then the second, and so on."""
    seen: defaultdict[tuple[int, ...], int] = defaultdict(int)
    places = []
    for number, entry in enumerate(entries):
        places.append((seen[entry.lineup], number))
        seen[entry.lineup] += 1
    return (number for _, number in sorted(places))


def _replay(number: int, record: GameRecord) -> dict[str, Any]:
    frames: list[list[Any]] = []
    before: Board = []
    mover, facts = -1, {"family": "text"}
    for ply, position in enumerate(positions(record)):
        header, board, last = _board(position)
        facts = header if ply == 0 else facts
        words = record.actions[ply - 1] if ply else ""
        frames.append([mover, words, _changes(before, board), last])
        before = board
        mover = -1 if position.is_over or position.to_move == CHANCE else position.to_move
    return {
        "number": number + 1,
        "seats": list(record.seats),
        "result": _result(record),
        "opening": record.opening,
        "board": facts,
        "frames": frames,
    }


def _board(position: Position) -> tuple[dict[str, Any], Board, list[int]]:
    """What kind of board it is, what lies there, and the cells of the last move."""
    scene = position.game.scene(position)
    if scene.family not in (SQUARES, HEXAGONS):
        return {"family": "text"}, str(position).splitlines(), []
    facts = scene.facts
    header = {"family": scene.family, "rows": facts["rows"], "columns": facts["columns"]}
    if scene.family == HEXAGONS:
        header["sides"] = facts["sides"]
    return header, list(facts["pieces"]), [int(cell) for cell in facts["last"]]


def _changes(before: Board, after: Board) -> list[Any]:
    """Index and new text of all that differs, in one list; a line that is gone is empty."""
    pairs = itertools.zip_longest(before, after, fillvalue="")
    return [value for index, (old, new) in enumerate(pairs) if old != new for value in (index, new)]


def _result(record: GameRecord) -> str:
    """Return the result of a game as text, with the fault that ended it."""
    shares = shares_of(record)
    if record.payoffs is not None or not shares:
        return result_text(shares, record.seats)
    reason = f"failed by {record.notes.get('fault', 'a fault')}"
    return result_text(shares, record.seats, int(record.notes["forfeit"]), reason)
