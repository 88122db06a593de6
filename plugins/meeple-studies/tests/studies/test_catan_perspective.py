"""Perspectives: what one player knows about another is correct, not more, and readable."""

import numpy as np
import pytest

from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.rules import state as c
from meeple_studies.catan_perspective import perspective, perspectives
from tests.games.catan.positions import in_turn, plies, with_others_hands_changed

CARDS = (*c.RESOURCES, *c.CARDS)


def some(seed, players):
    return [before.copy() for before, _, _ in plies(seed, players=players)][40::90]


@pytest.mark.parametrize(("seed", "players"), [(1, 4), (2, 3), (3, 2)])
@pytest.mark.slow
def test_true_hand_is_possible_in_every_perspective(seed, players):
    for position in some(seed, players):
        s, views = position.state, perspectives(position)
        assert set(views) == {(i, j) for i in range(players) for j in range(players)}
        for (observer, observed), view in views.items():
            assert (view.observer, view.observed) == (observer, observed)
            assert tuple(view.chances) == CARDS
            held = dict(zip(CARDS, [*s.hand[observed], *s.cards[observed]], strict=True))
            for card, chances in view.chances.items():
                assert chances.shape == (20,)
                assert chances.sum() == pytest.approx(1)
                assert chances[held[card]] > 0
                assert view.least(card) <= held[card] <= view.most(card)
                if observer == observed:
                    assert chances[held[card]] == pytest.approx(1)
            for kinds, total in ((c.RESOURCES, s.hand), (c.CARDS, s.cards)):
                mean = sum(view.expected(card) for card in kinds)
                assert mean == pytest.approx(total[observed].sum())


@pytest.mark.slow
def test_perspective_uses_only_information_of_the_observer():
    rng = np.random.default_rng(5)
    compared = 0
    for position in some(4, 3):
        twin = with_others_hands_changed(position, 0, rng)
        if twin is None:
            continue
        belief = position.game.belief(0)
        assert isinstance(belief, CatanBelief)
        for seat in range(3):
            one, other = (perspective(p, 0, seat, belief) for p in (position, twin))
            assert one.public == other.public
            if seat == 0:
                continue
            for card in CARDS:
                np.testing.assert_array_equal(one.chances[card], other.chances[card])
            compared += 1
    assert compared


def test_perspective_reads_public_information_from_the_board():
    position = in_turn({0: {"ore": 2}, 1: {"wood": 1}})
    s = position.state
    s.played[1, c.KNIGHT], s.largest_army, s.cards[1, c.MONOPOLY] = 3, 1, 1
    public = perspective(position, 0, 1).public
    assert (public.points, public.hand, public.development_cards) == (4, 1, 1)
    assert dict(public.played) == {**dict.fromkeys(c.CARDS, 0), "knight": 3}
    assert (public.roads, public.settlements, public.cities, public.road_length) == (13, 3, 4, 2)
    assert (public.longest_road, public.largest_army) == (False, True)


def test_perspective_prints_public_information_and_a_line_for_each_card():
    position = next(p for p in some(2, 3) if p.state.cards[1].any())
    lines = str(perspective(position, 0, 1)).splitlines()
    assert lines[0].startswith("What player 1 knows of player 2")
    assert "development cards; played: " in lines[1]
    assert lines[2].split()[:3] == ["mean", "0", "1"]
    assert [line[:14].strip() for line in lines[3:]] == list(CARDS)
    assert all("%" in line for line in lines[3:])
    assert "knows of itself" in str(perspective(position, 1, 1))
    for line in lines[3:]:
        numbers = [float(word) for word in line[20:].replace("<1", "0").replace("%", "").split()]
        assert sum(numbers) == pytest.approx(100, abs=4)


def test_arrays_of_a_perspective_are_read_only():
    view = perspective(in_turn({0: {"ore": 2}}), 0, 0)
    with pytest.raises(ValueError, match="read-only"):
        view.chances["ore"][0] = 1.0


def test_missing_seats_and_beliefs_of_other_seats_are_refused():
    position = in_turn({})
    with pytest.raises(ValueError, match="there is no seat 3; seats: 0 to 2"):
        perspective(position, 0, 3)
    with pytest.raises(ValueError, match="the belief of seat 1, not of seat 0"):
        perspective(position, 0, 1, CatanBelief(1, 3))
