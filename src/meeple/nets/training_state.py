"""The state of training: a network and its optimizer, saved so that it resumes bit for bit."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from meeple.errors import CheckpointError, UsageError
from meeple.nets.architecture import Architecture
from meeple.nets.checkpoint import check_shapes
from meeple.nets.graph import weight_shapes
from meeple.nets.network import ActorNetwork
from meeple.tensor_file import PathLike, Tensors, read_tensors, write_tensors

KIND = "Meeple training state"
_MAX_SETTING = 1e30  # of an optimizer; a larger number is damage


def save_training_state(
    path: PathLike, network: ActorNetwork, optimizer: torch.optim.Optimizer
) -> None:
    """Write weights and optimizer state to a file atomically; errors as in `checkpoint.save`."""
    metadata, tensors = training_state(network, optimizer)
    write_tensors(path, KIND, tensors, metadata)


def training_state(
    network: ActorNetwork, optimizer: torch.optim.Optimizer
) -> tuple[dict[str, Any], Tensors]:
    """Return the metadata and the arrays of such a file; the arrays are views of the weights."""
    tensors = {f"network.{name}": value for name, value in network.weights.tensors.items()}
    saved = optimizer.state_dict()
    for index, values in saved["state"].items():
        for name, value in values.items():
            if value is not None:  # SGD without momentum has None as its momentum
                tensors[f"optimizer.{index}.{name}"] = value.contiguous().cpu().numpy()
    metadata = {
        "architecture": network.architecture.model_dump(mode="json"),
        "optimizer": type(optimizer).__name__,
        "groups": saved["param_groups"],
    }
    return metadata, tensors


def load_training_state(
    path: PathLike, network: ActorNetwork, optimizer: torch.optim.Optimizer
) -> None:
    """Set a network and its optimizer to the saved state; training resumes bit for bit.

    Raises CheckpointError if the file cannot be read or has another architecture or optimizer;
    network and optimizer are then unchanged.
    """
    restore_training_state(path, *read_tensors(path, KIND), network, optimizer)


def restore_training_state(
    path: PathLike,
    metadata: Mapping[str, Any],
    tensors: Tensors,
    network: ActorNetwork,
    optimizer: torch.optim.Optimizer,
) -> None:
    """Set a network and its optimizer to a state that was read; `path` is for the message."""
    if _architecture_of(metadata) != network.architecture:
        raise CheckpointError(f"{path} was saved for another network architecture")
    if metadata.get("optimizer") != type(optimizer).__name__:
        raise CheckpointError(
            f"{path} was saved for optimizer {metadata.get('optimizer')}, "
            f"not for {type(optimizer).__name__}"
        )
    groups = _groups(path, metadata.get("groups"), optimizer.state_dict()["param_groups"])
    prefix = "network."
    own: Tensors = {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
    rest: Tensors = {n: t for n, t in tensors.items() if not n.startswith(prefix)}
    check_shapes(path, own, weight_shapes(network.architecture))
    state = _optimizer_state(path, rest, optimizer)
    network.set_weights(own)
    optimizer.load_state_dict({"state": state, "param_groups": groups})


def _architecture_of(metadata: Mapping[str, Any]) -> Architecture | None:
    """Return the saved architecture, with defaults for fields of later versions, or None."""
    try:
        return Architecture(**metadata["architecture"])
    except (KeyError, TypeError, UsageError):
        return None


def _groups(path: PathLike, saved: Any, present: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the saved settings, with the learning rate, with tuples as in the optimizer."""
    fits = isinstance(saved, list) and len(saved) == len(present)
    if not fits or any(
        not isinstance(old, dict)
        or old.keys() != new.keys()
        or old["params"] != new["params"]
        or not all(_alike(old[key], new[key]) for key in new)
        for old, new in zip(saved, present, strict=True)
    ):
        raise CheckpointError(f"{path} was saved for an optimizer with other settings")
    return [
        {key: tuple(v) if isinstance(new[key], tuple) else v for key, v in old.items()}
        for old, new in zip(saved, present, strict=True)
    ]


def _alike(old: Any, new: Any) -> bool:
    """Return whether a saved setting has the type of the present one."""
    if isinstance(new, tuple | list):
        fits = isinstance(old, list) and len(old) == len(new)
        return fits and all(map(_alike, old, new))
    if isinstance(new, int | float) and not isinstance(new, bool):
        return (
            isinstance(old, int | float) and not isinstance(old, bool) and abs(old) <= _MAX_SETTING
        )
    return type(old) is type(new)


def _optimizer_state(
    path: PathLike, tensors: Tensors, optimizer: torch.optim.Optimizer
) -> dict[int, dict[str, torch.Tensor]]:
    """Return the tensors "optimizer.INDEX.NAME" by parameter, in its memory layout."""
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    state: dict[int, dict[str, torch.Tensor]] = {}
    for full_name, array in tensors.items():
        owner, index, name = (*full_name.split(".", 2), "", "")[:3]
        if owner != "optimizer" or not index.isdecimal() or int(index) >= len(parameters):
            raise CheckpointError(f"{path} holds a tensor of unknown purpose, '{full_name}'")
        parameter = parameters[int(index)]
        if array.shape not in ((), tuple(parameter.shape)) or not np.isfinite(array).all():
            raise CheckpointError(f"{path}: '{full_name}' does not fit its weight")
        value = torch.from_numpy(array)
        if array.shape:
            # Another layout could round differently, and the run would not be reproducible.
            value = torch.empty_like(parameter, requires_grad=False).copy_(value)
        state.setdefault(int(index), {})[name] = value
    return state
