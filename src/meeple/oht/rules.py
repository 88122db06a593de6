"""The rules of a tournament: how much is played, in what time, and what each fault costs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from meeple.errors import UsageError

LOSE, RETRY, RANDOM = "lose", "retry", "random"
COSTS = {
    "illegal": (LOSE, RETRY, RANDOM),
    "rubbish": (LOSE, RETRY, RANDOM),
    "timeout": (LOSE, RANDOM),
}
"""By fault: what it may cost. Who retries is asked again, up to `RETRIES` times a move."""

RETRIES = 3
RETURNS = 20  # times that a player may connect again during one game
LONGEST_WAIT = 86_400.0


@dataclass(frozen=True)
class Rules:
    """Fixed for a tournament; stored with it."""

    games: int = 10  # of a series between two players
    seconds: float = 10.0  # wall clock a move
    on_illegal: str = LOSE
    on_rubbish: str = LOSE
    on_timeout: str = LOSE
    wait: float = 60.0  # seconds a game that one who has lost the connection is waited for; 0: lost
    qualifiers: tuple[str, ...] = ()  # specs of agents that each player meets first
    qualifier_games: int = 10  # against each of them
    wins: int = 1  # of all these games, to qualify
    attempts: int = 3  # at the qualifiers
    practice: tuple[str, ...] = ("random",)  # specs of agents that one may practise against
    register: float = 0.0  # seconds after which the league begins without the others; 0: with all
    series_at_once: int = 64

    def __post_init__(self) -> None:
        """Raises UsageError for what cannot be."""
        for fault, allowed in COSTS.items():
            cost = getattr(self, f"on_{fault}")
            if cost not in allowed:
                words = ", ".join(allowed[:-1]) + f" or {allowed[-1]}"
                raise UsageError(f"--on-{fault} must be {words}, not '{cost}'")
        met = len(self.qualifiers) * self.qualifier_games
        if self.qualifiers and self.wins > met:
            raise UsageError(f"nobody can win {self.wins} of {met} qualifiers")

    def cost(self, fault: str) -> str:
        """What a fault costs."""
        return str(getattr(self, f"on_{fault}"))

    def to_json(self) -> dict[str, Any]:
        """The rules as JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Rules":
        """The rules that were stored."""
        lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
        return cls(**{**fields, **lists})

    def difference(self, other: "Rules") -> str:
        """The first rule that is not the same, as "seconds: 10.0, not 5.0"; "" where none is."""
        mine, theirs = self.to_json(), other.to_json()
        for name, value in mine.items():
            if theirs[name] != value:
                return f"{name}: {value}, not {theirs[name]}"
        return ""


def parse_wait(words: str) -> float:
    """The seconds of `lose` (0) or `wait=SECONDS`. Raises UsageError."""
    kind, _, number = words.partition("=")
    if words == LOSE:
        return 0.0
    try:
        seconds = float(number)
    except ValueError:
        seconds = -1.0
    if kind != "wait" or not 0 <= seconds <= LONGEST_WAIT:
        raise UsageError(f"--on-disconnect must be lose or wait=SECONDS, not '{words}'")
    return seconds


def score_of(won: int, drawn: int, played: int) -> float:
    """From 0 to 100, by the games won; a draw is half of one."""
    return round(100 * (won + drawn / 2) / played, 2) if played else 0.0
