"""The network alone, without search: greedy, ε-greedy, or by probability."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Analysis
from meeple.agents.networks import load_predictor
from meeple.agents.stopped import saved_if_stopped
from meeple.games.contract.game import Game, Position
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.evaluators import Predict, by_seat
from meeple.search.mcts.decisive import DecisiveMoves
from meeple.search.room import faults_reported
from meeple.tensor_file import PathLike


def pick(
    policy: npt.NDArray[np.float32],
    legal: npt.NDArray[np.int32],
    epsilon: float,
    temperature: float,
    rng: np.random.Generator,
) -> int:
    """Draw a legal action [n] by a policy [num_actions] that is zero elsewhere.

    With probability `epsilon` any legal action; otherwise action a with probability proportional
    to policy[a] ** (1 / temperature), which at temperature 0 is the best one (the first of equals).
    Consumes no random numbers if epsilon and temperature are 0.
    """
    if epsilon > 0 and rng.random() < epsilon:
        return int(legal[rng.integers(len(legal))])
    preferences = policy[legal].astype(np.float64)
    if temperature == 0:
        return int(legal[preferences.argmax()])
    with np.errstate(divide="ignore"):
        logits = np.log(preferences / preferences.max()) / temperature
    weights = np.exp(logits)
    return int(rng.choice(legal, p=weights / weights.sum()))


class PolicyAgent:
    """Plays by a network's policy, with one network call a move.

    Raises NetworkError, with the game saved, if the network's output is not finite.
    """

    def __init__(
        self,
        predict: Predict,
        epsilon: float = 0.0,
        temperature: float = 0.0,
        seed: int = 0,
        decisive: DecisiveMoves | None = None,
    ) -> None:
        """`decisive` finds wins and losses in one move, for the agent to take or avoid."""
        self.spec = "policy"
        self.analysis: Analysis | None = None
        self._predict = predict
        self._epsilon, self._temperature = epsilon, temperature
        self._decisive = decisive
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._rng = numpy_rng(seed)
        self.analysis = None
        if self._decisive is not None:
            self._decisive.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        started = time.perf_counter()
        observation = position.observation(position.to_move)
        mask = position.legal_mask()
        with saved_if_stopped(position, self.spec):
            policy, value = self._predict(observation[None], mask[None])
        legal = np.flatnonzero(mask).astype(np.int32)
        with faults_reported(position.game, position):
            action = self._pick(position, policy[0], legal)
        self.analysis = Analysis(
            actions=legal,
            visits=np.zeros(len(legal), dtype=np.int64),
            policy=policy[0][legal],
            value=None if value is None else by_seat(value, np.array([position.to_move]))[0],
            principal_variation=(action,),
            simulations=0,
            seconds=time.perf_counter() - started,
            prior=policy[0][legal],
        )
        return action

    def _pick(
        self, position: Position, policy: npt.NDArray[np.float32], legal: npt.NDArray[np.int32]
    ) -> int:
        """Draw an action; with `decisive` a win in one, and no loss in one that can be avoided."""

        def draw(actions: npt.NDArray[np.int32]) -> int:
            likely = actions[policy[actions] > 0] if len(actions) < len(legal) else actions
            if not len(likely):
                return int(actions[0])
            return pick(policy, likely, self._epsilon, self._temperature, self._rng)

        decisive = self._decisive
        return draw(legal) if decisive is None else decisive.drawn(position, legal, draw)


def make_policy(game: Game, path: PathLike, options: Mapping[str, Any], seed: int) -> PolicyAgent:
    """Make the agent of `policy:PATH`. Raises CheckpointError or RunError."""
    return PolicyAgent(
        load_predictor(path, game),
        options["epsilon"],
        options["temperature"],
        seed,
        DecisiveMoves(game) if options["decisive"] else None,
    )
