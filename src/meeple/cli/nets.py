"""`meeple nets`: the networks that ship, or one of the user: size, cost, rating and training."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from meeple.agents.ladders import costs, entry_of
from meeple.agents.network_files import NetworkFacts, network_facts
from meeple.agents.networks import find_checkpoint, shipped_networks
from meeple.agents.spec import agent
from meeple.agents.spec_syntax import quoted
from meeple.cli.shared.arguments import AsJson
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import as_word
from meeple.games.contract.registry import make_from
from meeple.kernels import CHANCE

MOVES = 8  # that a measurement of the cost takes, from the beginning to the end of a game
SECONDS_AN_HOUR = 3600


def nets(
    network: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="A file, the folder of a run, or the name of one that ships."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the networks that ship, or describe one.

    Milliseconds are processor time of a move by the agent named beside them; those of a network
    that does not ship are measured now. Ratings are Elo points above random play.
    """
    shipped = shipped_networks()
    if network is None:
        found = [describe(name, path) for name, path in shipped.items()]
    else:
        found = [describe(network, find_checkpoint(network))]
    if as_json:
        print(json.dumps(found, indent=2))
    else:
        print("\n".join(line for one in found for line in lines_of(one)))


def describe(name: str, path: Path) -> dict[str, Any]:
    """Return the data of a network; its cost is measured unless it is known.

    Raises:
        CheckpointError: the file is no network.
        OptionError: its game is unknown.
    """
    facts = network_facts(path)
    game = make_from(facts.game, facts.options)
    ships = shipped_networks().get(name) == path
    spec = facts.kind.strongest.format(quoted(name))
    known = costs().get(name) if ships else None
    if known is None or known["spec"] != spec:
        known = {"spec": spec, "ms": None if ships else round(cost_of(game, spec), 2)}
    rated = entry_of(game, spec.__eq__) if ships else None
    return {
        "name": name,
        "game": game.name,
        "options": dict(game.options),
        "kind": facts.kind.name,
        "architecture": facts.architecture,
        "bytes": path.stat().st_size,
        **known,
        "rating": None if rated is None else rated["rating"],
        "interval": None if rated is None else rated["interval"],
        "training": training_of(facts),
    }


def training_of(facts: NetworkFacts) -> dict[str, Any]:
    """Return what the file says about its training: games, labels and hours.

    The hours, of one core or of a GPU, are named "core_hours" for programs that read them.
    """
    extra = facts.extra
    seconds = extra.get("seconds")
    games = extra.get("episodes", extra.get("games"))
    found = {
        "games": games if isinstance(games, int) else None,
        "labels": extra.get("labels"),
        "core_hours": None if seconds is None else round(seconds / SECONDS_AN_HOUR, 2),
    }
    return {name: value for name, value in found.items() if value is not None}


def training_words(training: Mapping[str, Any]) -> str:
    """Return the training as text: "16,000 games, 0.38 hours"."""
    return ", ".join(f"{value:,} {name.removeprefix('core_')}" for name, value in training.items())


def cost_of(game: Game, spec: str, moves: int = MOVES, seed: int = 1) -> float:
    """Return the processor time of a move in milliseconds, at positions of random games."""
    player, rng = agent(spec, game, seed), np.random.default_rng(seed)
    player.begin(seed)
    player.choose(_position(game, 0, rng))  # compiles and loads what it needs
    length = _length(game, rng)
    spent = 0.0
    for move in range(moves):
        position = _position(game, length * move // moves, rng)
        player.begin(seed)
        began = time.process_time()
        player.choose(position)
        spent += time.process_time() - began
    return 1000 * spent / moves


def _length(game: Game, rng: np.random.Generator) -> int:
    """Return the number of plies of a random game."""
    return len(_position(game, game.max_plies, rng).actions)


def _position(game: Game, plies: int, rng: np.random.Generator) -> Any:
    """Return a position of a random game, at a decision, after `plies` plies or a little fewer."""
    position = game.start(int(rng.integers(2**31)))
    while not position.is_over and (position.to_move == CHANCE or len(position.actions) < plies):
        position.play(int(rng.choice(position.legal_actions())))
    while position.is_over and plies < game.max_plies:
        position.undo()
    return position


def lines_of(one: Mapping[str, Any]) -> list[str]:
    """Return the lines on a network: what it is, its cost and strength, its training."""
    defaults = make_from(one["game"], {}).options
    options = [f"{k}={as_word(v)}" for k, v in one["options"].items() if v != defaults[k]]
    board = " ".join([one["game"], *options])
    parts = [] if one["ms"] is None else [f"{one['ms']:.3g} ms a move"]
    if one["rating"] is not None:
        low, high = one["interval"]
        parts.append(f"rating {one['rating']:,.0f} ({low:,.0f} to {high:,.0f})")
    size = f"{one['bytes'] / 1000:,.0f} kB"
    what = [f"{one['kind']} for {board}", one["architecture"], size]
    lines = [
        f"{one['name']}: {', '.join(filter(None, what))}",
        f"  {one['spec']}: {', '.join(parts) or 'not measured'}",
    ]
    if one["training"]:
        lines.append(f"  trained by {training_words(one['training'])}")
    return lines
