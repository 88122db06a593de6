"""Processes of engines: children end with the engine, and its end or hang is detected."""

import os
import subprocess
import sys
import time

import psutil
import pytest

import meeple
from meeple.agents.engine.process import EngineProcess
from meeple.agents.spec import agent
from meeple.errors import EngineError
from tests.processes import WAIT, is_gone

pytestmark = pytest.mark.slow

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="subreapers are Linux's")

DAEMON = """
import os, time
if os.fork():
    os._exit(0)
os.setsid()
print(os.getpid(), flush=True)
time.sleep(1000)
"""
"""A process that leaves its parent's session and group, as daemons do."""
STARTS_A_DAEMON = f"""
import subprocess, sys, time
subprocess.run([sys.executable, "-c", {DAEMON!r}])
time.sleep(1000)
"""
ENDS_IN_MID_MOVE = """
import subprocess, sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "list_commands":
        print("= boardsize\\nclear_board\\nplay\\ngenmove\\n", flush=True)
    elif words[0] == "genmove":
        subprocess.Popen(["sleep", "1000"], start_new_session=True)
        sys.exit("out of ideas")
    else:
        print("= fake\\n", flush=True)
"""


@LINUX
def test_detached_child_ends_with_its_engine():
    process = EngineProcess([sys.executable, "-c", STARTS_A_DAEMON])
    daemon = int(process.receive(time.monotonic() + WAIT))
    assert psutil.pid_exists(daemon)
    process.close()
    assert is_gone(daemon)


@LINUX
def test_detached_child_ends_when_meeple_is_killed():
    text = (
        "import sys, time\n"
        "from meeple.agents.engine.process import EngineProcess\n"
        f"engine = EngineProcess([sys.executable, '-c', {STARTS_A_DAEMON!r}])\n"
        "print(engine.receive(time.monotonic() + 60), flush=True)\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        daemon = int(owner.stdout.readline())
        assert psutil.pid_exists(daemon)
        owner.kill()
    assert is_gone(daemon)


@LINUX
def test_engine_that_ends_while_a_child_holds_its_output_has_crashed(tmp_path):
    file = tmp_path / "engine.py"
    file.write_text(ENDS_IN_MID_MOVE)
    game = meeple.make("hex", size=5)
    player = agent(f"engine:{sys.executable} {file},grace=60", game)
    with pytest.raises(EngineError, match=r"code 1, its last words: 'out of ideas'") as error:
        player.choose(game.start())
    assert error.value.fault == "crash"


@pytest.mark.parametrize("protocol", ["gtp", "json", "nboard", "piskvork"])
def test_silent_engine_is_abandoned_within_the_grace_period(protocol):
    name = {"nboard": "reversi", "piskvork": "gomoku"}.get(protocol, "hex")
    game = meeple.make(name)
    player = agent(f"engine:sleep 1000,protocol={protocol},grace=1", game)
    begun = time.monotonic()
    with pytest.raises(EngineError) as error:
        player.choose(game.start())
    assert error.value.fault == "time"
    assert time.monotonic() - begun < 30, "a minute was waited for a program to start"


@pytest.mark.parametrize("number", [9, 15])
def test_exit_code_contains_the_signal_that_ended_an_engine(number):
    """The engine does not inherit the ignored SIGTERM of its guard."""
    text = f"import os; os.kill(os.getpid(), {number}); print('still there')"
    process = EngineProcess([sys.executable, "-c", text])
    with pytest.raises(EngineError, match=f"ended with code {128 + number}"):
        process.receive(time.monotonic() + WAIT)


def test_unreferenced_program_is_ended():
    process = EngineProcess([sys.executable, "-c", "import time; time.sleep(1000)"])
    pid = process._process.pid
    del process
    assert is_gone(pid)


@pytest.mark.skipif(os.name != "posix", reason="files have no mode that forbids running elsewhere")
def test_program_that_cannot_run_is_reported_with_the_reason(tmp_path):
    file = tmp_path / "engine"
    file.write_text("")
    with pytest.raises(EngineError, match="cannot be started: Permission denied") as error:
        EngineProcess([str(file)])
    assert error.value.fault == "start"
