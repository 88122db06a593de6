"""Puzzles from recorded games: positions in which exactly one move wins.

What "exactly one" rests on depends on the game (`Proof`). A game whose own solver decides positions
(Reversi near the end) and a game that the exact solver solves (Hex on small boards) are decided
both ways. A game whose solver only finds wins (Gomoku) has a proven solution; of the other moves
the same search, with the same limit of nodes, finds no win.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from meeple.agents.spec import agent
from meeple.errors import TooLarge, UsageError
from meeple.games.contract.capabilities import PositionSolver, position_solver
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, record_of
from meeple.games.contract.records import replay as replayed
from meeple.search.exact.solver import solve
from meeple.sentences import say

PROVEN = say("puzzle.proven")
SIMULATIONS = (50, 400, 3200)  # of the tree searches that measure how hard a puzzle is
RATINGS = (1200, 1500, 1800, 2100)  # with which a puzzle begins: solved by the first of them, ...
MAX_ANSWERS = 4  # moves of a solution by the person
MAX_REPLIES = 6  # replies that are tried to prolong a solution
NODES = 200_000  # default limit of the proof of each move, in positions or nodes
SLICE_NODES = 2_000  # of a solver, between two checks of the limit
SEED = 1  # of those tree searches
NOTE = "puzzle"  # the note of a record that is a puzzle


@dataclass(frozen=True)
class Puzzle:
    """A position with one winning move, and the moves that follow it.

    Attributes:
        position: the position; the player to move is to find the win.
        solution: actions; the person's moves at even places, replies of the solver at odd ones.
        proof: a phrase: what is known of the other moves.
        sims: simulations of the weakest tree search that finds the first move; None: none does.
    """

    position: Position
    solution: tuple[int, ...]
    proof: str
    sims: int | None

    @property
    def rating(self) -> int:
        """The rating with which the puzzle begins."""
        found = SIMULATIONS.index(self.sims) if self.sims in SIMULATIONS else len(SIMULATIONS)
        return RATINGS[found]

    def record(self) -> GameRecord:
        """Return the puzzle as a record: its opening is the position, the solution follows."""
        played, opening = self.position.copy(), len(self.position.actions)
        for action in self.solution:
            played.play(action)
        notes = {NOTE: {"proof": self.proof, "rating": self.rating}}
        return record_of(played, self.position.game.player_names, opening, notes)


def puzzles(
    records: Iterable[GameRecord],
    nodes: int = NODES,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Puzzle | None]:
    """Yield for each record its earliest puzzle that `nodes` suffice to prove, or None.

    Raises:
        MeepleError: a record breaks the rules.
    """
    provers: dict[str, Prover] = {}
    for record in records:
        if stop():
            return
        position = replayed(record)
        name = repr(position.game)
        if name not in provers:
            provers[name] = Prover(position.game, nodes)
        yield _puzzle_of(position, provers[name])


def _puzzle_of(last: Position, prover: "Prover") -> Puzzle | None:
    """Walk back from the end of a game while its positions can be decided.

    A solver that only finds wins remembers what it has found, so that its results depend on earlier
    searches. A puzzle is checked again without that memory, so that the check can be repeated.
    """
    position = last.copy()
    candidates: list[Position] = []
    while position.actions:
        position.undo()
        if position.to_move < 0:
            break
        winning = prover.winning(position)
        if winning is None and not prover.finds_wins_only:
            break
        if winning and len(winning) == 1 and len(position.legal_actions()) > 1:
            candidates.append(position.copy())
    for candidate in reversed(candidates):
        fresh = Prover(candidate.game, prover.nodes) if prover.finds_wins_only else prover
        puzzle = fresh.puzzle(candidate) if prover.is_hard(candidate) else None
        if puzzle is not None:
            return puzzle
    return None


class Prover:
    """Decides which moves of a position win; one for each game with its options."""

    def __init__(self, game: Game, nodes: int) -> None:
        """Allocate the memory; `nodes` limits each proof.

        Raises:
            UsageError: the game has no puzzles.
        """
        if game.players != 2 or game.hides:
            raise UsageError(f"{game.name} has no puzzles: they are for open games of two players")
        self.nodes, self._solver = nodes, position_solver(game)
        self.finds_wins_only = self._solver is not None and self._solver.finds_wins_only
        self.proof = say("puzzle.searched", n=nodes) if self.finds_wins_only else PROVEN

    def winning(self, position: Position) -> list[int] | None:
        """Return the winning moves, at most two of them; None if the position is not decided."""
        solver, mover = self._solver, position.to_move
        if solver is None:
            try:
                return solve(position, self.nodes).winning_actions[:2]
            except TooLarge:
                return None
        if solver.finds_wins_only and not self._wins(solver, position, mover):
            return None
        found: list[int] = []
        for action in position.legal_actions().tolist():
            after = position.copy()
            after.play(action)
            wins = self._wins(solver, after, mover)
            if wins is None and not solver.finds_wins_only:
                return None
            if wins:
                found.append(action)
            if len(found) > 1:
                break
        return found

    def _wins(self, solver: PositionSolver, position: Position, seat: int) -> bool | None:
        """Return whether a seat wins; None if the solver does not decide it within the limit."""
        if position.is_over:
            return bool(position.payoffs[seat] == 1.0)
        nodes = solver.nodes(position)
        if nodes is None or (nodes > self.nodes and not solver.finds_wins_only):
            return None
        solver.open(position, seat)
        for _ in range(0, self.nodes, SLICE_NODES):
            if solver.advance(SLICE_NODES):
                payoffs = solver.payoffs
                return None if payoffs is None else bool(payoffs[seat] == 1.0)
        return None

    def is_hard(self, position: Position) -> bool:
        """Return whether the only winning move does not end the game at once."""
        for action in position.legal_actions().tolist():
            after = position.copy()
            after.play(action)
            if after.is_over and after.payoffs[position.to_move] == 1.0:
                return False
        return True

    def puzzle(self, position: Position) -> Puzzle | None:
        """Return the puzzle of a position, None unless exactly one move wins."""
        solution: list[int] = []
        walk = position.copy()
        while len(solution) < 2 * MAX_ANSWERS:
            winning = self.winning(walk) or []
            if len(winning) != 1:
                break
            solution += winning
            walk.play(winning[0])
            reply = None if walk.is_over else self._reply(walk)
            if reply is None:
                break
            solution.append(reply)
            walk.play(reply)
        if not solution:
            return None
        if len(solution) % 2 == 0:
            solution.pop()  # a reply that no answer follows
        return Puzzle(position, tuple(solution), self.proof, _simulations(position, solution[0]))

    def _reply(self, position: Position) -> int | None:
        """Return a reply after which one move wins again, not at once; None if none is found."""
        if position.to_move < 0:
            return None
        for action in self._replies(position)[:MAX_REPLIES]:
            after = position.copy()
            after.play(action)
            if after.is_over or after.to_move == position.to_move:
                continue
            winning = self.winning(after)
            if winning is not None and len(winning) == 1 and self.is_hard(after):
                return action
        return None

    def _replies(self, position: Position) -> list[int]:
        """Return the replies to try: the solver's best one first."""
        legal: list[int] = position.legal_actions().tolist()
        solver = self._solver
        if solver is None or self._wins(solver, position, 1 - position.to_move) is None:
            return legal
        best = [action for action in solver.line[:1] if action in legal]
        return best if solver.finds_wins_only else [*best, *(a for a in legal if a not in best)]


def _simulations(position: Position, answer: int) -> int | None:
    """Return how many simulations of tree search are the first that find the answer."""
    for simulations in SIMULATIONS:
        searcher = agent(f"uct:sims={simulations}", position.game, SEED)
        if searcher.choose(position.copy()) == answer:
            return simulations
    return None
