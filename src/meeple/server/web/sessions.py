"""Sessions: the signed cookie of a browser that sent the password, and the secret that signs it.

The secret is random and stored in the folder of the games. No part of a cookie can be computed or
checked from the password alone, so a captured cookie does not help to guess the password.
"""

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from itsdangerous import BadSignature, TimestampSigner

from meeple.errors import MeepleError
from meeple.files import reported, write_private_file

COOKIE = "meeple"
FILE = "session.key"  # in the folder of the games
_KEY, _SALT = 32, 16  # bytes
_OTHERS = 0o077  # bits of a file's mode: the rights of its group and of others


class Secret(NamedTuple):
    """The secret of one server."""

    key: bytes  # signs cookies
    salt: bytes  # of the password's hash


def new_secret() -> Secret:
    """Return a random secret."""
    return Secret(secrets.token_bytes(_KEY), secrets.token_bytes(_SALT))


def secret_of(folder: Path) -> Secret:
    """Return the secret of a server's folder of games; create it if missing.

    Raises:
        MeepleError: The file cannot be read or made, is damaged, or is readable by others than its
            owner.
    """
    file = folder / FILE
    remedy = "delete it (all have to log in again), or choose another folder for the games"
    with reported(f"cannot keep the key of sessions in {file}", MeepleError):
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_private_file(file, b"".join(new_secret()).hex().encode() + b"\n")
        mode, text = file.stat().st_mode, file.read_bytes()
    if os.name == "posix" and mode & _OTHERS:
        raise MeepleError(f"others may read {file}, the key of sessions: {remedy}")
    try:
        both = bytes.fromhex(text.decode())
    except ValueError:
        both = b""
    if len(both) != _KEY + _SALT:
        raise MeepleError(f"{file} is not a key of sessions, or damaged: {remedy}")
    return Secret(both[:_KEY], both[_KEY:])


class Sessions:
    """Makes and verifies cookies, which are valid until the secret or the password changes."""

    def __init__(self, secret: Secret, password_hash: bytes, max_seconds: int) -> None:
        """Create the sessions; `max_seconds` is the lifetime of a cookie."""
        self.max_seconds = max_seconds
        # SHA-384: its 48 bytes are exactly 64 characters of Base64, so that no two texts decode
        # to the same signature.
        self._signer = TimestampSigner(
            secret.key, "meeple session", key_derivation="hmac", digest_method=hashlib.sha384
        )
        named = b"meeple password " + password_hash
        self._fingerprint = hmac.digest(secret.key, named, "sha256").hex().encode()

    def cookie(self) -> str:
        """Return a signed cookie for the current password, with the time of signing."""
        return self._signer.sign(self._fingerprint).decode()

    def knows(self, cookie: str) -> bool:
        """Return whether a cookie is genuine, of the current password, and not expired.

        A cookie from the future, signed before the clock was set back, is valid.
        """
        try:
            fingerprint, signed = self._signer.unsign(cookie, return_timestamp=True)
        except BadSignature:
            return False
        is_new = self._signer.get_timestamp() - signed.timestamp() <= self.max_seconds
        return is_new and hmac.compare_digest(fingerprint, self._fingerprint)
