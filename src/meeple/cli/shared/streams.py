"""The standard streams: each exists, and writes every character in some way."""

import codecs
import contextlib
import io
import os
import sys
import unicodedata

PLAIN = "meeple.plain"
"""The name of the error handler that writes characters which an encoding lacks in ASCII."""
_ALIKE = str.maketrans("·×●★", "-x*+")


def prepare_streams() -> None:
    """Open closed standard streams on the null device, and let no character raise an error."""
    codecs.register_error(PLAIN, _in_ascii)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller: else the next file gets its number
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if mode == "r" else PLAIN)


def drop_output() -> None:
    """Let output that cannot be written go nowhere, so that closing it raises no error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return characters as ASCII: "..." for an ellipsis, "e" for "è", "?" for what has none."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ALIKE)
    plain = (unicodedata.normalize("NFKD", one).encode("ascii", "ignore").decode() for one in text)
    return "".join(one or "?" for one in plain), error.end
