"""Gomoku by the rule book: after every stone, the whole board is checked."""

from tests.naive.renju import NaiveRenju

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
BLACK, WHITE = 0, 1


class NaiveGomoku:
    """A game in progress on a dictionary of cells (row, column) to colours.

    Black is player 0, unless the players choose their colours in a swap opening.
    """

    def __init__(
        self, size: int, in_a_row: int, exact: bool = False, *, renju: bool = False, opening="none"
    ) -> None:
        self.size, self.in_a_row, self.exact = size, in_a_row, exact
        self.renju, self.opening = renju, opening
        self.owner: dict[tuple[int, int], int] = {}
        self.black: int | None = 0 if opening == "none" else None  # None: not chosen
        self.adds_stones = False  # whether player 1 has chosen to place two more stones
        self.passes = 0

    @property
    def colour(self) -> int:
        """The colour of the next stone."""
        return (len(self.owner) + self.passes) % 2

    @property
    def to_move(self) -> int:
        if self.black is not None:
            return self.black if self.colour == BLACK else 1 - self.black
        stones = len(self.owner)
        return 1 if stones == 3 or (stones == 4 and self.adds_stones) else 0

    @property
    def chooses(self) -> bool:
        awaited = 5 if self.adds_stones else 3
        return self.black is None and len(self.owner) == awaited

    def legal(self) -> list[int]:
        if self.is_over():
            return []
        if self.chooses:
            more = self.opening == "swap2" and not self.adds_stones
            return [self.size**2 + choice for choice in range(3 if more else 2)]
        return self._cells()

    def _cells(self) -> list[int]:
        free = [cell for cell in range(self.size**2) if divmod(cell, self.size) not in self.owner]
        if not self.renju or self.colour == WHITE:
            return free
        board = NaiveRenju(self.size, self.owner)
        return [cell for cell in free if not board.forbidden(divmod(cell, self.size))]

    def play(self, action: int) -> None:
        choice = action - self.size**2
        if choice == 2:
            self.adds_stones = True
        elif choice >= 0:
            self.black = self.to_move if choice == BLACK else 1 - self.to_move
        else:
            self.owner[divmod(action, self.size)] = self.colour
            if not self.is_over() and not self._cells():
                self.passes += 1

    def is_over(self) -> bool:
        return self.winning_colour() is not None or len(self.owner) == self.size**2

    def winner(self) -> int | None:
        colour = self.winning_colour()
        return colour if colour is None or self.black in (None, BLACK) else 1 - colour

    def winning_colour(self) -> int | None:
        for cell, colour in self.owner.items():
            exact = self.is_exact(colour)
            for step in STEPS:
                run = self._run(cell, step, colour)
                if run == self.in_a_row or (run > self.in_a_row and not exact):
                    return colour
        return None

    def is_exact(self, colour: int) -> bool:
        """Return whether longer rows do not win for a colour."""
        return self.exact or (self.renju and colour == BLACK)

    def _run(self, cell: tuple[int, int], step: tuple[int, int], colour: int) -> int:
        """Return the length of the row of a colour that starts here; 0 within such a row."""
        (row, column), (down, right) = cell, step
        if self.owner.get((row - down, column - right)) == colour:
            return 0
        run = 0
        while self.owner.get((row + run * down, column + run * right)) == colour:
            run += 1
        return run
