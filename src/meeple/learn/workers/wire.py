"""What goes between the processes of a run on a cluster, as plain values and arrays.

Observations are mostly zeros and ones, and go as bits then; they come back as they were, as do all
other arrays.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.learn.config import Config
from meeple.learn.selfplay.episode import Episode
from meeple.learn.selfplay.play import Timing
from meeple.learn.selfplay.replay import ReplayBatch, ReplayPositions, joined
from meeple.learn.selfplay.wave import Wave


def config_to_plain(config: Config) -> dict[str, Any]:
    """A configuration."""
    return config.model_dump(mode="json")


def config_of(data: Mapping[str, Any]) -> Config:
    """The same again."""
    return Config.model_validate(data)


def wave_to_plain(wave: Wave) -> dict[str, Any]:
    """A wave, without the searched moves of its episodes."""
    timing = wave.timing
    return {
        "numbers": list(wave.numbers),
        "episodes": [
            {
                "seed": one.seed,
                "actions": np.array(one.actions, dtype=np.int32),
                "opening": one.opening,
                "payoffs": one.payoffs,
                "owners": one.owners,
            }
            for one in wave.episodes
        ],
        "sizes": [cases.size for cases in wave.cases],
        "cases": cases_to_plain(joined(wave.cases)) if wave.cases else None,
        "timing": [timing.total, timing.network, timing.simulations, timing.evaluations],
        "generation": wave.generation,
        "worker": wave.worker,
    }


def wave_of_plain(data: Mapping[str, Any]) -> Wave:
    """The same again; its arrays are copies."""
    episodes = tuple(
        Episode(
            one["seed"],
            one["actions"].tolist(),
            one["opening"],
            payoffs=np.array(one["payoffs"]),
            owners=np.array(one["owners"]),
        )
        for one in data["episodes"]
    )
    cases: tuple[ReplayPositions, ...] = ()
    if data["cases"] is not None:
        cases = _parted(cases_of_plain(data["cases"]), data["sizes"])
    total, network, simulations, evaluations = data["timing"]
    return Wave(
        numbers=data["numbers"],
        episodes=episodes,
        cases=cases,
        timing=Timing(total, network, simulations, evaluations),
        generation=data["generation"],
        worker=data["worker"],
    )


def cases_to_plain(cases: ReplayPositions) -> dict[str, Any]:
    """ReplayPositions."""
    packed = {"observations": pack(cases.observations)}
    return {**cases._asdict(), **packed}


def cases_of_plain(data: Mapping[str, Any]) -> ReplayPositions:
    """The same again; its arrays are copies."""
    return ReplayPositions(
        **{
            **{name: np.array(array) for name, array in data.items() if name != "observations"},
            "observations": unpack(data["observations"]),
        }
    )


def batches_to_plain(minibatches: Sequence[ReplayBatch]) -> list[dict[str, Any]]:
    """Minibatches."""
    return [
        {
            "observations": pack(one.observations),
            "policies": one.policies,
            "values": one.values,
            "ownership": one.ownership,
        }
        for one in minibatches
    ]


def batches_of_plain(data: Sequence[Mapping[str, Any]]) -> list[ReplayBatch]:
    """The same again; its arrays are copies."""
    return [
        ReplayBatch(
            observations=unpack(one["observations"]),
            policies=np.array(one["policies"]),
            values=np.array(one["values"]),
            ownership=np.array(one["ownership"]),
        )
        for one in data
    ]


def _parted(cases: ReplayPositions, sizes: Sequence[int]) -> tuple[ReplayPositions, ...]:
    """ReplayPositions in parts of so many, one after the other."""
    ends = np.cumsum(sizes).tolist()
    return tuple(
        cases.map(itemgetter(slice(end - size, end))) for size, end in zip(sizes, ends, strict=True)
    )


def bytes_of(value: Any) -> int:
    """The bytes of all arrays in a plain value, which are nearly all that is moved."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Mapping):
        return sum(map(bytes_of, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(bytes_of, value))
    return 0


def pack(array: npt.NDArray[np.float32]) -> dict[str, Any]:
    """An array, as bits where it holds zeros and ones alone."""
    ones = array == 1
    return bits_of(ones) if np.array_equal(array, ones) else {"numbers": array}


def bits_of(ones: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """An array of yes and no."""
    return {"bits": np.packbits(ones), "shape": ones.shape}


def unpack(data: Mapping[str, Any]) -> npt.NDArray[np.float32]:
    """The array again, a copy."""
    if "numbers" in data:
        return np.array(data["numbers"])
    shape = tuple(data["shape"])
    count = int(np.prod(shape))
    return np.unpackbits(data["bits"], count=count).reshape(shape).astype(np.float32)
