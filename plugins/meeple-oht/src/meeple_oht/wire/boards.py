"""Converts positions and actions of a game to the states and actions of the protocol, and back.

A state is the player to move, 1 or 2, and then a code for each cell, row by row: 0 for an empty
cell, 1 or 2 for a stone of that player, `CODES` for other pieces. The numbers of the players are
fixed in a series, while the starter alternates. In Hex the option `first` says who begins, and
player 1 always connects rows. In other games seat 0 begins, so the starter has seat 0, and codes
name players, not seats. The README has the details.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from meeple.errors import OptionError, UsageError, shown
from meeple.games.boards.scene import ROW
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make_from
from meeple.kernels import CHANCE, OWNERSHIP
from meeple.kernels.table import caller
from meeple.options import whole_number
from meeple_oht.wire.messages import Action, WireError

FIRST = "first"  # the option of a game that says which player begins
CODES = {"": 0, "stone": 3, "copper": 4, "gold": 5}
"""Codes of pieces that belong to no player; the code of any other piece is its name."""

_ownership = caller("ownership")
_USUAL_DEPTH, _MAX_DEPTH = 2, 6  # usual and largest number of actions between two states
_MAX_OFF_BOARD = 3  # actions among them that occupy no cell: passes and a swap
_MAX_TRIED_POSITIONS = 2000  # of the search for these actions


class WireBoard:
    """Encodes the states and actions of one game, in which either player may begin."""

    def __init__(self, game: Game) -> None:
        """Create the board. Raises UsageError for a game that the protocol cannot encode."""
        if game.players != 2:
            raise UsageError(f"a tournament is for games of two players; {game.name} has more")
        if game.hides:
            raise UsageError(f"a tournament shows all of a game, and {game.name} hides something")
        if game != game.usual():
            raise UsageError("a tournament begins with the usual board: leave out the option board")
        scene = game.scene(game.start(seed=0))
        if scene.family != ROW and not scene.has_cells:
            raise UsageError(
                f"a tournament needs a board of cells, which {game.name} does not have"
            )
        self.game = game
        self._rows = int(scene.facts["rows"]) if scene.family != ROW else 0
        self._columns = int(scene.facts["columns"]) if scene.family != ROW else 0
        self._begun_by = {1: game, 2: game}
        if FIRST in game.declared:
            options = dict(game.options)
            self._begun_by = {
                starter: make_from(game.name, {**options, FIRST: starter}) for starter in (1, 2)
            }

    # ------------------------------------------------------------ the game

    @cached_property
    def params(self) -> tuple[Any, ...]:
        """The game in `series_start`.

        It is `(size,)` for Hex without options, else `(rows, name, options)` with the options that
        are not at their defaults.
        """
        options = {
            name: value
            for name, value in self.game.options.items()
            if name != FIRST and value != self.game.declared[name].default
        }
        if self.game.name == "hex" and not options.keys() - {"size"}:
            return (self._rows,)
        return (self._rows, self.game.name, options)

    @property
    def title(self) -> str:
        """The game's name for people, with its size and the options that are not defaults."""
        told = [
            f"{name} {value}"
            for name, value in self.game.options.items()
            if name == "size" or (name != FIRST and value != self.game.declared[name].default)
        ]
        return ", ".join([self.game.name.capitalize(), *told])

    def begun_by(self, starter: int) -> Game:
        """Return the game in which player `starter`, 1 or 2, begins."""
        return self._begun_by[starter]

    def seat(self, player: int, starter: int) -> int:
        """Return the seat of player 1 or 2 in a game that `starter` begins."""
        if FIRST in self.game.declared or starter == 1:
            return player - 1
        return 2 - player

    def player(self, seat: int, starter: int) -> int:
        """Return the player at a seat, 1 or 2."""
        return self.seat(seat + 1, starter) + 1  # the map is its own inverse

    # ------------------------------------------------------------ states

    def state(self, position: Position, starter: int) -> tuple[Any, ...]:
        """Return the state of a position; after the end, its first entry is the next player."""
        return (self._mover(position, starter), *self._cells(position, starter))

    def _mover(self, position: Position, starter: int) -> int:
        if position.to_move >= 0:
            return self.player(position.to_move, starter)
        steps = list(position.steps(max(0, len(position.actions) - 1)))
        before = steps[-1].before.view(position.game.State)["to_move"][0] if steps else 1
        return 3 - self.player(max(int(before), 0), starter)

    def _cells(self, position: Position, starter: int) -> tuple[Any, ...]:
        if self._has_owners:
            codes = np.array([self.player(0, starter), self.player(1, starter), 0], dtype=np.int8)
            return tuple(codes[self._owners(position)].tolist())
        return self._drawn_cells(position, starter)

    def _owners(self, position: Position) -> Any:
        """Return the seat that owns each cell, by the game's kernel: int8 [cells], -1 if empty."""
        owners = np.empty(self._rows * self._columns, dtype=np.int8)
        _ownership(position.game.address_of(OWNERSHIP), position.address, owners.ctypes.data)
        return owners

    @cached_property
    def _has_owners(self) -> bool:
        """Whether the ownership kernel, which is fast, agrees with the drawn board.

        Games guarantee that kernel for final positions only, so a random game is compared.
        """
        if not self.game.has(OWNERSHIP) or self.game.num_cells != self._rows * self._columns:
            return False
        position, rng = self.game.start(seed=0), np.random.default_rng(0)
        codes = np.array([self.player(0, 1), self.player(1, 1), 0], dtype=np.int8)
        while True:
            if tuple(codes[self._owners(position)].tolist()) != self._drawn_cells(position, 1):
                return False
            if position.is_over:
                return True
            if position.to_move == CHANCE:
                position.play_chance()
            else:
                position.play(int(rng.choice(position.legal_actions())))

    def _drawn_cells(self, position: Position, starter: int) -> tuple[Any, ...]:
        """Return the codes of the cells as the game draws them."""
        facts = position.game.scene(position).facts
        names = {"p0": self.player(0, starter), "p1": self.player(1, starter), **CODES}
        if self._rows:
            return tuple(names.get(piece, piece) for piece in facts["pieces"])
        found: list[Any] = []
        for row in facts["rows"]:
            pieces = [cell["piece"] for cell in row["cells"]]
            pieces += [""] * (int(row["room"]) - len(pieces))
            found += [names.get(piece, piece) for piece in pieces]
        return tuple(found)

    # ------------------------------------------------------------ actions

    @cached_property
    def _actions_are_cells(self) -> bool:
        """Whether the actions are cell numbers, except for some after the last cell."""
        start = self.game.start(seed=0)
        clicks = self.game.scene(start).clicks
        legal = start.legal_actions().tolist()
        cells = self._rows * self._columns
        return all(
            action >= cells or clicks.get(action, ())[-1:] == (str(action),) for action in legal
        ) and bool(cells)

    def answer(self, action: int) -> Action:
        """Return the encoded action.

        It is (row, column); (-1, -1) for the first action that is no cell and (-1, -2) for the
        second; or (index,) in games whose actions are not cells.
        """
        if not self._actions_are_cells:
            return (action,)
        row, column = divmod(action, self._columns)
        if row < self._rows:
            return (row, column)
        return (-1, self._rows * self._columns - action - 1)

    def action(self, answer: Action) -> int | None:
        """Return the action of an encoded one, legal or not; None if there is no such action."""
        if not self._actions_are_cells:
            return answer[0] if len(answer) == 1 and answer[0] >= 0 else None
        if len(answer) != 2:
            return None
        row, column = answer
        if row == -1 and column < 0:
            return self._rows * self._columns - column - 1
        if 0 <= row < self._rows and 0 <= column < self._columns:
            return row * self._columns + column
        return None

    def forced(self, position: Position) -> int | None:
        """Return the only legal action if it is no cell: a pass, which the server plays itself."""
        cells = self._rows * self._columns
        if not self._actions_are_cells or self.game.num_actions <= cells or position.to_move < 0:
            return None
        legal = position.legal_actions()
        if len(legal) == 1 and legal[0] >= cells:
            return int(legal[0])
        return None

    # ------------------------------------------------------------ positions of states

    def follow(self, position: Position, state: tuple[Any, ...], starter: int) -> Position | None:
        """Return a position that has a state and continues a known position.

        Search the shortest sequence of actions, usually two and at most six. If there is none,
        construct a position with the same stones, in Reversi and in games that only add stones.

        Args:
            position: the known position.
            state: the received state.
            starter: the player who began, 1 or 2.

        Returns:
            the position, or None if none is found.
        """
        left = [_MAX_TRIED_POSITIONS]
        least = self._occupied(state) - self._occupied(self.state(position, starter))
        if self._actions_are_cells and least > _USUAL_DEPTH:
            laid = self._place_stones(state, starter) or self._set_up_reversi(state, starter)
            if laid is not None:
                return laid
        depths = (
            range(max(0, least), least + _MAX_OFF_BOARD + 1)
            if self._actions_are_cells
            else range(_MAX_DEPTH + 1)
        )
        for depth in depths:
            if depth <= _MAX_DEPTH:
                found = self._search(position, state, starter, depth, left)
                if found is not None:
                    return found
        return self._place_stones(state, starter) or self._set_up_reversi(state, starter)

    @staticmethod
    def _occupied(state: tuple[Any, ...]) -> int:
        """Return the number of cells that are not empty."""
        return sum(code != 0 for code in state[1:])

    def _search(
        self, position: Position, state: tuple[Any, ...], starter: int, depth: int, left: list[int]
    ) -> Position | None:
        """Return a position with this state, `depth` actions later; None if not found."""
        if not depth:
            same = self.state(position, starter) == state and not position.is_over
            return position.copy() if same and position.to_move != CHANCE else None
        for action in self._likely_actions(position, state, starter):
            left[0] -= 1
            if left[0] < 0:
                return None
            after = position.copy()
            after.play(action)
            found = self._search(after, state, starter, depth - 1, left)
            if found is not None:
                return found
        return None

    def _likely_actions(
        self, position: Position, state: tuple[Any, ...], starter: int
    ) -> Iterator[int]:
        """Yield the legal actions that may lead to the state; first those on changed cells."""
        if position.is_over:
            return
        legal = position.legal_actions().tolist()
        if not self._actions_are_cells:
            yield from legal
            return
        now = self._cells(position, starter)
        changed = {cell for cell, code in enumerate(now) if code != state[1 + cell]}
        yield from (action for action in legal if action in changed)
        yield from (action for action in legal if action >= len(now))

    def _place_stones(self, state: tuple[Any, ...], starter: int) -> Position | None:
        """Place the stones of a state in turn; return None if that does not give the state."""
        if not self._actions_are_cells:
            return None
        cells = state[1:]
        mine = {p: [cell for cell, code in enumerate(cells) if code == p] for p in (1, 2)}
        position = self.begun_by(starter).start(seed=0)
        while not position.is_over and any(mine.values()):
            player = self.player(position.to_move, starter)
            if not mine[player] or mine[player][0] not in position.legal_actions():
                return None
            position.play(mine[player].pop(0))
        same = not position.is_over and self.state(position, starter) == state
        return position if same else None

    def _set_up_reversi(self, state: tuple[Any, ...], starter: int) -> Position | None:
        """Return a Reversi position with these discs, without its history; else None."""
        if self.game.name != "reversi":
            return None
        from meeple.games.reversi.bits import WORD_BITS, place_of

        position = self.begun_by(starter).start(seed=0)
        s = position.state
        s.discs[:] = 0
        for cell, code in enumerate(state[1:]):
            if code in (1, 2):
                word, bit = divmod(int(place_of(int(s.size), cell)), int(WORD_BITS))
                s.discs[self.seat(code, starter), word] |= np.uint64(1 << bit)
        s.to_move = self.seat(state[0], starter)
        s.open_to = 1 - s.to_move  # invalidates the cached moves
        same = self.state(position, starter) == state and self.forced(position) is None
        return position if same else None

    # ------------------------------------------------------------ checks of received data

    def checked(self, state: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a state if it fits this board. Raises WireError."""
        cells = len(self._cells(self.game.start(seed=0), 1))
        if len(state) != 1 + cells or state[0] not in (1, 2):
            raise WireError(
                f"a state of {self.game.name} is the player to move and {cells} cells, "
                f"not {shown(state, 60)}"
            )
        return state


def board_of(params: tuple[Any, ...]) -> WireBoard:
    """Return the board of `game_params` in `series_start`. Raises WireError if it is unknown."""
    try:
        match params:
            case (int(size),):
                return WireBoard(make_from("hex", {"size": whole_number(size, "the size")}))
            case (int(), str(name), dict(options)):
                return WireBoard(make_from(name, options))
    except (OptionError, UsageError) as error:
        raise WireError(f"the server's game is unknown: {error}") from None
    raise WireError(f"the server's game_params are {shown(params)}; of Hex they are [size]")
