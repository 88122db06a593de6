"""The counts of games of a run that a cluster trained before."""

import pytest

from meeple.learn.run.cluster import Counts, write_cluster
from meeple_ray.learning.report import counts_before
from tests.learn.clusters import made_up


@pytest.mark.parametrize("stores_all", [True, False])
def test_games_of_a_killed_trainer_are_lost_unless_stored_in_the_folder(tmp_path, stores_all):
    write_cluster(tmp_path, made_up())
    found = counts_before(tmp_path, 5400, 5200, stores_all=stores_all)
    assert (found.begun, found.finished, found.lost) == (5460, 5400, 60)
    assert (found.stored, found.trained, found.in_flight, found.unaccounted) == (5400, 5200, 0, 0)


def test_games_that_need_no_storage_remain_finished(tmp_path):
    write_cluster(tmp_path, made_up())
    assert counts_before(tmp_path, 5000, 5000).finished == 5000
    found = counts_before(tmp_path, 5000, 5000, stores_all=False)
    assert (found.finished, found.lost, found.unaccounted) == (5312, 5460 - 5312, 0)
    assert counts_before(tmp_path / "none", 7, 5) == Counts(
        begun=7, finished=7, stored=7, trained=5
    )
