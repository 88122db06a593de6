"""What the socket of a table sends, as the page gets it; a test compares messages with it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from meeple.server.play.clock import ClockKind
from meeple.server.web.schemas import Options, Strict


class Said(Strict):
    """A message with its sentences: the code and fields of each, by its text."""

    sentences: dict[str, Any] = {}


class SeatView(Strict):
    """The player of a seat: what the game and the table call it, and whether they are here."""

    seat: int
    name: str
    who: str
    called: str
    kind: Literal["human", "agent", "open"]
    spec: str | None
    here: bool
    gone: bool


class ActionView(Strict):
    """A legal action: its name, its place in a menu, and the clicks that play it."""

    id: int
    name: str
    group: str | None
    label: str
    clicks: list[str]
    marks: list[str]


class EventView(Strict):
    """What happened at a ply, as the reader may know it."""

    ply: int
    seat: int
    text: str
    said: bool
    spots: list[str]


class Events(Strict):
    """The events from a ply on; earlier ones remain valid."""

    from_: int = Field(alias="from")
    list: list[EventView]


class Thinking(Strict):
    """The agent that is to move, and what it does; `step` is what it prepares."""

    seat: int
    state: str
    step: str
    since: float
    seconds: float


class ResultView(Strict):
    """The result of a game; `outcome` is that of a reader with one seat."""

    payoffs: list[float] | None
    outcome: Literal["win", "shared", "draw", "loss"] | None
    how: str
    words: str


class Clocks(Strict):
    """Seconds left by seat, `None` for an agent, and the seat whose clock runs."""

    kind: ClockKind
    left: list[float | None]
    running: int | None
    at: float


class ClockTerms(Strict):
    """The clock at the start of a game."""

    kind: ClockKind
    seconds: float
    increment: float


class Terms(Strict):
    """What was agreed at the start."""

    help: bool
    clock: ClockTerms | None


class Permissions(Strict):
    """What the page may do now."""

    undo: bool
    draw: bool
    hint: bool
    analyse: bool
    resign: bool
    now: bool
    pause: bool
    rematch: bool
    chat: bool


class Asking(Strict):
    """The seat that asks to take back its move, or offers a draw."""

    kind: Literal["undo", "draw"]
    seat: int


class Chances(Strict):
    """The winning chances by the agent that moved at a ply."""

    by: int
    value: list[float]
    ply: int


class NextTable(Strict):
    """The table of the rematch, and the new seats by the old ones."""

    id: str
    seats: dict[str, int]


class TableMessage(Said):
    """The view of a table."""

    type: Literal["table"]
    id: str
    game: str
    title: str
    summary: str
    options: Options
    hides: bool
    scale: dict[str, Any]
    you: list[int]
    reader: int | None
    seats: list[SeatView]
    to_move: int
    status: Literal["waiting", "playing", "over"]
    paused: bool
    thinking: Thinking | None
    result: ResultView | None
    ply: int
    opening: int
    events: Events
    last: list[str]
    clocks: Clocks | None
    can: Permissions
    asks: Asking | None
    chances: Chances | None
    next: NextTable | None
    terms: Terms
    watching: int
    cup: str
    family: str
    scene: dict[str, Any]
    actions: list[ActionView]
    guide: str
    premoves: list[ActionView]


class HintMessage(BaseModel):
    """What an agent thinks of the position."""

    model_config = ConfigDict(extra="allow")

    type: Literal["hint"]
    actions: list[int]


class ChatLine(Strict):
    """A line of the chat, written at a time in s; `seat` is `None` for the host."""

    id: int
    seat: int | None
    text: str
    at: float


class ChatMessage(Said):
    """New lines of the chat."""

    type: Literal["chat"]
    lines: list[ChatLine]


class RematchMessage(Strict):
    """The tokens of the page at the table of a rematch, by seat."""

    type: Literal["rematch"]
    table: str
    tokens: dict[str, str]


class ReloadMessage(Strict):
    """The server has dropped the table: the page connects again."""

    type: Literal["reload"]


class ErrorMessage(Said):
    """Why a message was refused; `fatal`: there is no such table."""

    type: Literal["error"]
    text: str
    code: str = ""
    fields: dict[str, str | int | float] = {}
    fatal: bool = False


TableAnswer = (
    TableMessage | HintMessage | ChatMessage | RematchMessage | ReloadMessage | ErrorMessage
)
