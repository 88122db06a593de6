"""Messages of JSettlers and the connection that carries them.

A message is a text "type|field,field" after its length in bytes, two bytes big-endian, as Java's
`DataOutputStream.writeUTF` sends it. The types are numbers, named by `Kind`.
"""

import enum
import socket
import struct
from typing import NamedTuple

from meeple.errors import MeepleError

MAX_FIELDS = 400  # of a message; the longest that is read, a board, has 76
MAX_NUMBER = 9999  # in a message that is read; the largest that a game needs is 1000, a state
_MAX_BYTES = 0xFFFF  # of a message
_KEEP_ALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}  # seconds, and probes


class Kind(enum.IntEnum):
    """The types of messages that this client reads or sends."""

    PUT_PIECE = 1009
    LEAVE_GAME = 1011
    SIT_DOWN = 1012
    JOIN_GAME = 1013
    BOARD_LAYOUT = 1014
    DELETE_GAME = 1015
    GAME_MEMBERS = 1017
    START_GAME = 1018
    JOIN_GAME_AUTH = 1021
    I_AM_A_ROBOT = 1022
    BOT_JOIN_GAME_REQUEST = 1023
    PLAYER_ELEMENT = 1024
    GAME_STATE = 1025
    TURN = 1026
    DICE_RESULT = 1028
    DISCARD_REQUEST = 1029
    ROLL_DICE = 1031
    END_TURN = 1032
    DISCARD = 1033
    MOVE_ROBBER = 1034
    CHOOSE_PLAYER = 1035
    REJECT_OFFER = 1037
    CLEAR_OFFER = 1038
    ACCEPT_OFFER = 1039
    BANK_TRADE = 1040
    MAKE_OFFER = 1041
    CANCEL_BUILD_REQUEST = 1044
    BUY_CARD_REQUEST = 1045
    CARD_ACTION = 1046
    PLAY_CARD_REQUEST = 1049
    PICK_RESOURCES = 1052
    PICK_RESOURCE_TYPE = 1053
    ROBOT_DISMISS = 1056
    REJECT_CONNECTION = 1059
    GAME_STATS = 1061
    RESOURCE_COUNT = 1063
    STATUS = 1069
    UPDATE_ROBOT_PARAMS = 1071
    NEW_GAME_WITH_OPTIONS_REQUEST = 1078
    NEW_GAME_WITH_OPTIONS = 1079
    GAMES_WITH_OPTIONS = 1083
    PLAYER_ELEMENTS = 1086
    SIMPLE_ACTION = 1090
    DICE_RESULT_RESOURCES = 1092
    GAME_ELEMENTS = 1096
    ROBBERY_RESULT = 1102
    DECLINE_REQUEST = 1104
    UNDO_PUT_PIECE = 1105
    VERSION = 9998
    SERVER_PING = 9999


NAMES = {int(kind): kind.name for kind in Kind}


def whole(field: str) -> int:
    """Return a whole number of a message. Raises ValueError: it is none, or above MAX_NUMBER."""
    number = int(field) if len(field) < 10 else MAX_NUMBER + 1
    if abs(number) > MAX_NUMBER:
        raise ValueError(f"{field} is no number of a game")
    return number


class Message(NamedTuple):
    """A message: its type, which may be no `Kind`, and its fields."""

    kind: int
    fields: tuple[str, ...]

    @property
    def numbers(self) -> list[int]:
        """All fields after the first, which names the game, as whole numbers.

        A last field "Y" marks news for people and is left out.

        Raises:
            MeepleError: one of them is no number.
        """
        try:
            end = len(self.fields) - (self.fields[-1:] == ("Y",))
            return [whole(field) for field in self.fields[1:end]]
        except ValueError:
            raise MeepleError(f"the server sent a malformed message: {self}") from None

    def __str__(self) -> str:
        name = NAMES.get(self.kind, "message")
        return f"{name} {self.kind}|{','.join(self.fields)}"[:200]


def parse(text: str) -> Message:
    """Read the text of a message; some of its types separate their fields by "|".

    Raises:
        MeepleError: the text has no type, or too many fields.
    """
    word, _, rest = text.partition("|")
    if not word.isascii() or not word.isdigit() or len(word) > 6:
        raise MeepleError(f"the server sent no message of JSettlers: {text[:60]!r}")
    fields = rest.replace("|", ",").split(",", MAX_FIELDS) if rest else []
    if len(fields) > MAX_FIELDS:
        raise MeepleError(f"the server sent a message of more than {MAX_FIELDS} fields")
    return Message(int(word), tuple(fields))


def text_of(kind: Kind, *fields: object) -> str:
    """Return the text of a message; a truth value is written as in Java."""
    words = [str(field).lower() if isinstance(field, bool) else str(field) for field in fields]
    return f"{int(kind)}|{','.join(words)}"


class Connection:
    """A connection to a server."""

    def __init__(self, host: str, port: int, seconds: float = 10.0) -> None:
        """Connect.

        Raises:
            MeepleError: nothing answers there within this time.
        """
        try:
            self._socket = socket.create_connection((host, port), timeout=seconds)
        except OSError as error:
            reason = error.strerror or error
            raise MeepleError(f"no server answers at {host}:{port}: {reason}") from None
        # The system notices a line that died without a word, however long the server is silent.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, amount in _KEEP_ALIVE.items():
            if hasattr(socket, name):
                self._socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), amount)
        self._received = bytearray()

    def send(self, text: str) -> None:
        """Send a message. Raises ConnectionError if the connection is lost."""
        data = text.encode()
        if len(data) > _MAX_BYTES:
            raise MeepleError(f"a message has at most {_MAX_BYTES} bytes, not {len(data)}")
        try:
            self._socket.sendall(struct.pack(">H", len(data)) + data)
        except OSError as error:
            raise ConnectionError(str(error)) from None

    def receive(self, seconds: float) -> str | None:
        """Return the next message; None if none comes within this time.

        Raises:
            ConnectionError: the connection is lost.
            MeepleError: what comes is no text.
        """
        self._socket.settimeout(max(seconds, 0.001))
        while (text := self._next()) is None:
            try:
                data = self._socket.recv(_MAX_BYTES)
            except TimeoutError:
                return None
            except OSError as error:
                raise ConnectionError(str(error)) from None
            if not data:
                raise ConnectionError("the server closed the connection")
            self._received += data
        return text

    def _next(self) -> str | None:
        """Remove a whole message from what was received."""
        if len(self._received) < 2:
            return None
        end = 2 + int.from_bytes(self._received[:2], "big")
        if len(self._received) < end:
            return None
        data = bytes(self._received[2:end])
        del self._received[:end]
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise MeepleError("the server sent a message that is no UTF-8") from None

    def close(self) -> None:
        """Close it."""
        self._socket.close()
