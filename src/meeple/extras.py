"""What each extra of the installation brings, and the sentence where one is missing."""

import functools
import importlib.util

from meeple.errors import UsageError

EXTRAS = {
    "torch": ("learn", "PyTorch"),
    "tensorboard": ("learn", "TensorBoard"),
    "matplotlib": ("learn", "Matplotlib"),
    "openvino": ("openvino", "OpenVINO"),
}
"""By the name of a library: the extra that brings it, and how it is called."""


@functools.cache
def is_installed(library: str) -> bool:
    """Whether a library can be imported."""
    return importlib.util.find_spec(library) is not None


def need(library: str, what: str) -> None:
    """Raise UsageError where a library is not installed that `what` needs, such as "training"."""
    if not is_installed(library):
        extra, name = EXTRAS[library]
        raise UsageError(f"{what} needs {name}: pip install 'meeple[{extra}]'")
