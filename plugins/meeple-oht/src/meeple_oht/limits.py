"""The limits of a tournament's host: how much of it one client, and all of them, may use.

Limits of the form of messages, files and rules stand with these.
"""

from dataclasses import dataclass

from meeple.rate_limit import Rate
from meeple_oht.players import MAX_PLAYERS


@dataclass(frozen=True)
class HostLimits:
    """All limits of one host, fixed while it runs."""

    max_connections: int = 1000
    """Maximum number of open connections; fewer if the process may open fewer files."""
    max_connections_per_address: int = 400
    """Open connections of an address; a school may share one."""
    max_strangers_per_address: int = MAX_PLAYERS
    """Open connections of an address that have not sent a player's token."""
    max_connections_per_player: int = 10
    """Open connections with one token."""
    min_connections: int = 16
    """Connections that are accepted even if the process may open few files."""
    reserved_files: int = 200
    """Open files for the database, the page and libraries."""
    handshakes: Rate = Rate(50.0, 200.0)
    """New connections of an address; others wait their turn."""
    handshake_seconds: float = 10.0
    """For a TLS handshake."""
    login_seconds: float = 20.0
    """For the token."""
    answer_seconds: float = 120.0
    """For the question whether a player competes, which a person may answer."""
    close_seconds: float = 30.0
    """For a client to read the last messages of a session and close."""
    max_unread_bytes: int = 262_144
    """Bytes that a client may leave unread."""
    unrequested_answers: Rate = Rate(2.0, 20.0)
    """Answers without a request, beyond which the session ends."""
    max_practice_series: int = 32
    """Players that practise at the same time."""
    max_agents: int = 4
    """Agents of the host that search at the same time."""
    stop_seconds: float = 0.5
    """To inform all players that the host stops, and to close their connections."""


HOST_LIMITS = HostLimits()
"""The limits of a host for which no others are given."""
