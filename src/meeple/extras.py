"""What each extra of the installation brings, and the sentence where one is missing."""

import functools
import importlib.util

from meeple.errors import UsageError

EXTRAS = {
    "torch": ("PyTorch", "meeple[learn]"),
    "tensorboard": ("TensorBoard", "meeple[learn]"),
    "matplotlib": ("Matplotlib", "meeple[plot]"),
    "catanatron": ("catanatron", "meeple[bench]"),
    "pyspiel": ("OpenSpiel", "meeple[bench]"),
    "openvino": ("OpenVINO", "meeple[openvino]"),
    "ray": ("Ray", "meeple[ray]"),
    "cryptography": ("cryptography", "meeple[oht]"),
}
"""By the name of a library: how it is called, and what to install."""


@functools.cache
def is_installed(library: str) -> bool:
    """Whether a library can be imported."""
    return importlib.util.find_spec(library) is not None


def need(library: str, what: str) -> None:
    """Raise UsageError where a library is not installed that `what` needs, such as "training"."""
    if not is_installed(library):
        raise UsageError(install_hint(library, what))


def install_hint(library: str, what: str) -> str:
    """The sentence where a library of an extra is missing."""
    name, package = EXTRAS[library]
    return f"{what} needs {name}: pip install '{package}'"
