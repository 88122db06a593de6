"""Optional dependencies: the extra that installs each, and the message if it is missing."""

import functools
import importlib.util

from meeple.errors import UsageError

EXTRAS = {
    "torch": ("PyTorch", "meeple[learn]"),
    "tensorboard": ("TensorBoard", "meeple[learn]"),
    "matplotlib": ("Matplotlib", "meeple[plot]"),
    "pandas": ("pandas", "meeple[notebook]"),
    "gymnasium": ("Gymnasium", "meeple[gym]"),
    "pettingzoo": ("PettingZoo", "meeple[gym]"),
    "catanatron": ("catanatron", "meeple[bench]"),
    "pyspiel": ("OpenSpiel", "meeple[bench]"),
    "openvino": ("OpenVINO", "meeple[openvino]"),
}
"""The display name of each optional library, and the extra to install."""


@functools.cache
def is_installed(library: str) -> bool:
    """Return whether a library can be imported."""
    return importlib.util.find_spec(library) is not None


def need(library: str, feature: str) -> None:
    """Raise UsageError if a library is missing that a feature needs, such as "training"."""
    if not is_installed(library):
        raise UsageError(install_hint(library, feature))


def install_hint(library: str, feature: str) -> str:
    """Return the sentence that says how to install a library that a feature needs."""
    name, package = EXTRAS[library]
    return f"{feature} needs {name}: pip install '{package}'"


def missing(error: ModuleNotFoundError, feature: str) -> ModuleNotFoundError | UsageError:
    """Return the error to raise where a feature's library cannot be imported."""
    if error.name not in EXTRAS:
        return error
    return UsageError(install_hint(error.name, feature))
