"""Trade plans are legal to the end, occur once a turn, and are executed if all parties agree."""

import itertools

import numpy as np
import pytest

from meeple import kernels
from meeple.games.catan.rules import state as c
from meeple.games.catan.trade.bargaining import MAX_OFFERS_PER_TURN
from meeple.games.catan.words.deal_words import deal_words, parse_deal
from meeple.games.contract import capabilities
from meeple.games.contract.capabilities import offer_words
from tests.games.catan.playing import random_game
from tests.games.catan.positions import in_turn

TRADING = (c.MAIN, c.ANSWER, c.CHOOSE)


def positions(seeds=range(4), phase=None, **options):
    """Yield positions of random games, of a phase if one is given, in which trade is possible."""
    for seed in seeds:
        for position in random_game(seed, **options):
            if position.to_move < 0 or phase not in (None, position.state.phase):
                continue
            if capabilities.offers(position):
                yield position


@pytest.mark.slow
def test_every_plan_is_legal_and_completes_the_movers_part():
    seen = set()
    for position in itertools.islice(positions(), 150):
        mover = position.to_move
        for plan in capabilities.offers(position):
            twin = position.copy()
            for action in plan:
                assert twin.to_move == mover
                twin.play(action)  # raises if illegal
            assert twin.state.phase in (c.MAIN, c.ANSWER, c.CHOOSE)
            seen.add((int(position.state.phase), len(plan) > 1))
    assert seen == {(c.MAIN, True), (c.ANSWER, True), (c.ANSWER, False), (c.CHOOSE, False)}


def test_offers_are_all_those_of_few_cards_of_the_hand():
    position = in_turn({0: {"wood": 2, "ore": 1}, 1: {"wool": 2}})
    plans = set(capabilities.offers(position))
    give, want = (
        (lambda *rs: tuple(c.GIVE + r for r in rs)),
        (lambda *rs: tuple(c.WANT + r for r in rs)),
    )
    expected = {
        (*give(*given), *want(*wanted), c.PROPOSE)
        for given in [(c.WOOD,), (c.ORE,), (c.WOOD, c.WOOD), (c.WOOD, c.ORE)]
        for wanted in [(r,) for r in range(c.KINDS)] + [(r, r) for r in range(c.KINDS)]
        if not set(given) & set(wanted) and (len(given) == 1 or len(wanted) == 1)
    }
    assert plans == expected


def test_offers_of_a_turn_are_not_repeated_and_their_number_is_limited():
    position = in_turn({0: {"wood": 3, "ore": 3, "brick": 3}, 1: {"wool": 2}})
    made: list[tuple[int, ...]] = []
    for number in range(MAX_OFFERS_PER_TURN):
        plans = capabilities.offers(position)
        assert not set(plans) & set(made)
        made.append(plans[number])
        for action in made[-1]:
            position.play(action)
        while position.state.phase == c.ANSWER:
            position.play(c.REFUSE)
    assert position.state.phase == c.MAIN
    assert capabilities.offers(position) == []
    position.play(c.END_TURN)
    position.play(c.ROLL_DICE)
    position.play(12)
    assert position.to_move == 1
    assert capabilities.offers(position)


def test_accepted_offer_exchanges_the_cards():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 1}, 2: {"ore": 2}}, players=4)
    offer = next(p for p in capabilities.offers(position) if c.WANT + c.ORE in p and len(p) == 3)
    for partner in (1, 2):
        twin = position.copy()
        for action in capabilities.agreed(position, offer, (partner,)):
            twin.play(action)
        change = twin.state.hand.astype(int) - position.state.hand
        assert change[0, c.WOOD] == change[partner, c.ORE] == -1
        assert change[0, c.ORE] == change[partner, c.WOOD] == 1
        assert np.abs(change).sum() == 4
        assert twin.state.phase == c.MAIN


def test_accepted_counter_offer_exchanges_the_cards():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 1}, 2: {"wool": 2}, 3: {"ore": 1}}, players=4)
    offer = next(iter(capabilities.offers(position)))
    assert capabilities.partners(position, offer) == [(1,), (2,), (3,)]
    for action in (c.GIVE + c.WOOD, c.WANT + c.ORE, c.PROPOSE, c.ACCEPT):
        position.play(action)
    counter = (c.GIVE + c.WOOL, c.WANT + c.WOOD, c.PROPOSE)
    assert (position.to_move, capabilities.partners(position, counter)) == (2, [(0,)])
    assert capabilities.partners(position, (c.REFUSE,)) == []
    assert counter in capabilities.offers(position)
    twin = position.copy()
    for action in capabilities.agreed(position, counter, (0,)):
        twin.play(action)
    change = twin.state.hand.astype(int) - position.state.hand
    assert change[0, c.WOOD] == change[2, c.WOOL] == -1
    assert change[0, c.WOOL] == change[2, c.WOOD] == 1
    assert np.abs(change).sum() == 4


@pytest.mark.parametrize(
    ("phase", "deals"),
    [*[(phase, False) for phase in TRADING], (c.MAIN, True), (c.ROBBER, True), (c.CONSENT, True)],
)
@pytest.mark.slow
def test_plans_do_not_depend_on_hidden_hands(phase, deals):
    rng, compared = kernels.new_rng(3), 0
    for position in positions(range(12), phase, deals=deals):
        belief = position.game.belief(position.to_move)
        belief.follow(position)
        twin = position.copy()
        belief.sample(twin.row, rng)
        assert position.game.offers(twin) == capabilities.offers(position)
        compared += twin.row.tobytes() != position.row.tobytes()
        if compared == 6:
            break
    assert compared > 5


def test_offers_are_listed_with_the_purchase_they_enable():
    position = in_turn({0: {"wood": 2, "brick": 1, "wool": 1}, 1: {"grain": 1, "ore": 2}})
    words = {p: offer_words(position, p) for p in capabilities.offers(position)}
    told = words[c.GIVE + c.WOOD, c.WANT + c.GRAIN, c.PROPOSE]
    assert told == "1 wood for 1 grain, which pays for a settlement"
    assert words[c.GIVE + c.WOOL, c.WANT + c.ORE, c.WANT + c.ORE, c.PROPOSE] == "1 wool for 2 ore"
    for action in (c.GIVE + c.WOOD, c.WANT + c.GRAIN, c.PROPOSE):
        position.play(action)
    assert offer_words(position, (c.ACCEPT,)) == "1 grain for 1 wood"
    while position.state.phase == c.ANSWER:
        position.play(c.ACCEPT if position.to_move == 1 else c.REFUSE)
    (chosen,) = capabilities.offers(position)
    assert offer_words(position, chosen).startswith("1 wood for 1 grain, which")


# ---------------------------------------------------------------- deals


@pytest.mark.slow
def test_every_candidate_deal_is_legal_and_executed_if_all_agree():
    rng, seen = np.random.default_rng(1), set()
    for position in itertools.islice(positions(deals=True), 0, 400, 2):
        game, mover = position.game, position.to_move
        deals = [plan for plan in game.offers(position) if plan[0] >= c.DEAL_GIVE]
        for index in rng.permutation(len(deals))[:3].tolist():
            twin = position.copy()
            for action in deals[index]:
                assert twin.to_move == mover
                twin.play(action)
            assert twin.state.phase == c.CONSENT
            ((*parties,),) = game.partners(position, deals[index])
            assert parties == [seat for seat in range(4) if seat != mover and (
                twin.state.give[seat].any() or twin.state.want[seat].any()
            )]  # fmt: skip
            assert game.offer_words(position, deals[index]) == deal_words(twin.state)
            able = all((twin.state.hand[seat] >= twin.state.give[seat]).all() for seat in parties)
            clause = int(twin.state.clause)
            seen.add((int(position.state.phase), len(parties), clause >= 0))
            if able:
                *answers, last = game.agreed(position, deals[index], tuple(parties))
                for action in answers[len(deals[index]) :]:
                    twin.play(action)
                assert game.partners(twin, (c.ACCEPT,)) == []
                before = twin.copy()
                twin.play(last)
                assert twin.state.phase != c.CONSENT
                assert (before.state.hand != twin.state.hand).any()
    assert {(c.MAIN, 2, False), (c.MAIN, 1, True), (c.MAIN, 2, True), (c.ROBBER, 1, True)} <= seen


def test_first_party_of_a_deal_knows_the_next_party():
    position = in_turn({0: {"wool": 1}, 1: {"wood": 1}, 2: {"ore": 1}}, deals=True)
    text = "deal player 1 gives wool, player 2 gives wood, player 3 gives ore, player 1 gets wood, "
    text += "player 2 gets ore, player 3 gets wool"
    for action in parse_deal(position, text):
        position.play(action)
    assert capabilities.offers(position) == [(c.ACCEPT,)]
    assert capabilities.partners(position, (c.ACCEPT,)) == [(2,)]
    assert capabilities.agreed(position, (c.ACCEPT,), (2,)) == (c.ACCEPT, c.ACCEPT)


def test_refusals_of_the_movers_offers_are_counted_until_the_seat_agrees():
    position = in_turn({0: {"wood": 3, "ore": 3}, 1: {"wool": 2}, 2: {"wool": 1}})
    counted = []
    for answers in ((c.REFUSE, c.REFUSE), (c.REFUSE, c.REFUSE), (c.REFUSE, c.ACCEPT)):
        assert capabilities.refusals(position)[0] == 0
        counted.append(list(capabilities.refusals(position)[1:3]))
        for action in (c.GIVE + c.WOOD, c.WANT + c.WOOL, c.PROPOSE, *answers):
            position.play(action)
        if position.state.phase == c.CHOOSE:
            position.play(c.WITHDRAW)
    counted.append(list(capabilities.refusals(position)[1:3]))
    assert counted == [[0, 0], [1, 1], [2, 2], [3, 0]]
