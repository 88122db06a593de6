"""The messages of a tournament, independent of the dialect, and the client's answers.

The server's messages are records with a `topic`; a client answers with plain values: a token, a
bool, an action. The README specifies them.
"""

import itertools
import json
import types
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from meeple.errors import MeepleError, shown

MAX_TEXT_CHARS = 4000  # of a text from the server; longer ones are cut
MAX_TOKEN_CHARS = 200

Action = tuple[int, ...]  # (row, column), or (index,) in games without cells


class WireError(MeepleError):
    """Received data breaks the protocol, so that later data cannot be read either."""


class AnswerError(MeepleError):
    """An answer of the wrong form; later answers can still be read."""


@dataclass(frozen=True)
class Notice:
    """A sentence for people; `level` is info, warning or error."""

    topic: ClassVar[str] = "message"
    message: str
    level: str = "info"


@dataclass(frozen=True)
class Authentication:
    """Requests the client's token."""

    topic: ClassVar[str] = "authentication"


@dataclass(frozen=True)
class ClientQuestion:
    """Requests yes or no; `question` identifies the question, `prompt` is its text for people."""

    topic: ClassVar[str] = "question"
    question: str
    prompt: str


@dataclass(frozen=True)
class SeriesStart:
    """A series of games begins; the numbers of its players, 1 and 2, are fixed for it."""

    topic: ClassVar[str] = "series_start"
    unique_player_id: int
    player_id_map: tuple[tuple[int, int], ...]  # (unique id, 1 or 2) of both players
    num_games: int
    game_params: tuple[Any, ...]  # `(size,)` for Hex; see `boards.py`

    @property
    def series_id(self) -> int:
        """The number of this client, 1 or 2. Raises WireError if it is neither."""
        ids = dict(self.player_id_map)
        if ids.get(self.unique_player_id) not in (1, 2):
            raise WireError("the server's series_start does not say whether we are player 1 or 2")
        return ids[self.unique_player_id]


@dataclass(frozen=True)
class GameStart:
    """A game begins; `start_player` is 1 or 2."""

    topic: ClassVar[str] = "game_start"
    start_player: int


@dataclass(frozen=True)
class RequestAction:
    """Requests an action; `state` is the player to move, then a code for each cell."""

    topic: ClassVar[str] = "request_action"
    state: tuple[Any, ...]


@dataclass(frozen=True)
class GameOver:
    """A game has ended; `winner` is 1 or 2, or 0 for a draw."""

    topic: ClassVar[str] = "game_over"
    winner: int
    end_state: tuple[Any, ...]


@dataclass(frozen=True)
class SeriesOver:
    """A series has ended; for each player (unique id, 1 or 2, games won, games lost)."""

    topic: ClassVar[str] = "series_over"
    stats: tuple[tuple[int, int, int, int], ...]


@dataclass(frozen=True)
class TournamentOver:
    """The tournament has ended; the client's score is from 0 to 100."""

    topic: ClassVar[str] = "tournament_over"
    score: float


@dataclass(frozen=True)
class Failure:
    """An error that ends the session."""

    topic: ClassVar[str] = "error"
    error: str


@dataclass(frozen=True)
class IllegalMove:
    """The last action was illegal. Only the 2020 dialect has this message, its last of a session.

    In the 2023 dialect, `to_json` converts it to a notice.
    """

    topic: ClassVar[str] = "illegal"
    state: tuple[Any, ...]
    action: Action


@dataclass(frozen=True)
class Finish:
    """The last message of a session."""

    topic: ClassVar[str] = "finish"


ServerMessage = (
    Notice
    | Authentication
    | ClientQuestion
    | SeriesStart
    | GameStart
    | RequestAction
    | GameOver
    | SeriesOver
    | TournamentOver
    | Failure
    | IllegalMove
    | Finish
)
BY_TOPIC: dict[str, type[ServerMessage]] = {
    kind.topic: kind for kind in get_args(ServerMessage) if kind is not IllegalMove
}
ASKING = (Authentication, ClientQuestion, RequestAction)
"""The messages that a client answers, each with one value."""

M = TypeVar("M", bound=ServerMessage)


def is_text(value: Any) -> bool:
    """Return whether all strings of a JSON value can be encoded as UTF-8 (no lone surrogates)."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    except (TypeError, ValueError):  # not a JSON value: refused elsewhere
        pass
    return True


def depth_of(content: Iterable[Any], opening: Container[Any], closing: Container[Any]) -> int:
    """Return the nesting depth of the brackets of a text, including brackets in strings."""
    steps = ((sign in opening) - (sign in closing) for sign in content)
    return max(itertools.accumulate(steps, initial=0))


def to_json(message: ServerMessage) -> dict[str, Any]:
    """Return a message as a JSON object."""
    if isinstance(message, IllegalMove):
        words = f"the action {list(message.action)} is illegal"
        return to_json(Notice(words, "error"))
    return {"topic": message.topic, **vars(message)}


def from_json(value: Any) -> ServerMessage:
    """Return the message of a JSON object; unknown fields are ignored. Raises WireError."""
    if not isinstance(value, dict) or not isinstance(value.get("topic"), str):
        raise WireError("the server sent something that is not an object with a topic")
    kind = BY_TOPIC.get(value["topic"])
    if kind is None:
        known = ", ".join(BY_TOPIC)
        raise WireError(f"the server sent the topic {shown(value['topic'])}; topics: {known}")
    return build(kind, value)


def build(kind: type[M], fields: dict[str, Any]) -> M:
    """Create a message from its fields by name; fields with defaults may be missing.

    Raises:
        WireError: a field is missing or has a wrong type.
    """
    given: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        if get_origin(hint) is ClassVar:
            continue
        if name in fields:
            given[name] = _read(hint, fields[name], f"{kind.topic}: {name}")
        elif not hasattr(kind, name):
            raise WireError(f"the server's {kind.topic} has no {name}")
    return kind(**given)


def _read(hint: Any, value: Any, where: str) -> Any:
    """Convert a value to the type of a field: a number, a text, or a tuple from a list."""
    if hint is Any:
        return _plain(value, where)
    if hint in (int, str) and isinstance(value, hint) and not isinstance(value, bool):
        if isinstance(value, str):
            return value[:MAX_TEXT_CHARS]
        return value
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(hint, types.GenericAlias) and isinstance(value, list | tuple):
        inner = get_args(hint)
        if inner[-1] is Ellipsis:
            return tuple(_read(inner[0], one, where) for one in value)
        if len(inner) == len(value):
            return tuple(_read(part, one, where) for part, one in zip(inner, value, strict=True))
    raise WireError(f"the server sent {where} = {shown(value)}, which is of the wrong kind")


def _plain(value: Any, where: str) -> Any:
    """Check a cell code or game parameter: a number, a text, a bool, or an object of these."""
    if isinstance(value, dict):
        return {str(name): _plain(one, where) for name, one in value.items()}
    if isinstance(value, int | float | str | bool):
        return value
    raise WireError(f"the server sent {where} = {shown(value)}, which is of the wrong kind")


# ------------------------------------------------------------------------------ answers


def read_token(value: Any) -> str:
    """Return the token of an answer. Raises AnswerError, which does not contain the token."""
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TOKEN_CHARS:
        raise AnswerError("the token must be a text")
    return value


def read_yes(value: Any) -> bool:
    """Return the bool of an answer. Raises AnswerError."""
    if not isinstance(value, bool):
        raise AnswerError(f"the answer must be true or false, not {shown(value, 40)}")
    return value


def read_action(value: Any) -> Action:
    """Return the action of an answer, legal or not. Raises AnswerError."""
    if (
        isinstance(value, list | tuple)
        and 0 < len(value) <= 2
        and all(isinstance(one, int) and not isinstance(one, bool) for one in value)
        and all(abs(one) < 1_000_000 for one in value)
    ):
        return tuple(value)
    raise AnswerError(f"an action is [row, column], not {shown(value, 60)}")
