"""Runs command lines as if some libraries were not installed.

`python tests/without.py torch,matplotlib solve hex` is `meeple solve hex` without these two.

Without a command line it reads orders from stdin, each a line with the JSON object {"words",
"folder", "input"}. Each runs in a fork of this process, which has imported Meeple already. Its
output goes to the files `stdout` and `stderr` of its folder, and the exit code is printed.
"""

import json
import os
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


def run_orders(main):
    """Run the command lines of stdin by `main`."""
    import meeple  # noqa: F401  # for all forks

    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            os.chdir(order["folder"])
            with open("stdin", "w") as file:
                file.write(order["input"])
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            for number, name in enumerate(("stdin", "stdout", "stderr")):
                os.dup2(os.open(name, flags if number else os.O_RDONLY), number)
            sys.stdin = os.fdopen(0)
            main(order["words"])  # which exits
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    Without.libraries = frozenset(sys.argv[1].split(","))
    sys.meta_path = [Without if finder is PathFinder else finder for finder in sys.meta_path]
    sys.path = [folder for folder in sys.path if not folder.endswith("tests")]
    from meeple.cli.main import main

    if len(sys.argv) > 2:
        main(sys.argv[2:])
    else:
        run_orders(main)
