"""`meeple games`: list the games and their options."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from meeple.agents.levels import levels_for
from meeple.agents.words import in_words
from meeple.cli.shared.arguments import AsJson, open_game
from meeple.errors import UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game_words import as_word
from meeple.games.contract.registry import load_game, working_games
from meeple.options import describe_option


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="This game alone.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    layout: Annotated[
        bool, typer.Option("--layout", help="Print the initial board of GAME as JSON.")
    ] = False,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="For --layout: an option."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="For --layout: seed of a random board.")] = 0,
) -> None:
    """List the games and their options."""
    if layout:
        print(layout_text(game, option or [], seed))
        return
    if option or seed:
        raise UsageError("--option and --seed go with --layout")
    described = [describe(name) for name in (working_games(complain) if game is None else [game])]
    if as_json:
        print(json.dumps(described, indent=2))
        return
    print("\n\n".join(map(as_text, described)))
    if game is not None:
        print(levels_text(described[0]["levels"]))


def complain(sentence: str) -> None:
    """Print to stderr what is wrong with a game."""
    print(sentence, file=sys.stderr)


def layout_text(name: str | None, options: list[str], seed: int) -> str:
    """Return the board of a game's opening position as JSON, to edit and to play on."""
    if name is None:
        raise UsageError("--layout needs a game, such as meeple games catan --layout")
    game = open_game(name, options)
    found = capabilities.layout(game.start(seed))
    if found is None:
        raise UsageError(f"{name} has no layout; its board is the same in every game")
    return json.dumps(found, indent=2)


def describe(name: str) -> dict[str, Any]:
    """Return a game as JSON: name, summary, default number of players, options and levels."""
    game = load_game(name)
    played = game()
    levels = levels_for(played).levels
    return {
        "name": name,
        "summary": game.summary,
        "players": played.seats,
        "options": [describe_option(key, option) for key, option in game.declared.items()],
        "levels": [
            {"name": one.name, "spec": one.spec, "words": in_words(one.spec, played)}
            for one in levels
        ],
    }


def levels_text(levels: Sequence[Mapping[str, str]]) -> str:
    """Return the levels as text, the weakest first."""
    width = max(len(level["name"]) for level in levels)
    lines = [f"  {one['name']:<{width}}  {one['spec']}: {one['words']}" for one in levels]
    return "\n".join(["Levels:", *lines])


def as_text(game: dict[str, Any]) -> str:
    """Return a described game as text: a line on it, then a line on each option."""
    players = f"{game['players']} player{'s' * (game['players'] != 1)}"
    lines = [f"{game['name']} ({players}): {game['summary']}"]
    width = max((len(option["name"]) for option in game["options"]), default=0)
    for option in game["options"]:
        name, default = option["name"], as_word(option["default"])
        lines.append(
            f"  {name:<{width}}  {option['help']}: {option['allowed']} (default {default})"
        )
    return "\n".join(lines)
