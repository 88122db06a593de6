"""Choose and run the tests that a change can reach: `make changed`.

A change is what differs from the merge base with main, committed or not. These test files run:

- in full: those that the change edits, or whose helpers it edits; those that import a changed
  module, themselves or by a helper, or read a changed file; the tests of a changed module's folder,
  and the files beside that folder;
- all but their slow tests: the other files that a path of imports, or of modules named in tables,
  leads to, and those that read all files of a changed folder. All of these tests
  take as long as `make quick`.

Whether a test reads a file is seen by the file's name or folder in its text.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import grimp

from tests.roots import PACKAGES, ROOT, SYS_PATH

ROOTS = ("src/meeple", "tests", "bench", "docs", "plugins/*/src/*", "plugins/*/tests")
"""The folders of the packages whose imports are followed."""

BROWSED = {"static": {"browser", "desks"}}
"""Folders whose files a browser loads, and the fixtures of the tests that start one."""

NAMED = re.compile(r"""(-m",\s*)?["']((?:meeple\w*|bench)(?:\.\w+)*)(\.\{)?""")
"""A module that is named in a string, or the package of one whose name is computed."""

SETTINGS = "tests.settings"  # of all tests, as if each imported it
QUOTED = re.compile(r"""["']([\w./*-]+)["']""")
NOTHING_COLLECTED = 5  # exit code of pytest


class Choice(NamedTuple):
    """The test files that run in full, each with the reason, and those whose slow tests do not."""

    full: dict[str, str]
    quick: list[str]


class Tree:
    """The modules of a checkout, what they import, name and read."""

    def __init__(self, root: Path, graph: grimp.ImportGraph) -> None:
        self.root, self.graph = root, graph
        self.files: dict[str, str] = {}  # the file of each module
        for package in (found for pattern in ROOTS for found in sorted(root.glob(pattern))):
            for path in sorted(package.rglob("*.py")):
                parts = path.relative_to(package.parent).with_suffix("").parts
                module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                self.files[module] = str(path.relative_to(root))
        self.texts = {name: (root / file).read_text() for name, file in self.files.items()}
        self.tests = [name for name in self.files if name.rpartition(".")[2].startswith("test_")]

    @cached_property
    def arrows(self) -> dict[str, set[str]]:
        """The modules that each module imports or names; a test has the conftests above it."""
        return {
            name: self.imported(name) | set(self._named(name)) | set(self._conftests(name))
            for name in self.files
        }

    def imported(self, module: str) -> set[str]:
        known = module in self.graph.modules
        return set(self.graph.find_modules_directly_imported_by(module)) if known else set()

    def _named(self, module: str) -> Iterator[str]:
        for runs, name, computed in NAMED.findall(self.texts[module]):
            if computed:
                yield from (other for other in self.files if other.startswith(f"{name}."))
            elif f"{name}.__main__" in self.files:
                yield from [f"{name}.__main__"] if runs else []
            while name and name not in self.files:
                name = name.rpartition(".")[0]
            if "." in name and name != module:
                yield name

    def _conftests(self, module: str) -> Iterator[str]:
        folders = module.split(".")[:-1]
        if folders[:1] == ["tests"]:
            above = range(1, len(folders) + 1)
            names = [SETTINGS, *(".".join([*folders[:count], "conftest"]) for count in above)]
            yield from (name for name in names if name in self.files)

    def reached(self, modules: Iterable[str]) -> set[str]:
        """Return the modules from which a path of arrows leads to one of `modules`."""
        back: dict[str, set[str]] = {}
        for name, others in self.arrows.items():
            for other in others:
                back.setdefault(other, set()).add(name)
        found, new = set(), set(modules)
        while new:
            found |= new
            new = {other for name in new for other in back.get(name, ())} - found
        return found

    def own(self, test: str) -> set[str]:
        """Return a test's module, its helpers and the modules that these import."""
        found, new = set(), {test}
        while new:
            found |= new
            inside = {name for name in new if name.startswith("tests.")}
            new = {other for name in inside for other in self.imported(name)} - found
        return found

    @cached_property
    def words(self) -> dict[str, set[str]]:
        """The last parts of all paths and names in each module's strings."""
        texts = {name: text.replace('" / "', "/") for name, text in self.texts.items()}
        return {
            name: {path.rpartition("/")[2] for path in QUOTED.findall(text)}
            for name, text in texts.items()
        }

    def readers(self, file: str) -> set[str]:
        """Return the modules that name a file or its folder, and the tests that browse it."""
        names = self.folders(file) | {Path(file).name}
        return {name for name in self.files if self.words[name] & names} | self.browsing(file)

    def browsing(self, file: str) -> set[str]:
        """Return the tests with a browser that loads a file: those of its subject, or all."""
        fixtures = {name for folder in self.folders(file) for name in BROWSED.get(folder, ())}
        tests = {name for name in self.tests if fixtures and uses(self.texts[name], fixtures)}
        subject = {Path(file).stem, Path(file).parent.name}
        return {name for name in tests if subject & set(re.split(r"[._]", name))} or tests

    def folders(self, file: str) -> set[str]:
        """Return the two outermost folders of a file that are no packages of Python."""
        above = [
            one for one in reversed(Path(file).parents) if one.name not in ("", "src", "tests")
        ]
        plain = [one.name for one in above if not (self.root / one / "__init__.py").exists()]
        return set(plain[:2])


def choose(tree: Tree, changed: Iterable[str]) -> Choice:
    """Return the test files that run for these changed files."""
    modules = {name for name, file in tree.files.items() if file in set(changed)}
    inside = {file for name, file in tree.files.items() if name.startswith(("meeple", "tests"))}
    read = sorted(set(changed) - inside)
    full: dict[str, str] = {}
    readers = {file: tree.readers(file) for file in read}
    for test in tree.tests:
        if reason := _reason(tree, test, modules, readers):
            full[tree.files[test]] = reason
    tops = {Path(file).parts[0] for file in changed}
    quick = tree.reached(modules) & set(tree.tests)
    for test in tree.tests:
        read_tops = any(tree.words[name] & tops for name in _helpers(tree, test))
        if read_tops or any(tree.own(test) & names for names in readers.values()):
            quick.add(test)
    return Choice(full, sorted({tree.files[test] for test in quick} - set(full)))


def _helpers(tree: Tree, test: str) -> set[str]:
    return {name for name in tree.own(test) if name.startswith("tests.") and name in tree.files}


def _reason(tree: Tree, test: str, modules: set[str], readers: dict[str, set[str]]) -> str:
    """Return why a test file runs in full; "" if it does not."""
    if touched := sorted((tree.own(test) | set(tree._conftests(test))) & modules):
        return "changed" if touched[0] == test else f"imports {touched[0]}"
    if beside := next((name for name in sorted(modules) if _tests(tree, test, name)), None):
        return f"in or beside the tests of {beside}"
    helpers = _helpers(tree, test)
    return next((f"reads {file}" for file, names in readers.items() if helpers & names), "")


def _tests(tree: Tree, test: str, module: str) -> bool:
    """Return whether a test is in the tests of a module's folder, or beside them."""
    if module.startswith("tests."):
        return False
    folders = re.sub(r"^meeple[._]", "", module).split(".")
    mirrored = test.split(".")[1:-1]
    if len(folders) == 1 or not mirrored:
        return test.rpartition(".")[2] == f"test_{folders[-1]}"
    shared = len(mirrored) <= len(folders) and mirrored == folders[: len(mirrored)]
    return shared or _below(tree, test, folders[:-1])


def _below(tree: Tree, test: str, folders: list[str]) -> bool:
    """Return whether a test is below the tests' folder that is nearest to these folders."""
    while folders:
        above = ".".join(["tests", *folders, ""])
        if any(name.startswith(above) for name in tree.files):
            return test.startswith(above)
        folders = folders[:-1]
    return False


# ------------------------------------------------------------------------------- the command


def changed_files(root: Path) -> list[str]:
    """Return the files that differ from the merge base with main, and those not under version
    control.
    """

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
        return done.stdout.split("\n")[:-1]

    branches = git("branch", "--all", "--format=%(refname:short)")
    main = next((name for name in ("origin/main", "main") if name in branches), "HEAD")
    (base,) = git("merge-base", "HEAD", main)
    found = git("diff", "--name-only", "--no-renames", base)
    return sorted({*found, *git("ls-files", "--others", "--exclude-standard")})


def report(tree: Tree, changed: list[str], choice: Choice) -> str:
    """Return which rooms run, how many files of each, and the most frequent reason."""
    full = Counter(_room(file) for file in choice.full)
    part = Counter(_room(file) for file in choice.quick)
    lines = [f"changed files: {len(changed)}", "in full  without slow tests"]
    for room in sorted({*full, *part}):
        reasons = Counter(why for file, why in choice.full.items() if _room(file) == room)
        why = "; ".join(f"{count} {reason}" for reason, count in reasons.most_common(2))
        lines.append(f"{full[room]:7} {part[room]:7}  {room:26} {why}".rstrip())
    lines.append(f"{full.total():7} {part.total():7}  of {len(tree.tests)} test files")
    if full.total() + part.total() == len(tree.tests):
        lines.append("The change reaches every test file; `make test` runs them all in full.")
    return "\n".join(lines)


def _room(file: str) -> str:
    return "/".join(Path(file).parts[:2])


def uses(text: str, fixtures: Iterable[str]) -> bool:
    """Return whether a function of a test file has one of these fixtures."""
    names = "|".join(fixtures)
    return re.search(rf"(def \w+|usefixtures)\([^)]*\b({names})\b", text) is not None


def main() -> int:
    """Choose the tests, say why, and run them; the arguments are pytest's."""
    parser = argparse.ArgumentParser(description="Run the tests that a change can reach.")
    parser.add_argument("--list", action="store_true", help="list the files and run nothing")
    options, pytest = parser.parse_known_args()
    sys.path[:0] = SYS_PATH
    packages = (*PACKAGES, "tests", "bench", "docs")
    tree = Tree(ROOT, grimp.build_graph(*packages, cache_dir=None))
    changed = changed_files(ROOT)
    choice = choose(tree, changed)
    print(report(tree, changed, choice), flush=True)
    if options.list:
        print(*sorted(choice.full), *choice.quick, sep="\n")
        return 0
    worst = 0
    for words, files in (([], sorted(choice.full)), (["-m", "not slow"], choice.quick)):
        if files:
            command = [sys.executable, "-m", "pytest", *pytest, *words, *files]
            code = subprocess.run(command, cwd=ROOT, check=False).returncode
            worst = max(worst, 0 if code == NOTHING_COLLECTED else code)
    return worst


if __name__ == "__main__":
    sys.exit(main())
