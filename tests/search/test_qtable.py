"""The Q-table collects statistics of trees, drops positions by a rule, and warm starts searches."""

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.games.contract.registry import make
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.tree import ROOT
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.qtable import table as qtable
from meeple.search.qtable.collect import Collector
from meeple.search.qtable.table import Edges, QTable, key_of, merged, most_visited
from meeple.search.qtable.warm_start import WarmStart
from tests.games.race import Race
from tests.search.growing import collected, learned

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
    [added] = collected(search, position)
    expected = walked(search, position, qtable.MIN_VISITS)
    found = as_dict(added)
    assert list(found) == sorted(expected)
    assert len(found) > 20
    for pair, (visits, value) in found.items():
        assert visits == expected[pair][0]
        assert value == pytest.approx(expected[pair][1], abs=1e-6)


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


def warm(table, simulations, position=None, seed=1, threads=1, trust=qtable.TRUST, **options):
    """Return the result of a search that starts with the statistics of a table."""
    rule = OpenUct(table.game, UctSettings(**options), threads=threads)
    search = TreeSearch(rule, phases=[WarmStart(table, trust)], seed=seed)
    return search.run(position or table.game.start(), simulations)


@pytest.mark.parametrize("transpositions", [False, True])
def test_a_search_starts_with_the_statistics_of_the_table(transpositions):
    for action in (0, 7, 15):
        result = warm(opinion(HEX4.start(), action), 2, transpositions=transpositions)
        assert result.best == action
        at = result.actions.tolist().index(action)
        assert result.visits[at] >= 300
        assert result.values[at, 0] > 0.98
        assert result.simulations == 2


def test_trust_limits_the_visits_from_the_table_of_all_threads_together():
    table = opinion(HEX4.start(), 3)
    visits = warm(table, 2, trust=115).visits
    assert visits.sum() == pytest.approx(115 + 2, abs=16)
    assert visits[3] == pytest.approx(115 * 400 / 1150, abs=3)
    assert warm(table, 2, trust=10**9).visits.sum() == 1150 + 2
    both = warm(table, 4, trust=400, threads=2)
    assert both.best == 3
    assert both.visits.sum() == pytest.approx(400, abs=40)


def test_all_positions_of_the_table_below_the_root_are_used():
    position = HEX4.start()
    key = int(key_of(position))
    position.play(5)
    below = int(key_of(position))
    lines = [edges((key, 5, 500, 0.9)), edges((below, 2, 300, 0.8), (below, 9, 100, 1.0))]
    assert warm(QTable(HEX4, merged(lines)), 1).principal_variation[:2] == [5, 2]


def test_an_empty_table_changes_nothing():
    cold = TreeSearch(OpenUct(REVERSI), seed=5).run(REVERSI.start(), 300)
    result = warm(QTable(REVERSI), 300, seed=5)
    assert cold.visits.tolist() == result.visits.tolist()
    assert np.array_equal(cold.values, result.values)


def test_statistics_from_the_table_are_not_collected_again():
    position = REVERSI.start()
    table, _ = learned(REVERSI, 500)
    again = TreeSearch(OpenUct(REVERSI), phases=[WarmStart(table), Collector()], seed=3)
    again.run(position, 200)
    table.add(collected(again, position), 1)
    total = table.at(position).visits.sum()
    assert 695 <= total <= 700  # the first simulation of a cold search finds no action yet


def test_tree_with_more_visits_than_the_table_is_kept():
    small, position = learned(REVERSI, 100)[0], REVERSI.start()
    longer = TreeSearch(OpenUct(REVERSI), phases=[WarmStart(small)], seed=2)
    before = longer.run(position, 1000).visits.sum()
    assert longer.run(position, 10).visits.sum() == before + 10


@pytest.mark.parametrize(
    "game", [make("hex", size=3), LEDGE, make("nim", stones=12)], ids=lambda game: game.name
)
def test_proven_results_stay_exact(game):
    table, cold = learned(game, 200_000)
    result = warm(table, 200_000, seed=9)
    assert cold.proven
    assert result.proven
    assert result.value == pytest.approx(cold.value)


def test_warm_starts_support_chance_and_three_players():
    position = Race(goal=20).start(seed=1)
    while position.to_move < 0:
        position.play_chance()
    table, _ = learned(position.game, 3000, position)
    assert table.positions > 5
    assert table.edges.value.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert warm(table, 100, position, seed=2).visits.sum() > 600


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (
            lambda: TreeSearch(OpenUct(HEX4), phases=[WarmStart(QTable(REVERSI))]),
            r"search of .*hex.* cannot use a Q-table of .*reversi",
        ),
        (lambda: WarmStart(QTable(HEX4), 0), "trust must be at least 1, not 0"),
        *(
            (lambda capacity=capacity: QTable(REVERSI, capacity=capacity), "must be from 1 to 500")
            for capacity in (0, -1, qtable.MAX_CAPACITY + 1)
        ),
    ],
)
def test_a_table_of_another_game_and_numbers_out_of_range_are_refused(work, said):
    with pytest.raises(UsageError, match=said):
        work()
