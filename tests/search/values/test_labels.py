"""Labels of siblings: reproducible, of the right states, with common dice."""

import numpy as np
import pytest

from meeple.games.catan.features import Features
from meeple.games.catan.game import Catan
from meeple.search.moves import NO_ACTION, list_tree_moves, new_moves
from meeple.search.values.examples import joined_examples
from meeple.search.values.features import features_of
from meeple.search.values.labels import (
    GREEDY,
    NETWORK,
    OTHER,
    PAST,
    WEIGHTED,
    Labeller,
    Settings,
    _streams,
    label_decision,
    new_room,
)
from meeple.search.values.network import ValueNetwork, Widths, untrained

GAME = Catan(players=3, victory_points=5)
SETTINGS = Settings(share=0.1, siblings=6, playouts=3, horizon=9999, policy=WEIGHTED, slips=0.1)


@pytest.fixture(scope="module")
def labeller():
    return Labeller(GAME, *(network_of(seed) for seed in (1, 2, 3)))


def network_of(seed):
    return ValueNetwork(untrained(Features, Widths(), seed), Features, 3)


def seats(*policies):
    return np.array(policies, dtype=np.int8)


def test_equal_seeds_give_equal_labels_and_others_differ(labeller):
    one, two, other = (
        labeller.label_game(seed, seats(GREEDY, WEIGHTED, WEIGHTED), SETTINGS) for seed in (1, 1, 2)
    )
    for found, expected in zip(two, one, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert len(other.shares) != len(one.shares) or (other.shares != one.shares).any()


def test_labels_are_shares_of_whole_playouts(labeller):
    labels = labeller.label_game(3, seats(WEIGHTED, WEIGHTED, WEIGHTED), SETTINGS)
    np.testing.assert_allclose(labels.shares.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(labels.shares * 3, np.round(labels.shares * 3), atol=1e-5)


def test_siblings_are_different_actions_of_one_decision(labeller):
    labels = labeller.label_game(4, seats(WEIGHTED, WEIGHTED, WEIGHTED), SETTINGS)
    for decision in np.unique(labels.decisions):
        rows = labels.decisions == decision
        assert 2 <= rows.sum() <= 6
        assert len(set(labels.actions[rows].tolist())) == rows.sum()
        assert len(set(labels.seats[rows].tolist())) == 1


def test_results_are_the_same_for_all_positions_of_a_game(labeller):
    settings = SETTINGS._replace(playouts=0, share=0.3)
    labels = labeller.label_game(5, seats(GREEDY, GREEDY, GREEDY), settings)
    assert len(labels.shares) > 5
    assert (labels.shares == labels.shares[0]).all()
    assert sorted(labels.shares[0].tolist()) == [0, 0, 1]


def test_a_short_playout_is_evaluated_by_the_network(labeller):
    settings = SETTINGS._replace(horizon=2, playouts=1)
    labels = labeller.label_game(6, seats(WEIGHTED, WEIGHTED, WEIGHTED), settings)
    untrained_says = np.abs(labels.shares - 1 / 3).max(axis=1) < 0.2
    assert untrained_says.mean() > 0.8


def test_every_policy_plays_reproducible_games_to_the_end(labeller):
    for policies in ((WEIGHTED, GREEDY, NETWORK), (OTHER, NETWORK, PAST)):
        one, two = (labeller.play_game(7, seats(*policies)) for _ in range(2))
        assert one.tolist() == two.tolist()
        assert one.sum() == 1


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.slow
def test_each_network_policy_plays_by_its_own_network(labeller, place):
    """An equal network in its place leaves the game unchanged; a different one changes it."""
    networks = [network_of(9)] * 3
    networks[place] = network_of(place + 1)
    policies = seats(*[NETWORK + place] * 3)
    other = Labeller(GAME, *networks)
    strange = Labeller(GAME, *[network_of(9)] * 3)
    found, same, different = (
        [player.play_game(seed, policies).tolist() for seed in range(4)]
        for player in (labeller, other, strange)
    )
    assert found == same
    assert found != different


def test_greedy_play_wins_most_games_among_weighted(labeller):
    shares = [labeller.play_game(seed, seats(GREEDY, WEIGHTED, WEIGHTED))[0] for seed in range(40)]
    assert np.mean(shares) > 0.6


def test_joined_labels_keep_decisions_apart(labeller):
    one = labeller.label_game(1, seats(GREEDY, WEIGHTED, WEIGHTED), SETTINGS)
    both = joined_examples([one, one])
    assert len(np.unique(both.decisions)) == 2 * len(np.unique(one.decisions))


def labelled(labeller, position, settings):
    """Label the sensible actions of one decision."""
    room, state = new_room(GAME, settings.siblings), position.row.copy()
    streams, base = _streams(5, 0), np.uint64(5)
    count = int(label_decision(labeller._playing, state, streams, settings, base, room))
    assert state.tobytes() == position.row.tobytes()
    return room.examples(count, position.to_move, features_of(GAME))


def test_all_places_of_a_position_are_labelled_and_the_position_is_unchanged(labeller):
    position = GAME.start(3)
    before = position.row.tobytes()
    settings = SETTINGS._replace(siblings=64, playouts=1)
    one, two = (labelled(labeller, position, settings) for _ in range(2))
    assert sorted(one.actions.tolist()) == sorted(position.legal_actions().tolist())
    np.testing.assert_array_equal(one.shares, two.shares)
    np.testing.assert_allclose(one.shares.sum(axis=1), 1)
    assert set(one.seats.tolist()) == {0}
    assert position.row.tobytes() == before


def test_of_more_places_than_fit_the_likeliest_ones_are_labelled(labeller):
    position, moves = GAME.start(3), new_moves(GAME)
    count = list_tree_moves(GAME.addresses, position.row, moves, NO_ACTION)
    tried = set(moves.actions[:count].tolist())
    assert count < len(position.legal_actions())
    labels = labelled(labeller, position, SETTINGS._replace(siblings=6, playouts=1))
    assert len(labels.actions) == 6
    assert set(labels.actions.tolist()) <= tried
