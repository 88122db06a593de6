"""Encodes what the processes of a run on a cluster exchange as plain values and arrays.

Arrays of zeros and ones, as most observations are, are sent as bits. Decoded arrays are equal to
the encoded ones, and are copies, so that nothing in the cluster's memory stays in use.
"""

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.learn.selfplay.episode import Episode, Timing, Wave
from meeple.learn.selfplay.trajectory import Trajectory
from meeple.learn.values.jobs import JobNetworks, LabelledShard, Pairs, PlayedPairs, Shard
from meeple.nets.graph import Batch
from meeple.search.values.examples import ValueExamples
from meeple.search.values.labels import Settings
from meeple.tensor_file import SavedWeights

_RECORDS: dict[frozenset[str], Any] = {
    frozenset(kind.__annotations__): kind
    for kind in (
        *(Wave, Episode, Timing, Trajectory, Batch),
        *(Shard, Pairs, JobNetworks, Settings, LabelledShard, PlayedPairs, ValueExamples),
        SavedWeights,
    )
}
"""The records that are sent, by the names of their fields, which all differ."""


def to_plain(value: Any) -> Any:
    """Encode records, with those inside them, and arrays."""
    if isinstance(value, np.ndarray):
        return pack(value) if value.dtype == np.float32 else value
    if is_dataclass(value):
        return to_plain(vars(value))
    if hasattr(value, "_asdict"):
        return to_plain(value._asdict())
    if isinstance(value, Mapping):
        return {name: to_plain(inner) for name, inner in value.items()}
    return type(value)(map(to_plain, value)) if isinstance(value, list | tuple) else value


def of_plain(data: Any) -> Any:
    """Decode what `to_plain` returned."""
    if isinstance(data, Mapping):
        if data.keys() in ({"bits", "shape"}, {"numbers"}):
            return unpack(data)
        values = {name: of_plain(value) for name, value in data.items()}
        return _RECORDS.get(frozenset(values), dict)(**values)
    if isinstance(data, list | tuple):
        return type(data)(map(of_plain, data))
    return np.array(data) if isinstance(data, np.ndarray) else data


def bytes_of(value: Any) -> int:
    """Return the bytes of all arrays in a plain value, nearly all of its size."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Mapping):
        return sum(map(bytes_of, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(bytes_of, value))
    return 0


def pack(array: npt.NDArray[np.float32]) -> dict[str, Any]:
    """Encode an array, as bits if it contains only zeros and ones."""
    ones = array == 1
    return bits_of(ones) if np.array_equal(array, ones) else {"numbers": array}


def bits_of(ones: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Encode a Boolean array as bits."""
    return {"bits": np.packbits(ones), "shape": ones.shape}


def unpack(data: Mapping[str, Any]) -> npt.NDArray[np.float32]:
    """Decode an array."""
    if "numbers" in data:
        return np.array(data["numbers"])
    shape = tuple(data["shape"])
    count = int(np.prod(shape))
    return np.unpackbits(data["bits"], count=count).reshape(shape).astype(np.float32)
