"""Runs from the page: who may stop them, and what they may take of the machine."""

import os
import shutil
import time
from dataclasses import replace
from typing import Any

import pytest

from meeple.errors import ConfigError
from meeple.learn.config import load_config, ready_configs
from meeple.learn.run.folder import RunFolder
from meeple.server.errors import Forbidden, TooMuch
from meeple.server.limits import LIMITS
from meeple.server.play.seats import digest
from meeple.server.training.budget import check_budget, needs_of
from meeple.server.training.form import settle
from meeple.server.training.processes import RunProcess, RunProcesses
from meeple.server.training.runs import Runs
from tests.server.study.test_studies import tree_of
from tests.server.tables import ME, NIM, SOCKET, agent, begin, serving

pytest.importorskip("torch")
LARGE = {"game.name": "reversi", "replay.capacity": 100_000_000}
TOKENS = {"mine": "a" * 24, "other": "b" * 24}


class Child:
    """Stands for the child processes: which run, by whom, and what stopped."""

    def __init__(self, monkeypatch):
        self.started, self.stopped = {}, []
        monkeypatch.setattr(RunProcesses, "start", lambda _, *arguments: self.start(*arguments))
        monkeypatch.setattr(RunProcesses, "look", lambda _, folder, kind: self.look(folder, kind))
        monkeypatch.setattr(
            RunProcesses, "stop", lambda _, folder, kind, why="": self.stop(folder, kind, why)
        )

    def start(self, folder, kind, owner, *_):
        self.started[folder, kind] = RunProcess(
            os.getpid(), time.time() - 2000, owner=owner, running=True
        )

    def look(self, folder, kind):
        return self.started.get((folder, kind), RunProcess())

    def stop(self, folder, kind, why):
        self.stopped.append((folder.name, kind, why))
        self.look(folder, kind).running, self.look(folder, kind).excess = False, why


@pytest.fixture
def child(monkeypatch):
    return Child(monkeypatch)


# ---------------------------------------------------------------- who may stop a run


def test_only_who_started_a_run_stops_and_resumes_it_on_an_open_server(tmp_path, child):
    runs = Runs(tmp_path, only_here=False)
    token = runs.begin("nim", "nim", {})
    assert child.look(tmp_path / "nim", "train").owner == digest(token)
    for tokens in ((), ("",), (TOKENS["other"],), (digest(token),)):
        assert not runs.facts("nim", tokens=tokens).yours
        with pytest.raises(Forbidden, match="only the visitor who started nim, or the operator"):
            runs.stop("nim", tokens)
    assert child.stopped == []
    assert runs.facts("nim", tokens=[TOKENS["other"], token]).yours
    runs.stop("nim", [token])
    with pytest.raises(Forbidden):
        runs.resume("nim", [TOKENS["other"]])
    runs.resume("nim", [token])
    runs.stop("nim", [token])
    assert child.stopped == [("nim", "train", "")] * 2


def test_a_run_of_the_terminal_belongs_to_no_visitor_and_all_runs_to_those_of_this_machine(
    tmp_path, child
):
    runs = Runs(tmp_path, only_here=False)
    RunFolder(tmp_path / "nim").create(settle("nim", {}, tmp_path))
    for tokens in ((), ("",), (TOKENS["other"],)):
        with pytest.raises(Forbidden):
            runs.resume("nim", tokens)
    assert child.started == {}
    runs = Runs(tmp_path)
    runs.begin("other", "nim", {})
    assert runs.facts("other").yours
    runs.stop("other")


@pytest.mark.parametrize(("host", "status"), [("0.0.0.0", 403), ("127.0.0.1", 200)])
def test_the_token_travels_with_the_request(tmp_path, child, pool, host, status):
    password = {"password": "secret"} if host == "0.0.0.0" else {}
    with serving(tmp_path, host=host, **password) as client:
        if password:
            client.post("/api/login", json={"password": "secret"})
        token = client.post("/api/runs", json={"name": "nim", "config": "nim"}).json()["token"]
        answer = client.post("/api/runs/nim/stop")
        assert answer.status_code == status
        if status == 403:
            assert answer.json()["code"] == "not_your_run"
            headers = {"X-Seat-Tokens": token}
            assert client.get("/api/runs/nim", headers=headers).json()["yours"]
            assert client.post("/api/runs/nim/stop", headers=headers).status_code == 200


# ---------------------------------------------------------------- what a run may need


@pytest.mark.parametrize("name", ready_configs("self-play"))
def test_every_ready_configuration_may_be_started(name, tmp_path):
    check_budget(load_config(ready_configs()[name]), tmp_path, LIMITS)


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"selfplay.workers": 8, "training.threads": 8}, "selfplay.workers + training.threads"),
        ({"network.hidden": [8000, 8000]}, "network.hidden"),
        ({"run.networks": 1000, "run.episodes": 2000}, "run.networks"),
        ({"run.network_minutes": 0.001}, "run.network_minutes"),
        ({"run.network_minutes": 1, "run.minutes": 9000}, "run.network_minutes"),
        ({**LARGE, "replay.memory": 1_000_000}, "replay.memory"),
        ({"selfplay.games": 4096, "search.simulations": 100_000}, "selfplay.games"),
        ({"training.batch_size": 65_536, "network.hidden": [2000] * 8}, "network.hidden"),
        ({**LARGE, "replay.memory": 1}, "replay.capacity"),
    ],
)
def test_a_run_that_needs_too_much_is_refused_before_its_folder_is_made(
    changes, fields, tmp_path, child
):
    with pytest.raises(ConfigError, match="and a run from the page may have at most") as caught:
        Runs(tmp_path).begin("big", "nim", changes)
    assert fields in str(caught.value)
    assert not (tmp_path / "big").exists()
    assert child.started == {}


def test_needs_add_up(tmp_path):
    few, many = (
        {need.fields: need.amount for need in needs_of(settle("nim", changes, tmp_path), LIMITS)}
        for changes in ({}, {"replay.capacity": 100_000, "training.batch_size": 4096})
    )
    assert all(many[fields] >= amount for fields, amount in few.items())
    assert sum(many.values()) > sum(few.values())


def test_the_quota_of_the_folder_of_runs_holds_for_all_that_writes_there(tmp_path, child):
    runs = Runs(tmp_path, limits=replace(LIMITS, max_runs_bytes=3_000_000))
    runs.begin("nim", "nim", {})
    runs.stop("nim")
    (tmp_path / "nim" / "large").write_bytes(bytes(3_000_000))
    with pytest.raises(TooMuch, match="the folder of runs may hold 3 MB; it holds 3,"):
        runs.begin("more", "nim", {})
    with pytest.raises(TooMuch):
        runs.resume("nim")
    shutil.rmtree(tmp_path / "nim")
    runs.begin("more", "nim", {})


@pytest.mark.parametrize(
    ("limit", "excess", "says"),
    [
        ("max_runs_bytes", "disk", "folder of runs is full"),
        ("max_run_bytes", "memory", "memory"),
        ("max_run_seconds", "time", "so that others can train"),
    ],
)
def test_a_running_process_that_exceeds_a_limit_is_stopped(tmp_path, child, limit, excess, says):
    Runs(tmp_path).begin("nim", "nim", {})
    Runs(tmp_path, only_here=excess != "time").stop_excess()
    assert child.stopped == []
    few: Any = {limit: 1000}
    runs = Runs(tmp_path, limits=replace(LIMITS, **few), only_here=excess != "time")
    runs.stop_excess()
    runs.stop_excess()
    assert child.stopped == [("nim", "train", excess)]
    assert says in str(runs.facts("nim").problem)
    child.stopped.clear()
    child.look(tmp_path / "nim", "train").owner = ""  # of the terminal
    runs.stop_excess()
    assert child.stopped == []


def test_the_owner_and_the_excess_of_a_process_outlive_the_server(tmp_path):
    processes = RunProcesses((), 20.0)
    (tmp_path / "train.process").write_text(
        '{"pid": 0, "started": 1.0, "owner": "x", "excess": "disk"}'
    )
    found = processes.look(tmp_path, "train")
    assert (found.owner, found.excess) == ("x", "disk")
    (tmp_path / "train.process").write_text('{"pid": 0, "started": 1.0}')  # of earlier versions
    assert processes.look(tmp_path, "train").owner == ""


# ---------------------------------------------------------------- the database


def test_a_full_database_refuses_what_is_new_and_stores_games_that_have_begun(tmp_path, pool):
    with serving(tmp_path) as client:
        made = begin(client, [ME, agent()])
        record = client.get(f"/api/tables/{made['id']}/record").text
        study = client.post("/api/studies", json={"title": "a", "text": record}).json()
        shown = client.get(f"/api/studies/{study['id']}").json()
    with serving(tmp_path, replace(LIMITS, max_data_bytes=0)) as client:
        changed = {"version": shown["version"], "title": "b", "tree": tree_of(shown)}
        seats: list[Any] = [ME, agent()]
        for path, body in {
            "/api/tables": {**NIM, "seats": seats},
            "/api/records": {"text": record},
            "/api/studies": {"title": "b", "text": record},
            f"/api/studies/{study['key']}": changed,
            "/api/cups": {**NIM, "format": "swiss"},
        }.items():
            answer = client.post(path, json=body)
            assert (answer.status_code, answer.json().get("code")) == (413, "data_full"), path
        assert "has reached its 0 MB" in answer.json()["error"]
        with client.websocket_connect(SOCKET) as socket:
            tokens = list(made["tokens"].values())
            socket.send_json({"type": "watch", "table": made["id"], "tokens": tokens})
            assert socket.receive_json()["ply"] == 0
            socket.send_json({"type": "play", "ply": 0, "actions": [0]})
            while socket.receive_json()["ply"] == 0:
                pass
        assert client.post(f"/api/studies/{study['key']}/remove").status_code == 200
