"""The last unexpected error, saved for the report of `meeple info --bug`, without secrets."""

import contextlib
import getpass
import os
import re
import traceback
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from meeple.files import write_atomically

LAST_ERROR = "last-error.txt"  # in the folder of the cache
MAX_LINES = 40  # of the last error, its end
SECRETS = ("MEEPLE_PASSWORD", "MEEPLE_OHT_TOKEN")
"""Environment variables whose values are secret."""
_RANDOM = re.compile(
    r"(?<![\w.-])(?:(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{16,}"
    r"|(?=[a-f]*\d)[\da-f]{24,})={0,2}(?![\w.-])"
)
_NAMED = re.compile(r"(?i)\b(token|password|secret)(['\"]?\s*[=:]\s*)(['\"]?)[^\s'\",)]+")
REMOVED = "<removed>"


def save_error(error: BaseException) -> None:
    """Save the traceback of an unexpected error for the next report, if it can be saved."""
    from meeple.kernels.cache import cache_folder, ensure_writable

    with contextlib.suppress(Exception):
        folder = cache_folder()
        ensure_writable(folder)
        time = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        lines = "".join(traceback.format_exception(error)).splitlines()[-MAX_LINES:]
        text = "\n".join([f"{time}, meeple {version('meeple')}", *lines])
        write_atomically(folder / LAST_ERROR, without_secrets(text) + "\n")


def last_error() -> str:
    """Return the last unexpected error, or "none"."""
    from meeple.kernels.cache import cache_folder

    try:
        return (cache_folder() / LAST_ERROR).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return "none"


def without_secrets(text: str) -> str:
    """Return a text without the user's home folder and name, passwords and tokens.

    A token is what looks random: 16 or more letters, digits, `_`, `+` and `-`, among them a digit,
    a small and a capital letter; or 24 or more hexadecimal digits.
    """
    for name in SECRETS:
        if value := os.environ.get(name):
            text = text.replace(value, REMOVED)
    home = str(Path.home())
    text = re.sub(re.escape(home) + r"(?=[/\\'\":\s,)]|$)", "~", text) if len(home) > 1 else text
    with contextlib.suppress(Exception):
        user = re.escape(getpass.getuser())
        text = re.sub(rf"(?<=[/\\]){user}(?=[/\\])", "USER", text)
    text = _NAMED.sub(rf"\1\2\3{REMOVED}", text)
    return _RANDOM.sub(REMOVED, text)
