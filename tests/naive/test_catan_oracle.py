"""The oracle of Catan against the rules' corners of production, robber, cards, trade and winning.

Each on a small position set up by hand.
"""

import random
from fractions import Fraction

import pytest

from tests.naive.catan import (
    BRICK,
    GRAIN,
    KNIGHT,
    MONOPOLY,
    ORE,
    ROAD_BUILDING,
    VICTORY_POINT,
    WOOD,
    WOOL,
    YEAR_OF_PLENTY,
    NaiveCatan,
)
from tests.naive.catan_island import EDGE_VERTICES, TILE_VERTICES, VERTEX_EDGES, VERTEX_VERTICES
from tests.naive.catan_positions import (
    DESERT,
    LAYOUT,
    PORTS,
    RING,
    SHORE,
    deal,
    in_turn,
    roll,
    tile_of,
    words,
)
from tests.naive.catan_trade import Offer


def test_two_players_short_of_a_resource_get_none_of_it():
    game = in_turn()
    corners = TILE_VERTICES[0]  # the only 2, of wood
    game.cities[1], game.settlements[2] = {corners[0]}, {corners[2]}
    deal(game, 3, wood=17)
    roll(game, 2)
    assert game.hands[1] == game.hands[2] == [0] * 5
    assert game.bank[WOOD] == 2


def test_one_player_short_of_a_resource_gets_what_is_left():
    game = in_turn()
    corners = TILE_VERTICES[0]
    game.cities[1], game.settlements[1] = {corners[0]}, {corners[2]}
    deal(game, 3, wood=17)
    roll(game, 2)
    assert game.hands[1] == [2, 0, 0, 0, 0]


def test_a_city_takes_two_and_the_robbers_tile_nothing():
    game = in_turn()
    tile = tile_of(GRAIN, 4)
    game.settlements[1], game.cities[2] = {TILE_VERTICES[tile][0]}, {TILE_VERTICES[tile][3]}
    roll(game, 4)
    assert (game.hands[1][GRAIN], game.hands[2][GRAIN]) == (1, 2)
    game.robber = tile
    roll(game, 4)
    assert (game.hands[1][GRAIN], game.hands[2][GRAIN]) == (1, 2)


def test_the_desert_produces_nothing_even_without_the_robber():
    game = in_turn()
    game.robber, game.settlements[0] = 0, {TILE_VERTICES[DESERT][0]}
    neighbours = [t for t in range(19) if TILE_VERTICES[DESERT][0] in TILE_VERTICES[t]]
    for total in {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}:
        roll(game, total)
    assert sum(game.hands[0]) == len(neighbours) - 1


def test_maritime_trade_is_at_the_best_rate_never_like_for_like_nor_beyond_the_bank():
    game = in_turn()
    deal(game, 0, wood=4)
    deal(game, 1, ore=19)
    trades = {("maritime", WOOD, take) for take in (BRICK, WOOL, GRAIN)}
    assert {a for a in game.legal() if a[0] == "maritime"} == trades
    for edge, port, price in ((PORTS[0], None, 3), (PORTS[1], WOOD, 2)):
        assert LAYOUT.ports[edge] == port
        game.settlements[0].add(EDGE_VERTICES[edge][0])
        game.hands[0][WOOD] = price - 1
        assert "maritime" not in words(game)
        game.hands[0][WOOD] = price
        assert ("maritime", WOOD, BRICK) in game.legal()
    game.play(("maritime", WOOD, BRICK))
    assert game.hands[0] == [0, 1, 0, 0, 0]


def test_a_seven_discards_half_rounded_down_from_the_player_on_turn_on_before_the_robber():
    game = in_turn()
    game.on_turn = 1
    deal(game, 0, ore=9)
    deal(game, 1, wood=2, wool=6)
    deal(game, 2, grain=7)
    roll(game, 7)
    assert game.to_move == 1
    assert game.legal() == {("discard", WOOD), ("discard", WOOL)}
    game.play(("discard", WOOL))
    for _ in range(3):
        assert game.legal() == {("discard", WOOL)}  # never back to a lower resource
        game.play(("discard", WOOL))
    for _ in range(4):
        assert game.to_move == 0
        game.play(("discard", ORE))
    assert game.to_move == 1
    assert words(game) == {"robber"}
    assert [sum(hand) for hand in game.hands] == [5, 4, 7, 0]


def test_discards_leave_enough_above_for_what_remains():
    game = in_turn()
    deal(game, 0, wood=6, ore=2)
    roll(game, 7)
    assert game.legal() == {("discard", WOOD)}  # two ores do not make four cards
    game.play(("discard", WOOD))
    game.play(("discard", WOOD))
    assert game.legal() == {("discard", WOOD), ("discard", ORE)}


def test_the_robber_moves_to_another_tile_and_steals_uniformly_over_the_victims_cards():
    game = in_turn()
    corners = TILE_VERTICES[0]
    game.settlements[0], game.settlements[1], game.settlements[2] = (
        {corners[0]},
        {corners[2]},
        {corners[4]},
    )
    game.robber = 5
    deal(game, 0, wood=1)
    deal(game, 1, wood=1, ore=3)
    roll(game, 7)
    assert game.legal() == {("robber", tile) for tile in range(19) if tile != 5}
    game.play(("robber", 0))  # only player 1 has cards
    assert game.chances() == {("stolen", WOOD): Fraction(1, 4), ("stolen", ORE): Fraction(3, 4)}
    game.play(("stolen", ORE))
    assert (game.hands[0][ORE], game.hands[1][ORE], game.phase) == (1, 2, "main")


def test_the_thief_chooses_among_several_victims():
    game = in_turn()
    corners = TILE_VERTICES[0]
    for seat in (1, 2, 3):
        game.settlements[seat] = {corners[2 * seat - 2]}
    deal(game, 1, wood=1)
    deal(game, 3, brick=1)
    roll(game, 7)
    game.play(("robber", 0))
    assert game.legal() == {("rob", 1), ("rob", 3)}
    game.play(("rob", 3))
    assert game.legal() == {("stolen", BRICK)}


def test_nobody_is_robbed_where_nobody_can_be():
    game = in_turn()
    game.settlements[1] = {TILE_VERTICES[0][0]}
    roll(game, 7)
    game.play(("robber", 0))
    assert game.phase == "main"


def test_the_friendly_robber_spares_players_of_two_public_points():
    game = in_turn(friendly_robber=True)
    corners = TILE_VERTICES[0]
    game.settlements[1], game.cards[1][VICTORY_POINT] = {corners[0], corners[2]}, 1
    deal(game, 1, wood=1)
    roll(game, 7)
    game.play(("robber", 0))
    assert game.phase == "main"
    game.settlements[1].add(corners[4])
    roll(game, 7)
    game.play(("robber", 1))
    roll(game, 7)
    game.play(("robber", 0))
    assert game.legal() == {("stolen", WOOD)}


def test_a_knight_before_the_dice_moves_the_robber_without_discards_and_then_rolls():
    game = in_turn()
    game.phase, game.rolled, game.cards[0][KNIGHT] = "before dice", False, 2
    deal(game, 0, wood=12)
    assert game.legal() == {("roll",), ("knight",)}
    game.play(("knight",))
    game.play(("robber", 0))
    assert game.legal() == {("roll",)}  # one card a turn
    assert sum(game.hands[0]) == 12


def test_without_the_robber_a_seven_does_nothing_and_no_knights_are_drawn():
    game = in_turn(robber=False)
    deal(game, 0, wood=12)
    roll(game, 7)
    assert (game.phase, game.robber, game.deck) == ("main", None, [0, 5, 2, 2, 2])


def play_knight(game, seat, tile):
    game.on_turn, game.card_played = seat, False
    game.cards[seat][KNIGHT] += 1
    game.play(("knight",))
    game.play(("robber", tile))


def test_the_largest_army_takes_three_knights_and_then_strictly_more():
    game = in_turn()
    holders = []
    for turn, seat in enumerate((0, 0, 0, 1, 1, 1, 1)):
        play_knight(game, seat, turn)
        holders.append(game.largest_army)
    assert holders == [None, None, 0, 0, 0, 0, 1]
    assert (game.points(0), game.public_points(1)) == (0, 2)


def test_a_card_is_not_played_on_the_turn_it_is_bought():
    game = in_turn()
    deal(game, 0, wool=1, grain=1, ore=1)
    game.play(("buy",))
    assert sum(game.chances().values()) == 1
    assert game.chances()["drawn", KNIGHT] == Fraction(14, 25)
    game.play(("drawn", KNIGHT))
    assert "knight" not in words(game)
    game.cards[0][KNIGHT] += 1  # an older one
    assert "knight" in words(game)
    for _ in range(4):
        game.play(("end",))
        game.play(("roll",))
        game.play(("dice", 12))
    assert game.to_move == 0
    assert "knight" in words(game)


def test_a_victory_point_card_counts_on_the_turn_it_is_bought_but_not_in_public():
    game = in_turn(victory_points=3)
    game.settlements[0] = {SHORE[0], SHORE[2]}
    deal(game, 0, wool=1, grain=1, ore=1)
    game.play(("buy",))
    game.play(("drawn", VICTORY_POINT))
    assert (game.to_move, game.points(0), game.public_points(0)) == (None, 3, 2)
    assert game.payoffs() == [1, 0, 0, 0]


def test_road_building_places_two_roads_or_the_last_piece():
    game = in_turn(victory_points=20)
    game.cards[0][ROAD_BUILDING] = 2
    assert "roads" not in words(game)  # no site yet
    game.settlements[0], game.roads[0] = {SHORE[0]}, set(RING[:12])
    game.play(("roads",))
    game.play(("road", RING[12]))
    assert words(game) == {"road"}
    game.play(("road", RING[13]))
    assert (game.phase, len(game.roads[0])) == ("main", 14)
    game.card_played = False
    game.play(("roads",))
    game.play(("road", RING[14]))
    assert (game.phase, len(game.roads[0])) == ("main", 15)
    game.card_played, game.cards[0][ROAD_BUILDING] = False, 1
    assert "roads" not in words(game)  # no piece left
    assert game.hands[0] == [0] * 5


def test_road_building_places_one_road_where_there_is_no_second_site():
    game = in_turn()
    game.cards[0][ROAD_BUILDING], home = 1, TILE_VERTICES[DESERT][0]
    far, *blocked = VERTEX_EDGES[home]
    end = sum(EDGE_VERTICES[far]) - home
    game.settlements[0], game.roads[1], game.settlements[1] = {home}, set(blocked), {end}
    game.play(("roads",))
    game.play(("road", far))
    assert game.phase == "main"


def plenty(game):
    return {action for action in game.legal() if action[0] == "plenty"}


def test_year_of_plenty_takes_what_the_bank_can_give():
    game = in_turn()
    game.cards[0][YEAR_OF_PLENTY] = 1
    assert len(plenty(game)) == 15
    game.bank = [0, 1, 0, 2, 0]
    assert plenty(game) == {("plenty", BRICK, GRAIN), ("plenty", GRAIN, GRAIN)}
    game.bank = [0, 0, 0, 0, 0]
    assert plenty(game) == set()
    game.bank = [0, 1, 0, 0, 0]
    assert plenty(game) == {("plenty", BRICK)}
    game.play(("plenty", BRICK))
    assert (game.hands[0], game.bank) == ([0, 1, 0, 0, 0], [0] * 5)


def test_monopoly_takes_all_of_one_resource_from_everyone():
    game = in_turn()
    game.cards[0][MONOPOLY] = 1
    for seat, count in enumerate((1, 2, 0, 4)):
        deal(game, seat, wool=count, ore=1)
    game.play(("monopoly", WOOL))
    assert [hand[WOOL] for hand in game.hands] == [7, 0, 0, 0]
    assert [hand[ORE] for hand in game.hands] == [1, 1, 1, 1]


def test_an_empty_deck_sells_nothing():
    game = in_turn()
    deal(game, 0, wool=1, grain=1, ore=1)
    assert ("buy",) in game.legal()
    game.deck = [0] * 5
    assert ("buy",) not in game.legal()


def test_only_the_player_on_turn_trades_after_the_dice_with_what_it_holds():
    game = in_turn()
    deal(game, 0, wood=2, wool=1)
    assert "give" not in words(game)  # nobody else has a card
    deal(game, 2, ore=1, grain=1)
    assert {a for a in game.legal() if a[0] == "give"} == {("give", WOOD), ("give", WOOL)}
    game.phase = "before dice"
    assert words(game) == {"roll"}
    game.phase = "main"
    game.play(("give", WOOD))
    wants = {("want", r) for r in (BRICK, WOOL, GRAIN, ORE)}
    assert game.legal() == wants | {("give", WOOD), ("give", WOOL), ("withdraw",)}
    game.play(("give", WOOL))
    assert game.legal() == {("want", r) for r in (BRICK, GRAIN, ORE)} | {("withdraw",)}
    game.play(("want", GRAIN))
    assert game.legal() == {("want", GRAIN), ("want", ORE), ("propose",), ("withdraw",)}
    game.play(("want", ORE))
    assert game.legal() == {("propose",), ("withdraw",)}  # nobody holds more than two cards


def test_the_offerer_chooses_among_acceptances_and_counter_offers_it_can_pay():
    game = in_turn()
    game.on_turn = 2
    deal(game, 2, wood=2)
    deal(game, 0, ore=1, wool=1)
    deal(game, 1, ore=2)
    deal(game, 3, grain=1)
    for action in (("give", WOOD), ("want", ORE), ("propose",)):
        game.play(action)
    assert game.to_move == 3
    assert game.legal() == {("refuse",), ("give", GRAIN)}  # it has no ore to accept with
    for action in (("give", GRAIN), ("want", BRICK)):
        game.play(action)
    assert ("want", ORE) in game.legal()
    game.play(("propose",))
    assert game.to_move == 0
    assert game.legal() == {("refuse",), ("accept",), ("give", WOOL), ("give", ORE)}
    game.play(("accept",))
    assert game.to_move == 1
    for action in (("give", ORE), ("give", ORE), ("want", WOOD), ("want", WOOD)):
        game.play(action)
    assert game.legal() == {("propose",), ("refuse",)}  # the player on turn has but two cards
    game.play(("propose",))
    assert game.to_move == 2
    assert game.legal() == {("trade", 0), ("trade", 1), ("withdraw",)}  # no brick for player 3
    game.play(("trade", 1))
    assert (game.hands[2], game.hands[1], game.phase) == ([0, 0, 0, 0, 2], [2, 0, 0, 0, 0], "main")


def test_an_offer_that_all_refuse_is_over_and_a_turn_begins_eight_at_most():
    game = in_turn()
    deal(game, 0, wood=1)
    deal(game, 2, ore=1)
    for begun in range(1, 9):
        for action in (("give", WOOD), ("want", ORE), ("propose",)):
            game.play(action)
        assert (game.to_move, game.offers) == (2, begun)  # seats without cards are not asked
        game.play(("give", ORE))
        game.play(("refuse",))
        assert game.phase == "main"
    assert "give" not in words(game)


def test_an_acceptance_gives_the_wanted_for_the_offered():
    game = in_turn()
    deal(game, 0, wood=1)
    deal(game, 3, ore=1)
    for action in (("give", WOOD), ("want", ORE), ("propose",), ("accept",)):
        game.play(action)
    assert game.answers == {3: Offer(3, [ORE], [WOOD])}
    game.play(("trade", 3))
    assert (game.hands[0], game.hands[3]) == ([0, 0, 0, 0, 1], [1, 0, 0, 0, 0])


def test_points_reached_on_anothers_turn_win_when_the_own_turn_starts():
    game = in_turn(players=3, victory_points=4)
    game.settlements[1] = {SHORE[15], SHORE[17]}
    game.longest_road = 1
    game.play(("end",))
    assert (game.to_move, game.winner, game.payoffs()) == (None, 1, [0, 1, 0])

    game = in_turn(players=3, victory_points=4)
    game.settlements[2], game.longest_road = {SHORE[15], SHORE[17]}, 2
    game.play(("end",))
    assert (game.to_move, game.points(2)) == (1, 4)  # it is not yet player 2's turn


def test_after_the_last_turn_the_points_are_shared():
    game = in_turn(players=2, max_turns=1)
    game.settlements[0], game.cities[1] = {SHORE[0]}, {SHORE[4]}
    game.cards[1][VICTORY_POINT] = 1
    game.play(("end",))
    assert game.to_move is None
    assert game.payoffs() == [1 / 4, 3 / 4]


def test_a_win_by_points_shares_them_all():
    game = in_turn(players=2, victory_points=3, payoff="points")
    game.settlements[0], game.cities[1] = {SHORE[0]}, {SHORE[4], SHORE[8]}
    game.play(("end",))
    assert (game.winner, game.payoffs()) == (1, [1 / 5, 4 / 5])


@pytest.mark.parametrize("seed", range(4))
def test_cards_pieces_and_points_are_conserved_in_random_games(seed):
    generator = random.Random(seed)
    game = NaiveCatan(LAYOUT, players=2 + seed % 3, max_turns=100)
    weights = {"give": 0.05, "maritime": 0.3, "end": 0.5}
    while game.to_move is not None:
        if game.to_move == "chance":
            chances = game.chances()
            assert sum(chances.values()) == 1
            (action,) = generator.choices(list(chances), [float(p) for p in chances.values()])
        else:
            able = sorted(game.legal())
            (action,) = generator.choices(able, [weights.get(word, 3) for word, *_ in able])
        game.play(action)
        for resource in range(5):
            held = [game.bank[resource], *(hand[resource] for hand in game.hands)]
            assert min(held) >= 0
            assert sum(held) == 19
        assert sum(game.deck) + sum(map(sum, game.cards)) + sum(map(sum, game.played)) == 25
        built = game.buildings(game.seats)
        assert not any(built & set(VERTEX_VERTICES[vertex]) for vertex in built)
        assert all(len(game.settlements[seat]) <= 5 for seat in game.seats)
    assert sum(game.payoffs()) == pytest.approx(1)
