"""`meeple jsettlers`: play at a table of a JSettlers server."""

import json
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.agent import Agent
from meeple.cli.shared.arguments import AsJson, Seed
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c

jsettlers = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Play Catan at a table of a JSettlers server.",
)


@jsettlers.callback()
def _group() -> None:
    """Keep the name of the subcommand in the command line."""


@jsettlers.command()
def join(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent, such as states:catan.")],
    host: Annotated[str, typer.Option(help="The server's machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The server's port.")] = 8880,
    nick: Annotated[str, typer.Option("--nick", metavar="NAME", help="Our name.")] = "meeple",
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="NAME", help="The game to join; if missing, a new one."),
    ] = None,
    start: Annotated[
        bool, typer.Option("--start", help="Begin at once, with robots in the other chairs.")
    ] = False,
    cookie: Annotated[
        str | None,
        typer.Option(
            "--cookie",
            metavar="WORD",
            help="Play as a robot, wherever the server invites us; its word for robots.",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Games to play; as a robot, by default no limit.")
    ] = None,
    patience: Annotated[
        float, typer.Option(min=0.5, max=600, help="Seconds for which an offer waits for answers.")
    ] = 8.0,
    retry: Annotated[
        float, typer.Option(min=0, help="Seconds to try again after a lost connection.")
    ] = 60.0,
    transcript: Annotated[
        Path | None, typer.Option("--transcript", metavar="FILE", help="Save all messages.")
    ] = None,
    as_json: AsJson = False,
    seed: Seed = 1,
) -> None:
    """Sit down at a table and play with an agent."""
    from meeple.agents.spec import agent
    from meeple.arena.figures.statistics import wilson_interval
    from meeple_jsettlers.client import Client

    _get_ready(agent(spec, Catan(), seed))
    client = Client(
        nick,
        lambda game, number: agent(spec, game, number),
        host=host,
        port=port,
        cookie=cookie,
        table=table,
        start=start,
        games=games,
        retry=retry,
        patience=patience,
        seed=seed,
        transcript=transcript,
        say=(lambda line: None) if as_json else lambda line: print(line, flush=True),
    )
    try:
        client.run()
    finally:  # also after Ctrl-C
        results = client.results
        won = sum(result.won for result in results)
        if as_json:
            print(json.dumps({"games": [vars(result) for result in results], "won": won}))
        elif results:
            low, high = wilson_interval(won, len(results))
            print(f"Won {won} of {len(results)} games ({low:.1%} to {high:.1%}).")


def _get_ready(made: Agent) -> None:
    """Compile and load what the agent needs, before a server waits for its moves."""
    position = Catan().start(1)
    made.begin(1)
    while position.state.phase in (c.SETTLE, c.SETTLE_ROAD):
        position.play(made.choose(position))
    position.play(made.choose(position))
