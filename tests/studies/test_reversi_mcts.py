"""The experiments on Reversi run, with the agents they name."""

from meeple.studies.reversi_mcts import STUDY
from meeple.studies.study import Effort


def test_every_experiment_runs():
    effort = Effort(pace=0.001)
    for experiment in STUDY.experiments:
        done: list[int] = []

        def progress(games: int, total: int, done: list[int] = done) -> None:
            done.append(games)

        found = experiment.run(effort, 2, progress)
        assert found.count == 2
        assert done == [1, 2]
    names = [experiment.name for experiment in STUDY.experiments]
    assert len(set(names)) == len(names)
