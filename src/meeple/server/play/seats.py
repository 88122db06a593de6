"""Who sits where: seats, and the secrets by which people act for them.

Whoever has a seat's token acts for it. The server keeps the tokens' hashes only.
"""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from meeple.games.contract.game import Game
from meeple.kernels import HEURISTIC
from meeple.server.store import seat_words

TOKEN_BYTES = 18
JUDGES = ("weighted", "greedy", "uct", "minimax")  # agents that keep to a game's `prune`


def new_token() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class Seat:
    """Who plays one seat: an agent, a person, or nobody yet ("open")."""

    kind: str  # "human", "agent", "open", or "record": of a game that was brought here
    name: str = ""
    spec: str = ""  # of an agent, as it is shown
    token: str = ""  # hash of its person's
    invite: str = ""  # hash of what lets a person take it
    gone: bool = False  # its person gave up, and an agent plays on

    @property
    def is_person(self) -> bool:
        """Whether it is somebody's to play, here or yet to come."""
        return self.kind in ("human", "open")

    @property
    def judges(self) -> bool:
        """Whether it is played by what a game says of sensible actions."""
        return self.kind == "agent" and not self.gone and self.spec.split(":")[0] in JUDGES

    def claim(self, name: str, token: str) -> None:
        """Seat a person who was invited; the invitation is spent."""
        self.kind, self.name, self.invite, self.token = "human", name, "", digest(token)

    def leave_to(self, spec: str) -> None:
        """Have an agent play on for a person who gives up."""
        self.kind, self.spec, self.gone = "agent", spec, True
        self.token = self.invite = ""


def seats_of(seats: Sequence[Seat], tokens: Iterable[str]) -> frozenset[int]:
    """The seats that the holder of some tokens acts for."""
    held = {digest(token) for token in tokens}
    return frozenset(
        number for number, seat in enumerate(seats) if seat.token and seat.token in held
    )


def invited(seats: Sequence[Seat], invite: str) -> int | None:
    """The open seat that an invitation is for."""
    wanted = digest(invite)
    for number, seat in enumerate(seats):
        if seat.kind == "open" and seat.invite == wanted:
            return number
    return None


def people_words(seats: Iterable[Seat]) -> str:
    """Everybody at the board, to be searched."""
    return " ".join(seat_words(asdict(seat)) for seat in seats).lower()


def substitute(game: Game) -> str:
    """The agent that plays on for somebody who left: quick, and not a fool where that is easy."""
    return "greedy" if game.has(HEURISTIC) else "random"
