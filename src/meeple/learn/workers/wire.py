"""Encodes what the processes of a run on a cluster exchange as plain values and arrays.

Observations of zeros and ones are sent as bits. Decoded arrays are equal to the encoded ones, and
are copies, so that nothing in the cluster's memory stays in use.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.learn.config import Config
from meeple.learn.selfplay.episode import Episode, Timing, Wave
from meeple.learn.selfplay.trajectory import Trajectory, joined
from meeple.learn.values.jobs import (
    JobNetworks,
    LabelledShard,
    Pairs,
    PlayedPairs,
    Shard,
    ValueExamples,
)
from meeple.nets.graph import Batch
from meeple.search.values.labels import Settings
from meeple.tensor_file import SavedWeights


def config_to_plain(config: Config) -> dict[str, Any]:
    """Encode a configuration."""
    return config.model_dump(mode="json")


def config_of(data: Mapping[str, Any]) -> Config:
    """Decode a configuration."""
    return Config.model_validate(data)


def wave_to_plain(wave: Wave) -> dict[str, Any]:
    """Encode a wave, without the trajectories of its episodes."""
    timing = wave.timing
    return {
        "numbers": list(wave.numbers),
        "episodes": [
            {
                "seed": one.seed,
                "actions": np.array(one.actions, dtype=np.int32),
                "opening": one.opening,
                "payoffs": one.payoffs,
            }
            for one in wave.episodes
        ],
        "sizes": [one.size for one in wave.trajectories],
        "steps": trajectory_to_plain(joined(wave.trajectories)) if wave.trajectories else None,
        "timing": [timing.total, timing.network, timing.simulations, timing.evaluations],
        "generation": wave.generation,
        "worker": wave.worker,
    }


def wave_of_plain(data: Mapping[str, Any]) -> Wave:
    """Decode a wave."""
    episodes = tuple(
        Episode(
            one["seed"],
            one["actions"].tolist(),
            one["opening"],
            payoffs=np.array(one["payoffs"]),
        )
        for one in data["episodes"]
    )
    trajectories: tuple[Trajectory, ...] = ()
    if data["steps"] is not None:
        trajectories = _parted(trajectory_of_plain(data["steps"]), data["sizes"])
    total, network, simulations, evaluations = data["timing"]
    return Wave(
        numbers=data["numbers"],
        episodes=episodes,
        trajectories=trajectories,
        timing=Timing(total, network, simulations, evaluations),
        generation=data["generation"],
        worker=data["worker"],
    )


def trajectory_to_plain(trajectory: Trajectory) -> dict[str, Any]:
    """Encode a trajectory."""
    return {**trajectory.arrays(), "observations": pack(trajectory.observations)}


def trajectory_of_plain(data: Mapping[str, Any]) -> Trajectory:
    """Decode a trajectory."""
    return Trajectory.of(_arrays_of_plain(data))


def _arrays_of_plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Copy arrays by name, with the observations decoded."""
    arrays = {name: np.array(array) for name, array in data.items() if name != "observations"}
    return {**arrays, "observations": unpack(data["observations"])}


def batches_to_plain(batches: Sequence[Batch]) -> list[dict[str, Any]]:
    """Encode batches."""
    return [{**one.targets, "observations": pack(one.observations)} for one in batches]


def batches_of_plain(data: Sequence[Mapping[str, Any]]) -> list[Batch]:
    """Decode batches."""
    decoded = [_arrays_of_plain(one) for one in data]
    return [Batch(targets.pop("observations"), targets) for targets in decoded]


_RECORDS: dict[frozenset[str], Any] = {
    frozenset(kind._fields): kind
    for kind in (Shard, Pairs, JobNetworks, Settings, LabelledShard, PlayedPairs, ValueExamples)
}
"""The named tuples of a run of values by the names of their fields, which all differ."""


def record_to_plain(record: Any) -> Any:
    """Encode a job of a run of values or its result: a named tuple, with those inside it."""
    if not hasattr(record, "_asdict"):
        return record
    return {name: record_to_plain(value) for name, value in record._asdict().items()}


def record_of_plain(data: Any) -> Any:
    """Decode a job of a run of values or its result."""
    if isinstance(data, Mapping):
        values = {name: record_of_plain(value) for name, value in data.items()}
        return _RECORDS[frozenset(values)](**values)
    return np.array(data) if isinstance(data, np.ndarray) else data


def networks_to_plain(networks: Mapping[str, SavedWeights]) -> dict[str, Any]:
    """Encode value networks by name."""
    return {name: vars(saved) for name, saved in networks.items()}


def networks_of_plain(data: Mapping[str, Any]) -> dict[str, SavedWeights]:
    """Decode value networks by name."""
    return {
        name: SavedWeights(**{
            **saved,
            "weights": {key: np.array(array) for key, array in saved["weights"].items()},
        })
        for name, saved in data.items()
    }  # fmt: skip


def _parted(trajectory: Trajectory, sizes: Sequence[int]) -> tuple[Trajectory, ...]:
    """Split positions into parts of the given sizes."""
    ends = np.cumsum(sizes).tolist()
    return tuple(
        trajectory.rows(slice(end - size, end)) for size, end in zip(sizes, ends, strict=True)
    )


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
