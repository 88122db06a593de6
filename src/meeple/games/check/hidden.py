"""Check that determinizations vary the hidden information, so that no search can use it."""

import contextlib
import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.check.walk import LONG, Walk, expect
from meeple.games.contract import sights as contract_sights
from meeple.games.contract.belief import Belief
from meeple.games.contract.game import Game, Position

GAMES = 200  # at most, played with equal choices and different chance outcomes
ENOUGH = 100  # determinizations; if none of them varies, that is no coincidence
FEW = 12  # determinizations per seat that suffice in a long game if they differ
ALTERED = 6  # parts of a state altered per position, to see which seats observe them
PATIENCE = 10.0  # extra seconds for seats whose determinizations have not differed yet
APART = 10  # plies between two examined positions of a long game

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]  # over the bytes of a state


@dataclass
class _Alike:
    """Positions that a seat cannot distinguish by its observations so far."""

    first: Bytes
    differs: Mask  # bytes in which their states differ: the hidden ones
    varied: Mask  # bytes in which determinizations differ from their state
    draws: int = 0


@dataclass
class _Seat:
    """Statistics of one seat's determinizations."""

    alike: dict[int, _Alike] = field(default_factory=dict)
    draws: int = 0
    varied: bool = False  # whether any determinization differed from its state at all
    unseen: str = ""  # a field that another seat observes and this one does not


def what_is_hidden_varies_between_determinizations(walk: Walk) -> None:
    """Check that no field hidden from a seat is left unchanged, since a search would use it."""
    game = walk.game
    if not game.hides:
        return
    with contextlib.suppress(UsageError):  # reported by the check that needs it
        game.ensure_samples()
        _look_at_determinizations(walk)


def _look_at_determinizations(walk: Walk) -> None:
    game = walk.game
    seats = [_Seat() for _ in range(game.players)]
    pool: list[Bytes] = []
    for position, belief, known in _positions(walk):
        seat = belief.seat
        seen, row = seats[seat], position.row.copy()
        blank = np.zeros(len(row), np.bool_)
        alike = seen.alike.setdefault(known, _Alike(row, blank, blank.copy()))
        alike.differs |= alike.first != row
        twin = position.copy()
        twin.row[:] = row
        belief.sample(twin.row, kernels.new_rng(17, seen.draws))
        alike.varied |= twin.row != row
        alike.draws += 1
        seen.draws += 1
        seen.varied |= bool((twin.row != row).any())
        if not seen.unseen and not kernels.COMPILED:  # compiled, nothing is checked of a state
            seen.unseen = _unseen(position, seat, pool)  # that the rules may never reach
        pool.append(row)
        if _is_enough(walk, seats):
            break
    for number, one in enumerate(seats):
        _expect_variation(game, number, one)


def _is_enough(walk: Walk, seats: list[_Seat]) -> bool:
    """Whether to look no further: later where a seat's determinizations have not differed yet."""
    fewest = min(seat.draws for seat in seats)
    if fewest >= 3 * ENOUGH or time.monotonic() > walk.ends + PATIENCE:
        return True
    varied = all(seat.varied for seat in seats)
    if walk.game.max_plies > LONG and varied and fewest >= FEW:  # which seldom look alike
        return True
    return walk.is_late and (fewest >= ENOUGH or varied)


def _expect_variation(game: Game, number: int, seat: _Seat) -> None:
    """Raise Fault if determinizations leave a field unchanged that the seat cannot know."""
    name, kept = game.player_name(number), ""
    for part, where in _parts(game):
        groups = [one for one in seat.alike.values() if one.differs[where].any()]
        varied = any((one.varied & one.differs)[where].any() for one in groups)
        if sum(one.draws for one in groups) >= ENOUGH and not varied:
            kept = part
            break
    if not kept and seat.draws >= ENOUGH and not seat.varied:
        kept = seat.unseen
    expect(
        not kept,
        f"`resample` leaves `{kept}` as it is, which {name} cannot know: other states look the "
        f"same to {name}, and search plays as if it were known",
        "resample",
        "belief",
    )


def _parts(game: Game) -> Iterator[tuple[str, slice]]:
    """Yield each field of a state with its slice of bytes."""
    for name, (kind, offset, *_) in (game.State.fields or {}).items():
        if name != "to_move":
            yield name, slice(offset, offset + kind.itemsize)


# ------------------------------------------------------------ positions that look alike


def _positions(walk: Walk) -> Iterator[tuple[Position, Belief, int]]:
    """Yield positions, each with a seat's belief and a hash of the seat's observations so far.

    All games are played with the same choices, so that many observations coincide.
    """
    game = walk.game
    for seed in range(GAMES):
        position, choice = walk.start(seed), np.random.default_rng(0)
        beliefs = [game.belief(seat) for seat in range(game.players)]
        known = [0] * game.players
        shown: tuple[Any, ...] = ()
        for ply in itertools.count():
            for seat, belief in enumerate(beliefs):
                belief.follow(position)
                looks, seen = _looks(position, seat), repr(shown[1 + seat : 2 + seat])
                known[seat] = hash((known[seat], looks, _legal(position, seat), shown[:1], seen))
            near = game.max_plies <= LONG or ply % APART == 0
            if position.is_over:
                break
            for seat, belief in enumerate(beliefs):
                if near:
                    yield position, belief, known[seat]
            shown = _step(walk, position, choice)


def _step(walk: Walk, position: Position, choice: np.random.Generator) -> tuple[Any, ...]:
    """Play one action; return it (None for chance), then each seat's sight of it."""
    mover, before = position.to_move, position.row.copy()
    action = walk.step(choice)
    sights = [
        contract_sights.sight(walk.game, before, action, position.row, seat)
        for seat in range(walk.game.players)
    ]
    return (action if mover >= 0 else None, *sights)


def _looks(position: Position, seat: int) -> tuple[Any, ...]:
    """Return everything that a seat observes of a position."""
    game = position.game
    shown: list[Any] = [position.to_move, position.observation(seat).tobytes()]
    with contextlib.suppress(NotImplementedError):  # reported by the check of drawings
        shown.append(game.view(position, seat))
        shown.append(json.dumps(game.scene(position, seat).to_json(), sort_keys=True))
    return tuple(shown)


def _legal(position: Position, seat: int) -> tuple[int, ...]:
    """Return the legal actions of a seat; empty if it is not to move."""
    return tuple(sorted(position.legal_actions().tolist())) if position.to_move == seat else ()


def _unseen(position: Position, seat: int, pool: list[Bytes]) -> str:
    """Return a field that another seat observes and this one does not; "" if none was found.

    The search sets random parts of the state to their values in another position.
    """
    game = position.game
    if not pool or position.to_move < 0:
        return ""
    rng = np.random.default_rng([len(pool), seat])
    other = pool[int(rng.integers(len(pool)))]
    spots = [
        (name, part)
        for name, whole in _parts(game)
        for part in _items(game, name, whole)
        if (other[part] != position.row[part]).any()
    ]
    for place in rng.permutation(len(spots))[:ALTERED].tolist():
        name, part = spots[place]
        twin = position.copy()
        twin.row[part] = other[part]
        with contextlib.suppress(Exception), _quiet():  # the altered state may be unreachable
            shown = [_looks(twin, one) == _looks(position, one) for one in range(game.players)]
            if shown[seat] and not all(shown):
                return str(name)
    return ""


def _items(game: Game, name: str, whole: slice) -> Iterator[slice]:
    """Yield the slice of bytes of each item of a field."""
    size = game.State[name].base.itemsize
    return (slice(first, first + size) for first in range(whole.start, whole.stop, size))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Ignore numerical errors of plain Python inside the block."""
    before = dict(kernels.in_python)
    kernels.in_python.update(dict.fromkeys(before, "ignore"))
    try:
        yield
    finally:
        kernels.in_python.update(before)
