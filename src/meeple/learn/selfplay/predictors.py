"""What computes the network for the threads of self-play.

On the processor each thread has a predictor of its own. On an accelerator they ask together: the
trees grow on the processor's threads, while batches of their leaves are computed.
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
    """The device for a network of a kind, as `choose_device` finds it.

    An mlp stays on the processor unless an accelerator is asked for by name: it is computed there
    in less time than a question takes on its way.
    """
    return CPU if wanted == AUTO and kind == "mlp" else choose_device(wanted, say)


def selfplay_format(config: Config, weights: Weights) -> Format:
    """The number format of self-play: what is wanted and known there, or what is measured."""
    play = config.selfplay
    device = device_for(play.device, config.network.kind)
    wanted = known_format(play.format, weights, device)
    if wanted != "auto":
        return wanted
    batch = max(1, play.games // play.workers) * config.search.leaves
    if device != CPU:
        batch = min(
            MAX_BATCH_POSITIONS, -(-play.workers // BATCHES_IN_FLIGHT) * batch
        )  # what is gathered: `Batching`
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
    most = min(positions, MAX_BATCH_POSITIONS)
    lanes = min(workers, BATCHES_IN_FLIGHT)
    predictors = [Predictor(weights, format, batch=most, device=device) for _ in range(lanes)]
    if workers == 1:
        yield predictors
        return
    with contextlib.closing(Batching(predictors, workers, most)) as batching:
        yield batching.clients


def refresh_all(predictors: Sequence[PolicyValueFunction]) -> None:
    """Have all follow the network; those that ask together have one and the same `refresh`."""
    for refresh in dict.fromkeys(predictor.refresh for predictor in predictors):
        refresh()


def known_format(format: F, weights: Weights, device: str) -> F | Literal["float32"]:
    """A number format where the device knows it, and else float32: a run may go on elsewhere."""
    if device == CPU and format == "float16":
        return "float32"
    if device == CPU and format == "bfloat16" and engine_of(weights.architecture) == "numpy":
        return "float32"
    return format


def saying_once(say: Callable[[str], None]) -> Callable[[str], None]:
    """Says each sentence once."""
    said: set[str] = set()

    def say_new(sentence: str) -> None:
        if sentence not in said:
            said.add(sentence)
            say(sentence)

    return say_new


def words_of(device: str, format: str) -> str:
    """Where the network of self-play is computed, as a sentence."""
    return f"Self-play asks the network on {name_of(device)}, in {format}"
