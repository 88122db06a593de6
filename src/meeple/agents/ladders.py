"""What was measured of agents that ship: ratings by game and options, and costs of networks.

`ladders.json` has one ladder a board, as `meeple ladder --json` prints it; `python -m
bench.ladders` writes it. `network_costs.json` has, by the network's name, an agent that plays with
it and the processor time of its move in milliseconds; `python -m bench.nets` writes it.
"""

import functools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from meeple.games.contract.game import Game

FILE = Path(__file__).with_suffix(".json")
COSTS_FILE = FILE.with_name("network_costs.json")
RANDOM = "random"  # the agent with rating 0


@functools.cache
def ladders() -> tuple[Mapping[str, Any], ...]:
    """Return all shipped ladders."""
    return tuple(json.loads(FILE.read_text(encoding="utf-8")))


def is_on(result: Mapping[str, Any], game: Game) -> bool:
    """Return whether a ladder or tournament was played in a game with these options."""
    options = {**game.unsaid, **result["options"]}
    return result["game"] == game.name and options == game.usual().options


def rating_of(game: Game, spec: str) -> float | None:
    """Return an agent's Elo points above random play in a game; None if not measured."""
    found = entry_of(game, spec.__eq__)
    return None if found is None else float(found["rating"])


def entry_of(game: Game, wanted: Callable[[str], bool]) -> Mapping[str, Any] | None:
    """Return the rated agent whose spec is wanted, from the ladder of a game; None if missing."""
    for ladder in ladders():
        if is_on(ladder, game):
            return next((one for one in ladder["agents"] if wanted(one["spec"])), None)
    return None


@functools.cache
def costs() -> Mapping[str, Mapping[str, Any]]:
    """Return the costs by name: `{"hex7": {"spec": "puct:hex7,sims=400", "ms": 150.0}}`."""
    found: dict[str, dict[str, Any]] = json.loads(COSTS_FILE.read_text(encoding="utf-8"))
    return found
