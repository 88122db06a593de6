"""Self-play: a wave of episodes in lockstep, each move searched and each position kept as a case.

Every episode starts with an empty board and a one-node tree. A move's simulations give the root's
visit distribution, which is kept with the position; the move is drawn from it, and the subtree it
leads to is kept for the next move.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from meeple.games.game import Game
from meeple.games.position import Position
from meeple.kernels import CHANCE
from meeple.learn.config import Config, at_progress
from meeple.learn.replay import Cases
from meeple.search.batch import StateBatch
from meeple.search.evaluators import (
    ActorRolloutEvaluator,
    Evaluator,
    MixedEvaluator,
    NetworkEvaluator,
    Predict,
)
from meeple.search.fleet import Fleet, FleetOptions
from meeple.search.selection import PUCT, UCT


@dataclass
class Episode:
    """One finished game of self-play."""

    seed: int
    actions: list[int] = field(default_factory=list)  # all of them, chance outcomes included
    opening: int = 0  # random actions at the start
    rows: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], int]] = field(
        default_factory=list
    )  # (observation [F], visit shares [A], mover) of each searched move
    search_values: list[npt.NDArray[np.float64]] = field(default_factory=list)  # [P] each
    payoffs: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def cases(self, search_value: float) -> Cases:
        """The episode's positions, one at least.

        Their values mix the result with that share of the search's value.
        """
        result = np.tile(self.payoffs, (len(self.rows), 1))
        searched = np.array(self.search_values).reshape(result.shape)
        values = (1 - search_value) * result + search_value * searched
        return Cases(
            np.stack([row[0] for row in self.rows]),
            np.stack([row[1] for row in self.rows]),
            values.astype(np.float32),
            np.array([row[2] for row in self.rows], dtype=np.int8),
        )


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
        self.fleet = Fleet(
            game,
            len(episodes),
            FleetOptions(
                rule=PUCT if search.mode == "alphazero" else UCT,
                exploration=search.c,
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
            self._search(ply)
            self._move(episodes, live, ply)
            ply += 1
        payoffs = StateBatch(self.game, self.fleet.roots).payoffs()
        for episode, shares in zip(episodes, payoffs, strict=True):
            episode.payoffs = shares
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

    def _search(self, ply: int) -> None:
        search = self.config.search
        noise = None
        if search.mode == "alphazero" and search.noise_fraction > 0:
            noise = self._noise()
        limit: int | None = self.config.simulations_at(ply)
        if search.seconds:
            # A root has children with visits only after the second simulation.
            self.timing.simulations += self.fleet.run(self.evaluator, 2)
            limit = None
        self.timing.simulations += self.fleet.run(
            self.evaluator, limit, search.seconds, noise, search.noise_fraction
        )

    def _noise(self) -> npt.NDArray[np.float32]:
        """Dirichlet noise [G, A] over each game's legal actions."""
        noise = np.zeros((len(self.fleet), self.game.num_actions), dtype=np.float32)
        live = self.fleet.live()
        _, legal = StateBatch(self.game, self.fleet.roots).observe(live)
        for row, game in enumerate(live):
            actions = np.flatnonzero(legal[row])
            alpha = self.config.search.noise_alpha / len(actions)
            noise[game, actions] = self.rng.dirichlet(np.full(len(actions), alpha))
        return noise

    def _move(self, episodes: list[Episode], live: npt.NDArray[np.int32], ply: int) -> None:
        """Keep a case of every live game and play its move."""
        batch = StateBatch(self.game, self.fleet.roots)
        observations, _ = batch.observe(live)
        movers = self.fleet.to_move
        shares = self.fleet.visit_shares()
        values = self.fleet.values()
        actions = np.zeros(len(live), dtype=np.int32)
        for row, game in enumerate(live):
            visits = shares[game]
            episode = episodes[game]
            episode.rows.append((observations[row].ravel(), visits, int(movers[game])))
            episode.search_values.append(values[game])
            actions[row] = self._draw(visits, ply)
            episode.actions.append(int(actions[row]))
        for game, outcomes in zip(live, self.fleet.advance(actions, live), strict=True):
            episodes[game].actions += outcomes

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
