"""Games at fault in a rare position: a client reads a sentence, and the server goes on."""

import contextlib

import pytest

from meeple.games.contract import registry
from meeple.server.web import endless
from tests.search.faulty_games import FAULTS, Faulty
from tests.server.tables import ME, at, begin, serving

DRAW = "    def draw("
ENDLESS = """    def action_name(self, position, action):
        while position.state.played == 2 and position.state.total == 4:
            pass
        return str(action)

"""


@pytest.fixture
def played(tmp_path, pool, monkeypatch):
    """Serve a game file, and play 2 in it once as both players."""
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_files", [])

    @contextlib.contextmanager
    def play(file, name):
        with serving(tmp_path / "data", game_files=[str(file)]) as client:
            made = begin(client, [ME, ME], game=name, options={})
            with at(client, made["id"], made["tokens"].values()) as me:
                me.play("2")
                yield client, me

    return play


@pytest.mark.parametrize("name", ["no action", "no outcome", "a seat there is not"])
def test_an_action_that_leads_to_a_fault_is_refused_and_another_can_be_played(
    tmp_path, played, name
):
    fault = FAULTS[name]
    with played(fault.write(tmp_path, "faulty-rules"), "faulty-rules") as (_, me):
        me.play("1")
        for _ in range(2):
            me.say("play", ply=me.view["ply"], actions=[2])
            said = me.message("error")["text"]
            assert fault.said in said
            assert "after the actions 2, 1, 2" in said
        assert me.play("0")["ply"] == 4


def test_a_method_that_does_not_return_is_ended_and_the_server_goes_on(
    tmp_path, played, monkeypatch
):
    monkeypatch.setattr(endless, "MAX_SECONDS", 0.5)
    monkeypatch.setattr(endless, "LOOK_SECONDS", 0.1)
    file = Faulty("", "").write(tmp_path, "endless-name")
    file.write_text(file.read_text().replace(DRAW, ENDLESS + DRAW))
    with played(file, "endless-name") as (client, me):
        me.say("play", ply=1, actions=[2])
        assert "did not return within 0.5 seconds" in me.message("error")["text"]
        assert client.get("/").status_code == 200
