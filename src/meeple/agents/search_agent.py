"""Agents that search: UCT with random rollouts. Search itself lives in `meeple.search`."""

from collections.abc import Mapping

from meeple.agents.agent import Analysis
from meeple.errors import SpecError
from meeple.games.game import Game
from meeple.games.position import Position
from meeple.search.result import SearchResult
from meeple.search.uct import UctSearch


class UctAgent:
    """UCT with random rollouts, by simulations or seconds a move; its trees last all game."""

    def __init__(
        self,
        game: Game,
        *,
        simulations: int | None,
        seconds: float | None,
        exploration: float,
        threads: int,
        seed: int = 0,
    ) -> None:
        self.spec = "uct"
        self.analysis: Analysis | None = None
        self.simulations = simulations
        self.seconds = seconds
        self._search = UctSearch(game, exploration=exploration, threads=threads, seed=seed)

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._search.begin(seed)

    def choose(self, position: Position) -> int:
        """The action that search favours: a proven win, or the most visited."""
        result = self._search.run(position, self.simulations, self.seconds)
        self.analysis = analysis_of(result)
        return result.best


def analysis_of(result: SearchResult) -> Analysis:
    """What a search found, as an agent reports it."""
    return Analysis(
        actions=result.actions,
        visits=result.visits,
        policy=result.policy.astype("float32"),
        value=result.value,
        principal_variation=tuple(result.principal_variation),
        simulations=result.simulations,
        seconds=result.seconds,
        action_values=result.values,
    )


def make_uct(game: Game, options: Mapping[str, float], seed: int) -> UctAgent:
    """`uct:sims=N`, `uct:seconds=T`, or both: whichever limit comes first."""
    if "sims" not in options and "seconds" not in options:
        raise SpecError("uct needs a limit: write uct:sims=1000 or uct:seconds=0.5")
    return UctAgent(
        game,
        simulations=int(options["sims"]) if "sims" in options else None,
        seconds=options.get("seconds"),
        exploration=options["c"],
        threads=int(options["threads"]),
        seed=seed,
    )
