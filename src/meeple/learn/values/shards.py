"""Labels on disk: a file for each batch of games, written whole or not at all."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import CheckpointError
from meeple.kernels import RecordType
from meeple.search.values.labels import Labels, numbered_anew
from meeple.tensor_file import read_tensors, write_tensors

KIND = "Meeple labels"
_TYPES = frozenset({"F16", "F32", "I32", "I8"})


class Cases(NamedTuple):
    """Siblings as arrays, N in all: what a network learns from."""

    own: npt.NDArray[np.float16]  # [N, seats, F]
    sites: npt.NDArray[np.float16]  # [N, seats, S, G]
    table: npt.NDArray[np.float16]  # [N, T]
    shares: npt.NDArray[np.float32]  # [N, players]
    decisions: npt.NDArray[np.int32]  # [N] ascending; siblings have one number
    seats: npt.NDArray[np.int8]  # [N] who decided
    actions: npt.NDArray[np.int32]  # [N]

    @property
    def size(self) -> int:
        """How many."""
        return len(self.shares)


def cases_of(labels: Labels, features_type: RecordType) -> Cases:
    """Labels with their features apart, by the type of their record."""
    features = labels.features.view(features_type)[:, 0]
    players = labels.shares.shape[1]
    return Cases(
        features["own"][:, :players].astype(np.float16),
        features["sites"][:, :players].astype(np.float16),
        features["table"].astype(np.float16),
        labels.shares,
        labels.decisions,
        labels.seats,
        labels.actions,
    )


def write_shard(path: Path, cases: Cases, about: dict[str, object]) -> None:
    """Write all or nothing. Raises CheckpointError where the disk refuses."""
    write_tensors(path, KIND, cases._asdict(), about)


def read_shard(path: Path) -> Cases:
    """Raises CheckpointError where the file is not whole, or no such file."""
    _, tensors = read_tensors(path, KIND, _TYPES)
    try:
        return Cases(*(tensors[name] for name in Cases._fields))
    except KeyError as error:
        raise CheckpointError(f"{path} lacks the labels' {error}") from None


def joined_cases(parts: list[Cases]) -> Cases:
    """Cases one after the other, their decisions numbered anew."""
    whole = Cases(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    return whole._replace(decisions=numbered_anew([part.decisions for part in parts]))
