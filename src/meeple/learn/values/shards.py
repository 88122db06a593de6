"""Labels on disk: a file for each batch of games, written whole or not at all."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import CheckpointError
from meeple.kernels import RecordType
from meeple.search.values.labels import Labels, numbered_anew
from meeple.tensor_file import read_metadata, read_tensors, write_tensors

KIND = "Meeple labels"
_TYPES = frozenset({"F16", "F32", "I32", "I8"})


class ValueExamples(NamedTuple):
    """Siblings as arrays, N in all: what a network learns from.

    There are as many seats as the game of the most has; those that a game lacks are all zeros.
    """

    own: npt.NDArray[np.float16]  # [N, seats, F]
    sites: npt.NDArray[np.float16]  # [N, seats, S, G]
    table: npt.NDArray[np.float16]  # [N, T]
    players: npt.NDArray[np.int8]  # [N] seats that the game has
    shares: npt.NDArray[np.float32]  # [N, seats]
    decisions: npt.NDArray[np.int32]  # [N] ascending; siblings have one number
    seats: npt.NDArray[np.int8]  # [N] who decided
    actions: npt.NDArray[np.int32]  # [N]

    @property
    def size(self) -> int:
        """How many."""
        return len(self.shares)


def cases_of(labels: Labels, features_type: RecordType) -> ValueExamples:
    """Labels with their features apart, by the type of their record."""
    features = labels.features.view(features_type)[:, 0]
    players = labels.shares.shape[1]
    return ValueExamples(
        features["own"][:, :players].astype(np.float16),
        features["sites"][:, :players].astype(np.float16),
        features["table"].astype(np.float16),
        np.full(len(labels.shares), players, dtype=np.int8),
        labels.shares,
        labels.decisions,
        labels.seats,
        labels.actions,
    )


def write_shard(path: Path, cases: ValueExamples, about: dict[str, object]) -> None:
    """Write all or nothing. Raises CheckpointError where the disk refuses."""
    write_tensors(path, KIND, cases._asdict(), about)


def read_shard(path: Path) -> ValueExamples:
    """Raises CheckpointError where the file is not whole, or no such file."""
    _, tensors = read_tensors(path, KIND, _TYPES)
    try:
        return ValueExamples(*(tensors[name] for name in ValueExamples._fields))
    except KeyError as error:
        raise CheckpointError(f"{path} lacks the labels' {error}") from None


def games_in_shard(path: Path) -> int:
    """How many games are labelled there; 0 where the file does not say."""
    try:
        return int(read_metadata(path, KIND)["games"])
    except (CheckpointError, KeyError, TypeError, ValueError):
        return 0


def joined_cases(parts: list[ValueExamples]) -> ValueExamples:
    """ValueExamples one after the other, their decisions numbered anew."""
    most = max(part.shares.shape[1] for part in parts)
    widened = [_with_seats(part, most) for part in parts]
    whole = ValueExamples(*(np.concatenate(arrays) for arrays in zip(*widened, strict=True)))
    return whole._replace(decisions=numbered_anew([part.decisions for part in parts]))


def _with_seats(cases: ValueExamples, seats: int) -> ValueExamples:
    """The same with so many seats, those added empty."""
    added = seats - cases.shares.shape[1]
    if added == 0:
        return cases
    return cases._replace(
        own=_widened(cases.own, added),
        sites=_widened(cases.sites, added),
        shares=_widened(cases.shares, added),
    )


def _widened(array: npt.NDArray[Any], added: int) -> npt.NDArray[Any]:
    """An array with so many seats of zeros added, along its second axis."""
    return np.pad(array, [(0, 0), (0, added), *[(0, 0)] * (array.ndim - 2)])
