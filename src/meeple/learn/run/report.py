"""Reads the result of the last `meeple topp`, a tournament between a run's networks."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from meeple.errors import RunError
from meeple.learn.config import MAX_EPISODES
from meeple.learn.run.schema import Stored, read_stored

MAX_RESULT_BYTES = 4_000_000
MAX_CACHED_RESULTS = 200
MAX_MATRIX_NETWORKS = 40  # the matrix of a larger tournament is left out

_Elo = Annotated[float, AfterValidator(lambda elo: round(elo, 1))]
_Share = Annotated[float, AfterValidator(lambda share: round(share, 3))]
_Count = Annotated[int, Field(ge=0, le=2**53)]


class _Part(Stored):
    model_config = ConfigDict(extra="ignore")  # the file has fields that no caller shows


class _Rating(_Part):
    rating: _Elo
    interval: tuple[_Elo, _Elo]


class _RatedNetwork(_Rating):
    episode: Annotated[int, Field(ge=0, le=MAX_EPISODES)]
    share: _Share


class _TournamentResult(_Part):
    unit: Literal["episode", "round"] = "episode"
    policy: str
    epsilon: _Share
    games: _Count
    games_per_pair: _Count
    distinct_games: _Count
    networks: list[_RatedNetwork]
    matrix: list[list[_Share | None]]
    gain: _Rating


def tournament_result(folder: Path) -> dict[str, Any] | str | None:
    """Return the result of a run's last tournament as data.

    Returns:
        The result with `made`, the time of writing in seconds since 1970; a sentence if the file
        is damaged; None if there was no tournament.
    """
    file = folder / "topp" / "result.json"
    try:
        stat = file.stat()
    except OSError:
        return None
    return _read(file, stat.st_mtime, stat.st_size)


@lru_cache(maxsize=MAX_CACHED_RESULTS)
def _read(file: Path, made: float, size: int) -> dict[str, Any] | str:
    try:
        result = read_stored(file, _TournamentResult, MAX_RESULT_BYTES).model_dump()
    except FileNotFoundError:
        return f"{file} is missing"
    except RunError as error:
        return str(error)
    small = len(result["networks"]) <= MAX_MATRIX_NETWORKS
    return result | {"matrix": result["matrix"] if small else [], "made": round(made, 1)}
