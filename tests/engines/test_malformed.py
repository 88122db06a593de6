"""Ten thousand malformed lines give errors of the protocol and nothing else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple.engines.gtp import GtpEngine
from meeple.engines.json_lines import JsonLinesEngine
from meeple.engines.nboard import NBoardEngine
from meeple.engines.piskvork import PiskvorkEngine

EXAMPLES, LINES = 125, 20  # for each of four protocols

RUBBISH = st.text(max_size=60)
NUMBERS = st.integers(-(10**20), 10**20).map(str)
CELLS = st.sampled_from(["a1", "c3", "z9", "i5", "1,1", "-1,2", "3,3", "PA", "D3", "resign", ""])


def lines_of(*words):
    """Lines that begin like commands, with arguments of any kind."""
    arguments = st.lists(st.one_of(RUBBISH, NUMBERS, CELLS), max_size=4).map(" ".join)
    line = st.builds("{} {}".format, st.sampled_from(words), arguments)
    return st.lists(st.one_of(RUBBISH, line), min_size=LINES, max_size=LINES)


def one_line(text):
    """Return the answers as a reader of lines receives them."""
    return text.replace("\r", " ").replace("\n", " ")


def state_of(engine):
    position = engine._session.position
    return engine._session.game, position.actions, bytes(position.row)


GTP = GtpEngine("random", meeple.make("hex", size=5, swap=True))
PISKVORK = PiskvorkEngine("random", meeple.make("gomoku", size=9))
NBOARD = NBoardEngine("random", meeple.make("reversi"))
JSON = JsonLinesEngine("random", meeple.make("nim"))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    [
        "type",
        "game",
        "options",
        "seed",
        "moves",
        "board",
        "start",
        "seat",
        "first",
        "seen",
        "seconds",
    ]
)
TYPES = st.sampled_from(["hello", "game", "position", "go", "show", "ping", "stop", "fly"])
MESSAGES = st.one_of(
    RUBBISH,
    st.builds(
        lambda fields, type: json.dumps({**fields, "type": type}),
        st.dictionaries(FIELDS, VALUES, max_size=4),
        TYPES,
    ),
)


def gtp_refuses(line, pieces):
    answer = "".join(pieces)
    assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n"))
    assert "\n\n" not in answer[:-2]
    return answer.startswith("?")


def piskvork_refuses(line, pieces):
    answer = "".join(pieces)
    assert answer == "" or answer.endswith("\n")
    assert all(piece.startswith("DEBUG") for piece in answer.splitlines()[:-1])
    return answer.startswith(("ERROR", "UNKNOWN"))


def nboard_refuses(line, pieces):
    assert all(piece.count("\n") == 1 and piece.endswith("\n") for piece in pieces)
    return not line.strip().lower().startswith(("move", "set game"))


def json_lines_refuse(line, pieces):
    return any(json.loads(piece)["type"] == "error" for piece in pieces)


GTP_WORDS = [*(word for word in GTP._commands if word != "quit"), "12 play", "genmove b"]
PISKVORK_WORDS = ["START", "RECTSTART", "TURN", "BOARD", "DONE", "INFO", "TAKEBACK", "BEGIN"]
NBOARD_WORDS = ["set", "move", "go", "hint", "ping", "learn", "nboard"]
PROTOCOLS = {
    "GTP": (GTP, lines_of(*GTP_WORDS), gtp_refuses),
    "Piskvork": (PISKVORK, lines_of(*PISKVORK_WORDS, "INFO rule"), piskvork_refuses),
    "NBoard": (NBOARD, lines_of(*NBOARD_WORDS, "set game", "set depth"), nboard_refuses),
    "JSON lines": (JSON, st.lists(MESSAGES, min_size=LINES, max_size=LINES), json_lines_refuse),
}
"""An engine of each protocol, the lines to it, and whether its answer is a refusal."""


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "lines", "refuses"), PROTOCOLS.values(), ids=PROTOCOLS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_malformed_lines_give_errors_of_the_protocol_and_change_nothing(
    engine, lines, refuses, data
):
    for line in map(one_line, data.draw(lines)):
        before = state_of(engine)
        if refuses(line, list(engine.handle(line))):
            assert state_of(engine) == before
