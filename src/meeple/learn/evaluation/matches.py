"""Matches of a run's network against fixed opponents, which show whether it learns while it does.

The network sits in one seat, in every one equally often, and copies of an opponent in the others.
It plays alone and, where it has a policy, with a little search. All rounds of a run have the same
openings and seeds, so that two rounds differ by the network. Learning knows nothing of them.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from meeple.agents.spec import agent as make_agent
from meeple.arena.lockstep import (
    AgentPlayer,
    BatchPlayer,
    LiveGame,
    Stop,
    play_in_lockstep,
)
from meeple.arena.openings import Opening, openings
from meeple.errors import MeepleError, Stopped
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game
from meeple.kernels import HEURISTIC
from meeple.kernels.table import compilation_deferred
from meeple.learn.config import MatchesSection
from meeple.learn.evaluation.pairing import ALONE, START, Pairing

SHARE_OF_TIME = 0.1  # of training, that matches may take
LEAST_SECONDS = 60.0  # of training before the round at the end
SLICE = 4  # openings that are played by all before the clock is looked at
_SEEDS = 0x6D61746368  # apart from those of self-play


@dataclass(frozen=True)
class Contender:
    """The network of a run, as matches know it."""

    game: Game
    seed: int  # of the run
    ways: Mapping[str, Callable[[int], BatchPlayer]]
    """How the network plays as it is when it is asked: by name, for so many games at once."""
    start: Callable[[], BatchPlayer]
    """Makes the network as it was before it had learned anything here."""


def opponents_of(settings: MatchesSection, game: Game) -> tuple[str, ...]:
    """The opponents that are asked for, or the usual ones."""
    if settings.opponents:
        return settings.opponents
    known = ("greedy",) if game.has(HEURISTIC) else ()
    return ("random", "uct:sims=100", START, *known)


class Matches:
    """The matches of one session of training."""

    def __init__(self, contender: Contender, settings: MatchesSection, spent: float) -> None:
        """`spent`: seconds of training so far.

        Raises MeepleError where an opponent that is asked for cannot play the game.
        """
        self._contender, self._settings = contender, settings
        self._since = spent  # when the last round ended
        for spec in settings.opponents:
            _check(spec, contender.game)

    @cached_property
    def _makers(self) -> dict[str, Callable[[], BatchPlayer]]:
        """What makes each opponent; the usual ones only where they can play the game."""
        game = self._contender.game
        makers = {spec: self._maker(spec) for spec in opponents_of(self._settings, game)}
        return {spec: make for spec, make in makers.items() if _can_play(spec, game)}

    def _maker(self, spec: str) -> Callable[[], BatchPlayer]:
        if spec == START:
            return self._contender.start
        return lambda: AgentPlayer(lambda: make_agent(spec, self._contender.game))

    def is_due(self, spent: float, *, at_end: bool) -> bool:
        """Whether it is time for a round after so many seconds; at the end of a run, sooner."""
        if not self._settings.minutes:
            return False
        interval = 60 * self._settings.minutes
        return spent - self._since >= (min(interval, LEAST_SECONDS) if at_end else interval)

    def play(self, spent: float, stop: Stop, seconds: float | None = None) -> dict[str, float]:
        """Play a round, of about so many seconds or a tenth of the time since the last one.

        Returns its figures by the names that a `Pairing` has, and the network's own in all its
        games alone: its share from each seat, `seat/1`, and what the game counts of how it plays,
        `habit/NAME`. None where `stop` ended it.
        """
        began = time.perf_counter()
        limit = SHARE_OF_TIME * (spent - self._since) if seconds is None else seconds
        shares: dict[Pairing, list[float]] = {pairing: [] for pairing in self._pairings()}
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

    def _pairings(self) -> list[Pairing]:
        return [Pairing(*pair) for pair in itertools.product(self._contender.ways, self._makers)]

    def _slices(self) -> Iterator[list[tuple[int, Opening]]]:
        """The openings with their numbers, a few at a time."""
        game = self._contender.game
        count = max(1, self._settings.games // game.players)
        starts = list(enumerate(openings(game, count, self._contender.seed)))
        for first in range(0, count, SLICE):
            yield starts[first : first + SLICE]

    def _play_slice(
        self,
        starts: list[tuple[int, Opening]],
        shares: dict[Pairing, list[float]],
        own: dict[str, list[float]],
        stop: Stop,
    ) -> None:
        """Every pairing from every opening, with the network in every seat.

        Added to `shares`, and what the network did alone to `own`.
        """
        game = self._contender.game
        pairings, seats = list(shares), game.players
        fixtures = list(itertools.product(range(len(pairings)), starts, range(seats)))
        at_once = len(fixtures) // max(1, len(self._contender.ways))
        players = {way: make(at_once) for way, make in self._contender.ways.items()}
        players |= {name: make() for name, make in self._makers.items()}
        names = list(players)

        def live() -> Iterator[LiveGame]:
            for number, (index, (start, opening), seat) in enumerate(fixtures):
                pairing = pairings[index]
                lineup = [names.index(pairing.opponent)] * seats
                lineup[seat] = names.index(pairing.player)
                rng = np.random.default_rng((_SEEDS, index, start, seat))
                position = opening.position(game)
                yield LiveGame(number, tuple(lineup), position, len(opening.actions), rng)

        for over in play_in_lockstep(live(), list(players.values()), len(fixtures), stop):
            index, _, seat = fixtures[over.number]
            share = over.shares[seat]
            shares[pairings[index]].append(share)
            if pairings[index].player == ALONE:
                own.setdefault(f"seat/{seat + 1}", []).append(share)
                for name, numbers in capabilities.habits(over.position).items():
                    own.setdefault(f"habit/{name}", []).append(numbers[seat])


def _check(spec: str, game: Game) -> None:
    """Raise MeepleError where an opponent cannot play a game; nothing is compiled for it."""
    if spec != START:
        with compilation_deferred():
            make_agent(spec, game)


def _can_play(spec: str, game: Game) -> bool:
    try:
        _check(spec, game)
    except MeepleError:
        return False
    return True
