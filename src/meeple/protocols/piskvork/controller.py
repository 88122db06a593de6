"""Drives a Gomocup program: sends it the opponent's moves and reads its moves."""

import time
from collections.abc import Callable, Sequence

from meeple.errors import EngineError, UsageError, shown
from meeple.games.contract.game import Game, Position
from meeple.games.gomoku.opening import BLACK, MORE, PLAY, WHITE, is_choice
from meeple.protocols.controller import (
    MAX_LINES,
    Channel,
    EngineAnswer,
    EngineLimits,
    refused,
    unexpected_line,
)
from meeple.protocols.piskvork.language import (
    GAME,
    OPPONENT,
    OTHER_LINES,
    OWN,
    RULES,
    SWAP,
    SWAP2BOARD,
    action_of,
    cell,
    cells_of,
    ensure_opening,
)

PAUSE_SECONDS = 0.06
"""Pause between a program's move and the next line to it. Some programs, such as Rapfi, drop lines
for 50 ms after their move. A dropped line cannot be sent again, since a program that did receive it
would play twice."""
_MEMORY = 512 * 2**20  # memory limit of a program, in bytes
_UNLIMITED = 2_147_483_647  # milliseconds a move, if there is no limit


class PiskvorkController:
    """A Gomoku program of the Gomocup."""

    def __init__(
        self, channel: Channel, game: Game, limits: EngineLimits, *, seeded: bool = False
    ) -> None:
        """Create the controller.

        Args:
            channel: the lines to the program.
            game: Gomoku with five in a row.
            limits: time limits.
            seeded: send `INFO seed`, an extension of the protocol.

        Raises:
            UsageError: another game, a row of another length, or the opening swap.
        """
        if game.name != GAME or game.options["in_a_row"] != 5:
            raise UsageError(f"Piskvork's protocol is for {GAME} with five in a row only")
        ensure_opening(game, "none", "swap2")
        self.name = ""
        self._channel, self._game, self._limits = channel, game, limits
        self._seeded = seeded
        self._played: list[int] | None = None  # moves that the program has; None: no game
        self._planned: dict[tuple[int, ...], int] = {}  # moves that it has named, by those before
        self._moved = float("-inf")  # time of its last move, on `time.monotonic`
        self._unanswered = 0  # INFO lines that it may still refuse
        self._refusal = ""  # the last refusal of an INFO line

    def start(self) -> None:
        """Send the board's size and wait for OK."""
        size = self._game.options["size"]
        self._send(f"START {size}")
        said = self._answer(self._limits.answer_deadline(), f"OK to a board of {size} x {size}")
        if not said.upper().startswith("OK"):
            raise unexpected_line(said, f"OK to a board of {size} x {size}")
        self._played = []

    def begin(self, seed: int) -> None:
        """Clear the board and send the rule, time and memory limits."""
        self._refusal = ""
        self._planned.clear()
        if self._played:
            self._restart()
        self._inform("rule", RULES[str(self._game.options["rule"])])
        self._inform("game_type", 1)  # against another program
        turn = _UNLIMITED
        if self._limits.seconds is not None:
            turn = max(1, round(1000 * self._limits.seconds))
        self._inform("timeout_turn", turn)
        self._inform("timeout_match", 0)
        self._inform("max_memory", _MEMORY)
        if self._seeded:
            self._inform("seed", seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> EngineAnswer:
        """Send the moves that the program does not have; return its move."""
        if position.actions in self._planned:
            return EngineAnswer(self._planned[position.actions])
        cells = position.game.num_cells
        actions = tuple(action for action in position.actions if action < cells)
        if position.state.stage != PLAY:
            return self._open(position, actions, stop)
        if self._played is None:
            self._restart()
        known = self._played or []
        if not actions and not known:
            self._send("BEGIN")
        elif len(actions) == len(known) + 1 and list(actions[:-1]) == known and known:
            self._send(f"TURN {cell(self._game, actions[-1])}")
        elif len(actions) == 1 and not known:
            self._send(f"TURN {cell(self._game, actions[0])}")
        else:
            self._send_board(position, actions)
        self._played = None
        said = self._answer(self._limits.deadline(), "a move", stop)
        action = action_of(self._game, said)
        if action is None:
            raise EngineError(f"it plays {shown(said)}, which is no cell", "illegal")
        self._moved = time.monotonic()
        self._unanswered = 0  # lines are processed in order
        self._played = [*actions, action]
        return EngineAnswer(action)

    def _open(
        self, position: Position, stones: Sequence[int], stop: Callable[[], bool] | None
    ) -> EngineAnswer:
        """Request a part of the opening swap2; later parts of the answer are stored as planned."""
        if stones and not is_choice(position.state.stage):
            raise EngineError("it can only place all stones of an opening at once", "rubbish")
        for line in (SWAP2BOARD, *(cell(self._game, stone) for stone in stones), "DONE"):
            self._send(line)
        self._played = None
        said = self._answer(self._limits.deadline(), "an answer to SWAP2BOARD", stop)
        choices, cells = self._game.num_cells, cells_of(self._game, said)
        if said.upper() == SWAP and stones:
            plan = [choices + BLACK]
        elif cells is None or len(cells) not in {0: (3,), 3: (1, 2), 5: (1,)}[len(stones)]:
            raise EngineError(f"it answers SWAP2BOARD by {shown(said)}", "illegal")
        else:
            plan = [choices + (WHITE, MORE)[len(cells) - 1], *cells] if stones else cells
        self._moved = time.monotonic()
        self._unanswered = 0
        for number, action in enumerate(plan[1:], start=1):
            self._planned[(*position.actions, *plan[:number])] = action
        return EngineAnswer(plan[0])

    def farewell(self) -> tuple[str, ...]:
        return ("END",)

    def _send(self, line: str) -> None:
        """Send a line, not too soon after the program's move."""
        time.sleep(max(0.0, self._moved + PAUSE_SECONDS - time.monotonic()))
        self._channel.send(line)

    def _inform(self, key: str, value: int) -> None:
        """Send an INFO line, which the program may refuse."""
        self._send(f"INFO {key} {value}")
        self._unanswered += 1

    def _restart(self) -> None:
        self._send("RESTART")
        said = self._answer(self._limits.answer_deadline(), "OK to RESTART")
        if not said.upper().startswith("OK"):
            raise unexpected_line(said, "OK to RESTART")
        self._unanswered = 0
        self._played = []

    def _send_board(self, position: Position, actions: Sequence[int]) -> None:
        """Send the whole game, in the order of its moves."""
        if self._played:
            self._restart()
        self._send("BOARD")
        for ply, action in enumerate(actions):
            mine = ply % 2 == (position.to_move != position.state.black)  # Black has even plies
            self._send(f"{cell(self._game, action)},{OWN if mine else OPPONENT}")
        self._send("DONE")

    def _answer(
        self, deadline: float, expected: str, stop: Callable[[], bool] | None = None
    ) -> str:
        """Return the next line, without empty lines and comments. Raises EngineError for ERROR."""
        for _ in range(MAX_LINES):
            line = self._line(deadline, stop)
            word = line.partition(" ")[0].upper()
            if word == "UNKNOWN" and SWAP2BOARD in expected:
                raise refused(SWAP2BOARD, line)
            if self._unanswered and word in ("ERROR", "UNKNOWN"):
                self._unanswered, self._refusal = self._unanswered - 1, line
                continue
            if word == "ERROR":
                raise refused(f"the command before {expected}", line[5:].strip())
            if word == "OK" or (line and word not in OTHER_LINES):
                if word == "OK" and not expected.startswith("OK"):
                    continue
                return line
        raise EngineError(f"it writes {MAX_LINES:,} lines and no {expected}", "rubbish")

    def _line(self, deadline: float, stop: Callable[[], bool] | None) -> str:
        """Return the next line; a timeout error quotes the last refusal, which may be its cause."""
        try:
            return self._channel.receive(deadline, stop).strip()
        except EngineError as error:
            if error.fault != "time" or not self._refusal:
                raise
            raise EngineError(f"{error}, after {shown(self._refusal)}", "time") from None
