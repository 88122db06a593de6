"""The rules of a tournament: number of games, time limits and the cost of each fault."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from meeple.errors import MeepleError, UsageError

LOSE, RETRY, RANDOM = "lose", "retry", "random"
COSTS = {
    "illegal": (LOSE, RETRY, RANDOM),
    "rubbish": (LOSE, RETRY, RANDOM),
    "timeout": (LOSE, RANDOM),
}
"""The allowed costs of each fault; "retry" repeats a request up to `MAX_RETRIES` times."""

MAX_RETRIES = 3
MAX_RECONNECTIONS = 20  # times that a player may connect again during one game
MAX_WAIT_SECONDS = 86_400.0


@dataclass(frozen=True)
class TournamentRules:
    """The rules, fixed for a tournament and stored with it."""

    games: int = 10  # of a series between two players
    seconds: float = 10.0  # wall-clock time limit of a move
    on_illegal: str = LOSE
    on_rubbish: str = LOSE
    on_timeout: str = LOSE
    wait: float = 60.0  # seconds a game to wait for a lost player to reconnect; 0: the game is lost
    qualifiers: tuple[str, ...] = ()  # specs of agents that each player meets first
    qualifier_games: int = 10  # against each qualifier
    wins: int = 1  # games that a player must win against the qualifiers
    attempts: int = 3  # at the qualifiers
    practice: tuple[str, ...] = ("random",)  # specs of agents for practice
    register: float = 0.0  # seconds after which the league begins; 0: when all have qualified
    series_at_once: int = 64  # series played at the same time

    def __post_init__(self) -> None:
        """Check the rules. Raises UsageError."""
        for fault, allowed in COSTS.items():
            cost = getattr(self, f"on_{fault}")
            if cost not in allowed:
                words = ", ".join(allowed[:-1]) + f" or {allowed[-1]}"
                raise UsageError(f"--on-{fault} must be {words}, not '{cost}'")
        met = len(self.qualifiers) * self.qualifier_games
        if self.qualifiers and self.wins > met:
            raise UsageError(f"no player can win {self.wins} of {met} qualifiers")

    def cost(self, fault: str) -> str:
        """Return the cost of a fault."""
        return str(getattr(self, f"on_{fault}"))

    def to_json(self) -> dict[str, Any]:
        """Return the rules as JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "TournamentRules":
        """Return the rules of JSON data; raise MeepleError if it has rules of a newer version."""
        if unknown := fields.keys() - cls.__dataclass_fields__.keys():
            raise MeepleError(
                f"this version of Meeple does not know the rule {min(unknown)} of the tournament: "
                "install the version that began it"
            )
        lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
        return cls(**{**fields, **lists})

    def difference(self, other: "TournamentRules") -> str:
        """Return the first difference, as "seconds: 10.0, not 5.0"; "" if the rules are equal."""
        mine, theirs = self.to_json(), other.to_json()
        for name, value in mine.items():
            if theirs[name] != value:
                return f"{name}: {value}, not {theirs[name]}"
        return ""


def parse_wait(words: str) -> float:
    """Return the seconds of "lose" (0) or "wait=SECONDS". Raises UsageError."""
    kind, _, number = words.partition("=")
    if words == LOSE:
        return 0.0
    try:
        seconds = float(number)
    except ValueError:
        seconds = -1.0
    if kind != "wait" or not 0 <= seconds <= MAX_WAIT_SECONDS:
        raise UsageError(f"--on-disconnect must be lose or wait=SECONDS, not '{words}'")
    return seconds


def score_of(won: int, drawn: int, played: int) -> float:
    """Return the score, 0 to 100: the percentage of games won; a draw counts half."""
    return round(100 * (won + drawn / 2) / played, 2) if played else 0.0
