"""The report contains the figures, is self-contained, and escapes names."""

import base64
import dataclasses
import json
import re

import pytest

import meeple
from meeple.arena.figures.costs import Costs
from meeple.arena.figures.standings import Entry, Standings
from meeple.arena.games.conditions import Conditions
from meeple.arena.match import match
from meeple.arena.report.page import html_report
from meeple.arena.report.picture import picture
from meeple.arena.report.replays import replays
from meeple.arena.report.sections import by_opening, games_to_see, time_and_faults
from meeple.arena.tournament import play_tournament
from meeple.games.contract.records import GameRecord, positions

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def standings():
    record = GameRecord("toy", {}, ("a", "b"), 0, (), (1.0, 0.0))
    return Standings(["strong", "<b>weak"], [Entry((0, 1), record)] * 7)


def test_report_has_figures_and_picture_escapes_names_and_fetches_nothing(standings):
    text = html_report(
        "Title", "set", "won", standings, standings.names, PNG, ["note"], [("a", "b")]
    )
    embedded = re.search(r'src="data:image/png;base64,([^"]+)"', text)
    assert embedded is not None
    assert base64.b64decode(embedded[1]) == PNG
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert "http" not in text
    assert "<b>weak" not in text
    assert "&lt;b&gt;weak" in text
    cells = re.findall(r"<td>([^<]*)</td>", text)
    assert cells[:2] == ["strong", f"{round(standings.ratings.elo[0]):+d}"]
    assert "100.0 %" in cells


@pytest.mark.slow
@pytest.mark.parametrize("episodes", [None, (0, 200)])
def test_picture_is_a_png_of_readable_size(standings, episodes):
    png = picture(standings, ["strong", "weak"], episodes)
    assert png.startswith(PNG)
    width = int.from_bytes(png[16:20], "big")
    assert 600 <= width <= 4000
    many = [f"an agent with a rather long name {a}" for a in range(40)]
    entries = [Entry((a, a + 1), standings.entries[0].record) for a in range(39)]
    assert picture(Standings(many, entries), many).startswith(PNG)


def board_after(game, ply):
    """Return the board that the page shows at this ply: all changes up to that frame."""
    cells: dict[int, str] = {}
    for _, _, changes, _ in game["frames"][: ply + 1]:
        cells |= dict(zip(changes[0::2], changes[1::2], strict=True))
    return [cells.get(index, "") for index in range(max(cells, default=-1) + 1)]


@pytest.mark.parametrize(
    ("name", "options"),
    [("hex", {"size": 4}), ("reversi", {"size": 6}), ("gomoku", {"size": 5, "in_a_row": 4})],
)
def test_replayed_board_equals_the_games_drawing_after_every_move(name, options):
    game = meeple.make(name, **options)
    (record,) = match(game, ["random", "random"], games=1, openings=True, seed=3).records
    (shown,) = replays([Entry((0, 1), record)])
    assert len(shown["frames"]) == len(record.actions) + 1
    for ply, position in enumerate(positions(record)):
        pieces = game.scene(position).facts["pieces"]
        board = board_after(shown, ply)
        assert board + [""] * (len(pieces) - len(board)) == list(pieces)
        if ply:
            assert shown["frames"][ply][1] == record.actions[ply - 1]
    movers = [frame[0] for frame in shown["frames"][1:3]]
    assert movers == [0, 1]


def test_other_boards_are_replayed_as_text():
    nim = meeple.make("nim", stones=7)
    (record,) = match(nim, ["random", "random"], games=1).records
    (shown,) = replays([Entry((0, 1), record)])
    assert shown["board"] == {"family": "text"}
    for ply, position in enumerate(positions(record)):
        assert "\n".join(board_after(shown, ply)).rstrip() == str(position).rstrip()


def test_number_of_games_is_bounded_and_includes_every_line_up():
    game = meeple.make("hex", size=3)
    entries = play_tournament(
        Conditions(game), ["random", "uct:sims=2", "uct:sims=5"], 20
    ).standings.entries
    few = replays(entries, most=6)
    assert [one["number"] for one in few] == [1, 2, 21, 22, 41, 42]  # both orders of every pair
    size = len(json.dumps(replays(entries, most=1)[0]))
    assert 1 <= len(replays(entries, size=3 * size)) <= 4
    assert replays(entries, size=10) == []
    (section,) = games_to_see(entries, most=6)
    assert "room for 6 of the 60 games" in section.html
    assert "room for" not in games_to_see(entries)[0].html


def test_games_and_names_cannot_end_the_script(standings):
    game = meeple.make("hex", size=3)
    name = "</script><b>x"
    record = GameRecord("hex", dict(game.options), (name, "b"), 0, ("a1",), None, 0)
    sections = games_to_see([Entry((0, 1), record)])
    text = html_report("T", "s", "v", standings, standings.names, None, [], sections=sections)
    assert "<b>x" not in text
    assert "http" not in text
    data = re.search(r'id="games-data">(.*?)</script>', text)
    assert data is not None
    assert json.loads(data[1])[0]["seats"][0] == name
    notes = {"forfeit": 0, "fault": "time"}
    (shown,) = replays([Entry((0, 1), dataclasses.replace(record, notes=notes))])
    assert shown["result"] == f"b wins: {name} failed by time"


def test_time_faults_and_openings_have_tables():
    costs = [Costs(1234.5, 100.0, {"crash": 2}), Costs(0.5, 0.0, {})]
    sections = time_and_faults(["a", "b"], costs, [1, 0], {(0, "crash"): "it <fell>"})
    assert [section.title for section in sections] == ["Time used", "Faults"]
    cells = re.findall(r"<td>([^<]*)</td>", sections[0].html)
    assert cells == ["b", "0.5", "0", "a", "1,234", "100"]
    assert "it &lt;fell&gt;" in sections[1].html
    assert len(time_and_faults(["b"], costs[1:], [0], {})) == 1

    def entry(actions, payoffs, opening):
        return Entry((0, 1), GameRecord("toy", {}, ("a", "b"), 0, actions, payoffs, opening))

    entries = [entry(("c", "d"), (1.0, 0.0), 1), entry(("c", "e"), (0.5, 0.5), 1)]
    (section,) = by_opening([*entries, entry(("d",), (0.0, 1.0), 0)])
    cells = re.findall(r"<td>([^<]*)</td>", section.html)
    assert cells == ["c", "2", "75", "25", "the bare start", "1", "0", "100"]
    assert by_opening([entry(("d",), (0.0, 1.0), 0)]) == []
