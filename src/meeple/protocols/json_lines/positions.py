"""Converts positions to messages and back; a message holds only what its seat may know.

`Teller` writes the messages for a program that plays some seats; `Listener` reads them there.
"""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from meeple import kernels
from meeple.errors import MeepleError
from meeple.games.contract import capabilities, sights
from meeple.games.contract.belief import Belief
from meeple.games.contract.game import Game, Position
from meeple.games.contract.seat_position import UNKNOWN, SeatPosition, Seen
from meeple.kernels import CHANCE
from meeple.protocols.controller import common_plies
from meeple.protocols.json_lines.language import (
    WANTS,
    Malformed,
    list_in,
    pack_state,
    texts_in,
    unpack_state,
    whole_in,
)

_MAX_STEPS = 1_000_000


class Teller:
    """Writes the positions of one game after another for a program."""

    def __init__(self, game: Game) -> None:
        """Create the teller. Raises UsageError if a game with hidden state has no sampler."""
        self._game = game
        if game.hides:
            game.ensure_samples()
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Begin a new game; determinizations are drawn from the seed."""
        self._seed = seed
        self._names: list[str] = []  # names of the sent actions, of an open game
        self._actions: tuple[int, ...] = ()  # the sent actions
        self._seat: int | None = None  # the seat that they were sent to
        self._belief: Belief | None = None
        self._rng = kernels.new_rng(seed)

    def fields(self, position: Position, wants: Collection[str] = WANTS) -> dict[str, Any]:
        """Return the fields of a `position` message for the seat to move.

        Args:
            position: the position.
            wants: the optional fields to send for a game with hidden information.
        """
        legal = [position.action_name(action) for action in position.legal_actions().tolist()]
        common = {"to_move": position.to_move, "legal": legal}
        if self._game.hides:
            return common | self._seen_fields(position, wants)
        return common | self._open_fields(position)

    # ------------------------------------------------------------ nothing is hidden

    def _open_fields(self, position: Position) -> dict[str, Any]:
        """Return the whole game by action names; without the seed, which reveals later chance."""
        actions = position.actions
        known = common_plies(self._actions, actions)
        walk = position.copy()
        fresh = []
        for action in reversed(actions[known:]):
            walk.undo()
            fresh.append(walk.action_name(action))
        self._names = self._names[:known] + fresh[::-1]
        self._actions = actions
        board = capabilities.layout(position)
        return {"moves": self._names, "board": board, "start": self._random_start(position)}

    def _random_start(self, position: Position) -> str | None:
        """Return the first state if neither options nor a board determine it; else None."""
        if capabilities.layout(position) is not None:
            return None
        first = self._game.start(position.seed).row
        return None if bytes(first) == bytes(self._game.start(0).row) else pack_state(bytes(first))

    # ------------------------------------------------------------ with hidden information

    def _seen_fields(self, position: Position, wants: Collection[str]) -> dict[str, Any]:
        """Return what the seat to move has observed since the last message."""
        game, seat, actions = self._game, position.to_move, position.actions
        known = common_plies(self._actions, actions)
        if seat != self._seat or known < len(self._actions) or self._belief is None:
            self._seat, known = seat, 0
            self._belief = game.belief(seat, self._seed)
        walk = position.copy()
        for _ in actions[known:]:
            walk.undo()
        fields: dict[str, Any] = {"seat": seat, "first": known, "count": len(actions)}
        if known == 0:
            fields["start"] = self._sample(walk)
        seen, sentences = [], []
        for action in actions[known:]:
            before = walk.copy()
            walk.play(action)
            is_open = game.open_actions and before.to_move != CHANCE
            sentence = capabilities.describe_action(before, action, walk, seat)
            if sentence is None and is_open:
                sentence = before.action_name(action)
            if sentence:
                sentences.append(sentence)
            sight = sights.sight(game, before.row, action, walk.row, seat)
            seen.append(
                {
                    "action": action if is_open else UNKNOWN,
                    "sight": sights.sight_to_json(game, sight),
                    "state": self._sample(walk) if game.open_actions else None,
                }
            )
        if not game.open_actions and seen:
            seen[-1]["state"] = self._sample(position)
        self._actions = actions
        beside = {"seen": seen, "told": sentences}
        if "view" in wants:
            beside["view"] = game.view(position, seat)
        if "scene" in wants:
            beside["scene"] = game.scene(position, seat).to_json()
        return fields | {name: value for name, value in beside.items() if name in wants}

    def _sample(self, position: Position) -> str:
        """Return a packed determinization of a position, drawn from its seat's belief."""
        assert self._belief is not None
        self._belief.follow(position)
        row = position.row.copy()
        self._belief.sample(row, self._rng)
        return pack_state(row.tobytes())


class Listener:
    """Reads the messages of one game at a time, in a program that plays."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._number = 0
        self.begin()

    def begin(self) -> None:
        """Begin a new game."""
        self._number += 1
        self.position: Position | None = None

    def follow(self, message: Mapping[str, Any]) -> Position:
        """Return the position of a message. Raises MeepleError without changing the state."""
        found = self._seen(message) if self.game.hides else self._open(message)
        if found.is_over:
            raise Malformed("this game is over: there is nothing to choose")
        self.position = found
        return found

    def _open(self, message: Mapping[str, Any]) -> Position:
        names, board, start = texts_in(message, "moves"), message.get("board"), message.get("start")
        position = self._opening(board)
        if start is not None:
            position.row[:] = _checked_state(self.game, start)
        for ply, name in enumerate(names, start=1):
            try:
                position.play(position.parse_action(name))
            except MeepleError as error:
                raise Malformed(f"move {ply}: {error}") from None
        return position

    def _opening(self, board: Any) -> Position:
        position = self.game.start(0)
        if board is None or board == capabilities.layout(position):
            return position
        return capabilities.with_layout(self.game, board).start(0)

    def _seen(self, message: Mapping[str, Any]) -> Position:
        """Return a seat's position: all its observations, or the known ones and new ones."""
        game = self.game
        seat = whole_in(message, "seat", 0, game.players - 1, -1)
        first = whole_in(message, "first", 0, _MAX_STEPS, 0)
        old = self.position
        if first == 0:
            state = bytes(_checked_state(game, message.get("start")))
            position = SeatPosition(game, seat, state, self._number)
        elif not isinstance(old, SeatPosition) or old.seat != seat or len(old.actions) != first:
            raise Malformed(f"the steps before number {first} are unknown: begin with 0")
        else:
            position = old.copy()
        for step in list_in(message, "seen"):
            position.see(self._step(position, step))
        return position

    def _step(self, position: SeatPosition, step: Any) -> Seen:
        if not isinstance(step, dict):
            raise Malformed("a step that was seen is an object")
        action = whole_in(step, "action", UNKNOWN, self.game.num_actions - 1, UNKNOWN)
        try:
            sight = sights.sight_from_json(self.game, step.get("sight"))
        except ValueError as error:
            raise Malformed(str(error)) from None
        state = step.get("state")
        after = position.row.tobytes() if state is None else bytes(_checked_state(self.game, state))
        return Seen(action, sight, after)


def _checked_state(game: Game, text: Any) -> Any:
    """Return a state of a game, uint8 [state_bytes]. Raises Malformed."""
    state = unpack_state(text)
    if len(state) != game.state_bytes:
        raise Malformed(f"a state of {game.name} has {game.state_bytes} bytes, not {len(state)}")
    return np.frombuffer(state, np.uint8)
