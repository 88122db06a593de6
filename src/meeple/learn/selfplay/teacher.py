"""The teacher of a network: alpha-beta over learned weights of patterns plays the first episodes.

Its episodes are steps of trajectories like those of self-play, and are learned from in the same
way. The policy target is the move of the teacher's search, mixed with a softmax over the values of
all moves one ply ahead; the value target mixes the value of the search with the result.
"""

import time

import numpy as np
import numpy.typing as npt

from meeple.agents.minimax import USUAL, MinimaxAgent
from meeple.agents.network_files import PATTERNS, check_kind
from meeple.errors import CheckpointError, Stopped, UsageError
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE
from meeple.learn.config import Config
from meeple.learn.selfplay.episode import (
    Episode,
    EpisodeNumbers,
    Timing,
    TrajectoryStep,
    Wave,
    finished,
)
from meeple.learn.selfplay.openings import draw_opening
from meeple.learn.selfplay.play import Watch
from meeple.search.patterns.file import load_patterns
from meeple.tensor_file import PathLike

SEED = 7  # part of the seed of an episode


class Teacher:
    """Plays episodes with weights of patterns."""

    def __init__(self, game: Game, config: Config, weights: PathLike) -> None:
        """Raise CheckpointError if the weights are missing, of another kind or another game."""
        self._game, self._config = game, config
        check_kind(weights, PATTERNS)
        if game.hides:
            raise CheckpointError(f"{weights} would teach what seats of {game.name} cannot see")
        try:
            self._patterns = load_patterns(weights, game)
            depth = config.teaching_settings.depth
            self._agent = MinimaxAgent(game, USUAL, depth=depth, patterns=self._patterns)
        except UsageError as error:
            raise CheckpointError(f"{weights} cannot teach {game.name}: {error}") from None

    def play_wave(
        self, numbers: EpisodeNumbers, stop: Stop = lambda: False, watch: Watch | None = None
    ) -> Wave:
        """Play a wave of episodes one by one; see `play.play_wave`. Raises Stopped."""
        began = time.perf_counter()
        episodes = [
            self._play(number, stop, watch if number == numbers[0] else None) for number in numbers
        ]
        weight = self._config.teaching_settings.search_value
        discount = self._config.training.discount
        trajectories = tuple(
            one.trajectory(weight, discount=discount) for one in episodes if one.moves
        )
        timing = Timing(time.perf_counter() - began, 0.0, 0, 0)
        return Wave(numbers, tuple(episodes), trajectories, timing, player="teacher")

    def _play(self, number: int, stop: Stop, watch: Watch | None) -> Episode:
        game, config, settings = self._game, self._config, self._config.teaching_settings
        rng = np.random.default_rng((config.run.seed, number, SEED))
        position = draw_opening(game, number, config.selfplay.random_plies, rng)
        self._agent.begin(number)
        episode = Episode(number, opening=len(position.actions))
        while not position.is_over:
            if watch is not None:
                watch(number, position)
            if position.to_move == CHANCE:
                position.play_chance()
                continue
            if stop():
                raise Stopped
            best = self._agent.choose(position)
            analysis = self._agent.analysis
            assert analysis is not None
            assert analysis.value is not None
            policy = settings.softness * self._shallow_policy(position, settings.temperature)
            policy[best] += 1 - settings.softness
            mover, ply = position.to_move, len(position.actions)
            seen = position.observation(mover).ravel()
            episode.moves.append(
                TrajectoryStep(seen, policy.astype(np.float32), mover, analysis.value, ply=ply)
            )
            episode.decided.append(ply)
            is_random = rng.random() < settings.exploration
            position.play(int(rng.choice(position.legal_actions())) if is_random else best)
        if watch is not None:
            watch(number, position)
        episode.actions.extend(map(int, position.actions))
        return finished(game, config, episode, position.payoffs, position.row)

    def _shallow_policy(self, position: Position, temperature: float) -> npt.NDArray[np.float64]:
        """Return [A] a softmax over the mover's shares after each legal action."""
        actions, mover = position.legal_actions(), position.to_move
        shares = np.array([self._share_after(position, int(one), mover) for one in actions])
        weights = np.exp((shares - shares.max()) / temperature)
        policy = np.zeros(self._game.num_actions)
        policy[actions] = weights / weights.sum()
        return policy

    def _share_after(self, position: Position, action: int, seat: int) -> float:
        """Return the share that the weights expect for a seat after an action or outcome."""
        position.play(action)
        if position.is_over:
            share = float(position.payoffs[seat])
        elif position.to_move == CHANCE:
            listed = zip(*position.chance_outcomes(), strict=True)
            share = sum(p * self._share_after(position, int(one), seat) for one, p in listed)
        else:
            share = float(self._patterns.shares(position)[seat])
        position.undo()
        return share
