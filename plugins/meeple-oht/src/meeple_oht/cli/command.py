"""`meeple oht`: hold an Online Hex Tournament, take part in one, and show its table."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import ssl
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meeple.agents.allowed import allow_everything
from meeple.cli.main import INTERRUPTED
from meeple.cli.serve import MAX_OPEN_FILES
from meeple.cli.shared.arguments import AllowEngines, AsJson, GameOptions, Seed, open_game
from meeple.errors import CheckpointError, MeepleError, OptionError, UsageError
from meeple.files import read_text
from meeple.games.contract.game import Game
from meeple.listening import allow_open_files
from meeple.shell import command_line
from meeple_oht.agent_client import AgentClient
from meeple_oht.cli.screen import StderrHandler, TournamentScreen, print_table
from meeple_oht.client import PORT, RETRY_SECONDS
from meeple_oht.connection import NEW
from meeple_oht.host import Host, ListenAddress
from meeple_oht.rules import TournamentRules, parse_wait
from meeple_oht.store import OVER

if TYPE_CHECKING:
    from meeple_oht.page.serving import TournamentPage

PAGE_PORT = 8001
TOKEN = "MEEPLE_OHT_TOKEN"
LEVELS = ("debug", "info", "warning", "error")
USUAL = TournamentRules()

oht = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Hold an Online Hex Tournament, or take part in one.",
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament's file.")]
Plain = Annotated[bool, typer.Option("--plain", help="Plain TCP, without TLS.")]
Certificate = Annotated[
    Path | None,
    typer.Option("--certificate", metavar="FILE", help="The server's certificate, as PEM."),
]


@oht.command()
def host(
    players: Annotated[
        Path, typer.Option("--players", metavar="FILE", help="Names and tokens, as TOML.")
    ],
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free one.")] = PORT,
    file: Annotated[
        Path, typer.Option("--file", metavar="FILE", help="The tournament's database.")
    ] = Path("oht.sqlite"),
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="What is played.")] = (
        "hex"
    ),
    option: GameOptions = None,
    address: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for other machines.")
    ] = "127.0.0.1",
    port_2020: Annotated[
        int | None,
        typer.Option("--port-2020", min=0, max=65_535, help="Port for the dialect of 2020."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=1000, help="Games of a series.")] = USUAL.games,
    seconds: Annotated[
        float, typer.Option(min=0.05, max=3600, help="Wall clock a move.")
    ] = USUAL.seconds,
    on_illegal: Annotated[
        str, typer.Option(help="Consequence of an illegal move: lose, retry or random.")
    ] = USUAL.on_illegal,
    on_rubbish: Annotated[
        str, typer.Option(help="Consequence of an answer that is no move: lose, retry or random.")
    ] = USUAL.on_rubbish,
    on_timeout: Annotated[
        str, typer.Option(help="Consequence of a late move: lose or random.")
    ] = USUAL.on_timeout,
    on_disconnect: Annotated[
        str, typer.Option(help="Consequence of a lost connection: lose, or wait=SECONDS.")
    ] = f"wait={USUAL.wait:g}",
    qualifiers: Annotated[
        list[str] | None,
        typer.Option("--qualifier", metavar="SPEC", help="An agent of the qualifier; repeatable."),
    ] = None,
    qualifier_games: Annotated[
        int, typer.Option(min=1, max=1000, help="Games against each agent of the qualifier.")
    ] = USUAL.qualifier_games,
    wins: Annotated[int, typer.Option(min=0, help="Wins needed to qualify.")] = USUAL.wins,
    attempts: Annotated[
        int, typer.Option(min=1, max=1000, help="Attempts at the qualifiers.")
    ] = USUAL.attempts,
    practice: Annotated[
        list[str] | None,
        typer.Option(
            "--practice", metavar="SPEC", help="An agent to practise against; repeatable."
        ),
    ] = None,
    register: Annotated[
        float,
        typer.Option(
            "--register",
            min=0,
            help="Seconds after which the league begins with the players that are ready; 0: wait "
            "for all.",
        ),
    ] = USUAL.register,
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, max=500, help="Series played at once.")
    ] = USUAL.series_at_once,
    plain: Plain = False,
    certificate: Certificate = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="The certificate's key, as PEM.")
    ] = None,
    page: Annotated[
        int | None,
        typer.Option("--page", min=0, max=65_535, help=f"The page's port; else from {PAGE_PORT}."),
    ] = None,
    page_host: Annotated[
        str, typer.Option("--page-host", help="The page's address; 0.0.0.0 for other machines.")
    ] = "127.0.0.1",
    no_page: Annotated[bool, typer.Option("--no-page", help="Serve no page.")] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="After the tournament, keep listening until Ctrl-C.")
    ] = False,
    log: Annotated[
        str, typer.Option("--log", help="Log level: debug, info, warning or error.")
    ] = "warning",
    allow_engines: AllowEngines = False,
    seed: Seed = 1,
) -> None:
    """Hold a tournament; the same command resumes one that was stopped or killed.

    After the end, its page is served until Ctrl-C.
    """
    from meeple.agents.spec import parse
    from meeple_oht.players import read_players

    rules = TournamentRules(
        games=games,
        seconds=seconds,
        on_illegal=on_illegal,
        on_rubbish=on_rubbish,
        on_timeout=on_timeout,
        wait=parse_wait(on_disconnect),
        qualifiers=tuple(qualifiers or ()),
        qualifier_games=qualifier_games,
        wins=wins,
        attempts=attempts,
        practice=tuple(practice or USUAL.practice),
        register=register,
        series_at_once=at_once,
    )
    if allow_engines:
        allow_everything()
    for spec in (*rules.qualifiers, *rules.practice):
        parse(spec)
    _set_up_log(log)
    opened = open_game(game, option)
    found = read_players(players)
    allow_open_files(MAX_OPEN_FILES)
    tls = None if plain else _server_tls(file, certificate, key)
    place = ListenAddress(address, port, port_2020, tls)
    held = Host(file, opened, found, rules, place, seed)
    shown = None if no_page else _served_page(file, page_host, page)
    try:
        asyncio.run(_hold(held, stay, plain))
    except (KeyboardInterrupt, asyncio.CancelledError):
        print_table(held.store)
        if held.store.tournament().phase != OVER:  # else only the listening was stopped
            print("Stopped; the same command resumes the tournament.", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
    else:
        print_table(held.store)
        if shown is not None:
            print(f"Its page stays at {shown.url} until Ctrl-C.", flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                shown.wait()
    finally:
        if shown is not None:
            shown.stop()
        held.store.close()


async def _hold(held: Host, stay: bool, plain: bool) -> None:
    """Hold the tournament, with its table on the terminal; Ctrl-C and SIGTERM end it cleanly."""
    listening, loop = asyncio.Event(), asyncio.get_running_loop()
    work = asyncio.ensure_future(held.run(listening, stay=stay))
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform != "win32":
            loop.add_signal_handler(number, work.cancel)
    waiting = asyncio.ensure_future(listening.wait())
    await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if listening.is_set():
        ports = " and ".join(map(str, held.ports))
        print(f"The tournament listens at port {ports}", flush=True)
        print(f"A player joins with: {_joining(held.ports[0], plain)}", flush=True)
        with TournamentScreen(held.store) as screen:
            while not work.done():
                await asyncio.wait({work}, timeout=screen.pause)
                await loop.run_in_executor(None, screen.show)
    await work


def _joining(port: int, plain: bool) -> str:
    where = ["--host", "HOST", "--port", str(port), *["--plain"] * plain]
    return command_line("oht", "join", *where, "--token", "FILE", "SPEC")


def _server_tls(file: Path, certificate: Path | None, key: Path | None) -> ssl.SSLContext:
    from meeple_oht.certificate import certificate_beside, server_context

    if (certificate is None) != (key is None):
        raise UsageError("--certificate and --key belong together")
    if certificate is None or key is None:
        certificate, key = certificate_beside(file)
    return server_context(certificate, key)


def _set_up_log(level: str) -> None:
    if level not in LEVELS:
        raise UsageError(f"--log must be one of {', '.join(LEVELS)}, not '{level}'")
    logging.basicConfig(
        level=logging.getLevelName(level.upper()),
        format="%(asctime)s %(levelname)s %(message)s",
        datefmt="%H:%M:%S",
        handlers=[StderrHandler()],
    )


# ------------------------------------------------------------------------------ taking part


@oht.command()
def join(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent, such as uct:sims=1000.")],
    host: Annotated[str, typer.Option(help="The tournament's machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535)] = PORT,
    token: Annotated[
        Path | None,
        typer.Option(
            "--token", metavar="FILE", help=f"A file with the token; else {TOKEN}, or a prompt."
        ),
    ] = None,
    practice: Annotated[
        bool, typer.Option("--practice", help="Play only practice games, which do not count.")
    ] = False,
    dialect: Annotated[str, typer.Option(help="2023, or 2020 for older servers.")] = NEW,
    name: Annotated[str, typer.Option(help="For the login of 2020.")] = "player",
    game: Annotated[
        str, typer.Option("--game", "-g", metavar="GAME", help="What to get ready for.")
    ] = "hex",
    option: GameOptions = None,
    plain: Plain = False,
    certificate: Certificate = None,
    retry: Annotated[
        float, typer.Option(min=0, help="Seconds to retry if the server does not answer.")
    ] = RETRY_SECONDS,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the score alone.")] = False,
    as_json: AsJson = False,
    seed: Seed = 1,
) -> None:
    """Take part in a tournament with an agent."""

    def say(words: str) -> None:
        if not (quiet or as_json):
            print(words, flush=True)

    client = AgentClient(
        spec,
        _token(token),
        host,
        port,
        seed=seed,
        say=say,
        tls=not plain,
        certificate=certificate,
        dialect=dialect,
        practice=practice,
        retry=retry,
        name=name,
    )
    _get_ready(client, open_game(game, option))
    score = client.run()
    if as_json:
        print(json.dumps({"score": score}))
    else:
        print("The server sent no score." if score is None else f"Score: {score:g} of 100")


def _get_ready(client: AgentClient, game: Game) -> None:
    """Compile before any clock runs; an agent for another board size only is built later."""
    try:
        client.get_ready(game)
    except (CheckpointError, OptionError) as error:
        print(f"Not ready for {game.name} with these options: {error}", file=sys.stderr)


def _token(file: Path | None) -> str:
    """Return the token from a file, the environment, or a prompt."""
    if file is not None:
        try:
            word = read_text(file).strip()
        except OSError as error:
            reason = error.strerror or error
            raise MeepleError(f"cannot read the token in {file}: {reason}") from None
    elif word := os.environ.get(TOKEN, ""):
        pass
    elif sys.stdin.isatty():
        word = str(typer.prompt("Your token", hide_input=True))
    else:
        raise UsageError(f"a token is needed: --token FILE, or set {TOKEN}")
    if not word:
        raise UsageError("the token is empty")
    return word


# ------------------------------------------------------------------------------ besides


@oht.command()
def token(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of players to write.")],
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="The players.")
    ] = None,
    split: Annotated[
        Path | None,
        typer.Option(
            "--split",
            metavar="FOLDER",
            help="Write each player's token to a file of its own, too, in a new folder; without "
            "names: those of FILE.",
        ),
    ] = None,
) -> None:
    """Write the file of players, each with a new token; only you may read it."""
    from meeple_oht.players import empty_folder, read_players, write_players, write_tokens

    if not (names or split):
        raise UsageError("name the players, or a folder for the tokens of FILE by --split")
    players = () if names else read_players(file)
    if split is not None:
        empty_folder(split)
    if names:
        players = write_players(file, names)
        count = f"{len(players)} players" if len(players) > 1 else "one player"
        print(f"{file}: {count}. Give each the token under their name there.")
    if split is not None:
        files = write_tokens(split, players)
        count = f"{len(files)} files" if len(files) > 1 else "one file"
        print(f"{split}: {count}. Send each player their own: `meeple oht join` takes it as FILE.")
    if len(players) == 1:
        print("A tournament needs two players: add an agent, see the README of meeple-oht.")


@oht.command()
def table(
    file: File,
    as_json: AsJson = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Save the games, a line each.")
    ] = None,
) -> None:
    """Show the table of a tournament, while it runs or afterwards."""
    from meeple.cli.shared.reports import save_games
    from meeple_oht.standings import ratings_of, records_of, table_of
    from meeple_oht.store import TournamentStore

    store = TournamentStore.open(file)
    try:
        if save is not None:
            save_games(save, records_of(store))
        if as_json:
            found = {**table_of(store).to_json(), "ratings": ratings_of(store).to_json()}
            print(json.dumps(found, indent=2))
        else:
            print_table(store)
    finally:
        store.close()


@oht.command()
def page(
    file: File,
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free one.")] = PAGE_PORT,
) -> None:
    """Show a tournament in the browser, while another process runs it or afterwards."""
    from meeple_oht.page.serving import TournamentPage
    from meeple_oht.store import TournamentStore

    TournamentStore.open(file).close()  # raise its errors before anything starts
    served = TournamentPage(file, host, port)
    print(f"The tournament's page is at {served.url}", flush=True)
    served.run()


def _served_page(file: Path, host: str, port: int | None) -> "TournamentPage":
    """Serve the page in a thread, and return it."""
    from meeple_oht.page.serving import TournamentPage

    served = TournamentPage(file, host, PAGE_PORT if port is None else port, or_next=port is None)
    print(f"Its page is at {served.url}", flush=True)
    served.start()
    return served
