"""The engine of the Gomocup's protocol: `meeple engine piskvork`, for Piskvork and tournaments."""

import re
from collections.abc import Iterator

from meeple.engines.early import about
from meeple.engines.session import EngineSession, sentence
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.games.gomoku.opening import FIRST_STONE_COUNT
from meeple.protocols.piskvork.language import (
    GAME,
    OPPONENT,
    OWN,
    RULES,
    SWAP,
    SWAP2BOARD,
    action_of,
    cell,
    cells_of,
    ensure_opening,
    field_of,
)

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_RULE_NAMES = {2: "continuous game", 8: "caro"}  # unsupported rules of the protocol
_PARTS = 20  # one part of the remaining time of a match is used for a move
_MAX_BOARD_LINES = 1000  # of a BOARD command


class PiskvorkEngine:
    """An agent that answers a manager of Gomoku."""

    def __init__(self, spec: str, game: Game, seed: int = 0) -> None:
        """Create the engine. Raises UsageError for a game or opening, SpecError for a spec."""
        if game.name != GAME:
            raise UsageError(f"Piskvork's protocol is for {GAME}, not for {game.name}")
        ensure_opening(game, "none")  # a manager asks for swap2 by SWAP2BOARD
        self.ended = False
        self._session = EngineSession(spec, game, seed)
        self._has_board = False  # whether START was accepted
        self._board: list[str] | None = None
        """The lines of a BOARD or SWAP2BOARD command; None outside of one."""
        self._opening = False  # whether they are of SWAP2BOARD
        self._turn: float | None = None  # seconds for a move
        self._match: float | None = None  # seconds for the game
        self._left: float | None = None  # remaining seconds of the game

    def handle(self, line: str) -> Iterator[str]:
        """Yield the answer to a line: a move, OK, ERROR or UNKNOWN; many lines have none."""
        line = line.strip()
        if not line:
            return
        try:
            answer = self._board_line(line) if self._board is not None else self._command(line)
        except MeepleError as error:
            answer = f"ERROR {sentence(error)}"
        if answer:
            yield f"{answer}\n"

    def look_ahead(self, line: str) -> None:
        """Make the agent choose at once after a command that ends the game or the search."""
        word = line.partition(" ")[0].strip().upper()
        if word in ("END", "STOP", "YXSTOP"):
            self._session.hurry.set()
        elif word in ("BEGIN", "TURN", "DONE"):
            self._session.hurry.clear()

    def input_ended(self) -> None:
        """Make the agent choose at once, as no caller waits for a better move."""
        self._session.hurry.set()

    def _command(self, line: str) -> str:
        word, _, rest = line.partition(" ")
        word, rest = word.upper(), rest.strip()
        match word:
            case "START":
                return self._start(rest)
            case "RECTSTART":
                sides = [side.strip() for side in rest.split(",")]
                if len(sides) != 2 or sides[0] != sides[1]:
                    raise UsageError("a board has as many rows as columns here")
                return self._start(sides[0])
            case "RESTART":
                self._ensure_board()
                self._session.restart()
                return "OK"
            case "BEGIN":
                self._ensure_board()
                if self._session.position.actions:
                    raise UsageError("BEGIN is for an empty board")
                return self._move()
            case "TURN":
                self._ensure_board()
                self._play(rest)
                return self._move()
            case "BOARD" | "SWAP2BOARD":
                self._ensure_board()
                self._board, self._opening = [], word == SWAP2BOARD
                return ""
            case "TAKEBACK":
                self._ensure_board()
                return self._take_back(rest)
            case "INFO":
                return self._info(rest)
            case "ABOUT":
                return about(self._session.spec)
            case "END":
                self.ended = True
                return ""
            case "STOP" | "YXSTOP":  # sent by c-gomoku-cli; handled by `look_ahead`
                return ""
        return "UNKNOWN this command is not supported"

    def _ensure_board(self) -> None:
        if not self._has_board:
            raise UsageError("there is no board yet: START comes first")

    # ------------------------------------------------------------ boards and moves

    def _start(self, text: str) -> str:
        if not _INTEGER.fullmatch(text):
            raise UsageError("START needs the size of the board")
        self._session.restart(size=int(text))
        self._has_board = True
        return "OK"

    def _play(self, text: str) -> None:
        action = action_of(self._session.game, text)
        if action is None or action not in self._session.position.legal_actions():
            raise UsageError(f"a stone cannot be laid there: {text[:40]}")
        self._session.play(action)

    def _move(self) -> str:
        action = self._session.think(self._seconds_for_move())
        debug = self._debug_line()
        self._session.play(action)
        return f"{debug}{cell(self._session.game, action)}"

    def _debug_line(self) -> str:
        """Return a DEBUG line about the agent's search, or ""."""
        found = self._session.analysis
        if found is None:
            return ""
        parts = [f"{found.seconds:.2f} s"]
        if found.simulations:
            parts.insert(0, f"{found.simulations} simulations")
        if found.depth is not None:
            parts.insert(0, f"depth {found.depth}")
        if found.value is not None:
            parts.append(f"win {found.value[self._session.position.to_move]:.1%}")
        return f"DEBUG {', '.join(parts)}\n"

    def _take_back(self, text: str) -> str:
        position = self._session.position
        action = action_of(self._session.game, text)
        if not position.actions or action != position.actions[-1]:
            raise UsageError("only the last stone can be taken back")
        self._session.undo()
        return "OK"

    def _board_line(self, line: str) -> str:
        """Collect a line of BOARD; answer DONE by a move."""
        assert self._board is not None
        if line.upper() != "DONE":
            if len(self._board) < _MAX_BOARD_LINES:
                self._board.append(line)
            return ""
        lines, self._board = self._board, None
        if self._opening:
            return self._swap2(lines)
        actions = self._moves_of_stones(lines)
        position = self._session.game.start(self._session.seed)
        for action in actions:
            if action not in position.legal_actions():
                raise UsageError("BOARD has two stones on a cell, or moves after a win")
            position.play(action)
        self._session.restart()
        for action in actions:
            self._session.play(action)
        return self._move()

    def _swap2(self, lines: list[str]) -> str:
        """Return the answer to SWAP2BOARD: stones, or SWAP to take Black.

        Raises:
            UsageError: there are not 0, 3 or 5 stones; also the errors of the agent.
        """
        session = self._session
        stones = cells_of(session.game, " ".join(lines))
        if stones is None or len(stones) not in (0, 3, 5) or len(set(stones)) < len(stones):
            raise UsageError("SWAP2BOARD needs 0, 3 or 5 different cells, a line each")
        game = make_from(GAME, {**session.game.options, "opening": "swap2"})
        opening = EngineSession(session.spec, game, session.seed, session.hurry)
        for number, stone in enumerate(stones):
            if number == FIRST_STONE_COUNT:
                opening.play(opening.position.parse_action("more"))
            opening.play(stone)
        limit, seat, answer = self._seconds_for_move(), opening.position.to_move, list[str]()
        while opening.position.to_move == seat and SWAP not in answer:
            action = opening.think(None if limit is None else limit / FIRST_STONE_COUNT)
            if opening.position.action_name(action) == "black":
                answer.append(SWAP)
            elif action < game.num_cells:
                answer.append(cell(game, action))
                stones.append(action)
            opening.play(action)
        session.restart()
        for stone in stones:
            session.play(stone)
        return " ".join(answer)

    def _moves_of_stones(self, lines: list[str]) -> list[int]:
        """Return the stones of BOARD as moves, with the program to move next.

        Raises UsageError.
        """
        stones: dict[int, list[int]] = {OWN: [], OPPONENT: []}
        for line in lines:
            found = field_of(self._session.game, line)
            if found is None or found[1] not in stones:
                raise UsageError(f"this is no line of BOARD: {line[:40]}")
            stones[found[1]].append(found[0])
        own, theirs = stones[OWN], stones[OPPONENT]
        if len(own) == len(theirs):
            first, second = own, theirs
        elif len(theirs) == len(own) + 1:
            first, second = theirs, own
        else:
            raise UsageError(f"after {len(own)} and {len(theirs)} stones it is not our turn")
        moves = [0] * (len(first) + len(second))
        moves[0::2], moves[1::2] = first, second
        return moves

    # ------------------------------------------------------------ terms of the game

    def _info(self, text: str) -> str:
        """Apply a setting; unknown ones are ignored, as the protocol requires."""
        key, _, value = text.partition(" ")
        key, value = key.lower(), value.strip()
        known = ("timeout_turn", "timeout_match", "time_left", "rule", "seed")
        if key not in known:
            return ""
        if not _INTEGER.fullmatch(value):
            raise UsageError(f"INFO {key} needs a whole number of at most 18 digits")
        number = int(value)
        if key == "timeout_turn":
            self._turn = max(number, 0) / 1000
        elif key == "timeout_match":
            self._match = number / 1000 if number > 0 else None
        elif key == "time_left":
            self._left = max(number, 0) / 1000
        elif key == "rule":
            return self._rule(number)
        elif number >= 0 and not self._session.position.actions:
            self._session.restart(seed=number)
        return ""

    def _rule(self, number: int) -> str:
        rule = next((name for name, known in RULES.items() if known == number), None)
        if rule is None:
            name = _RULE_NAMES.get(number, "an unknown rule")
            raise UsageError(
                f"INFO rule {number} ({name}) is not supported: only 0 (five or more), "
                "1 (exactly five) and 4 (renju) are played"
            )
        if rule != self._session.game.options["rule"]:
            if self._session.position.actions:
                return "MESSAGE the rule holds from the next game on"
            self._session.restart(rule=rule)
        return ""

    def _seconds_for_move(self) -> float | None:
        """Return the seconds for a move: the limit a move or a part of the remaining match time."""
        limits = [] if self._turn is None else [self._turn]
        left = self._left if self._left is not None else self._match
        if self._match is not None and left is not None:
            limits.append(left / _PARTS)
        return min(limits, default=None)
