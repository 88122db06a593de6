"""Random games agree ply by ply with catanatron, except for its listed departures."""

import pytest

from meeple.games.catan.rules.topology import TOPOLOGY
from tests.tiers import few_quick

OFFICIAL = [(seed, (4, 4, 3, 2)[seed % 4], 10, "uniform") for seed in range(8)]
CROWDED = [(seed, (4, 4, 3, 2)[seed % 4], 10, "building") for seed in range(8)]
RIVALS = [(seed, 4, 10, "rival") for seed in range(4)]

# A short game for each departure, so that every listed departure is known to occur.
OCCASIONS = {
    "card of the same turn": (7, 2, 6, "rival"),
    "road ending at a building": (55, 2, 6, "rival"),
    "discards at random": (47, 2, 6, "rival"),
    "only the knight before the dice": (3, 2, 6, "rival"),
    "longest road taken from a tied holder after a cut": (54, 3, 7, "rival"),
    "longest road of less than 5 after a cut": (32, 4, 6, "rival"),
    "longest road to one of several after a cut": (17, 4, 6, "rival"),
    "win on another's turn": (17, 4, 6, "rival"),
    "road building needs the price of a road": (42, 3, 6, "rival"),
    "one recipient of a short bank": (5, 4, 10, "rival"),
    "year of plenty of one card": (16, 4, 10, "hoarding"),
}


@pytest.fixture
def lockstep():
    pytest.importorskip("catanatron", reason="catanatron, the referee, is not installed")
    from tests.games.catan.rules import catanatron_lockstep

    return catanatron_lockstep


def test_ports_are_at_the_same_edges_as_in_catanatron(lockstep):
    island = lockstep.Lockstep(1).theirs.state.board.map
    layout = lockstep.layout_of(island, lockstep.numbering_of(island))
    assert set(layout.port_edges) == set(TOPOLOGY.port_edges.tolist())


@pytest.mark.parametrize(
    "case", [*few_quick(OFFICIAL), *few_quick(CROWDED), *few_quick(RIVALS)], ids=str
)
@pytest.mark.slow
def test_random_games_agree_with_catanatron_except_for_listed_departures(
    lockstep, case, record_property
):
    game = lockstep.Lockstep(*case)
    game.play_out()
    assert set(game.departures) <= set(lockstep.DEPARTURES)
    for name, count in game.departures.items():
        record_property(name, count)
        print(f"{count:6} {name}")


@pytest.mark.parametrize("name", OCCASIONS)
def test_listed_departure_occurs(lockstep, name):
    game = lockstep.Lockstep(*OCCASIONS[name])
    while not game.ours.is_over and game.departures[name] == 0:
        game.step()
    assert game.departures[name] == 1


def test_every_listed_departure_has_a_game_in_which_it_occurs(lockstep):
    assert set(OCCASIONS) == set(lockstep.DEPARTURES)


@pytest.mark.parametrize("name", ["P0_WOOD_IN_HAND", "P1_CITIES_AVAILABLE", "P2_PLAYED_KNIGHT"])
def test_unlisted_difference_is_detected(lockstep, name):
    game = lockstep.Lockstep(1)
    game.theirs.state.player_state[name] += 1
    with pytest.raises(AssertionError, match="after"):
        game.play_out()


def test_action_that_is_legal_in_only_one_engine_is_detected(lockstep):
    game = lockstep.Lockstep(1)
    game.theirs.state.playable_actions.pop()
    with pytest.raises(AssertionError, match="only here"):
        game.compare(("start",))
