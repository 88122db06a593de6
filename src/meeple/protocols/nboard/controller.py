"""Drives a program that speaks NBoard: sends the game, requests and reads its move."""

import math
from collections.abc import Callable

from meeple.errors import EngineError, UsageError, shown
from meeple.games.contract.game import Game, Position
from meeple.protocols.controller import MAX_LINES, Channel, EngineAnswer, EngineLimits
from meeple.protocols.nboard.language import (
    ANSWER,
    VERSION,
    action_of,
    estimate_of,
    game_text,
    is_game,
)

DEPTH = 8  # default search depth in the middle of the game, in plies
_DISCS = 64  # an estimate of this many discs is a share of 1


class NBoardController:
    """A Reversi program that supports NBoard's protocol."""

    def __init__(
        self,
        channel: Channel,
        game: Game,
        limits: EngineLimits,
        depth: int | None = None,
        *,
        seeded: bool = False,
    ) -> None:
        """Create the controller.

        Args:
            channel: the lines to the program.
            game: Reversi 8x8.
            limits: time limits.
            depth: search depth to request, in plies; None means `DEPTH`.
            seeded: send `set seed`, an extension of the protocol.

        Raises:
            UsageError: another game or size.
        """
        if not is_game(game):
            raise UsageError("NBoard's protocol is only for Reversi 8x8")
        self.name = ""
        self._channel, self._limits = channel, limits
        self._depth = DEPTH if depth is None else depth
        self._seeded = seeded
        self._pings = 0

    def start(self) -> None:
        """Send the version and depth, and wait until the program is ready."""
        self._channel.send(f"nboard {VERSION}")
        self._channel.send(f"set depth {self._depth}")
        self._wait()

    def begin(self, seed: int) -> None:
        """Send the seed if the program takes one; `choose` sends the whole game."""
        if self._seeded:
            self._channel.send(f"set seed {seed}")

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> EngineAnswer:
        """Return the program's move."""
        self._channel.send(f"set game {game_text(position)}")
        self._wait()
        self._channel.send("go")
        deadline = self._limits.deadline()
        for _ in range(MAX_LINES):
            line = self._line(deadline, stop)
            if not line.startswith(ANSWER):
                continue
            said = line.removeprefix(ANSWER)
            action = action_of(said)
            if action is None:
                raise EngineError(f"it plays {shown(said.strip())}, which is no move", "illegal")
            estimate = estimate_of(said)
            if estimate is not None and not math.isfinite(estimate):
                raise EngineError(f"it says {shown(said.strip())}: no number of discs", "rubbish")
            return EngineAnswer(action, value=_shares(position, estimate))
        raise EngineError(f"it writes {MAX_LINES:,} lines and no move", "rubbish")

    def farewell(self) -> tuple[str, ...]:
        return ("quit",)

    def _wait(self) -> None:
        """Wait until the program has executed all commands."""
        deadline = self._limits.answer_deadline()
        self._pings += 1
        self._channel.send(f"ping {self._pings}")
        for _ in range(MAX_LINES):
            if self._line(deadline, None).split() == ["pong", str(self._pings)]:
                return
        raise EngineError(f"it writes {MAX_LINES:,} lines and no pong", "rubbish")

    def _line(self, deadline: float, stop: Callable[[], bool] | None) -> str:
        line = self._channel.receive(deadline, stop).strip()
        if line.startswith("set myname "):
            self.name = line.removeprefix("set myname ").strip()[:100]
        return line


def _shares(position: Position, discs: float | None) -> tuple[float, ...] | None:
    """Return the share of each seat for an estimate in discs; None without one."""
    if discs is None:
        return None
    mine = min(max(0.5 + discs / (2 * _DISCS), 0.0), 1.0)
    return (mine, 1 - mine) if position.to_move == 0 else (1 - mine, mine)
