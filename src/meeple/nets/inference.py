"""Networks asked for policies and values in batches, as fast as this machine can.

A dense network runs as plain NumPy products, which were faster than PyTorch at every batch from 1
to 256 and every width from 64 to 512. A tower runs in OpenVINO where that is installed, which was
faster than PyTorch and ONNX Runtime at every size measured, else in PyTorch, and else in NumPy; in
float32 or bfloat16, whichever proves faster here: the processor may have instructions for bfloat16.
The figures are in docs/lab-notes.md. On an accelerator PyTorch computes every network, and the
number format is measured there (`device_engine.py`).
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
from meeple.nets.architecture import Architecture
from meeple.nets.devices import CPU
from meeple.nets.graph import weight_shapes
from meeple.nets.numpy_engine import NumpyEngine
from meeple.nets.policy import masked_policy, softmax
from meeple.nets.weights import Weights

Array = NDArray[np.float32]  # float32, of any shape
Logits = tuple[Array, Array | None]  # policy [N, A]; values [N, players], or None
Format = Literal["float32", "bfloat16", "float16"]  # of the numbers that a network computes with

FORMATS = ("auto", "float32", "bfloat16")  # that may be asked for; "auto" is the fastest here
DEVICE_FORMATS = (*FORMATS, "float16")  # that an accelerator knows; "auto" does not try the last
ENGINES = ("auto", "openvino", "torch", "numpy")  # that may be asked for
WORTH = 1.1  # bfloat16 is less exact, so it must be faster by this factor to be chosen
TIMED_RUNS = 3  # of each format, the best counts


class Predictor:
    """A network as a function of NumPy arrays, for one thread at a time.

    Call `refresh` after the network's weights have changed: it costs up to a tenth of a second.
    `format` "auto" measures once per architecture, batch size and process; "float32" makes results
    the same in every run on a machine.
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
        """What computes a network, and how.

        Args:
            weights: of the network; those of one in training are followed, see `refresh`.
            batch: the size of the batches to come, which "auto" measures with. On an accelerator
                larger ones are cut up.
            engine: of a tower on the processor: "openvino", "torch", "numpy", or "auto", the
                fastest of those that are installed.
            device: that `devices.choose_device` gave: "cpu", or an accelerator.
        """
        architecture = weights.architecture
        if engine not in ENGINES:
            raise UsageError(f"unknown engine '{engine}' (known: {', '.join(ENGINES)})")
        formats = FORMATS if device == CPU else DEVICE_FORMATS
        if format not in formats:
            raise UsageError(f"unknown number format '{format}' (known: {', '.join(formats)})")
        self.engine, self.device = engine_of(architecture, engine, device), device
        if format == "bfloat16" and self.engine == "numpy":
            what = "an mlp" if architecture.kind == "mlp" else "NumPy"
            raise UsageError(f"{what} computes in float32 alone; use format 'auto' or 'float32'")
        if format == "auto":
            format = fastest_format(architecture, batch, threads(), self.engine, device)
        self.format = cast(Format, format)
        self._forward = _forward(weights, self.engine, self.format, batch, device)

    def __call__(self, observations: Array, legal: NDArray[np.bool_]) -> tuple[Array, Array | None]:
        """Policies and values of a batch.

        Args:
            observations: [B, *observation_shape] float32.
            legal: [B, A] bool.

        Returns:
            Policy [B, A] float32, zero for illegal actions, rows summing to 1 (all zeros where
            nothing is legal); value [B, P] float32, rows of shares summing to 1, or None when the
            network has no critic.

        Raises NetworkError where the network's output is not finite.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # told below, in a sentence
            policy_logits, value_logits = self._forward(observations)
        if not (_finite(policy_logits) and _finite(value_logits)):
            raise NetworkError
        policy = masked_policy(policy_logits, legal)
        return policy, None if value_logits is None else softmax(value_logits)

    def refresh(self) -> None:
        """Take over the network's present weights."""
        self._forward.refresh()


def _finite(logits: Array | None) -> bool:
    return logits is None or bool(np.isfinite(logits).all())


class Forward(Protocol):
    """A network's logits from observations."""

    def __call__(self, observations: Array) -> Logits:
        """Logits of policy [B, A] and value [B, P], of observations [B, *observation_shape]."""
        ...

    def refresh(self) -> None:
        """Take over the network's present weights."""
        ...


def threads() -> int:
    """Threads that an engine computes on: OMP_NUM_THREADS says how many, or all cores are used."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    return usable_cores()


def engine_of(architecture: Architecture, wanted: str = "auto", device: str = CPU) -> str:
    """The engine that computes a network; UsageError where it is not installed."""
    if device != CPU:
        return "torch"
    return "numpy" if architecture.kind == "mlp" else _engine(wanted)


def _engine(wanted: str) -> str:
    """The engine of towers; UsageError where it is not installed."""
    if wanted == "auto":
        return next((name for name in ("openvino", "torch") if is_installed(name)), "numpy")
    if wanted != "numpy":
        need(wanted, f"the engine '{wanted}'")
    return wanted


def _forward(weights: Weights, engine: str, format: Format, batch: int, device: str) -> Forward:
    if device != CPU:
        from meeple.nets.device_engine import DeviceEngine

        return DeviceEngine(weights, device=device, format=format, batch=batch)
    if engine == "numpy":
        return NumpyEngine(weights)
    bfloat16 = format == "bfloat16"
    if engine == "torch":
        from meeple.nets.torch_engine import TorchEngine

        return TorchEngine(weights, bfloat16=bfloat16)
    from meeple.nets.openvino_engine import OpenVinoEngine

    return OpenVinoEngine(weights, threads=threads(), bfloat16=bfloat16)


@functools.cache
def fastest_format(
    architecture: Architecture, batch: int, threads: int, engine: str = "torch", device: str = CPU
) -> Format:
    """Measure a network of this architecture on a random batch; `threads` only keys the cache."""
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
    float32 = _seconds(_forward(weights, engine, "float32", batch, device), observations)
    bfloat16 = _seconds(_forward(weights, engine, "bfloat16", batch, device), observations)
    return "bfloat16" if bfloat16 * WORTH < float32 else "float32"


def _seconds(forward: Callable[[Array], Logits], observations: Array) -> float:
    """The shortest of a few runs, after one that warms up."""
    forward(observations)
    times = []
    for _ in range(TIMED_RUNS):
        started = time.perf_counter()
        forward(observations)
        times.append(time.perf_counter() - started)
    return min(times)
