"""A game that can be walked to and fro and told in words, for whoever looks at it again."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from meeple.errors import UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import retrace
from meeple.kernels import CHANCE
from meeple.server.schemas import MAX_PLIES

BYTES_TOLD = 400  # of a ply in words


class Line:
    """A game from its opening to its last position; safe to use from several threads."""

    def __init__(
        self, position: Position, seats: Sequence[str] = (), *, opening: int = 0, more: int = 0
    ) -> None:
        """`position` is the last one, and the line's own from now on. Raises MeepleError for a
        game that is too long. `more` games came with it in the same text.
        """
        if len(position.actions) > MAX_PLIES:
            raise UsageError(f"games of more than {MAX_PLIES:,} plies cannot be looked at here")
        self.game: Game = position.game
        self.seed = position.seed
        self.actions = position.actions
        self.seats = tuple(seats) or tuple(map(self.game.player_name, range(self.game.players)))
        self.opening = opening
        self.more = more
        states = (step.before.view(self.game.State)["to_move"][0] for step in position.steps())
        self.movers = (*map(int, states), position.to_move)  # at every ply, the last one included
        self.payoffs = position.payoffs.tolist() if position.is_over else None
        self._position = position
        self._lock = threading.Lock()
        self._told: list[dict[str, Any]] | None = None

    @property
    def plies(self) -> int:
        """How many actions and outcomes there were."""
        return len(self.actions)

    @property
    def cost(self) -> int:
        """The bytes of its states and words, about."""
        return (self.plies + 1) * (self.game.state_bytes + BYTES_TOLD)

    def check(self, ply: int) -> None:
        """Raises UsageError in a sentence where there is no such ply."""
        if not 0 <= ply <= self.plies:
            raise UsageError(f"there is no ply {ply}: the game has {self.plies}")

    @contextlib.contextmanager
    def at(self, ply: int) -> Iterator[Position]:
        """The position after so many plies, to be left as it is; nobody else has it meanwhile."""
        self.check(ply)
        with self._lock:
            while len(self._position.actions) > ply:
                self._position.undo()
            for action in self.actions[len(self._position.actions) : ply]:
                self._position.play(action)
            yield self._position

    def twin(self, ply: int) -> Position:
        """A position of one's own after so many plies."""
        with self.at(ply) as position:
            return position.copy()

    def told(self) -> list[dict[str, Any]]:
        """Every ply with its seat (-1: chance), its name, and what it did in words."""
        if self._told is None:
            self._told = list(self._tell())
        return self._told

    def _tell(self) -> Iterator[dict[str, Any]]:
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
    """Plies with what the agent that chose each expected for every player, where it said so."""
    found = []
    for ply in plies:
        value = values[ply["ply"]] if ply["ply"] < len(values) else None
        known = {} if value is None else {"value": [round(share, 4) for share in value]}
        found.append({**ply, **known})
    return found
