"""Reversi by the rule book, on a dictionary of cells, without the package's code."""

from functools import cache

STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


class NaiveReversi:
    """A game in progress; player 0 is Black. `to_move` is None after the end."""

    def __init__(self, size: int) -> None:
        self.size = size
        low, high = size // 2 - 1, size // 2
        self.owner = {(low, low): 1, (high, high): 1, (low, high): 0, (high, low): 0}
        self.to_move: int | None = 0

    def turned(self, cell: tuple[int, int], player: int) -> list[tuple[int, int]]:
        """Return the discs that a player's disc on a cell would flip."""
        if cell in self.owner:
            return []
        found = []
        for down, right in STEPS:
            line = []
            row, column = cell[0] + down, cell[1] + right
            while self.owner.get((row, column)) == 1 - player:
                line.append((row, column))
                row, column = row + down, column + right
            if self.owner.get((row, column)) == player:
                found += line
        return found

    def cells(self, player: int) -> list[int]:
        every = range(self.size * self.size)
        return [cell for cell in every if self.turned(divmod(cell, self.size), player)]

    def legal(self) -> list[int]:
        if self.to_move is None:
            return []
        return self.cells(self.to_move) or [self.size * self.size]

    def play(self, action: int) -> None:
        player = self.to_move
        assert player is not None
        if action < self.size * self.size:
            cell = divmod(action, self.size)
            for other in [cell, *self.turned(cell, player)]:
                self.owner[other] = player
        self.to_move = 1 - player
        if not self.cells(player) and not self.cells(1 - player):
            self.to_move = None

    def discs(self, player: int) -> int:
        return sum(owner == player for owner in self.owner.values())

    def score(self) -> tuple[int, int]:
        """Return each player's cells, with the empty ones given to the winner, or shared."""
        first, second = self.discs(0), self.discs(1)
        empty = self.size * self.size - first - second
        if first == second:
            return first + empty // 2, second + empty // 2
        return (first + empty, second) if first > second else (first, second + empty)

    def after(self, action: int) -> "NaiveReversi":
        twin = NaiveReversi(self.size)
        twin.owner, twin.to_move = dict(self.owner), self.to_move
        twin.play(action)
        return twin


def best_score(game: NaiveReversi) -> int:
    """Return the cells of player 0 if both play for the most cells, by brute force."""

    @cache
    def search(owner: frozenset[tuple[tuple[int, int], int]], to_move: int | None) -> int:
        here = NaiveReversi(game.size)
        here.owner, here.to_move = dict(owner), to_move
        if to_move is None:
            return here.score()[0]
        children = [here.after(action) for action in here.legal()]
        scores = [search(frozenset(child.owner.items()), child.to_move) for child in children]
        return max(scores) if to_move == 0 else min(scores)

    return search(frozenset(game.owner.items()), game.to_move)
