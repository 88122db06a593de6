"""A lenient choice gives away shares with the chances of its formula; see `search/lenient.py`."""

import numpy as np
import pytest

import meeple
from meeple.errors import SpecError
from meeple.search.lenient import draw_lenient, with_lenient_choice
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import MinimaxSettings
from meeple.search.minimax.expectimax import Expectimax
from meeple.search.minimax.greedy import GreedySearch
from meeple.search.result import SearchResult
from tests.search.wood import Wood, worths

DRAWS = 4000


def chances(shares, loss):
    """Return the probabilities [n] of a lenient choice among shares [n]."""
    weights = np.array([np.exp(-(max(shares) - share) / loss) for share in shares])
    return weights / weights.sum()


def assert_drawn(counts, expected):
    """Assert that counts [n] are within four standard deviations of probabilities [n]."""
    total, expected = sum(counts), np.asarray(expected)
    deviation = np.sqrt(total * expected * (1 - expected))
    np.testing.assert_array_less(np.abs(counts - total * expected), 4 * deviation + 1e-9)


@pytest.mark.parametrize("loss", [0.05, 0.2, 1.0])
def test_draw_follows_the_formula(loss):
    shares, rng = np.array([0.5, 0.6, 0.35]), np.random.default_rng(1)
    drawn = [draw_lenient(shares, loss, rng) for _ in range(DRAWS)]
    assert_drawn(np.bincount(drawn, minlength=3), chances(shares, loss))


def test_no_loss_draws_nothing_and_a_certain_win_is_not_given_away():
    rng = np.random.default_rng(1)
    state = rng.bit_generator.state
    assert draw_lenient(np.array([0.2, 0.4, 0.4]), 0.0, rng) == 1
    assert draw_lenient(np.array([0.9, 1.0]), 10.0, rng) == 1
    assert rng.bit_generator.state == state


def result(shares, visits, best):
    values = np.array([[share, 1 - share] for share in shares])
    return SearchResult(
        actions=np.arange(len(shares), dtype=np.int32),
        visits=np.array(visits),
        values=values,
        priors=np.zeros(len(shares), dtype=np.float32),
        value=values[best],
        best=best,
        proven=False,
        principal_variation=[best],
        simulations=sum(visits),
        seconds=0.0,
    )


@pytest.mark.slow
def test_choice_of_a_tree_search_is_among_visited_actions_and_capped_at_its_best():
    rng, counts = np.random.default_rng(2), np.zeros(4)
    searched = result([0.6, 0.9, 0.4, np.nan], [50, 3, 20, 0], best=0)
    for _ in range(DRAWS):
        found = with_lenient_choice(searched, 0, 0.2, rng)
        counts[found.best] += 1
        assert found.principal_variation == [found.best]
        np.testing.assert_array_equal(found.values, searched.values)
        np.testing.assert_array_equal(found.visits, searched.visits)
    assert_drawn(counts[:3], chances([0.6, 0.6, 0.4], 0.2))
    assert counts[3] == 0


def undecided(depth):
    """Return a position without certain results, and the mover's share after each action."""
    for seed in range(100):
        position = Wood(seed=seed, length=20).start()
        shares = {
            action: float(found[0][position.to_move])
            for action, found in worths(position, depth).items()
        }
        if len(shares) > 2 and all(0.05 < share < 0.95 for share in shares.values()):
            return position, shares
    raise AssertionError("every position has a certain result")


@pytest.mark.parametrize("search", [AlphaBeta, Expectimax])
@pytest.mark.parametrize(("depth", "loss"), [(1, 0.1), (3, 0.1), (3, 1.0)])
def test_lookahead_chooses_by_the_formula_and_shows_true_values(search, depth, loss):
    position, shares = undecided(depth)
    counts = dict.fromkeys(shares, 0)
    lenient = search(position.game, MinimaxSettings(loss=loss), seed=1)
    for seed in range(DRAWS // 4):
        lenient.begin(seed)
        found = lenient.run(position, depth)
        counts[found.best] += 1
        for action, values in zip(found.actions.tolist(), found.values, strict=True):
            value = values[position.to_move]
            assert np.isnan(value) or abs(value - shares[action]) < 1e-6
    assert_drawn(np.array(list(counts.values())), chances(list(shares.values()), loss))


def test_greedy_choice_follows_the_formula():
    game = meeple.make("reversi")
    position = game.start()
    for name in ("d3", "c3"):
        position.play(position.parse_action(name))
    search = GreedySearch(game, loss=0.02, seed=1)
    counts: dict[int, int] = {}
    actions, shares = search.evaluate(position)
    for _ in range(DRAWS // 2):
        chosen = search.best(position)
        counts[chosen] = counts.get(chosen, 0) + 1
    drawn = np.array([counts.get(action, 0) for action in actions.tolist()])
    assert_drawn(drawn, chances(shares, 0.02))


@pytest.mark.parametrize("search", [AlphaBeta, Expectimax])
def test_lookahead_never_gives_away_a_proven_win_nor_chooses_a_proven_loss(search):
    certain = 0
    for seed in range(24):
        position = Wood(seed=seed, length=5).start()
        seat, exact = position.to_move, worths(position, 5)
        shares = {action: float(found[0][seat]) for action, found in exact.items()}
        lenient = search(position.game, MinimaxSettings(loss=0.3), seed=seed)
        best = shares[lenient.run(position, 5).best]
        certain += max(shares.values()) == 1 or min(shares.values()) == 0 < max(shares.values())
        assert best == 1 or max(shares.values()) < 1
        assert best > 0 or max(shares.values()) == 0
    assert certain > 3


@pytest.mark.parametrize(
    "spec", ["uct:sims=50,loss=0.3", "minimax:depth=2,loss=0.3", "greedy:loss=0.3"]
)
def test_equal_seeds_choose_equally_and_a_loss_is_given_away(spec):
    game = meeple.make("reversi")
    position, chosen = game.start(), []
    for seed in (1, 1, 2, 3, 4, 5, 6):
        agent = meeple.agent(spec, game, seed=seed)
        twin = position.copy()
        for _ in range(8):
            twin.play(agent.choose(twin))
        chosen.append(twin.actions)
    assert chosen[0] == chosen[1]
    assert len(set(chosen)) > 4


@pytest.mark.parametrize("spec", ["uct:sims=9,loss=-1", "greedy:loss=11", "policy:hex7,loss=1"])
def test_loss_must_be_a_scale_and_belong_to_an_agent_with_values(spec):
    with pytest.raises(SpecError):
        meeple.agent(spec, meeple.make("hex", size=7))
