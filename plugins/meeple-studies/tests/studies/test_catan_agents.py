"""The study of Catan: training, tournaments, resumption, and counts of results."""

import json
from dataclasses import replace

import numpy as np
import pytest

from meeple.agents.baselines import RandomAgent
from meeple.errors import CheckpointError, OptionError, RunError
from meeple.games.catan import reduced
from meeple.options import check_options
from meeple_studies import catan_agents
from meeple_studies.biased import BiasedUct
from meeple_studies.catan_agents import GAMES_FILE, STUDY
from meeple_studies.catan_games import (
    RANDOM,
    Result,
    found_of,
    lengths,
    mean_interval,
    play_many,
    shares_of,
    tournament,
    wins_of,
)
from meeple_studies.catan_players import (
    KINDS,
    LEARNERS,
    player,
    searcher,
    terms_of,
    the_game,
    untrained,
)
from meeple_studies.catan_training import train, trained
from meeple_studies.study import Effort

GAME = the_game()
SETTINGS = check_options("x", STUDY.settings, {})
QUICK = replace(terms_of(SETTINGS), simulations=3)
STEPS = replace(QUICK, schedule="step")
BY_NAME = {experiment.name: experiment for experiment in STUDY.experiments}


def ignore(done, total):
    pass


@pytest.mark.slow
def test_progress_counts_games_and_a_tournament_is_played_once(tmp_path):
    effort = Effort(pace=0.01, workers=1, folder=tmp_path, settings=SETTINGS)
    for name, games in (
        ("train-network-pruned", [1, 2]),
        ("train-network", [1, 2]),
        ("points-network-pruned", [1, 2]),
        ("points-network", []),  # stored by the previous tournament
        ("points-random", []),
    ):
        done: list[int] = []

        def progress(games: int, total: int, done: list[int] = done) -> None:
            done.append(games)

        BY_NAME[name].run(effort, 2, progress)
        assert done == games


def test_missing_trained_network_is_reported(tmp_path):
    effort = Effort(pace=0.01, folder=tmp_path, settings=SETTINGS)
    with pytest.raises(RunError, match="run the experiment train-network first"):
        BY_NAME["random-network"].run(effort, 1, ignore)


# ---------------------------------------------------------------- training


def arrays(training):
    return [training.network.weights, training.velocity]


@pytest.mark.slow
@pytest.mark.parametrize("terms", [QUICK, STEPS, replace(QUICK, hidden=(4, 3))])
def test_resumed_training_gives_the_same_network(tmp_path, terms):
    kind, seen = LEARNERS[0], []
    whole = train(kind, GAME, tmp_path / "whole", 4, terms, 7, lambda done, _: seen.append(done))
    assert seen == [1, 2, 3, 4]
    train(kind, GAME, tmp_path / "parts", 2, terms, 7, ignore)
    parts = train(kind, GAME, tmp_path / "parts", 4, terms, 7, ignore)
    assert (parts.before, len(parts.after)) == (whole.before, 4)
    assert np.array_equal(parts.after, whole.after, equal_nan=True)
    assert np.isnan(whole.after[0].validation) == (terms.schedule == "step")
    assert all(np.array_equal(a, b) for a, b in zip(arrays(whole), arrays(parts), strict=True))
    kept = trained(tmp_path / "whole")
    assert all(np.array_equal(a, b) for a, b in zip(arrays(whole), arrays(kept), strict=True))


@pytest.mark.slow
def test_ctrl_c_keeps_the_games_used_for_training(tmp_path):
    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(LEARNERS[1], GAME, tmp_path / "net", 9, QUICK, 7, stop)
    assert trained(tmp_path / "net").games == 3


@pytest.mark.slow
def test_other_settings_restart_training_and_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "net"
    train(LEARNERS[0], GAME, path, 3, QUICK, 7, ignore)
    assert train(LEARNERS[0], GAME, path, 1, QUICK, 8, ignore).games == 1
    assert train(LEARNERS[0], GAME, path, 2, replace(QUICK, d=1.0), 8, ignore).games == 2
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(CheckpointError, match="net"):
        train(LEARNERS[0], GAME, path, 3, QUICK, 8, ignore)


def test_inputs_of_the_network_are_within_0_and_1():
    network, position = untrained(1, QUICK), GAME.start(2)
    agent = player(KINDS[-1], GAME, QUICK, {})
    agent.begin(3)
    seen = []
    while not position.is_over:
        if position.to_move < 0:
            position.play_chance()
        else:
            position.play(agent.choose(position))
        seen.append(position.observation(0) * network.scale)
    assert np.min(seen) == 0
    assert np.max(seen) <= 1
    assert network.widths.tolist() == [reduced.OBSERVATION_LENGTH, 20, 4]


# ---------------------------------------------------------------- games

RESULTS = [
    Result((0, 1, 2, 3), (0.4, 0.3, 0.2, 0.1), 300, 80),
    Result((4, 0, 1, 2), (0.1, 0.2, 0.5, 0.2), 200, 60),
    Result((2, 3, 4, 0), (0.35, 0.2, 0.1, 0.35), 600, 90),
    Result((3, 4, 1, 2), (0.4, 0.2, 0.2, 0.2), 400, 70),
    Result((3, 0, 1, 2), (0.4, 0.2, 0.2, 0.2), 100, 50),
]


def test_lengths_of_games_are_grouped_by_winner():
    assert lengths(RESULTS, 3) == {"games won": 2, "actions": 250, "turns": 60}
    assert lengths(RESULTS, 2) == {"games won": 0}


def test_shares_and_wins_are_counted_by_seat():
    assert shares_of(RESULTS, 0).tolist() == [0.4, 0.2, 0.35, 0.2]
    assert [wins_of(RESULTS, who) for who in range(5)] == [
        1,
        1,
        0,
        2,
        0,
    ]  # a tie counts for no agent
    found = found_of(RESULTS[:4], 0)
    assert found.share == pytest.approx(0.95 / 3)
    assert (found.count, found.detail[:19]) == (3, "1 of 3 games won: 6")


def test_interval_of_a_mean_is_the_normal_one():
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    low, high = mean_interval(shares)
    assert (low + high) / 2 == pytest.approx(0.25)
    assert high - low == pytest.approx(2 * 1.96 * 0.129099 / 2, abs=1e-4)
    assert mean_interval(shares[:1]) == (0, 1)


@pytest.mark.slow
def test_games_do_not_depend_on_the_number_of_workers():
    def seat(number):
        return range(4), [RandomAgent() for _ in range(4)]

    one, two = (list(play_many(GAME, seat, RANDOM, range(6), 7, workers)) for workers in (1, 2))
    assert one == two
    assert len({result.shares for result in one}) > 1


def test_game_is_aborted_at_its_limit_of_actions():
    def seat(number):
        return range(4), [RandomAgent() for _ in range(4)]

    def ended(limit):
        return [bool(r.shares) for r in play_many(GAME, seat, RANDOM, range(3), 7, 1, limit)]

    assert ended(100_000) == [True, True, True]
    assert ended(20) == [False, False, False]


def random_tournament(path, games, terms=None, done=None):
    return tournament(
        GAME, {}, QUICK, terms or {"seed": 7}, path, games, seed=7, workers=1,
        progress=lambda count, total: done.append(count) if done is not None else None,
    )  # fmt: skip


@pytest.mark.slow
def test_tournament_resumes_and_seats_all_agents_equally_often(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "meeple_studies.catan_games.player", lambda kind, game, terms, nets: RandomAgent()
    )
    path = tmp_path / GAMES_FILE
    done: list[int] = []
    first = random_tournament(path, 20)
    results = random_tournament(path, 40, done=done)
    assert results[:20] == first
    assert done == list(range(21, 41))
    for seat in range(4):
        sat = [result.lineup[seat] for result in results]
        assert [sat.count(who) for who in range(5)] == [8] * 5
    assert random_tournament(path, 40) == results
    assert len(random_tournament(path, 2, terms={"seed": 8})) == 2
    assert json.loads(path.read_text())["terms"] == {"seed": 8}
    path.write_text("[]")
    with pytest.raises(RunError, match="holds no games of the tournament"):
        random_tournament(path, 2)


def test_one_agent_against_three_takes_each_seat_in_turn():
    first, others = RandomAgent(), [RandomAgent() for _ in range(3)]
    for number in range(8):
        lineup, seats = catan_agents.one_of_four(number, first, others)
        assert seats.index(first) == number % 4 == list(lineup).index(0)
        assert [agent for agent in seats if agent is not first] == others


def test_quick_pace_uses_fewer_simulations():
    assert terms_of(SETTINGS).simulations == 300
    assert terms_of({**SETTINGS, "sims": 100}).simulations == 100
    assert [terms_of(SETTINGS, pace).simulations for pace in (0.02, 1e-6)] == [6, 2]


def test_settings_reach_agents_networks_and_the_game():
    settings = check_options("x", STUDY.settings, {"hidden": "7,5", "c": "2", "limit": 50})
    terms = terms_of(settings)
    agent = searcher(KINDS[0], the_game(terms.limit), terms, untrained(1, terms))
    assert isinstance(agent.search.rule, BiasedUct)
    assert agent.search.rule.settings.network.widths.tolist() == [160, 7, 5, 4]
    assert agent.search.rule.settings.c == 2 / 4  # scaled to shares: v + 3 h, divided by 4
    assert the_game(terms.limit).options["max_actions"] == 50
    bias = searcher(KINDS[0], GAME, replace(terms, heuristic="bias"))
    assert isinstance(bias.search.rule, BiasedUct)
    assert (bias.search.rule.settings.c, bias.search.rule.settings.bias) == (2, 3)
    with pytest.raises(OptionError, match="hidden must be at most 4 whole numbers"):
        check_options("x", STUDY.settings, {"hidden": "1,2,3,4,5"})
