"""Curves of a run: thinned, read incrementally, and assigned to charts."""

import pytest

from meeple.learn.run.metrics import MetricsLog
from meeple.server.training.figures import MAX_POINTS, Curves


def logged(folder, *sessions):
    """Write the figures of sessions, each a list of (episode, value), into a folder."""
    for session in sessions:
        log = MetricsLog(folder)
        for episode, value in session:
            log.wave(episode, 0.0, {"loss/loss": value})
        log.close()
    return folder


def points(curves):
    return curves.since(0)[1][0].points


def test_a_long_runs_curve_is_thinned_to_means(tmp_path):
    waves = [(8 * n, float(n)) for n in range(1, 5001)]
    curves = Curves(logged(tmp_path, waves), 40_000)
    curves.update()
    found = points(curves)
    assert len(found) == MAX_POINTS
    assert found[0] == (80, pytest.approx(sum(range(1, 11)) / 10))
    assert found[-1][0] == 40_000


def test_a_curve_grows_while_it_is_written(tmp_path):
    curves = Curves(tmp_path, 100)
    curves.update()
    assert curves.since(0) == (0, [])
    log = MetricsLog(tmp_path)
    for episode in (8, 16):
        log.wave(episode, 0.0, {"loss/loss": 1.0})
        curves.update()
        assert points(curves)[-1] == (episode, 1.0)
    log.close()


@pytest.mark.parametrize(
    ("sessions", "shown"),
    [
        ([[(8, 1.0), (16, 2.0), (24, 3.0)], [(16, 5.0)]], [(8, 1.0), (16, 5.0)]),
        ([[(8, float("nan")), (16, float("inf")), (24, 1.0)]], [(24, 1.0)]),
    ],
    ids=["after the last save of a killed session", "not finite"],
)
def test_figures_are_left_out(tmp_path, sessions, shown):
    curves = Curves(logged(tmp_path, *sessions), 100)
    curves.update()
    assert points(curves) == shown


def test_curves_are_drawn_on_their_charts(tmp_path):
    log = MetricsLog(tmp_path)
    log.wave(8, 0.0, {"seat/2": 0.3, "habit/offers": 4.0, "match/alone/random": 0.5, "mine": 1.0})
    log.close()
    curves = Curves(tmp_path, 100)
    curves.update()
    places = {curve.name: (curve.group, curve.title) for curve in curves.since(0)[1]}
    assert places == {
        "seat/2": ("seats", "Seat 2"),
        "habit/offers": ("habits", "Offers"),
        "match/alone/random": ("alone", "random"),
        "mine": ("others", "mine"),
    }
