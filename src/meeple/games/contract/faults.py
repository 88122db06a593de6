"""Faults of what a game's rules write in a position: the same sentence for every caller."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import KernelError
from meeple.games.contract.rules import Rules
from meeple.kernels import CHANCE, OVER

TOLERANCE = 1e-5  # of sums of float32
MAX_NAMED_ACTIONS = 30  # of those that lead to a fault


class Fault(NamedTuple):
    """A fault as a sentence, and the kernels or methods that may have it, the likeliest first."""

    sentence: str
    blamed: Sequence[str]


def repeated(items: Iterable[Any]) -> list[Any]:
    """Return the items that occur more than once, sorted."""
    return sorted(item for item, count in Counter(items).items() if count > 1)


def fault_of_moves(rules: Rules, mover: int, moves: npt.NDArray[np.void]) -> Fault | None:
    """Return the fault of a state's seat to move, or of the list that `legal` wrote; or None.

    Args:
        rules: those of the game.
        mover: `to_move` of the state.
        moves: [1] of `moves_record`.
    """
    if mover == OVER:
        return None
    if mover != CHANCE and not 0 <= mover < rules.seats:
        allowed = f"0 to {rules.seats - 1}, CHANCE (-1) or OVER (-2)"
        return Fault(f"the seat to move is {mover}: it must be {allowed}", ("play", "start"))
    count, most = int(moves["count"][0]), rules.max_moves
    what, many = ("outcome of chance", "outcomes") if mover == CHANCE else ("action", "actions")
    if count < 1:
        return Fault(f"the game is not over, but no {what} is possible", ("legal",))
    if count > most:
        return Fault(f"`legal` lists {count} {many}, max_moves is {most}", ("legal",))
    listed = moves["actions"][0, :count].tolist()
    twice = repeated(listed)
    if twice:
        return Fault(f"`legal` lists the {what} {twice[0]} more than once", ("legal",))
    if mover == CHANCE:
        return _fault_of_chances(moves["probabilities"][0, :count])
    wrong = [one for one in listed if not 0 <= one < rules.num_actions]
    last = rules.num_actions - 1
    sentence = f"`legal` lists {wrong[:3]}: actions are 0 to {last}"
    return Fault(sentence, ("legal", "configure")) if wrong else None


def _fault_of_chances(chances: npt.NDArray[np.float32]) -> Fault | None:
    listed = [round(float(chance), 6) for chance in chances[:MAX_NAMED_ACTIONS]]
    if not (chances > 0).all():
        said = f"the probability of an outcome of chance is not above 0: {listed}"
    elif not abs(chances.sum() - 1) < TOLERANCE:
        said = f"the probabilities of chance sum to {chances.sum():g}, not to 1"
    else:
        return None
    return Fault(said, ("legal",))


def fault_of_payoffs(shares: npt.NDArray[np.float64]) -> Fault | None:
    """Return the fault of the shares [players] of a finished game, or None."""
    given = shares.tolist()
    if not np.isfinite(shares).all():
        said = f"payoffs are {given}: not all are finite numbers"
    elif (shares < 0).any():
        said = f"payoffs are below 0: {given}"
    elif abs(shares.sum() - 1) >= TOLERANCE:
        said = (
            f"payoffs sum to {shares.sum():g}, not to 1: {given}; for payoffs on another scale set "
            "`points` to the least and the most points of a player"
        )
    else:
        return None
    return Fault(said, ("payoffs",))


def error_of(fault: Fault, rules: Rules, seed: int, actions: Sequence[int]) -> KernelError:
    """Return the error of a fault: it names the line, the game, and the actions that lead there."""
    named = ", ".join(map(str, actions[:MAX_NAMED_ACTIONS]))
    more = len(actions) - MAX_NAMED_ACTIONS
    after = f"the actions {named}" if actions else "no action"
    after += f" and {more} more" if more > 0 else ""
    file, line = rules.place_of(fault.blamed)
    return KernelError(fault.sentence, file, line, f", in {rules!r} with seed {seed} after {after}")
