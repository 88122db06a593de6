"""One seat of any game as an environment of Gymnasium; agents of Meeple hold the other seats."""

from collections.abc import Sequence
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Agent
from meeple.agents.own import Chooser, as_agent
from meeple.agents.spec import agent as make_agent
from meeple.errors import IllegalAction, UsageError
from meeple.extras import missing
from meeple.games.contract.game import Game, Position
from meeple.interop.rewards import rewards_of
from meeple.interop.spaces import Observation, action_space_of, masked, observation_space_of
from meeple.interop.vector import MAX_STARTS, NeverToMove
from meeple.kernels import CHANCE
from meeple.options import whole_number

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise missing(error, "an environment") from None

Illegal = Literal["lose", "raise"]
"""What an illegal action does: see `SeatEnv`."""
ILLEGAL_REWARD = -1.0  # of an illegal action that loses the game
_SEEDS = 2**31  # number of seeds of a game


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """A game seen from one seat. A step is a move of that seat and all moves until its next.

    An observation is a dictionary: `observation`, what the seat may know, and `action_mask`, 1 for
    each legal action, 0 for all once the game is over. The reward comes at the end, as
    `meeple.interop.rewards.rewards_of` says.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # as Gymnasium declares it

    def __init__(
        self,
        game: Game,
        opponents: str | Agent | Chooser | Sequence[str | Agent | Chooser] = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        illegal: Illegal = "lose",
    ) -> None:
        """Make an environment; `reset` starts the first game.

        Args:
            game: the game, built-in or of a file.
            opponents: the agent of all other seats, or one for each of them: specs, or objects with
                a method `choose(position)`. An object that keeps state plays one seat only.
            seat: the seat of the environment; None: drawn at each start.
            render_mode: "ansi", by which `render` returns the board as text; None: no drawing.
            illegal: an illegal action loses the game ("lose": reward -1, and the reason in the
                info), or raises IllegalAction ("raise").

        Raises:
            UsageError, SpecError: an argument is wrong.
        """
        given = opponents if isinstance(opponents, list | tuple) else [opponents] * (game.seats - 1)
        if len(given) != game.seats - 1:
            raise UsageError(f"{game.name} has {game.seats - 1} other seats, not {len(given)}")
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode must be ansi or None, not {render_mode!r}")
        if illegal not in ("lose", "raise"):
            raise UsageError(f"illegal must be lose or raise, not {illegal!r}")
        self.game = game
        self.render_mode = render_mode
        self.observation_space = cast(Any, observation_space_of(game))
        self.action_space = action_space_of(game)
        self._fixed = None if seat is None else game.checked_seat(seat)
        self._illegal = illegal
        self._others = [
            make_agent(one, game) if isinstance(one, str) else as_agent(cast(Chooser, one))
            for one in given
        ]
        self._position: Position | None = None
        self.seat = self._fixed or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game, and play until the seat is to move. The seed determines all randomness.

        Raises:
            NeverToMove: `MAX_STARTS` games ended before.
        """
        super().reset(seed=None if seed is None else whole_number(seed, "a seed", 0))
        for _ in range(MAX_STARTS):
            self._position = self.game.start(self._draw())
            self.seat = (
                int(self.np_random.integers(self.game.seats))
                if self._fixed is None
                else self._fixed
            )
            for agent in self._others:
                agent.begin(self._draw())
            if not self._proceed(self._position):
                return masked(self._position, self.seat), {"seat": self.seat}
        raise NeverToMove

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action of the seat, and then the others until it is to move again.

        Raises:
            UsageError: no game is in progress.
            IllegalAction: the action is not legal, if `illegal` is "raise".
        """
        position = self._position
        if position is None or position.is_over:
            raise UsageError("no game is in progress: call reset()")
        try:
            position.play(cast(int, action))
        except IllegalAction as error:
            if self._illegal == "raise":
                raise
            self._position = None
            info = {"seat": self.seat, "illegal": str(error)}
            return masked(position, self.seat), ILLEGAL_REWARD, True, False, info
        info = {"seat": self.seat}
        if not self._proceed(position):
            return masked(position, self.seat), 0.0, False, False, info
        reward = float(rewards_of(position.payoffs)[self.seat])
        return masked(position, self.seat), reward, True, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return [num_actions] which actions are legal: `sb3_contrib.MaskablePPO` asks for them."""
        if self._position is None:
            raise UsageError("no game is in progress: call reset()")
        return self._position.legal_mask()

    def render(self) -> Any:
        """Return the board as the seat may see it, as text, if `render_mode` is "ansi"."""
        if self.render_mode != "ansi" or self._position is None:
            return None
        return self.game.view(self._position, self.seat)

    def _draw(self) -> int:
        return int(self.np_random.integers(_SEEDS))

    def _proceed(self, position: Position) -> bool:
        """Play chance and the other seats until the seat is to move; return if the game is over."""
        while not position.is_over and position.to_move != self.seat:
            if position.to_move == CHANCE:
                position.play_chance()
                continue
            other = (position.to_move - self.seat) % self.game.seats - 1
            position.play(self._others[other].choose(position))
        return position.is_over
