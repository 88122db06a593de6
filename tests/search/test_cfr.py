"""CFR+ finds known equilibria, and exploitability agrees with OpenSpiel."""

from pathlib import Path

import numpy as np
import pytest

import meeple
from meeple.errors import TooLarge, UsageError
from meeple.games.contract.registry import load_game_file
from meeple.search.exact.cfr import (
    best_answer,
    expected_payoffs,
    exploitability,
    matched,
    solve_by_cfr,
)
from meeple.search.exact.information_tree import information_tree
from tests.search.kuhn import BET, PASS, Kuhn
from tests.search.pennies import Pennies
from tests.search.toys import Paper

LEDUC = Path(__file__).resolve().parents[2] / "examples" / "leduc.py"
CHIPS = {"kuhn": 4, "leduc": 26}  # chips in a share of 1


@pytest.fixture(scope="module")
def kuhn():
    return information_tree(Kuhn())


@pytest.fixture(scope="module")
def leduc():
    load_game_file(str(LEDUC))
    return information_tree(meeple.make("leduc"))


def uniform(tree):
    return matched(tree, np.zeros(len(tree.sets.action)))


def chips(tree, share):
    return CHIPS[tree.game.name] * (share - 0.5)


def set_of(tree, *actions):
    """Return the number of the mover's information set after these actions and outcomes."""
    position = tree.game.start()
    for action in actions:
        position.play(action)
    return tree.number_of(position)


def chance_of(found, number, action):
    sets = found.tree.sets
    slots = range(sets.first[number], sets.first[number + 1])
    return sum(found.strategy[slot] for slot in slots if sets.action[slot] == action)


def test_trees_have_their_known_sizes(kuhn, leduc):
    assert kuhn.sets.number == 12
    assert leduc.sets.number == 288
    assert len(kuhn.mover) == 1 + 3 + 6 + 6 * 8


def test_value_of_kuhn_poker_is_the_known_one(kuhn):
    found = solve_by_cfr(kuhn)
    assert chips(kuhn, found.payoffs[0]) == pytest.approx(-1 / 18, abs=1e-3)
    assert found.exploitability < 1e-4
    assert found.payoffs.sum() == pytest.approx(1.0)


@pytest.mark.slow
def test_strategy_of_kuhn_poker_is_an_equilibrium(kuhn):
    """Seat 1 has one equilibrium strategy, seat 0 a family: the king bets three times the jack."""
    found = solve_by_cfr(kuhn, precision=1e-5)

    def bets(*actions):
        """Return the chances of a bet with each card of the seat that moves after the actions."""
        deals = [(card, (card + 1) % 3) for card in range(3)]
        if len(actions) == 1:
            deals = [(theirs, own) for own, theirs in deals]
        return [chance_of(found, set_of(kuhn, *deal, *actions), BET) for deal in deals]

    jack, queen, king = bets()
    assert queen == pytest.approx(0.0, abs=0.02)
    assert king - 3 * jack == pytest.approx(0.0, abs=0.05)
    assert bets(BET) == pytest.approx([0.0, 1 / 3, 1.0], abs=0.02)
    assert bets(PASS) == pytest.approx([1 / 3, 0.0, 1.0], abs=0.02)


@pytest.mark.slow
def test_value_of_leduc_poker_is_the_known_one(leduc):
    found = solve_by_cfr(leduc, precision=2e-5)
    assert chips(leduc, found.payoffs[0]) == pytest.approx(-0.0856, abs=1e-3)


@pytest.mark.nightly("CFR+ finds the published value of Liar's Dice")
def test_value_of_liars_dice_with_one_die_each_and_no_wild_face_is_the_known_one():
    dice = load_game_file(LEDUC.with_name("liars_dice.py"))
    found = solve_by_cfr(information_tree(dice(wild=False), limit=300_000), precision=3e-3)
    assert found.payoffs[0] == pytest.approx(0.4445, abs=1e-3)


@pytest.mark.slow
def test_exploitability_of_the_uniform_strategy_agrees_with_openspiel(kuhn, leduc):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability as theirs

    for tree, name in ((kuhn, "kuhn_poker"), (leduc, "leduc_poker")):
        game = pyspiel.load_game(name)
        outside = theirs.exploitability(game, policy.UniformRandomPolicy(game))
        ours = exploitability(tree, uniform(tree))
        assert CHIPS[tree.game.name] * ours == pytest.approx(outside, abs=1e-6), name


def test_no_strategy_exceeds_the_best_response(kuhn):
    """Try all pure strategies of seat 0 against a uniform opponent."""
    strategy, best = uniform(kuhn), 0.0
    mine = np.flatnonzero(kuhn.sets.mover == 0)
    for choice in range(2 ** len(mine)):
        tried = strategy.copy()
        for bit, number in enumerate(mine.tolist()):
            first = kuhn.sets.first[number]
            bets = choice >> bit & 1
            tried[first], tried[first + 1] = 1 - bets, bets
        best = max(best, expected_payoffs(kuhn, tried)[0])
    assert best_answer(kuhn, strategy, 0)[1] == pytest.approx(best)


def test_games_that_cannot_be_solved_are_refused_in_a_sentence(kuhn):
    with pytest.raises(TooLarge, match="more than 20 nodes"):
        information_tree(Kuhn(), limit=20)
    with pytest.raises(TooLarge, match="2 players"):
        solve_by_cfr(information_tree(Paper()))
    with pytest.raises(TooLarge, match="drawn from its seed"):
        information_tree(meeple.make("catan"), limit=20)
    with pytest.raises(UsageError, match="not of the game"):
        kuhn.number_of(meeple.make("nim", stones=9).start())


def test_seats_with_equal_observations_have_different_keys():
    tree = information_tree(Pennies())
    assert tree.sets.mover.tolist() == [0, 1]
    found = solve_by_cfr(tree, precision=1e-4)
    assert found.payoffs == pytest.approx([0.5, 0.5], abs=1e-3)
    assert found.strategy == pytest.approx(0.5, abs=1e-2)
