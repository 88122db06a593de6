"""Meeple learns to play board games and plays them with you.

The names below suffice for most programs: a game, its positions, agents, matches, exact values.
To write a game, a search, an agent or a training loop, use these modules:

- Common: `meeple.errors`, `meeple.options`.
- To write a game: `meeple.kernels`, `meeple.games.contract.game`,
  `meeple.games.contract.position`, `meeple.games.contract.rules`,
  `meeple.games.contract.symmetry`, `meeple.games.contract.belief`,
  `meeple.games.contract.registry`, `meeple.games.contract.records`; to draw boards
  `meeple.games.boards.grid`, `meeple.games.boards.drawing`, `meeple.games.boards.menu`,
  `meeple.games.boards.scene`.
- To use a search: `meeple.search.result`, `meeple.search.mcts.uct`,
  `meeple.search.mcts.puct`, `meeple.search.mcts.lockstep`,
  `meeple.search.mcts.information_set`, `meeple.search.minimax.alphabeta`,
  `meeple.search.minimax.expectimax`, `meeple.search.minimax.greedy`,
  `meeple.search.exact.solver`, `meeple.search.exact.cfr`,
  `meeple.search.exact.information_tree`, `meeple.search.evaluators`, `meeple.search.qtable.table`,
  `meeple.search.qtable.file`, `meeple.search.perft`, `meeple.search.random_games`.
- To write a search: `meeple.search.budget`, `meeple.search.checks`,
  `meeple.search.determinization`, `meeple.search.batch`, `meeple.search.moves`,
  `meeple.search.rollouts`, `meeple.search.mcts.tree`, `meeple.search.mcts.descent`,
  `meeple.search.mcts.selection`.
- To write an agent: `meeple.agents.agent`, `meeple.agents.loaded`, `meeple.agents.exploitability`,
  `meeple.agents.spec`, `meeple.agents.kinds`,
  `meeple.agents.networks`, `meeple.agents.search_agent`.
- Networks: `meeple.nets.architecture`, `meeple.nets.graph`,
  `meeple.nets.network`, `meeple.nets.inference`, `meeple.nets.training`,
  `meeple.nets.checkpoint`, `meeple.tensor_file`.
- Learning: `meeple.learn.training_run`, `meeple.learn.config`, `meeple.learn.loop`,
  `meeple.learn.run.run`, `meeple.learn.run.folder`, `meeple.learn.selfplay.play`,
  `meeple.learn.selfplay.episode`, `meeple.learn.selfplay.replay`,
  `meeple.learn.run.metrics`, `meeple.learn.qtable`.
- Matches and ratings: `meeple.arena.match`, `meeple.arena.tournament`, `meeple.arena.topp`,
  `meeple.arena.games.conditions`,
  `meeple.arena.plan.openings`, `meeple.arena.figures.match_result`,
  `meeple.arena.figures.standings`, `meeple.arena.figures.ratings`,
  `meeple.arena.figures.statistics`.
- Other programs: `meeple.protocols.records.formats`, `meeple.interop.pettingzoo`,
  `meeple.interop.gymnasium`, `meeple.interop.vector`, `meeple.interop.rewards`.

Payoffs and values are shares of the win in [0, 1], one for each player, that sum to 1. A player is
the index of a seat, from 0. Shapes are in brackets: `[N, players]`.
"""

import importlib
from typing import TYPE_CHECKING, Any

from meeple.errors import IllegalAction, MeepleError

if TYPE_CHECKING:
    from meeple.agents.exploitability import exploitability
    from meeple.agents.loaded import analyse, load
    from meeple.agents.spec import agent
    from meeple.arena.match import match
    from meeple.arena.tournament import tournament
    from meeple.games.contract.game import Position
    from meeple.games.contract.registry import make
    from meeple.kernels import CHANCE, OVER
    from meeple.learn.training_run import train
    from meeple.search.exact.solver import solve

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "OVER",
    "IllegalAction",
    "MeepleError",
    "Position",
    "agent",
    "analyse",
    "exploitability",
    "load",
    "make",
    "match",
    "solve",
    "tournament",
    "train",
]

_ON_DEMAND = {
    "CHANCE": "meeple.kernels",
    "OVER": "meeple.kernels",
    "Position": "meeple.games.contract.game",
    "agent": "meeple.agents.spec",
    "analyse": "meeple.agents.loaded",
    "exploitability": "meeple.agents.exploitability",
    "load": "meeple.agents.loaded",
    "make": "meeple.games.contract.registry",
    "match": "meeple.arena.match",
    "solve": "meeple.search.exact.solver",
    "tournament": "meeple.arena.tournament",
    "train": "meeple.learn.training_run",
}
"""The modules of public names, imported when a name is first used: importing the compiler takes
half a second."""


def __getattr__(name: str) -> Any:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module 'meeple' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(_ON_DEMAND[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_ON_DEMAND})
