"""Frames and messages are as documented, byte for byte."""

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meeple_oht.wire.frames import FrameReader, pack
from meeple_oht.wire.messages import (
    AnswerError,
    Authentication,
    ClientQuestion,
    Failure,
    Finish,
    GameOver,
    GameStart,
    IllegalMove,
    Notice,
    RequestAction,
    SeriesOver,
    SeriesStart,
    TournamentOver,
    WireError,
    from_json,
    read_action,
    read_token,
    read_yes,
    to_json,
)

MESSAGES = {
    '{"topic":"message","message":"hello","level":"info"}': Notice("hello"),
    '{"topic":"authentication"}': Authentication(),
    '{"topic":"question","question":"qualify","prompt":"Do you?"}': ClientQuestion(
        "qualify", "Do you?"
    ),
    '{"topic":"series_start","unique_player_id":7,"player_id_map":[[7,2],[9,1]],"num_games":4,'
    '"game_params":[5]}': SeriesStart(7, ((7, 2), (9, 1)), 4, (5,)),
    '{"topic":"game_start","start_player":2}': GameStart(2),
    '{"topic":"request_action","state":[1,0,2,0,1]}': RequestAction((1, 0, 2, 0, 1)),
    '{"topic":"game_over","winner":1,"end_state":[2,1,1]}': GameOver(1, (2, 1, 1)),
    '{"topic":"series_over","stats":[[7,2,3,1],[9,1,1,3]]}': SeriesOver(
        ((7, 2, 3, 1), (9, 1, 1, 3))
    ),
    '{"topic":"tournament_over","score":62.5}': TournamentOver(62.5),
    '{"topic":"error","error":"that was wrong"}': Failure("that was wrong"),
    '{"topic":"finish"}': Finish(),
}
"""Messages by their documented JSON."""

ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def test_a_frame_has_a_little_endian_signed_length_and_utf_8_json():
    content = '{"topic":"message","message":"Grüße","level":"info"}'.encode()
    assert pack(to_json(Notice("Grüße"))) == struct.pack("<i", len(content)) + content


@pytest.mark.parametrize(("text", "message"), MESSAGES.items())
def test_each_message_is_written_and_read_as_documented(text, message):
    assert json.loads(json.dumps(to_json(message))) == json.loads(text)
    assert from_json(json.loads(text)) == message


def test_a_series_message_has_the_clients_number():
    assert SeriesStart(7, ((9, 1), (7, 2)), 4, (5,)).series_id == 2
    with pytest.raises(WireError):
        _ = SeriesStart(8, ((9, 1), (7, 2)), 4, (5,)).series_id


@given(ANY_JSON, ANY_JSON, st.integers(1, 7))
def test_frames_are_read_from_pieces_of_any_length(one, other, size):
    data, frames, found = pack(one) + pack(other), FrameReader(100_000), []
    for at in range(0, len(data), size):
        frames.feed(data[at : at + size])
        while (value := frames.next()) is not None:
            found.append(value[0])
    assert found == [one, other]
    assert frames.is_empty


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<i", -1),
        struct.pack("<i", 0),
        struct.pack("<i", 1001),
        struct.pack("<i", 3) + b"\xff\xfe\x00",
        struct.pack("<i", 3) + b"{x}",
        struct.pack("<i", 3) + b"NaN",
        struct.pack("<i", 800) + b"[" * 400 + b"]" * 400,
    ],
)
def test_a_malformed_frame_is_refused(data):
    frames = FrameReader(1000)
    frames.feed(data)
    with pytest.raises(WireError):
        frames.next()


@given(ANY_JSON)
def test_an_unknown_message_is_an_error(value):
    with pytest.raises(WireError):
        from_json(value)


@given(st.sampled_from([*MESSAGES.values()]), st.text(), ANY_JSON)
def test_a_field_of_the_wrong_type_is_refused_and_an_unknown_one_ignored(message, name, value):
    fields = to_json(message)
    known = name in fields
    changed = {**fields, name: value}
    if not known:
        assert from_json(json.loads(json.dumps(changed))) == message
    for field in fields.keys() - {"topic", "level"}:
        with pytest.raises(WireError):
            from_json({**fields, field: None})
        with pytest.raises(WireError):
            from_json({key: fields[key] for key in fields if key != field})


def test_an_illegal_move_is_a_message_in_this_dialect():
    told = to_json(IllegalMove((1, 0), (3, 4)))
    assert told == {"topic": "message", "message": "the action [3, 4] is illegal", "level": "error"}


@pytest.mark.parametrize("value", [[], [1.0, 2], [True, 1], ["1", "2"], "a1", None, [1, 2, 3], 5])
def test_a_malformed_action_is_refused(value):
    with pytest.raises(AnswerError, match="row, column"):
        read_action(value)


def test_answers_are_read():
    assert read_action([3, 4]) == (3, 4)
    assert read_yes(True) is True
    assert read_token("abc") == "abc"
    for wrong in (1, "yes", None):
        with pytest.raises(AnswerError):
            read_yes(wrong)
    for wrong in ("", 5, "x" * 1000):
        with pytest.raises(AnswerError) as error:
            read_token(wrong)
        assert "xxx" not in str(error.value)
