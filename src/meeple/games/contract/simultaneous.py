"""Simultaneous moves: the seats choose in turn, hidden from each other, and all choices are shown.

The state has the field `chosen=(np.int8, players)`, which `begin_choices` clears. `play` calls
`choose`, and carries the choices out when it returns True.
"""

import hashlib
from typing import Any

import numpy as np

from meeple.games.contract.game import Game, Position
from meeple.kernels import Function, add, below, kernel, named_kernel
from meeple.sentences import say

NOT_YET = -1  # in `chosen`: the seat has not chosen


@kernel
def begin_choices(s: Any) -> None:
    """Let all seats choose, the first one first."""
    s.chosen[:] = NOT_YET
    s.to_move = 0


@kernel
def choose(s: Any, action: int) -> bool:
    """Note the choice of the seat to move; return whether it was the last, else pass the turn."""
    s.chosen[s.to_move] = action
    s.to_move += 1
    return bool(s.to_move == len(s.chosen))


def choices(may: Function, actions: int) -> tuple[Function, Function]:
    """Return the kernels `list_choices(s, moves)` and `redraw_choices(s, player, rng)`.

    They are `legal` and `resample` of a game that hides nothing else and has no chance; other games
    call them in their own.

    Args:
        may: the kernel `may(s, seat, action)`: whether a seat may choose an action in this round.
        actions: the number of actions.
    """
    code: Any = getattr(may, "py_func", may)
    about = f"{code.__code__.co_filename} {code.__module__} {code.__qualname__}"
    name = hashlib.sha256(about.encode()).hexdigest()[:16]

    @named_kernel(f"list_choices_{name}")
    def list_choices(s: Any, moves: Any) -> None:
        for action in range(actions):
            if may(s, s.to_move, action):
                add(moves, action)

    @named_kernel(f"redraw_choices_{name}")
    def redraw_choices(s: Any, player: int, rng: Any) -> None:
        for seat in range(len(s.chosen)):
            if seat != player and s.chosen[seat] != NOT_YET:
                count = 0
                for action in range(actions):
                    if may(s, seat, action):
                        count += 1
                        if below(rng, count) == 0:
                            s.chosen[seat] = action

    return list_choices, redraw_choices


class Simultaneous(Game):
    """A game whose choices alone are secret, until all seats have chosen; see this module."""

    secret_choices = True

    def describe_action(
        self, before: Position, action: int, after: Position, seat: int | None
    ) -> str | None:
        """Say that a seat has chosen, to the seat itself also what; at the last choice, say all."""
        mover, chosen = before.to_move, np.array(before.state.chosen)
        if mover < 0:
            return before.action_name(action)
        chosen[mover] = action
        if (chosen == NOT_YET).any() and seat != mover:
            return say("game.has_chosen", name=self.player_name(mover))
        told = range(self.seats) if mover == self.seats - 1 else (mover,)
        said = []
        for one in told:
            named = before.copy()
            named.state.to_move = one
            move = self.action_name(named, int(chosen[one]))
            said.append(say("game.choice", name=self.player_name(one), move=move))
        return said[0] if len(said) == 1 else say("text.list", all=said)
