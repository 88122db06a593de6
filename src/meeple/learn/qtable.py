"""Learning a Q-table: UCT plays games, and the table keeps what its searches find."""

from collections.abc import Callable

import numpy as np

from meeple.agents.agent import Agent
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.mcts.uct_kernels import PLAIN
from meeple.search.qtable.collect import Collector
from meeple.search.qtable.table import TRUST, Edges, QTable
from meeple.search.qtable.warm_start import WarmStart
from meeple.search.result import SearchResult

DRAWN_PLIES = 12  # from the start, whose actions are drawn by their visits, so that games differ


def learn(
    table: QTable,
    games: int,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    trust: int = TRUST,
    settings: UctSettings = PLAIN,
    against: Agent | None = None,
    progress: Callable[[int], bool] | None = None,
) -> None:
    """Play games of self-play; each search starts with what the table has learned so far.

    The table is updated when a game is over, so an exception leaves it consistent. Games are
    numbered after those that the table was learned from: a second call plays other games. Equal
    seeds give equal tables, unless searches stop by the clock.

    Args:
        table: the Q-table, updated in place.
        games: the number of games to play.
        simulations: per search; this or `seconds` is required.
        seconds: per search.
        seed: of all randomness, together with the games' numbers.
        trust: the weight of the table's values in a new tree, as `WarmStart` takes it.
        settings: the settings of the searches.
        against: an agent that plays all seats but one, which changes from game to game.
        progress: called after each game with the number of games done; returning False stops.
    """
    collector = Collector()
    search = TreeSearch(OpenUct(table.game, settings), phases=(WarmStart(table, trust), collector))
    for done in range(games):
        seat = None if against is None else table.games % table.game.players
        found = _play(search, collector, [seed, table.games], simulations, seconds, seat, against)
        table.add(found, games=1)
        if progress and not progress(done + 1):
            return


def _play(
    search: TreeSearch[OpenUct],
    collector: Collector,
    seeds: list[int],
    simulations: int | None,
    seconds: float | None,
    seat: int | None,
    against: Agent | None,
) -> list[Edges]:
    """What the searches of one game found, in all seats or in one."""
    rng = numpy_rng(*seeds)
    position = search.game.start(seed=int(rng.integers(2**32)))
    search.begin(int(rng.integers(2**32)))
    if against is not None:
        against.begin(int(rng.integers(2**32)))
    found: list[Edges] = []
    while not position.is_over:
        if position.to_move == CHANCE:
            position.play_chance()
            continue
        if against is not None and position.to_move != seat:
            position.play(against.choose(position))
            continue
        result = search.run(position, simulations, seconds)
        found += collector.collected(position)
        position.play(_action(result, position, rng))
    return found


def _action(result: SearchResult, position: Position, rng: np.random.Generator) -> int:
    if result.proven or len(position.actions) >= DRAWN_PLIES:
        return result.best
    return int(rng.choice(result.actions, p=result.policy))
