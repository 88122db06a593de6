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
    with_even,
)
from meeple.learn.run.schema import WaveMetrics
from meeple.sentences import Sentence, counted, say

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
    even = 1 / len(game.sides)
    if one is None or one.interval[0] > even:
        return None
    if config.unit != "game":
        more = say("training.longer_or", field=limit_of(waves, config), advice=more)
    check = say("training.check_then", command=check_command(game), advice=more)
    if one.interval[1] < even:
        code, advice = "training.worse_than_chance", check
    elif one.games >= MIN_GAMES:
        code, advice = "training.not_better_than_chance", check
    else:
        code, advice = "training.maybe_better_than_chance", _more_games(one, config)
    return RunFinding("random", _result(code, one, even, config), advice)


def _loses_to_start(
    waves: Sequence[WaveMetrics], config: AnyConfig, more: str
) -> RunFinding | None:
    """Check that the network wins an even share against the initial one; `more`: advice."""
    one, even = _result_against(waves, START), 1 / len(config.make_game().sides)
    if one is None or one.share >= even:
        return None
    if one.interval[1] < even:
        code, advice = "training.weaker_than_start", more
    elif one.games >= MIN_GAMES:
        code, advice = "training.not_stronger_than_start", more
    else:
        code = "training.maybe_weaker_than_start"
        advice = say("training.if_it_stays", first=_more_games(one, config), then=more)
    return RunFinding("start", _result(code, one, even, config), advice)


def limit_of(waves: Sequence[WaveMetrics], config: AnyConfig) -> str:
    """Return the field that ends the run first, at the pace of its waves: `run.minutes`, say."""
    minutes, last = config.run.minutes, waves[-1]
    in_time = minutes is None or last.seconds <= 60 * minutes * last.episodes / config.length
    return _LENGTH_FIELDS[config.unit] if in_time else "run.minutes"


def _result_against(waves: Sequence[WaveMetrics], opponent: str) -> PairingResult | None:
    """Return the result of the network alone against an opponent; None without matches."""
    pairing = MatchPairing(ALONE, opponent)
    return next((one for one in pairing_results(waves) if one.pairing == pairing), None)


def _result(code: str, one: PairingResult, even: float, config: AnyConfig) -> Sentence:
    """Return the sentence of a code on a result; it names an even share other than one half."""
    result = one.words() if even == 0.5 else with_even(one.words(), even)
    return say(code, time=counted(one.episodes, config.unit), result=result)


def _more_games(one: PairingResult, config: AnyConfig) -> Sentence:
    """Return advice that gives a round of matches enough games, by what limited the last one."""
    game = config.make_game()
    each = len(game.sides) if game.has_par else 1  # games that count as one
    if one.games * each > config.matches.games - len(game.sides):
        return say("training.raise_to", field="matches.games", n=2 * MIN_GAMES * each)
    minutes = math.ceil(config.matches.minutes * 2 * MIN_GAMES / one.games)
    return say("training.more_time_for_matches", n=minutes)


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
        say("training.policy_stands_still", n=episodes, n2=100 * agreement),
        say("training.see_more"),
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
        say("training.overfitting", n=least, n2=now, n3=trained),
        say("training.learn_less_from_each"),
    )


def _all_drawn(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    drawn = mean_of(recent(waves), "selfplay/drawn")
    if drawn is None or drawn < NEARLY_ALL:
        return None
    return RunFinding(
        "drawn",
        say("training.all_drawn") if drawn == 1 else say("training.mostly_drawn", n=100 * drawn),
        say("training.can_be_won", command=check_command(config.make_game())),
    )


def _repeats(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    repeated = mean_of(recent(waves), "selfplay/repeated")
    if repeated is None or repeated < MAX_REPEATED:
        return None
    return RunFinding(
        "repeats",
        say("training.repeats", n=100 * repeated),
        say("training.more_variety"),
    )


def _one_side_wins(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    share = mean_of(recent(waves), "selfplay/first_player_share")
    if config.make_game().has_par:  # its share says how many points were made
        return None
    if share is None or 1 - NEARLY_ALL < share < NEARLY_ALL:
        return None
    who = "wins" if share > 0.5 else "loses"
    return RunFinding(
        "one side",
        say(f"training.first_player_{who}", n=100 * share),
        say("training.random_plies_or_board"),
    )


def _critic_is_blind(waves: Sequence[WaveMetrics], config: Config) -> RunFinding | None:
    if waves[-1].episodes < MIN_CRITIC_EPISODES:
        return None
    explained = mean_of(quarter(waves, 3), "unseen/value_explained")
    if explained is None or explained > 0:
        return None
    return RunFinding(
        "blind critic",
        say("training.blind_critic"),
        say("training.see_who_is_ahead", field=limit_of(waves, config)),
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
    return RunFinding(
        "slow learning",
        say("training.slow_learning", n=learning, n2=playing),
        say("training.fewer_threads" if threads > 1 else "training.fewer_batches"),
    )


def _excess(waves: Sequence[WaveMetrics]) -> float | None:
    """Return the policy's held-out loss above its minimum, in nats."""
    loss, least = mean_of(waves, "unseen/policy"), mean_of(waves, "unseen/search_entropy")
    return None if loss is None or least is None else loss - least


# ------------------------------------------------------------ values


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
        say(
            "training.unlearns",
            n=losses[0],
            n2=losses[1],
            n3=100 * gains[0],
            n4=100 * gains[1],
        ),
        _LEARN_LESS,
    )


def _none_accepted(waves: Sequence[WaveMetrics], config: AnyConfig) -> RunFinding | None:
    verdicts = [wave.metrics["gate/accepted"] for wave in waves if "gate/accepted" in wave.metrics]
    if len(verdicts) < RECENT_ROUNDS or any(verdicts[-RECENT_ROUNDS:]):
        return None
    return RunFinding(
        "none accepted",
        say("training.none_accepted", n=RECENT_ROUNDS),
        say("training.label_more"),
    )


def _siblings_are_alike(waves: Sequence[WaveMetrics], config: AnyConfig) -> RunFinding | None:
    evaluated = [wave for wave in waves if "unseen/gained" in wave.metrics]
    gained = mean_of(evaluated[-RECENT_ROUNDS:], "unseen/gained")
    if len(evaluated) < RECENT_ROUNDS or gained is None or gained > 0:
        return None
    return RunFinding(
        "siblings alike",
        say("training.siblings_alike"),
        say("training.see_more_or_playouts"),
    )


_LEARN_LESS = say("training.learn_less")
_LEARN_SLOWER = say("training.lower", field="training.learning_rate")
_SEARCH_MORE = say("training.raise", field="search.simulations")
_LEARN_SLOWER_OR_SEARCH_MORE = say(
    "training.lower_or_raise", field="training.learning_rate", other="search.simulations"
)
_CHECKS: dict[Method, tuple[Callable[..., RunFinding | None], ...]] = {
    "self-play": (
        partial(_loses_to_random, more=_SEARCH_MORE),
        partial(_loses_to_start, more=_LEARN_SLOWER_OR_SEARCH_MORE),
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
        partial(_loses_to_random, more=say("training.more_records")),
        partial(_loses_to_start, more=_LEARN_SLOWER),
        _critic_is_blind,
    ),
    "patterns": (
        partial(_loses_to_random, more=say("training.raise", field="training.games")),
        partial(_loses_to_start, more=say("training.lower", field="training.step")),
    ),
    "values": (
        partial(_loses_to_random, more=say("training.raise", field="labels.games")),
        partial(_loses_to_start, more=_LEARN_LESS),
        _unlearns,
        _none_accepted,
        _siblings_are_alike,
    ),
}
"""The checks of each way of learning: functions of the waves and the configuration."""
