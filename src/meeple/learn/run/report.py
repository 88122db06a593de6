"""The last tournament of a run's networks, as `meeple topp` left it in the run's folder."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from meeple.errors import RunError
from meeple.learn.config import MAX_EPISODES
from meeple.learn.run.schema import Stored, read_stored

MOST_REPORT = 4_000_000  # bytes of a tournament's result
MOST_REPORTS = 200  # kept in memory
MOST_IN_MATRIX = 40  # networks that a table shows against each other

_Elo = Annotated[float, AfterValidator(lambda elo: round(elo, 1))]
_Share = Annotated[float, AfterValidator(lambda share: round(share, 3))]
_Count = Annotated[int, Field(ge=0, le=2**53)]


class _Read(Stored):
    model_config = ConfigDict(extra="ignore")  # there is more in the file than the page shows


class _Rating(_Read):
    rating: _Elo
    interval: tuple[_Elo, _Elo]


class _Rated(_Rating):
    episode: Annotated[int, Field(ge=0, le=MAX_EPISODES)]
    share: _Share


class _Report(_Read):
    unit: Literal["episode", "round"] = "episode"
    policy: str
    epsilon: _Share
    games: _Count
    games_per_pair: _Count
    distinct_games: _Count
    networks: list[_Rated]
    matrix: list[list[_Share | None]]
    gain: _Rating


def report_of(folder: Path) -> dict[str, Any] | str | None:
    """The last tournament of a run's networks, what is wrong with its file, or None without one."""
    file = folder / "topp" / "result.json"
    try:
        stat = file.stat()
    except OSError:
        return None
    return _read(file, stat.st_mtime, stat.st_size)


@lru_cache(maxsize=MOST_REPORTS)
def _read(file: Path, made: float, size: int) -> dict[str, Any] | str:
    try:
        report = read_stored(file, _Report, MOST_REPORT).model_dump()
    except FileNotFoundError:
        return f"{file} is missing"
    except RunError as error:
        return str(error)
    small = len(report["networks"]) <= MOST_IN_MATRIX
    return report | {"matrix": report["matrix"] if small else [], "made": round(made, 1)}
