"""The Q-table collects statistics of trees, drops positions by a rule, and warm starts searches."""

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.tree import ROOT
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.qtable import table as qtable
from meeple.search.qtable.collect import Collector
from meeple.search.qtable.table import Edges, QTable, key_of, merged, most_visited
from meeple.search.qtable.warm_start import WarmStart
from tests.cli import pig
from tests.search.growing import collected

REVERSI = make("reversi", size=6)
HEX4 = make("hex", size=4)
LEDGE = make("ledge")


def edges(*lines, players=2):
    """Return statistics from lines of (position, action, visits, value of the first seat)."""
    position, action, visits, value = zip(*lines, strict=True) if lines else ((), (), (), ())
    first = np.array(value, np.float32)
    rest = [(1 - first) / (players - 1)] * (players - 1)
    return Edges(
        np.array(position, np.uint64),
        np.array(action, np.int32),
        np.array(visits, np.int64),
        np.stack([first, *rest], axis=1),
    )


def as_dict(found):
    """Return a dictionary (position, action) -> (visits, [values])."""
    pairs = zip(found.position.tolist(), found.action.tolist(), strict=True)
    return {
        pair: (int(visits), value.tolist())
        for pair, visits, value in zip(pairs, found.visits, found.value, strict=True)
    }


def walked(search, position, least):
    """Return the statistics of a search without a table, by a plain walk through its tree."""
    found: dict[tuple[int, int], tuple[int, list[float]]] = {}
    tree = search.rule.trees[0]

    def visit(node, here):
        number = int(tree.nodes["block"][node])
        if number == 0 or tree.blocks["visits"][number] < least:
            return
        for child in tree.children(node).tolist():
            if tree.visits[child] == 0:
                continue
            key, action = int(key_of(here)), int(tree.action[child])
            value = (tree.value_sum[child] / tree.visits[child]).tolist()
            found[key, action] = (int(tree.visits[child]), value)
            after = here.copy()
            after.play(action)
            visit(child, after)

    visit(ROOT, position)
    return found


@pytest.mark.parametrize("game", [REVERSI, HEX4, LEDGE], ids=lambda game: game.name)
def test_statistics_are_those_of_a_plain_walk_through_the_tree(game):
    position = game.start()
    search = TreeSearch(OpenUct(game), phases=[Collector()], seed=4)
    search.run(position, 400)
    [learned] = collected(search, position)
    expected = walked(search, position, qtable.MIN_VISITS)
    found = as_dict(learned)
    assert found.keys() == expected.keys()
    assert len(found) > 20
    for pair, (visits, value) in found.items():
        assert visits == expected[pair][0]
        assert value == pytest.approx(expected[pair][1], abs=1e-6)


def test_statistics_are_sorted_with_unique_pairs():
    search = TreeSearch(OpenUct(REVERSI), phases=[Collector()])
    search.run(REVERSI.start(), 2000)
    [found] = collected(search, REVERSI.start())
    pairs = list(zip(found.position.tolist(), found.action.tolist(), strict=True))
    assert pairs == sorted(set(pairs))


def test_merging_adds_visits_and_averages_values():
    rng = np.random.default_rng(1)
    parts: list[Edges] = []
    expected: dict[tuple[int, int], tuple[int, float]] = {}
    for _ in range(5):
        lines = {}
        for _ in range(200):
            position, action = (int(word) for word in rng.integers(0, 20, 2))
            lines[position, action] = (int(rng.integers(1, 50)), float(rng.random(dtype="f4")))
        for pair, (visits, value) in lines.items():
            before, total = expected.get(pair, (0, 0.0))
            expected[pair] = (before + visits, total + visits * value)
        parts.append(edges(*((*pair, *line) for pair, line in lines.items())))
    found = as_dict(merged(parts))
    assert list(found) == sorted(expected)
    for pair, (visits, total) in expected.items():
        assert found[pair][0] == visits
        assert found[pair][1][0] == pytest.approx(total / visits, abs=1e-6)


def test_beyond_the_capacity_whole_positions_with_the_fewest_visits_are_dropped():
    kept = most_visited(
        edges((1, 0, 5, 0.5), (1, 1, 5, 0.5), (2, 0, 11, 0.5), (3, 0, 30, 0.5), (3, 4, 1, 0.5)), 3
    )
    assert set(kept.position.tolist()) == {2, 3}
    table = QTable(REVERSI, capacity=3)
    table.add([edges((7, 0, 1, 0.5)), edges((8, 0, 2, 0.5), (8, 1, 2, 0.5), (9, 0, 9, 0.5))], 1)
    assert set(table.edges.position.tolist()) == {8, 9}
    assert (len(table), table.positions, table.games) == (3, 2, 1)


# ---------------------------------------------------------------- warm starts


def opinion(position, best):
    """Return a table in which one action of a position wins and all others lose."""
    lines = [
        (int(key_of(position)), int(action), 400 if action == best else 50, float(action == best))
        for action in position.legal_actions()
    ]
    return QTable(position.game, edges(*lines))


@pytest.mark.parametrize("transpositions", [False, True])
def test_a_search_starts_with_the_statistics_of_the_table(transpositions):
    position = HEX4.start()
    for action in (0, 7, 15):
        table = opinion(position, action)
        warm = TreeSearch(
            OpenUct(HEX4, UctSettings(transpositions=transpositions)),
            phases=[WarmStart(table)],
            seed=1,
        )
        result = warm.run(position, 2)
        assert result.best == action
        at = result.actions.tolist().index(action)
        assert result.visits[at] >= 300
        assert result.values[at, 0] > 0.98
        assert result.simulations == 2


def test_trust_limits_the_visits_from_the_table():
    position = HEX4.start()
    table = opinion(position, 3)
    visits = TreeSearch(OpenUct(HEX4), phases=[WarmStart(table, 115)]).run(position, 2).visits
    assert visits.sum() == pytest.approx(115 + 2, abs=16)
    assert visits[3] == pytest.approx(115 * 400 / 1150, abs=3)
    alone = TreeSearch(OpenUct(HEX4), phases=[WarmStart(table, 10**9)]).run(position, 2).visits
    assert alone.sum() == 1150 + 2


def test_all_positions_of_the_table_below_the_root_are_used():
    position = HEX4.start()
    after = position.copy()
    after.play(5)
    key, deeper = int(key_of(position)), int(key_of(after))
    table = QTable(
        HEX4,
        merged([edges((key, 5, 500, 0.9)), edges((deeper, 2, 300, 0.8), (deeper, 9, 100, 1.0))]),
    )
    assert TreeSearch(OpenUct(HEX4), phases=[WarmStart(table)]).run(
        position, 1
    ).principal_variation[:2] == [5, 2]


def test_an_empty_table_changes_nothing():
    position = REVERSI.start()
    cold = TreeSearch(OpenUct(REVERSI), seed=5).run(position, 300)
    warm = TreeSearch(OpenUct(REVERSI), phases=[WarmStart(QTable(REVERSI))], seed=5).run(
        position, 300
    )
    assert cold.visits.tolist() == warm.visits.tolist()
    assert np.array_equal(cold.values, warm.values)


def test_statistics_from_the_table_are_not_collected_again():
    position = REVERSI.start()
    search = TreeSearch(OpenUct(REVERSI), phases=[Collector()], seed=2)
    search.run(position, 500)
    table = QTable(REVERSI)
    table.add(collected(search, position), 1)
    again = TreeSearch(OpenUct(REVERSI), phases=[WarmStart(table), Collector()], seed=3)
    again.run(position, 200)
    table.add(collected(again, position), 1)
    total = table.at(position).visits.sum()
    assert 695 <= total <= 700  # the first simulation of a cold search finds no action yet


def test_tree_with_more_visits_than_the_table_is_kept():
    position = REVERSI.start()
    search = TreeSearch(OpenUct(REVERSI), phases=[Collector()], seed=2)
    search.run(position, 100)
    small = QTable(REVERSI)
    small.add(collected(search, position), 1)
    longer = TreeSearch(OpenUct(REVERSI), phases=[WarmStart(small)], seed=2)
    before = longer.run(position, 1000).visits.sum()
    assert longer.run(position, 10).visits.sum() == before + 10


def test_two_threads_start_with_the_visits_of_one():
    position = HEX4.start()
    search = TreeSearch(OpenUct(HEX4, threads=2), phases=[WarmStart(opinion(position, 9), 400)])
    result = search.run(position, 4)
    assert result.best == 9
    assert result.visits.sum() == pytest.approx(400, abs=40)


@pytest.mark.parametrize(
    "game", [make("hex", size=3), LEDGE, make("nim", stones=12)], ids=lambda game: game.name
)
def test_proven_results_stay_exact(game):
    position = game.start()
    search = TreeSearch(OpenUct(game), phases=[Collector()], seed=1)
    proven = search.run(position, 200_000)
    assert proven.proven
    table = QTable(game)
    table.add(collected(search, position), 1)
    warm = TreeSearch(OpenUct(game), phases=[WarmStart(table)], seed=9).run(position, 200_000)
    assert warm.proven
    assert warm.value == pytest.approx(proven.value)


def test_warm_starts_support_chance_and_three_players():
    game: Game = pig.Pig(goal=20)
    position = game.start(seed=1)
    while position.to_move < 0:
        position.play_chance()
    search = TreeSearch(OpenUct(game), phases=[Collector()], seed=1)
    search.run(position, 3000)
    table = QTable(game)
    table.add(collected(search, position), 1)
    assert table.positions > 5
    assert table.edges.value.sum(axis=1) == pytest.approx(1, abs=1e-5)
    warm = TreeSearch(OpenUct(game), phases=[WarmStart(table)], seed=2).run(position, 100)
    assert warm.visits.sum() > 600


# ---------------------------------------------------------------- refusals


def test_a_table_of_another_game_is_refused():
    with pytest.raises(UsageError, match=r"search of .*hex.* cannot use a Q-table of .*reversi"):
        TreeSearch(OpenUct(HEX4), phases=[WarmStart(QTable(REVERSI))])


def test_a_game_of_hidden_information_has_no_table(monkeypatch):
    monkeypatch.setattr(type(REVERSI), "hides", True)
    with pytest.raises(UsageError, match="hides information"):
        QTable(REVERSI)


@pytest.mark.parametrize("capacity", [0, -1, qtable.MAX_CAPACITY + 1])
def test_a_capacity_out_of_range_is_refused(capacity):
    with pytest.raises(UsageError, match="capacity must be from 1 to 50000000"):
        QTable(REVERSI, capacity=capacity)


def test_trust_of_zero_is_refused():
    with pytest.raises(UsageError, match="trust must be at least 1, not 0"):
        TreeSearch(OpenUct(HEX4), phases=[WarmStart(QTable(HEX4), 0)])
