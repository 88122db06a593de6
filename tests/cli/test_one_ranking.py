"""One ranking of a tournament: terminal, report, notebook, JSON and verdict agree."""

import functools
import re

import pytest

import meeple
from meeple.arena.figures.columns import COLUMNS, Column
from meeple.arena.games.conditions import Conditions
from meeple.arena.tournament import Pairing, play_tournament
from meeple.cli.shared.reports import REPORT, print_standings
from meeple.cli.tournament import verdict, write_report

SPECS = ("random", "uct:sims=2", "uct:sims=12", "uct:sims=6", "uct:sims=1")
SEEDS = range(1, 5)


@functools.cache
def results(format):
    """Return tournaments of one format with several seeds."""
    pairing = Pairing(format, rounds=3 if format == "swiss" else None)
    nim = meeple.make("nim", stones=12)
    return [play_tournament(Conditions(nim, seed), SPECS, 2, pairing) for seed in SEEDS]


def in_order(text, pattern):
    """Return the agents in the order in which a pattern finds their names."""
    return [SPECS.index(name) for name in re.findall(pattern, text)]


NAME = "(random|uct:sims=[0-9]+)"


@pytest.mark.slow
@pytest.mark.parametrize("format", ["swiss", "round-robin"])
def test_all_outputs_rank_the_agents_alike(format, capsys, tmp_path):
    for result in results(format):
        ranking = result.standings.ranking()
        assert in_order(repr(result), rf"\d\. {NAME} ") == ranking
        assert in_order(result._repr_html_(), rf"<td[^>]*>{NAME}</td>") == ranking
        places = [agent["place"] for agent in result.to_json()["agents"]]
        assert [places[agent] for agent in ranking] == [1, 2, 3, 4, 5]
        assert verdict(result).startswith(f"{SPECS[ranking[0]]} ")
        print_standings(result.standings, SPECS, "agent", ranking)
        first_table = capsys.readouterr().out.split("% of the points")[0]
        assert in_order(first_table, rf"(?m)^ *{NAME} ") == ranking
        write_report(tmp_path, result)
        page = (tmp_path / REPORT).read_text()
        ratings = page.split("<h2>Ratings</h2>")[1].split("<h2>")[0]
        assert in_order(ratings, f"<td>{NAME}</td>") == ranking
        time_used = page.split("<h2>Time used</h2>")[1].split("<h2>")[0]
        assert in_order(time_used, f"<td>{NAME}</td>") == ranking


@pytest.mark.slow
def test_a_swiss_ranks_by_score_and_shows_scores_and_byes(capsys, tmp_path):
    for result in results("swiss"):
        scores, byes = result.standings.scores
        ranking = result.standings.ranking()
        assert [scores[agent] for agent in ranking] == sorted(scores, reverse=True)
        write_report(tmp_path, result)
        print_standings(result.standings, SPECS, "agent", ranking)
        page, printed = (tmp_path / REPORT).read_text(), capsys.readouterr().out
        for text in (page, printed, result._repr_html_(), repr(result)):
            assert "score" in text
            assert "byes" in text
            assert all(f"{score:.2f}" in text for score in scores)
        first = f"{SPECS[ranking[0]]} is first with {max(scores):.2f} points, "
        tied = sum(score > max(scores) - 1e-9 for score in scores) > 1
        assert verdict(result).startswith(first + ("by its rating" if tied else ""))
        assert sum(byes) == 3
    by_rating = [(-result.standings.ratings.elo).argsort().tolist() for result in results("swiss")]
    differs = [result.standings.ranking() for result in results("swiss")] != by_rating
    assert differs, "no seed shows the difference between scores and ratings"


@pytest.mark.slow
def test_one_row_of_the_table_adds_a_column_everywhere(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(COLUMNS, "place", Column("finished as", lambda place: f"number {place}"))
    result = results("round-robin")[0]
    write_report(tmp_path, result)
    print_standings(result.standings, SPECS, "agent", result.ranking())
    page, printed = (tmp_path / REPORT).read_text(), capsys.readouterr().out
    for text in (page, printed, result._repr_html_(), repr(result)):
        assert "finished as" in text
        assert "number 5" in text
