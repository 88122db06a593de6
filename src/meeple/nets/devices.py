"""Which device computes a network: an accelerator that PyTorch sees, or the processor.

Devices have PyTorch's names: "cpu", "cuda:0", "cuda:1". Accelerators are those that PyTorch calls
"cuda": of NVIDIA, and of AMD in its build for them.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator

from meeple.errors import MeepleError, UsageError
from meeple.extras import is_installed

CPU = "cpu"
AUTO = "auto"
WANTED = r"auto|cpu|cuda(:[0-9]{1,3})?"  # what may be asked for, as a pattern


def accelerators() -> tuple[str, ...]:
    """The names of the accelerators that PyTorch sees, by number; none without PyTorch."""
    if not is_installed("torch"):
        return ()
    import torch

    if not torch.cuda.is_available():
        return ()
    return tuple(map(torch.cuda.get_device_name, range(torch.cuda.device_count())))


def choose_device(wanted: str, say: Callable[[str], None] = lambda sentence: None) -> str:
    """The device that is meant: "cpu", or "cuda:0" and so on, which is there and answers.

    Args:
        wanted: "auto" (an accelerator where there is one), "cpu", "cuda" or "cuda:1".
        say: is told in one sentence where the processor takes the place of what was asked for.
    """
    found = accelerators()
    if wanted == CPU or (wanted == AUTO and not found):
        return CPU
    number = _number(wanted)
    if number >= len(found):
        say(f"There is no accelerator {wanted} ({what_is_there()}): the processor computes instead")
        return CPU
    device = f"cuda:{number}"
    if problem := _problem(device):
        say(f"{found[number]} cannot be used ({problem}): the processor computes instead")
        return CPU
    return device


def name_of(device: str) -> str:
    """What a device is called for people."""
    return "the processor" if device == CPU else accelerators()[_number(device)]


def what_is_there() -> str:
    """The accelerators in words, for a sentence."""
    found = accelerators()
    if not found:
        return "PyTorch sees none here"
    named = ", ".join(f"cuda:{number} {name}" for number, name in enumerate(found))
    return f"PyTorch sees {named}"


def devices_from(first: str, count: int) -> list[str]:
    """A device for each of so many processes: the processor for all, or one accelerator each.

    Raises UsageError where there are fewer accelerators from `first` on.
    """
    if first == CPU:
        return [CPU] * count
    number, have = _number(first), len(accelerators())
    if number + count > have:
        raise UsageError(
            f"{count} processes from {first} on need as many accelerators, and there "
            f"{'is' if have - number == 1 else 'are'} {have - number}: {what_is_there()}"
        )
    return [f"cuda:{number + process}" for process in range(count)]


@contextlib.contextmanager
def memory_told(device: str) -> Iterator[None]:
    """Work on a device. Raises MeepleError, a sentence, where its memory is full."""
    try:
        yield
    except RuntimeError as error:
        import torch

        if not isinstance(error, torch.OutOfMemoryError):
            raise
        raise MeepleError(
            f"{name_of(device)} has too little free memory: end what else runs there, play fewer "
            "games at once, learn from smaller minibatches, or set device to cpu"
        ) from None


def _number(device: str) -> int:
    return int(device.partition(":")[2] or 0)


@functools.cache
def _problem(device: str) -> str:
    """Why an accelerator that is there does not compute; "" where it does.

    It may be too old for this PyTorch, or taken by another process.
    """
    import torch

    try:
        (torch.ones(2, device=device) * 2).sum().item()
    except RuntimeError as error:
        return str(error).partition("\n")[0] or "no reason given"
    return ""
