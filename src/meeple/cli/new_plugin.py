"""`meeple new-plugin`: write a package that adds a game, an agent, a command and a page."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from packaging.version import Version

from meeple.agents.kinds import AGENTS
from meeple.cli.main import SUBCOMMANDS
from meeple.cli.shared.templates import TEMPLATES, filled, name_fields, write_templates
from meeple.errors import UsageError
from meeple.shell import command_line, shell_line

PACKAGE = TEMPLATES / "plugin"  # has the files of the package, but for its game
GAME = "src/meeple_@file@/game.py"


def new_plugin(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Of all that it adds, such as my-toys.")
    ],
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where its folder is made.")
    ] = Path(),
) -> None:
    """Write a package that adds a game, agent, command and page.

    The package is complete: install it, try it, and change it.
    """
    package = written_package(name, folder)
    print(f"wrote {package}")
    tries = (
        shell_line("pip", "install", "-e", package),
        command_line("plugins"),
        command_line(name),
        command_line("play", name, "--against", name),
    )
    print("\n  ".join(["\nTry it:", *tries]))


def written_package(name: str, folder: Path) -> Path:
    """Write the package into a new folder below `folder`, and return that.

    Raises:
        UsageError: the name is invalid or taken, or the folder exists.
    """
    fields = name_fields(name)
    for kind, names in (("an agent", AGENTS), ("a command", SUBCOMMANDS)):
        if name in names:
            raise UsageError(f"there is {kind} called {name} already")
    own = Version(version("meeple"))
    fields["versions"] = f">={own.major}.{own.minor},<{own.major}.{own.minor + 1}"
    fields["path"] = filled(GAME, fields)
    templates = {
        str(path.relative_to(PACKAGE).with_suffix("")): path for path in PACKAGE.rglob("*.txt")
    }
    package = folder / f"meeple-{name}"
    files = (templates | {GAME: TEMPLATES / "squares.py.txt"}).items()
    write_templates({package / filled(name, fields): path for name, path in files}, fields)
    return package
