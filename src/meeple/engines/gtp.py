"""The engine of GTP and HTP: `meeple engine gtp`, for HexGui, GoGui and other programs.

Besides the commands of the specification it supports the analysis commands of HexGui and GoGui,
`lz-analyze` and `kata-analyze` with their `genmove_analyze`, and `set_random_seed` of GNU Go.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.engines.clock import TimeControl
from meeple.engines.gtp_stream import Request, info_line, request_of
from meeple.engines.session import EngineSession, sentence
from meeple.errors import MeepleError, UsageError
from meeple.files import version
from meeple.games.contract.game import Game
from meeple.games.contract.records import legal_line
from meeple.protocols.gtp.language import (
    COLOURS,
    PASS,
    RESIGN,
    VERSION,
    Command,
    action_of,
    answer,
    board_text,
    colour_of,
    ensure_supported,
    parse_command,
    vertex,
)
from meeple.protocols.records.sgf import score

_ANALYSES = (
    "pspairs/Win estimates/meeple-win_estimates",
    "pspairs/Visit shares/meeple-visit_shares",
    "pspairs/Policy/meeple-policy",
    "{line}/Expected play/meeple-expected_play",
    "string/Value/meeple-value",
)
"""The analysis commands: type of the answer, label, command. HexGui numbers the moves of a `var`;
GoGui expects another answer to it, and marks the points of a `plist`."""
_STREAMS = {
    "lz-analyze": (False, False),
    "kata-analyze": (True, False),
    "lz-genmove_analyze": (False, True),
    "kata-genmove_analyze": (True, True),
}
"""Commands whose answer grows: whether in KataGo's format, and whether a move ends it."""
_MAX_SHOWN_MOVES = 400  # moves of an analysis
_MAX_CLOCK_SECONDS = 86_400.0


class Refused(MeepleError):
    """A command fails; the message is the answer."""


class GtpEngine:
    """An agent that answers GTP."""

    def __init__(self, spec: str, game: Game, seed: int = 0) -> None:
        """Create the engine. Raises UsageError for a game without GTP, SpecError for a spec."""
        ensure_supported(game)
        self.ended = False
        self._session = EngineSession(spec, game, seed)
        self._clock: TimeControl | None = None
        self._left: dict[int, tuple[float, int]] = {}  # by seat: seconds and moves left
        self._passes = 0  # after the end of the game: Go managers end a game by two passes
        self._resigned: int | None = None  # the seat that resigned before the end
        self._read = self._handled = 0  # lines, since a waiting line ends a stream
        self._streaming = self._no_more_input = False
        self._commands: dict[str, Callable[[tuple[str, ...]], str]] = {
            "protocol_version": lambda words: VERSION,
            "name": lambda words: "Meeple",
            "version": lambda words: f"{version()} ({self._session.spec})",
            "known_command": self._known_command,
            "list_commands": lambda words: "\n".join((*self._commands, *_STREAMS)),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": self._showboard,
            "all_legal": self._all_legal,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "set_random_seed": self._set_random_seed,
            "hexgui-analyze_commands": lambda _: "\n".join(_ANALYSES).format(line="var"),
            "gogui-analyze_commands": lambda _: "\n".join(_ANALYSES).format(line="plist"),
            "meeple-win_estimates": self._win_estimates,
            "meeple-visit_shares": self._visit_shares,
            "meeple-policy": self._policy,
            "meeple-expected_play": self._expected_play,
            "meeple-value": self._value,
        }

    def handle(self, line: str) -> Iterator[str]:
        """Yield the answer to a line: `=` and the result, or `?` and the error.

        A command of `_STREAMS` yields its answer in pieces, until the next line arrives.
        """
        self._handled += 1
        command = parse_command(line)
        if command is not None and command.name in _STREAMS:
            yield from self._stream(command)
        elif command is not None:
            yield self._answer(command)

    def look_ahead(self, line: str) -> None:
        """End a stream, which any line does; GTP has no other command to stop a search."""
        self._read += 1
        if self._streaming:
            self._session.hurry.set()

    def input_ended(self) -> None:
        """Make the agent choose at once, as no caller waits for a better move."""
        self._no_more_input = True
        self._session.hurry.set()

    def _answer(self, command: Command) -> str:
        run = self._commands.get(command.name)
        if run is None:
            return answer(command.id, "unknown command", failed=True)
        try:
            return answer(command.id, run(command.arguments))
        except MeepleError as error:
            return answer(command.id, sentence(error), failed=True)

    # ------------------------------------------------------------ about itself

    def _known_command(self, words: tuple[str, ...]) -> str:
        known = _only_word(words, "a command")
        return "true" if known in self._commands or known in _STREAMS else "false"

    def _quit(self, words: tuple[str, ...]) -> str:
        self.ended = True
        return ""

    def _set_random_seed(self, words: tuple[str, ...]) -> str:
        seed = _integer(_only_word(words, "a seed"), 0, 2**63 - 1)
        if self._session.position.actions:
            raise Refused("the seed can only be set before the first move")
        self._session.restart(seed=seed)
        self._resigned = None
        return ""

    # ------------------------------------------------------------ the board

    def _boardsize(self, words: tuple[str, ...]) -> str:
        if len(words) not in (1, 2) or len(set(words)) != 1:
            raise Refused("unacceptable size: a board has as many rows as columns")
        try:
            return self._new_game(size=_integer(words[0], 0, 100))
        except UsageError as error:
            raise Refused(f"unacceptable size: {error}") from None

    def _clear_board(self, words: tuple[str, ...]) -> str:
        return self._new_game()

    def _new_game(self, **options: int) -> str:
        """Begin a new game, whose clocks may have been sent already; return the empty answer."""
        played = bool(self._session.position.actions)
        self._session.restart(**options)
        if played:
            self._left.clear()
        self._passes, self._resigned = 0, None
        return ""

    def _komi(self, words: tuple[str, ...]) -> str:
        _seconds(_only_word(words, "a number").lstrip("-"))
        return ""  # ignored: no supported game has komi

    def _play(self, words: tuple[str, ...]) -> str:
        if len(words) == 1 and len(words[0].split(",")) == 2:
            words = tuple(words[0].split(","))
        if len(words) != 2:
            raise Refused("play needs a colour and a cell")
        if words[1].lower() == RESIGN:  # benzene's twogtp announces a resignation like this
            self._resigned = _seat(words[0])
            return ""
        if self._session.position.is_over:
            _seat(words[0])
            if words[1].lower() != PASS:
                raise Refused("illegal move")
            self._passes += 1
            return ""
        self._ensure_turn(words[0])
        action = action_of(self._session.game, words[1])
        if action is None or action not in self._session.position.legal_actions():
            raise Refused("illegal move")
        self._session.play(action)
        self._resigned = None
        return ""

    def _genmove(self, words: tuple[str, ...]) -> str:
        if self._session.position.is_over:
            name = self._after_the_end(words)
            self._passes += name == PASS
            return name
        self._ensure_turn(_only_word(words, "a colour"))
        action = self._session.think(self._seconds_for_move())
        name = vertex(self._session.position, action)
        self._session.play(action)
        self._resigned = None
        return name

    def _after_the_end(self, words: tuple[str, ...]) -> str:
        """Return the answer to `genmove` after the end of the game.

        A manager that does not know the rules needs it to end the game: the loser resigns, others
        pass. In Reversi, where a pass is a move, the loser passes too, and `final_score` has the
        discs.
        """
        seat = _seat(_only_word(words, "a colour"))
        payoffs = self._session.position.payoffs
        loses = payoffs[seat] < payoffs.max()
        return RESIGN if loses and self._session.game.name != "reversi" else PASS

    def _reg_genmove(self, words: tuple[str, ...]) -> str:
        if self._session.position.is_over:
            return self._after_the_end(words)
        self._ensure_turn(_only_word(words, "a colour"))
        return vertex(self._session.position, self._session.think(self._seconds_for_move()))

    def _undo(self, words: tuple[str, ...]) -> str:
        self._resigned = None
        if self._passes:
            self._passes -= 1
            return ""
        try:
            self._session.undo()
        except UsageError:
            raise Refused("cannot undo") from None
        return ""

    def _showboard(self, words: tuple[str, ...]) -> str:
        return f"\n{board_text(self._session.position)}"

    def _all_legal(self, words: tuple[str, ...]) -> str:
        position = self._session.position
        return " ".join(vertex(position, a) for a in position.legal_actions().tolist())

    def _final_score(self, words: tuple[str, ...]) -> str:
        position = self._session.position
        if position.is_over:
            return score(position)
        if self._resigned is None:
            raise Refused("cannot score: the game is not over")
        return f"{'BW'[1 - self._resigned]}+R"

    def _ensure_turn(self, word: str) -> None:
        """Raise Refused unless it is that colour's turn in an unfinished game."""
        seat, position = _seat(word), self._session.position
        if seat != position.to_move and not position.actions and "first" in position.game.options:
            self._session.restart(first=seat + 1)  # either may begin
        elif seat != position.to_move:
            raise Refused(f"it is the turn of {COLOURS[position.to_move]}")

    # ------------------------------------------------------------ time

    def _time_settings(self, words: tuple[str, ...]) -> str:
        if len(words) != 3:
            raise Refused("time_settings needs main time, period and moves in a period")
        main, period = map(_seconds, words[:2])
        self._clock = TimeControl(main, period, _integer(words[2], 0, 10_000))
        self._left.clear()
        return ""

    def _time_left(self, words: tuple[str, ...]) -> str:
        seat = colour_of(words[0]) if words else None
        if seat is None or len(words) != 3:
            raise Refused("time_left needs a colour, seconds and moves")
        self._left[seat] = _seconds(words[1]), _integer(words[2], 0, 10_000)
        return ""

    def _seconds_for_move(self) -> float | None:
        left, moves = self._left.get(self._session.position.to_move, (None, None))
        if self._clock is None:
            return None if left is None else TimeControl(left, 0.0, 0).seconds_for_move(left, moves)
        return self._clock.seconds_for_move(left, moves)

    # ------------------------------------------------------------ analyses

    def _stream(self, command: Command) -> Iterator[str]:
        """Yield the head of an answer, a line after each interval, and an empty line at the end."""
        kata, moves = _STREAMS[command.name]
        session = self._session
        try:
            request = request_of(command.arguments)
            if session.position.is_over:
                raise Refused("the game is over")
            if request.seat is not None:
                self._ensure_turn(COLOURS[request.seat])
        except MeepleError as error:
            yield answer(command.id, sentence(error), failed=True)
            return
        yield f"={command.id}\n"
        self._streaming = True
        try:
            yield from self._last_line(request, kata) if moves else self._lines(request, kata)
        except MeepleError as error:
            yield f"# {sentence(error)}\n"
        finally:
            self._streaming = False
            session.hurry.clear()
            if self._no_more_input:
                session.hurry.set()
        yield "\n"

    def _lines(self, request: Request, kata: bool) -> Iterator[str]:
        """Yield what the search has found after each interval, until a line is waiting."""
        session = self._session
        while True:
            session.hurry.clear()
            if self._read > self._handled or self._no_more_input:
                return
            began = time.monotonic()
            session.think(request.seconds)
            if session.analysis is None:
                raise Refused(f"{session.spec} gives no analysis")
            yield f"{info_line(session.position, session.analysis, request, kata=kata)}\n"
            session.hurry.wait(max(0.0, began + request.seconds - time.monotonic()))

    def _last_line(self, request: Request, kata: bool) -> Iterator[str]:
        """Choose and play a move; yield the analysis and the move."""
        session = self._session
        action = session.think(self._seconds_for_move())
        if session.analysis is not None:
            yield f"{info_line(session.position, session.analysis, request, kata=kata)}\n"
        name = vertex(session.position, action)
        session.play(action)
        yield f"play {name}\n"

    def _analysis(self) -> Analysis:
        return self._session.analysed(self._seconds_for_move())

    def _win_estimates(self, words: tuple[str, ...]) -> str:
        found = self._analysis()
        if found.action_values is None:
            raise Refused("the agent estimates no chances")
        return self._pairs(found, found.action_values[:, self._session.position.to_move])

    def _visit_shares(self, words: tuple[str, ...]) -> str:
        found = self._analysis()
        return self._pairs(found, found.visits / max(int(found.visits.sum()), 1))

    def _policy(self, words: tuple[str, ...]) -> str:
        found = self._analysis()
        return self._pairs(found, found.policy if found.prior is None else found.prior)

    def _expected_play(self, words: tuple[str, ...]) -> str:
        line = legal_line(self._session.position, self._analysis().principal_variation)
        return " ".join(vertex(walk, action) for walk, action in line)

    def _value(self, words: tuple[str, ...]) -> str:
        found = self._analysis()
        if found.value is None:
            raise Refused("the agent estimates no chances")
        return f"{found.value[self._session.position.to_move]:.3f}"

    def _pairs(self, found: Analysis, numbers: Any) -> str:
        """Return pairs of move and number, the largest first, short enough for a cell of HexGui.

        Moves that were never visited or have no number, as they were cut off, are omitted.
        """
        position = self._session.position
        order = np.argsort(-np.asarray(numbers, dtype=np.float64), kind="stable")[:_MAX_SHOWN_MOVES]
        visited = found.visits if found.visits.any() else np.ones_like(found.visits)
        shown = [
            place for place in order.tolist() if visited[place] and np.isfinite(numbers[place])
        ]
        return " ".join(
            f"{vertex(position, int(found.actions[place]))} {numbers[place]:.2f}" for place in shown
        )


def _seat(word: str) -> int:
    """Return the seat of a colour. Raises Refused."""
    seat = colour_of(word)
    if seat is None:
        raise Refused(f"invalid color: it is {' or '.join(COLOURS)}")
    return seat


def _only_word(words: tuple[str, ...], what: str) -> str:
    if len(words) != 1:
        raise Refused(f"this needs {what}")
    return words[0]


def _integer(word: str, low: int, high: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 20) or not low <= int(word) <= high:
        raise Refused(f"a whole number from {low} to {high} is needed")
    return int(word)


def _seconds(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number <= _MAX_CLOCK_SECONDS:
        raise Refused("a number of seconds is needed")
    return number
