"""One game between agents, from the opening to the end, with the time of each seat."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from meeple.agents.agent import Agent
from meeple.arena.games.forfeit import STRICT, Fault, FaultRule, fault_of
from meeple.arena.plan.openings import Opening
from meeple.errors import MeepleError, Stopped
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE


@dataclass(frozen=True)
class Played:
    """A finished game with its costs: choices, seconds and simulations of each seat."""

    position: Position
    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    simulations: tuple[int, ...]
    habits: Mapping[str, Sequence[float]]  # of each seat, as the game counts them
    fault: Fault | None = None  # that ended the game before the rules did


class _Costs:
    """The costs of each seat so far."""

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

    `seeds` holds the seed of the start position, then one for each seat's agent. With an `opening`,
    the game begins there. `on_position` is called with the opening and the position after every
    action, which it must not change. If the `rule` allows an agent to fail, its failure ends the
    game with a fault.

    Raises:
        Stopped: `stopped` returned true between two moves.
        MeepleError: An agent chose an illegal action; the message names the seat.
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
    """Start a game for every agent; return the fault of the first that fails."""
    for seat, (agent, seed) in enumerate(zip(seats, seeds, strict=True)):
        try:
            agent.begin(seed)
        except MeepleError as error:
            if not rule.forgives(error):
                raise
            return fault_of(error, seat)
    return None


def _move(position: Position, agent: Agent, costs: _Costs, rule: FaultRule) -> None:
    """Play the choice of the seat to move, after checking its time and its legality."""
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
