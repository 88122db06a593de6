"""The messages about studies, with their validation."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from meeple.server.analysis.sources import ActionName, GameSource
from meeple.server.web.schemas import (
    MAX_SEATS,
    SEED_BITS,
    File,
    GameChoice,
    Record,
    Strict,
)

MAX_TREE_NODES = 9_000  # that a message can hold; `ServerLimits.max_study_nodes` is lower
MAX_MARKS_CHARACTERS = 2_000  # of a node

Title = Annotated[
    str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True, pattern=r"\S")
]
Link = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Version = Annotated[int, Field(ge=1, lt=2**31)]
NodeId = Annotated[int, Field(ge=0, lt=2**31)]
Parent = Annotated[int, Field(ge=-1, lt=2**31)]
Marks = Annotated[str, StringConstraints(max_length=MAX_MARKS_CHARACTERS)]
SeatName = Annotated[str, StringConstraints(max_length=100)]
_A_COLUMN = Field(min_length=1, max_length=MAX_TREE_NODES, fail_fast=True)


class Tree(GameChoice):
    """A tree of variations in columns: entry i of each list is of node i.

    Node 0 is the opening position, with id 0, parent -1 and an empty action. Every node comes after
    its parent, and the first child of a node belongs to the main line.
    """

    seed: Annotated[int, Field(ge=0, lt=2**SEED_BITS)] = 0
    seats: Annotated[list[SeatName], Field(max_length=MAX_SEATS, fail_fast=True)] = []
    ids: Annotated[list[NodeId], _A_COLUMN]
    parents: Annotated[list[Parent], _A_COLUMN]
    actions: Annotated[list[ActionName], _A_COLUMN]
    comments: Annotated[list[Record], _A_COLUMN]
    marks: Annotated[list[Marks], _A_COLUMN]

    @model_validator(mode="after")
    def _of_one_length(self) -> "Tree":
        columns = (self.parents, self.actions, self.comments, self.marks)
        if any(len(column) != len(self.ids) for column in columns):
            raise ValueError("all columns of a tree have the same length")
        return self


class NewStudy(Strict):
    """A request for a study: of a game, of a text or file of records or SGF, or of a tree."""

    title: Title
    source: GameSource | None = None
    text: Record | None = None
    data: File | None = None
    tree: Tree | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> "NewStudy":
        if sum(part is not None for part in (self.source, self.text, self.data, self.tree)) != 1:
            raise ValueError("a study is made of one of 'source', 'text', 'data' or 'tree'")
        return self


class SaveStudy(Strict):
    """A changed study, and the version that was changed."""

    version: Version
    title: Title
    tree: Tree


FileFormat = Literal["sgf", "jsonl"]
