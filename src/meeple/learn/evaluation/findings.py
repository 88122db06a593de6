"""What goes wrong in a run of self-play, by its figures: each thing a sentence, and what to change.

The checks of runs that learn values are in `values/findings.py`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from meeple.games.contract.game import Game
from meeple.games.contract.game_words import check_command
from meeple.learn.config import Config, MatchesSection
from meeple.learn.evaluation.pairing import ALONE, START, Pairing
from meeple.learn.evaluation.results import Standing, standings
from meeple.learn.run.schema import WaveMetrics

LEAST_EPISODES = 100  # before anything is said of a run
LEAST_WAVES = 12
RECENT_EPISODES = 200  # that figures of late are means over
LEAST_GAMES = 100  # against an opponent, below which an interval of 20 points shows too little
WORSE = 1.02  # ratio of a figure to what it was, from which on it counts as worse


STUCK = 0.97  # a loss that fell by less has not moved
TOO_FAR = 0.15  # nats of the policy from the search's, below which it has learned enough
AGREES = 0.6  # share of positions where policy and search agree, above which it has as well
OVERFITS = 1.05  # a loss on unseen games that rose by more is rising
KNOWS_BY_HEART = 0.85  # of it is the loss in training, or less
ALWAYS = 0.98  # share of games that is as good as all
REPEATS = 0.5  # share of equal games that is too many
SLOW_LEARNING = 2.0  # times as long as playing


class AnyConfig(Protocol):
    """What findings read of the configuration of a run, of either kind."""

    @property
    def run(self) -> Any:
        """How long the run is: by `minutes`, and by `episodes` or `rounds`."""

    @property
    def matches(self) -> MatchesSection:
        """The matches while it learns."""

    @property
    def unit(self) -> str:
        """What the run counts."""

    def make_game(self) -> Game:
        """The game of the run."""


@dataclass(frozen=True)
class Figure:
    """A figure that is shown at the beginning and at the end of a run."""

    name: str  # among the metrics of a wave
    words: str
    form: str  # how it is written
    better: int = 0  # 1: more is better, -1: less is better, 0: neither


FIGURES = (
    Figure("unseen/policy", "policy's loss on games not seen before", "{:.3f}", -1),
    Figure("unseen/search_entropy", "  of which the search's own spread", "{:.3f}"),
    Figure("unseen/agreement", "policy's best action is the search's", "{:.0%}", 1),
    Figure("unseen/value", "critic's loss on games not seen before", "{:.3f}", -1),
    Figure("unseen/value_explained", "results that the critic foresees", "{:.0%}", 1),
    Figure("unseen/policy_entropy", "spread of the policy (entropy)", "{:.2f}"),
    Figure("unseen/shares", "loss of the shares, labels not seen before", "{:.3f}", -1),
    Figure("unseen/gained", "share gained by choosing among siblings", "{:.2%}", 1),
)


@dataclass(frozen=True)
class Finding:
    """Something that goes wrong."""

    name: str  # one word or two that no other kind has
    words: str  # a sentence without its point
    advice: str  # what to change; the same


def selfplay_findings(waves: Sequence[WaveMetrics], config: Config) -> list[Finding]:
    """What goes wrong in a run, by its waves in their order; empty where nothing is seen."""
    if len(waves) < LEAST_WAVES or waves[-1].episodes - waves[0].episodes < LEAST_EPISODES:
        return []
    return [found for check in _CHECKS if (found := check(waves, config)) is not None]


def records_findings(waves: Sequence[WaveMetrics], config: Config) -> list[Finding]:
    """The same for a run that learns from records: its games are what they are, and it ends by
    itself where it would overfit.
    """
    if len(waves) < LEAST_WAVES:
        return []
    weak = loses_to_random(waves, config, "learn from more records")
    worse = loses_to_start(waves, config, "lower training.learning_rate")
    found = (weak, worse, _critic_is_blind(waves, config))
    return [one for one in found if one is not None]


def loses_to_random(waves: Sequence[WaveMetrics], config: AnyConfig, more: str) -> Finding | None:
    """A network that does not beat chance. `more`: what may help, beside longer training."""
    one, game = _standing_against(waves, "random"), config.make_game()
    even = 1 / game.players
    if one is None or one.interval[0] > even:
        return None
    longer = "" if config.unit == "game" else f"train longer ({limit_of(waves, config)}) or "
    check = f"run `{check_command(game)}`, then {longer}{more}"
    if one.interval[1] < even:
        words, advice = "is worse than chance", check
    elif one.games >= LEAST_GAMES:
        words, advice = "is not shown to be better than chance", check
    else:
        words = "may or may not be better than chance, which so few games cannot show"
        advice = _more_games(one, config)
    return Finding("random", f"after {_spent(one, config)} the network {words}: {one.words()}"
                   f"{_even(even)}", advice)  # fmt: skip


def loses_to_start(waves: Sequence[WaveMetrics], config: AnyConfig, more: str) -> Finding | None:
    """A network that wins less than an even share against the one that its run began with.

    `more`: what may help, where that is shown.
    """
    one, even = _standing_against(waves, START), 1 / config.make_game().players
    if one is None or one.share >= even:
        return None
    if one.interval[1] < even:
        words, advice = "is weaker than the one it began with", more
    elif one.games >= LEAST_GAMES:
        words, advice = "is not shown to be stronger than the one it began with", more
    else:
        words = (
            "won less than an even share against the one it began with, in too few games to show "
            "that it is weaker"
        )
        advice = f"{_more_games(one, config)}; if it stays so, {more}"
    return Finding("start", f"after {_spent(one, config)} the network {words}: {one.words()}"
                   f"{_even(even)}", advice)  # fmt: skip


def limit_of(waves: Sequence[WaveMetrics], config: AnyConfig) -> str:
    """Return the field that ends the run first, at the pace of its waves: `run.minutes`, say."""
    run, last = config.run, waves[-1]
    if config.unit == "round":
        field, share = "run.rounds", last.episodes / (run.rounds + 1)
    else:
        field = "run.episodes" if config.unit == "episode" else "records.epochs"
        share = last.episodes / run.episodes
    in_time = run.minutes is None or last.seconds <= 60 * run.minutes * share
    return field if in_time else "run.minutes"


def worsened(waves: Sequence[WaveMetrics]) -> list[str]:
    """Return the figures that got worse over the run, as text with both values."""
    found = []
    for figure in FIGURES:
        first, last = ends_of(waves, figure.name) or (0.0, 0.0)
        before, after = figure.form.format(first), figure.form.format(last)
        if is_worse(figure.better, first, last) and before != after:
            found.append(f"{figure.words} {before} -> {after}")
    return found


def is_worse(better: int, first: float, last: float) -> bool:
    """Whether a figure got worse by more than it varies by: see `Figure.better` and `WORSE`."""
    return -better * (last - first) > (WORSE - 1) * abs(first)


def ends_of(waves: Sequence[WaveMetrics], name: str) -> tuple[float, float] | None:
    """The means of a figure over the first and the last fifth of the waves that have it.

    None if no wave has it; twice the same if one has.
    """
    values = [wave.metrics[name] for wave in waves if name in wave.metrics]
    if not values:
        return None
    part = max(1, len(values) // 5)
    return sum(values[:part]) / part, sum(values[-part:]) / part


def _standing_against(waves: Sequence[WaveMetrics], opponent: str) -> Standing | None:
    """How the network alone fares against an opponent, None without such matches."""
    pairing = Pairing(ALONE, opponent)
    return next((one for one in standings(waves) if one.pairing == pairing), None)


def _spent(one: Standing, config: AnyConfig) -> str:
    """How much was learned before a round of matches: "400 episodes"."""
    return f"{one.episodes:,} {config.unit}{'' if one.episodes == 1 else 's'}"


def _even(share: float) -> str:
    """Return text that names the even share; "" if it is one half."""
    return "" if share == 0.5 else f"; even is {100 * share:.0f} %"


def _more_games(one: Standing, config: AnyConfig) -> str:
    """What gives a round of matches enough games, by what limited the last one."""
    if one.games > config.matches.games - config.make_game().players:
        return f"raise matches.games to {2 * LEAST_GAMES}"
    minutes = math.ceil(config.matches.minutes * 2 * LEAST_GAMES / one.games)
    return (
        "give matches more time, which is about a tenth of that from one round to the next: "
        f"matches.minutes = {minutes}"
    )


def _policy_stands_still(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    then, now = quarter(waves, 1), quarter(waves, 3)
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
    losses = [mean_of(quarter(waves, part), "unseen/value") for part in range(4)]
    trained = mean_of(quarter(waves, 3), "loss/value")
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
    drawn = mean_of(recent(waves), "selfplay/drawn")
    if drawn is None or drawn < ALWAYS:
        return None
    return Finding(
        "drawn",
        "every game is drawn" if drawn == 1 else f"{100 * drawn:.0f} % of games are drawn",
        f"see by `{check_command(config.make_game())}` whether games can be won; more "
        "search.simulations or selfplay.random_plies may find a win",
    )


def _repeats(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    repeated = mean_of(recent(waves), "selfplay/repeated")
    if repeated is None or repeated < REPEATS:
        return None
    return Finding(
        "repeats",
        f"self-play repeats itself: {100 * repeated:.0f} % equal games",
        "raise selfplay.temperature, selfplay.random_plies or search.noise_fraction",
    )


def _one_side_wins(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    share = mean_of(recent(waves), "selfplay/first_player_share")
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
    explained = mean_of(quarter(waves, 3), "unseen/value_explained")
    if explained is None or explained > 0:
        return None
    return Finding(
        "blind critic",
        "the critic foresees nothing: it is no better than always saying the same chances",
        f"see whether `observe` shows who is ahead; learn longer ({limit_of(waves, config)}), or "
        "lower training.learning_rate",
    )


def _loses_to_random(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    return loses_to_random(waves, config, "raise search.simulations")


def _loses_to_start(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    more = "lower training.learning_rate, or raise search.simulations"
    return loses_to_start(waves, config, more)


def _learning_is_slow(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    lately = recent(waves)
    learning, playing = (
        mean_of(lately, "time/learning_seconds"),
        mean_of(lately, "time/selfplay_seconds"),
    )
    if learning is None or playing is None:
        return None
    playing /= config.selfplay.workers
    if learning < SLOW_LEARNING * playing:
        return None
    threads = mean_of(lately, "training/threads") or 1
    fewer = "use fewer threads (training.threads = 1), " if threads > 1 else ""
    return Finding(
        "slow learning",
        f"one wave: {learning:.2g} s learning, {playing:.2g} s playing",
        f"{fewer}fewer training.batches, or a smaller network",
    )


_CHECKS: tuple[Callable[[Sequence[WaveMetrics], Config], Finding | None], ...] = (
    _loses_to_random,
    _loses_to_start,
    _policy_stands_still,
    _critic_is_blind,
    _overfits,
    _all_drawn,
    _one_side_wins,
    _repeats,
    _learning_is_slow,
)


def _excess(waves: Sequence[WaveMetrics]) -> float | None:
    """Nats of the policy's loss on unseen games above what it could reach."""
    loss, least = mean_of(waves, "unseen/policy"), mean_of(waves, "unseen/search_entropy")
    return None if loss is None or least is None else loss - least


def quarter(waves: Sequence[WaveMetrics], number: int) -> Sequence[WaveMetrics]:
    """A quarter of the waves, from 0 to 3."""
    return waves[number * len(waves) // 4 : (number + 1) * len(waves) // 4]


def recent(waves: Sequence[WaveMetrics]) -> Sequence[WaveMetrics]:
    """The last waves."""
    last = waves[-1].episodes
    return [wave for wave in waves if wave.episodes > last - RECENT_EPISODES]


def mean_of(waves: Sequence[WaveMetrics], name: str) -> float | None:
    """The mean of a figure over the waves that have it; None where none has."""
    values = [wave.metrics[name] for wave in waves if name in wave.metrics]
    return sum(values) / len(values) if values else None
