"""Q-tables as CSV: readable columns come from the game, and a table is read back unchanged."""

import csv

import pytest

from meeple.errors import CheckpointError
from meeple.games.contract.registry import make
from meeple.search.qtable import csv_file
from meeple.search.qtable.csv_file import export_csv, import_csv
from meeple.search.qtable.table import QTable, key_of
from tests.games import race
from tests.search.growing import equal_tables, learned

REVERSI = make("reversi", size=4)
HEADER = "board,to_move,name,visits,q,position,action,value_0,value_1\n"
GOOD = ",,,2,,ff,1,0.5,0.5\n"


@pytest.fixture(scope="module")
def table():
    return learned(REVERSI, solve=False)[0]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_csv_line_has_the_board_the_mover_the_move_and_its_q(table, tmp_path):
    export_csv(tmp_path / "q.csv", table)
    first, *_ = lines = rows(tmp_path / "q.csv")
    assert first["board"] == "..../.OX./.XO./...."
    assert first["to_move"] == "Black"
    assert first["name"] in ("a2", "b1", "c4", "d3")
    known = {line["board"]: line for line in lines}
    assert len(known) == table.positions
    position = REVERSI.start()
    for _ in range(3):
        at = [line for line in lines if int(line["position"], 16) == int(key_of(position))]
        mover = position.to_move
        assert [int(line["visits"]) for line in at] == sorted(
            table.at(position).visits.tolist(), reverse=True
        )
        for line in at:
            assert line["to_move"] == REVERSI.player_name(mover)
            assert position.parse_action(line["name"]) == int(line["action"])
            assert float(line["q"]) == pytest.approx(float(line[f"value_{mover}"]), abs=1e-4)
        position.play(int(at[0]["action"]))


def test_chance_is_named_and_unreachable_positions_are_blank(tmp_path):
    table = learned(race.Race(), 2000, solve=False)[0]
    export_csv(tmp_path / "q.csv", table)
    movers = {line["to_move"] for line in rows(tmp_path / "q.csv")}
    assert movers >= {"chance", "player 1", "player 2"}
    assert equal_tables(import_csv(tmp_path / "q.csv", table.game), table)
    start = table.edges.position == key_of(table.game.start(seed=0))
    orphans = QTable(table.game, table.edges.at(~start))
    export_csv(tmp_path / "q.csv", orphans)
    assert {line["board"] for line in rows(tmp_path / "q.csv")} == {""}
    assert equal_tables(import_csv(tmp_path / "q.csv", table.game), orphans)


def test_csv_round_trip_preserves_the_table(table, tmp_path):
    export_csv(tmp_path / "q.csv", table)
    header, *lines = (tmp_path / "q.csv").read_text().splitlines()
    assert header == HEADER.strip()
    assert len(lines) == len(table) > 10
    assert equal_tables(import_csv(tmp_path / "q.csv", REVERSI), table)


def test_csv_lines_in_any_order_are_sorted_and_equal_pairs_merged(tmp_path):
    (tmp_path / "q.csv").write_text(
        HEADER + ",,,1,,ff,3,1,0\nany,thing,,6,,0a,2,0.5,0.5\n,,,3,,ff,3,0,1\n"
    )
    edges = import_csv(tmp_path / "q.csv", REVERSI).edges
    assert edges.position.tolist() == [10, 255]
    assert edges.visits.tolist() == [6, 4]
    assert edges.value.tolist() == [[0.5, 0.5], [0.25, 0.75]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", f"must begin with the line {HEADER.strip()}"),
        ("position,action,visits,value_0\n", "must begin with the line"),
        (HEADER, "holds no line"),
        (HEADER + GOOD + ",,,2,,ff,1,0.5\n", "line 3: there are 8 fields, not 9"),
        (HEADER + ",,,2,,fg,1,0.5,0.5\n", "line 2: invalid literal"),
        (HEADER + ",,,2,,10000000000000000,1,0.5,0.5\n", "16 hexadecimal digits"),
        (HEADER + ",,,2,,ff,-1,0.5,0.5\n", "an action is a number from 0"),
        (HEADER + ",,,0,,ff,1,0.5,0.5\n", "visits are"),
        (HEADER + ",,,2,,ff,1,nan,0.5\n", "values are shares"),
        (HEADER + ',,,2,,ff,1,"0.5,0.5\n', "cannot read"),
        (HEADER + ",,,2,,ff,1,1.5,0\n", "values are shares"),
    ],
)
def test_a_wrong_csv_is_refused_by_its_line(text, said, tmp_path):
    (tmp_path / "q.csv").write_text(text)
    with pytest.raises(CheckpointError, match=said):
        import_csv(tmp_path / "q.csv", REVERSI)


def test_a_binary_a_missing_and_a_long_csv_are_refused(monkeypatch, tmp_path):
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "long.csv").write_text(HEADER + GOOD * 3)
    monkeypatch.setattr(csv_file, "MAX_CAPACITY", 3)
    for name, said in (("binary", "cannot read"), ("none", "no file"), ("long", "more than 3 li")):
        with pytest.raises(CheckpointError, match=said):
            import_csv(tmp_path / f"{name}.csv", REVERSI, capacity=1)
