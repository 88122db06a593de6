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


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(lines_of(*(word for word in GTP._commands if word != "quit"), "12 play", "genmove b"))
def test_gtp_refuses_with_a_question_mark(lines):
    for line in map(one_line, lines):
        before = state_of(GTP)
        answer = "".join(GTP.handle(line))
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n"))
        assert "\n\n" not in answer[:-2]
        if answer.startswith("?"):
            assert state_of(GTP) == before


@settings(max_examples=EXAMPLES)
@given(
    lines_of(
        "START", "RECTSTART", "TURN", "BOARD", "DONE", "INFO", "INFO rule", "TAKEBACK", "BEGIN"
    )
)
@pytest.mark.slow
def test_piskvork_refuses_with_error_or_unknown(lines):
    for line in map(one_line, lines):
        before = state_of(PISKVORK)
        answer = "".join(PISKVORK.handle(line))
        assert answer == "" or answer.endswith("\n")
        assert all(piece.startswith("DEBUG") for piece in answer.splitlines()[:-1])
        if answer.startswith(("ERROR", "UNKNOWN")):
            assert state_of(PISKVORK) == before


@settings(max_examples=EXAMPLES)
@given(lines_of("set game", "set", "set depth", "move", "go", "hint", "ping", "learn", "nboard"))
@pytest.mark.slow
def test_nboard_reports_errors_as_a_status(lines):
    for line in map(one_line, lines):
        before = state_of(NBOARD)
        pieces = list(NBOARD.handle(line))
        assert all(piece.count("\n") == 1 and piece.endswith("\n") for piece in pieces)
        if not line.strip().lower().startswith("move"):
            played = state_of(NBOARD)
            assert played == before or line.strip().startswith("set game")


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


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(
    st.lists(
        st.one_of(
            RUBBISH,
            st.builds(
                lambda fields, type: json.dumps({**fields, "type": type}),
                st.dictionaries(FIELDS, VALUES, max_size=4),
                TYPES,
            ),
        ),
        min_size=LINES,
        max_size=LINES,
    )
)
def test_json_lines_answer_with_an_error(lines):
    for line in map(one_line, lines):
        before = state_of(JSON)
        pieces = [json.loads(piece) for piece in JSON.handle(line)]
        if any(piece["type"] == "error" for piece in pieces):
            assert state_of(JSON) == before
