"""Engines as agents, by four protocols: games, failures, and the end of every process."""

import shutil
import sys
import time
from typing import Any

import pytest

import meeple
from meeple.agents.engine.process import EngineProcess
from meeple.agents.spec import agent as agent_of
from meeple.arena.games.play import play_game
from meeple.errors import EngineError, SpecError, Stopped
from tests.processes import is_gone

pytestmark = pytest.mark.slow

agent: Any = agent_of  # some agents have more attributes than the protocol
ENGINE = f"{sys.executable} -m meeple engine"
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")

GTP = """
import sys, time
for line in sys.stdin:
    words = line.split()
    if words[0] == "list_commands":
        print("= boardsize\\nclear_board\\nplay\\ngenmove\\n")
    elif words[0] == "genmove":
        {genmove}
    else:
        print("= fake\\n")
    sys.stdout.flush()
    if words[0] == "quit":
        break
"""
FAULTS = {
    "crash": "sys.exit('out of ideas')",
    "time": "time.sleep(1000)",
    "illegal": "print('= a1\\n')",
    "rubbish": "print('hello world\\n')",
    "resign": "print('= resign\\n')",
}


def program(tmp_path, text):
    """Return the command of a Python program."""
    file = tmp_path / "engine.py"
    file.write_text(text)
    return f"{sys.executable} {file}"


def hex_position(*moves):
    position = meeple.make("hex", size=5).start()
    for move in moves:
        position.play(position.parse_action(move))
    return position


# ---------------------------------------------------------------- equal games

SAME = [
    ("hex", {"size": 5, "swap": True}, "uct:sims=200", "gtp"),
    ("gomoku", {"size": 7}, "uct:sims=200", "piskvork"),
    ("reversi", {}, "uct:sims=100", "nboard"),
    ("nim", {}, "uct:sims=50", "json"),
    ("catan", {"players": 3}, "uct:sims=20", "json"),
    ("catan", {"deals": True}, "states:catan,determinizations=2", "json"),
]


@pytest.mark.parametrize(("name", "options", "spec", "protocol"), SAME)
def test_agent_plays_the_same_game_through_a_protocol_as_directly(name, options, spec, protocol):
    game = meeple.make(name, **options)
    played = []
    words = " ".join(f"-o {key}={value}" for key, value in options.items())
    for first in (
        spec,
        f'engine:"{ENGINE} {protocol} {spec} -g {name} {words}",protocol={protocol},seeded=on',
    ):
        seats = [agent(first, game), *(agent("random", game) for _ in range(game.players - 1))]
        seeds = range(3, 4 + game.players)
        played.append(play_game(game, seats, seeds).position)
        getattr(seats[0], "close", lambda: None)()
    assert played[0].actions == played[1].actions
    assert played[0].is_over


def test_engine_reports_about_a_move_are_available():
    game = meeple.make("hex", size=5)
    player = agent(f'engine:"{ENGINE} json uct:sims=50 -o size=5",sims=80,protocol=json', game)
    position = game.start()
    action = player.choose(position)
    found = player.analysis
    assert found is not None
    assert found.simulations == 80
    assert found.visits.sum() > 0
    assert found.value is not None
    assert found.value.sum() == pytest.approx(1, abs=1e-4)
    assert found.principal_variation[0] == action
    player.close()


def test_engine_follows_undone_moves():
    player = agent(f"engine:{ENGINE} gtp uct:sims=20", meeple.make("hex", size=5))
    for moves in (["c3"], ["c3", "b2", "d4"], ["c3", "b2"], ["a1", "a2", "a3", "a4", "b1", "b2"]):
        position = hex_position(*moves)
        assert player.choose(position) in position.legal_actions()
    player.close()


@pytest.mark.parametrize("protocol", ["gtp", "json"])
def test_engine_receives_the_starting_player(protocol):
    """In tournaments the starter alternates and the agent stays."""
    game, other = meeple.make("hex", size=5), meeple.make("hex", size=5, first=2)
    player = agent(f"engine:{ENGINE} {protocol} uct:sims=20 -o size=5,protocol={protocol}", game)
    for played in (other, game, other):
        position = played.start()
        position.play(12)
        for _ in range(2):
            position.play(player.choose(position))
    player.close()


# ---------------------------------------------------------------- failing programs


@pytest.mark.parametrize("fault", FAULTS)
def test_failing_program_is_ended_with_a_named_fault(fault, tmp_path):
    command = program(tmp_path, GTP.format(genmove=FAULTS[fault]))
    grace = 3 if fault == "time" else 60
    player = agent(f"engine:{command},grace={grace}", meeple.make("hex", size=5))
    with pytest.raises(EngineError) as error:
        player.choose(hex_position("a1"))
    assert error.value.fault == fault
    assert "\n" not in str(error.value)
    assert sys.executable in str(error.value)
    if fault == "crash":
        assert "out of ideas" in str(error.value)
    assert player._process is None
    program(tmp_path, GTP.format(genmove="print('= c3\\n')"))
    player.begin(1)  # starts the program again
    assert player.choose(hex_position("a1")) == 12
    player.close()


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nwhile True: print('x' * 3_000_000, flush=True)",
        "print('=' * 100)\nimport time\nwhile True: print('nothing', flush=True)",
        "import sys; sys.exit(0)",
        "import os; os.close(1); import time; time.sleep(1000)",
    ],
)
def test_endless_output_is_bounded(text, tmp_path):
    player = agent(f"engine:{program(tmp_path, text)},grace=2", meeple.make("hex", size=5))
    with pytest.raises(EngineError):
        player.choose(hex_position())


def test_program_that_ignores_its_end_is_killed_with_its_children(tmp_path):
    text = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(1000)\n"
    )
    process = EngineProcess([sys.executable, "-c", text])
    child = int(process.receive(time.monotonic() + 60))
    process.close(["quit"])
    assert is_gone(child)
    assert not process.is_alive


def test_engine_search_can_be_stopped(tmp_path):
    command = program(tmp_path, GTP.format(genmove="time.sleep(1000)"))
    player = agent(f"engine:{command}", meeple.make("hex", size=5))
    begun = time.monotonic()
    with pytest.raises(Stopped):
        player.choose(hex_position(), lambda: time.monotonic() > begun + 1)


def test_stopped_program_of_json_lines_answers():
    game = meeple.make("hex", size=11)
    player = agent(f'engine:"{ENGINE} json uct:sims=50000000",protocol=json', game)
    begun = time.monotonic()
    assert player.choose(game.start(), lambda: time.monotonic() > begun + 5) < 121
    player.close()


# ---------------------------------------------------------------- specs


@pytest.mark.parametrize(
    ("spec", "game", "words"),
    [
        ("engine:no-such-program", "hex", "there is no program 'no-such-program'"),
        ("engine:", "hex", "engine needs COMMAND"),
        ('engine:"a"b,seconds=1', "hex", "no program"),
        (f"engine:{sys.executable},protocol=nboard", "hex", "Reversi 8x8"),
        (f"engine:{sys.executable},protocol=gtp", "nim", "GTP is for"),
        (f"engine:{sys.executable},protocol=piskvork", "reversi", "five in a row only"),
        (f"engine:{sys.executable},protocol=uci", "hex", "protocol must be"),
        ('engine:"unclosed', "hex", "cannot be read"),
    ],
)
def test_wrong_spec_is_refused_before_a_program_starts(spec, game, words):
    with pytest.raises(SpecError, match=words):
        agent(spec, meeple.make(game))


# ---------------------------------------------------------------- a third-party program


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed (Debian's package gnugo)")
def test_gnu_go_places_legal_stones_in_gomoku():
    """GNU Go speaks GTP. It plays Go, but its stones are legal in Gomoku."""
    game = meeple.make("gomoku", size=9)
    player = agent(f"engine:{GNUGO} --mode gtp --level 1,protocol=gtp", game)
    position = game.start()
    for _ in range(3):
        position.play(player.choose(position))
        position.play(int(position.legal_actions()[0]))
    assert player.name == "GNU Go"
    player.close()
