"""Mutation testing: `make mutants` runs this; see docs/testing.md.

    python -m bench.mutants [TARGET...] [--workers N] [--every K] [--fresh]

The targets and their tests are in mutants.toml. Every mutant of a target is put into a copy of the
tree, and the target's tests run on it, with kernels as plain Python, in a fork of this process,
which has loaded the libraries but nothing of Meeple. The results are saved in build/mutants, a JSON
file for each target: an interrupted run resumes, and survivors are tried again once a test has
changed. `--every K` tries each K-th mutant only; `--fresh` deletes earlier results.
"""

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.mutation import Mutant, mutants_of
from tests.roots import ROOT, SYS_PATH

RESULTS = ROOT / "build" / "mutants"
COPIED = (
    *("src", "plugins", "tests", "configs", "examples", "docs"),
    *("conftest.py", "pyproject.toml", "README.md", "Makefile"),
)
LIBRARIES = ("numpy", "numba", "torch", "pydantic", "hypothesis", "pytest", "fastapi.testclient")
ENVIRONMENT = {
    "NUMBA_DISABLE_JIT": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "OMP_NUM_THREADS": "1",
    "MEEPLE_QUIET": "1",
    "MPLBACKEND": "Agg",
}
CAUGHT, TIMEOUT, SURVIVED = "caught", "timeout", "survived"
_PASSED, _FAILED, _INTERRUPTED = 0, 1, 2  # exit codes of pytest; 2: a file could not be imported
_SLACK = 3.0  # seconds, beyond which (and a multiple of the usual time) a mutant counts as endless


@dataclass(frozen=True)
class MutantTarget:
    """A file to mutate, and the tests that must detect it."""

    name: str
    file: str
    tests: list[str]
    without: list[str]

    def arguments(self) -> list[str]:
        chosen = ["-k", f"not ({' or '.join(self.without)})"] if self.without else []
        plugins = ("no:cacheprovider", "timeout", "anyio")  # `pyproject.toml` has a time limit
        given = [word for name in plugins for word in ("-p", name)]
        given += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # they are imported before
        return ["-x", "-q", *given, "--tb=no", *chosen, *self.tests]


def targets() -> dict[str, MutantTarget]:
    """Return the targets of mutants.toml by name."""
    data = tomllib.loads((ROOT / "bench" / "mutants.toml").read_text(encoding="utf-8"))
    return {name: MutantTarget(name, **{"without": [], **entry}) for name, entry in data.items()}


# ---------------------------------------------------------------- running tests on a tree


class TreeCopy:
    """A copy of the files that tests need, in which one file can be replaced."""

    def __init__(self, folder: Path, target: MutantTarget) -> None:
        self.folder, self.target = folder, target
        for name in COPIED:
            place = ROOT / name
            copied = shutil.copytree if place.is_dir() else shutil.copy2
            copied(place, folder / name)

    def start(self, source: str) -> int:
        """Start the target's tests with another content of its file; return the process."""
        path = self.folder / self.target.file
        path.write_text(source, encoding="utf-8")
        for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            stale.unlink()
        process = os.fork()
        if process == 0:
            os.setsid()  # so that what it starts ends with it
            self._test()
        return process

    def _test(self) -> None:
        """In the fork: run the tests, and exit with pytest's code."""
        code = 3
        try:
            os.chdir(self.folder)
            ours = {"", *SYS_PATH}
            paths = [str(self.folder / Path(path).relative_to(ROOT)) for path in SYS_PATH]
            sys.path[:] = paths + [path for path in sys.path if path not in ours]
            os.environ["PYTHONPATH"] = os.pathsep.join(paths)
            for name in [one for one in sys.modules if one.partition(".")[0] in ("bench", "tests")]:
                del sys.modules[name]  # the copy's own say where the packages are
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nothing, stream)
            import pytest

            code = int(pytest.main(self.target.arguments()))
        finally:
            os._exit(code)


def wait(process: int, seconds: float) -> int | None:
    """Return the exit code of a process, or None if it took longer and was killed."""
    deadline = time.monotonic() + seconds
    while True:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            end(process)
            return None
        time.sleep(0.01)


def end(process: int) -> None:
    """Kill a process that was started here, with its descendants."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(process, 0)


def time_of(tree: TreeCopy, source: str) -> float:
    """Return the seconds of the tests without a mutant. Raises an error if they fail."""
    if wait(tree.start("raise SystemError"), 600) == _PASSED:
        sys.exit(f"{tree.target.name}: its tests pass without its file")
    for _ in range(2):  # the first writes bytecode
        began = time.monotonic()
        code = wait(tree.start(source), 600)
        if code != _PASSED:
            sys.exit(f"{tree.target.name}: pytest {tree.target.arguments()} fails, code {code}")
    return time.monotonic() - began


# ---------------------------------------------------------------- a target's mutants


class MutantFindings:
    """The results of the mutants of a target so far, saved in a file."""

    def __init__(self, target: MutantTarget, source: str, every: int, fresh: bool) -> None:
        self.path, self.source = RESULTS / f"{target.name}.json", source
        self.stamps = {"file": _stamp(source), "tests": _stamp(*_texts_of_tests(target))}
        self.mutants = mutants_of(source)[::every]
        self.outcomes: dict[str, str] = {}
        if self.path.exists() and not fresh:
            self._go_on(json.loads(self.path.read_text(encoding="utf-8")))

    def _go_on(self, kept: dict[str, dict[str, str]]) -> None:
        if kept["stamps"]["file"] != self.stamps["file"]:
            return
        same = kept["stamps"]["tests"] == self.stamps["tests"]
        outcomes = kept["outcomes"].items()
        self.outcomes = {key: found for key, found in outcomes if same or found != SURVIVED}

    def keep(self, mutant: Mutant, outcome: str) -> None:
        self.outcomes[_key(mutant)] = outcome
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"stamps": self.stamps, "outcomes": self.outcomes}, indent=1)
        new = self.path.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(self.path)

    def waiting(self) -> list[Mutant]:
        return [mutant for mutant in self.mutants if _key(mutant) not in self.outcomes]

    def survivors(self) -> list[Mutant]:
        return [m for m in self.mutants if self.outcomes.get(_key(m)) == SURVIVED]

    def summary(self) -> str:
        count = Counter(self.outcomes.values())
        caught, tried = count[CAUGHT] + count[TIMEOUT], len(self.outcomes)
        name = self.path.stem
        return f"{name:16} {tried:5} tried {caught:5} caught {caught / max(tried, 1):6.1%}"


def _key(mutant: Mutant) -> str:
    return f"{mutant} #{_stamp(mutant.source)[:8]}"


def _stamp(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _texts_of_tests(target: MutantTarget) -> list[str]:
    files = [ROOT / test.partition("::")[0] for test in target.tests]
    return [str(target.arguments()), *(file.read_text(encoding="utf-8") for file in files)]


def try_all(target: MutantTarget, workers: int, every: int, fresh: bool) -> MutantFindings:
    """Run a target's tests on every mutant without a result, several at once."""
    source = (ROOT / target.file).read_text(encoding="utf-8")
    findings = MutantFindings(target, source, every, fresh)
    waiting = findings.waiting()
    if not waiting:
        return findings
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        idle = []
        for worker in range(min(workers, len(waiting))):
            folder = Path(name) / str(worker)
            folder.mkdir()
            idle.append(TreeCopy(folder, target))
        seconds = time_of(idle[0], source)
        print(f"{target.name}: {len(waiting)} mutants, {seconds:.1f} s of tests", flush=True)
        _run(findings, waiting, idle, _SLACK + _SLACK * seconds)
    return findings


def _run(
    findings: MutantFindings, waiting: list[Mutant], idle: list[TreeCopy], limit: float
) -> None:
    """Try mutants in the idle trees until all have a result."""
    running: dict[int, tuple[Mutant, TreeCopy, float]] = {}
    queue = iter(waiting)
    try:
        while True:
            while idle and (mutant := next(queue, None)):
                tree = idle.pop()
                running[tree.start(mutant.source)] = mutant, tree, time.monotonic() + limit
            if not running:
                return
            time.sleep(0.01)
            for process, (mutant, tree, deadline) in list(running.items()):
                code = wait(process, 0) if time.monotonic() > deadline else _code_of(process)
                if code is None and time.monotonic() <= deadline:
                    continue
                del running[process]
                idle.append(tree)
                outcome = {None: TIMEOUT, _PASSED: SURVIVED}.get(code, CAUGHT)
                findings.keep(mutant, outcome)
                if outcome == SURVIVED:
                    print(f"  survived: {mutant}", flush=True)
                if not len(findings.waiting()) % 10:
                    print(f"{findings.summary()} of {len(findings.mutants)}", flush=True)
    finally:
        for process in running:
            end(process)


def _code_of(process: int) -> int | None:
    """Return the exit code of a process that has ended, or None."""
    found, status = os.waitpid(process, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def main() -> None:
    known = targets()
    parser = argparse.ArgumentParser(description="Mutate files, and see whether tests notice.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(known)}")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="try each K-th mutant alone")
    parser.add_argument("--fresh", action="store_true", help="forget what was found before")
    asked = parser.parse_args()
    wrong = set(asked.targets) - set(known)
    if wrong:
        parser.error(f"no target {', '.join(sorted(wrong))}: it is one of {', '.join(known)}")
    os.environ.update(ENVIRONMENT)
    for library in LIBRARIES:
        importlib.import_module(library)
    for name in asked.targets or known:
        findings = try_all(known[name], asked.workers, asked.every, asked.fresh)
        print(f"{findings.summary()}, of {len(mutants_of(findings.source))} there are")
        for mutant in findings.survivors():
            print(f"  survived: {mutant}")


if __name__ == "__main__":
    main()
