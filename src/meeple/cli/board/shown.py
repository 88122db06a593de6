"""Games shown as they are played by others: each position, and the action that led there."""

from collections.abc import Callable

from meeple.cli.board.terminal import in_colour
from meeple.cli.board.words import describe_result, seat_names
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, positions


def shower() -> Callable[[int, tuple[str, ...], Position], None]:
    """What prints each position of the games as they are played."""
    colour = in_colour()

    def show(number: int, names: tuple[str, ...], position: Position) -> None:
        if not position.actions:
            print(f"\nGame {number + 1}: {', '.join(seat_names(position.game, names))}\n")
        else:
            print(f"{last_action(position)}\n")
        print(position.game.draw(position, colour), end="\n\n", flush=True)
        if position.is_over:
            print(describe_result(position, seat_names(position.game, names)), flush=True)

    return show


def last_action(position: Position) -> str:
    """The last action of a position as words: "3. player 1: b2"."""
    before = position.copy()
    before.undo()
    action = position.actions[-1]
    seat = before.to_move
    who = position.game.player_name(seat) if seat >= 0 else "chance"
    return f"{len(position.actions)}. {who}: {before.action_name(action)}"


def show_record(number: int, record: GameRecord) -> None:
    """Print a whole game, position by position."""
    show = shower()
    for position in positions(record):
        show(number, record.seats, position)
