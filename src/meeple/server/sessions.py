"""Sessions: the signed cookie of a browser that has said the password, and the secret behind it.

The secret is random and lies in the folder of the games. A cookie has nothing in it that could be
computed, or checked, from the password alone: who captures one cannot guess the password with it.
"""

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from itsdangerous import BadSignature, TimestampSigner

from meeple.errors import MeepleError
from meeple.files import write_private_file

COOKIE = "meeple"
SESSION = 30 * 86_400  # seconds that a password is remembered
FILE = "session.key"  # in the folder of the games
_KEY, _SALT = 32, 16  # bytes
_OTHERS = 0o077  # bits of a file's mode: what its group and everybody may do


class Secret(NamedTuple):
    """What one server alone knows."""

    key: bytes  # signs cookies
    salt: bytes  # of the password's hash


def new_secret() -> Secret:
    """One that nobody has had before."""
    return Secret(secrets.token_bytes(_KEY), secrets.token_bytes(_SALT))


def secret_of(folder: Path) -> Secret:
    """The secret of the server whose games are in that folder, made where there is none yet.

    Raises MeepleError where the file cannot be read or made, where it is damaged, and where others
    than its owner may read it.
    """
    file = folder / FILE
    remedy = "delete it (all have to log in again), or choose another folder for the games"
    try:
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_private_file(file, b"".join(new_secret()).hex().encode() + b"\n")
        mode, text = file.stat().st_mode, file.read_bytes()
    except OSError as error:
        raise MeepleError(f"cannot keep the key of sessions in {file}: {error.strerror}") from None
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
    """Makes cookies and knows them again, as long as neither secret nor password changes."""

    def __init__(self, secret: Secret, password_hash: bytes) -> None:
        # SHA-384: its 48 bytes are 64 letters of Base64 and no bit left over, so that no two
        # cookies have the same signature.
        self._signer = TimestampSigner(
            secret.key, "meeple session", key_derivation="hmac", digest_method=hashlib.sha384
        )
        named = b"meeple password " + password_hash
        self._fingerprint = hmac.digest(secret.key, named, "sha256").hex().encode()

    def cookie(self) -> str:
        """Says that a browser knows the password of today; signed, with the time of signing."""
        return self._signer.sign(self._fingerprint).decode()

    def knows(self, cookie: str) -> bool:
        """Whether a cookie is from here, of this password, and not older than a session."""
        try:
            fingerprint = self._signer.unsign(cookie, max_age=SESSION)
        except BadSignature:  # of an old one too
            return False
        return hmac.compare_digest(fingerprint, self._fingerprint)
