"""What a process is told again and again in one thread, and waits for in others."""

import threading
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class Told(NamedTuple, Generic[Value]):
    """A value, and the number that it was told by: a newer one has a higher number."""

    number: int
    value: Value


class Newest(Generic[Value]):
    """The value with the highest number of all that were told, in whatever order they come."""

    def __init__(self, first: Value) -> None:
        """`first`: there from the beginning, by the number -1."""
        self._told = Told(-1, first)
        self._changed = threading.Condition()

    def tell(self, number: int, value: Value) -> None:
        """Hear of a value; one that is no newer is passed over."""
        with self._changed:
            if number > self._told.number:
                self._told = Told(number, value)
                self._changed.notify_all()

    def wait(self, wanted: Callable[[Told[Value]], bool], patience: float) -> Told[Value] | None:
        """The newest value as soon as it is one that is wanted; None after so many seconds."""
        with self._changed:
            found = self._changed.wait_for(lambda: wanted(self._told), patience)
            return self._told if found else None
