"""The page of a run on a cluster: nodes, actors, counts and logs, and no access by paths."""

import shutil
import time

import pytest
from playwright.sync_api import expect

from meeple.learn.run.cluster import MAX_LISTED, ActorState, write_cluster
from meeple.learn.run.folder import sole_trainer
from meeple.learn.run.logs import RunLogs
from meeple.server.limits import LIMITS
from meeple.server.training.runs import Runs
from tests.learn.clusters import made_up
from tests.learn.damaged import broken_off, put_folder
from tests.server.access import findings
from tests.server.waiting import wait_until_it_fits


def on_cluster(folder):
    """Write the files of a run on a cluster into the folder of a run."""
    write_cluster(folder, made_up())
    logs = RunLogs(folder)
    for name in ("learner", "self-play-8"):
        for number in range(100):
            logs.write(name, f"{name} <b>says</b> {number} in {folder}/state.json")
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return broken_off(tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture
def runs(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "runs" / "far")
    shutil.copytree(whole, tmp_path / "runs" / "near")
    on_cluster(tmp_path / "runs" / "far")
    (tmp_path / "runs" / "secret.log").write_text("secret")
    return Runs(tmp_path / "runs")


@pytest.fixture
def ask(client):
    return lambda path: client.get(f"/api/runs{path}")


@pytest.mark.slow
def test_the_api_returns_nodes_actors_and_counts(ask, runs):
    with sole_trainer(runs.folder / "far"):
        facts = ask("/far").json()
    cluster = facts["cluster"]
    assert (facts["place"], cluster["running"]) == ("ray://10.0.0.1:6379", True)
    assert [len(cluster[key]) for key in ("nodes", "actors")] == [3, 12]
    assert cluster["account"]["deaths"] == 3
    assert facts["logs"] == ["learner", "self-play-8"]
    assert {run["name"]: run["place"] for run in ask("").json()["runs"]} == {
        "far": "ray://10.0.0.1:6379",
        "near": None,
    }
    near = ask("/near").json()
    assert (near["cluster"], near["logs"], near["problem"]) == (None, [], None)


def test_a_log_is_requested_by_its_actors_name_without_a_path(ask, runs):
    answer = ask("/far/logs/learner")
    lines = answer.json()["lines"]
    assert len(lines) == LIMITS.max_log_lines
    assert lines[-1].endswith("learner <b>says</b> 99 in far/state.json")
    assert str(runs.folder) not in answer.text


@pytest.mark.parametrize(
    "name",
    ["nobody", "..%2F..%2Fsecret", "..learner", "learner.log", "%00", "learner%0a"],
)
def test_no_log_name_leads_to_another_file(ask, name):
    answer = ask(f"/far/logs/{name}")
    assert answer.status_code in (404, 422)
    assert "secret" not in answer.text.replace("..%2F..%2Fsecret", "").replace("../../secret", "")


def test_a_damaged_state_or_log_is_reported_and_affects_nothing_else(ask, runs):
    (runs.folder / "far" / "cluster.json").write_text('{"place": ')
    facts = ask("/far").json()
    assert facts["cluster"] is None
    assert facts["problem"].startswith("far/cluster.json is corrupt (it is no JSON")
    assert facts["curves"]
    put_folder(runs.folder / "far" / "logs" / "learner.log")
    answer = ask("/far/logs/learner")
    assert answer.status_code == 400
    assert answer.json()["error"] == "cannot read far/logs/learner.log: it is not a file"


def test_part_of_a_large_cluster_is_returned(ask, runs):
    actors = [ActorState(name=f"self-play-{n}", role="self-play") for n in range(5000)]
    state = made_up().model_copy(update={"actors": actors})
    write_cluster(runs.folder / "far", state)
    cluster = ask("/far").json()["cluster"]
    assert (len(cluster["actors"]), cluster["more_actors"]) == (MAX_LISTED, 5000 - MAX_LISTED)


def test_the_page_shows_a_run_on_a_cluster_as_it_changes(whole, server, desks):
    folder = shutil.copytree(whole, server.folder / "runs" / "far")
    on_cluster(folder)
    with sole_trainer(folder):
        page = desks("phone").open(f"{server.url}/#/training")
        page.get_by_role("row", name="far").get_by_text("on ray://10.0.0.1:6379").wait_for()
        page.get_by_role("link", name="far").click()
        page.get_by_role("heading", name="On ray://10.0.0.1:6379").wait_for()
        page.get_by_text("3 nodes (1 dead) · 12 actors (1 dead) · 14 games/s").wait_for()
        page.get_by_text("The actor self-play-8 on worker-2 is dead.").wait_for()
        page.get_by_text("5,460 games begun: 5,312 finished, 36 lost").wait_for()
        actors = page.get_by_role("region", name="Actors")
        expect(actors.get_by_role("row")).to_have_count(13)
        actors.get_by_role("row", name="self-play-4").get_by_text("waits for the buffer").wait_for()
        page.get_by_text("Logs", exact=True).click()
        page.get_by_label("Log of").select_option("self-play-8")
        page.get_by_text("self-play-8 <b>says</b> 99").wait_for()
        wait_until_it_fits(page)
        assert findings(page) == []
        state = made_up(time.time())
        state.actors.pop()
        write_cluster(folder, state)
        page.get_by_text("3 nodes (1 dead) · 11 actors ·").wait_for()
    page.get_by_role("heading", name="Last on ray://10.0.0.1:6379").wait_for()
    page.get_by_text("The trainer ended unexpectedly").wait_for()
