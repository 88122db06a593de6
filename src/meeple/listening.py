"""How servers are reached: listening sockets, their address, and the limit of open files."""

import errno
import socket
import sys
from collections.abc import Sequence

from meeple.errors import MeepleError

BACKLOG = 256  # connections that the system queues until they are accepted
_NO_ADDRESS = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)  # of a family that the machine lacks


def listen(host: str, port: int, *, tries: int = 1, what: str = "") -> list[socket.socket]:
    """Listen at every address of a host, on one port.

    Args:
        host: a name or an address.
        port: the first port to try; 0: any free one.
        tries: number of ports to try.
        what: what listens, for the error, with a space at its end.

    Raises:
        MeepleError: None of the ports is free, or the host is not this machine.
    """
    reason = "there is no such port"
    for number in range(port, min(port + tries, 65_536)):
        try:
            return _listen_at(host, number)
        except OSError as error:
            reason = error.strerror or str(error)
    raise MeepleError(f"{what}cannot listen at {host}, port {port}: {reason}")


def _listen_at(host: str, port: int) -> list[socket.socket]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    missing: OSError | None = None
    try:
        for family, address in dict.fromkeys((row[0], str(row[4][0])) for row in found):
            chosen = port_of(sockets) if sockets else port
            try:
                sockets.append(
                    socket.create_server((address, chosen), family=family, backlog=BACKLOG)
                )
            except OSError as error:
                if error.errno not in _NO_ADDRESS:
                    raise
                missing = error
    except OSError:
        for opened in sockets:
            opened.close()
        raise
    if not sockets and missing is not None:
        raise missing
    return sockets


def port_of(sockets: Sequence[socket.socket]) -> int:
    """Return the port of the sockets that `listen` returned."""
    return int(sockets[0].getsockname()[1])


def url_of(host: str, port: int) -> str:
    """Return the address of a page that is served at a host."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def allow_open_files(wanted: int) -> int:
    """Raise the limit of open files and sockets of this process, if possible.

    Returns:
        The number that it may open, at most `wanted`.
    """
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    except (OSError, ValueError):
        return soft
    return raised
