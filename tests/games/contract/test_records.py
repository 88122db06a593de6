"""Records are read from files as written, and the rules detect tampering."""

import dataclasses

import pytest

import meeple
from meeple.errors import IllegalAction, MeepleError, OptionError
from meeple.games.contract.records import (
    GameRecord,
    positions,
    read_records,
    record_of,
    replay,
    to_lines,
    to_pandas,
)
from tests import conformance


@pytest.fixture
def played():
    return conformance.played(meeple.make("hex", size=3, swap=True))


@pytest.fixture
def kept(played):
    return record_of(played, ["random", "human"], opening=1, notes={"pair": [0, 1]})


def test_record_is_read_from_its_file_unchanged(tmp_path, kept):
    others = [
        record_of(conformance.played(meeple.make("nim"), seed), ["a", "b"]) for seed in range(3)
    ]
    path = tmp_path / "games.jsonl"
    path.write_text(to_lines([kept, *others]))
    assert read_records(path) == [kept, *others]


def test_replayed_record_is_the_played_game(played, kept):
    again = replay(GameRecord.from_json(kept.to_json()))
    assert again.actions == played.actions
    assert bytes(again.row) == bytes(played.row)


def test_positions_of_a_record_start_at_the_opening(played, kept):
    seen = [len(position.actions) for position in positions(kept)]
    assert seen == list(range(len(played.actions) + 1))


def test_aborted_game_has_no_payoffs_and_replays_to_its_last_position():
    position = meeple.make("hex", size=5).start()
    position.play(7)
    record = record_of(position, ["a", "b"])
    assert record.payoffs is None
    assert replay(record).actions == (7,)


def with_one_twice(actions):
    return (*actions[:3], actions[1], *actions[3:])


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        (
            lambda kept: {"actions": with_one_twice(kept.actions)},
            IllegalAction,
            "action 4 of the record, player 2 to move: '{kept.actions[1]}' is not legal here",
        ),
        (
            lambda kept: {"actions": (*kept.actions, "a1")},
            IllegalAction,
            "action {plies} of the record: 'a1' comes after the end of the game",
        ),
        (lambda kept: {"payoffs": kept.payoffs[::-1]}, MeepleError, "the rules give"),
        (lambda kept: {"payoffs": kept.payoffs[:1]}, MeepleError, "the rules give"),
        (lambda kept: {"actions": kept.actions[:-1]}, MeepleError, "not over"),
        (lambda kept: {"board": {"tiles": []}}, OptionError, "hex: its board is the same in every"),
        (lambda kept: {"options": {"size": 99}}, OptionError, "size"),
        (lambda kept: {"game": "hexx"}, OptionError, "'hexx'"),
        (lambda kept: {"seats": (*"abc",)}, MeepleError, "names 3 seats, but hex has 2 players"),
    ],
    ids=[
        "an illegal action",
        "an action after the end",
        "exchanged payoffs",
        "a payoff too few",
        "payoffs of an unfinished game",
        "a board",
        "a wrong option",
        "a wrong game",
        "a seat too many",
    ],
)
def test_changed_record_is_refused_in_a_sentence(kept, changed, error, words):
    wrong = dataclasses.replace(kept, **changed(kept))
    said = words.format(kept=kept, plies=len(kept.actions) + 1)
    with pytest.raises(error, match=said):
        replay(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "7",
        '{"game": "nim"}',
        '{"game": "nim", "options": {}, "seats": [1], "seed": 0, "actions": [], "payoffs": null}',
        '{"game": "nim", "options": {}, "seats": [], "seed": 0, "actions": [2], "payoffs": null}',
        '{"game": "nim", "options": {}, "seats": [], "seed": 0, "actions": [], "payoffs": "win"}',
        '{"game": "nim", "options": {}, "seats": [], "seed": 0, "actions": [], "payoffs": ["1"]}',
        '{"game": "nim", "options": {}, "seats": [], "seed": "0", "actions": [], "payoffs": null}',
    ],
)
def test_invalid_line_is_named_by_file_and_number(tmp_path, kept, line):
    path = tmp_path / "games.jsonl"
    path.write_text(kept.to_json() + "\n\n" + line + "\n")
    with pytest.raises(MeepleError, match=r"games\.jsonl, line 3: this is not a game record"):
        read_records(path)


def test_overflowing_payoffs_are_named(tmp_path, kept):
    path = tmp_path / "games.jsonl"
    path.write_text(kept.to_json().replace('"payoffs": [', f'"payoffs": [1{"0" * 400}, '))
    with pytest.raises(MeepleError, match="line 1: this is not a game record: payoffs must be"):
        read_records(path)


def test_missing_and_binary_files_are_named(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name, words in (("none.jsonl", "there is no file"), ("binary", "binary")):
        with pytest.raises(MeepleError, match=words):
            read_records(tmp_path / name)


@pytest.mark.parametrize("opening", [-1, 1])
def test_record_with_a_long_opening_is_refused(opening):
    record = record_of(meeple.make("nim").start(), ["a", "b"], opening=opening)
    with pytest.raises(MeepleError, match="'opening' must be from 0 to its 0 actions"):
        GameRecord.from_json(record.to_json())


def test_actions_after_the_end_are_refused():
    position = meeple.make("nim", heaps="1").start()
    position.play(position.legal_actions()[0])
    with pytest.raises(IllegalAction, match="'take 1' cannot be played: the game is over"):
        position.parse_action("take 1")


def test_byte_order_mark_is_skipped(tmp_path, kept):
    path = tmp_path / "games.jsonl"
    path.write_text(kept.to_json() + "\n", encoding="utf-8-sig")
    assert read_records(path) == [kept]


def test_records_are_a_table_with_a_row_for_each_game(kept):
    pytest.importorskip("pandas", reason="pandas makes data frames")
    lost = dataclasses.replace(kept, payoffs=None, notes={"resigned": 1, "event": "class"})
    table = to_pandas([kept, lost])
    assert table["plies"].tolist() == [len(kept.actions)] * 2
    assert table["game"].tolist() == [kept.game] * 2
    assert table["player_1"].tolist() == [kept.seats[0]] * 2
    assert table["share_1"].tolist() == [kept.payoffs[0], lost.shares[0]]
    assert table["event"].tolist()[1] == "class"
    assert table["lost_by"].isna().tolist() == [True, False]
    for name, value in kept.options.items():
        assert table[name].tolist() == [value] * 2
    unfinished = to_pandas([dataclasses.replace(kept, payoffs=None)])
    assert unfinished["share_1"].isna().all()
