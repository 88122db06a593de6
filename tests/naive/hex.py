"""Hex by the rule book, on a dictionary of cells, without the package's code."""

import itertools

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

    def bridges(self, player: int) -> set[frozenset[tuple[int, int]]]:
        """Return the two free cells of each bridge of a player's stones, also to its sides."""
        stones = [cell for cell, owner in self.owner.items() if owner == player]
        shared = [
            self._beside(one) & self._beside(two)
            for one, two in itertools.combinations(stones, 2)
            if one not in self._beside(two)
        ]
        for end in (0, self.size - 1):
            side = {cell for cell in self._cells() if cell[player] == end}
            shared += [self._beside(cell) & side for cell in stones if cell[player] != end]
        return {
            frozenset(cells)
            for cells in shared
            if len(cells) == 2 and not cells & self.owner.keys()
        }

    def _cells(self) -> set[tuple[int, int]]:
        return {(row, column) for row in range(self.size) for column in range(self.size)}

    def _beside(self, cell: tuple[int, int]) -> set[tuple[int, int]]:
        return {(cell[0] + down, cell[1] + right) for down, right in STEPS} & self._cells()

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
