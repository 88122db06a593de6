"""Runs a command line as if some libraries were not installed.

`python tests/without.py torch,matplotlib solve hex` is `meeple solve hex` without these two.
"""

import sys
from importlib.machinery import PathFinder


class Without(PathFinder):
    """Finds all modules except those of some libraries."""

    libraries: frozenset[str] = frozenset()

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        if fullname.partition(".")[0] in cls.libraries:
            return None
        return super().find_spec(fullname, path, target)


if __name__ == "__main__":
    Without.libraries = frozenset(sys.argv[1].split(","))
    sys.meta_path = [Without if finder is PathFinder else finder for finder in sys.meta_path]
    sys.path = [folder for folder in sys.path if not folder.endswith("tests")]
    from meeple.cli.main import main

    main(sys.argv[2:])
