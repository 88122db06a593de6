"""Beliefs: a seat's belief is exactly what the events visible to the seat allow."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from meeple import kernels
from meeple.games.catan.belief.events import event
from meeple.games.catan.belief.joint_hands import CAPACITY
from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.contract.seat_position import SeatPosition
from meeple.kernels.table import caller
from tests.games.catan.playing import draw, random_game
from tests.tiers import few_quick

OPTIONS: list[dict[str, Any]] = [{}, {"players": 3}, {"players": 2, "domestic_trade": False}]


class Enumeration:
    """The joint distribution of hands, by enumeration with fractions and dictionaries."""

    def __init__(self):
        self.joint = {((0,) * 5,) * 4: Fraction(1)}

    def see(self, seen):
        found: dict[Any, Fraction] = {}
        for hands, weight in self.joint.items():
            for after, chance in self.after(hands, seen):
                found[after] = found.get(after, Fraction(0)) + weight * chance
        total = sum(found.values())
        assert total > 0
        self.joint = {hands: weight / total for hands, weight in found.items()}

    def after(self, hands, seen):
        if seen.shows >= 0 and any(np.array(hands[seen.shows]) < seen.shown):
            return
        if seen.thief >= 0:
            held = hands[seen.victim]
            for resource in range(5):
                if held[resource] and seen.stolen in (-1, resource):
                    table = [list(hand) for hand in hands]
                    table[seen.victim][resource] -= 1
                    table[seen.thief][resource] += 1
                    yield tuple(map(tuple, table)), Fraction(held[resource], sum(held))
            return
        table = np.array(hands) + seen.hands
        if (table < 0).any():
            return
        if seen.monopoly >= 0:
            taker = int(seen.cards[:, c.MONOPOLY].argmax())
            others = [seat for seat in range(4) if seat != taker]
            if table[others, seen.monopoly].any():
                return
        yield tuple(map(tuple, table.tolist())), Fraction(1)


def as_dict(belief):
    hands, weights = belief.joint_hands
    keys = [tuple(map(tuple, case.tolist())) for case in hands]
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, weights.tolist(), strict=True))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", few_quick([1, 2]))
@pytest.mark.slow
def test_belief_from_a_seats_events_equals_enumeration(options, seed):
    game = Catan(**options)
    beliefs = [CatanBelief(seat, game.players) for seat in range(game.players)]
    exact = [Enumeration() for _ in beliefs]
    most = 1
    before = None
    for position in random_game(seed, **options):
        if before is not None:
            for belief, enumeration in zip(beliefs, exact, strict=True):
                seen = event(before, position.actions[-1], position.row, belief.seat)
                belief.see(seen)
                enumeration.see(seen)
                found = as_dict(belief)
                assert found.keys() == enumeration.joint.keys()
                for hands, weight in enumeration.joint.items():
                    assert found[hands] == pytest.approx(float(weight))
                most = max(most, len(found))
        before = position.row.copy()
    assert all(belief.exact for belief in beliefs)
    assert most > 1 or game.players == 2


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_true_hands_are_always_possible_and_samples_are_consistent(options):
    game = Catan(**options)
    beliefs = [CatanBelief(seat, game.players) for seat in range(game.players)]
    rng = kernels.new_rng(1)
    for position in random_game(5, **options):
        truth = position.state
        for belief in beliefs:
            belief.follow(position)
            hands, weights = belief.joint_hands
            assert (hands == truth.hand).all(axis=(1, 2)).any()
            assert weights.sum() == pytest.approx(1)
            row = position.row.copy()
            belief.sample(row, rng)
            check_sample(row.view(c.State)[0], truth, belief.seat)


def check_sample(sample, truth, seat):
    """Assert that only information hidden from the seat differs and that cards are conserved."""
    unknown = {"hand", "cards", "fresh", "deck"}
    for name in truth.dtype.names:
        if name not in unknown:
            assert np.array_equal(sample[name], truth[name]), name
    assert (sample.hand.sum(axis=0) + sample.bank)[:5].tolist() == [19] * 5
    assert (sample.cards.sum(axis=0) + sample.played.sum(axis=0) + sample.deck).tolist() == list(
        c.DECK_CARDS
    )
    for table in ("hand", "cards"):
        assert sample[table][seat].tolist() == truth[table][seat].tolist()
        assert sample[table].sum(axis=1).tolist() == truth[table].sum(axis=1).tolist()
    assert sample.fresh.sum() == truth.fresh.sum()
    assert (sample.fresh <= sample.cards[truth.on_turn]).all()
    if truth.on_turn == seat:
        assert sample.fresh.tolist() == truth.fresh.tolist()


def test_samples_follow_the_joint_distribution():
    position = next(p for p in random_game(3) if len(p.actions) == 400)
    belief = CatanBelief(0, 4)
    belief.follow(position)
    rng = kernels.new_rng(2)
    found: dict[bytes, int] = {}
    for _ in range(4000):
        row = position.row.copy()
        belief.sample(row, rng)
        key = row.view(c.State)[0].hand.tobytes()
        found[key] = found.get(key, 0) + 1
    hands, weights = belief.joint_hands
    assert len(found) <= len(hands)
    for case, weight in zip(hands, weights, strict=True):
        deviation = 4.5 * np.sqrt(4000 * weight * (1 - weight)) + 1e-9
        assert abs(found.get(case.tobytes(), 0) - 4000 * weight) <= deviation + 1


@pytest.mark.slow
def test_marginals_agree_with_samples():
    position = next(p for p in random_game(9, domestic_trade=False) if p.state.deck.sum() < 15)
    belief = CatanBelief(1, 4)
    belief.follow(position)
    rng = kernels.new_rng(2)
    hands, cards = np.zeros((4, 5, 20)), np.zeros((4, 5, 20))
    for _ in range(4000):
        row = position.row.copy()
        belief.sample(row, rng)
        sample = row.view(c.State)[0]
        for seat, kind in itertools.product(range(4), range(5)):
            hands[seat, kind, sample.hand[seat, kind]] += 1 / 4000
            cards[seat, kind, sample.cards[seat, kind]] += 1 / 4000
    np.testing.assert_allclose(belief.hand_marginals(), hands, atol=0.04)
    others = [0, 2, 3]
    np.testing.assert_allclose(belief.card_marginals()[others], cards[others], atol=0.04)
    assert belief.hand_marginals().sum(axis=2) == pytest.approx(1)
    assert belief.card_marginals().sum(axis=2) == pytest.approx(1)


def test_player_with_nine_points_who_did_not_win_holds_no_victory_point():
    belief = CatanBelief(0, 4)
    nothing = np.zeros((4, 5), np.int8)
    quiet = event_of(hands=nothing)
    belief.see(quiet._replace(draws=2))
    assert belief.card_marginals()[2, c.VICTORY_POINT, 1] == pytest.approx(5 / 25)
    belief.see(quiet._replace(checked=2, points=9))
    assert belief.card_marginals()[2, c.VICTORY_POINT, 1] == 0
    assert belief.card_marginals()[2, c.KNIGHT, 1] == pytest.approx(14 / 20)


def event_of(hands):
    from meeple.games.catan.belief.events import Event

    return Event(hands, -1, -1, -1, -1, -1, np.zeros(5, np.int8), -1, -1, hands, -1, 0)


def test_monopoly_that_yields_nothing_shows_that_no_hand_has_the_resource():
    belief = CatanBelief(0, 4)
    hands = np.zeros((4, 5), np.int8)
    hands[1:] = 1
    hands[2, c.WOOD] = 4
    belief.see(event_of(hands))
    belief.see(event_of(np.zeros((4, 5), np.int8))._replace(thief=2, victim=1))
    belief.see(event_of(np.zeros((4, 5), np.int8))._replace(thief=2, victim=3))
    assert len(belief.joint_hands[0]) == 25
    played, none = np.zeros((2, 4, 5), np.int8)
    played[2, c.MONOPOLY] = 1
    belief.see(event_of(none)._replace(monopoly=c.WOOD, cards=played, drawn=-1))
    found, weights = belief.joint_hands
    assert found[:, [1, 3], c.WOOD].tolist() == [[0, 0]]
    assert weights.tolist() == [1.0]


def test_belief_with_too_many_cases_is_reduced_to_a_sample(monkeypatch):
    belief = CatanBelief(0, 4)
    hands = np.zeros((4, 5), np.int8)
    hands[1:] = 3
    belief.see(event_of(hands))
    steal = event_of(np.zeros((4, 5), np.int8))
    for number in range(12):
        belief.see(steal._replace(thief=1 + number % 3, victim=1 + (number + 1) % 3))
    assert not belief.exact
    found, weights = belief.joint_hands
    assert len(found) == CAPACITY
    assert weights.sum() == pytest.approx(1)
    assert (found.sum(axis=1) == hands.sum(axis=0)).all()
    # By symmetry each seat holds three of each on average, whichever seat stole.
    mean = (found * weights[:, None, None]).sum(axis=0)
    assert np.abs(mean[1:] - found.sum(axis=2).mean(axis=0)[1:, None] / 5).max() < 0.25


def test_a_card_lost_to_the_bank_unseen_is_any_card_of_the_hand():
    belief, hands = CatanBelief(0, 4), np.zeros((4, 5), np.int8)
    hands[1, [c.WOOD, c.BRICK]] = 2, 1
    belief.see(event_of(hands))
    belief.see(event_of(np.zeros((4, 5), np.int8))._replace(victim=1))
    found = {tuple(case[1].tolist()): weight for case, weight in zip(*belief.joint_hands)}
    assert found == {(1, 1, 0, 0, 0): pytest.approx(2 / 3), (2, 0, 0, 0, 0): pytest.approx(1 / 3)}


@pytest.mark.parametrize(
    ("fields", "own", "other"),
    [
        ({"hands": (1, c.ORE, -2)}, 0, {"size": 4}),
        ({"shows": 1, "shown": [0, 0, 0, 3, 0]}, 0, {"size": 6, c.GRAIN: 3}),
        ({"thief": 0, "victim": 1, "stolen": c.ORE}, 1, {"size": 5}),
    ],
    ids=["paid", "shown", "stolen"],
)
def test_a_sample_without_the_true_hand_is_made_to_agree_with_what_is_seen(fields, own, other):
    """Twelve cards of three seats, sampled so that none of the samples has ore or grain there."""
    belief, hands = CatanBelief(0, 4), np.zeros((4, 5), np.int8)
    hands[1, c.WOOD] = 6
    belief.see(event_of(hands))
    belief._joint.exact[0] = False
    none = np.zeros((4, 5), np.int8)
    if "hands" in fields:
        seat, resource, change = fields["hands"]
        paid = none.copy()
        paid[seat, resource] = change
        fields = {"hands": paid}
    if "shown" in fields:
        fields = {**fields, "shown": np.array(fields["shown"], np.int8)}
    belief.see(event_of(none)._replace(**fields))
    found, _ = belief.joint_hands
    assert (found[:, 1].sum(axis=1) == other["size"]).all()
    assert (found[:, 0].sum(axis=1) == own).all()
    assert (found[:, 1, c.GRAIN] >= other.get(c.GRAIN, 0)).all()


def test_a_belief_that_begins_in_mid_game_knows_sizes_and_its_own_cards():
    game = Catan()
    position = next(one for one in random_game(3, plies=900) if len(one.actions) == 800)
    start = position.row.tobytes()
    seat = SeatPosition(game, 2, start)
    belief = game.belief(2)
    belief.follow(seat)
    found, _ = belief.joint_hands
    s = position.state
    assert (found.sum(axis=2) == s.hand.sum(axis=1)).all()
    assert (found[:, 2] == s.hand[2]).all()
    assert (found.sum(axis=1) <= c.BANK_CARDS).all()
    assert len(np.unique(found[:, 0], axis=0)) > 5
    twin, rng = position.copy(), kernels.new_rng(1)
    belief.sample(twin.row, rng)
    assert twin.state.cards.sum(axis=1).tolist() == s.cards.sum(axis=1).tolist()
    assert twin.state.cards[2].tolist() == s.cards[2].tolist()


# ---------------------------------------------------------------- hidden information does not leak


@pytest.mark.parametrize("seed", [4, 5])
def test_view_of_a_seat_does_not_depend_on_hidden_cards(seed):
    """Continue from a determinization; while both allow the same, it sees the same."""
    rng, deal = np.random.default_rng(seed), kernels.new_rng(seed)
    compared = 0
    for position in random_game(seed, domestic_trade=False, plies=700):
        if len(position.actions) % 50 or position.is_over:
            continue
        seat = int(rng.integers(4))
        twin, other = position.copy(), position.copy()
        belief = CatanBelief(seat, 4)
        belief.follow(position)
        belief.sample(other.row, deal)
        for _ in range(30):
            assert np.array_equal(twin.observation(seat), other.observation(seat))
            if twin.is_over or other.is_over:
                break
            action = draw(twin, rng)
            if action not in other.legal_actions():
                break
            before = twin.row.copy(), other.row.copy()
            twin.play(action)
            other.play(action)
            one, two = (
                event(old, action, new.row, seat)
                for old, new in zip(before, (twin, other), strict=True)
            )
            if one.monopoly >= 0:
                break  # each discard is public
            for mine, theirs in zip(one, two, strict=True):
                assert np.array_equal(np.asarray(mine), np.asarray(theirs))
            compared += 1
    assert compared > 100


def test_open_hands_are_visible_to_all_seats():
    before = None
    belief = CatanBelief(0, 4)
    for position in random_game(6, hidden_hands=False, domestic_trade=False):
        if before is not None:
            belief.see(event(before, position.actions[-1], position.row, 0))
            assert len(belief.joint_hands[0]) == 1
        before = position.row.copy()
    assert not belief.hidden.any()


# ---------------------------------------------------------------- a belief without a history


@pytest.mark.slow
def test_determinization_without_a_history_preserves_public_information():
    resample = caller("resample")
    rng = kernels.new_rng(3)
    changed = 0
    for position in random_game(8, domestic_trade=False):
        for seat in range(4):
            twin = position.copy()
            address = position.game.address_of(kernels.RESAMPLE)
            resample(address, twin.address, seat, rng.ctypes.data)
            check_sample(twin.state, position.state, seat)
            changed += not np.array_equal(twin.state.hand, position.state.hand)
    assert changed > 500
    open_hands = Catan(hidden_hands=False).start(1)
    before = open_hands.row.tobytes()
    resample(open_hands.game.address_of(kernels.RESAMPLE), open_hands.address, 0, rng.ctypes.data)
    assert open_hands.row.tobytes() == before
