"""Predictors: policies and values of batches of positions, by the fastest engine of this machine.

NumPy computes dense networks: it was faster than PyTorch at batches from 1 to 256 and widths from
64 to 512. OpenVINO computes networks of convolutions: it was faster than PyTorch and ONNX Runtime
at every size measured. Without OpenVINO PyTorch computes them, and without both NumPy. The number
format is float32 or bfloat16, whichever is faster, or int8 by OpenVINO. On an accelerator PyTorch
computes all networks (`torch_engines.py`). notes/networks.md has the measurements.
"""

import functools
import os
import time
from collections.abc import Callable
from typing import Literal, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from meeple.errors import NetworkError, UsageError
from meeple.extras import is_installed, need
from meeple.kernels.compile_process import usable_cores
from meeple.nets.architecture import Architecture, Weights
from meeple.nets.devices import CPU
from meeple.nets.graph import weight_shapes
from meeple.nets.numpy_engine import NumpyEngine

Array = NDArray[np.float32]  # of any shape
Logits = tuple[Array, Array | None]  # policy [B, A]; values [B, players], or None
Format = Literal["float32", "bfloat16", "float16", "int8"]  # of a network's numbers

BOTH = ("auto", "float32", "bfloat16")  # everywhere; "auto" is the faster one
FORMATS = (*BOTH, "int8")  # on the processor
DEVICE_FORMATS = (*BOTH, "float16")  # on an accelerator
ENGINES = ("auto", "openvino", "torch", "numpy")  # "auto" is the fastest that is installed
MIN_SPEEDUP = 1.1  # of bfloat16 over float32, to be chosen; it is less exact
TIMED_RUNS = 3  # of each format, of which the fastest counts


class Predictor:
    """A network as a function of NumPy arrays, for one thread at a time.

    Call `refresh` after the network's weights have changed; it takes up to 0.1 s.
    """

    def __init__(
        self,
        weights: Weights,
        format: str = "auto",
        *,
        batch: int = 64,
        engine: str = "auto",
        device: str = CPU,
    ) -> None:
        """Prepare the engine.

        Args:
            weights: of the network; of a network in training, `refresh` reads the current ones.
            format: number format; "auto" measures once per architecture, batch size and process;
                "float32" gives the same results in every run on a machine; "int8" is for towers
                by OpenVINO, and observations from 0 to 1.
            batch: the usual number of positions in a batch, which "auto" measures with. An
                accelerator splits larger batches.
            engine: of a network of convolutions on the processor: "openvino", "torch", "numpy", or
                "auto", the fastest that is installed.
            device: "cpu" or an accelerator, as `devices.choose_device` returns it.

        Raises:
            UsageError: the engine or the format is unknown, not installed, or they do not fit.
            MeepleError: the accelerator has too little memory.
        """
        architecture = weights.architecture
        formats = FORMATS if device == CPU else DEVICE_FORMATS
        for what, name, known in (("engine", engine, ENGINES), ("number format", format, formats)):
            if name not in known:
                raise UsageError(f"unknown {what} '{name}' (known: {', '.join(known)})")
        self.engine, self.device = engine_of(architecture, engine, device), device
        if format == "bfloat16" and self.engine == "numpy":
            what = "an mlp" if architecture.kind == "mlp" else "NumPy"
            raise UsageError(f"{what} computes only in float32; use format 'auto' or 'float32'")
        if format == "int8" and self.engine != "openvino":
            raise UsageError("format 'int8' needs OpenVINO and a network of convolutions")
        if format == "auto":
            format = fastest_format(architecture, batch, threads(), self.engine, device)
        self.format = cast(Format, format)
        self._compute = _make_engine(weights, self.engine, self.format, batch, device)

    def __call__(self, observations: Array, legal: NDArray[np.bool_]) -> tuple[Array, Array | None]:
        """Return policies and values of a batch of positions.

        Args:
            observations: [B, *observation_shape] float32.
            legal: [B, A] bool, the legal actions.

        Returns:
            Policy [B, A] float32: 0 for illegal actions, rows sum to 1 (or are 0 if no action is
            legal). Value [B, P] float32: shares of the win, rows sum to 1; None without a critic.

        Raises:
            NetworkError: the network's output is not finite.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # raised as NetworkError below
            policy_logits, value_logits = self._compute(observations)
        if not (_finite(policy_logits) and _finite(value_logits)):
            raise NetworkError
        policy = masked_policy(policy_logits, legal)
        return policy, None if value_logits is None else softmax(value_logits)

    def refresh(self) -> None:
        """Read the network's current weights."""
        self._compute.refresh()


def _finite(logits: Array | None) -> bool:
    return logits is None or bool(np.isfinite(logits).all())


def softmax(logits: Array) -> Array:
    """Return the probabilities [B, N] float32 of logits [B, N]."""
    weights: Array = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def masked_policy(logits: Array, legal: NDArray[np.bool_]) -> Array:
    """Return the softmax over all actions, with illegal ones set to 0 and rows renormalised.

    It is computed as the softmax over the legal actions. That is the same number, and stays
    accurate if an illegal action has nearly all the weight.

    Args:
        logits: [B, A] float32, finite.
        legal: [B, A] bool.

    Returns:
        [B, A] float32; a row sums to 1, or is 0 if no action is legal.
    """
    masked = np.where(legal, logits, -np.inf)
    top = masked.max(axis=1, keepdims=True)
    top[np.isneginf(top)] = 0.0  # a row without legal actions: exp(-inf - 0) = 0
    weights: Array = np.exp(masked - top)
    total = weights.sum(axis=1, keepdims=True)
    total[total == 0.0] = 1.0
    weights /= total
    return weights


# ---------------------------------------------------------------- engines


class Engine(Protocol):
    """Computes the logits of one network."""

    def __call__(self, observations: Array) -> Logits:
        """Return policy logits [B, A] and value logits [B, P] of [B, *observation_shape]."""

    def refresh(self) -> None:
        """Read the network's current weights."""


def threads() -> int:
    """Return the number of threads of an engine: OMP_NUM_THREADS, or one a core without it."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    return usable_cores()


def engine_of(architecture: Architecture, wanted: str = "auto", device: str = CPU) -> str:
    """Return the name of the engine for a network. Raises UsageError if it is not installed."""
    if device != CPU:
        return "torch"
    if architecture.kind == "mlp":
        return "numpy"
    if wanted == "auto":
        return next((name for name in ("openvino", "torch") if is_installed(name)), "numpy")
    if wanted != "numpy":
        need(wanted, f"the engine '{wanted}'")
    return wanted


def _make_engine(weights: Weights, engine: str, format: Format, batch: int, device: str) -> Engine:
    if device != CPU:
        from meeple.nets.torch_engines import DeviceEngine

        return DeviceEngine(weights, device=device, format=format, batch=batch)
    if engine == "numpy":
        return NumpyEngine(weights)
    if engine == "torch":
        from meeple.nets.torch_engines import TorchEngine

        return TorchEngine(weights, bfloat16=format == "bfloat16")
    from meeple.nets.openvino_engine import OpenVinoEngine

    assert format != "float16", "only accelerators compute in it"
    return OpenVinoEngine(weights, threads=threads(), format=format, batch=batch)


@functools.cache
def fastest_format(
    architecture: Architecture, batch: int, threads: int, engine: str = "torch", device: str = CPU
) -> Format:
    """Measure a random network of this architecture; `threads` is only a key of the cache."""
    if engine == "numpy":
        return "float32"
    rng = np.random.default_rng(0)
    tensors = {
        name: rng.normal(0, 0.05, shape).astype(np.float32)
        for name, shape in weight_shapes(architecture).items()
    }
    weights = Weights(architecture, tensors)
    shape = (batch, *architecture.observation_shape)
    observations = rng.random(shape, dtype=np.float32)
    return faster_format(
        lambda format: _seconds(_make_engine(weights, engine, format, batch, device), observations)
    )


def _seconds(compute: Callable[[Array], Logits], observations: Array) -> float:
    return fastest_run(lambda: compute(observations), warm_up=1)


def faster_format(seconds_of: Callable[[Format], float]) -> Format:
    """Return bfloat16 if it is faster than float32 by the factor `MIN_SPEEDUP`."""
    float32, bfloat16 = seconds_of("float32"), seconds_of("bfloat16")
    return "bfloat16" if bfloat16 * MIN_SPEEDUP < float32 else "float32"


def fastest_run(call: Callable[[], object], warm_up: int) -> float:
    """Return the seconds of the fastest of `TIMED_RUNS` calls, after some to warm up."""
    times = []
    for _ in range(warm_up + TIMED_RUNS):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times[warm_up:])
