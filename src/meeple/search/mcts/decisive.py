"""Decisive moves: actions that win at once, and actions that let the next player win at once.

A look-ahead of two plies at the root (Teytaud and Teytaud, "On the huge benefit of decisive moves
in Monte-Carlo tree search algorithms", 2010), a named phase beside the textbook's descent: without
it a search is what `examples/mcts.py` shows. Before the search, it looks for a win in one, and for
a winning reply to one action, which it then tries after all other actions. After the search, it
looks for a winning reply to the chosen action; if there is one, it chooses the next best. So if
nothing is decisive, the phase lists moves three times, not once for each action.

An action is decisive if one player then has won, or can win by its next action. The look-ahead ends
at a chance node, and if the same player acts again.
"""

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game, Position
from meeple.search.determinization import Determinizer
from meeple.search.mcts.decisive_kernels import (
    ALL_LOSE,
    NOTHING,
    OPEN,
    SOME,
    check_action,
    find_decisive,
    new_look_ahead,
)
from meeple.search.result import SearchResult, with_choice

DETERMINIZATIONS = 32
"""Number of determinizations; an action is decisive if it is decisive in all of them."""

ENDING_TOLERANCE = 0.01  # shares given up at most for an action that ends the game


class DecisiveMoves:
    """Finds the decisive moves of positions.

    `winners` [num_actions] holds the certain winner after each action, or OPEN.
    """

    def __init__(
        self, game: Game, *, determinizer: Determinizer | None = None, seed: int = 0
    ) -> None:
        """`determinizer`: that of the search; None: a new one, used if the game hides something."""
        self.game = game
        self._hides = game.hides
        self._is_shared = determinizer is not None
        self._determinizer = determinizer or Determinizer(game)
        self._row = np.zeros((1, game.state_bytes), dtype=np.uint8)
        self._found: int = NOTHING
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start another game: load the kernels and seed the generator."""
        self._look = new_look_ahead(self.game)
        self.winners = self._look.winners
        self._rng = kernels.new_rng(seed, DETERMINIZATIONS)
        if not self._is_shared:
            self._determinizer.begin(seed)

    def look(self, position: Position, root: npt.NDArray[np.uint8]) -> bool:
        """Set `winners` before a position is searched; True if any action is decisive.

        `root` [state_bytes] is the position's state.
        """
        root = self._determinize(position) if self._hides else root
        self._found = find_decisive(self._look, root)
        if self._hides and self._found >= SOME:
            self._found = self._agreed(position)
        return self._found >= SOME

    def settled(self, result: SearchResult, position: Position) -> SearchResult:
        """Return a search result with a decisive choice; call `look` before the search.

        The choice is a win in one if there is any, and no action that lets the next player win at
        once if there is another. An action that ends the game is chosen if the search expects at
        most ENDING_TOLERANCE more of its own choice, and has not proven more. Determinizations
        prove nothing.
        """
        unknown = self._found != NOTHING or self._hides
        if not unknown and check_action(self._look, result.best) == OPEN:
            return result
        seat = position.to_move
        if self._found >= SOME:
            won = np.flatnonzero(self.winners == seat)
            if len(won):
                if result.proven and result.best in won:
                    return result
                result = with_choice(result, int(won[0]), np.arange(self.game.players) == seat)
                return dataclasses.replace(result, proven=not self._hides)
        best = self._safe(result, position)
        if not self._hides:
            ending, share = self._look.ending.tolist()
            expected = result.values[result.actions == best, seat]
            given_up = 0.0 if result.proven else ENDING_TOLERANCE
            if share > 0.0 and (expected <= share + given_up).any():
                best = int(ending)
        return result if best == result.best else with_choice(result, best)

    def wins(self, actions: npt.NDArray[np.int32], seat: int) -> npt.NDArray[np.int32]:
        """Return those of the actions that win at once for the seat to move, after `look`."""
        return actions[self.winners[actions] == seat] if self._found >= SOME else actions[:0]

    def loses(self, action: int, position: Position) -> bool:
        """Return whether another player can win at once after an action, after `look`."""
        return bool(self.winners[action] != OPEN) or self._loses(action, position)

    def drawn(
        self,
        position: Position,
        actions: npt.NDArray[np.int32],
        draw: Callable[[npt.NDArray[np.int32]], int],
    ) -> int:
        """Return a win in one, else a drawn action that is no loss in one, if there is any.

        Args:
            position: a player is to move.
            actions: [n] those to choose from.
            draw: returns one of some of these actions; it is called again for the others while the
                drawn action loses.
        """
        self.look(position, position.row)
        won = self.wins(actions, position.to_move)
        if len(won):
            return int(won[0])
        first = action = draw(actions)
        while self.loses(action, position):
            actions = actions[actions != action]
            if not len(actions):
                return first
            action = draw(actions)
        return action

    def _safe(self, result: SearchResult, position: Position) -> int:
        """Return the most visited action after which no other player wins at once.

        If there is none, return the search's choice.
        """
        best = result.best
        while True:
            lost = self.winners[best] != OPEN
            if not lost and (self._found == ALL_LOSE or not self._loses(best, position)):
                return int(best)
            left = np.flatnonzero(self.winners[result.actions] == OPEN)
            if not len(left):
                break
            order = np.lexsort((-result.priors[left], -result.visits[left]))
            best = int(result.actions[left[order[0]]])
        for action in position.legal_actions():  # also those that the tree left out
            if self.winners[action] == OPEN and not self._loses(action, position):
                return int(action)
        return result.best

    def _loses(self, action: int, position: Position) -> bool:
        """Return whether another player wins after an action, in every determinization."""
        if not self._hides:
            return bool(check_action(self._look, action) != OPEN)
        if not self.game.open_actions:
            return False
        winners = set()
        for index in range(DETERMINIZATIONS):
            if index > 0:  # the first is that of `look`
                self._look.states[0] = self._determinize(position)
            winners.add(check_action(self._look, action))
            if len(winners) > 1 or OPEN in winners:
                self.winners[action] = OPEN
                return False
        return True

    def _agreed(self, position: Position) -> int:
        """Set `winners` to the results that hold in every determinization.

        A reply counts only in games whose players see all actions: in others the next player would
        choose by hidden information.
        """
        if not self.game.open_actions:
            self.winners[self.winners != position.to_move] = OPEN
        agreed = self.winners.copy()
        for _ in range(DETERMINIZATIONS - 1):
            if (agreed == OPEN).all():
                return self._none()
            find_decisive(self._look, self._determinize(position))
            agreed[agreed != self.winners] = OPEN
        self.winners[:] = agreed
        lost = (agreed[position.legal_actions()] != OPEN).all()
        return self._none() if lost else SOME

    def _none(self) -> int:
        self.winners[:] = OPEN
        return NOTHING

    def _determinize(self, position: Position) -> npt.NDArray[np.uint8]:
        """Return a determinization of a position, [state_bytes]."""
        self._determinizer.fill(position, self._row, self._rng)
        return self._row[0]
