"""A latest-value cell: one thread publishes, other threads wait for a newer value."""

import threading
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class Published(NamedTuple, Generic[Value]):
    """A value and its number; a newer value has a higher number."""

    number: int
    value: Value


class Newest(Generic[Value]):
    """The published value with the highest number, whatever the order of publication."""

    def __init__(self, first: Value) -> None:
        """Start with the value `first`, with number -1."""
        self._latest = Published(-1, first)
        self._changed = threading.Condition()

    def tell(self, number: int, value: Value) -> None:
        """Publish a value; it is ignored unless its number is the highest."""
        with self._changed:
            if number > self._latest.number:
                self._latest = Published(number, value)
                self._changed.notify_all()

    def wait(
        self, wanted: Callable[[Published[Value]], bool], patience: float
    ) -> Published[Value] | None:
        """Return the newest value once `wanted` accepts it; None after `patience` seconds."""
        with self._changed:
            found = self._changed.wait_for(lambda: wanted(self._latest), patience)
            return self._latest if found else None
