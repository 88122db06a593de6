"""The tournament of progressive policies: a round robin of a run's networks, without search.

Value networks and weights of patterns have no policy: each plays the action with the best resulting
state.

Two networks meet at a time; in a game for more players they share the seats as evenly as possible,
in every arrangement. All games are played in lockstep.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from meeple.agents.network_files import NETWORK, VALUES, network_facts
from meeple.agents.networks import checkpoint_files
from meeple.arena.figures.ratings import signed
from meeple.arena.figures.standings import Entry, Standings
from meeple.arena.games.conditions import OnPosition, Progress
from meeple.arena.games.lockstep import (
    MAX_CONCURRENT_GAMES,
    BatchPlayer,
    LiveGame,
    NetworkPlayer,
    patterns_player,
    play_in_lockstep,
    states_player,
)
from meeple.arena.plan.openings import Opening, openings
from meeple.arena.plan.seating import team_lineups, uneven
from meeple.arena.plan.seeds import seeds_of
from meeple.errors import RunError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.records import record_of
from meeple.games.contract.registry import make_from
from meeple.kernels.random_numbers import numpy_rng
from meeple.options import whole_number

Style = Literal["greedy", "epsilon", "sample"]  # how networks choose actions
STYLES: tuple[Style, ...] = ("greedy", "epsilon", "sample")  # all styles

MAX_NETWORKS = 25  # default maximum of networks that take part
EPSILON = 0.05
"""Chance of a random action under "epsilon": about one in two games of Hex 5x5 for a network."""


@dataclass(frozen=True)
class Topp:
    """The outcome; `episodes[i]` and `files[i]` belong to agent i of the standings."""

    run: str
    game: Game
    unit: str  # of `episodes`: "episode", or "round" for networks without a policy
    agent: str  # the spec of the agent that plays with a network alone, up to the network's path
    style: Style
    epsilon: float  # 0 unless the style is "epsilon"
    games_per_pair: int
    seed: int
    episodes: tuple[int, ...]
    files: tuple[str, ...]
    standings: Standings
    interrupted: bool

    @property
    def gain(self) -> tuple[float, float, float]:
        """The rating of the last network minus that of the first, with its 95 % interval."""
        return self.standings.ratings.difference(len(self.files) - 1, 0)

    @property
    def steps_up(self) -> int:
        """The number of networks rated at least one Elo point above the one before."""
        return int((np.diff(self.standings.ratings.elo) >= 1).sum())

    def verdict(self) -> str:
        """Describe whether the ratings rise with training."""
        gain, low, high = self.gain
        first, last = self.episodes[0], self.episodes[-1]
        if low > 0:
            claim = "Ratings rise with training"
        elif high < 0:
            claim = "Ratings fall with training"
        else:
            claim = "It is not shown that ratings rise with training"
        return (
            f"{claim}: {self.unit} {last} is rated {signed(gain)} Elo against {self.unit} {first} "
            f"(95 % interval {signed(low)} to {signed(high)}), and {self.steps_up} of "
            f"{len(self.episodes) - 1} steps from one network to the next go up."
        )

    @property
    def uneven(self) -> int:
        """The maximum number of games of a pair beyond an equal number in each seat."""
        pairs: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for entry in self.standings.entries:
            pair = tuple(sorted(set(entry.lineup)))
            pairs.setdefault(pair, []).append(tuple(map(pair.index, entry.lineup)))
        return max((uneven(lineups, 2) for lineups in pairs.values()), default=0)

    def method(self) -> str:
        """Describe how the games were played, and its effect on the intervals."""
        how = {
            "greedy": (
                "Each network plays its best action, so two networks would always repeat one game. "
                "Therefore games begin with first moves drawn at random (in a game of chance: with "
                "different seeds), the same ones for each order of seats; the first begin without."
            ),
            "epsilon": (
                "Each network plays its best action, or with a chance of "
                f"{self.epsilon:g} any legal one."
            ),
            "sample": "Each network plays by the probabilities of its policy.",
        }[self.style]
        played = len(self.standings.entries)
        return (
            f"{how} {self._seats()} {self.standings.distinct} of the {played} "
            "games are different; intervals count all of them as independent, and are too narrow "
            "where games repeat."
        )

    def _seats(self) -> str:
        if self.game.has_par:
            return "Two networks play each deal; the one with more points wins it."
        if len(self.game.sides) == 2:
            return "The starting player alternates."
        seats = (
            f"Two networks share the {len(self.game.sides)} seats, in every arrangement; a "
            "network's share is that of all seats it holds."
        )
        return f"{seats} Games beyond an equal number in every seat: {self.uneven}."

    def to_json(self) -> dict[str, Any]:
        """Return all but the games as JSON; `matrix[i][j]` is network i's share against j."""
        gain, low, high = self.gain
        networks = zip(self.episodes, self.files, self.standings.to_json(), strict=True)
        return {
            "run": self.run,
            "game": self.game.name,
            "options": dict(self.game.options),
            "unit": self.unit,
            "policy": self.style,
            "epsilon": self.epsilon,
            "games_per_pair": self.games_per_pair,
            "games": len(self.standings.entries),
            "distinct_games": self.standings.distinct,
            "seed": self.seed,
            "networks": [
                {"episode": episode, "file": file, **figures} for episode, file, figures in networks
            ],
            "matrix": self.standings.matrix_json(),
            "gain": {"rating": gain, "interval": [low, high]},
            "steps_up": self.steps_up,
        }


class Field(NamedTuple):
    """The networks that take part, with their game."""

    game: Game
    unit: str
    agent: str
    players: list[BatchPlayer]


def play_topp(
    run: str | Path,
    games: int = 50,
    style: Style = "greedy",
    epsilon: float = EPSILON,
    seed: int = 7,
    *,
    networks: int = MAX_NETWORKS,
    progress: Progress | None = None,
    on_position: OnPosition | None = None,
) -> Topp:
    """Play `games` games between every two networks of a run's folder.

    Two networks meet at a time, in every arrangement of the seats. The style "greedy" plays the
    best action; "epsilon" plays a random action with probability `epsilon`, else the best; "sample"
    draws from the network's policy. Two greedy networks would repeat the same games; with "greedy",
    the games of a pair therefore begin with openings, the same one for each order of seats, and the
    first games with none (see `meeple.arena.plan.openings`). If a run saved more than `networks`
    networks, that number takes part, evenly spaced from the first to the last.

    Ctrl-C ends the tournament with the games played so far. The result depends on the arguments
    alone.

    Args:
        run: the folder.
        games: number of games of a pair.
        style: how networks choose actions.
        epsilon: the probability of a random action, for "epsilon".
        seed: of all games.
        networks: the maximum number of networks.
        progress: called with the number of finished games and of all games.
        on_position: called with the number of a game, the networks by seat and each position; it
            implies one game at a time.

    Raises:
        UsageError: A number is wrong.
        RunError: The folder has fewer than two networks.
        CheckpointError: A network cannot be read, or its game differs from the first network's.
    """
    games, seed = whole_number(games, "games", 1), whole_number(seed, "a seed")
    networks = whole_number(networks, "networks", 2)
    _check(style, epsilon)
    files = _spread(checkpoint_files(run), networks)
    if len(files) < 2:
        raise RunError(f"{run} holds one network only; a tournament needs at least two")
    chance = epsilon if style == "epsilon" else 0.0
    names = [file.stem for _, file in files]
    field, standings, whole = play_networks(
        [file for _, file in files], names, games, style, chance, seed, progress, on_position
    )
    return Topp(
        run=str(run),
        game=field.game,
        unit=field.unit,
        agent=field.agent,
        style=style,
        epsilon=chance,
        games_per_pair=games,
        seed=seed,
        episodes=tuple(episode for episode, _ in files),
        files=tuple(file.name for _, file in files),
        standings=standings,
        interrupted=not whole,
    )


def play_networks(
    files: Sequence[Path],
    names: Sequence[str],
    games: int,
    style: Style,
    chance: float,
    seed: int,
    progress: Progress | None = None,
    on_position: OnPosition | None = None,
) -> tuple[Field, Standings, bool]:
    """Play `games` games between every two networks; see `play_topp`.

    Args:
        files: the networks, all of one game.
        names: of the networks, in records and standings.
        games: number of games of a pair.
        style: how networks choose actions.
        chance: of a random action.
        seed: of all games.
        progress: called with the number of finished games and of all games.
        on_position: see `play_topp`.

    Returns:
        The networks with their game, the standings, and whether all games were played.

    Raises:
        UsageError: the networks have no policy, and the style needs one.
        CheckpointError: a network cannot be read, or its game differs from the first network's.
    """
    field = _load(files, style, chance)
    lineups = _lineups(field.game, len(files), games)
    waiting = _begin(field.game, lineups, games, seed, opened=style == "greedy")
    entries, whole = _play(waiting, field.players, names, len(lineups), progress, on_position)
    return field, Standings(names, entries), whole


def _play(
    waiting: Iterator[LiveGame],
    players: Sequence[BatchPlayer],
    names: Sequence[str],
    total: int,
    progress: Progress | None,
    on_position: OnPosition | None,
) -> tuple[list[Entry], bool]:
    """Play all games; return the finished ones in order, and whether they are all."""
    finished: dict[int, Entry] = {}

    def show(live: LiveGame) -> None:
        if on_position is not None:
            on_position(live.number, tuple(names[agent] for agent in live.lineup), live.position)

    whole = True
    at_once = MAX_CONCURRENT_GAMES if on_position is None else 1
    try:
        for over in play_in_lockstep(waiting, players, at_once, on_position=show):
            finished[over.number] = _entry(over, names)
            if progress:
                progress(len(finished), total)
    except KeyboardInterrupt:
        whole = False
    return [finished[number] for number in sorted(finished)], whole


def _check(style: str, epsilon: float) -> None:
    if style not in STYLES:
        raise UsageError(f"policy must be one of {', '.join(STYLES)}, not '{style}'")
    if not 0 <= epsilon <= 1:
        raise UsageError(f"epsilon must be a number from 0 to 1, not {epsilon}")


def _spread(files: list[tuple[int, Path]], most: int) -> list[tuple[int, Path]]:
    """Return at most `most` of the files, evenly spaced from the first to the last."""
    if len(files) <= most:
        return files
    return [files[round(at)] for at in np.linspace(0, len(files) - 1, most)]


def _load(files: Sequence[Path], style: Style, chance: float) -> Field:
    """Load the networks and check that they have the game of the first one."""
    facts = network_facts(files[0])
    game = make_from(facts.game, facts.options)
    if facts.kind is not NETWORK:
        if style != "greedy":
            raise UsageError(
                f"policy must be greedy, not {style}: these networks have no policy to draw from"
            )
        agent, player = "minimax:depth=1,eval=", patterns_player
        if facts.kind is VALUES:
            agent, player = "states:", states_player
        return Field(game, "round", agent, [player(file, game) for file in files])
    from meeple.nets.checkpoint import load
    from meeple.nets.inference import Predictor

    options = dict(game.options)
    checkpoints = [
        load(file, game=game.name, options=options, unsaid=game.unsaid) for file in files
    ]
    temperature = 1.0 if style == "sample" else 0.0
    players: list[BatchPlayer] = [
        NetworkPlayer(Predictor(checkpoint.weights, "float32"), chance, temperature)
        for checkpoint in checkpoints
    ]
    return Field(game, "episode", "policy:", players)


def _lineups(game: Game, networks: int, games: int) -> list[tuple[int, ...]]:
    """Return the line-ups of all games: for each pair of networks, `games` in rotated seats."""
    plan = team_lineups(2, game.sides)
    return [
        tuple(pair[network] for network in plan[n % len(plan)])
        for pair in itertools.combinations(range(networks), 2)
        for n in range(games)
    ]


def _begin(
    game: Game, lineups: Sequence[tuple[int, ...]], games: int, seed: int, *, opened: bool
) -> Iterator[LiveGame]:
    """Yield all games at their starts; with `opened`, each order of seats has the same opening."""
    orders = len(team_lineups(2, game.sides))
    shared = openings(game, -(-games // orders) if opened else 0, seed)
    for number, lineup in enumerate(lineups):
        bare = Opening(seeds_of(seed, 1, number, count=1)[0])
        opening = shared[number % games // orders] if opened else bare
        rng = numpy_rng(seed, 1, number)
        yield LiveGame(number, lineup, opening.position(game), len(opening.actions), rng)


def _entry(game: LiveGame, names: Sequence[str]) -> Entry:
    seats = [names[agent] for agent in game.lineup]
    return Entry(game.lineup, record_of(game.position, seats, game.opening))
