"""`meeple games`: what can be played, and with which options."""

import json
from typing import Annotated, Any

import typer

from meeple.games.options import Option, OptionValue
from meeple.games.registry import game_class, game_names


def games(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the games and their options."""
    described = [describe(name) for name in game_names()]
    print(json.dumps(described, indent=2) if as_json else "\n\n".join(map(as_text, described)))


def describe(name: str) -> dict[str, Any]:
    """A game as JSON: name, summary, players by default, and its options in their order."""
    game = game_class(name)
    return {
        "name": name,
        "summary": game.summary,
        "players": game().players,
        "options": [describe_option(key, option) for key, option in game.declared.items()],
    }


def describe_option(name: str, option: Option) -> dict[str, Any]:
    """An option as JSON: name, default, what is allowed in words and where it can be, as data."""
    bounds = {
        key: getattr(option, key) for key in ("low", "high", "choices") if hasattr(option, key)
    }
    return {
        "name": name,
        "default": option.default,
        "allowed": option.allowed,
        **bounds,
        "help": option.help,
    }


def as_text(game: dict[str, Any]) -> str:
    """A described game: a line on it, then a line on each option."""
    lines = [f"{game['name']} ({game['players']} players): {game['summary']}"]
    width = max((len(option["name"]) for option in game["options"]), default=0)
    for option in game["options"]:
        name, default = option["name"], as_word(option["default"])
        lines.append(
            f"  {name:<{width}}  {option['help']}: {option['allowed']} (default {default})"
        )
    return "\n".join(lines)


def as_word(value: OptionValue) -> str:
    """An option's value as a user would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "empty"
