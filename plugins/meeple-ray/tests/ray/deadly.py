"""Workers that are killed by some jobs, for the tests in this folder."""

import os
import signal

import numpy as np


def make_deadly(arguments):
    """Makes it."""
    return Deadly()


class Deadly:
    """Squares numbers, prints them, and is killed by negative ones."""

    def do(self, job):
        print("job", job)
        if job < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return job * job


def make_greedy(arguments):
    """Makes it."""
    return Greedy()


class Greedy:
    """Returns as many bytes as a job says."""

    def do(self, job):
        return np.ones(job, np.uint8)
