"""Progress of training: plain lines, a bar on a terminal, and an extra line for a cluster."""

import io
import sys

from meeple.cli.shared.progress import Several, TrainingProgress
from meeple.learn.run.metrics import Silent
from tests.learn.clusters import made_up

SUMMARY = "3 nodes (1 dead) · 12 actors (1 dead) · 14 games/s · self-play waits for the learner"


class Terminal(io.StringIO):
    """A stderr that looks like a terminal."""

    def isatty(self):
        return True


def test_without_a_terminal_a_cluster_is_reported_once_and_then_with_each_line(capsys):
    with TrainingProgress(24) as progress:
        progress.wave(8, 1.0, {})
        progress.cluster(made_up())
        progress.cluster(made_up())
        told = capsys.readouterr().err
        progress.wave(24, 3.0, {"loss/loss": 1.5})
    assert told.count(SUMMARY) == 1
    assert told.startswith("on ray://10.0.0.1:6379: 3 nodes")
    line, more = capsys.readouterr().err.splitlines()
    assert line.startswith("episode 24 of 24 · ")
    assert more.startswith(f"    {SUMMARY}")


def test_the_remaining_time_is_estimated_once_waves_after_the_first_were_measured(
    capsys, monkeypatch
):
    monkeypatch.setattr("meeple.cli.shared.progress.LINE_SECONDS", -1.0)
    with TrainingProgress(100) as progress:
        for episodes, seconds in ((8, 60.0), (16, 64.0), (24, 70.0)):
            progress.wave(episodes, seconds, {"loss/loss": 1.5})
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "episode 8 of 100 · loss 1.500"
    assert second == "episode 16 of 100 · loss 1.500"
    assert third == "episode 24 of 100 · 1.6 episodes/s · loss 1.500 · 48 s left"


def test_a_local_run_has_no_line_about_a_cluster(capsys):
    with TrainingProgress(24) as progress:
        progress.wave(24, 3.0, {})
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_cluster_without_waves_is_reported_at_intervals_until_it_ends(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    with TrainingProgress(24) as progress:
        for now[0] in (100.0, 101.0, 115.0, 121.0, 122.0, 150.0):
            progress.cluster(made_up(running=now[0] < 150))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [lines[0]] * 2
    assert lines[0].startswith(f"on ray://10.0.0.1:6379: {SUMMARY}")


def test_the_line_about_a_cluster_is_below_the_bar_on_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with TrainingProgress(24) as progress:
        several = Several(Silent(), progress)
        several.wave(8, 1.0, {})
        several.cluster(made_up())
        several.wave(16, 2.0, {})
    shown = terminal.getvalue()
    assert "16/24" in shown
    assert SUMMARY in shown
