"""`meeple import`: convert a network of another program into a checkpoint."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from meeple.agents.spec_syntax import write
from meeple.cli.shared.arguments import AsJson
from meeple.cli.shared.words import title
from meeple.errors import MeepleError
from meeple.games.contract.game_words import command_for, game_words
from meeple.games.contract.registry import make

SIMULATIONS = 400  # simulations a move in the printed command

Format = Literal["alphazero-gomoku"]  # the programs whose networks can be imported


def import_(
    format: Annotated[Format, typer.Argument(metavar="FORMAT", help="alphazero-gomoku.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The other program's file.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The network to write.")],
    in_a_row: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Stones in a row that win, which the file does not contain; by default 5.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import a network of another program.

    alphazero-gomoku: a list of 16 arrays that AlphaZero_Gomoku pickled, such as
    best_policy_8_8_5.model. Only arrays are read; a file with other objects is refused.
    """
    if out.exists() and not force:
        raise MeepleError(f"{out} exists already; name another file, or replace it with --force")
    from meeple.importers import alphazero_gomoku
    from meeple.nets import checkpoint

    imported = alphazero_gomoku.read(file)
    rows = {} if in_a_row is None else {"in_a_row": in_a_row}
    game = make("gomoku", size=imported.size, **rows)
    origin = {"imported_from": file.name, "format": format}
    checkpoint.save(out, imported.weights, game=game.name, options=dict(game.options), extra=origin)
    parameters = sum(tensor.size for tensor in imported.weights.tensors.values())
    against = write("puct", str(out), {"sims": SIMULATIONS})
    play = command_for(game, "play", *game_words(game), "--against", against)
    if as_json:
        facts = {"game": game.name, "options": dict(game.options), "parameters": parameters}
        print(json.dumps({**facts, "network": str(out), "play": play}, indent=2))
    else:
        print(f"{file}: a network for {title(game)}, with {parameters:,} parameters")
        print(f"Saved to {out}; play it with: {play}")
