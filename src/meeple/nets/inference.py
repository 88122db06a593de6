"""Networks asked for policies and values in batches, as fast as this machine can.

An mlp runs as plain NumPy products, which were faster than PyTorch at every batch from 1 to 256 and
every width from 64 to 512. A tower runs in OpenVINO where that is installed, which was faster than
PyTorch and ONNX Runtime at every size measured, and else in PyTorch; in float32 or bfloat16,
whichever proves faster here: the processor may have instructions for bfloat16. The figures are in
docs/results.md.
"""

import copy
import functools
import importlib.util
import time
from collections.abc import Callable
from typing import Literal, Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from torch import nn

from meeple.errors import NetworkError, UsageError
from meeple.nets.architecture import Activation, Architecture
from meeple.nets.network import ActorNetwork, Mlp
from meeple.nets.policy import masked_policy, softmax

Array = NDArray[np.float32]
Logits = tuple[Array, Array | None]
Format = Literal["float32", "bfloat16"]

FORMATS = ("auto", "float32", "bfloat16")
ENGINES = ("auto", "openvino", "torch")
WORTH = 1.1  # bfloat16 is less exact, so it must be faster by this factor to be chosen
TIMED_RUNS = 3


class Predictor:
    """A network as a function of NumPy arrays, for one thread at a time.

    Call `refresh` after the network's weights have changed: it costs up to a tenth of a second.
    `format` "auto" measures once per architecture, batch size and process; "float32" makes results
    the same in every run on a machine.
    """

    def __init__(
        self, network: ActorNetwork, format: str = "auto", *, batch: int = 64, engine: str = "auto"
    ) -> None:
        """What computes a network, and how.

        Args:
            batch: the size of the batches to come, which "auto" measures with.
            engine: of a tower: "openvino", "torch", or "auto", OpenVINO where it is installed.
        """
        architecture = network.architecture
        if engine not in ENGINES:
            raise UsageError(f"unknown engine '{engine}' (known: {', '.join(ENGINES)})")
        if format not in FORMATS:
            raise UsageError(f"unknown number format '{format}' (known: {', '.join(FORMATS)})")
        if format == "bfloat16" and architecture.kind == "mlp":
            raise UsageError("an mlp computes in float32 alone; use format 'auto' or 'float32'")
        chosen = _engine(engine)
        if format == "auto":
            format = fastest_format(architecture, batch, torch.get_num_threads(), chosen)
        self.network = network
        self.format = cast(Format, format)
        self.engine = "numpy" if architecture.kind == "mlp" else chosen
        self._forward: Forward = (
            _NumpyMlp(network)
            if architecture.kind == "mlp"
            else _tower(network, chosen, bfloat16=format == "bfloat16")
        )

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


@functools.cache
def _has_openvino() -> bool:
    return importlib.util.find_spec("openvino") is not None


def _engine(wanted: str) -> str:
    """The engine of towers; UsageError where it is not installed."""
    if wanted == "openvino" and not _has_openvino():
        raise UsageError("OpenVINO is not installed here: pip install openvino")
    if wanted == "auto":
        return "openvino" if _has_openvino() else "torch"
    return wanted


def _tower(network: ActorNetwork, engine: str, *, bfloat16: bool) -> Forward:
    if engine == "torch":
        return _TorchTower(network, bfloat16=bfloat16)
    from meeple.nets.openvino_engine import OpenVinoEngine

    return OpenVinoEngine(network, bfloat16=bfloat16)


@functools.cache
def fastest_format(
    architecture: Architecture, batch: int, threads: int, engine: str = "torch"
) -> Format:
    """Measure a network of this architecture on a random batch; `threads` only keys the cache."""
    if architecture.kind == "mlp":
        return "float32"
    network = ActorNetwork(architecture, seed=0)
    shape = (batch, *architecture.observation_shape)
    observations = np.random.default_rng(0).random(shape, dtype=np.float32)
    float32 = _seconds(_tower(network, engine, bfloat16=False), observations)
    bfloat16 = _seconds(_tower(network, engine, bfloat16=True), observations)
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


class _TorchTower:
    """A tower in PyTorch; in bfloat16, on a copy of the weights."""

    def __init__(self, network: ActorNetwork, *, bfloat16: bool) -> None:
        self._source = network
        self._dtype = torch.bfloat16 if bfloat16 else torch.float32
        self._network = copy.deepcopy(network).to(torch.bfloat16) if bfloat16 else network

    def __call__(self, observations: Array) -> Logits:
        with torch.inference_mode():
            planes = torch.from_numpy(np.ascontiguousarray(observations)).to(self._dtype)
            policy, value = self._network(planes)
            return policy.float().numpy(), None if value is None else value.float().numpy()

    def refresh(self) -> None:
        if self._network is not self._source:
            with torch.no_grad():
                pairs = zip(self._network.parameters(), self._source.parameters(), strict=True)
                for mine, theirs in pairs:
                    mine.copy_(theirs)


class _NumpyMlp:
    """An mlp's layers as NumPy views of the network's own weights."""

    def __init__(self, network: ActorNetwork) -> None:
        _one_blas_thread()
        self._body = cast(Mlp, network.body)
        self._size = network.architecture.observation_size
        self._activate = _ACTIVATIONS[network.architecture.activation]
        self.refresh()

    def __call__(self, observations: Array) -> Logits:
        x = observations.reshape(len(observations), self._size)
        for weights, bias in self._hidden:
            x = x @ weights
            x += bias
            self._activate(x)
        policy = x @ self._policy[0] + self._policy[1]
        return policy, None if self._value is None else x @ self._value[0] + self._value[1]

    def refresh(self) -> None:
        self._hidden = [_views(layer) for layer in self._body.hidden]
        self._policy = _views(self._body.policy)
        self._value = None if self._body.value is None else _views(self._body.value)


@functools.cache
def _one_blas_thread() -> None:
    """Let NumPy multiply on one thread, from now on in this process.

    A small network's products are too short to share. Where other work holds a core, threads that
    wait for each other there made self-play twenty times slower.
    """
    threadpool_limits(1, user_api="blas")


def _views(layer: nn.Module) -> tuple[Array, Array]:
    """Weights [inputs, outputs] and bias [outputs] of a dense layer, sharing its memory."""
    linear = cast(nn.Linear, layer)
    return linear.weight.detach().numpy().T, linear.bias.detach().numpy()


def _relu(x: Array) -> None:
    np.maximum(x, 0.0, out=x)


def _tanh(x: Array) -> None:
    np.tanh(x, out=x)


def _sigmoid(x: Array) -> None:
    # (1 + tanh(x / 2)) / 2 is the same function and cannot overflow.
    x *= 0.5
    np.tanh(x, out=x)
    x += 1.0
    x *= 0.5


def _linear(x: Array) -> None:
    """Leaves x as it is."""


_ACTIVATIONS: dict[Activation, Callable[[Array], None]] = {
    "linear": _linear,
    "sigmoid": _sigmoid,
    "tanh": _tanh,
    "relu": _relu,
}
