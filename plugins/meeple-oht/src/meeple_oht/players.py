"""The file of the registered players, with a name and a token each.

It is TOML: a table `[[player]]` for each player, with `name` and `token`, or `name` and `spec` for
an agent of the host.
"""

import hmac
import secrets
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.networks import NEARBY
from meeple.agents.spec import check_read
from meeple.errors import MeepleError, UsageError
from meeple.files import read_text, reported, write_private_file
from meeple_oht.wire.messages import MAX_TOKEN_CHARS

MAX_PLAYERS = 200
MAX_NAME_CHARS = 40
TOKEN_BYTES = 12  # written as 16 characters
MIN_TOKEN_CHARS = 8
_MAX_FILE_BYTES = 200_000


@dataclass(frozen=True)
class RegisteredPlayer:
    """A player: a client with a token, which is never printed, or an agent of the host."""

    name: str
    token: str = ""
    spec: str = ""

    def __repr__(self) -> str:
        return f"Player({self.name!r}, spec={self.spec!r})"


def read_players(path: str | Path) -> tuple[RegisteredPlayer, ...]:
    """Read the players of a file. Raises MeepleError, whose message contains no token."""
    try:
        found = tomllib.loads(read_text(path, _MAX_FILE_BYTES))
    except FileNotFoundError:
        raise MeepleError(f"there is no file {path}; `meeple oht token` makes one") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not TOML"
        raise MeepleError(f"cannot read the players in {path}: {reason}") from None
    rows = found.get("player")
    if set(found) != {"player"} or not isinstance(rows, list):
        raise MeepleError(f"{path} must have a table [[player]] for each player, and nothing else")
    players = tuple(_player(path, number, row) for number, row in enumerate(rows, start=1))
    _check(path, players)
    return players


def _player(path: str | Path, number: int, row: object) -> RegisteredPlayer:
    where = f"{path}, player {number}"
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise MeepleError(f"{where}: each [[player]] needs a name")
    name = row["name"].strip()
    if not 0 < len(name) <= MAX_NAME_CHARS or not name.isprintable():
        raise MeepleError(f"{where}: a name has from 1 to {MAX_NAME_CHARS} printable characters")
    if set(row) not in ({"name", "token"}, {"name", "spec"}):
        raise MeepleError(f"{where}, {name}: it needs a token or a spec, and nothing else")
    token, spec = row.get("token", ""), row.get("spec", "")
    if "spec" in row:
        check_read(str(spec), NEARBY)
    elif not isinstance(token, str) or not MIN_TOKEN_CHARS <= len(token) <= MAX_TOKEN_CHARS:
        raise MeepleError(
            f"{where}, {name}: "
            f"a token is a text of {MIN_TOKEN_CHARS} to {MAX_TOKEN_CHARS} characters"
        )
    return RegisteredPlayer(name, str(token), str(spec))


def _check(path: str | Path, players: Sequence[RegisteredPlayer], least: int = 2) -> None:
    if not least <= len(players) <= MAX_PLAYERS:
        raise MeepleError(f"{path}: from {least} to {MAX_PLAYERS} players, not {len(players)}")
    for at, player in enumerate(players):
        for other in players[:at]:
            if player.name == other.name:
                raise MeepleError(f"{path}: two players are called {player.name}")
            if player.token and player.token == other.token:
                raise MeepleError(f"{path}: {player.name} has the same token as {other.name}")


def find(players: Sequence[RegisteredPlayer], token: str) -> RegisteredPlayer | None:
    """Return the player with a token, or None, in a time independent of similar tokens."""
    found = None
    given = token.encode(errors="surrogatepass")
    for player in players:
        if player.token and hmac.compare_digest(player.token.encode(), given):
            found = player
    return found


def write_players(path: Path, names: Sequence[str]) -> tuple[RegisteredPlayer, ...]:
    """Create a file of players with new tokens, which only its owner may read.

    Raises:
        UsageError: the file exists.
        MeepleError: a name is not allowed, or the file cannot be written.
    """
    players = tuple(
        RegisteredPlayer(name.strip(), secrets.token_urlsafe(TOKEN_BYTES)) for name in names
    )
    if path.exists():
        raise UsageError(f"{path} exists already: name another file, or add to it by hand")
    lines = [
        f"[[player]]\nname = {_quoted(player.name)}\ntoken = {_quoted(player.token)}\n"
        for player in players
    ]
    for number, player in enumerate(players, start=1):
        _player(path, number, {"name": player.name, "token": player.token})
    _check(path, players, least=1)  # one player suffices: agents of the host may be added by hand
    with reported(f"cannot write {path}", MeepleError):
        write_private_file(path, "\n".join(lines).encode())
    return players


def empty_folder(folder: Path) -> None:
    """Make a folder for the tokens of players, which only its owner may open, unless it exists.

    Raises:
        UsageError: it is no folder, or has files: tokens are not mixed with those of another class.
        MeepleError: it cannot be made or read.
    """
    with reported(f"cannot use {folder}", MeepleError):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} exists already and is no empty folder: name another")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_tokens(folder: Path, players: Sequence[RegisteredPlayer]) -> list[Path]:
    """Write the token of each player to a file of its own, which only its owner may read.

    Returns:
        The files, in the order of the players that have a token.

    Raises:
        MeepleError: a file cannot be written.
    """
    files: dict[str, Path] = {}  # by a name that file systems without capitals distinguish
    for player in players:
        if player.token:
            stem = name = f"token-{_file_name(player.name)}"
            number = 1
            while name.casefold() in files:
                number += 1
                name = f"{stem}-{number}"
            files[name.casefold()] = file = folder / f"{name}.txt"
            with reported(f"cannot write {file}", MeepleError):
                write_private_file(file, f"{player.token}\n".encode())
    return list(files.values())


def _file_name(name: str) -> str:
    """Return a name with its letters, marks and digits of any script; all else is a hyphen."""
    composed = unicodedata.normalize("NFC", name)[:MAX_NAME_CHARS]
    parts = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in composed).split()
    return "-".join(parts) or "player"


def _quoted(text: str) -> str:
    """Return a printable text as a TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
