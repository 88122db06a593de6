"""Seats, and the tokens with which people act for them.

A client with a seat's token acts for the seat. The server stores only the tokens' hashes.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass

from meeple.games.contract.game import Game
from meeple.kernels import HEURISTIC
from meeple.server.store import seat_words

TOKEN_BYTES = 18
JUDGES = ("weighted", "greedy", "uct", "minimax")  # agents that keep to a game's `prune`


def new_token() -> str:
    """Return a random secret."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """Return the hash that is stored of a secret."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class Seat:
    """The player of one seat: an agent, a person, or none yet ("open")."""

    kind: str  # "human", "agent", "open", or "record" for a seat of an uploaded game
    name: str = ""  # of a person, or of an agent's level
    spec: str = ""  # of an agent, as shown
    token: str = ""  # hash of the person's token
    invite: str = ""  # hash of the invitation
    gone: bool = False  # whether the person gave up and an agent continues

    @property
    def is_person(self) -> bool:
        """Whether a person plays the seat, or is invited to."""
        return self.kind in ("human", "open")

    @property
    def judges(self) -> bool:
        """Whether an agent that uses the game's `prune` plays the seat."""
        return self.kind == "agent" and not self.gone and self.spec.split(":")[0] in JUDGES

    def claim(self, name: str, token: str) -> None:
        """Seat an invited person; this uses up the invitation."""
        self.kind, self.name, self.invite, self.token = "human", name, "", digest(token)

    def leave_to(self, spec: str) -> None:
        """Replace a person who gives up by an agent."""
        self.kind, self.spec, self.gone = "agent", spec, True
        self.token = self.invite = ""


def seats_of(seats: Sequence[Seat], tokens: Iterable[str]) -> frozenset[int]:
    """Return the seats that belong to the tokens."""
    return seats_with(seats, hashes(tokens))


def hashes(tokens: Iterable[str]) -> frozenset[str]:
    """Return what is stored of secrets."""
    return frozenset(map(digest, tokens))


def seats_with(seats: Sequence[Seat], held: Collection[str]) -> frozenset[int]:
    """Return the seats whose token's hash is among `held`."""
    return frozenset(
        number for number, seat in enumerate(seats) if seat.token and seat.token in held
    )


def invited(seats: Sequence[Seat], invite: str) -> int | None:
    """Return the open seat of an invitation, or None."""
    wanted = digest(invite)
    for number, seat in enumerate(seats):
        if seat.kind == "open" and seat.invite == wanted:
            return number
    return None


def people_words(seats: Iterable[Seat]) -> str:
    """Return the names and specs of all players in lower case, for text search."""
    return " ".join(f"{seat_words(asdict(seat))} {seat.spec}" for seat in seats).lower()


def substitute(game: Game) -> str:
    """Return the spec of the fast agent that replaces a person who left."""
    return "greedy" if game.has(HEURISTIC) else "random"
