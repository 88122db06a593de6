"""Settings of all tests."""

from hypothesis import settings

# No deadline: the first example may compile kernels. The same examples in every run.
settings.register_profile("meeple", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("meeple")
