"""What a run's figures mean, in words: how the network fares, and what goes wrong in learning."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from meeple.arena.statistics import wilson_interval
from meeple.games.contract.records import GameRecord
from meeple.learn.config import Config
from meeple.learn.metrics import all_waves
from meeple.learn.pairing import ALONE, Pairing, pairings_in
from meeple.learn.run_schema import WaveMetrics

LEAST_EPISODES = 100  # before anything is said of a run
LEAST_WAVES = 12
RECENT_EPISODES = 200  # that figures of late are means over

STUCK = 0.97  # a loss that fell by less has not moved
TOO_FAR = 0.15  # nats of the policy from the search's, below which it has learned enough
AGREES = 0.6  # share of positions where policy and search agree, above which it has as well
OVERFITS = 1.05  # a loss on unseen games that rose by more is rising
KNOWS_BY_HEART = 0.85  # of it is the loss in training, or less
ALWAYS = 0.98  # share of games that is as good as all
REPEATS = 0.5  # share of equal games that is too many
SLOW_LEARNING = 2.0  # times as long as playing

TELL_SECONDS = 60.0  # of training between two looks for what goes wrong
MOST_WAVES = 4000  # that are remembered


@dataclass(frozen=True)
class Finding:
    """Something that goes wrong."""

    name: str  # one word or two that no other kind has
    words: str  # a sentence without its point
    advice: str  # what to change; the same


@dataclass(frozen=True)
class Standing:
    """How the network fares in one pairing, by its last round of matches."""

    pairing: Pairing
    episodes: int  # played before the round
    share: float  # mean share of the win
    interval: tuple[float, float]  # 95 %
    games: int
    trend: str  # "rising" or "falling" where that is shown since an earlier round; else ""

    def words(self) -> str:
        """Such as "41 % against uct:sims=100 (33 to 50, rising)"."""
        low, high = (f"{100 * end:.0f}" for end in self.interval)
        trend = self.trend and f", {self.trend}"
        return f"{100 * self.share:.0f} % against {self.pairing.opponent} ({low} to {high}{trend})"


def standings(waves: Sequence[WaveMetrics]) -> list[Standing]:
    """How the network fares in every pairing, by its last round in these waves."""
    rounds: dict[Pairing, list[WaveMetrics]] = {}
    for wave in waves:
        for pairing in pairings_in(wave.metrics):
            rounds.setdefault(pairing, []).append(wave)
    return [_standing(pairing, played) for pairing, played in rounds.items()]


def _standing(pairing: Pairing, played: Sequence[WaveMetrics]) -> Standing:
    ends = [_interval(pairing, wave) for wave in played]
    low, high = ends[-1]
    last = played[-1].metrics
    trend = ""
    if any(low > earlier_high for _, earlier_high in ends[:-1]):
        trend = "rising"
    if any(high < earlier_low for earlier_low, _ in ends[:-1]):
        trend = "falling"
    return Standing(
        pairing,
        played[-1].episodes,
        last[pairing.metric],
        (low, high),
        int(last[pairing.count]),
        trend,
    )


def _interval(pairing: Pairing, wave: WaveMetrics) -> tuple[float, float]:
    """Wilson's interval for as many games, won or lost, as would vary as these shares do."""
    figures = wave.metrics
    share, games = figures[pairing.metric], figures[pairing.count]
    variance = figures.get(pairing.deviation, 0.0) ** 2
    if variance > 0:
        games *= max(1.0, share * (1 - share) / variance)
    return wilson_interval(share * games, games)


def progress(waves: Sequence[WaveMetrics], players: int = 2) -> list[str]:
    """A line on how the network fares alone, and one on how with search; none without matches."""
    lines = []
    found = standings(waves)
    for player in dict.fromkeys(one.pairing.player for one in found):
        shares = [one.words() for one in found if one.pairing.player == player]
        how = "The network alone wins" if player == ALONE else "With search it wins"
        even = f"; even is {100 / players:.0f} %" if players > 2 else ""
        lines.append(f"{how} {', '.join(shares)}{even}")
    return lines


class History:
    """The waves of a run, thinned once there are very many: those with matches are all kept."""

    def __init__(self, waves: Iterable[WaveMetrics] = ()) -> None:
        self.waves: list[WaveMetrics] = []
        for wave in waves:
            self.add(wave)

    def add(self, wave: WaveMetrics) -> None:
        """A wave; those that it replaces, since a session before lost them, are forgotten."""
        while self.waves and self.waves[-1].episodes >= wave.episodes:
            self.waves.pop()
        self.waves.append(wave)
        if len(self.waves) > MOST_WAVES:
            keep = [pairings_in(one.metrics) or number % 2 for number, one in enumerate(self.waves)]
            self.waves = [one for one, kept in zip(self.waves, keep, strict=True) if kept]


class Adviser:
    """A reporter that tells how the network fares after each round of matches, and what goes wrong
    once it is seen, each kind once.
    """

    def __init__(
        self,
        config: Config,
        players: int,
        before: Iterable[WaveMetrics],
        tell: Callable[[str], None],
    ) -> None:
        """`before`: the waves of earlier sessions; `tell` is given sentences without full stops."""
        self.history = History(before)
        self._config, self._players, self._tell = config, players, tell
        self._told: set[str] = set()
        self._looked = 0.0  # seconds of the run

    def message(self, text: str) -> None: ...

    def game(self, record: GameRecord) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        wave = WaveMetrics.model_construct(
            episodes=episodes, seconds=seconds, time=time.time(), starts=False, metrics=metrics
        )
        self.history.add(wave)
        if pairings_in(metrics):
            for line in progress(self.history.waves, self._players):
                self._tell(f"Episode {episodes}: {line}")
        if seconds - self._looked > TELL_SECONDS:
            self._looked = seconds
            for found in findings(self.history.waves, self._config):
                if found.name not in self._told:
                    self._told.add(found.name)
                    self._tell(sentence(found))


def summary(folder: str | Path, config: Config) -> list[str]:
    """How a run's network fares, and what goes wrong, in sentences. Raises RunError."""
    waves = all_waves(folder)
    lines = progress(waves, config.make_game().players)
    lines += [f"Note: {sentence(found)}" for found in findings(waves, config)]
    return [f"{line}." for line in lines]


def sentence(found: Finding) -> str:
    """A finding and its advice, without the last point."""
    return f"{found.words[0].upper()}{found.words[1:]}. {found.advice[0].upper()}{found.advice[1:]}"


# ---------------------------------------------------------------- what goes wrong


def findings(waves: Sequence[WaveMetrics], config: Config) -> list[Finding]:
    """What goes wrong in a run, by its waves in their order; empty where nothing is seen."""
    if len(waves) < LEAST_WAVES or waves[-1].episodes - waves[0].episodes < LEAST_EPISODES:
        return []
    return [found for check in _CHECKS if (found := check(waves, config)) is not None]


def _policy_stands_still(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    then, now = _quarter(waves, 1), _quarter(waves, 3)
    before, after = _excess(then), _excess(now)
    agreement = mean_of(now, "unseen/agreement")
    if before is None or after is None or agreement is None:
        return None
    rising = any(one.trend == "rising" for one in standings(waves))
    if after < TOO_FAR or after < STUCK * before or agreement > AGREES or rising:
        return None
    episodes = now[-1].episodes - then[0].episodes
    return Finding(
        "policy stands still",
        f"the policy's loss has not moved for {episodes:,} episodes, and its best action is the "
        f"search's in {100 * agreement:.0f} % of positions: the network may not see what matters",
        "see whether `observe` shows all that a choice depends on; then try a higher "
        "training.learning_rate, more training.batches, or a larger network",
    )


def _overfits(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    losses = [mean_of(_quarter(waves, part), "unseen/value") for part in range(4)]
    trained = mean_of(_quarter(waves, 3), "loss/value")
    if trained is None or None in losses:
        return None
    now, least = losses[3] or 0.0, min(loss or 0.0 for loss in losses)
    if now < OVERFITS * least or trained > KNOWS_BY_HEART * now:
        return None
    return Finding(
        "overfitting",
        f"the critic's loss rises on games it has not seen ({least:.2f} to {now:.2f}), while it is "
        f"{trained:.2f} on those it learns from: overfitting",
        "learn less from each game (training.batches), remember more of them (replay.capacity), "
        "or set training.weight_decay",
    )


def _all_drawn(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    drawn = mean_of(_recent(waves), "selfplay/drawn")
    if drawn is None or drawn < ALWAYS:
        return None
    return Finding(
        "drawn",
        "every game is drawn" if drawn == 1 else f"{100 * drawn:.0f} % of games are drawn",
        "see by `meeple check` whether games can be won; more search.simulations or "
        "selfplay.random_plies may find a win",
    )


def _repeats(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    repeated = mean_of(_recent(waves), "selfplay/repeated")
    if repeated is None or repeated < REPEATS:
        return None
    return Finding(
        "repeats",
        f"self-play repeats itself: {100 * repeated:.0f} % equal games",
        "raise selfplay.temperature, selfplay.random_plies or search.noise_fraction",
    )


def _one_side_wins(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    share = mean_of(_recent(waves), "selfplay/first_player_share")
    if share is None or 1 - ALWAYS < share < ALWAYS:
        return None
    who = "wins" if share > 0.5 else "loses"
    return Finding(
        "one side",
        f"the first player {who} nearly every game ({100 * share:.0f} % of the points), so that "
        "there is little to learn from results",
        "begin episodes with selfplay.random_plies, or learn a larger board",
    )


def _critic_is_blind(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    explained = mean_of(_quarter(waves, 3), "unseen/value_explained")
    if explained is None or explained > 0:
        return None
    return Finding(
        "blind critic",
        "the critic foresees nothing: it is no better than always saying the same chances",
        "see whether `observe` shows who is ahead; learn longer, or lower training.learning_rate",
    )


def _loses_to_random(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    for one in standings(waves):
        if one.pairing == Pairing(ALONE, "random") and one.interval[0] <= 1 / _players(config):
            return Finding(
                "random",
                f"after {one.episodes:,} episodes the network is not shown to be better than "
                f"chance: {one.words()}",
                "try `meeple check` on the game, then longer training or more search.simulations",
            )
    return None


def _learning_is_slow(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    recent = _recent(waves)
    learning, playing = (
        mean_of(recent, "time/learning_seconds"),
        mean_of(recent, "time/selfplay_seconds"),
    )
    if learning is None or playing is None:
        return None
    playing /= config.selfplay.workers
    if learning < SLOW_LEARNING * playing:
        return None
    threads = mean_of(recent, "training/threads") or 1
    fewer = "use fewer threads (training.threads = 1), " if threads > 1 else ""
    return Finding(
        "slow learning",
        f"one wave: {learning:.2g} s learning, {playing:.2g} s playing",
        f"{fewer}fewer training.batches, or a smaller network",
    )


_CHECKS: tuple[Callable[[Sequence[WaveMetrics], Config], Finding | None], ...] = (
    _loses_to_random,
    _policy_stands_still,
    _critic_is_blind,
    _overfits,
    _all_drawn,
    _one_side_wins,
    _repeats,
    _learning_is_slow,
)


def _players(config: Config) -> int:
    return config.make_game().players


def _excess(waves: Sequence[WaveMetrics]) -> float | None:
    """Nats of the policy's loss on unseen games above what it could reach."""
    loss, least = mean_of(waves, "unseen/policy"), mean_of(waves, "unseen/search_entropy")
    return None if loss is None or least is None else loss - least


def _quarter(waves: Sequence[WaveMetrics], number: int) -> Sequence[WaveMetrics]:
    """A quarter of the waves, from 0 to 3."""
    return waves[number * len(waves) // 4 : (number + 1) * len(waves) // 4]


def _recent(waves: Sequence[WaveMetrics]) -> Sequence[WaveMetrics]:
    """The last waves."""
    last = waves[-1].episodes
    return [wave for wave in waves if wave.episodes > last - RECENT_EPISODES]


def mean_of(waves: Sequence[WaveMetrics], name: str) -> float | None:
    """The mean of a figure over the waves that have it; None where none has."""
    values = [wave.metrics[name] for wave in waves if name in wave.metrics]
    return sum(values) / len(values) if values else None
