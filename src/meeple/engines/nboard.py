"""The engine of NBoard's protocol, version 2: `meeple engine nboard`, for Reversi boards."""

from collections.abc import Iterator

import numpy as np

from meeple.agents.agent import Analysis
from meeple.agents.kinds import AGENTS
from meeple.agents.spec import agent, parse
from meeple.engines.session import EngineSession, sentence
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.records import legal_line
from meeple.protocols.nboard.language import ANSWER, action_of, is_game, move_word, position_of

_DISCS = 64  # the discs of a share of 1
_MAX_HINTS = 60


class NBoardEngine:
    """An agent that answers a Reversi board program. Unknown commands are ignored."""

    def __init__(self, spec: str, game: Game, seed: int = 0) -> None:
        """Create the engine. Raises UsageError for another game or size, SpecError for a spec."""
        if not is_game(game):
            raise UsageError("NBoard's protocol is only for Reversi 8x8")
        self.ended = False
        self._session = EngineSession(spec, game, seed)

    def handle(self, line: str) -> Iterator[str]:
        """Yield the answers to a line; an error is sent as a status."""
        word, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        try:
            match word.lower():
                case "nboard":
                    yield "set myname Meeple\n"
                case "set":
                    self._set(rest)
                case "move":
                    self._move(rest)
                case "go":
                    yield from self._go()
                case "hint":
                    yield from self._hint(rest)
                case "ping":
                    yield f"pong {rest[:20]}\n"
                case "learn":
                    yield "learned\n"  # there is nothing to be learned from one game
                case "quit":
                    self.ended = True
        except MeepleError as error:
            yield f"status {sentence(error)}\n"

    def look_ahead(self, line: str) -> None:
        """Make the agent choose at once after a command that replaces the request."""
        word = line.partition(" ")[0].strip().lower()
        if word in ("ping", "set", "move", "quit"):
            self._session.hurry.set()
        elif word in ("go", "hint"):
            self._session.hurry.clear()

    def input_ended(self) -> None:
        """Make the agent choose at once, as no caller waits for a better move."""
        self._session.hurry.set()

    # ------------------------------------------------------------ the game

    def _set(self, text: str) -> None:
        key, _, value = text.partition(" ")
        if key == "game":
            self._set_game(value)
        elif key == "depth":
            self._set_depth(value)
        elif key == "seed" and value.isascii() and value.isdigit() and len(value) < 19:
            self._session.restart(seed=int(value))

    def _set_game(self, text: str) -> None:
        """Set the session's game; a common prefix is not replayed."""
        session, wanted = self._session, position_of(text)
        actions, board = wanted.actions, wanted.game.options.get("board", "")
        if board != session.game.options.get("board", ""):
            session.restart(board=board)
        played = session.position.actions
        if played != actions[: len(played)]:
            session.restart()
            played = ()
        for action in actions[len(played) :]:
            session.play(action)

    def _move(self, text: str) -> None:
        action = action_of(text)
        if action is None or action not in self._session.position.legal_actions():
            raise UsageError(f"the move {text[:20]} is not legal")
        self._session.play(action)

    def _set_depth(self, text: str) -> None:
        """Set the depth of agents that have one; other agents keep their limits."""
        depth = text.strip()
        parsed = parse(self._session.spec)
        if not (depth.isascii() and depth.isdigit() and len(depth) < 19) or not int(depth):
            raise UsageError("set depth needs a number of plies")
        if "depth" not in AGENTS[parsed.name].keys or "seconds" in parsed.options:
            return
        declared = AGENTS[parsed.name].keys["depth"]
        options = {**parsed.options, "depth": min(int(depth), getattr(declared, "high", 64) or 64)}
        pairs = ",".join(f"{key}={value}" for key, value in options.items())
        spec = f"{parsed.name}:{pairs}" if parsed.path is None else self._session.spec
        self._session.agent = agent(spec, self._session.game, self._session.seed)
        self._session.spec = spec

    # ------------------------------------------------------------ thinking

    def _go(self) -> Iterator[str]:
        """Yield the agent's move, which the board program may then play."""
        yield "status Meeple is thinking\n"
        action = self._session.think()
        found = self._session.analysis
        seconds = 0.0 if found is None else found.seconds
        if found is not None and found.simulations:
            yield f"nodestats {found.simulations} {seconds:.2f}\n"
        value = self._discs(found)
        estimate = "" if value is None else f"/{value:.2f}"
        yield f"{ANSWER} {move_word(action)}{estimate or '/'}/{seconds:.2f}\n"
        yield "status Meeple is waiting\n"

    def _hint(self, text: str) -> Iterator[str]:
        """Yield the best moves, each with its estimate and the expected moves after it.

        A move that the search has cut off has no estimate and is omitted.
        """
        count = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 1
        yield "status Meeple is thinking\n"
        found = self._session.analysed()
        mover = self._session.position.to_move
        values = np.zeros(len(found.actions))
        if found.action_values is not None:
            values = found.action_values[:, mover]
        order = np.lexsort((-values, -found.policy))
        order = order[np.isfinite(values[order])][: min(max(count, 1), _MAX_HINTS)]
        for place in order.tolist():
            action = int(found.actions[place])
            line = [action]
            if found.principal_variation[:1] == (action,):
                expected = legal_line(self._session.position, found.principal_variation)
                line = [made for _, made in expected]
            value = 0.0
            if found.action_values is not None:
                value = _as_discs(float(found.action_values[place, mover]))
            elif (root_value := self._discs(found)) is not None:
                value = root_value
            yield f"search {''.join(map(move_word, line))} {value:.2f} 0 {len(line)}\n"
        yield "status Meeple is waiting\n"

    def _discs(self, found: Analysis | None) -> float | None:
        """Return the value for the player to move, in discs; None if the agent has none."""
        if found is None or found.value is None:
            return None
        return _as_discs(float(found.value[self._session.position.to_move]))


def _as_discs(share: float) -> float:
    """Return a share of the win in discs: 64 for a sure win, 0 for even chances."""
    return _DISCS * (2 * share - 1)
