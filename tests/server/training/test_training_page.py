"""Runs in a browser: figures, ratings and games, faults, and a run that is started there."""

from playwright.sync_api import expect

from meeple.arena.topp import play_topp
from meeple.cli.train.topp import write_report
from meeple.learn.loop import start_run, train
from meeple.learn.run.metrics import MetricsLog
from meeple.server.training.runs import Runs
from tests.learn.damaged import change_states
from tests.learn.small import NIM, finished_nim, trained
from tests.learn.values.test_figures import MATCHES
from tests.learn.values.test_loop import config
from tests.server.access import findings
from tests.server.pictures import picture
from tests.server.training.test_training import HeardAndLogged, facts_of, listed
from tests.server.waiting import wait_until_it_fits


def test_the_page_shows_a_run_its_ratings_and_its_games(server, desks):
    heard = HeardAndLogged(server.folder / "runs" / "shown")
    folder = trained(server.folder / "runs" / "shown", base=NIM, reporter=heard)
    heard.log.close()
    write_report(folder / "topp", play_topp(folder, games=6))
    page = desks("phone").open(f"{server.url}/#/training")
    page.get_by_role("link", name="shown").click()
    page.get_by_text("24 of 24 episodes").wait_for()
    page.get_by_role("img", name="Elo ratings with 95 % intervals").wait_for()
    expect(page.locator("table.matrix tbody tr")).to_have_count(3)
    page.get_by_role("img", name="Losses").wait_for()
    words = page.locator(".games-words")
    page.get_by_text("Episode 24, move").wait_for()
    page.get_by_label("Episode", exact=True).fill("7")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("Episode 7, move").wait_for()
    page.get_by_role("button", name="First position").click()
    page.keyboard.press("ArrowRight")
    expect(words).to_contain_text(heard.games[6].actions[0])
    wait_until_it_fits(page)
    assert findings(page) == []


def test_a_run_of_values_is_shown_by_its_rounds(server, desks):
    folder = server.folder / "runs" / "values"
    start_run(config("gate.games=0", *MATCHES), folder)
    log = MetricsLog(folder)
    train(folder, log)
    log.close()
    write_report(folder / "topp", play_topp(folder, games=2))
    runs = Runs(folder.parent)
    (short,) = (run for run in listed(runs) if run["name"] == "values")
    assert (short["unit"], short["episodes"], short["of"], short["status"]) == (
        "round", 2, 2, "finished",
    )  # fmt: skip
    facts = facts_of(runs, "values")
    assert (facts["networks"], facts["marks"], facts["spec"]) == ([0, 1], None, "states:values")
    assert (facts["topp"]["unit"], facts["problem"]) == ("round", None)
    curves = {curve["name"]: curve for curve in facts["curves"]}
    assert [episode for episode, _ in curves["unseen/shares"]["points"]] == [1, 2]
    assert all(curve["words"] for name, curve in curves.items() if not name.startswith("match/"))
    assert any("against random" in line for line in facts["progress"])
    assert runs.games("values", None, 5).model_dump() == {"games": [], "last": 0}
    page = desks().open(f"{server.url}/#/training")
    page.get_by_role("link", name="values").click()
    page.get_by_text("2 of 2 rounds").wait_for()
    page.get_by_role("img", name="Losses").wait_for()
    page.get_by_role("img", name="after 1 round ").wait_for()
    expect(page.get_by_text("Sample games")).to_have_count(0)
    page.get_by_role("button", name="Play against it").wait_for()


def test_the_page_shows_the_fault_of_a_damaged_run(server, desks):
    change_states(finished_nim(server.folder / "runs" / "damaged"), seconds="12")
    page = desks().open(f"{server.url}/#/training")
    row = page.get_by_role("row", name="damaged")
    row.get_by_text("damaged/state.json is corrupt (seconds must be a number").wait_for()
    row.get_by_role("link", name="damaged").click()
    page.get_by_text("damaged/state.json is corrupt (seconds must be a number").wait_for()
    page.get_by_role("button", name="Play against it").wait_for()
    wait_until_it_fits(page)


def test_a_run_is_started_from_the_page(server, desks):
    page = desks().open(f"{server.url}/#/training/+new")
    page.get_by_label("What to learn, and how").select_option("hex3")
    page.get_by_label("Name of the run").fill("from-the-page")
    page.get_by_label("Episodes").fill("48")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="from-the-page").wait_for()
    page.get_by_text("48 of 48 episodes").wait_for()
    page.get_by_text("finished", exact=True).wait_for()
    page.get_by_role("button", name="Rate its networks").click()
    page.get_by_role("button", name="Rate them again").wait_for()
    page.locator("table.matrix tbody tr").nth(1).wait_for()
    page.get_by_role("button", name="Newest").click()
    picture(page, "page-training", full=True)
