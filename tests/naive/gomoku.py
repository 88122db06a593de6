"""Gomoku by the rule book: after every stone, the whole board is checked."""

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class NaiveGomoku:
    """A game in progress on a dictionary of cells (row, column) to players 0 and 1."""

    def __init__(self, size: int, in_a_row: int, exact: bool) -> None:
        self.size, self.in_a_row, self.exact = size, in_a_row, exact
        self.owner: dict[tuple[int, int], int] = {}

    @property
    def to_move(self) -> int:
        return len(self.owner) % 2

    def legal(self) -> list[int]:
        if self.is_over():
            return []
        return [cell for cell in range(self.size**2) if divmod(cell, self.size) not in self.owner]

    def play(self, action: int) -> None:
        self.owner[divmod(action, self.size)] = self.to_move

    def is_over(self) -> bool:
        return self.winner() is not None or len(self.owner) == self.size**2

    def winner(self) -> int | None:
        for cell, player in self.owner.items():
            for step in STEPS:
                run = self._run(cell, step, player)
                if run == self.in_a_row or (run > self.in_a_row and not self.exact):
                    return player
        return None

    def _run(self, cell: tuple[int, int], step: tuple[int, int], player: int) -> int:
        """Return the length of the player's row that starts here; 0 within such a row."""
        (row, column), (down, right) = cell, step
        if self.owner.get((row - down, column - right)) == player:
            return 0
        run = 0
        while self.owner.get((row + run * down, column + run * right)) == player:
            run += 1
        return run
