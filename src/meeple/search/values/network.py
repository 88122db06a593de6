"""A network that evaluates a position seat by seat, in a kernel: one encoder for all seats.

For P seats with features `own` [P, F] and `sites` [P, S, G], and `table` [T] of what all share:

    site    = max(0, site @ site_weights + site_bias), for each site that is there
    seat    = max(0, own @ own_weights + (sum and maximum of its sites) @ pooled_weights
                     + seat_bias)
    first   = max(0, seat @ self_weights + (sum of all seats) @ sum_weights
                     + (maximum of the other seats) @ most_weights
                     + table @ table_weights + first_bias)
    second  = max(0, first @ second_weights + second_bias)
    shares  = softmax over the seats of second @ last_weights

So the shares are permuted as the seats are: whose turn comes when is for the features to say. How
a network learns is not decided here.

From one position to the next most seats stay as they are, and are not encoded again. Siblings
differ from their parent and from each other, so the two latest encodings of each seat are kept.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import (
    EVALUATE_FEATURES,
    PARTS,
    SHARES,
    WEIGHTS,
    RecordType,
    inlined,
    kernel,
    record,
)
from meeple.kernels.table import KernelTable, Memory
from meeple.search.layers import add_products, copy_values, product, rectify
from meeple.search.values.acceptance import Acceptance

Weights = dict[str, npt.NDArray[np.float32]]


class Widths(NamedTuple):
    """Units of each layer."""

    site: int = 32
    seat: int = 64
    first: int = 64
    second: int = 32


def weight_shapes(features: RecordType, widths: Widths) -> dict[str, tuple[int, ...]]:
    """The weights of a network by name, for a game's record of features."""
    own, site, table = (features[name].shape[-1] for name in ("own", "sites", "table"))
    return {
        "site_weights": (site, widths.site),
        "site_bias": (widths.site,),
        "own_weights": (own, widths.seat),
        "pooled_weights": (2 * widths.site, widths.seat),
        "seat_bias": (widths.seat,),
        "self_weights": (widths.seat, widths.first),
        "sum_weights": (widths.seat, widths.first),
        "most_weights": (widths.seat, widths.first),
        "table_weights": (table, widths.first),
        "first_bias": (widths.first,),
        "second_weights": (widths.first, widths.second),
        "second_bias": (widths.second,),
        "last_weights": (widths.second,),
    }


def network_record(features: RecordType, widths: Widths) -> RecordType:
    """The weights, and the memory that evaluating works in, as one record."""
    shapes = weight_shapes(features, widths)
    seats, own = features["own"].shape
    _, places, site = features["sites"].shape
    longest = max(max(shape) for shape in shapes.values())
    return record(
        **{name: (np.float32, shape) for name, shape in shapes.items()},
        site=(np.float32, (widths.site,)),
        pooled=(np.float32, (2 * widths.site,)),
        latest=(np.int8, (seats,)),  # of the two rows below of each seat
        encoded=(np.int8, (2 * seats,)),  # whether the row of `seats` is of the next two fields
        own=(np.float32, (2 * seats, own)),
        sites=(np.float32, (2 * seats, places, site)),
        seats=(np.float32, (2 * seats, widths.seat)),
        selves=(np.float32, (2 * seats, widths.first)),  # seat @ self_weights
        total=(np.float32, (widths.seat,)),
        most=(np.float32, (widths.seat,)),  # of all seats
        runner_up=(np.float32, (widths.seat,)),  # the second largest of all seats
        lead=(np.float32, (seats, widths.seat)),  # maximum of the other seats minus `most`
        common=(np.float32, (widths.first,)),
        first=(np.float32, (widths.first,)),
        second=(np.float32, (widths.second,)),
        found=(np.int64, (longest,)),
    )


def widths_of(weights: Weights) -> Widths:
    """The widths of a network, by its biases."""
    return Widths(*(len(weights[f"{name}_bias"]) for name in Widths._fields))


def untrained(features: RecordType, widths: Widths, seed: int) -> Weights:
    """Weights uniform within 1 / sqrt(inputs), as PyTorch's layers begin; biases 0."""
    rng = np.random.default_rng(seed)
    weights = {}
    for name, shape in weight_shapes(features, widths).items():
        bound = 0.0 if name.endswith("bias") else shape[0] ** -0.5
        weights[name] = rng.uniform(-bound, bound, shape).astype(np.float32)
    return weights


def widened(weights: Weights, features: RecordType, widths: Widths, seed: int) -> Weights:
    """Return a wider network that evaluates as the given one: no layer may become narrower.

    What new units compute is random, and nothing depends on it yet: a fit can use them at once.

    Raises:
        ValueError: a layer would become narrower.
    """
    before = widths_of(weights)
    if any(new < old for new, old in zip(widths, before, strict=True)):
        raise ValueError(f"{widths} is narrower than {before}")
    found = untrained(features, widths, seed)
    for name, old in weights.items():
        new = found[name]
        inputs = np.arange(len(old))
        if name == "pooled_weights":  # the sums of all sites' units, then their maxima
            inputs[before.site :] += widths.site - before.site
        if old.ndim == 1:
            new[:] = 0
            new[inputs] = old
        else:
            new[:, : old.shape[1]] = 0  # units of before depend on no new ones
            new[inputs, : old.shape[1]] = old
    return found


class ValueNetwork:
    """A network in memory, compiled for its widths: what a search asks."""

    def __init__(
        self,
        weights: Weights,
        features: RecordType,
        players: int,
        acceptance: Acceptance | None = None,
    ) -> None:
        """Load the weights into memory that a kernel reads.

        Args:
            weights: of all layers.
            features: the game's record type `Features`.
            players: number of shares.
            acceptance: a model of which trades other players accept, by the network's shares.
        """
        self.acceptance = acceptance
        kind = network_record(features, widths_of(weights))
        self.memory = np.zeros(1, dtype=kind)
        self.set_weights(weights)
        memory = Memory({WEIGHTS: kind, PARTS: features}, {SHARES: players})
        self._table = KernelTable("network", {EVALUATE_FEATURES: evaluate}, memory)
        self.kernel = self._table.address_of(EVALUATE_FEATURES)

    def set_weights(self, weights: Weights) -> None:
        """Evaluate by other weights from now on, of the same widths."""
        for name, values in weights.items():
            self.memory[name][0] = values
        self.memory["encoded"] = 0
        self.memory["latest"] = 2 * np.arange(self.memory["latest"].shape[1])

    @property
    def address(self) -> int:
        """Of the weights."""
        return int(self.memory.ctypes.data)


@kernel
def evaluate(network: Any, features: Any, shares: Any) -> None:
    """Each seat's share into float64 `shares` [players], which sum to 1."""
    players = features.players
    for seat in range(players):
        network.latest[seat] = _row_of(network, features, seat)
    _pool_seats(network, players)
    copy_values(network.first_bias, network.common)
    add_products(features.table, network.table_weights, network.common, network.found)
    add_products(network.total, network.sum_weights, network.common, network.found)
    add_products(network.most, network.most_weights, network.common, network.found)
    for seat in range(players):
        shares[seat] = _logit(network, seat)
    _softmax(shares, players)


@inlined
def _pool_seats(network: Any, players: int) -> None:
    """Sum and maximum of all seats; and what the maximum loses without the seat that has it.

    A unit's maximum over the other seats is that of all, except for the one seat that has it. So
    one product serves all seats, and the few differences are added.
    """
    total, most, runner_up = network.total, network.most, network.runner_up
    units = np.uint64(total.shape[0])
    for unit in range(units):
        total[unit] = most[unit] = runner_up[unit] = np.float32(0.0)
    for seat in range(players):
        row = np.uint64(network.latest[seat])
        for unit in range(units):
            value = network.seats[row, unit]
            total[unit] += value
            runner_up[unit] = max(runner_up[unit], min(most[unit], value))
            most[unit] = max(most[unit], value)
    for seat in range(players):
        row = np.uint64(network.latest[seat])
        for unit in range(units):
            lead = runner_up[unit] - network.seats[row, unit]
            network.lead[seat, unit] = min(lead, np.float32(0.0))


@inlined
def _row_of(network: Any, features: Any, seat: int) -> int:
    """The row with a seat's encoding; the older of the two rows is overwritten if neither fits."""
    latest = int(network.latest[seat])
    other = 4 * seat + 1 - latest
    if _is_encoded(network, features, seat, latest):
        return latest
    if not _is_encoded(network, features, seat, other):
        _encode(network, features, seat, other)
        _remember(network, features, seat, other)
    return other


@inlined
def _is_encoded(network: Any, features: Any, seat: int, row: int) -> bool:
    """Whether a row has the encoding of a seat's features."""
    same = network.encoded[row] != 0 and _are_equal(features.own[seat], network.own[row])
    for place in range(features.sites.shape[1]):
        same = same and _are_equal(features.sites[seat, place], network.sites[row, place])
    return bool(same)


@inlined
def _remember(network: Any, features: Any, seat: int, row: int) -> None:
    """Take down what a row was encoded from."""
    network.encoded[row] = 1
    copy_values(features.own[seat], network.own[row])
    for place in range(features.sites.shape[1]):
        copy_values(features.sites[seat, place], network.sites[row, place])


@inlined
def _are_equal(one: Any, other: Any) -> bool:
    """Whether two arrays of one length hold the same numbers."""
    different = 0
    for index in range(one.shape[0]):
        different += one[index] != other[index]
    return different == 0


@inlined
def _encode(network: Any, features: Any, seat: int, row: int) -> None:
    """A seat's own features, and its sites together, as one vector in a row."""
    width = network.site.shape[0]
    for unit in range(2 * width):
        network.pooled[unit] = np.float32(0.0)
    for place in range(features.sites.shape[1]):
        if features.sites[seat, place, 0] == np.float32(0.0):
            break
        copy_values(network.site_bias, network.site)
        add_products(features.sites[seat, place], network.site_weights, network.site, network.found)
        rectify(network.site)
        for unit in range(width):
            network.pooled[unit] += network.site[unit]
            network.pooled[width + unit] = max(network.pooled[width + unit], network.site[unit])
    encoded = network.seats[row]
    copy_values(network.seat_bias, encoded)
    add_products(features.own[seat], network.own_weights, encoded, network.found)
    add_products(network.pooled, network.pooled_weights, encoded, network.found)
    rectify(encoded)
    selves = network.selves[row]
    for unit in range(selves.shape[0]):
        selves[unit] = np.float32(0.0)
    add_products(encoded, network.self_weights, selves, network.found)


@inlined
def _logit(network: Any, seat: int) -> Any:
    """What the softmax takes of a seat."""
    first, row = network.first, np.uint64(network.latest[seat])
    for unit in range(first.shape[0]):
        first[unit] = network.common[unit] + network.selves[row, unit]
    add_products(network.lead[seat], network.most_weights, first, network.found)
    rectify(first)
    copy_values(network.second_bias, network.second)
    add_products(first, network.second_weights, network.second, network.found)
    rectify(network.second)
    return product(network.second, network.last_weights)


@inlined
def _softmax(values: Any, count: int) -> None:
    """Replace values by their softmax, in place."""
    most = values[0]
    for index in range(1, count):
        most = max(most, values[index])
    total = 0.0
    for index in range(count):
        values[index] = np.exp(values[index] - most)
        total += values[index]
    for index in range(count):
        values[index] /= total
