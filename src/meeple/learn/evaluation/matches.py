"""Matches of a run's network against fixed opponents during training, to measure its progress.

The network takes one seat, each equally often, and copies of an opponent take the others. It plays
by its policy alone and, if it has a critic, with a short search. All rounds of a run use the same
openings and seeds, so that only the network differs. Matches do not affect training.
"""

import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

import numpy as np

from meeple.agents.agent import Agent
from meeple.agents.networks import checkpoint_files, load_predictor
from meeple.agents.spec import agent as make_agent
from meeple.arena.figures.counted import share_of_deal
from meeple.arena.games.lockstep import (
    AgentPlayer,
    BatchPlayer,
    LiveGame,
    NetworkPlayer,
    NetworkSearchPlayer,
    play_in_lockstep,
)
from meeple.arena.plan.openings import Opening, openings
from meeple.errors import MeepleError, Stopped
from meeple.executors.executor import Stop
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game
from meeple.kernels import HEURISTIC
from meeple.kernels.table import compilation_deferred
from meeple.learn.config import START
from meeple.learn.config.sections import MatchesSection
from meeple.learn.evaluation.results import ALONE, SEARCH, MatchPairing
from meeple.learn.run.run import NetworkRun, Run
from meeple.search.evaluators import Predict

MATCH_TIME_SHARE = 0.1  # of training time, spent on matches
MIN_FINAL_ROUND_SECONDS = 60.0  # of training since the last round, for one at the end
OPENINGS_PER_SLICE = 4  # between two checks of the time limit
_MATCH_SEED = 0x6D61746368  # separates the seeds from those of self-play


Ways = Mapping[str, Callable[[int], BatchPlayer]]
"""The ways of playing of a run's network: by name, a function that makes a player with the current
weights, given the number of parallel games."""


def opponents_of(settings: MatchesSection, game: Game) -> tuple[str, ...]:
    """Return the configured opponents, or the default ones."""
    if settings.opponents:
        return settings.opponents
    known = ("greedy",) if game.has(HEURISTIC) else ()
    return ("random", "uct:sims=100", START, *known)


class Matches:
    """The matches of one session of training."""

    def __init__(self, run: Run, ways: Ways, start: Callable[[], BatchPlayer]) -> None:
        """Check the configured opponents; `start` makes a player with the untrained weights.

        Raises MeepleError if one of them cannot play the game.
        """
        self._run, self._ways, self._start = run, ways, start
        self._settings: MatchesSection = run.config.matches
        self._since = run.state.seconds  # when the last round ended
        for spec in self._settings.specs:
            self._check(spec)

    @cached_property
    def _opponents(self) -> tuple[str, ...]:
        """The opponents; default ones only if they can play the game."""
        return tuple(filter(self._can_play, opponents_of(self._settings, self._run.game)))

    def _opponent(self, spec: str) -> BatchPlayer:
        return self._start() if spec == START else AgentPlayer(lambda: self._agent(spec))

    def _agent(self, spec: str) -> Agent:
        return make_agent(spec, self._run.game, catalogue=self._run.folder.catalogue)

    def _check(self, spec: str) -> None:
        """Raise MeepleError if an opponent cannot play the game, without compiling kernels."""
        if spec != START:
            with compilation_deferred():
                self._agent(spec)

    def _can_play(self, spec: str) -> bool:
        try:
            self._check(spec)
        except MeepleError:
            return False
        return True

    def is_due(self, spent: float, *, at_end: bool) -> bool:
        """Return whether a round is due after `spent` seconds; at the end of a run, sooner."""
        if not self._settings.minutes:
            return False
        interval = 60 * self._settings.minutes
        return spent - self._since >= (
            min(interval, MIN_FINAL_ROUND_SECONDS) if at_end else interval
        )

    def round(
        self, spent: float, save: Callable[[], None], stop: Stop, *, at_end: bool
    ) -> Mapping[str, float]:
        """Play a round if it is due, see `is_due` and `play`; `save` is called before it begins."""
        if not self.is_due(spent, at_end=at_end):
            return {}
        save()  # matches take a while, and may be interrupted
        return self.play(spent, stop)

    def play(self, spent: float, stop: Stop, seconds: float | None = None) -> dict[str, float]:
        """Play a round.

        Args:
            spent: seconds of training so far.
            stop: ends the round early, without results.
            seconds: approximate duration; None: a tenth of the time since the last round.

        Returns:
            Metrics by the names of `MatchPairing`; and, over all games of the network alone, its
            share in each seat (`seat/1`) and the game's statistics of its play (`habit/NAME`).
            Empty if `stop` ended the round.
        """
        began = time.perf_counter()
        limit = MATCH_TIME_SHARE * (spent - self._since) if seconds is None else seconds
        shares: dict[MatchPairing, list[float]] = {pairing: [] for pairing in self._pairings()}
        own: dict[str, list[float]] = {}
        try:
            for starts in self._slices():
                self._play_slice(starts, shares, own, stop)
                if time.perf_counter() - began >= limit:
                    break
        except Stopped:
            return {}
        self._since = spent + time.perf_counter() - began
        figures = {}
        for pairing, found in shares.items():
            figures[pairing.metric] = float(np.mean(found))
            figures[pairing.count] = float(len(found))
            figures[pairing.deviation] = float(np.std(found, ddof=1))
        return figures | {name: float(np.mean(own[name])) for name in sorted(own)}

    def _pairings(self) -> list[MatchPairing]:
        return [MatchPairing(*pair) for pair in itertools.product(self._ways, self._opponents)]

    def _slices(self) -> Iterator[list[tuple[int, Opening]]]:
        """Yield the numbered openings, `OPENINGS_PER_SLICE` at a time."""
        game = self._run.game
        count = max(1, self._settings.games // len(game.sides))
        starts = list(enumerate(openings(game, count, self._run.config.run.seed)))
        for first in range(0, count, OPENINGS_PER_SLICE):
            yield starts[first : first + OPENINGS_PER_SLICE]

    def _play_slice(
        self,
        starts: list[tuple[int, Opening]],
        shares: dict[MatchPairing, list[float]],
        own: dict[str, list[float]],
        stop: Stop,
    ) -> None:
        """Play every pairing from every opening with the network in every seat.

        In a game for one side, network and opponent play each opening, and who has more points
        wins. Results are added to `shares`, and those of the network alone to `own`.
        """
        game = self._run.game
        pairings, sides = list(shares), game.sides
        fixtures = list(itertools.product(range(len(pairings)), starts, range(len(sides))))
        at_once = len(fixtures) // max(1, len(self._ways))
        players = {way: make(at_once) for way, make in self._ways.items()}
        players |= {spec: self._opponent(spec) for spec in self._opponents}
        names = list(players)

        def live() -> Iterator[LiveGame]:
            for number, (index, (start, opening), side) in enumerate(fixtures):
                pairing = pairings[index]
                lineup = [names.index(pairing.opponent)] * game.players
                for seat in sides[side]:
                    lineup[seat] = names.index(pairing.player)
                rng = np.random.default_rng((_MATCH_SEED, index, start, side))
                position = opening.position(game)
                yield LiveGame(number, tuple(lineup), position, len(opening.actions), rng)

        found: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
        for over in play_in_lockstep(live(), list(players.values()), len(fixtures), stop):
            index, (start, _), side = fixtures[over.number]
            seat, share = sides[side][0], sum(over.shares[one] for one in sides[side])
            found[index, start].append(share)
            if pairings[index].player == ALONE and seat < game.seats:  # not the par
                own.setdefault(f"seat/{seat + 1}", []).append(share)
                for name, numbers in capabilities.habits(over.position).items():
                    own.setdefault(f"habit/{name}", []).append(numbers[seat])
        for (index, _), both in found.items():
            shares[pairings[index]] += [share_of_deal(*both)] if game.has_par else both


def network_matches(run: NetworkRun, predict: Predict) -> Matches:
    """Return the matches of a run's network; `predict` evaluates with current weights."""
    game, seed = run.game, run.config.run.seed
    ways: dict[str, Callable[[int], BatchPlayer]] = {ALONE: lambda games: NetworkPlayer(predict)}
    simulations = run.config.matches.simulations
    if simulations > 0 and run.config.network.critic:
        ways[SEARCH] = lambda games: NetworkSearchPlayer(game, predict, simulations, games, seed)

    def start() -> BatchPlayer:
        _, file = checkpoint_files(run.folder.path)[0]
        return NetworkPlayer(load_predictor(file, game))

    return Matches(run, ways, start)
