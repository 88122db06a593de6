"""Finds an order of moves that leads to a board of stones placed by hand, in placement games."""

from collections.abc import Iterator, Sequence
from typing import Any

from meeple.errors import IllegalAction, MeepleError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import record_of
from meeple.games.contract.set_up import board_text
from meeple.kernels import OVER
from meeple.server.errors import refusal
from meeple.server.limits import LIMITS

SWAP = "swap"
_BOARD_INSTEAD = (
    "impossible_stones",
    "impossible_stones_with_mover",
    "moves_not_stones",
    "no_order_of_stones",
    "stones_end_early",
)  # codes of refusals after which a board is tried


def source_of(
    game: Game, pieces: Sequence[str], to_move: int | None, max_placements: int
) -> dict[str, Any]:
    """Return the options and moves that lead to a board; see `arrange`.

    If players cannot place the stones in turn, the game begins with the board, if it has such an
    option; the side with fewer stones moves first unless `to_move` says otherwise.

    Raises:
        MeepleError: As `arrange`, if the game has no such option or is over on the board.
    """
    try:
        return {"options": game.options, "moves": arrange(game, pieces, to_move, max_placements)}
    except MeepleError as error:
        begun = _begun_with(game, pieces, to_move) if error.code in _BOARD_INSTEAD else None
        if begun is None:
            raise
        return {"options": begun.options, "moves": []}


def _begun_with(game: Game, pieces: Sequence[str], to_move: int | None) -> Game | None:
    """Return the game that begins with a board, None if it cannot or would be over at once."""
    signs = {"": -1, "p0": 0, "p1": 1}
    if not game.start_option or any(piece not in signs for piece in pieces):
        return None
    if not any(pieces):
        return game.usual()
    owners = [signs[piece] for piece in pieces]
    mover = int(owners.count(0) > owners.count(1)) if to_move is None else to_move
    options = {**game.usual().options, game.start_option: board_text(owners, mover)}
    begun = type(game)(**options)
    return None if begun.start().is_over else begun


def arrange(
    game: Game,
    pieces: Sequence[str],
    to_move: int | None = None,
    max_placements: int = LIMITS.max_placements,
) -> list[str]:
    """Return the names of moves that lead to a board.

    Args:
        game: the game.
        pieces: "" or "p0", "p1", ... for every cell, as in a scene.
        to_move: the seat to move on the board; None: any.
        max_placements: stones placed in the search for an order.

    Raises:
        MeepleError: The game's moves do more than place a stone, or no order of these stones ends
            the game only with the last one.
    """
    start, tries = game.start(), iter(range(max_placements))
    _check_places(start)
    board = game.scene(start).facts["pieces"]
    if len(pieces) != len(board):
        raise UsageError(f"the board has {len(board)} cells, not {len(pieces)}")
    stones: list[list[int]] = [[] for _ in range(game.players)]
    signs = {f"p{player}": player for player in range(game.players)}
    for cell, piece in enumerate(pieces):
        if piece in signs:
            stones[signs[piece]].append(cell)
        elif piece:
            raise UsageError(f"a piece must be empty or one of {', '.join(signs)}, not '{piece}'")
    for opening in _openings(start, stones, to_move):
        position = _ordered(opening, stones, tries)
        if position is not None:
            return _names(position)
    raise refusal(MeepleError, "stones_end_early")


def _check_places(start: Position) -> None:
    """Raise MeepleError, with an alternative, unless every cell is empty and an action."""
    game, scene = start.game, start.game.scene(start)
    if game.options.get("opening", "none") != "none":
        raise refusal(MeepleError, "colours_chosen")
    if scene.has_cells:
        board = scene.facts["pieces"]
        cells = (cell for cell, place in enumerate(scene.facts["places"]) if place)
        placing = {cell: (str(cell),) for cell in cells}
        if not any(board) and dict(scene.clicks) == placing:
            return
        raise refusal(MeepleError, "moves_not_stones", game=game.name)
    chosen = ", ".join(game.declared) or "none"
    raise refusal(MeepleError, "no_stones_to_place", game=game.name, options=chosen)


def _openings(
    start: Position, stones: Sequence[Sequence[int]], to_move: int | None
) -> Iterator[Position]:
    """Yield first positions: the start, and under the swap rule the positions after a swap.

    Raises:
        UsageError: Players who take turns cannot have these numbers of stones.
    """
    game, counts = start.game, [len(cells) for cells in stones]
    total, players = sum(counts), len(counts)
    found = False
    if counts == [(total + players - 1 - seat) // players for seat in range(players)]:
        found = to_move in (None, total % players)
        if found:
            yield start
    if game.options.get(SWAP) is True and counts[1] - counts[0] in (0, 1) and counts[1]:
        next_one = 1 - (counts[1] - counts[0])  # a swap makes up for a turn
        if to_move in (None, next_one):
            found = True
            yield from _swapped(start, stones[1])
    if not found:
        shown = ", ".join(f"{game.player_name(seat)} {count}" for seat, count in enumerate(counts))
        if to_move is None:
            raise refusal(UsageError, "impossible_stones", stones=shown)
        name = game.player_name(to_move)
        raise refusal(UsageError, "impossible_stones_with_mover", player=name, stones=shown)


def _swapped(start: Position, stones: Sequence[int]) -> Iterator[Position]:
    """Yield Hex positions after a swap, whose mirrored stone is one of the second player's."""
    size = int(start.game.options["size"])
    for cell in stones:
        position = start.copy()
        position.play(cell % size * size + cell // size)
        position.play(position.parse_action(SWAP))
        yield position


def _ordered(
    opening: Position, stones: Sequence[Sequence[int]], tries: Iterator[int]
) -> Position | None:
    """Return the position after all stones, of which only the last may end the game; or None.

    A stone that would end the game early is deferred. If that fails, each stone of the player who
    places last is tried as the last one.
    """
    placed = set(_cells(opening))
    left = [[cell for cell in cells if cell not in placed] for cells in stones]
    total = sum(map(len, left))
    if not total:
        return opening
    last = (opening.to_move + total - 1) % len(stones)
    for reserved in (None, *left[last]):
        position = _placed(opening, left, reserved, tries)
        if position is not None:
            return position
    return None


def _placed(
    opening: Position, stones: Sequence[Sequence[int]], reserved: int | None, tries: Iterator[int]
) -> Position | None:
    """Return the position after all stones; None if no remaining stone can be placed.

    Raises:
        MeepleError: `tries`, which has an item for each placement, ends.
    """
    position, left = opening.copy(), [list(cells) for cells in stones]
    total = sum(map(len, left))
    while total:
        mine = left[position.to_move]
        for cell in mine:
            if total > 1 and cell == reserved:
                continue
            if next(tries, None) is None:
                raise refusal(MeepleError, "no_order_of_stones")
            try:
                position.play(cell)
            except IllegalAction:  # forbidden before other stones are placed
                continue
            if position.to_move != OVER or total == 1:
                mine.remove(cell)
                break
            position.undo()
        else:
            return None
        total -= 1
    return position


def _cells(position: Position) -> list[int]:
    pieces = position.game.scene(position).facts["pieces"]
    return [cell for cell, piece in enumerate(pieces) if piece]


def _names(position: Position) -> list[str]:
    """Return the names of a game's actions."""
    return list(record_of(position, ()).actions)
