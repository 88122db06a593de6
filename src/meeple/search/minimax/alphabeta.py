"""Minimax by alpha-beta: games of two players without chance, from Python. See `negamax`."""

import copy
import dataclasses
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CANDIDATES, scramble
from meeple.kernels import cache as kernel_cache
from meeple.kernels.memory import larger_part
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.lenient import gumbel_noise
from meeple.search.machine.leaves import TABLES_AT
from meeple.search.machine.stack import new_stack, root_line, root_nodes
from meeple.search.minimax.bounds import AGES
from meeple.search.minimax.deepening import (
    MAX_DEPTH,
    PLAIN,
    Iteration,
    Lookahead,
    MinimaxSettings,
    deepen,
    rules_for,
)
from meeple.search.minimax.memory import PLIES, SHARE, WIN, Frame, new_search
from meeple.search.minimax.negamax import open_root, run_negamax
from meeple.search.minimax.probcut import PROBED_FROM, WIDTH
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.selective import MAX_EXTENSION, list_searched

__all__ = ["AlphaBeta"]

# Slots of the transposition table, 24 bytes each: at first, at most, and for each node searched
# before an iteration. The table of a short search thus stays in the processor's cache.
FIRST_SLOTS, SLOTS, SLOTS_PER_NODE = 1 << 14, 1 << 20, 4


class AlphaBeta:
    """Searches a game of two players without chance; its table is reused from move to move.

    With one thread, results are equal for equal seeds and depths. Further threads search the same
    position and share only the table, every second of them a ply deeper, so that the first thread
    finds much of its work done (lazy SMP, https://www.chessprogramming.org/Lazy_SMP).
    """

    def __init__(
        self,
        game: Game,
        settings: MinimaxSettings = PLAIN,
        *,
        patterns: PatternEvaluation | None = None,
        slots: int = SLOTS,
        seed: int = 0,
    ) -> None:
        """Make a search.

        Args:
            game: a game of two players without hidden information.
            settings: how it is searched.
            patterns: evaluates positions instead of the heuristic.
            slots: maximum size of the table, a power of two.
            seed: of the choice between nearly equal actions.

        Raises:
            UsageError: alpha-beta cannot search the game; the message says what can be done.
        """
        if game.players != 2:
            raise UsageError(f"alpha-beta is for 2 players, and {game!r} has {game.players}")
        if game.hides:
            raise UsageError(f"alpha-beta would see what {game.name} hides; expectimax does not")
        self.game = game
        self._patterns = patterns  # its memory is read by address
        rules = rules_for(game, settings.heuristic, patterns, settings.selective)
        self._search = new_search(game, rules, MAX_EXTENSION + 1, slots)
        self._table = self._search.table  # whole; a search on one thread begins with a part
        self._first_slots = min(slots, FIRST_SLOTS) if settings.threads == 1 else slots
        self._selective, self._loss = settings.selective, settings.loss
        self._search.settings[0].margin = 0 if self._loss else round(2 * settings.margin * SHARE)
        self._ahead = 0  # plies by which an iteration is deeper than asked for
        self._games = 0
        self._searched = 0  # nodes before this move
        self._helpers: list[AlphaBeta] = []
        self._helpers = [self._new_helper(number) for number in range(1, settings.threads)]
        self.begin(seed)
        with kernel_cache.compiling("search"):  # so that no search's clock pays for it
            open_root(self._search, game.start(0).row, np.zeros(0, np.int32), 1)
            run_negamax(self._search, 0)
            self.root_actions(game.start())
            if patterns is not None:
                patterns.stage(game.start())

    def begin(self, seed: int) -> None:
        """Begin a new game; the choice among equal actions depends on the seed."""
        self._rng = numpy_rng(seed)
        # Entries with another salt are never found; they are replaced like those of older searches.
        self._games += 1
        self._search = self._search._replace(table=self._table[: self._first_slots])
        salt = scramble(np.uint64(self._games)) >> np.uint64(1)
        self._search.settings[0].salt = int(salt)
        for number, helper in enumerate(self._helpers, 1):
            helper.begin(seed + number)

    def _new_helper(self, number: int) -> "AlphaBeta":
        """Return a search for another thread, which shares the table of this one."""
        helper, rules = copy.copy(self), self._search.rules.copy()
        helper._ahead = number % 2
        if self._patterns is not None:
            helper._patterns = self._patterns.copy()
            rules[TABLES_AT] = helper._patterns.address
        search = new_search(self.game, rules, MAX_EXTENSION + 1, 1)
        search.settings[0].margin = self._search.settings[0].margin
        helper._search = search._replace(table=self._search.table)
        return helper

    def run(
        self,
        position: Position,
        depth: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Lookahead:
        """Search a position until any limit given is reached; see `deepening.deepen`.

        Raises:
            ChanceMet: the search reached a chance node.
        """
        if not self._helpers:
            return self._run_alone(position, depth, seconds, stop)
        over = threading.Event()
        with ThreadPoolExecutor(len(self._helpers)) as pool:
            others = [
                pool.submit(helper._run_alone, position.copy(), None, seconds, over.is_set)
                for helper in self._helpers
            ]
            try:
                found = self._run_alone(position, depth, seconds, stop)
            finally:
                over.set()
        nodes = sum(other.result().nodes for other in others)
        return dataclasses.replace(found, nodes=found.nodes + nodes)

    def _run_alone(
        self,
        position: Position,
        depth: int | None,
        seconds: float | None,
        stop: Callable[[], bool] | None,
    ) -> Lookahead:
        """Search on the calling thread."""
        self.prepare(position, to_depth=depth is not None)
        return deepen(self, position, self._rng, depth, seconds, stop)

    def root_actions(self, position: Position) -> npt.NDArray[np.int32]:
        """[n] the candidates, or all legal ones; see `deepening.Searcher`."""
        search, moves = self._search, self._search.stack.moves
        count = list_searched(search.rules, position.row, moves, search.flag)
        return moves.actions[:count].copy()

    def enter(self, position: Position, order: npt.NDArray[np.int32], depth: int) -> None:
        """Begin an iteration; see `deepening.Searcher`."""
        depth = min(depth + self._ahead, MAX_DEPTH)
        searched = int(self._search.stack.cursor[0].nodes) - self._searched
        self._enlarge_table(SLOTS_PER_NODE * searched)
        if len(self._search.ranks) <= depth + MAX_EXTENSION + 1:
            self._enlarge(min(2 * depth, MAX_DEPTH) + MAX_EXTENSION)
        settings = self._search.settings[0]
        settings.hint = order[0] if depth > 1 else -1
        settings.deepest = depth + MAX_EXTENSION
        open_root(self._search, position.row, order, depth)

    def prepare(self, position: Position, to_depth: bool) -> None:
        """Forget what earlier searches learned about good actions, and set how selective this is.

        Args:
            position: the root; margins of probes are those measured at the stage of each ply.
            to_depth: whether the search has a limit of depth: it then does not probe.
        """
        search, settings, patterns = self._search, self._search.settings[0], self._patterns
        self._searched = int(search.stack.cursor[0].nodes)
        settings.age = (settings.age + 1) & (AGES - 1)
        settings.reducing = self._selective and self.game.has(CANDIDATES)
        settings.draw = self._rng.integers(1 << 62)
        if self._loss:
            legal = position.legal_actions()
            noise = gumbel_noise(self._rng, len(legal), self._loss)
            search.noise[legal] = np.rint(2 * SHARE * noise)
        search.history[:] = 0
        search.stack.frames["killers"] = -1
        search.margins[:] = 0
        is_probing = self._selective and not to_depth
        if patterns is not None:
            patterns.add_tempo(is_probing)
        if patterns is not None and is_probing:
            stages, occupied = patterns.layout.stage_of, patterns.occupied(position)
            cells = np.minimum(occupied + np.arange(len(search.margins)), len(stages) - 1)
            measured = 2 * WIDTH * SHARE * patterns.deviations[stages[cells]]
            search.margins[:, PROBED_FROM:] = measured[:, PROBED_FROM:]  # most plies fill a cell

    def _enlarge(self, plies: int) -> None:
        """Make room for deeper iterations."""
        old, stack = self._search, new_stack(self.game, plies + 2, Frame)
        stack.frames["killers"] = -1
        stack.frames["killers"][: len(old.ranks)] = old.stack.frames["killers"]
        self._search = old._replace(
            stack=stack._replace(cursor=old.stack.cursor),
            ranks=np.zeros(stack.actions.shape, np.int64),
        )

    def _enlarge_table(self, slots: int) -> None:
        """Use at least this number of slots, if the table has them, and keep all entries."""
        table = larger_part(self._table, len(self._search.table), slots)
        self._search = self._search._replace(table=table)

    def advance(self, nodes: int) -> int:
        """Continue the search; see `deepening.Searcher`."""
        return int(run_negamax(self._search, nodes))

    def iteration(self) -> Iteration:
        """Return the results so far; see `deepening.Searcher`."""
        search, stack, frame = self._search, self._search.stack, self._search.stack.frames[0]
        mover, depth = int(np.int8(stack.states[0, 0])), int(frame.remaining)
        count, finished = int(frame.count), int(frame.next)
        best = int(np.argmax(stack.actions[0, :count] == stack.line[0, 1]))
        score = int(search.scores[best])  # without the bonus of the root
        values = np.full((count, 2), np.nan)
        for child in np.flatnonzero(search.exact[:finished]):
            values[child] = _shares_of(int(search.scores[child]), mover)
        whole = finished == count
        won, lost = score > WIN, whole and score < -WIN and not frame.limited
        # Keep looking for a nearer proven result, since the table may have hidden it.
        nearest = depth >= SHARE - abs(score)
        known = whole and bool(frame.complete)
        value = _shares_of(score, mover)
        # With noise or a margin the choice may be a lesser one, and with noise its score a bound.
        is_greatest = bool(
            value[mover] >= _shares_of(int(search.scores[:count].max()), mover)[mover]
        )
        return Iteration(
            finished=finished,
            order=stack.actions[0, :count].copy(),
            nodes=root_nodes(stack),
            values=values,
            value=value,
            line=root_line(stack),
            proven=((known or lost) and is_greatest and not self._loss) or won,
            final=known or ((won or lost) and nearest),
        )


def _shares_of(score: int, mover: int) -> npt.NDArray[np.float64]:
    """Convert a score of the root's player to both players' shares."""
    half = -(-abs(score) // PLIES) / (2 * (SHARE // PLIES))  # without the plies
    share = 0.5 + half if score > 0 else 0.5 - half
    values = np.full(2, 1.0 - share)
    values[mover] = share
    return values
