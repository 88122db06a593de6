"""The messages that pages of play may send, with their validation."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from meeple.server.play.clock import ClockKind
from meeple.server.web.schemas import MAX_SEATS, GameChoice, GameId, Record, Spec, Strict, Token

MAX_CLOCK_SECONDS = 86_400.0  # one day

ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"
"""A text without line breaks, control characters and marks that change its direction."""

Name = Annotated[str, StringConstraints(max_length=40, strip_whitespace=True, pattern=ONE_LINE)]


class SeatChoice(Strict):
    """The player of a seat: the creator ("me"), a person with the link, or an agent."""

    kind: Literal["me", "link", "agent"]
    spec: Spec = ""
    name: Name = ""


class ClockChoice(Strict):
    """The clock of people."""

    kind: ClockKind
    seconds: Annotated[float, Field(ge=1, le=MAX_CLOCK_SECONDS)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0


class NewTable(GameChoice):
    """A request to begin a game.

    `help` says whether hints and analysis are allowed; by default, unless a seat is for a person
    with a link.
    """

    seats: Annotated[list[SeatChoice], Field(max_length=MAX_SEATS, fail_fast=True)]
    clock: ClockChoice | None = None
    pace: Annotated[float, Field(ge=0, le=5)] = 0.0
    help: bool | None = None
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    record: Record | None = None


class Invitation(Strict):
    """A question about an invitation."""

    invite: Token


class Claim(Invitation):
    """A request to take the seat of an invitation."""

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


class Reply(Strict):
    """A person's answer to another one's request."""

    type: Literal["answer"]
    agree: bool


class Pause(Strict):
    """Pause or resume a game without people."""

    type: Literal["pause"]
    on: bool


class Wish(Strict):
    """A command without arguments."""

    type: Literal["undo", "draw", "hint", "now", "resign", "rematch"]


class ChatText(Strict):
    """A line of chat."""

    type: Literal["chat"]
    text: Annotated[
        str,
        StringConstraints(min_length=1, max_length=300, strip_whitespace=True, pattern=ONE_LINE),
    ]


Message = Annotated[Play | Reply | ChatText | Pause | Wish, Field(discriminator="type")]
MESSAGE: TypeAdapter[Play | Reply | ChatText | Pause | Wish] = TypeAdapter(Message)
