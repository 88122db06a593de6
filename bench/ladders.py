"""Rate the levels: `python -m bench.ladders [NAME...] [--games N] [--runs FOLDER]`.

Plays `meeple ladder` on every board on which the levels of `agents/levels.toml` are measured,
and saves the results in `src/meeple/agents/ladders.json`, which ships: the page shows the ratings.
A ladder is played again if the levels or networks have changed, and one that was stopped resumes
from its games in `--runs`. `--table` plays nothing, and prints the table.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.levels import weights_of
from meeple.agents.ladders import FILE, is_on
from meeple.agents.levels import LEVELS
from meeple.arena.figures.ratings import signed
from meeple.arena.games.conditions import Conditions
from meeple.arena.ladder import GAMES, play_ladder, rungs_of
from meeple.files import write_atomically
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import as_word
from meeple.games.contract.registry import make_from
from meeple.options import OptionValue

RUNS = Path("runs") / "ladders"


def boards() -> Iterator[tuple[str, Game]]:
    for levels in LEVELS:
        for options in levels.measured:
            game = make_from(levels.game, options)
            yield name_of(levels.game, options), game


def name_of(game: str, options: Mapping[str, OptionValue]) -> str:
    """Return the name of a board in the table: "hex size=5"."""
    return " ".join([game, *(f"{key}={as_word(value)}" for key, value in options.items())])


def read(path: Path = FILE) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def find(ladders: list[dict[str, Any]], game: Game) -> dict[str, Any] | None:
    """Return the ladder of a board; None if missing, or if its agents or weights have changed."""
    for ladder in ladders:
        if is_on(ladder, game):
            rated = {agent["spec"]: agent["name"] for agent in ladder["agents"]}
            rungs = {rung.spec: rung.name for rung in rungs_of(game)}
            is_current = rated == rungs and ladder.get("networks", {}) == weights_of(*rungs)
            return ladder if is_current else None
    return None


def write(ladders: list[dict[str, Any]], path: Path = FILE) -> None:
    """Write ladders, a line each, in the order of the boards."""
    kept = [one for _, game in boards() if (one := find(ladders, game)) is not None]
    lines = ",\n".join(json.dumps(one) for one in kept)
    write_atomically(path, f"[\n{lines}\n]\n")


def play(name: str, game: Game, games: int, runs: Path) -> dict[str, Any]:
    """Play a ladder, with its progress on standard error."""

    def progress(done: int, of: int) -> None:
        print(f"\r{name}: {done} of {of} ", end="", file=sys.stderr, flush=True)

    folder = runs / name.replace(" ", "-")
    conditions = Conditions(game, run=folder, workers=1, progress=progress)
    result = play_ladder(conditions, games=games)
    print(file=sys.stderr)
    if result.tournament.interrupted:
        raise KeyboardInterrupt
    found = result.to_json()
    return {**found, "networks": weights_of(*(agent["spec"] for agent in found["agents"]))}


def table(ladders: list[dict[str, Any]]) -> list[str]:
    """Return all results as the rows of a Markdown table."""
    rows = []
    for name, game in boards():
        ladder = find(ladders, game)
        if ladder is None:
            continue
        for agent in ladder["agents"]:
            low, high = map(signed, agent["interval"])
            rows.append(
                f"| {name} | {agent['name']}: `{agent['spec']}` | {signed(agent['rating'])} "
                f"| {low} to {high} | {agent['ms_per_move']:.3g} | {ladder['games_per_group']} |"
            )
    return rows


def missing(ladders: list[dict[str, Any]]) -> list[str]:
    return [name for name, game in boards() if find(ladders, game) is None]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [name for name, _ in boards()]
    parser.add_argument("boards", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--games", type=int, default=GAMES, help="games of a pair")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where games are kept")
    parser.add_argument("--table", action="store_true", help="play nothing")
    arguments = parser.parse_args()
    ladders = read()
    for name, game in () if arguments.table else boards():
        wanted = not arguments.boards or name in arguments.boards
        if wanted and find(ladders, game) is None:
            ladders.insert(0, play(name, game, arguments.games, arguments.runs))
            write(ladders)
    print("\n".join(table(ladders)))
    left = missing(ladders)
    print(f"Not measured: {', '.join(left) or 'none'}.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
