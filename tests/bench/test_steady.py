"""Growth of memory is read off samples rightly, and processes get their names."""

import numpy as np
import pytest

from bench.steady import figures, growth, name_of


def test_a_line_with_noise_has_its_slope_within_the_interval():
    rng = np.random.default_rng(3)
    seconds = np.arange(0, 3600, 10.0)
    found = growth(seconds, 300 + 12 * seconds / 3600 + rng.normal(0, 2, len(seconds)))
    assert found is not None
    assert found.low < 12 < found.high
    assert found.high - found.low < 6
    assert found.first == pytest.approx(300.6, abs=1)
    assert found.last == pytest.approx(311.4, abs=1)


def test_flat_memory_does_not_grow_for_sure():
    rng = np.random.default_rng(4)
    seconds = np.arange(0, 3600, 10.0)
    found = growth(seconds, 300 + rng.normal(0, 2, len(seconds)))
    assert found is not None
    assert found.low < 0 < found.high


def test_few_samples_say_nothing():
    assert growth([0.0, 10.0], [1.0, 2.0]) is None


def test_samples_of_the_warm_up_do_not_count():
    samples = [
        {"seconds": 10.0 * n, "mib": {"learner": 100.0 if n >= 30 else 3.0 * n}} for n in range(90)
    ]
    found = figures(samples, 300.0)
    assert found["learner"]["per_hour"] == 0
    assert found["learner"]["samples"] == 60
    assert figures(samples[:30], 300.0) == {}


def test_processes_have_names():
    assert name_of("ray::RayActor.do", "self-play-1") == "self-play-1"
    assert name_of("/x/ray/core/src/ray/raylet/raylet --raylet_socket_name=y", None) == "raylet"
    assert name_of("/x/ray/core/src/ray/gcs/gcs_server --log", None) == "gcs_server"
    assert name_of("ray::DashboardAgent", None) == "dashboard_agent"
    assert name_of("ray::IDLE", None) == "ray_worker"
