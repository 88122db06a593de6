"""Samples of what a seat of an OpenSpiel game cannot know: histories that look the same to it.

What a seat knows is the sequence of its information states (or observations) that differ from the
one before, and its own actions between them. So a sample depends on nothing that the seat does not
know, not even on the number of hidden actions of others.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from meeple.kernels import CHANCE
from meeple_openspiel.states import legal_or_outcomes, random_action, seat_to_move

MAX_WALKS = 100  # random games tried for one sample, before a search with backtracking
MAX_STEPS = 20_000  # of that search

Knowledge = Callable[[Any, int], Any]
"""Returns what a seat may know of a state, as a value that can be compared."""


class NoSample(Exception):
    """No history that fits was found."""

    def __str__(self) -> str:
        return f"no state that fits what a seat knows was found in {MAX_STEPS:,} steps"


class _Known(NamedTuple):
    """What a seat knows of a game so far."""

    seat: int
    to_move: int
    seen: list[Any]  # what it saw, without repetitions
    actions: list[int]  # its own
    at: list[int]  # the index in `seen` at which it chose each


class _Place(NamedTuple):
    """A state on the way to a sample."""

    state: Any
    seen: int  # the index in `seen` that it has reached
    chosen: int  # the number of the seat's own actions


class Sampler:
    """Samples histories; it holds what it found out about the last state."""

    def __init__(self, game: Any, knowledge: Knowledge) -> None:
        """Take a game, and the function that says what a seat knows."""
        self._game, self._knowledge = game, knowledge
        self._library = True  # whether the game has a sampler of its own
        self._last: tuple[list[int], int] | None = None
        self._walks = True  # whether random games found a sample for the last state

    def __call__(self, state: Any, seat: int, choice: random.Random) -> list[int]:
        """Return the history of a state that the seat cannot tell from `state`.

        Chance outcomes have their probabilities; hidden actions of others are uniform. Where
        random games seldom fit, a search with backtracking finds a sample whose probability is
        only near that.

        Raises:
            NoSample: none was found.
        """
        found = self._by_library(state, seat, choice) if self._library else None
        if found is not None:
            return found
        history = state.history()
        if self._last != (history, seat):
            self._last, self._walks = (history, seat), True
            self._known = self._known_of(state, seat)
        for _ in range(MAX_WALKS if self._walks else 0):
            found = self._walked(choice)
            if found is not None:
                return found
        self._walks = False
        return self._searched(choice)

    def _by_library(self, state: Any, seat: int, choice: random.Random) -> list[int] | None:
        try:
            found = state.resample_from_infostate(seat, choice.random)
            fits = seat_to_move(found) == seat_to_move(state) and (
                self._knowledge(found, seat) == self._knowledge(state, seat)
            )
        except Exception:  # most games have none
            self._library = False
            return None
        return list(found.history()) if fits else None

    def _known_of(self, state: Any, seat: int) -> _Known:
        walk = self._game.new_initial_state()
        known = _Known(seat, seat_to_move(state), [self._knowledge(walk, seat)], [], [])
        for action in state.history():
            if seat_to_move(walk) == seat:
                known.actions.append(action)
                known.at.append(len(known.seen) - 1)
            walk.apply_action(action)
            now = self._knowledge(walk, seat)
            if now != known.seen[-1]:
                known.seen.append(now)
        return known

    # ------------------------------------------------------------ random games

    def _walked(self, choice: random.Random) -> list[int] | None:
        """Play a random game until it fits; None if it cannot fit any more."""
        place: _Place | None = _Place(self._game.new_initial_state(), 0, 0)
        while place is not None:
            if self._fits(place):
                return list(place.state.history())
            if place.state.is_terminal():
                return None
            if seat_to_move(place.state) == self._known.seat:
                forced = self._own_action(place)
                place = None if forced is None else self._after(place, forced)
            else:
                place = self._after(place, random_action(place.state, choice))
        return None

    def _fits(self, place: _Place) -> bool:
        known = self._known
        return (
            place.seen == len(known.seen) - 1
            and place.chosen == len(known.actions)
            and seat_to_move(place.state) == known.to_move
        )

    def _own_action(self, place: _Place) -> int | None:
        """Return the seat's own next action; None if it never chose in such a state."""
        known, number = self._known, place.chosen
        if number == len(known.actions) or known.at[number] != place.seen:
            return None
        action = known.actions[number]
        return action if action in place.state.legal_actions() else None

    def _after(self, place: _Place, action: int) -> _Place | None:
        """Return the place after an action; None if the seat has seen something else."""
        known = self._known
        own = int(seat_to_move(place.state) == known.seat)
        state = place.state.clone()
        state.apply_action(action)
        now = self._knowledge(state, known.seat)
        for seen in (place.seen, place.seen + 1):
            if seen < len(known.seen) and known.seen[seen] == now:
                return _Place(state, seen, place.chosen + own)
        return None

    # ------------------------------------------------------------ with backtracking

    def _searched(self, choice: random.Random) -> list[int]:
        stack = [iter([_Place(self._game.new_initial_state(), 0, 0)])]
        for _ in range(MAX_STEPS):
            if not stack:
                break
            place = next(stack[-1], None)
            if place is None:
                stack.pop()
            elif self._fits(place):
                return list(place.state.history())
            elif not place.state.is_terminal():
                stack.append(self._next(place, choice))
        raise NoSample

    def _next(self, place: _Place, choice: random.Random) -> Iterator[_Place]:
        """Yield the places after the actions that fit, in random order."""
        state = place.state
        if seat_to_move(state) == self._known.seat:
            forced = self._own_action(place)
            actions = [] if forced is None else [forced]
        else:
            actions = _shuffled(state, choice)
        for action in actions:
            after = self._after(place, action)
            if after is not None:
                yield after


def _shuffled(state: Any, choice: random.Random) -> list[int]:
    """Return the actions in random order, likely outcomes of chance first."""
    if seat_to_move(state) != CHANCE:
        actions = legal_or_outcomes(state)
        choice.shuffle(actions)
        return actions
    # Exponential clocks: the first to ring is each outcome with its probability.
    rings = [
        (choice.expovariate(1.0) / chance, outcome)
        for outcome, chance in state.chance_outcomes()
        if chance > 0
    ]
    return [outcome for _, outcome in sorted(rings)]
