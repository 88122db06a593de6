"""Figures become words: how a network fares, and each thing that goes wrong, by figures made up."""

import pytest

from meeple.learn.diagnosis import MOST_WAVES, Adviser, History, findings
from meeple.learn.run_schema import WaveMetrics
from meeple.learn.standing import progress, standings
from tests.learn.small import config

HEALTHY = {
    "loss/value": 0.6,
    "unseen/value": 0.62,
    "unseen/search_entropy": 0.5,
    "unseen/agreement": 0.5,
    "unseen/value_explained": 0.3,
    "selfplay/drawn": 0.0,
    "selfplay/repeated": 0.0,
    "selfplay/first_player_share": 0.5,
    "time/selfplay_seconds": 3.0,
    "time/learning_seconds": 1.0,
    "training/threads": 1.0,
}


def wave(number, **metrics):
    figures = {**HEALTHY, "unseen/policy": 2.0 - number / 50, **metrics}
    named = {name.replace("__", "/"): value for name, value in figures.items()}
    return WaveMetrics(
        episodes=10 * number, seconds=float(number), time=0.0, starts=number == 1, metrics=named
    )


def waves(count=40, **metrics):
    """Waves of ten episodes each; a figure may be a function of the wave's number."""
    return [
        wave(n, **{k: v(n) if callable(v) else v for k, v in metrics.items()})
        for n in range(1, count + 1)
    ]


def found(*args, **metrics):
    return {one.name: one.words for one in findings(waves(*args, **metrics), config())}


def test_nothing_is_said_of_a_run_that_learns():
    assert found() == {}


def test_nothing_is_said_before_there_is_enough_to_see():
    assert found(11, selfplay__drawn=1.0) == {}
    assert "drawn" in found(12, selfplay__drawn=1.0)
    few = [one.model_copy(update={"episodes": n + 1}) for n, one in enumerate(waves())]
    assert findings(few, config()) == []


@pytest.mark.parametrize(
    ("metrics", "name", "words"),
    [
        (
            {"unseen__policy": 1.9},
            "policy stands still",
            "the policy's loss has not moved for 290 episodes, and its best action is the search's "
            "in 50 % of positions: the network may not see what matters",
        ),
        (
            {"unseen__value": lambda n: 0.5 + n / 100, "loss__value": 0.3},
            "overfitting",
            "the critic's loss rises on games it has not seen (0.55 to 0.85), while it is 0.30 on "
            "those it learns from: overfitting",
        ),
        ({"selfplay__drawn": 1.0}, "drawn", "every game is drawn"),
        ({"selfplay__drawn": 0.99}, "drawn", "99 % of games are drawn"),
        ({"selfplay__repeated": 0.93}, "repeats", "self-play repeats itself: 93 % equal games"),
        (
            {"selfplay__first_player_share": 1.0},
            "one side",
            "the first player wins nearly every game (100 % of the points), so that there is "
            "little to learn from results",
        ),
        (
            {"unseen__value_explained": -0.1},
            "blind critic",
            "the critic foresees nothing: it is no better than always saying the same chances",
        ),
        (
            {"time__learning_seconds": 21.0},
            "slow learning",
            "one wave: 21 s learning, 3 s playing",
        ),
        (
            {"match__alone__random": 0.5, "match__alone__random__games": 40.0},
            "random",
            "after 400 episodes the network is not shown to be better than chance: 50 % against "
            "random (35 to 65)",
        ),
    ],
)
def test_each_thing_that_goes_wrong_is_said(metrics, name, words):
    assert found(**metrics) == {name: words}


@pytest.mark.parametrize(
    "metrics",
    [
        {"unseen__policy": 1.9, "unseen__agreement": 0.7},  # it agrees with the search
        {"unseen__policy": 0.6},  # as near to it as can be
        {"unseen__value": 0.8, "loss__value": 0.3},  # no worse than it was
        {"unseen__value": lambda n: 0.5 + n / 100, "loss__value": 0.8},  # the games got harder
        {"time__learning_seconds": 5.0},
    ],
)
def test_what_only_looks_wrong_is_not_said(metrics):
    assert found(**metrics) == {}


def test_more_threads_are_to_blame_where_there_are_more():
    one, two = (
        findings(waves(time__learning_seconds=21.0, training__threads=n), config())[0].advice
        for n in (1.0, 2.0)
    )
    assert "threads" not in one
    assert two.startswith("use fewer threads")


def matches(number, shares, games=100.0):
    figures: dict[str, float] = {}
    for name, share in shares.items():
        figures |= {f"match__{name}": share, f"match__{name}__games": games}
    return wave(number, **figures)


def test_progress_is_told_with_intervals_and_where_it_goes():
    run = [
        matches(1, {"alone__random": 0.5, "search__random": 0.9}),
        wave(2),
        matches(3, {"alone__random": 0.97, "search__random": 0.88}),
    ]
    assert progress(run) == [
        "The network alone wins 97 % against random (92 to 99, rising)",
        "With search it wins 88 % against random (80 to 93)",
    ]
    assert progress(run[:2], players=3)[0].endswith("against random (40 to 60); even is 33 %")
    assert progress([wave(1)]) == []


def test_a_fall_since_the_best_round_is_told():
    run = [matches(n, {"alone__random": share}) for n, share in ((1, 0.5), (2, 0.95), (3, 0.7))]
    assert standings(run)[0].trend == "falling"


def test_waves_that_were_lost_are_forgotten_and_many_are_thinned():
    history = History(waves(5))
    history.add(wave(3))
    assert [one.episodes for one in history.waves] == [10, 20, 30]
    history = History()
    history.add(matches(1, {"alone__random": 0.5}))
    for n in range(2, 2 * MOST_WAVES):
        history.add(wave(n))
    assert len(history.waves) <= MOST_WAVES
    assert "match/alone/random" in history.waves[0].metrics
    assert history.waves[-1].episodes == 10 * (2 * MOST_WAVES - 1)


def test_the_adviser_tells_each_round_and_each_fault_once():
    told: list[str] = []
    adviser = Adviser(config(), 2, waves(20, selfplay__drawn=1.0), told.append)
    for n in range(21, 24):
        adviser.wave(10 * n, 61.0 * n, wave(n, selfplay__drawn=1.0).metrics)
    assert [line for line in told if "drawn" in line] == [
        "Every game is drawn. See by `meeple check` whether games can be won; more "
        "search.simulations or selfplay.random_plies may find a win"
    ]
    adviser.wave(240, 62.0 * 24, matches(24, {"alone__random": 1.0}).metrics)
    assert told[-1] == "Episode 240: The network alone wins 100 % against random (96 to 100)"


def test_shares_that_vary_little_prove_more():
    """Three players share points: 43 % of them, give or take 8, is far above an even share."""
    lucky = {"match__alone__random": 0.43, "match__alone__random__games": 42.0}
    assert "random" in found(**lucky, match__alone__random__deviation=0.49)
    low, high = standings(waves(**lucky, match__alone__random__deviation=0.08))[0].interval
    assert low == pytest.approx(0.43 - 1.96 * 0.08 / 42**0.5, abs=0.002)
    assert high == pytest.approx(0.43 + 1.96 * 0.08 / 42**0.5, abs=0.002)
