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
from meeple.games.check.looks import samples
from meeple.games.check.walk import LONG_GAME_PLIES, GameWalk, expect
from meeple.games.contract import sights as contract_sights
from meeple.games.contract.belief import Belief
from meeple.games.contract.game import Game, Position

MAX_GAMES = 200  # played with equal choices and different chance outcomes
MIN_DETERMINIZATIONS = 100  # if none of them varies, that is not a coincidence
MIN_DETERMINIZATIONS_OF_LONG_GAMES = 12  # per seat; sufficient in a long game if they vary
MAX_ALTERED_PARTS = 6  # of a state per position, to see which seats observe them
EXTRA_SECONDS = 10.0  # for seats whose determinizations have not varied yet
POSITION_STRIDE = 10  # plies between two examined positions of a long game

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]  # over the bytes of a state


@dataclass
class _Indistinguishable:
    """Positions that a seat cannot distinguish by its observations so far."""

    first: Bytes
    differs: Mask  # bytes in which their states differ: the hidden ones
    varied: Mask  # bytes in which determinizations differ from their state
    draws: int = 0


@dataclass
class _Seat:
    """Statistics of one seat's determinizations."""

    alike: dict[int, _Indistinguishable] = field(default_factory=dict)
    draws: int = 0
    varied: bool = False  # whether any determinization differed from its state at all
    unobserved: str = ""  # a field that another seat observes and this one does not


def what_is_hidden_varies_between_determinizations(walk: GameWalk) -> None:
    """Check that no field hidden from a seat is left unchanged, since a search would use it."""
    game = walk.game
    if not samples(game):
        return
    seats = [_Seat() for _ in range(game.seats)]
    pool: list[Bytes] = []
    for position, belief, known in _positions(walk):
        seat = belief.seat
        seen, row = seats[seat], position.row.copy()
        blank = np.zeros(len(row), np.bool_)
        alike = seen.alike.setdefault(known, _Indistinguishable(row, blank, blank.copy()))
        alike.differs |= alike.first != row
        twin = position.copy()
        twin.row[:] = row
        belief.sample(twin.row, kernels.new_rng(17, seen.draws))
        alike.varied |= twin.row != row
        alike.draws += 1
        seen.draws += 1
        seen.varied |= bool((twin.row != row).any())
        # Only in plain Python: compiled rules do not check an unreachable state.
        if not seen.unobserved and not kernels.COMPILED:
            seen.unobserved = _unobserved_field(position, seat, pool)
        pool.append(row)
        if _is_done(walk, seats):
            break
    for number, one in enumerate(seats):
        _expect_variation(game, number, one)


def _is_done(walk: GameWalk, seats: list[_Seat]) -> bool:
    """Return whether to stop; seats whose determinizations have not varied get extra time."""
    fewest = min(seat.draws for seat in seats)
    if fewest >= 3 * MIN_DETERMINIZATIONS or time.monotonic() > walk.ends + EXTRA_SECONDS:
        return True
    varied = all(seat.varied for seat in seats)
    is_long = walk.game.max_plies > LONG_GAME_PLIES  # its positions are seldom indistinguishable
    if is_long and varied and fewest >= MIN_DETERMINIZATIONS_OF_LONG_GAMES:
        return True
    return walk.is_late and (fewest >= MIN_DETERMINIZATIONS or varied)


def _expect_variation(game: Game, number: int, seat: _Seat) -> None:
    """Raise CheckFailure if determinizations leave a field unchanged that the seat cannot know."""
    name, unchanged = game.player_name(number), ""
    for part, where in _parts(game):
        groups = [one for one in seat.alike.values() if one.differs[where].any()]
        varied = any((one.varied & one.differs)[where].any() for one in groups)
        if sum(one.draws for one in groups) >= MIN_DETERMINIZATIONS and not varied:
            unchanged = part
            break
    if not unchanged and seat.draws >= MIN_DETERMINIZATIONS and not seat.varied:
        unchanged = seat.unobserved
    expect(
        not unchanged,
        f"`resample` leaves `{unchanged}` as it is, which {name} cannot know: other states look "
        f"the same to {name}, and search plays as if it were known",
        "resample",
        "belief",
    )


def _parts(game: Game) -> Iterator[tuple[str, slice]]:
    """Yield each field of a state with its slice of bytes."""
    for name, (kind, offset, *_) in (game.State.fields or {}).items():
        if name != "to_move":
            yield name, slice(offset, offset + kind.itemsize)


# ------------------------------------------------------------ indistinguishable positions


def _positions(walk: GameWalk) -> Iterator[tuple[Position, Belief, int]]:
    """Yield positions, each with a seat's belief and a hash of the seat's observations so far.

    All games are played with the same choices, so that many observations coincide.
    """
    game = walk.game
    for seed in range(MAX_GAMES):
        position, choice = walk.start(seed), np.random.default_rng(0)
        beliefs = [game.belief(seat) for seat in range(game.seats)]
        known = [0] * game.seats
        shown: tuple[Any, ...] = ()
        for ply in itertools.count():
            for seat, belief in enumerate(beliefs):
                belief.follow(position)
                looks, seen = _observations(position, seat), repr(shown[1 + seat : 2 + seat])
                known[seat] = hash(
                    (known[seat], looks, _legal_actions(position, seat), shown[:1], seen)
                )
            near = game.max_plies <= LONG_GAME_PLIES or ply % POSITION_STRIDE == 0
            if position.is_over:
                break
            for seat, belief in enumerate(beliefs):
                if near:
                    yield position, belief, known[seat]
            shown = _step(walk, position, choice)


def _step(walk: GameWalk, position: Position, choice: np.random.Generator) -> tuple[Any, ...]:
    """Play one action; return it (None if it is not open), then each seat's sight of it."""
    mover, before = position.to_move, position.row.copy()
    action = walk.step(choice)
    sights = [
        contract_sights.sight(walk.game, before, action, position.row, seat)
        for seat in range(walk.game.seats)
    ]
    is_open = mover >= 0 and not walk.game.secret_choices
    return (action if is_open else None, *sights)


def _observations(position: Position, seat: int) -> tuple[Any, ...]:
    """Return everything that a seat observes of a position."""
    game = position.game
    shown: list[Any] = [position.to_move, position.observation(seat).tobytes()]
    with contextlib.suppress(NotImplementedError):  # reported by the check of drawings
        shown.append(game.view(position, seat))
        shown.append(json.dumps(game.scene(position, seat).to_json(), sort_keys=True))
    return tuple(shown)


def _legal_actions(position: Position, seat: int) -> tuple[int, ...]:
    """Return the legal actions of a seat; empty if it is not to move."""
    return tuple(sorted(position.legal_actions().tolist())) if position.to_move == seat else ()


def _unobserved_field(position: Position, seat: int, pool: list[Bytes]) -> str:
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
    for place in rng.permutation(len(spots))[:MAX_ALTERED_PARTS].tolist():
        name, part = spots[place]
        twin = position.copy()
        twin.row[part] = other[part]
        with contextlib.suppress(Exception), _quiet():  # the altered state may be unreachable
            shown = [
                _observations(twin, one) == _observations(position, one)
                for one in range(game.seats)
            ]
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
