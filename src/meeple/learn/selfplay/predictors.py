"""Predictors for the threads of self-play.

On the processor each thread has its own predictor. On an accelerator the threads share predictors
through `Batching`: the trees grow on the processor, while batches of their leaves are computed.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar

from meeple.learn.config import Config
from meeple.nets.architecture import Weights
from meeple.nets.batching import Batching, PolicyValueFunction
from meeple.nets.devices import AUTO, CPU, choose_device, name_of
from meeple.nets.inference import Format, Predictor, engine_of

F = TypeVar("F", bound=str)  # a number format, or "auto"
BATCHES_IN_FLIGHT = 2  # batches: one is computed while the next is gathered
MAX_BATCH_POSITIONS = 1024  # positions of a batch; more would only take more memory


def device_for(wanted: str, kind: str, say: Callable[[str], None] = lambda sentence: None) -> str:
    """Return the device of a `kind` of network; other arguments as of `choose_device`.

    With "auto", an mlp is computed on the CPU: that takes less time than a transfer to a device.
    """
    return CPU if wanted == AUTO and kind == "mlp" else choose_device(wanted, say)


def selfplay_format(config: Config, weights: Weights) -> Format:
    """Return the number format of self-play: the configured one if known, or the fastest one."""
    play = config.selfplay
    device = device_for(play.device, config.network.kind)
    wanted = known_format(play.format, weights, device)
    if wanted != "auto" and (wanted == "int8" or play.format != "int8"):
        return wanted
    batch = max(1, play.games // play.workers) * config.search.leaves
    if device != CPU:
        joined = -(-play.workers // BATCHES_IN_FLIGHT) * batch  # by `Batching`
        batch = min(MAX_BATCH_POSITIONS, joined)
    return Predictor(weights, batch=batch, device=device).format


@contextlib.contextmanager
def predictors_of(
    weights: Weights,
    format: Format,
    *,
    workers: int,
    device: str = CPU,
    positions: int = MAX_BATCH_POSITIONS,
) -> Iterator[Sequence[PolicyValueFunction]]:
    """Yield one network function for each thread of self-play.

    Args:
        weights: read again at each `refresh`.
        format: number format; float32 if the device does not support it.
        workers: number of threads.
        device: as `device_for` returns it.
        positions: maximum number of positions that all threads request at once.
    """
    format = known_format(format, weights, device)
    if device == CPU:
        yield [Predictor(weights, format) for _ in range(workers)]
        return
    batch = min(positions, MAX_BATCH_POSITIONS)
    lanes = min(workers, BATCHES_IN_FLIGHT)
    predictors = [Predictor(weights, format, batch=batch, device=device) for _ in range(lanes)]
    if workers == 1:
        yield predictors
        return
    with contextlib.closing(Batching(predictors, workers, batch)) as batching:
        yield [batching] * workers


def refresh_all(predictors: Sequence[PolicyValueFunction]) -> None:
    """Update all predictors to the network's weights; joined ones share one `refresh`."""
    for refresh in dict.fromkeys(predictor.refresh for predictor in predictors):
        refresh()


def known_format(format: F, weights: Weights, device: str) -> F | Literal["float32"]:
    """Return a number format, or float32 if the device does not know it."""
    engine = engine_of(weights.architecture, device=device)
    is_known = {
        "float16": device != CPU,
        "bfloat16": engine != "numpy",
        "int8": engine == "openvino",
    }
    return format if is_known.get(format, True) else "float32"


def words_of(device: str, format: str) -> str:
    """Return a sentence on the device and the format of self-play."""
    return f"Self-play asks the network on {name_of(device)}, in {format}"
