"""A run that is killed repeatedly: `python kill.py FOLDER SEED`.

Each child process resumes the run and is killed after a random time, as by `kill -9`; the
children are forked, so that only this process takes the time to import PyTorch.
"""

import os
import random
import signal
import sys
import time

from meeple.learn import loop
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.schema import RunState

KILLS = 12


def main(folder: str, seed: int) -> None:
    loop.SAVE_SECONDS = 0.0  # after each wave, so that kills occur in every stage of a save
    rng = random.Random(seed)
    killed = 0
    while True:
        child = os.fork()
        if child == 0:
            try:
                loop.train(folder)
            except BaseException:
                os._exit(1)
            os._exit(0)
        if killed < KILLS:
            time.sleep(rng.uniform(0.01, 0.25))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            break
        killed += 1
        print(killed, [s if isinstance(s, str) else s.episodes for _, s in states(folder)])
    assert os.WEXITSTATUS(status) == 0


def states(folder: str) -> list[tuple[str, RunState | str]]:
    return RunFolder(folder).load_states()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
