"""Measure what ships: `python -m bench.nets [NAME...]`, `python -m bench.nets --tournaments`.

The first measures the processor time of a move with each network, and saves it in
`src/meeple/agents/network_costs.json`, which `meeple nets` shows. The second plays a tournament of
all agents at equal time on the board of each level and network, and saves the results in
`src/meeple/agents/evaluators.json`: the winners give hints and analyses. Every tournament can also
be played alone, with a report: `meeple tournament GAME --seconds T --openings --output FOLDER`.
Stopped tournaments resume from their games in `--runs`.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.ladders import name_of
from meeple.agents import evaluators, ladders
from meeple.agents.levels import LEVELS
from meeple.agents.network_files import network_facts
from meeple.agents.networks import shipped_networks
from meeple.agents.spec import parse
from meeple.arena.games.conditions import Conditions
from meeple.arena.tournament import play_tournament
from meeple.cli.nets import cost_of
from meeple.cli.tournament import write_report
from meeple.files import write_atomically
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from

RUNS = Path("runs") / "tournaments"


def boards() -> Iterator[tuple[str, Game]]:
    """Yield the boards of the levels and of the networks, each once."""
    facts = map(network_facts, shipped_networks().values())
    wanted = [(table.game, options) for table in LEVELS for options in table.measured]
    seen = set()
    for kind, options in [*wanted, *((one.game, one.options) for one in facts)]:
        game = make_from(kind, options)
        defaults = make_from(kind, {}).options
        changed = {key: value for key, value in game.options.items() if value != defaults[key]}
        name = name_of(kind, changed)
        if name not in seen:
            seen.add(name)
            yield name, game


def measure(names: list[str], path: Path = ladders.COSTS_FILE) -> None:
    """Measure the cost of networks, and save it with what is known of the others that ship."""
    shipped = shipped_networks()
    known = {name: cost for name, cost in ladders.costs().items() if name in shipped}
    found = dict(known)
    for name in names or shipped:
        facts = network_facts(shipped[name])
        spec = facts.kind.strongest.format(name)
        game = make_from(facts.game, facts.options)
        found[name] = {"spec": spec, "ms": round(cost_of(game, spec), 2)}
        print(f"{name}: {found[name]['ms']} ms a move of {spec}", flush=True)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found))
    write_atomically(path, f"{{\n{lines}\n}}\n")


def play(
    name: str, game: Game, seconds: float, games: int, runs: Path, drop: Sequence[str] = ()
) -> dict[str, Any]:
    """Play the tournament of a board, write its report, and return its result.

    Agents of `drop`, by name such as "uct", take no part.
    """

    def progress(done: int, of: int) -> None:
        print(f"\r{name}: {done} of {of} ", end="", file=sys.stderr, flush=True)

    folder = runs / name.replace(" ", "-")
    conditions = Conditions(game, openings=True, run=folder, workers=1, progress=progress)
    specs = [spec for spec in evaluators.contenders(game, seconds) if parse(spec).name not in drop]
    result = play_tournament(conditions, specs, games)
    print(file=sys.stderr)
    if result.interrupted:
        raise KeyboardInterrupt
    write_report(folder / "report", result)
    return {**result.to_json(), "seconds": seconds}


def save(result: dict[str, Any], path: Path = evaluators.FILE) -> None:
    """Save a tournament in the place of one of the same board and time."""
    known = json.loads(path.read_text(encoding="utf-8"))
    keys = ("game", "options", "seconds")
    found = [one for one in known if any(one[key] != result[key] for key in keys)]
    lines = ",\n".join(json.dumps(one) for one in [*found, result])
    write_atomically(path, f"[\n{lines}\n]\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="networks, or boards")
    parser.add_argument("--tournaments", action="store_true", help="play them")
    parser.add_argument("--seconds", type=float, default=0.3, help="for a move")
    parser.add_argument("--games", type=int, default=40, help="games of a pair")
    parser.add_argument(
        "--drop", nargs="+", default=[], metavar="AGENT", help="leave out, for example uct"
    )
    parser.add_argument("--runs", type=Path, default=RUNS, help="where games are stored")
    chosen = parser.parse_args()
    if not chosen.tournaments:
        measure(chosen.names)
        return 0
    for name, game in boards():
        wanted = name in chosen.names or not chosen.names
        if wanted and len(evaluators.contenders(game, chosen.seconds)) > 1:
            save(play(name, game, chosen.seconds, chosen.games, chosen.runs, chosen.drop))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
