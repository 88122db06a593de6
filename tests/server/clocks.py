"""A clock that tests advance by hand."""


class Clock:
    """A clock in seconds with an arbitrary origin."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now
