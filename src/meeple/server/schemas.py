"""What clients of the play service may send, checked before anything is done with it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from meeple.errors import UsageError

MAX_SEATS = 16
SEED_BITS = 63  # as the database holds; nobody finds a seed by laying all boards there are
MAX_PLIES = 20_000  # of any game here: Catan may be endless
MAX_RECORD_CHARACTERS = 1_000_000  # characters of a record or a list of them
MAX_CLOCK_SECONDS = 86_400.0  # seconds: a day

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
    """A message without fields that nobody knows."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class GameChoice(Strict):
    """A game and its options."""

    game: GameName
    options: Options = {}


class SeatChoice(Strict):
    """Who is to sit on a seat: whoever asks, somebody with the link, or an agent."""

    kind: Literal["me", "link", "agent"]
    spec: Spec = ""
    name: Name = ""


class ClockChoice(Strict):
    """How long people may think."""

    kind: Literal["move", "game"]
    seconds: Annotated[float, Field(ge=1, le=MAX_CLOCK_SECONDS)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0


class NewTable(GameChoice):
    """A game to be begun."""

    seats: Annotated[list[SeatChoice], Field(max_length=MAX_SEATS, fail_fast=True)]
    clock: ClockChoice | None = None
    pace: Annotated[float, Field(ge=0, le=5)] = 0.0
    help: bool = True
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    record: Record | None = None


class Claim(Strict):
    """Somebody takes the seat that an invitation is for."""

    invite: Token
    name: Name = ""


class Watch(Strict):
    """The first message of a page: which game it shows, and for whom."""

    type: Literal["watch"]
    table: GameId
    tokens: Annotated[list[Token], Field(max_length=MAX_SEATS, fail_fast=True)] = []


class Play(Strict):
    """Actions, made for the position after so many plies."""

    type: Literal["play"]
    ply: Annotated[int, Field(ge=0)]
    actions: Annotated[
        list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=64, fail_fast=True)
    ]


class Answer(Strict):
    """Whether a person agrees that another takes a move back."""

    type: Literal["answer"]
    agree: bool


class Pause(Strict):
    """Hold a game without people, or let it go on."""

    type: Literal["pause"]
    on: bool


class Wish(Strict):
    """Anything that needs no more words."""

    type: Literal["undo", "hint", "now", "resign", "rematch"]


Message = Annotated[Play | Answer | Pause | Wish, Field(discriminator="type")]
MESSAGE: TypeAdapter[Play | Answer | Pause | Wish] = TypeAdapter(Message)


def check_seed(seed: int) -> None:
    """Raise UsageError for a seed that a game here cannot have."""
    if not 0 <= seed < 2**SEED_BITS:
        raise UsageError(f"the seed must be from 0 to {2**SEED_BITS - 1}")
