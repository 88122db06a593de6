"""The settings of all tests, in core and plug-ins: those of `tests/settings.py`."""

import sys

from tests.roots import SYS_PATH

sys.path[:0] = [path for path in SYS_PATH if path not in sys.path]
pytest_plugins = ["tests.settings"]
