"""Hex by the rule book, on a dictionary of cells, without the package's code."""

STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))


class NaiveHex:
    """A game in progress; player 0 connects the first row to the last, player 1 the columns."""

    def __init__(self, size: int, swap: bool, first: int = 0) -> None:
        self.size, self.swap = size, swap
        self.owner: dict[tuple[int, int], int] = {}
        self.to_move = first
        self.plies = 0

    def legal(self) -> set[int]:
        if self.winner() is not None:
            return set()
        every = range(self.size * self.size)
        free = {cell for cell in every if divmod(cell, self.size) not in self.owner}
        return free | {self.size * self.size} if self.swap and self.plies == 1 else free

    def play(self, action: int) -> None:
        if action == self.size * self.size:
            ((row, column),) = self.owner
            self.owner = {(column, row): self.to_move}
        else:
            self.owner[divmod(action, self.size)] = self.to_move
        self.to_move = 1 - self.to_move
        self.plies += 1

    def winner(self) -> int | None:
        return next((player for player in (0, 1) if self._joined(player)), None)

    def _joined(self, player: int) -> bool:
        waiting = [
            cell for cell, owner in self.owner.items() if owner == player and cell[player] == 0
        ]
        seen = set(waiting)
        while waiting:
            cell = waiting.pop()
            if cell[player] == self.size - 1:
                return True
            for down, right in STEPS:
                beside = (cell[0] + down, cell[1] + right)
                if self.owner.get(beside) == player and beside not in seen:
                    seen.add(beside)
                    waiting.append(beside)
        return False
