"""Parameters of which `make quick` tries a few and `make test` all."""

from collections.abc import Iterable
from typing import Any

import pytest


def few_quick(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """Return the values as parameters; tests of those after the first `quick` are slow."""
    return [
        pytest.param(value, marks=[pytest.mark.slow] if place >= quick else [])
        for place, value in enumerate(values)
    ]
