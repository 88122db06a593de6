"""The command `meeple`: the table of its subcommands, and the handling of errors.

A subcommand is implemented in the file that the table names, which is imported when it is called.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import errno
import gc
import os
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path
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
    """A subcommand: its "module:function" or "module:app", and its group in the help.

    The function is a typer command, whose docstring begins with its line in the help; an app has
    its own subcommands, and this line as its `help`.
    """

    target: str
    group: str

    @property
    def help(self) -> str:
        """The line in the help, from the source: to import all commands would take seconds."""
        try:
            module, _, name = self.target.partition(":")
            source = _file_of(module).read_text(encoding="utf-8")
            return next(filter(None, (_summary(node, name) for node in ast.parse(source).body)))
        except Exception:  # a plug-in's, whose fault is reported when it is called
            return ""


def _file_of(module: str) -> Path:
    """Return the file of a module, without importing the packages that it is in."""
    package, *parts = module.split(".")
    spec = find_spec(package)
    assert spec is not None
    if not parts:
        return Path(str(spec.origin))
    return Path((spec.submodule_search_locations or [""])[0], *parts).with_suffix(".py")


def _summary(node: ast.stmt, name: str) -> str:
    """Return the line in the help of a statement that defines the function or app `name`."""
    if isinstance(node, ast.FunctionDef) and node.name == name:
        return (ast.get_docstring(node) or "").partition("\n")[0]
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
        keywords = {one.arg: one.value for one in getattr(node.value, "keywords", ())}
        return str(ast.literal_eval(keywords["help"]))
    return ""


PLAY, COMPARE, LEARN, SERVE, TOOLS = "Play", "Compare", "Learn", "Serve", "Tools"
"""The groups of the help."""

OWN_SUBCOMMANDS: dict[str, Subcommand] = {
    "games": Subcommand("meeple.cli.games:games", PLAY),
    "play": Subcommand("meeple.cli.play:play", PLAY),
    "watch": Subcommand("meeple.cli.watch:watch", PLAY),
    "match": Subcommand("meeple.cli.match:match", COMPARE),
    "tournament": Subcommand("meeple.cli.tournament:tournament", COMPARE),
    "ladder": Subcommand("meeple.cli.ladder:ladder", COMPARE),
    "nets": Subcommand("meeple.cli.nets:nets", COMPARE),
    "topp": Subcommand("meeple.cli.train.topp:topp", COMPARE),
    "train": Subcommand("meeple.cli.train.command:train", LEARN),
    "runs": Subcommand("meeple.cli.train.runs:runs", LEARN),
    "demo": Subcommand("meeple.cli.train.demo:demo", LEARN),
    "tensorboard": Subcommand("meeple.cli.train.tensorboard:tensorboard", LEARN),
    "qtable": Subcommand("meeple.cli.qtable:qtable", LEARN),
    "import": Subcommand("meeple.cli.import_:import_", LEARN),
    "serve": Subcommand("meeple.cli.serve:serve", SERVE),
    "engine": Subcommand("meeple.cli.engine:engine", SERVE),
    "puzzles": Subcommand("meeple.cli.puzzles:puzzles_", SERVE),
    "new-game": Subcommand("meeple.cli.new_game:new_game", TOOLS),
    "new-plugin": Subcommand("meeple.cli.new_plugin:new_plugin", TOOLS),
    "check": Subcommand("meeple.cli.check:check", TOOLS),
    "solve": Subcommand("meeple.cli.solve.command:solve", TOOLS),
    "convert": Subcommand("meeple.cli.convert:convert", TOOLS),
    "explore": Subcommand("meeple.cli.explore:explore", TOOLS),
    "plugins": Subcommand("meeple.cli.plugins:plugins", TOOLS),
    "warmup": Subcommand("meeple.cli.warmup:warmup", TOOLS),
    "info": Subcommand("meeple.cli.info:info", TOOLS),
}
"""The subcommands of Meeple itself by name, in the order of the help."""

SUBCOMMANDS = PlugInTable("commands", Subcommand, OWN_SUBCOMMANDS)
"""Every subcommand by name: first Meeple's own, then those of plug-ins."""


class LazyGroup(TyperGroup):
    """A group that imports a subcommand only when that one is called, never to list it."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all subcommands, in the order of the help."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        """Return what the help and completions need of a subcommand."""
        if cmd_name not in SUBCOMMANDS:
            return None
        found = SUBCOMMANDS[cmd_name]
        return TyperCommand(
            cmd_name, help=found.help, rich_help_panel=str(found.group), callback=None
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
