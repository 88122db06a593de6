"""Search of one position with an evaluator such as a network: PUCT, leaves in batches."""

from collections.abc import Callable

from meeple.games.contract.game import Game, Position
from meeple.kernels.table import are_kernels_put_off
from meeple.search.batch import StateBatch, start_states
from meeple.search.budget import Budget
from meeple.search.checks import check_decision
from meeple.search.evaluators import Evaluator
from meeple.search.mcts.lockstep import PUCT, Lockstep, LockstepOptions
from meeple.search.mcts.tree import moves_since
from meeple.search.result import SearchResult


class NetworkSearch:
    """A search that keeps its tree from move to move; deterministic by simulations.

    Where the game hides something, it knows no more than the player to move, and begins anew.
    """

    reports_priors = True

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        *,
        exploration: float = 0.5,
        leaves: int = 8,
        room: int = 20_000,
        seed: int = 0,
    ) -> None:
        """`leaves` are evaluated in one batch; `room`: expansions that the tree has room for."""
        self.game = game
        self.begins_anew = game.hides
        self.evaluator = evaluator
        self._options = LockstepOptions(
            rule=PUCT, exploration=exploration, leaves=leaves, room=room
        )
        # A network's first call is slow, and no search's clock should pay for it.
        if not are_kernels_put_off():
            evaluator.evaluate(StateBatch(game, start_states(game, [0])))
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Forget the tree."""
        self._lockstep = Lockstep(self.game, 1, self._options, seed)
        self._history: tuple[int, ...] | None = None

    @property
    def capacity(self) -> int:
        """Nodes that the tree has room for."""
        return self._lockstep.capacity

    def run(
        self,
        position: Position,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Search a decision position until a limit is reached; at least one must be given.

        `stop` is asked before every batch of leaves but the first.

        Raises NetworkError where a network's output is not finite; the tree is then forgotten.
        """
        budget = Budget(simulations, seconds, stop)
        check_decision(self.game, position)
        try:
            return self._run(position, budget)
        except BaseException:
            self._history = None  # a round broken off leaves the tree with visits of no result
            raise

    def _run(self, position: Position, budget: Budget) -> SearchResult:
        self._take_root(position)
        # A root is expanded by its first simulation and has visited children after the second.
        wanted = None if budget.simulations is None else max(budget.simulations, 2)
        ran = self._lockstep.run(self.evaluator, 2)
        if wanted is None or wanted > ran:
            more = None if wanted is None else wanted - ran
            ran += self._lockstep.run(self.evaluator, more, budget)
        return self._lockstep.result(0, ran, budget.elapsed)

    def _take_root(self, position: Position) -> None:
        """Keep the subtree of the moves played since the last search, or start afresh."""
        history = (position.seed, *position.actions)  # an opening may be drawn by the seed
        steps = moves_since(self._history, history)
        self._history = history
        if steps is None or self.game.hides:  # who is to move now may know other things
            self._lockstep.begin([position])
        else:
            self._lockstep.follow(0, steps, position.row)
