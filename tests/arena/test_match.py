"""A match counts results, rotates seats, and is reproducible from its seed."""

import threading
from collections.abc import Callable

import pytest

import meeple
from meeple.agents.agent import Analysis
from meeple.arena.figures.statistics import wilson_interval
from meeple.arena.games.play import play_game
from meeple.arena.games.runner import default_workers
from meeple.arena.match import match
from meeple.errors import MeepleError, Stopped, UsageError
from meeple.games.contract.records import replay
from tests.arena.failing import Program


class Scripted:
    """Takes the number of stones given by its rule; records its seeds."""

    def __init__(self, spec: str, rule: Callable[[int], int]):
        self.spec = spec
        self.rule = rule
        self.analysis: Analysis | None = None
        self.seeds: list[int] = []

    def begin(self, seed: int):
        self.seeds.append(seed)

    def choose(self, position: meeple.Position, stop: Callable[[], bool] | None = None) -> int:
        return self.rule(int(position.state.heaps[0])) - 1


def one(left: int) -> int:
    return 1


def most(left: int) -> int:
    return min(left, 3)


def winning(left: int) -> int:
    return left % 4 or 1


@pytest.fixture
def nim():
    return meeple.make("nim", stones=4, take=3)


def test_scripted_match_has_the_expected_result(nim):
    result = match(nim, [Scripted("wise", winning), Scripted("fool", one)], games=5, seed=1)
    wise, fool = result.agents
    # Of 4 stones `wise` takes 1, `fool` 1, `wise` 2; or `fool` takes 1 and `wise` the last 3.
    assert (wise.wins, wise.draws, wise.losses, wise.share) == (5, 0, 0, 1.0)
    assert (fool.wins, fool.losses, fool.share) == (0, 5, 0.0)
    assert wise.interval == wilson_interval(5, 5)
    assert result.uneven == 1
    assert [seat.games for seat in wise.seats] == [3, 2]
    assert [seat.games for seat in fool.seats] == [2, 3]
    assert result.p_value == pytest.approx(2 / 32)


def test_winner_follows_the_seat_if_only_the_seat_decides(nim):
    agents = [Scripted("a", most), Scripted("b", most)]
    result = match(nim, agents, games=6)
    # The starting player takes 3 of 4 stones, and the other takes the last.
    for agent in result.agents:
        assert [seat.share for seat in agent.seats] == [0.0, 1.0]
        assert agent.share == 0.5
    assert [record.payoffs for record in result.records] == [(0.0, 1.0)] * 6
    assert [record.seats for record in result.records] == [("a", "b"), ("b", "a")] * 3
    assert len({*agents[0].seeds, *agents[1].seeds}) == 2 * 6  # one for each agent of each game


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_result_does_not_depend_on_the_number_of_workers(workers):
    game = meeple.make("hex", size=3)
    result = match(game, ["random", "random"], games=12, seed=3, workers=workers)
    alone = match(game, ["random", "random"], games=12, seed=3, workers=1)
    assert result.records == alone.records
    assert [agent.wins for agent in result.agents] == [agent.wins for agent in alone.agents]
    other = match(game, ["random", "random"], games=12, seed=4, workers=workers)
    assert [r.actions for r in other.records] != [r.actions for r in result.records]
    payoffs = [replay(record).payoffs for record in result.records]
    won = [payoff[seats.index(0)] for payoff, seats in zip(payoffs, result.lineups, strict=True)]
    assert result.agents[0].wins == sum(won)


def test_interval_contains_equal_random_agents_and_seats_show_the_advantage_of_the_first_move():
    result = match(meeple.make("hex", size=3), ["random", "random"], games=400, seed=11)
    agent = result.agents[0]
    assert agent.interval[0] < 0.5 < agent.interval[1]
    assert agent.seats[0].share > agent.seats[1].share


def test_hooks_are_called_for_every_game_and_position(nim):
    ended, steps, seen = [], [], []
    result = match(
        nim,
        ["random", "random"],
        games=3,
        on_game=lambda number, record: ended.append((number, record)),
        progress=lambda done, total: steps.append((done, total)),
        on_position=lambda number, names, position: seen.append((number, len(position.actions))),
    )
    assert ended == list(enumerate(result.records))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    expected = [(n, k) for n, r in enumerate(result.records) for k in range(len(r.actions) + 1)]
    assert seen == expected


@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_keeps_finished_games(workers):
    def interrupt(done, total):
        if done == 4:
            raise KeyboardInterrupt

    game, threads = meeple.make("hex", size=3), threading.active_count()
    result = match(game, ["random"] * 2, games=50_000, workers=workers, progress=interrupt)
    assert result.interrupted
    assert 4 <= result.games < 50_000
    assert sum(agent.wins for agent in result.agents) == result.games == len(result.records)
    assert threading.active_count() <= threads + workers


def test_illegal_move_names_the_agent_and_the_seat(nim):
    agents = [Scripted("fair", one), Scripted("cheat", lambda left: 78)]
    with pytest.raises(MeepleError, match="cheat in seat 2 made a false move: action 77"):
        match(nim, agents, games=2)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("error", [Stopped(), MeepleError("the engine died")], ids=repr)
def test_an_error_of_an_agent_reaches_the_caller(monkeypatch, workers, error):
    def fail(self, position):
        raise error

    monkeypatch.setattr("meeple.agents.baselines.RandomAgent.choose", fail)
    with pytest.raises(type(error)):
        match(meeple.make("nim"), ["random"] * 2, games=10, workers=workers)


def test_stopped_game_raises_stopped(nim):
    with pytest.raises(Stopped):
        play_game(nim, [Scripted("a", one), Scripted("b", one)], [0, 1, 2], stopped=lambda: True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"agents": ["random"]}, "takes 2 agents, not 1"),
        ({"agents": ["random"] * 3}, "`meeple tournament` takes more"),
        ({"games": 0}, "games must be at least 1"),
        ({"workers": 0}, "workers must be from 1"),
        ({"agents": [Scripted("a", one)] * 2}, "two seats"),
        ({"agents": ["random", "nobody"]}, "no agent 'nobody'"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(nim, arguments, said):
    with pytest.raises(UsageError, match=said):
        match(nim, **{"agents": ["random", "random"], "games": 2, **arguments})


def test_games_with_time_limits_are_played_one_at_a_time(monkeypatch):
    from meeple.agents.kinds import AGENTS, AgentKind
    from meeple.options import Number

    kind = AgentKind("nowhere:make", "", keys={"seconds": Number(None, 0, 9, "")})
    monkeypatch.setitem(AGENTS, "timed", kind)
    assert default_workers(["timed:seconds=1", "random"]) == 1
    assert default_workers(["timed", "random"]) >= 1


def test_openings_make_games_of_deterministic_agents_differ():
    game = meeple.make("hex", size=4)
    agents = [Program(), Program()]  # which play the first legal action, always
    assert match(game, agents, games=20, seed=1).different == 1
    varied = match(game, agents, games=20, seed=1, openings=True)
    assert varied.different == 9  # the start position continues like one of the other openings
    firsts = [record.actions[: record.opening] for record in varied.records]
    assert firsts[0::2] == firsts[1::2]  # each opening from both sides
    assert len(set(firsts)) == 10
    # The bare start, the eight first moves that are different under the rotation, a pair of moves.
    assert [record.opening for record in varied.records[0::2]] == [0, *[1] * 8, 2]
    assert all(replay(record).is_over for record in varied.records)
