"""The folders from which the packages and tests of core and plug-ins are imported."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLUG_INS = tuple(sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml")))
PACKAGES = {  # the folder of each package
    "meeple": ROOT / "src" / "meeple",
    **{path.parent.name: path.parent for one in PLUG_INS for path in one.glob("src/*/__init__.py")},
}
SYS_PATH = tuple(str(path) for one in (ROOT, *PLUG_INS) for path in (one / "src", one))
"""Entries of `sys.path`; `tests` is one namespace, with folders in core and plug-ins."""
EXAMPLE_GAMES = {  # the files of examples that define a game
    path.stem: path
    for path in sorted((ROOT / "examples").rglob("*.py"))
    if "\nState = " in path.read_text()
}
