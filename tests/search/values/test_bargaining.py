"""Trade by a value network: the greatest gain, fairness, and no hidden information."""

import itertools
import math
import re

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.spec import agent
from meeple.agents.states import StatesAgent
from meeple.errors import CheckpointError, SpecError, UsageError
from meeple.games.catan.features import Features
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.contract import capabilities
from meeple.games.contract.capabilities import Answer
from meeple.search.values.acceptance import Acceptance, Terms
from meeple.search.values.bargaining import RULES, expected, maximin
from meeple.search.values.file import ACCEPTANCE, KIND, compiled
from meeple.search.values.network import ValueNetwork, Widths, untrained
from meeple.search.values.states import MIN_TRADE_GAIN, StatesSearch
from meeple.tensor_file import SavedWeights
from tests.games.catan.playing import random_game
from tests.search.values.test_states import after, network_value
from tests.tiers import few_quick

WEIGHTS = untrained(Features, Widths(), 5)
WEIGHTS["last_weights"] *= 40  # so that trades change values noticeably


AGREE = Acceptance(-1.0, 1.0, 0.1)


def search(game, **options):
    return StatesSearch(game, ValueNetwork(WEIGHTS, Features, game.players, AGREE), **options)


def worst_ranks(candidates):
    """Return the worst rank of each candidate among its parties, by sorting."""
    found = []
    for parties in candidates:
        ranks = []
        for who, gain in parties.items():
            own = sorted((other[who] for other in candidates if who in other), reverse=True)
            ranks.append(own.index(gain))
        found.append(max(ranks))
    return found


def test_the_maximin_rule_takes_the_trade_whose_worst_rank_is_best():
    assert maximin(0, []) is None
    # The mover prefers the first, the partner the last; the second is second best for both.
    assert maximin(0, [{0: 0.3, 1: 0.1}, {0: 0.2, 1: 0.2}, {0: 0.1, 1: 0.3}]) == 1
    # Each partner ranks only its own trades: the only one with player 2 is its best.
    assert maximin(0, [{0: 0.3, 1: 0.1}, {0: 0.1, 1: 0.3}, {0: 0.2, 2: 0.01}]) in (0, 2)
    # The third party prefers the second deal least.
    assert maximin(0, [{0: 0.1, 1: 0.1, 2: 0.3}, {0: 0.3, 1: 0.3, 2: 0.1}, {0: 0.2, 2: 0.2}]) == 2
    rng = np.random.default_rng(1)
    for _ in range(50):
        candidates = []
        for _ in range(int(rng.integers(1, 12))):
            count = int(rng.integers(1, 4))
            others = rng.choice([1, 2, 3], size=count, replace=False).tolist()
            candidates.append({who: float(rng.random()) for who in (0, *others)})
        ranks = worst_ranks(candidates)
        best = [i for i, rank in enumerate(ranks) if rank == min(ranks)]
        assert maximin(0, candidates) == max(best, key=lambda i: candidates[i][0])


def trading(phase, seeds=range(9), **options):
    """Yield positions of a phase with possible trades."""
    for seed in seeds:
        for position in random_game(seed, **options):
            if position.state.phase == phase and capabilities.offers(position):
                yield position.copy()


def test_a_plan_has_the_value_of_its_resulting_state():
    """Hands are open, so that the test can play partners' likeliest answers by `prune`."""
    position = next(trading(c.CHOOSE, hidden_hands=False, players=3))
    judged = search(position.game).evaluate(position)
    worth = dict(zip(judged.actions.tolist(), judged.own.tolist(), strict=True))
    net = ValueNetwork(WEIGHTS, Features, 3)
    for (action,) in capabilities.offers(position):
        expected = network_value(net, after(position, action), position.to_move)
        assert worth[action] == pytest.approx(expected)


@pytest.mark.slow
def test_trade_with_a_negligible_gain_is_ignored():
    """A counter-offer that no player accepts has the value of a refusal."""
    for position in itertools.islice(trading(c.ANSWER), 0, 60, 6):
        judged = search(position.game).evaluate(position)
        assert judged.now is not None
        for action, share in zip(judged.actions.tolist(), judged.own.tolist(), strict=True):
            if judged.plans[action] in judged.trades:
                assert share >= judged.now[judged.seat] + MIN_TRADE_GAIN
        assert c.REFUSE in judged.actions


def test_an_offer_has_the_mean_value_over_the_players_who_may_agree():
    """Enumerate all answers of three partners; the mover picks its best acceptance."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        now, seat = rng.dirichlet(np.ones(4)), 1
        terms = [
            Terms((1, 2), (partner,), float(rng.uniform(0.2, 1)), rng.normal(0, 0.02, 4))
            for partner in (0, 2, 3)
        ]
        chances = [AGREE.chance(one, seat) for one in terms]
        worth = np.zeros(4)
        for agree in itertools.product((False, True), repeat=3):
            odds = np.prod([p if yes else 1 - p for p, yes in zip(chances, agree, strict=True)])
            taken = [
                one.gains
                for one, yes in zip(terms, agree, strict=True)
                if yes and one.gains[seat] > 0  # else the offer is withdrawn
            ]
            worth += odds * max(taken, key=lambda gains: gains[seat], default=np.zeros(4))
        found = expected(seat, now, terms, AGREE)
        np.testing.assert_allclose(found.shares, now + worth, atol=1e-12)
        assert found.terms in terms
        assert found.chance == AGREE.chance(found.terms, seat)


def test_offers_are_evaluated_for_each_partner_who_agrees_alone():
    net, found = ValueNetwork(WEIGHTS, Features, 4), 0
    for position in itertools.islice(trading(c.MAIN, hidden_hands=False), 0, 40, 8):
        seat, game = position.to_move, position.game
        judged = search(game).evaluate(position)
        now = np.array([network_value(net, position, who) for who in range(4)])
        np.testing.assert_allclose(judged.now, now, atol=1e-9)
        for plan, trade in judged.trades.items():
            terms = []
            for partners in game.partners(position, plan):
                actions = game.agreed(position, plan, partners)
                if can_be(position, actions):
                    then = after(position, *actions)
                    gains = np.array([network_value(net, then, who) for who in range(4)]) - now
                    terms.append(Terms(plan, partners, 1.0, gains))
            by_hand = expected(seat, now, terms, AGREE)
            np.testing.assert_allclose(trade.shares, by_hand.shares, atol=1e-9)
            assert trade.terms is not None
            assert by_hand.terms is not None
            assert (trade.terms.partners, trade.chance) == (by_hand.terms.partners, by_hand.chance)
            found += 1
    assert found > 0


@pytest.mark.slow
def test_a_fair_trade_gains_both_sides_by_the_network():
    net, found = ValueNetwork(WEIGHTS, Features, 4), 0
    for position in itertools.islice(trading(c.MAIN, hidden_hands=False), 0, 60, 6):
        mover, game = position.to_move, position.game
        judged = search(game, offers="maximin").evaluate(position)
        before = [network_value(net, position, seat) for seat in range(4)]
        fair = []
        for plan in [plan for plan in judged.plans.values() if len(plan) > 1]:
            for partner in {0, 1, 2, 3} - {mover}:
                trade = game.agreed(position, plan, (partner,))
                if can_be(position, trade):
                    then = after(position, *trade)
                    gains = [
                        network_value(net, then, seat) - before[seat] for seat in (mover, partner)
                    ]
                    fair.append(min(gains) > 0)
        assert any(fair) or not fair
        found += any(fair)
    assert found > 2


def can_be(position, actions):
    twin = position.copy()
    for action in actions:
        if action not in twin.legal_actions():
            return False
        twin.play(action)
    return True


@pytest.mark.slow
def test_no_offers_are_made_with_offers_off_and_offers_can_be_accepted():
    for position in itertools.islice(trading(c.MAIN), 0, 20, 4):
        judged = search(position.game, offers="none").evaluate(position)
        assert not [a for a in judged.actions.tolist() if c.GIVE <= a < c.WANT]
    accepted = 0
    for position in trading(c.ANSWER, range(3)):
        judged = search(position.game, offers="gain").evaluate(position)
        accepted += (c.ACCEPT,) in judged.trades
        assert c.REFUSE in judged.actions
        if accepted:
            break
    assert accepted


def evaluation_from_observations(seen, position, offers):
    """Evaluate offers from the observations of another position with the same history."""
    judging = search(position.game, offers=offers, determinizations=2, seed=1)
    row = np.zeros((1, position.game.state_bytes), np.uint8)
    judging.determinizer.fill(seen, row, kernels.new_rng(0))
    return judging.evaluate(position)


@pytest.mark.parametrize("offers", few_quick(RULES))
@pytest.mark.parametrize(
    ("phase", "deals"),
    [(c.MAIN, False), (c.ANSWER, False), (c.CHOOSE, False), (c.ROBBER, True), (c.CONSENT, True)],
)
@pytest.mark.slow
def test_no_rule_uses_hidden_information(phase, deals, offers):
    rng, compared = kernels.new_rng(5), 0
    for position in trading(phase, deals=deals):
        belief, twin = position.game.belief(position.to_move), position.copy()
        belief.follow(position)
        belief.sample(twin.row, rng)
        if twin.row.tobytes() == position.row.tobytes():
            continue
        one, other = (evaluation_from_observations(position, p, offers) for p in (position, twin))
        np.testing.assert_array_equal(one.actions, other.actions)
        np.testing.assert_array_equal(one.shares, other.shares)
        assert one.plans == other.plans
        compared += 1
        if compared == 3:
            break
    assert compared == 3


@pytest.mark.slow
def test_agents_make_deals_and_agree_to_them(tmp_path):
    """Agents by maximin and by gain play copies of themselves; deals include the robber."""
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {}, {ACCEPTANCE: list(AGREE)}).write(path, KIND)
    game = Catan(deals=True, victory_points=4)
    for rule in ("maximin", "gain"):
        players = [agent(f"states:{path},determinizations=2,offers={rule}", game) for _ in range(4)]
        position = game.start(3)
        for number, player in enumerate(players):
            player.begin(number)
        proposed = agreed = False
        while not (position.is_over or agreed):
            if position.to_move < 0:
                position.play_chance()
                continue
            s, action = position.state, players[position.to_move].choose(position)
            proposed |= s.phase == c.DEAL and action == c.PROPOSE
            agreed |= s.phase == c.CONSENT and action == c.ACCEPT
            position.play(action)
        assert proposed
        assert agreed


def test_agent_plays_a_plan_to_its_end_and_drops_it_in_other_positions(tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {}).write(path, KIND)
    game = Catan()
    player = agent(f"states:{path},determinizations=2,offers=maximin", game)
    for position in itertools.islice(trading(c.MAIN), 0, 200, 5):
        action = player.choose(position)
        if c.GIVE <= action < c.WANT:
            break
    else:
        raise AssertionError("nothing is ever offered")
    assert player.analysis is not None
    plan = player.analysis.principal_variation
    words = capabilities.offer_words(position, plan)
    assert re.match(r"\d \w+ for \d \w+", words)
    assert player.analysis.labels[plan[0]] == f"offer {words}"
    assert words not in player.analysis.reasons[plan[0]]
    again = position.copy()
    for action in plan:
        assert player.choose(position) == action
        position.play(action)
    assert position.state.phase != c.OFFER
    assert player.choose(again) == plan[0]  # the first position again, evaluated again
    assert player.analysis is not None


def test_an_agent_that_drops_its_plan_evaluates_the_position_within_an_offer(tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {}).write(path, KIND)
    player = agent(f"states:{path},determinizations=2,offers=maximin", Catan())
    assert isinstance(player, StatesAgent)
    for position in itertools.islice(trading(c.MAIN), 0, 200, 5):
        action = player.choose(position)
        if c.GIVE <= action < c.WANT:
            position.play(action)
            break
    followed = position.copy()
    player.choose(followed)
    assert player.analysis is None
    player.drop_plan()
    player.choose(followed)
    assert player.analysis


@pytest.mark.slow
def test_rules_are_named_in_specs(tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {"victory_points": 4}).write(path, KIND)
    game = Catan(players=3, victory_points=4)
    specs = [f"states:{path},determinizations=1,offers={rule}" for rule in ("likely", "maximin")]
    result = meeple.match(game, [*specs, f"states:{path},offers=none"], games=3, seed=2)
    offers = [player.habits["offers"].mean or 0.0 for player in result.agents]
    assert offers[0] > 0
    assert offers[1] > 0
    assert offers[2] == 0
    with pytest.raises(SpecError, match="offers"):
        agent(f"states:{path},offers=greedy", game)
    with pytest.raises(UsageError, match="gain, likely, maximin, sensible, none"):
        search(game, offers="greedy")


def reasons(player, position):
    """Return an agent's reasons for trades in a position."""
    player.choose(position)
    return player.analysis.reasons


def test_reasons_give_the_gains_of_a_trade(tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {}).write(path, KIND)
    player = agent(f"states:{path}", Catan(hidden_hands=False))
    position = next(p for p in trading(c.CHOOSE, hidden_hands=False) if reasons(player, p))
    analysis, seat = player.analysis, position.to_move
    assert analysis is not None
    net = ValueNetwork(WEIGHTS, Features, 4)
    action = next(iter(analysis.reasons))
    withdrawn = after(position, c.WITHDRAW)
    gains = [
        100
        * (network_value(net, after(position, action), who) - network_value(net, withdrawn, who))
        for who in range(4)
    ]
    most = max((who for who in range(4) if who != seat), key=lambda who: gains[who])
    words = f"{gains[seat]:+.1f} % for you, {gains[most]:+.1f} % for player {most + 1}"
    assert analysis.reasons[action].endswith(words)
    assert analysis.policy.sum() == pytest.approx(1)
    assert analysis.action_values is not None
    assert analysis.policy.argmax() == analysis.action_values[:, seat].argmax()


def test_reasons_of_an_offer_give_its_chance_of_agreement(tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {}, {ACCEPTANCE: list(AGREE)}).write(path, KIND)
    player = agent(f"states:{path}", Catan())
    found = next(told for p in trading(c.MAIN) if (told := reasons(player, p)))
    words = next(iter(found.values()))
    assert re.search(r"% for you, [+-].* % for player \d, agreed to \d+ % of the time$", words)


@pytest.mark.parametrize("weights", [[1.0, 2.0], "many", [1.0, 2.0, "x"], 3, [1.0, math.inf, 0.0]])
def test_a_damaged_model_of_acceptance_is_refused(weights, tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {}, {ACCEPTANCE: weights}).write(path, KIND)
    with pytest.raises(CheckpointError, match="acceptance must be three numbers, all finite"):
        compiled(path, Catan())


@pytest.mark.slow
def test_a_partner_agrees_by_its_earlier_answers(monkeypatch):
    """Refusals make consent less likely, acceptances more; what was refused now is hopeless."""
    compared = 0
    for position in itertools.islice(trading(c.MAIN, hidden_hands=False), 0, 40, 8):
        game, seat = position.game, position.to_move
        fresh = judged_with(monkeypatch, position, [])
        for plan, trade in fresh.trades.items():
            ((partner,), (terms,)) = trade.terms.partners, game.gains([(plan, seat)])
            agreed, refused, hopeless = (
                judged_with(monkeypatch, position, [Answer(partner, gains, yes, False, now)] * 2)
                for yes, now, gains in (
                    (True, False, terms),
                    (False, False, terms),
                    (False, True, terms),
                )
            )
            for judged, more in ((agreed, True), (refused, False)):
                then = judged.trades.get(plan)
                if then and then.terms.partners == (partner,):
                    compared += 1
                    assert (then.chance > trade.chance) == more
            then = hopeless.trades.get(plan)
            assert then is None or then.terms.partners != (partner,)
    assert compared


def judged_with(monkeypatch, position, answers):
    """Return the evaluated actions of a position after answers to the mover's offers."""
    monkeypatch.setattr(type(position.game), "answers", lambda *_: answers)
    return search(position.game).evaluate(position)
