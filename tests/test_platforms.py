"""What can be tested of macOS and Windows on this machine: folders, names of files, imports."""

import ast
import re
from pathlib import Path, PureWindowsPath

import platformdirs.macos
import platformdirs.windows
import pytest

from meeple.kernels import cache
from meeple.server import settings

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "meeple"
POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]$')
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")


@pytest.mark.parametrize(
    ("system", "kernels", "games"),
    [
        (
            platformdirs.macos.MacOS,
            "/Users/ada/Library/Caches/meeple/kernels",
            "/Users/ada/Library/Application Support/meeple",
        ),
        (
            platformdirs.windows.Windows,
            "C:/Users/ada/AppData/Local/meeple/meeple/Cache/kernels",
            "C:/Users/ada/AppData/Local/meeple",
        ),
    ],
)
def test_the_folders_are_those_of_the_system(system, kernels, games, monkeypatch):
    monkeypatch.setenv("HOME", "/Users/ada")
    from_variables = platformdirs.windows.get_win_folder_from_env_vars
    monkeypatch.setattr(platformdirs.windows, "get_win_folder", from_variables)
    monkeypatch.setenv("LOCALAPPDATA", r"C:\Users\ada\AppData\Local")
    for name in ("MEEPLE_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(platformdirs, "PlatformDirs", system)
    windows = system is platformdirs.windows.Windows
    shape = PureWindowsPath if windows else Path
    assert shape(cache.cache_folder()).as_posix() == kernels
    assert shape(settings.usual_folder()).as_posix() == games


def top_imports(tree):
    """Return the imports at the top of a module that every system runs."""
    return [
        alias.name.partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
    ] + [
        str(node.module).partition(".")[0] for node in tree.body if isinstance(node, ast.ImportFrom)
    ]


def test_modules_that_windows_lacks_are_imported_where_they_are_needed():
    offenders = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if not POSIX_MODULES.isdisjoint(top_imports(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert not offenders


def test_every_file_has_a_name_that_windows_and_macos_can_store():
    files = [
        path.relative_to(ROOT)
        for folder in (
            "src",
            "docs",
            "configs",
            "examples",
            "notebooks",
            "tests",
            "bench",
            "plugins",
        )
        for path in (ROOT / folder).rglob("*")
        if "__pycache__" not in path.parts
    ]
    assert files
    assert [one for one in files if any(FORBIDDEN.search(part) for part in one.parts)] == []
    assert [one for one in files if any(RESERVED.match(part) for part in one.parts)] == []
    assert len({str(one).lower() for one in files}) == len(files)
    assert max(len(str(one)) for one in files) < 150
