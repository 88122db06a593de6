"""What goes wrong in a run of self-play, by its figures: each thing a sentence, and what to change.

The checks of runs that learn values are in `values/findings.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from meeple.learn.config import Config
from meeple.learn.pairing import ALONE, Pairing
from meeple.learn.run_schema import WaveMetrics
from meeple.learn.standing import standings

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
    weak = loses_to_random(waves, config.make_game().players, "games", "more records")
    return [found for found in (weak, _critic_is_blind(waves, config)) if found is not None]


def loses_to_random(
    waves: Sequence[WaveMetrics], players: int, unit: str, more: str
) -> Finding | None:
    """A network that does not beat chance. `unit`: what the run counts; `more`: what may help."""
    for one in standings(waves):
        if one.pairing == Pairing(ALONE, "random") and one.interval[0] <= 1 / players:
            return Finding(
                "random",
                f"after {one.episodes:,} {unit} the network is not shown to be better than "
                f"chance: {one.words()}",
                f"try `meeple check` on the game, then longer training or {more}",
            )
    return None


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
        "see by `meeple check` whether games can be won; more search.simulations or "
        "selfplay.random_plies may find a win",
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
        "see whether `observe` shows who is ahead; learn longer, or lower training.learning_rate",
    )


def _loses_to_random(waves: Sequence[WaveMetrics], config: Config) -> Finding | None:
    players = config.make_game().players
    return loses_to_random(waves, players, "episodes", "more search.simulations")


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
