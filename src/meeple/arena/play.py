"""One game between agents, from the opening to the end, with the time each seat took."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from meeple.agents.agent import Agent
from meeple.arena.openings import Opening
from meeple.errors import MeepleError, Stopped
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE


@dataclass(frozen=True)
class Played:
    """A game that ended, and what it cost: of each seat the number of choices, their seconds and
    their simulations, as far as the agent tells.
    """

    position: Position
    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    simulations: tuple[int, ...]
    habits: Mapping[str, Sequence[float]]  # of each seat, as the game counts them


def play_game(
    game: Game,
    seats: Sequence[Agent],
    seeds: Sequence[int],
    *,
    opening: Opening | None = None,
    on_position: Callable[[Position], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a game with an agent in each seat.

    `seeds` holds one for the opening position, then one for each seat's agent. With an `opening`,
    the game begins there. `on_position` sees the opening and the position after every action and
    must not change it. Raises Stopped if `stopped` says so between two moves, and MeepleError,
    naming the seat, for an agent that chooses what the rules do not allow.
    """
    position = game.start(seeds[0]) if opening is None else opening.position(game)
    for agent, seed in zip(seats, seeds[1:], strict=True):
        agent.begin(seed)
    choices, seconds, simulations = [0] * len(seats), [0.0] * len(seats), [0] * len(seats)
    if on_position:
        on_position(position)
    while not position.is_over:
        if stopped():
            raise Stopped
        seat = position.to_move
        if seat == CHANCE:
            position.play_chance()
        else:
            started = time.perf_counter()
            action = seats[seat].choose(position)
            seconds[seat] += time.perf_counter() - started
            choices[seat] += 1
            found = getattr(seats[seat], "analysis", None)  # agents of one's own may have none
            simulations[seat] += found.simulations if found is not None else 0
            _play(position, action, seats[seat])
        if on_position:
            on_position(position)
    habits = game.habits(position)
    return Played(position, tuple(choices), tuple(seconds), tuple(simulations), habits)


def _play(position: Position, action: int, agent: Agent) -> None:
    seat = position.to_move
    try:
        position.play(action)
    except MeepleError as error:
        raise MeepleError(f"{agent.spec} in seat {seat + 1} made a false move: {error}") from error
