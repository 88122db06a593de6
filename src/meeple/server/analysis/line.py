"""A played game with access to every position, and the text of every ply."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from meeple.errors import UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import retrace
from meeple.kernels import CHANCE
from meeple.server.web.schemas import MAX_PLIES

BYTES_TOLD = 400  # estimated memory of a ply's text


class Line:
    """A game from its opening to its last position; thread-safe."""

    def __init__(
        self, position: Position, seats: Sequence[str] = (), *, opening: int = 0, more: int = 0
    ) -> None:
        """Take over a position.

        Args:
            position: the last one; the line owns it from now on.
            seats: names of the players.
            opening: number of plies before the game.
            more: number of further games in the same text.

        Raises:
            UsageError: The game is too long.
        """
        if len(position.actions) > MAX_PLIES:
            raise UsageError(f"games of more than {MAX_PLIES:,} plies cannot be shown here")
        self.game: Game = position.game
        self.seed = position.seed
        self.actions = position.actions
        self.seats = tuple(seats) or tuple(map(self.game.player_name, range(self.game.players)))
        self.opening = opening
        self.more = more
        states = (step.before.view(self.game.State)["to_move"][0] for step in position.steps())
        self.movers = (*map(int, states), position.to_move)  # [plies + 1]
        self.payoffs = position.payoffs.tolist() if position.is_over else None
        self._position = position
        self._lock = threading.Lock()
        self._described: list[dict[str, Any]] | None = None

    @property
    def plies(self) -> int:
        """The number of actions and chance outcomes."""
        return len(self.actions)

    @property
    def cost(self) -> int:
        """The estimated memory of its states and texts, in bytes."""
        return (self.plies + 1) * (self.game.state_bytes + BYTES_TOLD)

    def check(self, ply: int) -> None:
        """Raise UsageError if the game has no such ply."""
        if not 0 <= ply <= self.plies:
            raise UsageError(f"there is no ply {ply}: the game has {self.plies}")

    @contextlib.contextmanager
    def at(self, ply: int) -> Iterator[Position]:
        """Lend the position after `ply` plies, locked; the caller must not change it."""
        self.check(ply)
        with self._lock:
            while len(self._position.actions) > ply:
                self._position.undo()
            for action in self.actions[len(self._position.actions) : ply]:
                self._position.play(action)
            yield self._position

    def twin(self, ply: int) -> Position:
        """Return a copy of the position after `ply` plies."""
        with self.at(ply) as position:
            return position.copy()

    def told(self) -> list[dict[str, Any]]:
        """Return every ply with its seat (-1: chance), its action's name, and its text."""
        if self._described is None:
            self._described = list(self._described_plies())
        return self._described

    def _described_plies(self) -> Iterator[dict[str, Any]]:
        after = self.game.start(self.seed)
        for ply, (before, action) in enumerate(retrace(after, self.actions)):
            seat, name = max(before.to_move, CHANCE), before.action_name(action)
            sentence = capabilities.describe_action(
                before, action, after, None if seat < 0 else seat
            )
            text = name if sentence is None else sentence
            yield {"ply": ply, "seat": seat, "name": name, "text": text}


def valued(
    plies: Sequence[dict[str, Any]], values: Sequence[Sequence[float] | None]
) -> list[dict[str, Any]]:
    """Return the plies with the moving agent's value for every player, where it is known."""
    found = []
    for ply in plies:
        value = values[ply["ply"]] if ply["ply"] < len(values) else None
        known = {} if value is None else {"value": [round(share, 4) for share in value]}
        found.append({**ply, **known})
    return found
