"""The dialect of 2020: unframed text, whose values are Python literals.

Each text is sent by one write, so that over TLS it is one record, and a client that reads once gets
one text. An announcement such as "Series start" is followed by its values, one text each. Any other
text is a state, which requests an action; the answer is "(row, column)". The login is a dialogue of
prompts: a name, a password (the token), and whether to qualify.
"""

import ast
import re
from collections.abc import Sequence
from typing import Any

from meeple.errors import shown
from meeple_oht.wire.messages import (
    Action,
    AnswerError,
    Authentication,
    ClientQuestion,
    Failure,
    Finish,
    GameOver,
    GameStart,
    IllegalMove,
    Notice,
    RequestAction,
    SeriesOver,
    SeriesStart,
    ServerMessage,
    TournamentOver,
    WireError,
    build,
    depth_of,
    is_text,
    read_action,
)

MAX_TEXT_CHARS = 65_536  # characters of a text
_MAX_ANSWER_CHARS = 400
_MAX_DEPTH = 20

ANNOUNCED: dict[str, tuple[type[ServerMessage], tuple[str, ...]]] = {
    "Series start": (
        SeriesStart,
        ("unique_player_id", "player_id_map", "num_games", "game_params"),
    ),
    "Game start": (GameStart, ("start_player",)),
    "Game end": (GameOver, ("winner", "end_state")),
    "Series end": (SeriesOver, ("stats",)),
    "Tournament end": (TournamentOver, ("score",)),
    "Illegal action": (IllegalMove, ("state", "action")),
}
"""The message of each announcement, and the fields whose values follow it."""

USERNAME, PASSWORD = "Your username: ", "Your password (the token): "
QUALIFY = "Do you want to qualify for the tournament (y), or play a test game (n)? "
WELCOME, WRONG, SORRY = "Welcome", "Invalid credentials", "Sorry"
_OPEN, _CLOSE = "([{", ")]}"


def write(message: ServerMessage) -> list[str]:
    """Return the texts of a message, to be sent one by one.

    The list is empty for notices, which an old client would take for a state.
    """
    match message:
        case Authentication():
            return [PASSWORD]
        case ClientQuestion():
            return [QUALIFY]
        case RequestAction():
            return [repr(message.state)]
        case Failure():
            return [f"{SORRY}: {message.error}"]
        case Notice() | Finish():
            return []
    for words, (kind, fields) in ANNOUNCED.items():
        if isinstance(message, kind):
            return [words, *(_literal(getattr(message, field)) for field in fields)]
    raise AssertionError(message)


def _literal(value: Any) -> str:
    """Return a value as a Python literal; the player map and the stats as lists, as in 2020."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return repr(list(value))
    return repr(value)


def parse(text: str, most: int = MAX_TEXT_CHARS) -> Any:
    """Return the value of a literal, without evaluating code. Raises WireError."""
    if len(text) > most or depth_of(text, _OPEN, _CLOSE) > _MAX_DEPTH:
        raise WireError("a value is longer, or nested more deeply, than any of the protocol")
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise WireError(f"{shown(text, 60)} is not the literal of a value") from None
    if not is_text(value):
        raise WireError("a value has a text that UTF-8 cannot hold")
    return value


class Texts:
    """Splits the text that a client receives into messages.

    Texts that arrive together are separated by their form: an announcement is known words, a value
    is a literal with balanced brackets, and a number ends with its text.
    """

    def __init__(self) -> None:
        self._held = ""
        self._open: tuple[type[ServerMessage], tuple[str, ...]] | None = None
        self._values: list[Any] = []

    def feed(self, text: str) -> None:
        """Add received text. Raises WireError if it is too long."""
        self._held += text
        if len(self._held) > MAX_TEXT_CHARS:
            raise WireError("the server sent a text that is too long")

    def next(self) -> ServerMessage | None:
        """Return the next message, or None if it is incomplete. Raises WireError."""
        while True:
            if self._open is not None and len(self._values) == len(self._open[1]):
                kind, fields = self._open
                values, self._open, self._values = self._values, None, []
                return build(kind, dict(zip(fields, values, strict=True)))
            piece = self._piece()
            if piece is None:
                return None
            if self._open is not None:
                self._values.append(parse(piece))
            elif piece in ANNOUNCED:
                self._open = ANNOUNCED[piece]
            elif piece[0] in _OPEN:
                state = parse(piece)
                return build(RequestAction, {"state": state})
            else:
                return _dialogue(piece)

    def _piece(self) -> str | None:
        """Remove the next announcement, prompt or literal from the buffer and return it."""
        held = self._held.lstrip()
        if not held:
            self._held = ""
            return None
        if held[0].isalpha() and self._open is None:
            word = next((one for one in ANNOUNCED if held.startswith(one)), None)
            if word is None and any(one.startswith(held) for one in ANNOUNCED):
                return None
            end = len(word) if word else _first_announcement(held)
        elif held[0] in _OPEN:
            end = _closed(held)
            if not end:
                return None
        else:
            number = re.match(r"[^\s(\[{A-Z]+", held)  # an announcement begins with a capital
            end = number.end() if number else len(held)
        self._held = held[end:]
        return held[:end]


def _first_announcement(text: str) -> int:
    """Return the index of the first announcement in a text, or the length of the text."""
    return min((at for word in ANNOUNCED if (at := text.find(word)) >= 0), default=len(text))


def _closed(text: str) -> int:
    """Return the index after the brackets at the start of a text; 0 if they are not closed."""
    depth = 0
    for at, sign in enumerate(text, 1):
        depth += (sign in _OPEN) - (sign in _CLOSE)
        if not depth:
            return at
    return 0


def _dialogue(text: str) -> ServerMessage:
    """Return the message of a prompt or answer of the login."""
    lower = text.lower()
    if "username" in lower or "player-name" in lower:
        return ClientQuestion("name", text)
    if "password" in lower:
        return Authentication()
    if "qualify" in lower or "stress" in lower:
        return ClientQuestion("qualify", text)
    if WELCOME.lower() in lower:
        return Notice(text)
    if WRONG.lower() in lower or SORRY.lower() in lower:
        return Failure(text)
    raise WireError(f"the server sent {shown(text, 60)}, which is not in this dialect")


# ------------------------------------------------------------------------------ answers


def write_action(action: Sequence[int]) -> str:
    """Return an action as a client's answer."""
    return repr(tuple(action))


class Answers:
    """Splits the text that a server receives into a client's answers.

    An answer to a prompt is all the text received at once. An action is a literal with balanced
    brackets; other text is parsed whole and refused.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> None:
        """Add received text. Raises WireError if it is too long for an answer."""
        self._held += text
        if len(self._held) > _MAX_ANSWER_CHARS:
            raise WireError("an answer may have at most 400 characters")

    def next_line(self) -> str | None:
        """Return the received text as the answer to a prompt; None if it is empty."""
        text, self._held = self._held.strip(), ""
        return text or None

    def next_action(self) -> Action | None:
        """Return the next action; None if it is incomplete. Raises AnswerError."""
        held = self._held.strip()
        if not held:
            return None
        end = _closed(held) if held[0] in _OPEN else len(held)
        if not end:
            return None
        piece, self._held = held[:end], held[end:]
        try:
            return read_action(parse(piece, _MAX_ANSWER_CHARS))
        except WireError as error:
            raise AnswerError(str(error)) from None
