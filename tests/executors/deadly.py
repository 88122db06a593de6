"""A worker that is killed by some jobs, for the tests beside."""

import os
import signal


def make_deadly(arguments):
    """Makes it."""
    return Deadly()


class Deadly:
    """Squares numbers, prints them, and is killed by those below 0."""

    def do(self, job):
        print("job", job)
        if job < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return job * job
