"""Nim: take one to `take` stones from a heap; the last stone wins (or loses)."""

from pathlib import Path
from typing import Any

import numpy as np

from meeple.games.boards.drawing import dim
from meeple.games.boards.scene import Scene, rows
from meeple.games.contract.game import Game, Position
from meeple.games.contract.lessons import Lesson, read_lesson
from meeple.games.contract.rules import refuse
from meeple.kernels import OVER, add, below, kernel, record, scramble
from meeple.options import Flag, Integer, Text
from meeple.sentences import say

MAX_HEAPS = 16
MAX_STONES = 1000
STONES_PER_LINE = 50  # of the drawing

State = record(
    to_move=np.int8,
    misere=np.int8,
    winner=np.int8,
    count=np.int16,  # number of heaps
    take=np.int16,  # maximum stones per move
    heaps=(np.int16, (MAX_HEAPS,)),
)
Options = record(misere=np.int8, count=np.int16, take=np.int16, heaps=(np.int16, (MAX_HEAPS,)))


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Fill all heaps; player 1 moves first."""
    s.to_move = 0
    s.misere = options.misere
    s.winner = -1
    s.count = options.count
    s.take = options.take
    for heap in range(MAX_HEAPS):
        s.heaps[heap] = options.heaps[heap]


@kernel
def legal(s: Any, moves: Any) -> None:
    """List the removals of one to `take` stones from one heap."""
    for heap in range(s.count):
        for stones in range(min(s.take, s.heaps[heap])):
            add(moves, heap * s.take + stones)


@kernel
def play(s: Any, action: int) -> None:
    """Action `heap * take + n - 1` takes n stones from a heap."""
    heap = action // s.take
    s.heaps[heap] -= action - heap * s.take + 1
    mover = s.to_move
    s.to_move = 1 - mover
    for other in range(s.count):
        if s.heaps[other] > 0:
            return
    s.winner = 1 - mover if s.misere else mover
    s.to_move = OVER


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Give the whole share to the winner."""
    out[s.winner] = 1.0
    out[1 - s.winner] = 0.0


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Write each heap's stones in ten binary digits, then whether it is the player's turn."""
    for heap in range(s.count):
        for digit in range(10):
            out[heap * 10 + digit] = (s.heaps[heap] >> digit) & 1
    out[s.count * 10] = 1.0 if s.to_move == player else 0.0


@kernel
def rollout(s: Any, rng: Any) -> None:
    """Play uniformly random moves to the end."""
    while s.to_move != OVER:
        choices = 0
        for heap in range(s.count):
            choices += min(s.take, s.heaps[heap])
        choice = below(rng, choices)
        for heap in range(s.count):
            removals = min(s.take, s.heaps[heap])
            if choice < removals:
                play(s, heap * s.take + choice)
                break
            choice -= removals


@kernel
def identity(s: Any, key: Any) -> None:
    """Write a key of the heaps in any order: two sums of one pseudo-random word per heap.

    Two positions of at most 1000 stones share a key with probability 2**-128. The player to move is
    not part of it, since both players have the same moves.
    """
    key[0] = np.uint64(0)
    key[1] = np.uint64(0)
    for heap in range(s.count):
        if s.heaps[heap] > 0:
            key[0] += scramble(np.uint64(s.heaps[heap]))
            key[1] += scramble(np.uint64(s.heaps[heap] + 2 * MAX_STONES))


def parse_heaps(text: str) -> list[int]:
    """Return the heap sizes of a text such as "1,3,5,7".

    Raises:
        ValueError: the text has another form.
    """
    heaps = [int(part) for part in text.split(",")] if text else []
    if len(heaps) > MAX_HEAPS or any(heap < 1 for heap in heaps) or sum(heaps) > MAX_STONES:
        raise ValueError
    return heaps


class Nim(Game):
    """Nim with one heap of `stones`, or with the heaps of `heaps`."""

    name = "nim"
    summary = "take stones from a heap; the last stone wins (misère: loses)"
    can_be_drawn = False
    declared = {
        "stones": Integer(20, 1, MAX_STONES, "stones of a single heap"),
        "take": Integer(3, 1, MAX_STONES, "maximum stones per move"),
        "heaps": Text(
            "",
            f"heap sizes like 1,3,5,7 (at most {MAX_HEAPS} heaps and {MAX_STONES} stones), "
            "or empty for one heap of `stones`",
            parse_heaps,
            "sizes of several heaps; empty: one heap of `stones`",
        ),
        "misere": Flag(False, "the player who takes the last stone loses"),
    }
    examples = (
        {},
        {"misere": True},
        {"stones": 1},
        {"heaps": "1,3,5,7"},
        {"heaps": "3,1,4,1,5", "misere": True, "take": 5},
    )
    max_moves = MAX_STONES
    State = State
    Options = Options

    def configure(self) -> None:
        self.heaps = parse_heaps(str(self.options["heaps"])) or [int(self.options["stones"])]
        self.take = int(self.options["take"])
        if self.take > max(self.heaps):
            if self.take != self.declared["take"].default:
                raise refuse(self, f"take must be at most the largest heap, {max(self.heaps)}")
            self.take = max(self.heaps)  # the default with a small heap: no limit
        self.num_actions = len(self.heaps) * self.take
        self.max_plies = sum(self.heaps)
        self.observation_shape = (len(self.heaps) * 10 + 1,)

    def encode_options(self, options: Any) -> None:
        options.misere = self.options["misere"]
        options.take = self.take
        options.count = len(self.heaps)
        options.heaps[: len(self.heaps)] = self.heaps

    def action_name(self, position: Position, action: int) -> str:
        heap, stones = divmod(action, self.take)
        if len(self.heaps) > 1:
            return say("nim.take_from", n=stones + 1, heap=self._label(heap))
        return say("nim.take", n=stones + 1)

    def _label(self, heap: int) -> str:
        """Return the label of a heap; a single heap has none."""
        return chr(ord("a") + heap) if len(self.heaps) > 1 else ""

    def lesson(self) -> Lesson:
        return read_lesson(Path(__file__).with_suffix(".toml"))

    def draw(self, position: Position, colour: bool = False) -> str:
        taken = self._taken(position)
        width = len(str(max(self.heaps)))
        lines = []
        for heap, stones in enumerate(position.state.heaps[: len(self.heaps)].tolist()):
            gone = taken.get(heap, 0)
            name = f"{self._label(heap)} ".lstrip()
            for first in range(0, max(stones + gone, 1), STONES_PER_LINE):
                pile = "".join(
                    " " * (place % 5 == 0 and place > first)
                    + ("o" if place < stones else dim(".") if colour else ".")
                    for place in range(first, min(first + STONES_PER_LINE, stones + gone))
                )
                label = f"{name}{stones:>{width}}"
                label = label if first == 0 else " " * len(label)
                lines.append(f"{label}  {pile}".rstrip())
        return "\n".join(lines)

    def scene(self, position: Position, seat: int | None = None) -> Scene:
        """Return the heaps; a click on a stone takes it and all stones to its right."""
        heaps = position.state.heaps[: len(self.heaps)].tolist()
        taken = self._taken(position)
        lines: dict[str, list[str]] = {}
        last: list[str] = []
        for heap, stones in enumerate(heaps):
            label, gone = self._label(heap), taken.get(heap, 0)
            lines[label] = ["stone"] * stones + [""] * gone
            last += [f"{label}{cell}" for cell in range(stones, stones + gone)]
        marks = {}
        for action in position.legal_actions().tolist():
            heap, others = divmod(action, self.take)
            first = heaps[heap] - others - 1
            marks[action] = [f"{self._label(heap)}{cell}" for cell in range(first, heaps[heap])]
        clicks = {action: touched[:1] for action, touched in marks.items()}
        how = say("nim.how")
        return rows(lines, clicks, marks=marks, last=last, room=self.heaps, how=how)

    def _taken(self, position: Position) -> dict[int, int]:
        """Return the number of stones that the last move took, by its heap."""
        if not position.actions:
            return {}
        heap, others = divmod(position.actions[-1], self.take)
        return {heap: others + 1}
