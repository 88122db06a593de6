"""Self-play: a wave of episodes is played in lockstep, and each searched move becomes a step.

An episode begins with a tree of one node. The search of a move gives a better policy than the
network's, which is stored with the position. The move is sampled from it, and its subtree is reused
for the next move. Of a fast move (playout cap randomisation) only the action is stored.
"""

import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from meeple.errors import Stopped
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game, Position
from meeple.learn.config import Config, at_progress
from meeple.learn.selfplay.ends import ProvenEnds, proven_step
from meeple.learn.selfplay.episode import (
    Episode,
    EpisodeNumbers,
    Timing,
    TrajectoryStep,
    Wave,
    finished,
    surprise_of,
    total,
    trajectory_of,
)
from meeple.learn.selfplay.openings import draw_opening
from meeple.nets.graph import ILLEGAL
from meeple.search.batch import StateBatch
from meeple.search.budget import Budget
from meeple.search.evaluation_cache import EvaluationCache
from meeple.search.evaluators import (
    ActorRolloutEvaluator,
    Evaluator,
    MixedEvaluator,
    NetworkEvaluator,
    Predict,
)
from meeple.search.mcts.lockstep import IMPROVED, PUCT, UCT, Lockstep, LockstepSettings


def root_noise(
    legal: npt.NDArray[np.bool_], alpha: float, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return Dirichlet noise [A] over the legal actions [A]; `rng` is advanced.

    The parameter of each action is `alpha` / number of legal actions.

    Source: Silver et al., "A general reinforcement learning algorithm that masters chess, shogi,
    and Go through self-play", 2018: in inverse proportion to the number of moves; Wu, "Accelerating
    self-play learning in Go", 2019: a total of 10.83, divided evenly.
    """
    actions = np.flatnonzero(legal)
    noise = np.zeros(len(legal))
    noise[actions] = rng.dirichlet(np.full(len(actions), alpha / len(actions)))
    return noise


def tempered(shares: npt.NDArray[np.float32], temperature: float) -> npt.NDArray[np.float64]:
    """Return probabilities [A] in proportion to visit shares [A] ** (1 / temperature).

    Source: Silver et al., "Mastering the game of Go without human knowledge", 2017, Methods.
    """
    weights = (shares.astype(np.float64) / shares.max()) ** (1 / temperature)
    return np.asarray(weights / weights.sum())


_RULES = {"puct": PUCT, "improved": IMPROVED}

Watch = Callable[[int, Position], None]  # receives the number of an episode and a position


def play_wave(
    game: Game,
    config: Config,
    predicts: Sequence[Predict],
    numbers: EpisodeNumbers,
    stop: Stop = lambda: False,
    watch: Watch | None = None,
) -> Wave:
    """Play a wave of episodes, divided among one worker for each function of the network.

    The result depends on the run's seed and the numbers alone, unless moves are limited by seconds.

    Args:
        game: the game.
        config: the configuration of the run.
        predicts: the network, once for each worker.
        numbers: the numbers of the episodes.
        stop: turns true if self-play is to stop.
        watch: receives each position of the first episode during play.

    Raises:
        Stopped: `stop` turned true before all episodes were over.
    """
    shares = [numbers[worker :: len(predicts)] for worker in range(len(predicts))]
    jobs = [(predict, share) for predict, share in zip(predicts, shares, strict=True) if share]
    step = len(predicts)
    # Made in this thread, in which Ctrl-C ends a compilation.
    workers = [_Worker(game, config, *job, step) for job in jobs]
    workers[0].watch = watch
    if len(workers) == 1:
        episodes, timing = workers[0].play(stop)
    else:
        with ThreadPoolExecutor(len(workers)) as pool:
            parts = list(pool.map(lambda worker: worker.play(stop), workers))
        episodes = sorted(itertools.chain(*(played for played, _ in parts)), key=lambda e: e.seed)
        timing = total([part for _, part in parts])
    trajectories = tuple(trajectory_of(config, one) for one in episodes if one.moves)
    return Wave(numbers, tuple(episodes), trajectories, timing)


class _Worker:
    """Plays the episodes of one worker, with a search in lockstep and a random generator."""

    def __init__(
        self, game: Game, config: Config, predict: Predict, numbers: Sequence[int], step: int = 1
    ) -> None:
        self.game, self.config, self.numbers = game, config, numbers
        self.gumbel = config.search.mode == "alphazero" and config.search.root == "gumbel"
        self.rng = np.random.default_rng((config.run.seed, numbers[0], step))
        self.network = _Timed(predict)
        self.evaluator = self._make_evaluator()
        settings = _search_settings(config, self.gumbel)
        self.lockstep = Lockstep(game, len(numbers), settings, self._draw_seed())
        self.ends = ProvenEnds(game, config)
        self.watch: Watch | None = None

    def _draw_seed(self) -> int:
        return int(self.rng.integers(2**63))

    def _make_evaluator(self) -> Evaluator:
        game = self.game
        cache = EvaluationCache(self.network, game.num_actions, game.players)
        critic = NetworkEvaluator(cache)
        if self.config.search.mode == "alphazero":
            return critic
        play = self.config.selfplay
        progress = self.numbers[0] / self.config.run.episodes
        epsilon, sigma = at_progress(play.epsilon, progress), at_progress(play.sigma, progress)
        actor = ActorRolloutEvaluator(self.network, epsilon, self._draw_seed())
        return MixedEvaluator(actor, critic, sigma, self._draw_seed())

    def play(self, stop: Stop) -> tuple[list[Episode], Timing]:
        """Play all episodes to their ends. Raises Stopped if `stop` turns true before."""
        began = time.perf_counter()
        episodes = self._begin()
        seen: Position | None = None
        simulations = 0
        for ply in itertools.count():
            self._play_proven(episodes, simulations)
            seen = self._show(episodes[0], seen)
            live = self.lockstep.live()
            if not len(live):
                break
            full = self._draw_full()
            simulations += self._search(ply, full, stop)
            if stop():
                raise Stopped  # the search may not have been finished
            policies = self._policies(live)
            self._store(episodes, live[full[live]], policies)
            self._move(episodes, live, self._choose(live, policies, ply))
        played = self._finished(episodes)
        seconds = time.perf_counter() - began
        network = self.network
        return played, Timing(seconds, network.seconds, simulations, network.evaluations)

    def _show(self, episode: Episode, seen: Position | None) -> Position | None:
        """Pass the positions since `seen` to `watch`; return the newest."""
        if self.watch is None:
            return None
        if seen is None:
            seen = self.game.start(episode.seed)
            for action in episode.actions:
                seen.play(action)
            self.watch(self.numbers[0], seen)
        for action in episode.actions[len(seen.actions) :]:
            seen.play(action)
            self.watch(self.numbers[0], seen)
        return seen

    # ------------------------------------------------------------ openings

    def _begin(self) -> list[Episode]:
        """Return the episodes after their random openings; they are set up to be searched."""
        plies = self.config.selfplay.random_plies
        opened = [draw_opening(self.game, seed, plies, self.rng) for seed in self.numbers]
        self.lockstep.begin(opened)
        return [
            Episode(position.seed, list(position.actions), opening=len(position.actions))
            for position in opened
        ]

    # ------------------------------------------------------------ search

    def _draw_full(self) -> npt.NDArray[np.bool_]:
        """Return [G] whether the next move of each game is searched in full (playout cap)."""
        games = len(self.lockstep)
        if not self.config.search.fast_simulations:
            return np.ones(games, dtype=np.bool_)
        return np.asarray(self.rng.random(games) < self.config.search.full_share)

    def _search(self, ply: int, full: npt.NDArray[np.bool_], stop: Stop) -> int:
        """Search the next move of every live game, until `stop` turns true.

        Returns:
            The number of simulations of all games.
        """
        search = self.config.search
        if search.seconds:
            # A root has children with visits only after the second simulation.
            first = self.lockstep.run(self.evaluator, 2)
            budget = Budget(seconds=search.seconds, stop=stop)
            return first + self.lockstep.run(
                self.evaluator, None, budget, self._noise(full), search.noise_fraction
            )
        wanted, fast = self.config.simulations_at(ply), search.fast_simulations or 0
        return self.lockstep.run(
            self.evaluator,
            np.where(full, wanted, fast),
            Budget(stop=stop),
            noise=self._noise(full),
            noise_fraction=search.noise_fraction,
            gumbel_scale=self._gumbel_scale(ply),
        )

    def _gumbel_scale(self, ply: int) -> npt.NDArray[np.float32] | None:
        play = self.config.selfplay
        if not self.gumbel or ply >= play.temperature_plies:
            return None
        return np.full(len(self.lockstep), play.temperature, dtype=np.float32)

    def _noise(self, full: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32] | None:
        """Return Dirichlet noise [G, A] for roots searched in full, zeros for others; or None."""
        search = self.config.search
        if search.mode != "alphazero" or self.gumbel or search.noise_fraction == 0:
            return None
        noise = np.zeros((len(self.lockstep), self.game.num_actions), dtype=np.float32)
        live = self.lockstep.live()
        live = live[full[live]]
        _, legal = StateBatch(self.game, self.lockstep.roots).observe(live)
        for row, game in enumerate(live):
            noise[game] = root_noise(legal[row], search.noise_alpha, self.rng)
        return noise

    # ------------------------------------------------------------ results of a search

    def _policies(self, live: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """Return [G, A] the policy target of each live game."""
        return self.lockstep.improved_policy(live) if self.gumbel else self.lockstep.visit_shares()

    def _store(
        self,
        episodes: Sequence[Episode],
        games: npt.NDArray[np.int32],
        policies: npt.NDArray[np.float32],
    ) -> None:
        """Append the searched positions of some games to their episodes."""
        lockstep = self.lockstep
        observations, legal = StateBatch(self.game, lockstep.roots).observe(games)
        values, priors, movers = lockstep.values(), lockstep.priors(), lockstep.to_move
        for row, game in enumerate(games):
            policy = policies[game]
            episodes[game].moves.append(
                TrajectoryStep(
                    observations[row].ravel(),
                    np.where(legal[row], policy, np.float32(ILLEGAL)),
                    int(movers[game]),
                    values[game],
                    surprise_of(policy, priors[game]),
                    len(episodes[game].actions),
                )
            )

    def _choose(
        self, live: npt.NDArray[np.int32], policies: npt.NDArray[np.float32], ply: int
    ) -> npt.NDArray[np.int32]:
        """Return the action of each live game, sampled by the temperature."""
        if self.gumbel:
            return self.lockstep.gumbel_actions(live)
        play = self.config.selfplay
        if ply >= play.temperature_plies:
            return np.asarray(policies[live].argmax(axis=1), dtype=np.int32)
        drawn = [
            self.rng.choice(self.game.num_actions, p=tempered(policies[game], play.temperature))
            for game in live
        ]
        return np.array(drawn, dtype=np.int32)

    def _move(
        self,
        episodes: Sequence[Episode],
        live: npt.NDArray[np.int32],
        actions: npt.NDArray[np.int32],
    ) -> None:
        outcomes = self.lockstep.advance(actions, live)
        for game, action, drawn in zip(live, actions, outcomes, strict=True):
            episodes[game].decided.append(len(episodes[game].actions))
            episodes[game].actions.extend([int(action), *drawn])

    def _play_proven(self, episodes: Sequence[Episode], simulations: int) -> None:
        """Let the solver play the games to their ends whose results it can prove now."""
        games, values, states = self.lockstep.live(), self.lockstep.values(), self.lockstep.roots
        budget = self.ends.budget(len(games), simulations, self.network.evaluations)
        for row, game in enumerate(games):
            episode = episodes[game]
            for end in self.ends.line(states[game], values[game], budget):
                ply = len(episode.actions)
                episode.moves.append(proven_step(self.game, states[game], end, ply))
                action = np.array([self.rng.choice(end.keeping)], dtype=np.int32)
                self._move(episodes, games[row : row + 1], action)

    def _finished(self, episodes: Sequence[Episode]) -> list[Episode]:
        """Return the episodes with their payoffs and targets."""
        roots = self.lockstep.roots
        payoffs = StateBatch(self.game, roots).payoffs()
        return [
            finished(self.game, self.config, episode, shares, end)
            for episode, shares, end in zip(episodes, payoffs, roots, strict=True)
        ]


def _search_settings(config: Config, gumbel: bool) -> LockstepSettings:
    search = config.search
    fields = {name: value for name, value in search if name in LockstepSettings._fields}
    fields |= {
        "c": search.exploration,
        "rule": _RULES[search.rule] if search.mode == "alphazero" else UCT,
        "considered": search.considered if gumbel else 0,
        "room": config.tree_expansions,
    }
    return LockstepSettings(**fields)


class _Timed:
    """A network that measures the time of its calls, and counts positions."""

    def __init__(self, predict: Predict) -> None:
        self._predict = predict
        self.seconds, self.evaluations = 0.0, 0

    def __call__(
        self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        began = time.perf_counter()
        found = self._predict(observations, legal)
        self.seconds += time.perf_counter() - began
        self.evaluations += len(observations)
        return found
