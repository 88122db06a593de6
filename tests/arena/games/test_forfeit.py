"""A failing agent loses its game, its faults are counted and reported, and agents are closed."""

import sys
from types import SimpleNamespace

import pytest

import meeple
from meeple.agents.kinds import AGENTS, AgentKind
from meeple.arena.games import play
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.match import match
from meeple.arena.tournament import play_tournament
from meeple.errors import FAULTS, CustomAgentError, EngineError, MeepleError, UsageError
from meeple.games.contract.records import GameRecord, replay
from meeple.options import Text
from tests.arena.failing import Program

HEX = meeple.make("hex", size=3)


def make(game, options, seed):
    return Program(str(options["kind"]))


@pytest.fixture
def programs(monkeypatch):
    """Register the spec `program:kind=KIND` for a program with this failure."""
    kind = AgentKind(f"{__name__}:make", "", keys={"kind": Text("", "", str, "")})
    monkeypatch.setitem(AGENTS, "program", kind)
    monkeypatch.setattr(Program, "made", [])
    monkeypatch.setattr(Program, "closed", [])


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("workers", [1, 2])
def test_each_kind_of_failure_loses_the_game_and_is_counted(programs, kind, workers):
    result = match(HEX, [f"program:kind={kind}", "random"], games=6, workers=workers)
    program, other = result.agents
    assert program.faults == {kind: 6}
    assert other.faults == {}
    assert (program.wins, other.wins) == (0, 6)
    told = result.to_json()["agents"]
    assert told[0]["faults"] == {kind: 6}
    assert "faults" not in told[1]
    assert len(result.faults) == 1
    assert "program" in result.faults[0]


def test_record_of_a_forfeited_game_has_the_played_actions(programs):
    result = match(HEX, ["random", "program:kind=crash"], games=2)
    first, second = result.records
    assert first.payoffs is None
    assert first.notes == {"forfeit": 1, "fault": "crash"}
    assert second.notes == {"forfeit": 0, "fault": "crash"}
    assert len(first.actions) == 3  # one action of each, and the starting player's second
    assert not replay(first).is_over
    assert GameRecord.from_json(first.to_json()) == first


def test_other_seats_share_a_forfeited_game():
    record = GameRecord("toy", {}, ("a", "b", "c", "d"), 0, (), None, notes={"forfeit": 2})
    assert record.shares == (1 / 3, 1 / 3, 0.0, 1 / 3)
    assert GameRecord("toy", {}, ("a", "b"), 0, (), None).shares is None
    assert GameRecord("toy", {}, ("a", "b"), 0, (), (0.25, 0.75)).shares == (0.25, 0.75)


def test_failed_program_is_rebuilt_and_all_are_closed(programs):
    match(HEX, ["program:kind=crash", "program"], games=4, workers=1)
    assert (
        len(Program.made) == 4 + 1
    )  # one more for each failure except the last, and the other agent
    assert sorted(map(id, Program.closed)) == sorted(map(id, Program.made))
    Program.closed.clear()
    match(HEX, [Program(), Program()], games=2)
    assert Program.closed == []  # they are the caller's


def test_all_agents_are_closed_after_an_error_or_ctrl_c(programs):
    with pytest.raises(EngineError, match="failed by rubbish"):
        match(HEX, ["program:kind=rubbish", "random"], 4, rule=FaultRule("stop"), workers=1)
    assert len(Program.made) == len(Program.closed) == 1

    def interrupt(done, total):
        if done == 1:
            raise KeyboardInterrupt

    assert match(HEX, ["program", "random"], games=4, workers=2, progress=interrupt).interrupted
    assert len(Program.made) == len(Program.closed) >= 2


OWN = """
class Nervous:
    def begin(self, seed):
        self.choices = 0

    def choose(self, position):
        self.choices += 1
        if self.choices == 2:
            return {second}
        return int(position.legal_actions()[0])

    def close(self):
        raise OSError("gone")  # which is ignored
"""


def own(tmp_path, second):
    file = tmp_path / "mine.py"
    file.write_text(OWN.format(second=second))
    return f"agent:{file}:Nervous"


def test_failing_agent_of_a_file_stops_a_match_and_loses_a_tournament_game(tmp_path):
    spec = own(tmp_path, "1 / 0")
    with pytest.raises(CustomAgentError, match=r"mine.py, line 9: ZeroDivisionError"):
        match(HEX, [spec, "random"], games=2)
    result = play_tournament(Conditions(HEX), [spec, "random"], games=2)
    assert result.costs[0].faults == {"crash": 2}
    assert "ZeroDivisionError" in result.faults[0, "crash"]
    assert result.to_json()["agents"][0]["faults"] == {"crash": 2}
    assert result.standings.wins.tolist() == [0, 2]
    lost = match(HEX, [spec, "random"], games=2, rule=FaultRule("lose"))
    assert lost.agents[0].faults == {"crash": 2}
    (other := tmp_path / "other").mkdir()
    result = play_tournament(Conditions(HEX), [own(other, "99"), "random"], games=2)
    assert result.costs[0].faults == {"illegal": 2}
    with pytest.raises(MeepleError, match="no agent 'nobody'"):  # which is no fault
        match(HEX, ["nobody", "random"], games=2, rule=FaultRule("lose"))


def test_choice_that_takes_too_long_loses_the_game(monkeypatch):
    now = [0.0]

    class Slow(Program):
        def choose(self, position, stop=None):
            now[0] += 0.2
            return super().choose(position)

    monkeypatch.setattr(play, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    result = match(HEX, [Slow(), Program()], games=2, rule=FaultRule(move_seconds=0.01))
    assert result.agents[0].faults == {"time": 2}
    assert "0.01 are allowed" in result.faults[0]
    assert result.agents[1].wins == 2
    generous = match(HEX, [Slow(), Program()], games=2, rule=FaultRule(move_seconds=60))
    assert generous.agents[0].faults == {}


@pytest.mark.parametrize(
    ("rule", "said"),
    [(FaultRule(move_seconds=0), "move_seconds must be"), (FaultRule("maybe"), "lose, stop")],  # type: ignore[arg-type]
)
def test_invalid_fault_rule_is_refused(rule, said):
    with pytest.raises(UsageError, match=said):
        match(HEX, ["random", "random"], games=2, rule=rule)


@pytest.mark.slow
def test_program_that_ends_loses_its_game():
    result = match(HEX, ["random", f"engine:{sys.executable} -c pass"], games=2, workers=1)
    assert result.agents[1].faults == {"crash": 2}
    assert result.agents[0].wins == 2
    assert all(record.notes["fault"] == "crash" for record in result.records)
