"""What messages of clients consist of, with its validation."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SkipValidation, StringConstraints

from meeple.errors import UsageError
from meeple.server.errors import refusal

MAX_SEATS = 16
SEED_BITS = 63  # limit of the database; too many to find a seed by trying all
MAX_PLIES = 20_000  # of any game: a game of Catan may not end
MAX_RECORD_CHARACTERS = 1_000_000  # in a text of records
MAX_FILE_BYTES = 880_000  # of a file of records, which is sent in base64: more than a year of WTHOR

GameName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
GameId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,24}$")]
Spec = Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)]
Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
OptionText = Annotated[str, StringConstraints(max_length=20_000)]
Options = Annotated[
    dict[Annotated[str, StringConstraints(max_length=40)], bool | int | OptionText],
    Field(max_length=40),
]
Words = Annotated[str, SkipValidation]
"""A text of the server for people, which validation leaves as the sentence that it is."""
Record = Annotated[str, StringConstraints(max_length=MAX_RECORD_CHARACTERS)]
File = Annotated[str, StringConstraints(max_length=4 * -(-MAX_FILE_BYTES // 3))]  # in base64


class Strict(BaseModel):
    """A message without unknown fields."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class GameChoice(Strict):
    """A game and its options."""

    game: GameName
    options: Options = {}


def check_seed(seed: int) -> None:
    """Raise UsageError for a seed outside the allowed range."""
    if not 0 <= seed < 2**SEED_BITS:
        raise refusal(UsageError, "seed_range", most=2**SEED_BITS - 1)
