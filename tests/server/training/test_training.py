import json
import shutil
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple.arena.topp import play_topp
from meeple.cli.train.topp import write_report
from meeple.errors import ConfigError, MeepleError
from meeple.games.contract.records import GameRecord, read_records, replay
from meeple.learn.config import load_config, ready_configs
from meeple.learn.run.chosen import RACE
from meeple.learn.run.folder import config_of, sole_trainer
from meeple.learn.run.games import games_after, last_games
from meeple.learn.run.metrics import MetricsLog
from meeple.learn.run.view import MAX_MATRIX_NETWORKS
from meeple.server.errors import Busy
from meeple.server.limits import LIMITS
from meeple.server.training.form import forms, sections, settle
from meeple.server.training.processes import RunProcesses
from meeple.server.training.runs import Runs
from tests.learn.damaged import change_states
from tests.learn.small import NIM, Heard, trained

LONG = {"run.episodes": 100_000, "run.networks": 2, "game.options.stones": 9}
PATIENCE = 600.0  # seconds, on a busy machine


class HeardAndLogged(Heard):
    """A reporter that records events and writes figures."""

    def __init__(self, folder):
        super().__init__()
        self.log = MetricsLog(folder)

    def wave(self, episodes, seconds, metrics):
        super().wave(episodes, seconds, metrics)
        self.log.wave(episodes, seconds, metrics)


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """A finished run with its tournament: its reporter's events, and the folder of runs."""
    folder = tmp_path_factory.mktemp("runs")
    reporter = HeardAndLogged(folder / "nim")
    trained(folder / "nim", base=NIM, reporter=reporter)
    reporter.log.close()
    write_report(folder / "nim" / "topp", play_topp(folder / "nim", games=6))
    return reporter, folder


@pytest.fixture
def runs(heard, tmp_path):
    """A copy of the folder of runs."""
    return Runs(shutil.copytree(heard[1], tmp_path / "runs"))


def facts_of(runs, name, since=0):
    """Return the facts of a run as the page gets them."""
    return runs.facts(name, since).model_dump()


def listed(runs):
    """Return the list of runs as the page gets it."""
    return [run.model_dump() for run in runs.all()]


def await_status(runs, name, *wanted, also=lambda facts: True):
    """Return the facts of a run once its status is one of `wanted`."""
    for _ in range(int(PATIENCE / 0.1)):
        facts = facts_of(runs, name)
        if facts["status"] in wanted and also(facts):
            return facts
        time.sleep(0.1)
    raise AssertionError(f"{name} is still {facts['status']}: {facts['output']}")


# ---------------------------------------------------------------- viewing


@pytest.mark.slow
def test_a_run_is_shown_as_its_trainer_reported_it_and_only_new_points_again(heard, runs):
    reporter, _ = heard
    facts = facts_of(runs, "nim")
    assert (facts["status"], facts["episodes"], facts["of"]) == ("finished", 24, 24)
    assert facts["networks"] == [0, 12, 24]
    for curve in facts["curves"]:
        name = curve["name"]  # figures of a match, which takes place by the clock, are not in all
        told = [(n, metrics[name]) for n, metrics in reporter.waves if name in metrics]
        assert curve["points"] == [(x, pytest.approx(y, rel=1e-4, abs=1e-4)) for x, y in told]
        assert len(curve["words"]) >= 20, "an explanation"
    logged = {name for _, metrics in reporter.waves for name in metrics}
    assert {curve["name"] for curve in facts["curves"]} == logged
    facts = facts_of(runs, "nim", since=20)
    assert facts["since"] == 19  # the point of episode 20 may have changed
    assert [x for x, _ in facts["curves"][0]["points"]] == [20, 24]


def test_ratings_and_matrix_are_those_of_the_tournament(heard, runs):
    report = json.loads((heard[1] / "nim" / "topp" / "result.json").read_text())
    topp = facts_of(runs, "nim")["topp"]
    assert [entry["episode"] for entry in topp["networks"]] == [0, 12, 24]
    for ours, theirs in zip(topp["networks"], report["networks"], strict=True):
        assert ours["rating"] == pytest.approx(theirs["rating"], abs=0.1)
        assert ours["interval"] == pytest.approx(theirs["interval"], abs=0.1)
    assert topp["matrix"][2][0] + topp["matrix"][0][2] == pytest.approx(1, abs=0.002)
    assert listed(runs)[0]["gain"] == topp["gain"]


def test_a_matrix_over_the_limit_is_left_out(runs):
    file = runs.folder / "nim" / "topp" / "result.json"
    report = json.loads(file.read_text())
    report["networks"] = report["networks"][:1] * (MAX_MATRIX_NETWORKS + 1)
    file.write_text(json.dumps(report))
    topp = facts_of(runs, "nim")["topp"]
    assert len(topp["networks"]) == MAX_MATRIX_NETWORKS + 1
    assert topp["matrix"] == []


def test_games_of_self_play_are_found_by_episode(heard, runs):
    games = runs.games("nim", None, 5).model_dump()
    assert [game["episode"] for game in games["games"]] == [20, 21, 22, 23, 24]
    assert games["last"] == 24
    (seventh,) = runs.games("nim", 6, 1).model_dump()["games"]
    assert GameRecord.from_json(seventh["record"]) == heard[0].games[6]
    assert replay(heard[0].games[6]).is_over
    assert seventh["result"] in ("player 1 wins", "player 2 wins")


@pytest.mark.parametrize("file", ["state.json", "games.jsonl", "topp/result.json"])
@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\x00", b"[1, 2]\n", b'{"notes": {"episode": 1e999}}\n', b'{"episodes": 1e999}\n'],
)
def test_a_damaged_file_of_a_run_affects_nothing_else(runs, file, content):
    (runs.folder / "nim" / file).write_bytes(content)
    metrics = runs.folder / "nim" / "metrics.jsonl"
    metrics.write_bytes(metrics.read_bytes()[:-7] + content)
    assert facts_of(runs, "nim")["of"] == 24
    assert len(listed(runs)) == 1
    runs.games("nim", None, 5)


def test_non_finite_numbers_are_never_sent(runs, client):
    folder = runs.folder / "nim"
    change_states(folder, seconds=float("nan"))
    report = json.loads((folder / "topp" / "result.json").read_text())
    report["networks"][0]["rating"] = float("inf")
    (folder / "topp" / "result.json").write_text(json.dumps(report))
    with open(folder / "games.jsonl", "a") as file:
        file.write('{"notes": {"episode": 25.5}}\n')
    facts = client.get("/api/runs/nim").json()
    assert (facts["seconds"], facts["topp"]) == (0, None)
    assert client.get("/api/runs/nim/games").status_code == 200


# ---------------------------------------------------------------- games in a long file


@settings(max_examples=60, deadline=None)
@given(
    episodes=st.sets(st.integers(1, 4000), max_size=300),
    padding=st.integers(0, 2000),
    after=st.integers(0, 4001),
    limit=st.integers(1, 20),
)
def test_games_after_an_episode_equal_those_of_a_full_read(
    tmp_path_factory, episodes, padding, after, limit
):
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    lines = [
        json.dumps({"pad": "x" * (padding * n % 3000), "notes": {"episode": n}})
        for n in sorted(episodes)
    ]
    file.write_text("".join(line + "\n" for line in lines) + '{"notes": {"epi')
    wanted = [line for line in lines if json.loads(line)["notes"]["episode"] > after]
    assert games_after(file, after, limit) == wanted[:limit]
    assert last_games(file, limit) == lines[-limit:]


# ---------------------------------------------------------------- form


def test_the_form_has_every_field_with_its_meaning_and_limits():
    fields = {field.name: field.model_dump() for section in sections() for field in section.fields}
    config = load_config(ready_configs()["hex5"])
    every = {f"{name}.{key}" for name, part in config.model_dump().items() for key in part or ()}
    assert fields.keys() == every - {"game.options"}
    assert all(field["help"] for field in fields.values())
    episodes, rate = fields["run.episodes"], fields["training.learning_rate"]
    assert (episodes["kind"], episodes["low"], episodes["high"]) == ("integer", 1, 100_000_000)
    assert fields["network.kind"]["choices"] == ["mlp", "conv", "classic"]
    assert (fields["run.minutes"]["above"], fields["run.minutes"]["optional"]) == (0, True)
    assert (rate["kind"], rate["optional"]) == ("list", False)


def test_a_game_without_a_configuration_is_learned_for_some_minutes(runs, client, monkeypatch):
    started = []

    def begun(_, folder, kind, words, job):
        (folder / f"{kind}.process").write_text(json.dumps({"minutes": job.minutes}))
        started.append((folder, words))

    monkeypatch.setattr(RunProcesses, "_start", begun)
    for name in ("nim-2", "nim-3"):  # "nim" is a run of this folder
        wanted = {"game": "nim", "options": {"stones": 9}, "minutes": 3}
        answer = client.post("/api/learn", json=wanted).json()
        assert (answer["name"], len(answer["token"]) > 20) == (name, True)
        config = config_of(runs.folder / name / RACE / "self-play")
        assert config.run.minutes == pytest.approx(0.21)  # its part of the race
        assert config.make_game().options["stones"] == 9
        facts = facts_of(runs, name)
        assert (facts["race"], facts["status"], facts["of"]) == ("self-play", "stopped", None)
        assert (facts["spec"], name in runs.names()) == (None, True)
    runs.resume("nim-2")  # in the middle of the race
    assert [folder.name for folder, _ in started] == ["nim-2", "nim-3", "nim-2"]
    for folder, words in started:
        assert words[:4] == ["train", "nim", "--option", "stones=9"]
        assert words[-4:] == ["--minutes", "3", "--run", str(folder)]


def test_every_ready_configuration_survives_its_form_unchanged(runs):
    for form in (one.model_dump() for one in forms()):
        values = {key: value for key, value in form["values"].items() if key != "run.start"}
        values["run.start"] = None
        config = settle(form["name"], values, runs.folder)
        ready = load_config(ready_configs()[form["name"]])
        assert config.model_copy(update={"run": ready.run, "game": ready.game}) == ready
        assert config.make_game().options == ready.make_game().options


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"run.episodes": 0}, "run.episodes must be a whole number from 1 to 100,000,000, not 0"),
        ({"run.episodes": "many"}, "run.episodes must be a whole number"),
        ({"run.episodes": 10**400}, "run.episodes must be a whole number"),
        ({"training.learning_rate": 10**400}, "training.learning_rate|too large"),
        ({"training.learning_rate": [0.1, -1]}, "training.learning_rate must be"),
        ({"network.kind": "cnn"}, "network.kind must be mlp, conv or classic, not 'cnn'"),
        ({"game.options.size": 99}, "size must be a whole number"),
        ({"game.options.colour": 1}, "hex has no option 'colour'"),
        ({"game.name": "chess"}, "there is no game 'chess'"),
        ({"run.epochs": 1}, "there is no field 'run.epochs'; fields: run.seed"),
        ({"run.seed=1\nrun.episodes": 1}, "there is no field"),
        ({"game.options": {"size": 3}}, "there is no field 'game.options'"),
        ({"run.networks": 9, "run.episodes": 3}, "run.networks must be at most 4"),
        ({"run.start": "../../etc/passwd"}, "run.start must be one of gomoku6"),
        ({"run.start": "/etc/passwd"}, "run.start must be one of gomoku6"),
        ({"run.start": 3}, "run.start must be one of gomoku6"),
        ({"run.start": "catan"}, r"run\.start must be one of gomoku6, .* not 'catan'"),
        ({"run.teacher": "/etc/passwd"}, "run.teacher must be one of reversi10-patterns"),
        ({"run.teacher": "hex7"}, "run.teacher must be one of reversi10-patterns"),
    ],
)
def test_an_invalid_field_is_refused_with_a_reason(runs, changes, says):
    with pytest.raises(ConfigError, match=says.replace("(", r"\(")) as caught:
        settle("hex3", changes, runs.folder)
    assert "\n" not in str(caught.value)[:80]


def test_a_run_has_its_own_fields_and_starts_from_a_bundled_network_or_another_run(runs):
    shipped = settle("hex3", {"run.start": "hex7"}, runs.folder)
    assert shipped.run.start == "hex7"
    ours = settle("nim", {"run.start": "nim"}, runs.folder)
    assert ours.run.start == str(runs.folder / "nim")
    config = settle("nim", {"run.minutes": None, "game.name": "ledge"}, runs.folder)
    assert (config.run.minutes, config.game.name) == (None, "ledge")
    taught = settle("reversi6", {"run.teacher": "reversi6-patterns"}, runs.folder)
    assert taught.run.teacher == "reversi6-patterns"


# ---------------------------------------------------------------- starting, stopping, rating


@pytest.mark.slow
def test_a_run_can_be_started_stopped_and_resumed_despite_server_restarts(runs):
    runs.begin("long", "nim", LONG)
    facts = await_status(runs, "long", "running", also=lambda facts: facts["left"] is not None)
    restarted = Runs(runs.folder)  # reads only the folder
    assert facts_of(restarted, "long")["status"] == "running"
    assert restarted.running("train") == ["long"]
    with pytest.raises(Busy, match="long trains now; stop it first"):
        restarted.begin("other", "nim", {})
    with pytest.raises(Busy, match="long trains now"):
        restarted.resume("long")
    restarted.stop("long")
    facts = facts_of(Runs(runs.folder, limits=replace(LIMITS, stop_seconds=-1.0)), "long")
    if facts["status"] == "stopping":
        assert "was asked to stop and has not ended yet" in facts["problem"]
    stopped = await_status(restarted, "long", "stopped")
    assert "Stopped; all training progress is saved" in " ".join(stopped["output"])
    assert str(runs.folder) not in " ".join(stopped["output"])
    assert stopped["episodes"] >= facts["episodes"]
    restarted.resume("long")
    went_on = await_status(
        restarted,
        "long",
        "running",
        also=lambda facts: facts["episodes"] > stopped["episodes"],
    )
    assert went_on["problem"] is None
    restarted.stop("long")
    await_status(restarted, "long", "stopped")


@pytest.mark.slow
def test_a_failed_child_process_leaves_its_last_output(runs):
    runs.begin("odd", "nim", {"run.start": "hex7"})  # a network of another game
    facts = await_status(runs, "odd", "failed")
    assert facts["problem"].startswith("odd ended by an error")
    assert "hex" in facts["output"][-1]


def test_a_run_trained_by_another_process_is_left_alone(runs):
    state = runs.folder / "nim" / "state.json"
    data = json.loads(state.read_text())
    state.write_text(json.dumps(data | {"episodes": 12}))
    assert facts_of(runs, "nim")["status"] == "stopped"
    with sole_trainer(runs.folder / "nim"):
        assert facts_of(runs, "nim")["status"] == "elsewhere"
        with pytest.raises(Busy, match="by another program"):
            runs.resume("nim")
        with pytest.raises(MeepleError, match="stop it where it runs"):
            runs.stop("nim")
    assert facts_of(runs, "nim")["status"] == "stopped"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nim", "something called 'nim' already"),
        ("hex7", "the name of a network that ships"),
        ("../up", "a run's name is made of"),
        ("Up", "a run's name is made of"),
        ("", "a run's name is made of"),
    ],
)
def test_names_of_new_runs_are_checked(runs, name, says):
    with pytest.raises(MeepleError, match=says):
        runs.begin(name, "nim", {})


# ---------------------------------------------------------------- over HTTP


def test_the_api_returns_the_runs_their_games_and_the_form(client, runs):
    (run,) = client.get("/api/runs").json()["runs"]
    assert (run["name"], run["title"], run["status"]) == ("nim", "Nim, stones=7", "finished")
    facts = client.get("/api/runs/nim?since=23").json()
    assert facts["spec"] == "puct:nim,sims=100"
    games = client.get("/api/runs/nim/games?after=3&limit=2").json()["games"]
    assert [game["episode"] for game in games] == [4, 5]
    file = read_records(runs.folder / "nim" / "games.jsonl")
    assert [GameRecord.from_json(game["record"]) for game in games] == file[3:5]
    configs = client.get("/api/configs").json()
    assert {config["name"] for config in configs["configs"]} == set(ready_configs("self-play"))
    assert "reversi8-people" not in ready_configs("self-play")


@pytest.mark.parametrize(
    "name", ["%2e%2e", "none", "nim%2f..", "..%2fnim", "nim%00", "NIM", "n" * 300]
)
def test_unlisted_names_are_refused(client, name):
    for path in (f"/api/runs/{name}", f"/api/runs/{name}/games"):
        assert client.get(path).status_code in (404, 422)
    for action in ("stop", "resume", "topp"):
        assert client.post(f"/api/runs/{name}/{action}", json={}).status_code in (404, 405, 422)


def test_invalid_fields_and_states_are_refused_with_a_sentence(client):
    body = {"name": "new", "config": "hex3", "changes": {"run.episodes": 0}}
    refused = client.post("/api/runs", json=body)
    assert refused.status_code == 400
    assert "run.episodes must be a whole number" in refused.json()["error"]
    for action, says in (("stop", "does not run"), ("resume", "has finished")):
        refused = client.post(f"/api/runs/nim/{action}", json={})
        assert (refused.status_code, says in refused.json()["error"]) == (400, True)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "x", "config": "hex3", "extra": 1},
        {"name": "x\n", "config": "hex3"},
        {"name": "x", "config": "hex3", "changes": {"run.seed": {"a": 1}}},
        {"name": "x", "config": "hex3", "changes": {f"run.f{n}": n for n in range(200)}},
        {"name": "x", "config": "hex3", "changes": {"run.start": "y" * 5000}},
    ],
)
def test_malformed_requests_are_refused(client, body):
    assert client.post("/api/runs", json=body).status_code == 422
