"""Games as data for a page that replays them without a server: the board after each move."""

import itertools
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from meeple.arena.figures.standings import Entry
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, positions
from meeple.games.contract.result import LOST_BY, result_text
from meeple.kernels import CHANCE

MAX_GAMES = 200  # on a page
MAX_CHARACTERS = 2_000_000  # of all games together, as JSON

_SHAPE = ("places", "labels", "joined", "tall", "edges", "looks", "colours")
"""Facts of a scene that stay the same in a game."""

Board = list[str]  # the pieces of all cells, or the lines of a text


def replays(
    entries: Sequence[Entry], most: int = MAX_GAMES, size: int = MAX_CHARACTERS
) -> list[dict[str, Any]]:
    """Return games as JSON for `report.js`, limited in number and total size, in their order.

    The first games of all line-ups are chosen before the second ones. A game has its number from 1,
    `seats`, `result`, the number of its `opening` actions, its `board` (a scene's shape, or
    {"family": "text"}) and `frames`. A frame has the seat that moved (from 0; -1 for
    chance and at the start), the action's name, the changes of the board since the frame before
    (cell or line, then piece or text, in one flat list), and the cells of the action.
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
    """Yield the numbers of all games: the first of every line-up, then the second, and so on."""
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
        facts, board, last = _board(position)
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
    """Return the kind of board, its pieces, and the cells of the last move."""
    scene = position.game.scene(position)
    if not scene.has_cells:
        return {"family": "text"}, str(position).splitlines(), []
    facts = scene.facts
    shape = {name: facts[name] for name in _SHAPE if name in facts}
    return (
        {"family": scene.family, **shape},
        list(facts["pieces"]),
        [int(cell) for cell in facts["last"]],
    )


def _changes(before: Board, after: Board) -> list[Any]:
    """Return index and new text of each difference, in one list; "" for a line that is gone."""
    pairs = itertools.zip_longest(before, after, fillvalue="")
    return [value for index, (old, new) in enumerate(pairs) if old != new for value in (index, new)]


def _result(record: GameRecord) -> str:
    """Return the result of a game as text, with the fault that ended it."""
    if record.lost_by is None:
        return result_text(record.shares, record.seats, tally=record.tally)
    how, loser = record.lost_by
    reason: str = LOST_BY[how]
    if how == "forfeit":
        reason += f" by {record.notes.get('fault', 'a fault')}"
    return result_text(record.shares, record.seats, loser, reason, record.tally)
