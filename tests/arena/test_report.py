"""The report holds the figures, needs nothing beside itself, and trusts no name."""

import base64
import re

import pytest

from meeple.arena.picture import picture
from meeple.arena.report import html_report
from meeple.arena.standings import Entry, Standings
from meeple.games.contract.records import GameRecord

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def standings():
    record = GameRecord("toy", {}, ("a", "b"), 0, (), (1.0, 0.0))
    return Standings(["strong", "<b>weak"], [Entry((0, 1), record)] * 7)


def page(standings, png=PNG):
    return html_report(
        "Title", "set", "won", standings, standings.names, png, ["note"], [("a", "b")]
    )


def test_the_picture_is_inside_and_nothing_is_fetched(standings):
    text = page(standings)
    embedded = re.search(r'src="data:image/png;base64,([^"]+)"', text)
    assert embedded is not None
    assert base64.b64decode(embedded[1]) == PNG
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert "http" not in text


def test_names_cannot_smuggle_markup(standings):
    text = page(standings)
    assert "<b>weak" not in text
    assert "&lt;b&gt;weak" in text


def test_the_figures_are_those_of_the_standings(standings):
    text = page(standings)
    cells = re.findall(r"<td>([^<]*)</td>", text)
    assert cells[0] == "strong"
    assert "100.0 %" in cells
    assert cells[1] == f"{round(standings.ratings.elo[0]):+d}"


@pytest.mark.parametrize("episodes", [None, (0, 200)])
def test_the_picture_is_a_png_of_readable_size(standings, episodes):
    png = picture(standings, ["strong", "weak"], episodes)
    assert png.startswith(PNG)
    width = int.from_bytes(png[16:20], "big")
    assert 600 <= width <= 4000


def test_a_picture_of_many_agents_stays_within_bounds():
    record = GameRecord("toy", {}, ("a", "b"), 0, (), (1.0, 0.0))
    entries = [Entry((a, a + 1), record) for a in range(39)]
    names = [f"an agent with a rather long name {a}" for a in range(40)]
    assert picture(Standings(names, entries), names).startswith(PNG)
