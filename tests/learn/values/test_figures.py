"""The reports of a run of values: metrics of rounds, matches, and problems."""

import pytest

from meeple.learn.evaluation.findings import RECENT_ROUNDS, RunFinding, findings
from meeple.learn.evaluation.results import pairings_in
from meeple.learn.loop import start_run, train
from meeple.learn.run.metrics import MetricsLog, all_waves
from meeple.learn.run.schema import WaveMetrics
from tests.learn.values.test_loop import config, saved_state

pytestmark = pytest.mark.slow

MATCHES = ("matches.minutes=0.00001", "matches.games=4", 'matches.opponents=["random", "start"]')


@pytest.fixture(scope="module")
def waves(tmp_path_factory):
    run = tmp_path_factory.mktemp("figures") / "run"
    start_run(config(*MATCHES), run)
    log = MetricsLog(run)
    train(run, log)
    log.close()
    return all_waves(run)


def test_every_round_has_its_figures_and_its_matches(waves):
    assert [wave.episodes for wave in waves] == [1, 2]
    first, second = (wave.metrics for wave in waves)
    assert {pairing.opponent for pairing in pairings_in(second)} == {"random", "start"}
    assert first["match/alone/start"] == 0.5  # the initial network, in two seats
    assert first["match/alone/random/games"] == 4
    assert {"time/labelling_seconds", "time/learning_seconds", "unseen/shares"} <= set(first)
    assert {"gate/quick players", "unseen/gained", "time/gate_seconds"} <= set(second)
    assert second["gate/accepted"] in (0.0, 1.0)


def test_figures_equal_those_of_the_history_of_the_run(tmp_path):
    run = tmp_path / "run"
    start_run(config(), run)
    log = MetricsLog(run)
    train(run, log)
    log.close()
    history, waves = saved_state(run).history, all_waves(run)
    assert waves[1].metrics["unseen/shares"] == history[1]["after"]["entropy"]
    assert waves[1].metrics["unseen/gained"] == history[1]["after"]["gained"]
    assert waves[1].metrics["labels/learned"] == history[1]["labels"]
    assert waves[1].metrics["gate/quick players"] == history[1]["games"][0]["share"]
    assert not pairings_in(waves[1].metrics)  # a run under a minute has none


def rounds(count=RECENT_ROUNDS, **metrics):
    named = {name.replace("__", "/"): value for name, value in metrics.items()}
    return [
        WaveMetrics(episodes=n, seconds=float(n), time=0.0, starts=n == 1, metrics=named)
        for n in range(1, count + 1)
    ]


def names(waves) -> list[str]:
    found: list[RunFinding] = findings(waves, config())
    return [one.name for one in found]


def test_problems_are_reported_only_if_they_occur():
    assert names(rounds(unseen__gained=0.01, gate__accepted=1.0)) == []
    assert names(rounds(unseen__gained=-0.001)) == ["siblings alike"]
    assert names(rounds(RECENT_ROUNDS - 1, unseen__gained=-0.001)) == []
    assert names(rounds(gate__accepted=0.0)) == ["none accepted"]
    assert names(rounds(RECENT_ROUNDS - 1, gate__accepted=0.0)) == []
    mixed = [*rounds(gate__accepted=0.0), *rounds(1, gate__accepted=1.0)]
    assert names(mixed) == []
    lost = {"match__alone__random": 0.4, "match__alone__random__games": 40.0}
    assert names(rounds(1, **lost)) == ["random"]
    assert "after 1 round " in findings(rounds(1, **lost), config())[0].words
