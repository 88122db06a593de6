"""Evaluates a network on held-out game records: the moves that people play, and the results."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch

from meeple.errors import Stopped
from meeple.learn.records.positions import Drawing
from meeple.nets.network import ActorNetwork
from meeple.nets.training import MASKED

_BATCH_POSITIONS = 512
_Floats = npt.NDArray[np.float64]


def evaluate_records(
    network: ActorNetwork,
    drawing: Drawing,
    rows: npt.NDArray[np.int64],
    stop: Callable[[], bool] = lambda: False,
) -> dict[str, float]:
    """Return the metrics of a network on positions, by name; losses are in nats.

    - `records/policy`, `records/value`: mean losses, the latter over games with a known result;
    - `records/accuracy`: share of positions where the best legal action is the one played;
    - `records/value_error`: mean squared error of the mover's share of the win.

    Args:
        network: the network.
        drawing: the source of the positions.
        rows: numbers of the positions.
        stop: is called between batches; true ends the evaluation.

    Raises:
        Stopped: `stop` returned true.
    """
    policy: list[_Floats] = []
    right: list[_Floats] = []
    value: list[_Floats] = []
    error: list[_Floats] = []
    for first in range(0, len(rows), _BATCH_POSITIONS):
        if stop():
            raise Stopped
        batch, legal, played = drawing.as_played(rows[first : first + _BATCH_POSITIONS])
        with torch.no_grad():
            found = network.all_outputs(torch.from_numpy(batch.observations))
        logs = torch.log_softmax(found.policy, dim=1)
        at = torch.from_numpy(played.astype(np.int64))[:, None]
        policy.append(-logs.gather(1, at)[:, 0].double().numpy())
        best = found.policy.masked_fill(~torch.from_numpy(legal), MASKED).argmax(dim=1).numpy()
        right.append((best == played).astype(np.float64))
        if found.value is not None:
            known = batch.values.sum(axis=1) > 0
            shares = torch.log_softmax(found.value, dim=1).double().numpy()[known]
            wanted = batch.values[known]
            value.append(-(wanted * shares).sum(axis=1))
            error.append((np.exp(shares[:, 0]) - wanted[:, 0]) ** 2)
    figures = {"policy": policy, "accuracy": right, "value": value, "value_error": error}
    return {
        f"records/{name}": float(np.mean(np.concatenate(parts)))
        for name, parts in figures.items()
        if sum(map(len, parts))
    }
