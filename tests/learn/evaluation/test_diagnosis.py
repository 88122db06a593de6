"""Diagnosis of made-up figures: the assessment of a network, and each problem."""

import re
import shlex
from pathlib import Path

import pytest

from meeple.cli.main import run
from meeple.cli.train.diagnose import report, trial_of
from meeple.games.contract.registry import load_game_file
from meeple.learn.config import ValuesConfig, parse_sections
from meeple.learn.evaluation.diagnosis import MAX_WAVES, Adviser, WaveHistory
from meeple.learn.evaluation.findings import MIN_GAMES, findings, limit_of
from meeple.learn.evaluation.results import pairing_results, progress
from meeple.learn.run.schema import WaveMetrics
from tests.learn.small import HEX3, config

LEDUC = Path(__file__).resolve().parents[3] / "examples" / "leduc.py"

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
    """Return waves of ten episodes each; a figure may be a function of the wave's number."""
    return [
        wave(n, **{k: v(n) if callable(v) else v for k, v in metrics.items()})
        for n in range(1, count + 1)
    ]


def advice_of(found, settings):
    return [one.advice for one in findings(found, settings)]


def found(*args, **metrics):
    return {one.name: one.words for one in findings(waves(*args, **metrics), config())}


def test_a_run_that_is_too_short_has_no_findings():
    assert found(11, selfplay__drawn=1.0) == {}
    assert "drawn" in found(12, selfplay__drawn=1.0)
    few = [one.model_copy(update={"episodes": n + 1}) for n, one in enumerate(waves())]
    assert findings(few, config()) == []


def against(opponent, share, games, **more):
    """Return the metrics of the network's matches against an opponent."""
    name = f"match__alone__{opponent}"
    return {name: share, f"{name}__games": float(games), **more}


STILL = (
    "the policy's loss has not moved for 290 episodes, and its best action is the search's in 50 % "
    "of positions: the network may not see what matters"
)
ONE_SIDE = (
    "the first player wins nearly every game (100 % of the points), so that there is little to "
    "learn from results"
)
MEMORIZED = (
    "the critic's loss rises on games it has not seen (0.57 to 0.99), while it is 0.30 on those it "
    "learns from: overfitting"
)
MAY_BE = (
    "after 400 episodes the network may or may not be better than chance, which so few games "
    "cannot show: 50 % of 40 games against random (35 to 65)"
)
NOT_BETTER = (
    "after 400 episodes the network is not shown to be better than chance: 55 % of 100 games "
    "against random (45 to 64)"
)
WORSE = (
    "after 400 episodes the network is worse than chance: 20 % of 40 games against random "
    "(10 to 35)"
)
WEAKER = (
    "after 400 episodes the network is weaker than the one it began with: 30 % of 100 games "
    "against start (22 to 40)"
)
NOT_STRONGER = (
    "after 400 episodes the network is not shown to be stronger than the one it began with: 45 % "
    "of 100 games against start (36 to 55)"
)


@pytest.mark.parametrize(
    ("metrics", "name", "words"),
    [
        ({"unseen__policy": 1.9}, "policy stands still", STILL),
        ({"selfplay__drawn": 1.0}, "drawn", "every game is drawn"),
        ({"selfplay__drawn": 0.99}, "drawn", "99 % of games are drawn"),
        ({"selfplay__repeated": 0.93}, "repeats", "self-play repeats itself: 93 % equal games"),
        ({"selfplay__first_player_share": 1.0}, "one side", ONE_SIDE),
        ({"time__learning_seconds": 21.0}, "slow learning", "one wave: 21 s learning, 3 s playing"),
        (against("random", 0.5, 40), "random", MAY_BE),
        (against("random", 0.55, 100), "random", NOT_BETTER),
        (against("random", 0.2, 40), "random", WORSE),
        (against("start", 0.3, 100), "start", WEAKER),
        (against("start", 0.45, 100), "start", NOT_STRONGER),
    ],
)
def test_each_problem_has_its_finding(metrics, name, words):
    assert found(**metrics) == {name: words}


@pytest.mark.parametrize(
    ("metrics", "name", "words"),
    [
        (
            {"unseen__value": lambda n: 0.5 + n / 90, "loss__value": 0.3},
            "overfitting",
            MEMORIZED,
        ),
        (
            {"unseen__value_explained": -0.1},
            "blind critic",
            "the critic predicts nothing: it is no better than a constant prediction",
        ),
    ],
)
def test_the_critic_is_checked_after_500_episodes(metrics, name, words):
    assert found(49, **metrics) == {}
    assert found(50, **metrics) == {name: words}


@pytest.mark.parametrize(
    "metrics",
    [
        {"unseen__policy": 1.9, "unseen__agreement": 0.7},  # the network agrees with the search
        {"unseen__policy": 0.6},  # as close to the search as possible
        {"unseen__value": 0.8, "loss__value": 0.3},  # no worse than before
        {"unseen__value": lambda n: 0.5 + n / 100, "loss__value": 0.8},  # the games became harder
        {"time__learning_seconds": 5.0},
        against("start", 0.5, 40),
        against("random", 0.7, 40),
        {},
    ],
)
def test_harmless_figures_have_no_findings(metrics):
    assert found(50, **metrics) == {}


def test_advice_on_threads_is_given_only_to_runs_with_several():
    one, two = (
        advice_of(waves(time__learning_seconds=21.0, training__threads=n), config())[0]
        for n in (1.0, 2.0)
    )
    assert "threads" not in one
    assert two.startswith("use fewer threads")


def matches(number, shares, games=100.0):
    figures: dict[str, float] = {}
    for name, share in shares.items():
        figures |= {f"match__{name}": share, f"match__{name}__games": games}
    return wave(number, **figures)


def test_progress_has_intervals_and_trends():
    run = [
        matches(1, {"alone__random": 0.5, "search__random": 0.9}),
        wave(2),
        matches(3, {"alone__random": 0.97, "search__random": 0.88}),
    ]
    assert progress(run) == [
        "The network alone wins 97 % of 100 games against random (92 to 99, rising)",
        "With search it wins 88 % of 100 games against random (80 to 93)",
    ]
    assert progress(run[:2], players=3)[0].endswith("against random (40 to 60); even is 33 %")
    assert progress([wave(1)]) == []


def test_a_decline_since_the_best_round_is_reported():
    run = [matches(n, {"alone__random": share}) for n, share in ((1, 0.5), (2, 0.95), (3, 0.7))]
    assert pairing_results(run)[0].trend == "falling"


def test_history_replaces_lost_waves_and_thins_long_runs():
    history = WaveHistory(waves(5))
    history.add(wave(3))
    assert [one.episodes for one in history.waves] == [10, 20, 30]
    history = WaveHistory()
    history.add(matches(1, {"alone__random": 0.5}))
    for n in range(2, 2 * MAX_WAVES):
        history.add(wave(n))
    assert len(history.waves) <= MAX_WAVES
    assert "match/alone/random" in history.waves[0].metrics
    assert history.waves[-1].episodes == 10 * (2 * MAX_WAVES - 1)


def test_the_adviser_reports_each_round_and_each_problem_once():
    told: list[str] = []
    adviser = Adviser(config(), 2, waves(20, selfplay__drawn=1.0), told.append)
    for n in range(21, 24):
        adviser.wave(10 * n, 61.0 * n, wave(n, selfplay__drawn=1.0).metrics)
    assert [line for line in told if "drawn" in line] == [
        "Every game is drawn. See by `meeple check hex --option size=3` whether games can be won; "
        "more search.simulations or selfplay.random_plies may find a win"
    ]
    adviser.wave(240, 62.0 * 24, matches(24, {"alone__random": 1.0}).metrics)
    assert (
        told[-1]
        == "Episode 240: The network alone wins 100 % of 100 games against random (96 to 100)"
    )


def test_shares_with_little_variance_are_stronger_evidence():
    """With three players, 43 % of the points with a deviation of 8 % is far above an even share."""
    lucky = {
        d: against("random", 0.43, 42, match__alone__random__deviation=d) for d in (0.49, 0.08)
    }
    assert "random" in found(**lucky[0.49])
    low, high = pairing_results(waves(**lucky[0.08]))[0].interval
    assert low == pytest.approx(0.43 - 1.96 * 0.08 / 42**0.5, abs=0.002)
    assert high == pytest.approx(0.43 + 1.96 * 0.08 / 42**0.5, abs=0.002)


# ---------------------------------------------------------------- values

VALUES = (
    'game.name="catan"',
    "game.options.players=3",
    "run.rounds=20",
    "run.minutes=60",
)


def values_config(*changes):
    return parse_sections(ValuesConfig, "", [*VALUES, *changes], "values")


def rounds(losses, gains, **matches):
    """Return rounds with a loss and a gain each; the last one has matches."""
    found = []
    for number, (loss, gain) in enumerate(zip(losses, gains, strict=True), start=1):
        metrics = {"unseen/shares": loss, "unseen/gained": gain, "unseen/siblings": 0.5}
        if number == len(losses):
            metrics |= {name.replace("__", "/"): value for name, value in matches.items()}
        whole = wave(number).model_copy(update={"seconds": 60.0 * number, "metrics": metrics})
        found.append(whole.model_copy(update={"episodes": number}))
    return found


def test_a_rising_loss_and_play_below_the_start_are_reported():
    """The diagnosis was once "Nothing to change was seen"."""
    seen = rounds([0.776, 0.79, 0.797], [0.019, 0.016, 0.012], **against("start", 0.28, 42))
    lines = report(values_config(), seen)
    assert "What to change:" in lines
    changes = "\n".join(lines)
    assert (
        "- After 3 rounds the network won less than an even share against the one it began with, "
        "in too few games to show that it is weaker: 28 % of 42 games against start (17 to 43); "
        "even is 33 %. Raise matches.games to 200; if it stays so, lower training.learning_rate"
    ) in changes
    assert (
        "- The network gets worse on labels that it has not seen: its loss rises (0.776 to 0.797), "
        "and choosing by it gains less (1.90% to 1.20%). Lower training.learning_rate"
    ) in changes
    assert (
        "Figures that got worse: loss of the shares, labels not seen before 0.776 -> 0.797; share "
        "gained by choosing among siblings 1.90% -> 1.20%."
    ) in lines


@pytest.mark.parametrize(
    ("losses", "gains", "said"),
    [
        ([0.80, 0.78], [0.01, 0.02], "Too little was seen to say what to change: 2 of 8 rounds."),
        ([0.80 - n / 100 for n in range(8)], [0.01] * 8, "Nothing to change was seen."),
        (
            [0.70 + n / 100 for n in range(8)],
            [0.01] * 8,
            "Figures that got worse: loss of the shares, labels not seen before 0.700 -> 0.770.",
        ),
    ],
)
def test_no_problems_are_reported_only_if_figures_show_it(losses, gains, said):
    lines = report(values_config(), rounds(losses, gains))
    assert said in lines
    assert ("Nothing to change was seen." in lines) == said.startswith("Nothing")


def test_a_worsening_critic_is_reported_even_if_harder_games_may_be_the_cause():
    lines = report(config(), waves(unseen__value=lambda n: 0.5 + n / 100, loss__value=0.8))
    assert "Nothing to change was seen." not in lines
    assert any(line.startswith("Figures that got worse: critic's loss") for line in lines)


def test_a_diagnosis_plays_enough_games_for_evidence():
    assert trial_of(config("matches.games=40")).matches.games == MIN_GAMES
    assert trial_of(config("matches.games=500")).matches.games == 500


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        (["run.episodes=1000"], "run.episodes"),
        (["run.episodes=1000", "run.minutes=1"], "run.minutes"),  # 500 episodes took 50 s
        (["run.episodes=1000", "run.minutes=2"], "run.episodes"),
    ],
)
def test_advice_to_learn_longer_names_the_limit_that_ends_the_run(changes, limit):
    settings = config(*changes)
    assert limit_of(waves(50), settings) == limit
    blind = findings(waves(50, unseen__value_explained=-0.1), settings)[0]
    assert f"learn longer ({limit})" in blind.advice


def test_advice_to_play_more_games_depends_on_the_limiting_factor():
    few, late = (advice_of(waves(**against("random", 0.5, n)), config())[0] for n in (40, 8))
    assert few == "raise matches.games to 200"
    assert "matches.minutes = 125" in late


ALL_WRONG = [
    waves(unseen__policy=1.9),
    waves(unseen__value=lambda n: 0.5 + n / 100, loss__value=0.3),
    waves(
        selfplay__drawn=1.0, selfplay__repeated=0.9, selfplay__first_player_share=1.0,
        unseen__value_explained=-0.1, time__learning_seconds=21.0, training__threads=2.0,
    ),
    *(
        waves(**against("random", share, games), **against("start", share, games))
        for share, games in ((0.2, 100), (0.48, 100), (0.48, 40), (0.48, 8))
    ),
]  # fmt: skip


def test_every_field_in_advice_accepts_the_suggested_value():
    worst = rounds([0.7] * 4 + [0.8] * 4, [0.02] * 4 + [0.0] * 4, **against("start", 0.2, 400))
    seen = set()
    for make, wrong in [*((config, one) for one in ALL_WRONG), (values_config, worst)]:
        for advice in advice_of(wrong, make()):
            for field, value in re.findall(r"\b([a-z]+\.[a-z_]+)(?: (?:=|to) ([\d.]+))?", advice):
                section, _, name = field.partition(".")
                assert name in type(getattr(make(), section)).model_fields, field
                if value:
                    make(f"{field}={value.rstrip('.')}")
                seen.add(field)
    assert {"run.episodes", "matches.games", "matches.minutes", "training.threads"} <= seen


@pytest.mark.slow
def test_every_command_in_advice_can_be_run(tmp_path, monkeypatch, capsys):
    """The command runs in the state in which it is printed, with the options of the run."""
    monkeypatch.chdir(tmp_path)
    commands = {
        command
        for wrong in ALL_WRONG
        for advice in advice_of(wrong, config())
        for command in re.findall(r"`(meeple [^`]*)`", advice)
    }
    assert commands == {"meeple check hex --option size=3"}
    for command in commands:
        assert run([*shlex.split(command)[1:], "--quick"], debug=False) == 0
        assert "no problem found" in capsys.readouterr().out


def test_a_game_of_a_file_is_checked_with_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a folder" / "cards.py"
    file.parent.mkdir()
    file.write_text(LEDUC.read_text().replace('"leduc"', '"my-leduc"'))
    load_game_file(str(file))
    settings = config('game.name="my-leduc"', "game.options.ranks=2", base=HEX3[2:])
    advice = advice_of(waves(selfplay__drawn=1.0), settings)[0]
    assert "`meeple check 'a folder/cards.py' --option ranks=2`" in advice
