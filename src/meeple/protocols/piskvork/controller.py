"""Drives a program of the Gomocup: tells it the moves, and waits for its own."""

import time
from collections.abc import Callable, Sequence

from meeple.errors import EngineError, UsageError, shown
from meeple.games.contract.game import Game, Position
from meeple.protocols.controller import (
    MOST_LINES,
    START_SECONDS,
    Answer,
    Channel,
    Limits,
    refused,
    unheard_of,
)
from meeple.protocols.piskvork.language import (
    GAME,
    OPPONENT,
    OTHER_LINES,
    OWN,
    RULES,
    action_of,
    cell,
)

_MEMORY = 512 * 2**20  # bytes that a program is told to stay below
_UNLIMITED = 2_147_483_647  # milliseconds, where a program may take as long as it likes


class PiskvorkController:
    """A program of the Gomocup that plays Gomoku."""

    def __init__(self, channel: Channel, game: Game, limits: Limits) -> None:
        """Raises UsageError for another game, or rows that are not of five."""
        if game.name != GAME or game.options["in_a_row"] != 5:
            raise UsageError(f"Piskvork's protocol is for {GAME} with five in a row alone")
        self.name = ""
        self._channel, self._game, self._limits = channel, game, limits
        self._played: list[int] | None = None  # that the program knows of; None: no game

    def start(self) -> None:
        """Have it make a board, and say who it is."""
        size = self._game.options["size"]
        self._channel.send(f"START {size}")
        said = self._answer(time.monotonic() + START_SECONDS, f"OK to a board of {size} x {size}")
        if not said.upper().startswith("OK"):
            raise unheard_of(said, f"OK to a board of {size} x {size}")
        self._played = []

    def begin(self, seed: int) -> None:
        """An empty board, and the terms of the game."""
        if self._played:
            self._restart()
        self._channel.send(f"INFO rule {RULES[str(self._game.options['rule'])]}")
        self._channel.send("INFO game_type 1")  # against another program
        turn = _UNLIMITED
        if self._limits.seconds is not None:
            turn = max(1, round(1000 * self._limits.seconds))
        self._channel.send(f"INFO timeout_turn {turn}")
        self._channel.send("INFO timeout_match 0")
        self._channel.send(f"INFO max_memory {_MEMORY}")
        self._channel.send(f"INFO seed {seed}")  # which others pass over

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> Answer:
        """Its move, once it has been told what it does not know."""
        actions = position.actions
        if self._played is None:
            self._restart()
        known = self._played or []
        if not actions and not known:
            self._channel.send("BEGIN")
        elif len(actions) == len(known) + 1 and list(actions[:-1]) == known and known:
            self._channel.send(f"TURN {cell(self._game, actions[-1])}")
        elif len(actions) == 1 and not known:
            self._channel.send(f"TURN {cell(self._game, actions[0])}")
        else:
            self._send_board(position, actions)
        self._played = None
        said = self._answer(self._limits.deadline(), "a move", stop)
        action = action_of(self._game, said)
        if action is None:
            raise EngineError(f"it plays {shown(said)}, which is no cell", "illegal")
        self._played = [*actions, action]
        return Answer(action)

    def farewell(self) -> tuple[str, ...]:
        return ("END",)

    def _restart(self) -> None:
        self._channel.send("RESTART")
        said = self._answer(time.monotonic() + self._limits.grace, "OK to RESTART")
        if not said.upper().startswith("OK"):
            raise unheard_of(said, "OK to RESTART")
        self._played = []

    def _send_board(self, position: Position, actions: Sequence[int]) -> None:
        """The whole game, in the order of its moves."""
        if self._played:
            self._restart()
        self._channel.send("BOARD")
        for ply, action in enumerate(actions):
            mine = ply % self._game.players == position.to_move
            self._channel.send(f"{cell(self._game, action)},{OWN if mine else OPPONENT}")
        self._channel.send("DONE")

    def _answer(
        self, deadline: float, expected: str, stop: Callable[[], bool] | None = None
    ) -> str:
        """Its next line that is neither empty nor a remark. Raises EngineError for ERROR."""
        for _ in range(MOST_LINES):
            line = self._channel.receive(deadline, stop).strip()
            word = line.partition(" ")[0].upper()
            if word == "ERROR":
                raise refused(f"what is meant to bring {expected}", line[5:].strip())
            if word == "OK" or (line and word not in OTHER_LINES):
                if word == "OK" and not expected.startswith("OK"):
                    continue
                return line
        raise EngineError(f"it writes {MOST_LINES:,} lines and no {expected}", "rubbish")
