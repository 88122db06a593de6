"""Groups of a gauntlet and a Swiss, for two players and for more."""

import itertools

import pytest

import meeple
from meeple.arena.games.conditions import Conditions
from meeple.arena.plan.groups import Swiss, gauntlet, round_robin, usual_rounds
from meeple.arena.tournament import Pairing, play_tournament
from meeple.errors import UsageError
from meeple.games.contract.registry import load_game_file
from tests.games import race

HEX = meeple.make("hex", size=3)


def test_first_agents_of_a_gauntlet_meet_all_others_and_no_others_meet():
    assert gauntlet(4, 2) == [(0, 1), (0, 2), (0, 3)]
    assert gauntlet(4, 2, first=2) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert gauntlet(4, 3) == [(0, 1, 2), (0, 1, 3), (0, 2, 3)]
    assert round_robin(3, 2) == [(0, 1), (0, 2), (1, 2)]
    with pytest.raises(UsageError, match="from 1 to 3"):
        gauntlet(4, 2, first=4)


def results(swiss, groups, strength):
    """Record wins of the stronger agents."""
    for group in groups:
        best = max(group, key=lambda agent: strength[agent])
        swiss.score((agent, float(agent == best)) for agent in group)


@pytest.mark.parametrize("agents", [2, 3, 4, 5, 6, 7, 8, 9, 16])
def test_pairs_of_a_swiss_do_not_repeat_and_byes_rotate(agents):
    swiss = Swiss(agents, 2, seed=1)
    strength = list(range(agents))
    met: list[tuple[int, ...]] = []
    rounds = agents - 1 + agents % 2
    for _ in range(rounds):
        groups = swiss.pair()
        assert len({agent for group in groups for agent in group}) == agents - agents % 2
        met += [tuple(sorted(group)) for group in groups]
        results(swiss, groups, strength)
    repeated = len(met) - len(set(met))  # only if few opponents are left
    assert repeated == 0 if agents < 7 else repeated <= agents // 2
    assert swiss.byes.tolist() == [agents % 2] * agents


def test_default_rounds_of_a_swiss_single_out_the_best_without_repeated_pairs():
    for agents, seed in itertools.product((4, 7, 8, 12, 16, 31), range(3)):
        swiss = Swiss(agents, 2, seed)
        met: set[tuple[int, ...]] = set()
        for _ in range(usual_rounds(agents, 2)):
            groups = swiss.pair()
            pairs = {tuple(sorted(group)) for group in groups}
            assert not met & pairs
            met |= pairs
            results(swiss, groups, range(agents))
        byes = swiss.byes[agents - 1] / 2
        assert swiss.scores[agents - 1] + byes == usual_rounds(agents, 2)
        assert swiss.scores.argmax() == agents - 1


def test_bye_counts_as_an_even_result():
    swiss = Swiss(3, 2, seed=1)
    swiss.pair()
    assert sorted(swiss.scores.tolist()) == [0, 0, 0.5]
    tables = Swiss(5, 4, seed=1)
    tables.pair()
    assert sorted(tables.scores.tolist()) == [0, 0, 0, 0, 0.25]


def test_larger_tables_group_similar_scores_with_fewest_meetings():
    swiss = Swiss(9, 3, seed=2)
    met: dict[tuple[int, ...], int] = {}
    for _ in range(3):
        groups = swiss.pair()
        assert sorted(agent for group in groups for agent in group) == list(range(9))
        assert [len(group) for group in groups] == [3, 3, 3]
        for group in groups:
            for pair in itertools.combinations(sorted(group), 2):
                met[pair] = met.get(pair, 0) + 1
        results(swiss, groups, range(9))
    assert sum(count - 1 for count in met.values()) <= 3


def test_a_gauntlet_leaves_unplayed_pairs_empty_and_larger_tables_are_filled():
    specs = ["uct:sims=50", "random", "uct:sims=2"]
    result = play_tournament(Conditions(HEX), specs, 2, Pairing("gauntlet"))
    assert result.standings.matrix_json()[1][2] is None
    dice = load_game_file(race.__file__)(goal=12)
    result = play_tournament(Conditions(dice), specs, 6, Pairing("pairs"))
    lineups = [outcome.lineup for outcome in result.outcomes]
    assert [sorted(set(lineup)) for lineup in lineups[::6]] == [[0, 1], [0, 2], [1, 2]]
    assert all(len(lineup) == 3 and len(set(lineup)) == 2 for lineup in lineups)
    assert result.uneven == 0
    pairing = Pairing("swiss", rounds=2)
    result = play_tournament(Conditions(dice), [*specs, "uct:sims=3"], 6, pairing)
    assert len(result.outcomes) == 12
    assert sorted(agent["byes"] for agent in result.to_json()["agents"]) == [0, 0, 1, 1]


def test_swiss_tournament_does_not_depend_on_workers_and_counts_byes():
    specs = [f"uct:sims={sims}" for sims in (2, 5, 10, 20)] + ["random"]
    pairing = Pairing("swiss", rounds=3)
    one, two = (
        play_tournament(Conditions(HEX, workers=workers), specs, 4, pairing) for workers in (1, 2)
    )
    assert one.standings.entries == two.standings.entries
    assert one.standings.scores == two.standings.scores
    figures = one.to_json()["agents"]
    points = [agent["score"] for agent in figures]
    assert sum(agent["byes"] for agent in figures) == 3
    assert sum(points) == pytest.approx(3 * 2 + 3 * 0.5)
    assert len(one.outcomes) == 3 * 2 * 4
    assert [points[agent] for agent in one.ranking()] == sorted(points, reverse=True)


@pytest.mark.parametrize(
    ("pairing", "said"),
    [
        (Pairing("swiss", rounds=4), "from 1 to 3 rounds"),
        (Pairing("round-robin", rounds=2), "of the format swiss"),
        (Pairing("swiss", first=2), "of the format gauntlet"),
        (Pairing("knockout"), "must be one of"),  # type: ignore[arg-type]
    ],
)
def test_unknown_format_is_refused(pairing, said):
    with pytest.raises(UsageError, match=said):
        play_tournament(Conditions(HEX), ["random", "uct:sims=1", "uct:sims=2"], pairing=pairing)
