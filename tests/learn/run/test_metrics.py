"""The file of a run's metrics: whole lines, each wave once, and its export to TensorBoard."""

import json

import pytest

from meeple import extras
from meeple.errors import RunError, UsageError
from meeple.learn.run.metrics import (
    MetricsLog,
    MetricsReader,
    all_waves,
    export_to_tensorboard,
    speed_of,
)
from meeple.learn.run.schema import WaveMetrics


@pytest.fixture
def file(tmp_path):
    return tmp_path / "metrics.jsonl"


def write(folder, *waves):
    """Write a session's waves, each (episodes, loss)."""
    log = MetricsLog(folder)
    for episodes, loss in waves:
        log.wave(episodes, 0.5 * episodes, {"loss/loss": loss})
    log.close()


def found(waves):
    return [(wave.episodes, wave.metrics["loss/loss"]) for wave in waves]


def test_a_reader_gives_each_wave_once_as_the_file_grows(tmp_path):
    reader = MetricsReader(tmp_path)
    assert list(reader.new_waves()) == []
    write(tmp_path, (8, 1.0), (16, 2.0))
    first, second = reader.new_waves()
    assert (first.seconds, first.starts, second.starts) == (4.0, True, False)
    assert first.time > 1.7e9
    assert found([first, second]) == [(8, 1.0), (16, 2.0)]
    assert found(reader.new_waves()) == []
    write(tmp_path, (24, 3.0))
    assert [(wave.episodes, wave.starts) for wave in reader.new_waves()] == [(24, True)]


def test_a_partial_line_is_read_once_it_is_complete(tmp_path, file):
    write(tmp_path, (8, 1.0), (16, 2.0))
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    reader = MetricsReader(tmp_path)
    assert found(reader.new_waves()) == [(8, 1.0)]
    file.write_bytes(whole)
    assert found(reader.new_waves()) == [(16, 2.0)]


def test_a_session_after_one_killed_within_a_line_begins_a_new_line(tmp_path, file):
    write(tmp_path, (8, 1.0), (16, 2.0))
    file.write_bytes(file.read_bytes()[:-9])
    write(tmp_path, (16, 2.5))
    assert found(all_waves(tmp_path)) == [(8, 1.0), (16, 2.5)]


def test_replayed_waves_count_once(tmp_path):
    write(tmp_path, (8, 1.0), (16, 2.0), (24, 3.0))
    write(tmp_path, (16, 5.0))
    assert found(all_waves(tmp_path)) == [(8, 1.0), (16, 5.0)]


WAVE = '{{"episodes": {}, "seconds": 1, "time": {}, "starts": true, "metrics": {}}}'


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"\xff\x00", id="bytes"),
        pytest.param(b"[1, 2]", id="list"),
        pytest.param(b"{}", id="empty"),
        pytest.param(b"{" * 100_000, id="brackets"),
        pytest.param(b"x" * 2_500_000, id="long"),
        pytest.param(WAVE.format("1e999", 1, "{}").encode(), id="endless"),
        pytest.param(WAVE.format(-1, 1, "{}").encode(), id="negative"),
        pytest.param(WAVE.format(16.5, 1, "{}").encode(), id="fraction"),
        pytest.param(WAVE.format('"16"', 1, "{}").encode(), id="text"),
        pytest.param(WAVE.format(10**30, 1, "{}").encode(), id="huge"),
        pytest.param(WAVE.format(16, "NaN", "{}").encode(), id="time"),
        pytest.param(WAVE.format(16, 1, '{"a": "b"}').encode(), id="figure"),
        pytest.param(WAVE.format(16, 1, '{"\\ud800": 1}').encode(), id="name"),
    ],
)
def test_a_damaged_line_is_skipped(tmp_path, file, line):
    write(tmp_path, (8, 1.0))
    file.write_bytes(file.read_bytes() + line + b"\n")
    write(tmp_path, (24, 3.0))
    assert found(all_waves(tmp_path)) == [(8, 1.0), (24, 3.0)]


def test_a_folder_instead_of_the_file_is_named(tmp_path, file):
    file.mkdir()
    with pytest.raises(RunError, match=r"cannot read .*metrics\.jsonl: it is not a file"):
        all_waves(tmp_path)
    with pytest.raises(RunError, match=r"cannot write .*metrics\.jsonl: Is a directory"):
        write(tmp_path, (8, 1.0))


def wave(episodes, seconds, starts=False):
    return WaveMetrics(episodes=episodes, seconds=0.0, time=seconds, starts=starts, metrics={})


SESSIONS = [wave(8, 1.0, True), wave(16, 2.0), wave(24, 900.0, True), wave(32, 902.0)]


@pytest.mark.parametrize(
    ("waves", "speed"),
    [
        ([], None),
        ([wave(8, 1.0)], None),
        ([wave(8, 1.0), wave(16, 5.0)], 2.0),
        ([wave(8, 1.0), wave(16, 1.0)], None),
        (SESSIONS, 4.0),
        (SESSIONS[:3], None),
    ],
    ids=["none", "one", "two", "at once", "sessions", "new session"],
)
def test_the_speed_is_that_of_the_last_waves_of_a_session(waves, speed):
    assert speed_of(waves) == speed


def test_the_last_waves_are_read_from_the_end_of_a_long_file(tmp_path):
    write(tmp_path, *[(8 * n, float(n)) for n in range(1, 200)])
    assert found(all_waves(tmp_path, last_bytes=500))[-1] == (1592, 199.0)
    assert len(all_waves(tmp_path, last_bytes=500)) < 10
    assert len(all_waves(tmp_path, last_bytes=10**9)) == 199


# ---------------------------------------------------------------- TensorBoard


@pytest.fixture
def run(tmp_path):
    (tmp_path / "config.toml").touch()
    return tmp_path


def test_tensorboard_reads_every_exported_wave_once(run, file):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    write(run, (8, 1.0), (16, 2.0))
    export_to_tensorboard(run)
    write(run, (16, 3.0), (24, 4.0))
    events = EventAccumulator(str(export_to_tensorboard(run))).Reload().Scalars("loss/loss")
    assert [(event.step, event.value) for event in events] == [(8, 1.0), (16, 3.0), (24, 4.0)]
    times = [json.loads(line)["time"] for line in file.read_text().splitlines()]
    assert events[0].wall_time == pytest.approx(times[0])


def test_an_export_without_a_run_or_figures_is_refused_with_a_message(run, file):
    with pytest.raises(RunError, match="has no metrics yet"):
        export_to_tensorboard(run)
    with pytest.raises(RunError, match="holds no run"):
        export_to_tensorboard(run / "none")
    file.write_text(WAVE.format(10**30, 1, "{}") + "\n")
    with pytest.raises(RunError, match=r"metrics\.jsonl is corrupt: no line holds the metrics"):
        export_to_tensorboard(run)
    write(run, (8, 1e300), (16, float("nan")))
    assert any(export_to_tensorboard(run).iterdir())


def test_an_export_without_tensorboard_names_the_package_to_install(run, monkeypatch):
    monkeypatch.setattr(extras, "is_installed", lambda name: name != "tensorboard")
    with pytest.raises(UsageError, match=r"needs TensorBoard: pip install 'meeple\[learn\]'"):
        export_to_tensorboard(run)
