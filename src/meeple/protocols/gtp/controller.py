"""Drives a program that speaks GTP or HTP: synchronises its board and requests moves."""

from collections.abc import Callable

from meeple.errors import EngineError, shown
from meeple.games.contract.game import Game, Position
from meeple.protocols.controller import (
    MAX_LINES,
    Channel,
    EngineAnswer,
    EngineLimits,
    common_plies,
    refused,
    unexpected_line,
)
from meeple.protocols.gtp.language import COLOURS, RESIGN, action_of, ensure_supported, vertex

_MAX_UNDOS = 4  # moves taken back one by one; for more, the game is set up again


class GtpController:
    """A GTP program that plays one game."""

    def __init__(self, channel: Channel, game: Game, limits: EngineLimits) -> None:
        """Create the controller. Raises UsageError for a game without GTP."""
        ensure_supported(game)
        self.name = ""
        self._channel, self._game, self._limits = channel, game, limits
        self._commands: frozenset[str] = frozenset()
        self._played: tuple[int, ...] | None = None  # on the program's board; None: not set up

    def start(self) -> None:
        """Query the program's name and commands."""
        self.name = self._ask("name").strip()[:100]
        self._commands = frozenset(self._ask("list_commands").split())
        missing = {"boardsize", "clear_board", "play", "genmove"} - self._commands
        if missing:
            raise EngineError(f"it does not know the command {min(missing)}", "rubbish")

    def begin(self, seed: int) -> None:
        """Set up an empty board of the game's size."""
        self._set_up()
        if "set_random_seed" in self._commands:
            self._ask(f"set_random_seed {seed}")

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> EngineAnswer:
        """Synchronise the program's board and return its move."""
        self._follow(position)
        said = self._ask(
            f"genmove {COLOURS[position.to_move]}", deadline=self._limits.deadline(), stop=stop
        ).strip()
        if said.lower() == RESIGN:
            raise EngineError("it resigns", "resign")
        action = action_of(self._game, said)
        if action is None:
            raise EngineError(f"it plays {shown(said)}, which is no move", "illegal")
        assert self._played is not None
        self._played += (action,)
        return EngineAnswer(action)

    def farewell(self) -> tuple[str, ...]:
        return ("quit",)

    # ------------------------------------------------------------ its board

    def _set_up(self) -> None:
        self._played = None
        self._ask(f"boardsize {self._game.options['size']}")
        self._ask("clear_board")
        if self._limits.seconds is not None and "time_settings" in self._commands:
            # No main time, and a period for each move; GTP has whole seconds only.
            self._ask(f"time_settings 0 {max(1, int(self._limits.seconds))} 1")
        self._played = ()

    def _follow(self, position: Position) -> None:
        """Undo and play moves until the program's game equals this one."""
        actions, played = position.actions, self._played
        if position.game != self._game:  # another board size or starting player
            self._game, played = position.game, None
        common = 0 if played is None else common_plies(played, actions)
        extra = 0 if played is None else len(played) - common
        if played is None or extra > _MAX_UNDOS or (extra and "undo" not in self._commands):
            self._set_up()
            common = extra = 0
        for _ in range(extra):
            self._ask("undo")
        walk = position.copy()
        for _ in actions[common:]:
            walk.undo()
        for action in actions[common:]:
            self._ask(f"play {COLOURS[walk.to_move]} {vertex(walk, action)}")
            walk.play(action)
        self._played = actions

    # ------------------------------------------------------------ question and answer

    def _ask(
        self, command: str, *, deadline: float | None = None, stop: Callable[[], bool] | None = None
    ) -> str:
        """Send a command and return the answer. Raises EngineError if it is refused."""
        self._channel.send(command)
        if deadline is None:
            deadline = self._limits.answer_deadline()
        lines: list[str] = []
        for _ in range(MAX_LINES):
            line = self._channel.receive(deadline, stop).rstrip()
            if lines and not line:
                break
            if not lines and not line:
                continue
            if not lines and line[0] not in "=?":
                raise unexpected_line(line, f"an answer to {command!r}")
            lines.append(line)
        text = "\n".join([lines[0][1:].lstrip("0123456789").strip(), *lines[1:]])
        if lines[0][0] == "?":
            raise refused(repr(command), text)
        return text
