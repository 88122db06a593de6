"""The messages that clients of the play service may send, with their validation."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from meeple.errors import UsageError

MAX_SEATS = 16
SEED_BITS = 63  # limit of the database; too many to find a seed by trying all
MAX_PLIES = 20_000  # of any game: a game of Catan may not end
MAX_RECORD_CHARACTERS = 1_000_000  # in a text of records
MAX_CLOCK_SECONDS = 86_400.0  # one day

GameName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
GameId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,24}$")]
Name = Annotated[str, StringConstraints(max_length=40, strip_whitespace=True)]
Spec = Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)]
Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
OptionText = Annotated[str, StringConstraints(max_length=20_000)]
Options = Annotated[
    dict[Annotated[str, StringConstraints(max_length=40)], bool | int | OptionText],
    Field(max_length=40),
]
Record = Annotated[str, StringConstraints(max_length=MAX_RECORD_CHARACTERS)]


class Strict(BaseModel):
    """A message without unknown fields."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class GameChoice(Strict):
    """A game and its options."""

    game: GameName
    options: Options = {}


class SeatChoice(Strict):
    """The player of a seat: the creator ("me"), a person with the link, or an agent."""

    kind: Literal["me", "link", "agent"]
    spec: Spec = ""
    name: Name = ""


class ClockChoice(Strict):
    """The clock of people."""

    kind: Literal["move", "game"]
    seconds: Annotated[float, Field(ge=1, le=MAX_CLOCK_SECONDS)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0


class NewTable(GameChoice):
    """A request to begin a game."""

    seats: Annotated[list[SeatChoice], Field(max_length=MAX_SEATS, fail_fast=True)]
    clock: ClockChoice | None = None
    pace: Annotated[float, Field(ge=0, le=5)] = 0.0
    help: bool = True
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    record: Record | None = None


class Claim(Strict):
    """A request to take the seat of an invitation."""

    invite: Token
    name: Name = ""


class Watch(Strict):
    """The first message of a page: its table, and the tokens of its seats."""

    type: Literal["watch"]
    table: GameId
    tokens: Annotated[list[Token], Field(max_length=MAX_SEATS, fail_fast=True)] = []


class Play(Strict):
    """Actions for the position after `ply` plies."""

    type: Literal["play"]
    ply: Annotated[int, Field(ge=0)]
    actions: Annotated[
        list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=64, fail_fast=True)
    ]


class Answer(Strict):
    """A person's answer to an undo request."""

    type: Literal["answer"]
    agree: bool


class Pause(Strict):
    """Pause or resume a game without people."""

    type: Literal["pause"]
    on: bool


class Wish(Strict):
    """A command without arguments."""

    type: Literal["undo", "hint", "now", "resign", "rematch"]


Message = Annotated[Play | Answer | Pause | Wish, Field(discriminator="type")]
MESSAGE: TypeAdapter[Play | Answer | Pause | Wish] = TypeAdapter(Message)


def check_seed(seed: int) -> None:
    """Raise UsageError for a seed outside the allowed range."""
    if not 0 <= seed < 2**SEED_BITS:
        raise UsageError(f"the seed must be from 0 to {2**SEED_BITS - 1}")
