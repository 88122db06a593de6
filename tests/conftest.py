"""Settings of all tests."""

from typing import Any

from hypothesis import settings

# No deadline: the first example may compile kernels. The same examples in every run.
settings.register_profile("meeple", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("meeple")

PRINTED = "printed"  # the property of a test whose figures the end of the run shows


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the figures that tests have recorded under that name."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == PRINTED:
                terminalreporter.write_line(str(value))
