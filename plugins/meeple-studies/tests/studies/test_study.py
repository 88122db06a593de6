"""Studies run their experiments once, store results, and resume after an interruption."""

import json

import pytest

from meeple.errors import RunError, Stopped
from meeple.games.contract.registry import make
from meeple_studies.study import (
    RESULTS,
    Effort,
    Experiment,
    Study,
    reproduce,
    share_of,
    share_of_match,
)


class Bar:
    """A progress bar that counts its steps."""

    def __enter__(self):
        return lambda done, total: None

    def __exit__(self, *error):
        pass


def study(calls, stop=None):
    def experiment(name):
        def run(effort, count, progress):
            if name == stop:
                raise Stopped
            calls.append((name, count, effort.seed))
            return share_of(3, 4, "3 of 4")

        return Experiment(name, f"{name}?", "", 10, run)

    return Study("toy", "A toy", tuple(experiment(name) for name in ("first", "second")))


def run(study, folder, effort=None):
    found = []
    reproduce(
        study,
        effort or Effort(),
        folder,
        on_found=lambda experiment, result, kept: found.append((experiment.name, result, kept)),
        progress_of=lambda experiment: Bar(),
    )
    return found


def test_each_experiment_runs_with_its_own_count_and_is_stored(tmp_path):
    calls: list[tuple[str, int, int]] = []
    found = run(study(calls), tmp_path / "new" / "folder")
    assert calls == [("first", 10, 7), ("second", 10, 7)]
    assert [(name, kept) for name, _, kept in found] == [("first", False), ("second", False)]
    again = run(study(calls), tmp_path / "new" / "folder")
    assert len(calls) == 2
    assert [kept for _, _, kept in again] == [True, True]
    assert [result for _, result, _ in again] == [result for _, result, _ in found]


def test_other_effort_runs_again(tmp_path):
    calls: list[tuple[str, int, int]] = []
    run(study(calls), tmp_path)
    run(study(calls), tmp_path, Effort(games=5))
    run(study(calls), tmp_path, Effort(games=5, seed=8))
    assert [(count, seed) for _, count, seed in calls] == [(10, 7)] * 2 + [(5, 7)] * 2 + [
        (5, 8)
    ] * 2


def test_experiments_finished_before_ctrl_c_are_stored(tmp_path):
    calls: list[tuple[str, int, int]] = []
    with pytest.raises(Stopped):
        run(study(calls, stop="second"), tmp_path)
    run(study(calls), tmp_path)
    assert [name for name, _, _ in calls] == ["first", "second"]


@pytest.mark.parametrize(
    "text", ["no json", "[]", '{"first": 3}', '{"first": {"terms": 1}}', "tampered"]
)
def test_file_that_is_not_a_result_is_refused(text, tmp_path):
    if text == "tampered":
        run(study([]), tmp_path)
        kept = json.loads((tmp_path / RESULTS).read_text())
        kept["first"]["found"] = {"share": 1}
        text = json.dumps(kept)
    (tmp_path / RESULTS).write_text(text)
    with pytest.raises(RunError, match=r"results\.json"):
        run(study([]), tmp_path)


def test_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cannot (save|read)"):
        run(study([]), tmp_path / "file")


def test_pace_shortens_the_time_per_move_to_a_positive_minimum():
    assert Effort(pace=0.5).seconds(3) == "1.5"
    assert Effort(pace=1e-9).seconds(3) == "0.001"


def test_interrupted_match_resumes_within_its_experiment(tmp_path):
    told: list[int] = []

    def press(done, total):
        told.append(done)
        if done == 4:
            raise KeyboardInterrupt

    effort = Effort(workers=1, folder=tmp_path)
    agents = ["random", "uct:sims=5"]
    with pytest.raises(Stopped):
        share_of_match(make("nim"), agents, effort, 9, press)
    kept = sorted(tmp_path.rglob("*.sqlite"))
    assert len(kept) == 1
    played = len(told)
    found = share_of_match(make("nim"), agents, effort, 9, lambda done, total: told.append(done))
    alone = share_of_match(make("nim"), agents, Effort(workers=1), 9, lambda done, total: None)
    assert found == alone
    assert told == [*range(1, played + 1), *range(1, 10)]
    other = share_of_match(make("nim"), agents, Effort(seed=8, folder=tmp_path), 9, press_nothing)
    assert other.count == 9
    assert len(sorted(tmp_path.rglob("*.sqlite"))) == 2


def press_nothing(done, total):
    pass
