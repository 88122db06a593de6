"""Self-play: a wave of episodes in lockstep, each move searched and each position kept as a case.

Every episode starts with an empty board and a one-node tree. A move's simulations give a better
policy than the network's, which is kept with the position; the move is drawn from it, and the
subtree it leads to is kept for the next move. Of a move searched quickly only the action is kept.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE
from meeple.learn.config import Config, at_progress
from meeple.learn.episode import Episode, SearchedMove, surprise_of
from meeple.search.batch import StateBatch
from meeple.search.evaluators import (
    ActorRolloutEvaluator,
    Evaluator,
    MixedEvaluator,
    NetworkEvaluator,
    Predict,
)
from meeple.search.mcts.lockstep import IMPROVED, PUCT, UCT, Lockstep, LockstepOptions

_RULES = {"puct": PUCT, "improved": IMPROVED}


@dataclass
class Timing:
    """Where a wave's time went, in seconds summed over workers."""

    network: float = 0.0
    total: float = 0.0
    simulations: int = 0
    evaluations: int = 0  # positions the network was asked about

    def add(self, other: "Timing") -> None:
        """Sum up."""
        self.network += other.network
        self.total += other.total
        self.simulations += other.simulations
        self.evaluations += other.evaluations


def play_wave(
    game: Game,
    config: Config,
    predicts: list[Predict],
    episodes: range,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[list[Episode], Timing]:
    """Play the episodes of these numbers, shared out over one worker for each predictor.

    Deterministic by the run's seed and the numbers, unless moves are limited by seconds. Where
    `stop` turns true in the middle, KeyboardInterrupt is raised and nothing is returned.
    """
    shares = [episodes[worker :: len(predicts)] for worker in range(len(predicts))]
    jobs = [(share, predict) for share, predict in zip(shares, predicts, strict=True) if share]

    def play(job: tuple[range, Predict]) -> tuple[list[Episode], Timing]:
        return _Wave(game, config, job[1], job[0], stop).play()

    if len(jobs) == 1:
        played = [play(jobs[0])]
    else:
        with ThreadPoolExecutor(len(jobs)) as pool:
            played = list(pool.map(play, jobs))
    timing = Timing()
    for _, spent in played:
        timing.add(spent)
    found = {episode.seed: episode for wave, _ in played for episode in wave}
    return [found[seed] for seed in sorted(found)], timing


class _Wave:
    """One worker's episodes."""

    def __init__(
        self,
        game: Game,
        config: Config,
        predict: Predict,
        episodes: range,
        stop: Callable[[], bool],
    ) -> None:
        self.game, self.config, self.episodes, self.stop = game, config, episodes, stop
        self.timing = Timing()
        seed = (config.run.seed, episodes[0], episodes.step)
        self.rng = np.random.default_rng(seed)
        progress = episodes[0] / config.run.episodes
        self.evaluator = self._make_evaluator(predict, progress)
        search = config.search
        self._gumbel = search.mode == "alphazero" and search.root == "gumbel"
        self.fleet = Lockstep(
            game,
            len(episodes),
            LockstepOptions(
                rule=_RULES[search.rule] if search.mode == "alphazero" else UCT,
                exploration=search.c,
                considered=search.considered if self._gumbel else 0,
                value_scale=search.value_scale,
                leaves=search.leaves,
                solve=search.solve,
                room=3 * (3000 if search.seconds else min(config.most_simulations, 3000)),
            ),
            self._draw_seed(),
        )

    def _draw_seed(self) -> int:
        return int(self.rng.integers(2**63))

    def _make_evaluator(self, predict: Predict, progress: float) -> Evaluator:
        timed = _Timed(predict, self.timing)
        critic = NetworkEvaluator(timed)
        if self.config.search.mode == "alphazero":
            return critic
        play = self.config.selfplay
        actor = ActorRolloutEvaluator(timed, at_progress(play.epsilon, progress), self._draw_seed())
        sigma = at_progress(play.sigma, progress)
        return MixedEvaluator(actor, critic, sigma, self._draw_seed())

    def play(self) -> tuple[list[Episode], Timing]:
        """Play all episodes to their ends."""
        began = time.perf_counter()
        episodes = [Episode(seed=number) for number in self.episodes]
        self.fleet.begin(self._openings(episodes))
        ply = 0
        while len(live := self.fleet.live()):
            if self.stop():
                raise KeyboardInterrupt
            full = self._search(ply)
            self._move(episodes, live, ply, full)
            ply += 1
        payoffs = StateBatch(self.game, self.fleet.roots).payoffs()
        for episode, shares in zip(episodes, payoffs, strict=True):
            episode.payoffs = shares
        if self.config.training.ownership:
            owners = StateBatch(self.game, self.fleet.roots).ownership()
            for episode, owned in zip(episodes, owners, strict=True):
                episode.owners = owned
        self.timing.total = time.perf_counter() - began
        return episodes, self.timing

    def _openings(self, episodes: list[Episode]) -> npt.NDArray[np.uint8]:
        """Opening states, after each episode's own number of random moves."""
        states = np.zeros((len(episodes), self.game.state_bytes), dtype=np.uint8)
        most = self.config.selfplay.random_plies
        for row, episode in enumerate(episodes):
            left = int(self.rng.integers(most + 1)) if most else 0
            position = self._opened(episode.seed, left)
            if position.is_over:
                position = self._opened(episode.seed, 0)
            episode.actions = list(position.actions)
            episode.opening = len(position.actions)
            states[row] = position.row
        return states

    def _opened(self, seed: int, left: int) -> Position:
        """A game after so many random moves, with the chance moves before and after each."""
        position = self.game.start(seed)
        while position.to_move == CHANCE or (left > 0 and not position.is_over):
            if position.to_move == CHANCE:
                position.play_chance()
            else:
                position.play(int(self.rng.choice(position.legal_actions())))
                left -= 1
        return position

    def _search(self, ply: int) -> npt.NDArray[np.bool_]:
        """Search every game's move; returns [G] which were searched in full."""
        search = self.config.search
        full = self._draw_full()
        wanted = self.config.simulations_at(ply)
        limit: npt.NDArray[np.int64] | None = np.where(full, wanted, search.fast_simulations or 0)
        if search.seconds:
            # A root has children with visits only after the second simulation.
            self.timing.simulations += self.fleet.run(self.evaluator, 2)
            limit = None
        self.timing.simulations += self.fleet.run(
            self.evaluator,
            limit,
            search.seconds,
            self._noise(full),
            search.noise_fraction,
            self._gumbel_scale(ply),
        )
        return full

    def _draw_full(self) -> npt.NDArray[np.bool_]:
        """[G] which games' next moves are searched in full: playout cap randomisation (Wu, 2019)"""
        games = len(self.fleet)
        if not self.config.search.fast_simulations:
            return np.ones(games, dtype=np.bool_)
        return np.asarray(self.rng.random(games) < self.config.search.full_share)

    def _gumbel_scale(self, ply: int) -> npt.NDArray[np.float32] | None:
        play = self.config.selfplay
        if not self._gumbel or ply >= play.temperature_plies:
            return None
        return np.full(len(self.fleet), play.temperature, dtype=np.float32)

    def _noise(self, full: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32] | None:
        """Dirichlet noise [G, A] over the legal actions of each game searched in full, or none."""
        search = self.config.search
        if search.mode != "alphazero" or self._gumbel or search.noise_fraction == 0:
            return None
        noise = np.zeros((len(self.fleet), self.game.num_actions), dtype=np.float32)
        live = self.fleet.live()
        live = live[full[live]]
        _, legal = StateBatch(self.game, self.fleet.roots).observe(live)
        for row, game in enumerate(live):
            actions = np.flatnonzero(legal[row])
            alpha = search.noise_alpha / len(actions)
            noise[game, actions] = self.rng.dirichlet(np.full(len(actions), alpha))
        return noise

    def _move(
        self,
        episodes: list[Episode],
        live: npt.NDArray[np.int32],
        ply: int,
        full: npt.NDArray[np.bool_],
    ) -> None:
        """Play every live game's move, and keep a case of those searched in full."""
        fleet = self.fleet
        kept = live[full[live]]
        observations, _ = StateBatch(self.game, fleet.roots).observe(kept)
        visits = fleet.visit_shares()
        policies = fleet.improved_policy(live) if self._gumbel else visits
        values, priors, movers = fleet.values(), fleet.priors(), fleet.to_move
        for row, game in enumerate(kept):
            policy = policies[game]
            episodes[game].moves.append(
                SearchedMove(
                    observations[row].ravel(),
                    policy,
                    int(movers[game]),
                    values[game],
                    surprise_of(policy, priors[game]),
                )
            )
        if self._gumbel:
            actions = fleet.gumbel_actions(live)
        else:
            actions = np.array([self._draw(visits[game], ply) for game in live], dtype=np.int32)
        outcomes = fleet.advance(actions, live)
        for row, game in enumerate(live):
            episodes[game].actions += [int(actions[row]), *outcomes[row]]

    def _draw(self, visits: npt.NDArray[np.float32], ply: int) -> int:
        """A move from the visit shares [A], by the temperature."""
        play = self.config.selfplay
        if ply >= play.temperature_plies:
            return int(visits.argmax())
        weights = (visits.astype(np.float64) / visits.max()) ** (1 / play.temperature)
        return int(self.rng.choice(len(visits), p=weights / weights.sum()))


class _Timed:
    """A predictor that counts its calls' time and positions."""

    def __init__(self, predict: Predict, timing: Timing) -> None:
        self._predict, self._timing = predict, timing

    def __call__(
        self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        began = time.perf_counter()
        found = self._predict(observations, legal)
        self._timing.network += time.perf_counter() - began
        self._timing.evaluations += len(observations)
        return found
