"""Finds problems of training in the metrics of a run; each finding is a sentence with advice."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from meeple.games.contract.game_words import check_command
from meeple.learn.config import START, AnyConfig, Config, Method
from meeple.learn.evaluation.results import (
    ALONE,
    MatchPairing,
    PairingResult,
    ends_of,
    is_worse,
    mean_of,
    pairing_results,
    quarter,
    recent,
)
from meeple.learn.run.schema import WaveMetrics

MIN_EPISODES = 100  # of a run, before it is checked
MIN_WAVES = 12  # of a run, before it is checked
RECENT_ROUNDS = 8  # last rounds that are checked
MIN_ROUNDS = 3  # with held-out labels, before their metrics count as worse
MIN_CRITIC_EPISODES = 500  # of a run, before its critic is checked: a younger one is often poor
MIN_GAMES = 100  # against an opponent; with fewer, the interval is wider than 20 points
STUCK_RATIO = 0.97  # of last to first excess loss, above which the policy has not improved
MIN_EXCESS_NATS = 0.15  # excess loss of the policy below which it has learned enough
HIGH_AGREEMENT = 0.6  # share of positions with equal best actions: it has learned enough as well
OVERFITTING_RATIO = 1.05  # of last to least held-out loss, above which it is rising
MEMORIZED_RATIO = 0.85  # of training loss to held-out loss, below which games are memorized
NEARLY_ALL = 0.98  # share of games that counts as all of them
MAX_REPEATED = 0.5  # share of self-play games equal to earlier ones
MAX_LEARNING_RATIO = 2.0  # of learning time to playing time

_LENGTH_FIELDS = {"round": "run.rounds", "episode": "run.episodes", "game": "records.epochs"}
"""The field that sets the length of a run, by its unit."""


@dataclass(frozen=True)
class RunFinding:
    """A problem of training, with advice."""

    name: str  # unique identifier of one or two words
    words: str  # the problem, a sentence without a full stop
    advice: str  # what to change, a sentence without a full stop


def findings(waves: Sequence[WaveMetrics], config: AnyConfig) -> list[RunFinding]:
    """Return the problems of a run, given its waves or rounds in order."""
    if not waves or (isinstance(config, Config) and lacking(waves, config)):
        return []
    found = (check(waves, config) for check in _CHECKS[config.method])
    return [one for one in found if one is not None]


def lacking(waves: Sequence[WaveMetrics], config: AnyConfig) -> str:
    """Return which data findings lack, as text; "" if they have enough."""
    if not isinstance(config, Config):
        rounds = len(waves)
        return f"{rounds} of {RECENT_ROUNDS} rounds" if rounds < RECENT_ROUNDS else ""
    if len(waves) < MIN_WAVES:
        return f"{len(waves)} of {MIN_WAVES} waves"
    episodes = waves[-1].episodes - waves[0].episodes
    enough = config.records or episodes >= MIN_EPISODES
    return "" if enough else f"{episodes} of {MIN_EPISODES} episodes"


def _loses_to_random(
    waves: Sequence[WaveMetrics], config: AnyConfig, more: str
) -> RunFinding | None:
    """Check that the network beats random play; `more`: advice besides longer training."""
    one, game = _result_against(waves, "random"), config.make_game()
    even = 1 / game.players
    if one is None or one.interval[0] > even:
        return None
    longer = "" if config.unit == "game" else f"train longer ({limit_of(waves, config)}) or "
    check = f"run `{check_command(game)}`, then {longer}{more}"
    if one.interval[1] < even:
        words, advice = "is worse than chance", check
    elif one.games >= MIN_GAMES:
        words, advice = "is not shown to be better than chance", check
    else:
        words = "may or may not be better than chance, which so few games cannot show"
        advice = _more_games(one, config)
    return RunFinding("random", f"after {_spent(one, config)} the network {words}: {one.words()}"
                   f"{_even(even)}", advice)  # fmt: skip


def _loses_to_start(
    waves: Sequence[WaveMetrics], config: AnyConfig, more: str
) -> RunFinding | None:
    """Check that the network wins an even share against the initial one; `more`: advice."""
    one, even = _result_against(waves, START), 1 / config.make_game().players
    if one is None or one.share >= even:
        return None
    if one.interval[1] < even:
        words, advice = "is weaker than the one it began with", more
    elif one.games >= MIN_GAMES:
        words, advice = "is not shown to be stronger than the one it began with", more
    else:
        words = (
            "won less than an even share against the one it began with, in too few games to show "
            "that it is weaker"
        )
        advice = f"{_more_games(one, config)}; if it stays so, {more}"
    return RunFinding("start", f"after {_spent(one, config)} the network {words}: {one.words()}"
                   f"{_even(even)}", advice)  # fmt: skip


def limit_of(waves: Sequence[WaveMetrics], config: AnyConfig) -> str:
    """Return the field that ends the run first, at the pace of its waves: `run.minutes`, say."""
    minutes, last = config.run.minutes, waves[-1]
    in_time = minutes is None or last.seconds <= 60 * minutes * last.episodes / config.length
    return _LENGTH_FIELDS[config.unit] if in_time else "run.minutes"


def _result_against(waves: Sequence[WaveMetrics], opponent: str) -> PairingResult | None:
    """Return the result of the network alone against an opponent; None without matches."""
    pairing = MatchPairing(ALONE, opponent)
    return next((one for one in pairing_results(waves) if one.pairing == pairing), None)


def _spent(one: PairingResult, config: AnyConfig) -> str:
    """Return the training before a round of matches as text: "400 episodes"."""
    return f"{one.episodes:,} {config.unit}{'' if one.episodes == 1 else 's'}"


def _even(share: float) -> str:
    """Return text that names the even share; "" if it is one half."""
    return "" if share == 0.5 else f"; even is {100 * share:.0f} %"


def _more_games(one: PairingResult, config: AnyConfig) -> str:
    """Return advice that gives a round of matches enough games, by what limited the last one."""
    if one.games > config.matches.games - config.make_game().players:
        return f"raise matches.games to {2 * MIN_GAMES}"
    minutes = math.ceil(config.matches.minutes * 2 * MIN_GAMES / one.games)
    return (
        "give matches more time, which is about a tenth of that from one round to the next: "
        f"matches.minutes = {minutes}"
    )


def _policy_stands_still(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    then, now = quarter(waves, 1), quarter(waves, 3)
    before, after = _excess(then), _excess(now)
    agreement = mean_of(now, "unseen/agreement")
    if before is None or after is None or agreement is None:
        return None
    rising = any(one.trend == "rising" for one in pairing_results(waves))
    if (
        after < MIN_EXCESS_NATS
        or after < STUCK_RATIO * before
        or agreement > HIGH_AGREEMENT
        or rising
    ):
        return None
    episodes = now[-1].episodes - then[0].episodes
    return RunFinding(
        "policy stands still",
        f"the policy's loss has not moved for {episodes:,} episodes, and its best action is the "
        f"search's in {100 * agreement:.0f} % of positions: the network may not see what matters",
        "see whether `observe` shows all that a choice depends on; then try a higher "
        "training.learning_rate, more training.batches, or a larger network",
    )


def _overfits(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    if waves[-1].episodes < MIN_CRITIC_EPISODES:
        return None
    losses = [mean_of(quarter(waves, part), "unseen/value") for part in range(4)]
    trained = mean_of(quarter(waves, 3), "loss/value")
    if trained is None or None in losses:
        return None
    now, least = losses[3] or 0.0, min(loss or 0.0 for loss in losses)
    if now < OVERFITTING_RATIO * least or trained > MEMORIZED_RATIO * now:
        return None
    return RunFinding(
        "overfitting",
        f"the critic's loss rises on games it has not seen ({least:.2f} to {now:.2f}), while it is "
        f"{trained:.2f} on those it learns from: overfitting",
        "learn less from each game (training.batches), remember more of them (replay.capacity), "
        "or set training.weight_decay",
    )


def _all_drawn(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    drawn = mean_of(recent(waves), "selfplay/drawn")
    if drawn is None or drawn < NEARLY_ALL:
        return None
    return RunFinding(
        "drawn",
        "every game is drawn" if drawn == 1 else f"{100 * drawn:.0f} % of games are drawn",
        f"see by `{check_command(config.make_game())}` whether games can be won; more "
        "search.simulations or selfplay.random_plies may find a win",
    )


def _repeats(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    repeated = mean_of(recent(waves), "selfplay/repeated")
    if repeated is None or repeated < MAX_REPEATED:
        return None
    return RunFinding(
        "repeats",
        f"self-play repeats itself: {100 * repeated:.0f} % equal games",
        "raise selfplay.temperature, selfplay.random_plies or search.noise_fraction",
    )


def _one_side_wins(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    share = mean_of(recent(waves), "selfplay/first_player_share")
    if share is None or 1 - NEARLY_ALL < share < NEARLY_ALL:
        return None
    who = "wins" if share > 0.5 else "loses"
    return RunFinding(
        "one side",
        f"the first player {who} nearly every game ({100 * share:.0f} % of the points), so that "
        "there is little to learn from results",
        "begin episodes with selfplay.random_plies, or learn a larger board",
    )


def _critic_is_blind(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    if waves[-1].episodes < MIN_CRITIC_EPISODES:
        return None
    explained = mean_of(quarter(waves, 3), "unseen/value_explained")
    if explained is None or explained > 0:
        return None
    return RunFinding(
        "blind critic",
        "the critic predicts nothing: it is no better than a constant prediction",
        f"see whether `observe` shows who is ahead; learn longer ({limit_of(waves, config)}), or "
        "lower training.learning_rate",
    )


def _learning_is_slow(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    lately = recent(waves)
    learning, playing = (
        mean_of(lately, "time/learning_seconds"),
        mean_of(lately, "time/selfplay_seconds"),
    )
    if learning is None or playing is None:
        return None
    playing /= config.selfplay.workers
    if learning < MAX_LEARNING_RATIO * playing:
        return None
    threads = mean_of(lately, "training/threads") or 1
    fewer = "use fewer threads (training.threads = 1), " if threads > 1 else ""
    return RunFinding(
        "slow learning",
        f"one wave: {learning:.2g} s learning, {playing:.2g} s playing",
        f"{fewer}fewer training.batches, or a smaller network",
    )


def _excess(waves: Sequence[WaveMetrics]) -> float | None:
    """Return the policy's held-out loss above its minimum, in nats."""
    loss, least = mean_of(waves, "unseen/policy"), mean_of(waves, "unseen/search_entropy")
    return None if loss is None or least is None else loss - least


# ------------------------------------------------------------ values


_LEARN_LESS = (
    "lower training.learning_rate or training.epochs, label more (labels.games, labels.playouts), "
    "or learn from more rounds (labels.rounds)"
)


def _unlearns(waves: Sequence[WaveMetrics], config: AnyConfig) -> RunFinding | None:
    """Check whether the held-out loss rises while choosing by the network gains less."""
    evaluated = [wave for wave in waves if "unseen/gained" in wave.metrics]
    losses, gains = ends_of(evaluated, "unseen/shares"), ends_of(evaluated, "unseen/gained")
    if len(evaluated) < MIN_ROUNDS or losses is None or gains is None:
        return None
    if not (is_worse(-1, *losses) and is_worse(1, *gains)):
        return None
    return RunFinding(
        "unlearns",
        f"the network gets worse on labels that it has not seen: its loss rises "
        f"({losses[0]:.3f} to {losses[1]:.3f}), and choosing by it gains less "
        f"({gains[0]:.2%} to {gains[1]:.2%})",
        _LEARN_LESS,
    )


def _none_accepted(waves: Sequence[WaveMetrics], config: AnyConfig) -> RunFinding | None:
    verdicts = [wave.metrics["gate/accepted"] for wave in waves if "gate/accepted" in wave.metrics]
    if len(verdicts) < RECENT_ROUNDS or any(verdicts[-RECENT_ROUNDS:]):
        return None
    return RunFinding(
        "none accepted",
        f"the gate accepted no network in the last {RECENT_ROUNDS} rounds: games did not show that "
        "one is at least as strong as the current network",
        "label more (labels.games, labels.playouts), learn from more rounds (labels.rounds), or "
        "accept every network (gate.games = 0)",
    )


def _siblings_are_alike(waves: Sequence[WaveMetrics], config: AnyConfig) -> RunFinding | None:
    evaluated = [wave for wave in waves if "unseen/gained" in wave.metrics]
    gained = mean_of(evaluated[-RECENT_ROUNDS:], "unseen/gained")
    if len(evaluated) < RECENT_ROUNDS or gained is None or gained > 0:
        return None
    return RunFinding(
        "siblings alike",
        "the network does not tell good actions from bad ones: of siblings that it has not seen, "
        "the one that it prefers is no better than their mean",
        "see whether `observe` shows all that a choice depends on; then try more labels.playouts "
        "or a larger network",
    )


_LEARN_SLOWER = "lower training.learning_rate"
_CHECKS: dict[Method, tuple[Callable[..., RunFinding | None], ...]] = {
    "self-play": (
        partial(_loses_to_random, more="raise search.simulations"),
        partial(_loses_to_start, more=f"{_LEARN_SLOWER}, or raise search.simulations"),
        _policy_stands_still,
        _critic_is_blind,
        _overfits,
        _all_drawn,
        _one_side_wins,
        _repeats,
        _learning_is_slow,
    ),
    # The games are fixed, and the run stops before it overfits.
    "records": (
        partial(_loses_to_random, more="learn from more records"),
        partial(_loses_to_start, more=_LEARN_SLOWER),
        _critic_is_blind,
    ),
    "patterns": (
        partial(_loses_to_random, more="raise training.games"),
        partial(_loses_to_start, more="lower training.step"),
    ),
    "values": (
        partial(_loses_to_random, more="raise labels.games"),
        partial(_loses_to_start, more=_LEARN_LESS),
        _unlearns,
        _none_accepted,
        _siblings_are_alike,
    ),
}
"""The checks of each way of learning: functions of the waves and the configuration."""
