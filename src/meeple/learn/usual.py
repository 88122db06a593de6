"""The usual configurations of a game: one for each training method that fits it."""

import json
from collections.abc import Callable, Iterable, Mapping

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import HasPatterns
from meeple.kernels import SEAT_FEATURES
from meeple.learn.config import (
    AnyConfig,
    Config,
    PatternsConfig,
    ValuesConfig,
    parse_sections,
)
from meeple.search.patterns.drawn import Drawn
from meeple.search.patterns.learning import games_at_once

MANY = 1_000_000  # episodes or rounds of a run that ends by its minutes
MAX_RANDOM_PLIES = 4  # of an episode of self-play: its first moves, for variety
DEALS_WEIGHT_DECAY = 0.001  # in a game for one side, whose critic else memorises the deals
MAX_OPENING = 10  # the same, of a game that patterns learn from


def usual_configs(game: Game) -> Mapping[str, AnyConfig]:
    """Return the configurations of the methods that fit a game, by name.

    A game that declares patterns may also learn by drawn ones. The runs end by `run.minutes`, which
    is to be set. Methods that learn faster come first.

    Raises:
        UsageError: the patterns that the game declares are wrong, or no method fits.
    """
    makers: dict[str, Callable[[Game], AnyConfig]] = {
        "patterns": patterns_config,
        "drawn-patterns": _drawn_config,
        "values": _values_config,
        "self-play": config_for,
    }
    found = {}
    for name, make in makers.items():
        try:
            found[name] = make(game)
        except UsageError:  # the method does not fit
            if make is patterns_config and isinstance(game, HasPatterns):
                raise
    return found or {"self-play": config_for(game)}


def config_for(game: Game, changes: Iterable[str] = ()) -> Config:
    """Return a configuration that learns a game by self-play with a small network.

    `changes`: fields that differ, such as "search.simulations=64". Raises ConfigError.
    """
    text = f"""
        {_game_section(game)}
        [run]
        episodes = {MANY}
        networks = 6
        [network]
        hidden = [128, 64]
        [search]
        mode = "alphazero"
        simulations = 32
        [selfplay]
        games = 32
        random_plies = {min(MAX_RANDOM_PLIES, game.max_plies // 4)}
        [training]
        learning_rate = 0.001
        batches = 2.0
        weight_decay = {DEALS_WEIGHT_DECAY if game.has_par else 0.0}
    """
    return parse_sections(Config, text, changes, f"the configuration of {game.name}")


def patterns_config(game: Game, changes: Iterable[str] = ()) -> PatternsConfig:
    """Return a configuration that learns a game by its patterns or, if it has none, drawn ones.

    Raises UsageError if patterns cannot evaluate the game's positions.
    """
    text = f"""
        {_game_section(game)}
        [run]
        rounds = {MANY}
        [training]
        games = {2 * games_at_once(game)}
        opening = {min(MAX_OPENING, game.max_plies // 4)}
    """
    config = parse_sections(PatternsConfig, text, changes)
    if config.draws(game):
        Drawn.for_game(game, config.run.seed)  # says why there is nothing to draw
    return config


def _drawn_config(game: Game) -> PatternsConfig:
    """Raises UsageError if the game declares no patterns, or has no board to draw others on."""
    if not isinstance(game, HasPatterns):
        raise UsageError(f"{game.name} declares no patterns: all are drawn")
    return patterns_config(game, ["training.drawn=true"])


def _values_config(game: Game) -> ValuesConfig:
    """Raises UsageError if the game does not say what such a network is to see."""
    if not game.has(SEAT_FEATURES):
        raise UsageError(f"{game.name} has no features of seats")
    text = f"""
        {_game_section(game)}
        [run]
        rounds = {MANY}
        [labels]
        results = 800
        games = 400
        [gate]
        games = 200
    """
    return parse_sections(ValuesConfig, text)


def _game_section(game: Game) -> str:
    options = ", ".join(f"{name} = {json.dumps(value)}" for name, value in game.options.items())
    return f"""
        [game]
        name = {json.dumps(game.name)}
        options = {{ {options} }}
    """
