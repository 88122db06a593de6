"""The device that computes a network: an accelerator that PyTorch sees, or the processor.

Devices have PyTorch's names: "cpu", "cuda:0", "cuda:1". PyTorch calls accelerators of NVIDIA
"cuda", and in its build for AMD those of AMD, too.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator

from meeple.errors import MeepleError
from meeple.extras import is_installed

CPU = "cpu"
AUTO = "auto"
DEVICE_PATTERN = r"auto|cpu|cuda(:[0-9]{1,3})?"  # of what `choose_device` takes


def accelerators() -> tuple[str, ...]:
    """Return the names of the accelerators that PyTorch sees, by number; () without PyTorch."""
    if not is_installed("torch"):
        return ()
    import torch

    if not torch.cuda.is_available():
        return ()
    return tuple(map(torch.cuda.get_device_name, range(torch.cuda.device_count())))


def choose_device(wanted: str, say: Callable[[str], None] = lambda sentence: None) -> str:
    """Return a device that works: "cpu", or "cuda:0" and so on.

    `wanted`: "auto" (the first accelerator, if there is one), "cpu", "cuda" or "cuda:1"; `say` gets
    a sentence if the processor replaces it.
    """
    found = accelerators()
    if wanted == CPU or (wanted == AUTO and not found):
        return CPU
    number = _number(wanted)
    if number >= len(found):
        seen = describe_accelerators()
        say(f"There is no accelerator {wanted} ({seen}): the processor is used instead")
        return CPU
    device = f"cuda:{number}"
    if problem := _problem(device):
        say(f"{found[number]} cannot be used ({problem}): the processor is used instead")
        return CPU
    return device


def name_of(device: str) -> str:
    """Return the name of a device for messages."""
    return "the processor" if device == CPU else accelerators()[_number(device)]


def describe_accelerators() -> str:
    """Return a clause that lists the accelerators."""
    found = accelerators()
    if not found:
        return "PyTorch sees none here"
    named = ", ".join(f"cuda:{number} {name}" for number, name in enumerate(found))
    return f"PyTorch sees {named}"


@contextlib.contextmanager
def report_full_memory(device: str) -> Iterator[None]:
    """Raise MeepleError with advice if the device runs out of memory inside the block."""
    try:
        yield
    except RuntimeError as error:
        import torch

        if not isinstance(error, torch.OutOfMemoryError):
            raise
        raise MeepleError(
            f"{name_of(device)} has too little free memory: end other programs that use it, play "
            "fewer games at once, train on smaller minibatches, or set device to cpu"
        ) from None


def _number(device: str) -> int:
    return int(device.partition(":")[2] or 0)


@functools.cache
def _problem(device: str) -> str:
    """Return why a present accelerator cannot compute, or "".

    It may be too old for this build of PyTorch, or reserved by another process.
    """
    import torch

    try:
        (torch.ones(2, device=device) * 2).sum().item()
    except RuntimeError as error:
        return str(error).partition("\n")[0] or "no reason given"
    return ""
