"""The file of players: who may take part, by name and token.

It is TOML, a table `[[player]]` each, with `name` and `token`, or `spec` for an agent of the
host's own that takes part.
"""

import hmac
import secrets
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.spec import parse
from meeple.errors import MeepleError, UsageError
from meeple.files import read_bounded, write_private_file
from meeple.protocols.oht.messages import LONGEST_TOKEN

MOST_PLAYERS = 200
LONGEST_NAME = 40
TOKEN_BYTES = 12  # sixteen letters
LEAST_TOKEN = 8  # characters
_MOST_BYTES = 200_000


@dataclass(frozen=True)
class Player:
    """One who may take part: by a token, which is never printed, or as an agent here."""

    name: str
    token: str = ""
    spec: str = ""

    def __repr__(self) -> str:
        return f"Player({self.name!r}, spec={self.spec!r})"


def read_players(path: str | Path) -> tuple[Player, ...]:
    """The players of a file. Raises MeepleError that says what is wrong, without any token."""
    try:
        text = read_bounded(path, _MOST_BYTES).decode("utf-8-sig")
        found = tomllib.loads(text)
    except FileNotFoundError:
        raise MeepleError(f"there is no file {path}; `meeple oht token` makes one") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not TOML in UTF-8"
        raise MeepleError(f"cannot read the players in {path}: {reason}") from None
    rows = found.get("player")
    if set(found) != {"player"} or not isinstance(rows, list):
        raise MeepleError(f"{path} must have a table [[player]] for each player, and nothing else")
    players = tuple(_player(path, number, row) for number, row in enumerate(rows, start=1))
    _check(path, players)
    return players


def _player(path: str | Path, number: int, row: object) -> Player:
    where = f"{path}, player {number}"
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise MeepleError(f"{where}: each [[player]] needs a name")
    name = row["name"].strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise MeepleError(f"{where}: a name has from 1 to {LONGEST_NAME} printable characters")
    if set(row) not in ({"name", "token"}, {"name", "spec"}):
        raise MeepleError(f"{where}, {name}: it needs a token or a spec, and nothing else")
    token, spec = row.get("token", ""), row.get("spec", "")
    if "spec" in row:
        parse(str(spec))
    elif not isinstance(token, str) or not LEAST_TOKEN <= len(token) <= LONGEST_TOKEN:
        raise MeepleError(
            f"{where}, {name}: a token is a text of {LEAST_TOKEN} to {LONGEST_TOKEN} characters"
        )
    return Player(name, str(token), str(spec))


def _check(path: str | Path, players: Sequence[Player], least: int = 2) -> None:
    if not least <= len(players) <= MOST_PLAYERS:
        raise MeepleError(f"{path}: from {least} to {MOST_PLAYERS} players, not {len(players)}")
    for at, player in enumerate(players):
        for other in players[:at]:
            if player.name == other.name:
                raise MeepleError(f"{path}: two players are called {player.name}")
            if player.token and player.token == other.token:
                raise MeepleError(f"{path}: {player.name} has the same token as {other.name}")


def find(players: Sequence[Player], token: str) -> Player | None:
    """Whose token it is; how long that takes says nothing of which were close."""
    found = None
    given = token.encode(errors="surrogatepass")
    for player in players:
        if player.token and hmac.compare_digest(player.token.encode(), given):
            found = player
    return found


def write_players(path: Path, names: Sequence[str]) -> tuple[Player, ...]:
    """Make a file of players, each with a new token, which its owner alone may read.

    Raises UsageError where names are not fit or the file exists, MeepleError where it cannot be.
    """
    players = tuple(Player(name.strip(), secrets.token_urlsafe(TOKEN_BYTES)) for name in names)
    if path.exists():
        raise UsageError(f"{path} exists already: name another file, or add to it by hand")
    lines = [
        f"[[player]]\nname = {_quoted(player.name)}\ntoken = {_quoted(player.token)}\n"
        for player in players
    ]
    for number, player in enumerate(players, start=1):
        _player(path, number, {"name": player.name, "token": player.token})
    _check(path, players, least=1)  # agents of the host may be added by hand
    try:
        write_private_file(path, "\n".join(lines).encode())
    except OSError as error:
        raise MeepleError(f"cannot write {path}: {error.strerror or error}") from None
    return players


def _quoted(text: str) -> str:
    """A text as TOML has it; names hold printable characters alone."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
