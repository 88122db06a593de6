"""Matches of a run's network against fixed opponents, which show whether it learns while it does.

The network sits in one seat, in every one equally often, and copies of an opponent in the others.
It plays alone and with a little search. All rounds of a run have the same openings and seeds, so
that two rounds differ by the network. Self-play and learning know nothing of them.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from meeple.agents.networks import checkpoint_files, load_predictor
from meeple.agents.spec import agent as make_agent
from meeple.arena.lockstep import (
    AgentPlayer,
    BatchPlayer,
    LiveGame,
    NetworkPlayer,
    NetworkSearchPlayer,
    play_in_lockstep,
)
from meeple.arena.openings import Opening, openings
from meeple.errors import MeepleError, Stopped
from meeple.games.contract.game import Game
from meeple.kernel_table import kernels_put_off
from meeple.kernels import HEURISTIC
from meeple.learn.config import Config
from meeple.learn.pairing import ALONE, SEARCH, Pairing
from meeple.learn.run import Run
from meeple.learn.selfplay import Stop
from meeple.search.evaluators import Predict

START = "start"  # an opponent's name: the network before the first episode
SHARE_OF_TIME = 0.1  # of training, that matches may take
LEAST_SECONDS = 60.0  # of training before the round at the end
SLICE = 4  # openings that are played by all before the clock is looked at
_SEEDS = 0x6D61746368  # apart from those of self-play


def opponents_of(config: Config, game: Game) -> tuple[str, ...]:
    """The opponents that are asked for, or the usual ones."""
    if config.matches.opponents:
        return config.matches.opponents
    known = ("greedy",) if game.has(HEURISTIC) else ()
    return ("random", "uct:sims=100", START, *known)


class Matches:
    """The matches of one session of training."""

    def __init__(self, run: Run, predict: Predict) -> None:
        """`predict`: the network in training, as it is when it is asked.

        Raises MeepleError where an opponent that is asked for cannot play the game.
        """
        self._run, self._predict = run, predict
        self._settings = run.config.matches
        self._since = run.state.seconds  # when the last round ended
        for spec in self._settings.opponents:
            _check(spec, run.game)

    @cached_property
    def _makers(self) -> dict[str, Callable[[], BatchPlayer]]:
        """What makes each opponent; the usual ones only where they can play the game."""
        game = self._run.game
        makers = {spec: self._maker(spec) for spec in opponents_of(self._run.config, game)}
        return {spec: make for spec, make in makers.items() if _can_play(spec, game)}

    def _maker(self, spec: str) -> Callable[[], BatchPlayer]:
        game = self._run.game
        if spec == START:
            _, file = checkpoint_files(self._run.folder.path)[0]
            return lambda: NetworkPlayer(load_predictor(file, game))
        return lambda: AgentPlayer(lambda: make_agent(spec, game))

    def is_due(self) -> bool:
        """Whether it is time for a round; at the end of a run, after less time."""
        if not self._settings.minutes:
            return False
        passed = self._run.state.seconds - self._since
        interval = 60 * self._settings.minutes
        return passed >= (min(interval, LEAST_SECONDS) if self._run.is_over else interval)

    def play(self, stop: Stop, seconds: float | None = None) -> dict[str, float]:
        """Play a round, of about so many seconds or a tenth of the time since the last one.

        Returns its figures by the names that a `Pairing` has; none where `stop` ended it.
        """
        began, passed = time.perf_counter(), self._run.state.seconds - self._since
        limit = SHARE_OF_TIME * passed if seconds is None else seconds
        shares: dict[Pairing, list[float]] = {pairing: [] for pairing in self._pairings()}
        try:
            for starts in self._slices():
                self._play_slice(starts, shares, stop)
                if time.perf_counter() - began >= limit:
                    break
        except Stopped:
            return {}
        self._since = self._run.state.seconds + time.perf_counter() - began
        figures = {}
        for pairing, found in shares.items():
            figures[pairing.metric] = float(np.mean(found))
            figures[pairing.count] = float(len(found))
            figures[pairing.deviation] = float(np.std(found, ddof=1))
        return figures

    def _pairings(self) -> list[Pairing]:
        players = (ALONE, SEARCH) if self._searches else (ALONE,)
        return [Pairing(*pair) for pair in itertools.product(players, self._makers)]

    @property
    def _searches(self) -> bool:
        return self._settings.simulations > 0 and self._run.config.network.critic

    def _slices(self) -> Iterator[list[tuple[int, Opening]]]:
        """The openings with their numbers, a few at a time."""
        count = max(1, self._settings.games // self._run.game.players)
        starts = list(enumerate(openings(self._run.game, count, self._run.config.run.seed)))
        for first in range(0, count, SLICE):
            yield starts[first : first + SLICE]

    def _play_slice(
        self, starts: list[tuple[int, Opening]], shares: dict[Pairing, list[float]], stop: Stop
    ) -> None:
        """Every pairing from every opening, with the network in every seat; added to `shares`."""
        pairings, seats = list(shares), self._run.game.players
        fixtures = list(itertools.product(range(len(pairings)), starts, range(seats)))
        players: dict[str, BatchPlayer] = {ALONE: NetworkPlayer(self._predict)}
        if self._searches:
            searched = sum(pairings[number].player == SEARCH for number, _, _ in fixtures)
            simulations, seed = self._settings.simulations, self._run.config.run.seed
            players[SEARCH] = NetworkSearchPlayer(
                self._run.game, self._predict, simulations, searched, seed
            )
        players |= {name: make() for name, make in self._makers.items()}
        names = list(players)

        def live() -> Iterator[LiveGame]:
            for number, (index, (start, opening), seat) in enumerate(fixtures):
                pairing = pairings[index]
                lineup = [names.index(pairing.opponent)] * seats
                lineup[seat] = names.index(pairing.player)
                rng = np.random.default_rng((_SEEDS, index, start, seat))
                position = opening.position(self._run.game)
                yield LiveGame(number, tuple(lineup), position, len(opening.actions), rng)

        for game in play_in_lockstep(live(), list(players.values()), len(fixtures), stop):
            index, _, seat = fixtures[game.number]
            shares[pairings[index]].append(float(game.position.payoffs[seat]))


def _check(spec: str, game: Game) -> None:
    """Raise MeepleError where an opponent cannot play a game; nothing is compiled for it."""
    if spec != START:
        with kernels_put_off():
            make_agent(spec, game)


def _can_play(spec: str, game: Game) -> bool:
    try:
        _check(spec, game)
    except MeepleError:
        return False
    return True
