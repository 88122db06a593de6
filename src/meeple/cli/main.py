"""The command `meeple`: the table of its subcommands, and the handling of errors.

A subcommand is implemented in the file that the table names, which is imported when it is called.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import sys
import traceback
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from meeple.cli.shared.streams import drop_output, prepare_streams
from meeple.errors import MeepleError, Stopped, UsageError, did_you_mean
from meeple.extras import EXTRAS, install_hint
from meeple.plugins import PlugInTable

if TYPE_CHECKING:
    from collections.abc import Sequence

FAILED, WRONG_USAGE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141
"""Exit codes other than 0; the last two are those of shells for SIGINT and SIGPIPE."""


class Subcommand(NamedTuple):
    """A subcommand: its "module:function" or "module:app", and its line and group in the help.

    The function is a typer command whose docstring begins with the same line of help; an app has
    its own subcommands.
    """

    target: str
    help: str
    group: str


PLAY, COMPARE, LEARN, SERVE, TOOLS = "Play", "Compare", "Learn", "Serve", "Tools"
"""The groups of the help."""

OWN_SUBCOMMANDS: dict[str, Subcommand] = {
    "games": Subcommand("meeple.cli.games:games", "List the games and their options.", PLAY),
    "play": Subcommand(
        "meeple.cli.play:play", "Play a game in the terminal, against agents or other people.", PLAY
    ),
    "watch": Subcommand(
        "meeple.cli.watch:watch", "Watch agents play, or replay a recorded game.", PLAY
    ),
    "match": Subcommand(
        "meeple.cli.match:match", "Play a match between agents, in rotated seats.", COMPARE
    ),
    "tournament": Subcommand(
        "meeple.cli.tournament:tournament",
        "Play a tournament between agents, and rate them.",
        COMPARE,
    ),
    "ladder": Subcommand(
        "meeple.cli.ladder:ladder", "Rate a game's built-in agents on one scale.", COMPARE
    ),
    "nets": Subcommand(
        "meeple.cli.nets:nets", "List the networks that ship, or describe one.", COMPARE
    ),
    "topp": Subcommand(
        "meeple.cli.train.topp:topp",
        "Let the networks of a run play each other, and rate them.",
        COMPARE,
    ),
    "train": Subcommand(
        "meeple.cli.train.command:train", "Train a network on a game, or resume a run.", LEARN
    ),
    "runs": Subcommand("meeple.cli.train.runs:runs", "Show the progress of training runs.", LEARN),
    "demo": Subcommand(
        "meeple.cli.train.demo:demo",
        "Learn Hex 5x5 in minutes, and see its generations compete.",
        LEARN,
    ),
    "tensorboard": Subcommand(
        "meeple.cli.train.tensorboard:tensorboard", "Write a run's figures for TensorBoard.", LEARN
    ),
    "qtable": Subcommand(
        "meeple.cli.qtable:qtable",
        "Learn a Q-table from searches, which later searches start from.",
        LEARN,
    ),
    "import": Subcommand(
        "meeple.cli.import_:import_", "Import a network of another program.", LEARN
    ),
    "serve": Subcommand("meeple.cli.serve:serve", "Play, watch and analyse in the browser.", SERVE),
    "engine": Subcommand(
        "meeple.cli.engine:engine",
        "Run an agent as an engine for other programs, by a protocol.",
        SERVE,
    ),
    "puzzles": Subcommand(
        "meeple.cli.puzzles:puzzles_",
        "Make puzzles from recorded games.",
        SERVE,
    ),
    "new-game": Subcommand(
        "meeple.cli.new_game:new_game",
        "Write a small game to change, its test and a configuration.",
        TOOLS,
    ),
    "new-plugin": Subcommand(
        "meeple.cli.new_plugin:new_plugin",
        "Write a package that adds a game, an agent, a command and a page.",
        TOOLS,
    ),
    "check": Subcommand(
        "meeple.cli.check:check", "Look for mistakes in the rules of a game.", TOOLS
    ),
    "solve": Subcommand(
        "meeple.cli.solve.command:solve",
        "Find a position's exact value and all winning moves.",
        TOOLS,
    ),
    "convert": Subcommand(
        "meeple.cli.convert:convert", "Write recorded games in another format.", TOOLS
    ),
    "explore": Subcommand(
        "meeple.cli.explore:explore", "Count the moves from a position in recorded games.", TOOLS
    ),
    "plugins": Subcommand(
        "meeple.cli.plugins:plugins",
        "List what installed packages add to Meeple, and what failed.",
        TOOLS,
    ),
    "warmup": Subcommand(
        "meeple.cli.warmup:warmup", "Compile every game and search once, into the cache.", TOOLS
    ),
    "info": Subcommand(
        "meeple.cli.info:info", "Show versions, machine, cache, games and networks.", TOOLS
    ),
}
"""The subcommands of Meeple itself by name, in the order of the help."""

SUBCOMMANDS = PlugInTable("commands", Subcommand, OWN_SUBCOMMANDS)
"""Every subcommand by name: first Meeple's own, then those of plug-ins."""


class LazyGroup(TyperGroup):
    """A group that imports a subcommand only when that one is called, never to list it."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, subcommand in SUBCOMMANDS.items():
            self.add_command(
                TyperCommand(
                    name, help=subcommand.help, rich_help_panel=subcommand.group, callback=None
                )
            )

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import and return the command that `args` begins with; `UsageError` if there is none."""
        name, *rest = args
        if name not in SUBCOMMANDS:
            known = f"there are {', '.join(SUBCOMMANDS)}, and plug-ins add more."
            allowed = did_you_mean(name, SUBCOMMANDS) or known
            raise UsageError(f"Meeple has no subcommand {name!r}; {allowed}")
        return name, load(name), rest


def load(name: str) -> Any:
    """Import the subcommand `name` and return it as a command that can be invoked."""
    found = SUBCOMMANDS.target(name)
    if isinstance(found, typer.Typer):
        return get_command(found)
    app = typer.Typer(add_completion=False)
    app.command(name)(found)
    return get_command(app)


app = typer.Typer(cls=LazyGroup)
CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EBADF)
COMPLETE = "_MEEPLE_COMPLETE"  # set by the shell that asks for completions


def show_version(wanted: bool) -> None:
    """Print the version and end, if it is `wanted`."""
    if wanted:
        from meeple.cli.info import installed

        print(f"meeple {installed('meeple')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def meeple(
    ctx: typer.Context,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; allowed anywhere.")
    ] = False,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--load",
            metavar="FILE",
            help="Load a .py file that defines games or agents, a .toml list of engines, or a game "
            "of a library (LIBRARY:NAME), so that they can be used by name; repeatable.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Teach machines to play board games, and play against them."""
    for file in files or []:
        from meeple.cli.shared.arguments import load_checked

        load_checked(file)
    if ctx.invoked_subcommand is None:
        print(ctx.get_help(), end="")


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line `argv` (by default the process's own) and exit with its code.

    Exit codes: 0 done; 1 failed, with one sentence on stderr that says why; 2 wrong usage, with
    one sentence that says what is allowed; 130 interrupted; 141 the reader of a pipe has gone.
    """
    prepare_streams()
    atexit.register(gc.freeze)  # the compiler's objects are not collected at the end: half a second
    arguments = list(sys.argv[1:] if argv is None else argv)
    if COMPLETE in os.environ:
        get_command(app).main(arguments, prog_name="meeple")  # prints completions, and exits
    debug = "--debug" in arguments
    sys.exit(run([word for word in arguments if word != "--debug"], debug=debug))


def run(arguments: list[str], *, debug: bool, app: typer.Typer = app, name: str = "meeple") -> int:
    """Run one command line and return its exit code.

    Args:
        arguments: the words after the program's name.
        debug: whether errors show a traceback.
        app: the program.
        name: how a shell calls it.
    """
    try:
        code = invoke(arguments, app, name)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except (KeyboardInterrupt, Stopped, typer.Abort):
        complain("Stopped.", debug=False)
        return INTERRUPTED
    except typer.TyperException as error:
        if error.format_message():  # else the help of a group was printed
            complain(as_sentence(error), debug=debug)
        return WRONG_USAGE
    except MeepleError as error:
        complain(str(error), debug=debug)
        return WRONG_USAGE if isinstance(error, UsageError) else FAILED
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
            complain(install_hint(error.name, "this"), debug=debug)
            return WRONG_USAGE
        if isinstance(error, OSError) and error.errno in CANNOT_WRITE:
            complain(f"nothing more can be written: {error.strerror}", debug=debug)
            drop_output()
            return FAILED
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        hint = "" if debug else " To see where, run again with --debug."
        from meeple.cli.last_error import save_error

        save_error(error)
        complain(f"An unexpected error, {what.rstrip('.')}.{hint}", debug=debug)
        return FAILED
    return code


def invoke(arguments: list[str], app: typer.Typer = app, name: str = "meeple") -> int:
    """Parse `arguments`, run the subcommand they name, and return the exit code it asks for."""
    try:
        with get_command(app).make_context(name, arguments) as context:
            context.command.invoke(context)
    except typer.Exit as request:
        return request.exit_code
    return 0


def complain(sentence: str, *, debug: bool) -> None:
    """Print `sentence` to stderr, under the traceback of the current error if `debug`."""
    with contextlib.suppress(OSError):  # no one reads stderr
        if debug:
            traceback.print_exc()
        print(sentence, file=sys.stderr)


def as_sentence(error: typer.TyperException) -> str:
    """Return a usage error as one sentence, with the command that prints the help."""
    message = error.format_message().replace("Value error, ", "")  # pydantic's prefix
    text = " ".join(message.split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "meeple"
    if not text.endswith("?"):
        text += "."
    return f"{text} See `{path} --help`."
