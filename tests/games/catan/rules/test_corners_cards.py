"""Edge cases of Catan's compiled rules: the largest army and the development cards."""

import pytest

from meeple.games.catan.belief.events import UNSEEN, event
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from tests.games.catan.rules.islands import (
    BOARD,
    deal,
    draw,
    hand,
    in_turn,
    legal_names,
    play,
    put,
    roll,
)
from tests.naive.catan_island import EDGE_VERTICES, TILE_VERTICES, VERTEX_EDGES
from tests.naive.catan_positions import DESERT, RING, SHORE

CARD = {"wool": 1, "grain": 1, "ore": 1}


def end_of_round(position):
    """Let every seat end its turn, and return to the first seat after its dice."""
    for _ in range(position.game.players):
        play(position, "end turn", "roll", "rolled 12")


# ---------------------------------------------------------------- 12: the largest army


def knight(position, seat):
    """Let a seat play a knight on its turn without a victim."""
    s = position.state
    s.on_turn = s.to_move = seat
    s.card_played = False
    draw(position, seat, c.KNIGHT)
    play(position, "play knight", f"robber {0 if s.robber else DESERT}")


def test_largest_army_needs_three_played_knights_and_strictly_more_to_change_holder():
    position = in_turn()
    draw(position, 2, c.KNIGHT, c.KNIGHT, c.KNIGHT, c.KNIGHT)  # held, not played
    holders = []
    for seat in (0, 1, 0, 1, 0, 1, 1, 0, 0):
        knight(position, seat)
        holders.append(int(position.state.largest_army))
    assert holders == [-1, -1, -1, -1, 0, 0, 1, 1, 0]
    assert position.state.played[:2, c.KNIGHT].tolist() == [5, 4]


def test_largest_army_is_worth_two_points_even_before_the_dice():
    position = in_turn(victory_points=3)
    put(position, 0, settlements=[SHORE[0]])
    position.state.played[0, c.KNIGHT] = 2
    position.state.phase, position.state.rolled = c.ROLL, False
    draw(position, 0, c.KNIGHT)
    play(position, "play knight")
    assert position.is_over
    assert position.payoffs.tolist() == [1, 0, 0, 0]


# ---------------------------------------------------------------- 13: when a card may be played

PLAYABLE = {
    c.KNIGHT: "play knight",
    c.ROAD_BUILDING: "play road building",
    c.YEAR_OF_PLENTY: "play year of plenty",
    c.MONOPOLY: "play monopoly",
}


@pytest.mark.parametrize("card", PLAYABLE)
def test_card_is_not_playable_in_the_turn_of_its_purchase_unless_an_older_one_is_held(card):
    position = in_turn()
    put(position, 0, settlements=[TILE_VERTICES[DESERT][0]])
    deal(position, 0, **CARD)
    play(position, "buy card", f"drew {c.CARDS[card]}")
    assert hand(position, 0) == {}
    assert not legal_names(position, "play")
    older = position.copy()
    draw(older, 0, card)
    assert legal_names(older, PLAYABLE[card])
    end_of_round(position)
    assert legal_names(position, PLAYABLE[card])


def test_only_the_card_from_an_earlier_turn_is_playable():
    position = in_turn()
    draw(position, 0, c.MONOPOLY)
    deal(position, 0, wool=2, grain=2, ore=2)
    play(position, "buy card", "drew monopoly", "buy card", "drew knight")
    assert legal_names(position, "play") == {f"play monopoly {name}" for name in c.RESOURCES}
    play(position, "play monopoly ore")
    assert not legal_names(position, "play")
    end_of_round(position)
    assert "play knight" in legal_names(position)
    assert legal_names(position, "play monopoly")


@pytest.mark.parametrize("card", PLAYABLE)
def test_one_card_a_turn_is_playable_before_or_after_the_dice(card):
    position = in_turn()
    put(position, 0, settlements=[TILE_VERTICES[DESERT][0]])
    draw(position, 0, card, c.KNIGHT, c.MONOPOLY)
    position.state.phase, position.state.rolled = c.ROLL, False
    words = {c.YEAR_OF_PLENTY: " wood ore", c.MONOPOLY: " ore"}
    play(position, PLAYABLE[card] + words.get(card, ""))
    while position.state.phase in (c.FREE_ROADS, c.ROBBER):
        position.play(int(position.legal_actions()[0]))
    assert legal_names(position) == {"roll"}
    play(position, "roll", "rolled 12")
    assert not legal_names(position, "play")
    end_of_round(position)
    assert {"play knight", "play monopoly ore"} <= legal_names(position)


def test_victory_point_card_counts_in_the_turn_of_its_purchase():
    position = in_turn(victory_points=3)
    put(position, 0, settlements=[SHORE[0], SHORE[2]])
    deal(position, 0, **CARD)
    play(position, "buy card")
    other = position.copy()
    play(position, "drew victory point")
    assert position.payoffs.tolist() == [1, 0, 0, 0]
    play(other, "drew knight")
    assert other.to_move == 0


def test_game_continues_if_victory_point_cards_leave_one_point_missing():
    position = in_turn(victory_points=4)
    put(position, 0, settlements=[SHORE[0], SHORE[2]])
    deal(position, 0, **CARD)
    play(position, "buy card", "drew victory point")
    assert not position.is_over


# ---------------------------------------------------------------- 14: effects of the cards


def test_road_building_places_two_roads_free_of_charge():
    position = in_turn()
    draw(position, 0, c.ROAD_BUILDING)
    assert not legal_names(position, "play")  # no site for a road
    put(position, 0, settlements=[SHORE[0]])
    play(position, "play road building", f"road {RING[0]}")
    assert legal_names(position) == legal_names(position, "road")
    play(position, f"road {RING[1]}")
    assert (position.to_move, position.state.phase) == (0, c.MAIN)
    assert position.state.roads[0] == 13
    assert position.state.bank.tolist() == [19] * 5


def test_road_building_places_the_last_piece_and_needs_one():
    position = in_turn(victory_points=20)
    draw(position, 0, c.ROAD_BUILDING, c.ROAD_BUILDING)
    put(position, 0, roads=RING[:14])
    play(position, "play road building", f"road {RING[14]}")
    assert (position.to_move, position.state.phase) == (0, c.MAIN)
    assert position.state.roads[0] == 0
    position.state.card_played = False
    assert not legal_names(position, "play")


def test_road_building_places_one_road_on_the_last_site():
    position = in_turn()
    draw(position, 0, c.ROAD_BUILDING)
    home = TILE_VERTICES[DESERT][0]
    far, *blocked = VERTEX_EDGES[home]
    put(position, 0, settlements=[home])
    put(position, 1, settlements=[sum(EDGE_VERTICES[far]) - home], roads=blocked)
    play(position, "play road building", f"road {far}")
    assert position.state.phase == c.MAIN
    assert position.state.free_roads == 0


def plenty(bank):
    """Return what a year of plenty may take from a bank with these cards."""
    position = in_turn()
    draw(position, 0, c.YEAR_OF_PLENTY)
    rest = {name: 19 - count for name, count in zip(c.RESOURCES, bank, strict=True)}
    deal(position, 3, **rest)
    return position, {
        name.removeprefix("play year of plenty ") for name in legal_names(position, "play")
    }


@pytest.mark.parametrize(
    ("bank", "taken"),
    [
        ([0, 1, 0, 2, 0], {"brick grain", "grain grain"}),
        ([1, 1, 0, 0, 0], {"wood brick"}),
        ([0, 0, 2, 0, 0], {"wool wool"}),
        ([0, 0, 0, 0, 1], {"ore"}),
        ([0, 0, 0, 0, 0], set()),
    ],
)
def test_year_of_plenty_takes_cards_that_the_bank_has(bank, taken):
    assert plenty(bank)[1] == taken


def test_year_of_plenty_takes_any_two_cards_from_a_full_bank():
    position, taken = plenty([19] * 5)
    pairs = {f"{a} {b}" for i, a in enumerate(c.RESOURCES) for b in c.RESOURCES[i:]}
    assert taken == pairs
    play(position, "play year of plenty ore ore")
    assert hand(position, 0) == {"ore": 2}
    assert position.state.bank.tolist() == [19, 19, 19, 19, 17]


def test_year_of_plenty_takes_the_only_card_of_the_bank():
    position, _ = plenty([0, 0, 0, 0, 1])
    play(position, "play year of plenty ore")
    assert hand(position, 0) == {"ore": 1}
    assert not position.state.bank.any()


def test_monopoly_takes_all_of_one_resource_publicly():
    position = in_turn()
    draw(position, 0, c.MONOPOLY)
    for seat, count in enumerate((1, 2, 0, 4)):
        deal(position, seat, wool=count, ore=1)
    before = position.row.copy()
    play(position, "play monopoly wool")
    assert position.state.hand[:4, c.WOOL].tolist() == [7, 0, 0, 0]
    assert position.state.hand[:4, c.ORE].tolist() == [1, 1, 1, 1]
    for seat in range(4):
        seen = event(before, position.actions[-1], position.row, seat)
        assert seen.monopoly == c.WOOL
        assert seen.hands[:, c.WOOL].tolist() == [6, -2, 0, -4]


# ---------------------------------------------------------------- 15: the deck, and hidden points


def test_card_cannot_be_bought_from_an_empty_deck():
    position = in_turn()
    deal(position, 0, **CARD)
    assert "buy card" in legal_names(position)
    position.state.cards[3] += position.state.deck
    position.state.deck[:] = 0
    assert "buy card" not in legal_names(position)


def test_card_probabilities_follow_the_rest_of_the_deck():
    position = in_turn()
    deal(position, 0, **CARD)
    draw(position, 1, *[c.KNIGHT] * 4, c.MONOPOLY, c.MONOPOLY)
    play(position, "buy card")
    outcomes, chances = position.chance_outcomes()
    assert outcomes.tolist() == [c.KNIGHT, c.VICTORY_POINT, c.ROAD_BUILDING, c.YEAR_OF_PLENTY]
    assert chances.tolist() == pytest.approx([10 / 19, 5 / 19, 2 / 19, 2 / 19])


def test_deck_has_no_knights_without_the_robber_and_is_empty_without_cards():
    assert Catan(robber=False).start(0).state.deck.tolist() == [0, 5, 2, 2, 2]
    position = Catan(board=BOARD, development_cards=False).start(0)
    assert not position.state.deck.any()


def test_victory_point_card_is_visible_only_to_its_owner_and_never_played():
    position = in_turn()
    put(position, 0, settlements=[SHORE[0]])
    deal(position, 0, **CARD)
    play(position, "buy card")
    before = position.row.copy()
    twins = {}
    for card in ("victory point", "knight"):
        twins[card] = twin = position.copy()
        play(twin, f"drew {card}")
        drawn = c.CARDS.index(card)
        seen = [event(before, twin.actions[-1], twin.row, seat) for seat in range(4)]
        assert [e.drawn for e in seen] == [drawn, UNSEEN, UNSEEN, UNSEEN]
        assert {e.draws for e in seen} == {0}
    for seat in range(4):
        looks = {twin.observation(seat).tobytes() for twin in twins.values()}
        assert len(looks) == (1 if seat else 2)
        views = {twin.game.view(twin, seat) for twin in twins.values()}
        assert len(views) == (1 if seat else 2)
    position = twins["victory point"]
    end_of_round(position)
    assert not legal_names(position, "play")
    roll(position, 11)
    assert position.state.cards[0, c.VICTORY_POINT] == 1


def test_hidden_points_are_revealed_when_they_win():
    position = in_turn(victory_points=3)
    put(position, 0, settlements=[SHORE[0], SHORE[2]])
    deal(position, 0, **CARD)
    play(position, "buy card", "drew victory point")
    assert position.is_over
    assert "3 points" in position.game.view(position, 2)
