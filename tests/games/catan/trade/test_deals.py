"""Deals of several players: composed in one order, and executed only if all parties agree."""

import itertools

import numpy as np
import pytest

from meeple.errors import IllegalAction, OptionError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.words.deal_words import deal_words
from meeple.games.contract import capabilities
from meeple.kernels import CHANCE
from tests.games.catan.oracle_words import in_words, oracle_of, same_facts
from tests.games.catan.playing import draw
from tests.games.catan.positions import in_turn

ROAD = {0: {"wool": 1}, 1: {"wood": 2}, 2: {"brick": 1, "ore": 1}}


def turn(hands=ROAD, **options):
    return in_turn(hands, deals=True, **options)


def deal(position, text):
    for action in capabilities.parse_line(position, text) or []:
        position.play(action)


def moved(before, after):
    return after.state.hand.astype(int) - before.state.hand


def test_deals_are_an_option():
    position = in_turn(ROAD)
    assert position.game.num_actions == c.NUM_ACTIONS
    assert position.legal_actions().max() < c.NUM_ACTIONS
    with pytest.raises(IllegalAction, match="its option deals is off"):
        capabilities.parse_line(position, "deal player 1 gives 1 wool, player 2 gets 1 wool")
    with pytest.raises(OptionError, match="domestic_trade must be on"):
        Catan(deals=True, domestic_trade=False)


def test_three_players_pass_cards_round():
    position = turn()
    before = position.copy()
    deal(
        position,
        "deal player 1 gives 1 wool and gets 1 ore, player 2 gets 1 sheep and gives 1 wood, "
        "player 3 gets 1 wood and gives ore",
    )
    assert (position.state.phase, position.to_move) == (c.CONSENT, 1)
    position.play(c.ACCEPT)
    assert position.to_move == 2
    assert not moved(before, position).any()
    position.play(c.ACCEPT)
    assert (position.state.phase, position.to_move) == (c.MAIN, 0)
    change = moved(before, position)
    assert change[0].tolist() == [0, 0, -1, 0, 1]
    assert change[1].tolist() == [-1, 0, 1, 0, 0]
    assert change[2].tolist() == [1, 0, 0, 0, -1]
    assert not change[3].any()


def test_other_players_can_pay_for_a_road_of_the_player_on_turn():
    position = turn()
    bank = position.state.bank.copy()
    roads = range(c.ROAD_AT, c.ROBBER_TO)
    text = "deal player 2 gives 1 wood, player 3 gives 1 brick"
    with pytest.raises(IllegalAction, match="does not balance: no player gets 1 wood, 1 brick"):
        capabilities.parse_line(position, text)
    for action in (c.DEAL_GIVE + c.KINDS + c.WOOD, c.DEAL_GIVE + 2 * c.KINDS + c.BRICK):
        position.play(action)
    sites = sorted(set(position.legal_actions().tolist()) & set(roads))
    assert sites
    position.play(sites[0])
    assert deal_words(position.state) == (
        "player 2 gives 1 wood, player 3 gives 1 brick; that builds player 1 a road at "
        f"{sites[0] - c.ROAD_AT}"
    )
    assert position.legal_actions().tolist() == [c.PROPOSE, c.WITHDRAW]
    before = position.copy()
    for action in (c.PROPOSE, c.ACCEPT, c.ACCEPT):
        position.play(action)
    assert position.state.edge[sites[0] - c.ROAD_AT] == 1
    assert (position.state.bank - bank).tolist() == [1, 1, 0, 0, 0]
    assert moved(before, position).tolist()[:3] == [[0] * 5, [-1, 0, 0, 0, 0], [0, -1, 0, 0, 0]]


@pytest.mark.parametrize("hidden", [True, False])
def test_robber_move_can_be_sold(hidden):
    position = turn(hidden_hands=hidden)
    position.play(c.END_TURN)
    position.play(c.ROLL_DICE)
    position.play(7)
    assert (position.state.phase, position.to_move) == (c.ROBBER, 1)
    tile = next(t for t in range(19) if t != position.state.robber)
    with pytest.raises(IllegalAction, match="does not say where the robber goes"):
        capabilities.parse_line(position, "deal player 1 gives 1 wool, player 2 gets 1 wool")
    before = position.copy()
    deal(position, f"deal player 1 gives 1 wool, player 2 gets 1 wool, robber to {tile}")
    assert position.to_move == 0
    assert position.state.robber == before.state.robber
    refused = position.copy()
    refused.play(c.REFUSE)
    assert (refused.state.phase, refused.to_move) == (c.ROBBER, 1)
    assert not moved(before, refused).any()
    assert refused.state.offers == 1
    position.play(c.ACCEPT)
    assert position.state.robber == tile
    assert position.state.phase in (c.MAIN, c.VICTIM, c.STEAL)
    assert moved(before, position)[:, c.WOOL].tolist() == [-1, 1, 0, 0]


def test_player_who_cannot_pay_can_only_refuse():
    position = turn()
    deal(
        position,
        "deal player 1 gives wool, player 2 gives ore, player 3 gets 1 ore 1 wool",
    )
    assert position.legal_actions().tolist() == [c.REFUSE]
    before = position.copy()
    position.play(c.REFUSE)
    assert (position.state.phase, position.to_move) == (c.MAIN, 0)
    assert not moved(before, position).any()
    assert not position.state.give.any()
    assert not position.state.want.any()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("deal", "is no part of a deal"),
        ("deal everybody gives 1 wood", "is no part of a deal"),
        ("deal player 7 gives 1 wood", "there is no player 7"),
        ("deal player 2 wood", "is no deal"),
        ("deal player 2 gives 1 gold", "'gold' is no resource"),
        ("deal player 2 gives 999 wood", "no player holds 999 cards"),
        ("deal player 1 gives 1 ore, player 2 gets 1 ore", "gives ore too often"),
        ("deal player 2 gives 9 ore, player 3 gets 9 ore", "gives ore too often"),
        ("deal player 2 gets 1 ore", "which no player gives"),
        ("deal player 1 gives 1 wool", "no player gets 1 wool"),
        ("deal player 2 gives wood, player 3 gets wood, road 3", "'road 3' does not match"),
        ("deal player 2 gives wood, player 3 gets wood, robber 3", "'robber 3' does not match"),
        ("deal player 2 gives wood, player 3 gets wood, robber 99", "no place 99 for a robber"),
        ("deal player 2 gives wood, player 3 gets wood, road 72", "they are 0 to 71"),
    ],
)  # fmt: skip
def test_invalid_deal_is_refused_in_a_sentence_without_effect(text, says):
    position = turn()
    before = position.copy()
    with pytest.raises(IllegalAction, match=says):
        capabilities.parse_line(position, text)
    assert position.row.tobytes() == before.row.tobytes()


def choose(position, rng):
    """Draw an action or outcome; start deals often, and agree whenever that is legal."""
    if position.to_move == CHANCE:
        return draw(position, rng)
    legal = position.legal_actions()
    deals, phase = legal[legal >= c.DEAL_GIVE], position.state.phase
    if phase in (c.MAIN, c.ROBBER) and len(deals) and rng.random() < 0.4:
        return int(rng.choice(deals))
    if phase == c.DEAL and c.PROPOSE in legal and rng.random() < 0.7:
        return c.PROPOSE
    if phase == c.DEAL:
        return int(rng.choice(legal[:-1] if len(legal) > 1 else legal))
    if c.ACCEPT in legal and phase == c.CONSENT and rng.random() < 0.9:
        return c.ACCEPT
    return int(rng.choice(legal))


def random_deals(seed, plies=400, **options):
    """Yield positions of a game with random deals that are often agreed to."""
    rng = np.random.default_rng(seed)
    position = Catan(deals=True, **options).start(seed)
    for _ in range(plies):
        if position.is_over:
            return
        if position.to_move != CHANCE:
            yield position
        position.play(choose(position, rng))


@pytest.mark.parametrize(
    ("seed", "options"),
    [(1, {}), (2, {"players": 3, "board": "beginner"}), (3, {"players": 2, "victory_points": 5})],
)
@pytest.mark.slow
def test_games_with_deals_agree_ply_by_ply_with_the_oracle(seed, options):
    rng = np.random.default_rng(seed)
    position = Catan(deals=True, **options).start(seed)
    oracle = oracle_of(position)
    for _ in range(1200):
        same_facts(position, oracle)
        if position.is_over:
            break
        action = choose(position, rng)
        oracle.play(in_words(position, action))
        position.play(action)


def test_deal_has_one_action_sequence_and_conserves_cards():
    done = 0
    for position in itertools.chain.from_iterable(random_deals(seed) for seed in range(3)):
        s = position.state
        assert (s.hand.sum(axis=0) + s.bank).tolist() == [c.BANK_CARDS] * c.KINDS
        assert s.hand.min() >= 0
        if s.phase != c.DEAL:
            continue
        steps = [step.action for step in position.steps(0)][::-1]
        made = list(itertools.takewhile(lambda a: a >= c.DEAL_GIVE or a < c.ROB, steps))[::-1]
        parts = [action for action in made if action >= c.DEAL_GIVE]
        assert parts == sorted(parts)
        done += 1
    assert done > 100


@pytest.mark.slow
def test_beliefs_follow_deals():
    """A belief contains the true hands, and agreement reveals the given cards."""
    compared = 0
    for position in random_deals(4, plies=300, players=3):
        for seat in range(3):
            belief = position.game.belief(seat)
            belief.follow(position)
            hands, weights = belief.joint_hands
            true = position.state.hand
            assert any((hand == true).all() for hand in hands)
            assert weights.sum() == pytest.approx(1)
        compared += position.state.phase == c.CONSENT
    assert compared > 10


def test_deal_is_public():
    position = turn()
    game = position.game
    told = []
    actions = [
        *game.parse_line(position, "deal player 1 gives 1 wool, player 2 gets 1 wool"),
        c.ACCEPT,
    ]
    for action in actions:
        before = position.copy()
        position.play(action)
        told.append(game.describe_action(before, action, position, None))
    words = "player 1 gives 1 wool, player 2 gets 1 wool"
    assert told[:2] == ["", ""]
    assert told[2] == f"player 1 proposed a deal: {words}"
    assert told[3] == f"player 2 agreed, and the deal is done: {words}"


def test_observation_includes_the_clause_of_a_deal():
    position = turn()
    assert len(position.observation(0)) == position.game.observation_shape[0]
    assert position.game.observation_shape[0] > Catan().observation_shape[0]
    for action in (c.DEAL_GIVE + c.KINDS + c.WOOD, c.DEAL_GIVE + 2 * c.KINDS + c.BRICK):
        position.play(action)
    sites = [a for a in position.legal_actions().tolist() if c.ROAD_AT <= a < c.ROBBER_TO]
    seen = set()
    for site in sites:
        twin = position.copy()
        twin.play(site)
        seen.add(twin.observation(1).tobytes())
    assert len(seen) == len(sites)


def test_scene_lists_the_places_of_deals():
    assert in_turn(ROAD).game.scene(in_turn(ROAD), 0).facts["deal"] is None
    position = turn()
    found = position.game.scene(position, 0).facts["deal"]
    assert (found["words"], found["asked"]) == (None, [])
    for action in (c.DEAL_GIVE + c.KINDS + c.WOOD, c.DEAL_GIVE + 2 * c.KINDS + c.BRICK):
        position.play(action)
    roads = [a for a in position.legal_actions().tolist() if c.ROAD_AT <= a < c.ROBBER_TO]
    told = {one["action"]: one for one in found["places"]}
    assert [action for action in told if c.ROAD_AT <= action < c.ROBBER_TO] == roads
    assert told[roads[0]]["words"] == f"road {roads[0] - c.ROAD_AT}"
    assert told[roads[0]]["cost"] == [1, 1, 0, 0, 0]
    cities = [action for action in told if c.CITY_AT <= action < c.ROAD_AT]
    assert len(cities) == 2
    for action in (roads[0], c.PROPOSE):
        position.play(action)
    open_ = position.game.scene(position, 2).facts["deal"]
    assert open_["asked"] == [1, 2]
    assert open_["words"] == deal_words(position.state)


def test_offers_of_a_turn_are_listed_beside_deals():
    position = turn()
    deal(position, "deal player 1 gives wool, player 2 gets wool")
    position.play(c.REFUSE)
    assert position.game.scene(position, 0).facts["offers"] == []
    for action in (c.GIVE + c.WOOL, c.WANT + c.WOOD, c.PROPOSE):
        position.play(action)
    (offer,) = position.game.scene(position, 0).facts["offers"]
    assert offer["by"] == 0
