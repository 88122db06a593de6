"""One game between agents, from the opening to the end, with the time each seat took."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from meeple.agents.agent import Agent
from meeple.arena.forfeit import STRICT, Fault, FaultRule, fault_of
from meeple.arena.openings import Opening
from meeple.errors import MeepleError, Stopped
from meeple.games.contract import capabilities
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
    fault: Fault | None = None  # that ended the game before the rules did


class _Costs:
    """What each seat has taken so far."""

    def __init__(self, seats: int) -> None:
        self.choices, self.seconds, self.simulations = [0] * seats, [0.0] * seats, [0] * seats

    def add(self, seat: int, seconds: float, agent: Agent) -> None:
        self.choices[seat] += 1
        self.seconds[seat] += seconds
        found = getattr(agent, "analysis", None)  # agents of one's own may have none
        self.simulations[seat] += found.simulations if found is not None else 0


def play_game(
    game: Game,
    seats: Sequence[Agent],
    seeds: Sequence[int],
    *,
    opening: Opening | None = None,
    on_position: Callable[[Position], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
    rule: FaultRule = STRICT,
) -> Played:
    """Play a game with an agent in each seat.

    `seeds` holds one for the opening position, then one for each seat's agent. With an `opening`,
    the game begins there. `on_position` sees the opening and the position after every action and
    must not change it. Raises Stopped if `stopped` says so between two moves, and MeepleError,
    naming the seat, for an agent that chooses what the rules do not allow. Where the `rule`
    forgives an agent's failing, the game ends there, with its fault.
    """
    position = game.start(seeds[0]) if opening is None else opening.position(game)
    costs = _Costs(len(seats))
    fault = _begin(seats, seeds[1:], rule)
    if on_position:
        on_position(position)
    while not position.is_over and fault is None:
        if stopped():
            raise Stopped
        seat = position.to_move
        if seat == CHANCE:
            position.play_chance()
        else:
            try:
                _move(position, seats[seat], costs, rule)
            except MeepleError as error:
                if not rule.forgives(error):
                    raise
                fault = fault_of(error, seat)
                break
        if on_position:
            on_position(position)
    return Played(
        position,
        tuple(costs.choices),
        tuple(costs.seconds),
        tuple(costs.simulations),
        capabilities.habits(position) if fault is None else {},
        fault,
    )


def _begin(seats: Sequence[Agent], seeds: Sequence[int], rule: FaultRule) -> Fault | None:
    """Tell every agent that a game starts; the first that fails has lost it."""
    for seat, (agent, seed) in enumerate(zip(seats, seeds, strict=True)):
        try:
            agent.begin(seed)
        except MeepleError as error:
            if not rule.forgives(error):
                raise
            return fault_of(error, seat)
    return None


def _move(position: Position, agent: Agent, costs: _Costs, rule: FaultRule) -> None:
    """The choice of the seat to move, in time and by the rules."""
    seat = position.to_move
    started = time.perf_counter()
    action = agent.choose(position)
    seconds = time.perf_counter() - started
    costs.add(seat, seconds, agent)
    rule.check_time(agent, seconds)
    try:
        position.play(action)
    except MeepleError as error:
        raise MeepleError(f"{agent.spec} in seat {seat + 1} made a false move: {error}") from error
