"""Random numbers in kernels: SplitMix64, with a generator record that the caller passes."""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.kernels.decorator import kernel
from meeple.kernels.records import record
from meeple.options import whole_number

Rng = record(state=np.uint64)  # a random number generator, 8 bytes

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))


@kernel
def scramble(z: Any) -> Any:
    """Return a 64-bit word that looks random; a bijection, the mixing step of SplitMix64."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def next_uint64(rng: Any) -> Any:
    """Return the next 64 random bits; consumes one step of the generator.

    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    rng.state = rng.state + _GOLDEN
    return scramble(rng.state)


@kernel
def below(rng: Any, bound: int) -> int:
    """Return an integer in 0..bound-1, for 1 <= bound < 2**31; consumes one step.

    Source: multiply-shift (Lemire, "Fast random integer generation in an interval", 2019), without
    the rejection: the probability of a number is off by at most 2**-32.
    """
    return int(np.int64(((next_uint64(rng) >> _S32) * np.uint64(bound)) >> _S32))


@kernel
def uniform(rng: Any) -> float:
    """Return a float in [0, 1); consumes one step."""
    return float(np.float64(next_uint64(rng) >> _S11) * (1.0 / 9007199254740992.0))


@kernel
def shuffle(rng: Any, items: Any) -> None:
    """Put the items of an array in random order; every order is equally likely."""
    for last in range(len(items) - 1, 0, -1):
        other = below(rng, last + 1)
        items[last], items[other] = items[other], items[last]


@kernel
def redeal(rng: Any, places: Any, player: int) -> None:
    """Exchange the places of cards that a player does not see: all from 0 on but its own.

    Args:
        rng: the generator.
        places: of each card: the seat that holds it, further numbers for places in a stock, below 0
            for cards that all see.
        player: the seat that sees its own cards; below 0: no seat does.
    """
    hidden = 0
    for card in range(len(places)):
        if places[card] >= 0 and places[card] != player:
            hidden += 1
            other = below(rng, hidden)  # of the hidden cards up to this one
            for one in range(card + 1):
                if places[one] >= 0 and places[one] != player:
                    if other == 0:
                        places[card], places[one] = places[one], places[card]
                        break
                    other -= 1


def seed_word(seed: int) -> int:
    """Return a seed as a word of 64 bits. Raises UsageError if it is not a whole number."""
    return whole_number(seed, "a seed") & 0xFFFFFFFFFFFFFFFF


def numpy_rng(*seed: int) -> np.random.Generator:
    """Return a generator of NumPy that depends on every number of the seed."""
    return np.random.default_rng([*map(seed_word, seed)])


def new_rng(*seed: int) -> npt.NDArray[Any]:
    """Return a generator, [1] record, that depends on every number of the seed."""
    # The count at the end tells [1] from [1, 0], which `SeedSequence` treats alike.
    sequence = np.random.SeedSequence([*map(seed_word, seed), len(seed)])
    rng = np.zeros(1, dtype=Rng)
    rng["state"] = sequence.generate_state(1, np.uint64)
    return rng
