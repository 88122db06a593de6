"""Plays of development cards as trades: conversion to actions and back, and validation."""

import pytest

from meeple.errors import IllegalAction
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.kernels import CHANCE
from meeple_studies.catan_card_plays import KNIGHTS, card_trades
from meeple_studies.catan_trades import apply, from_actions, to_actions
from tests.games.catan.positions import in_turn, plies
from tests.tiers import few_quick

ALL = {0: {"wood": 1}, 1: {"ore": 2, "wood": 1}, 2: {"ore": 1}}


def holding(position, *cards):
    """Give the seat on turn these playable cards; return the position."""
    twin = position.copy()
    s = twin.state
    for card in cards:
        s.cards[s.on_turn, c.CARDS.index(card)] = 1
        s.fresh[c.CARDS.index(card)] = 0
    s.card_played = False
    return twin


def turns(seed, every, **options):
    """Yield positions of a random game in which the seat on turn may play a card."""
    found = [
        before.copy()
        for before, _, _ in plies(seed, **options)
        if before.state.phase in (c.ROLL, c.MAIN) and before.to_move == before.state.on_turn
    ]
    return found[::every]


def victims_by_tile(s):
    """Return each tile with the possible victims of a knight, from the board; None is no victim."""
    found: set[tuple[int, str | None]] = set()
    for tile in set(range(19)) - {int(s.robber)}:
        owners = {int(s.vertex[v] - 1) % 4 for v in TOPOLOGY.tile_vertices[tile] if s.vertex[v]}
        seats = {seat for seat in owners - {int(s.on_turn)} if s.hand[seat].any()}
        names: set[str | None] = {f"P{seat}" for seat in seats}
        found |= {(tile, name) for name in names or {None}}
    return found


def test_knight_mappings_are_19_tiles_by_4_victims():
    assert len(set(KNIGHTS)) == len(KNIGHTS) == 19 * 4


@pytest.mark.parametrize(("seed", "players"), [(1, 4), (2, 3), (3, 2)])
def test_knight_plays_agree_with_the_buildings_of_the_tiles(seed, players):
    for before in turns(seed, 25, players=players):
        position = holding(before, "knight")
        knights = [trade for trade in card_trades(position) if trade.robber is not None]
        places = [(trade.robber, trade.victim) for trade in knights]
        assert len(places) == len(set(places))
        assert set(places) == victims_by_tile(position.state)


@pytest.mark.parametrize("seed", few_quick(range(4)))
@pytest.mark.slow
def test_play_converts_to_actions_and_back_with_its_stated_effect(seed):
    played = set()
    for before in turns(seed, 60, players=2 + seed % 3):
        position = holding(before, "knight", "road building", "year of plenty", "monopoly")
        turn = f"P{position.state.on_turn}"
        listed = card_trades(position)
        for trade in listed[::7]:
            actions = to_actions(position, *trade)
            assert from_actions(position, actions) == trade
            after = position.copy()
            apply(after, *trade)
            change = after.state.hand.astype(int) - position.state.hand
            for seat in range(position.state.players):
                goods = trade.mapping.get(f"P{seat}", {})
                assert change[seat].tolist() == [goods.get(r, 0) for r in c.RESOURCES]
            (card,) = {*trade.mapping[turn]} & {*c.CARDS}
            played.add(card)
            assert (after.to_move == CHANCE) == (trade.victim is not None)
            if trade.robber is not None:
                assert after.state.robber == trade.robber
            assert all(after.state.edge[edge] == 1 + position.state.on_turn for edge in trade.at)
    assert played == {"knight", "road building", "year of plenty", "monopoly"}


def test_pairs_of_roads_occur_once_in_a_buildable_order():
    position = holding(in_turn({}), "road building")
    pairs = [trade.at for trade in card_trades(position)]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    orders = set()
    start = position.copy()
    start.play(c.PLAY_ROADS)
    for first in start.legal_actions().tolist():
        after = start.copy()
        after.play(first)
        orders |= {(first - c.ROAD_AT, second - c.ROAD_AT) for second in after.legal_actions()}
    assert set(pairs) <= orders
    assert {frozenset(pair) for pair in pairs} == {frozenset(order) for order in orders}


def test_player_with_one_road_left_builds_one():
    position = holding(in_turn({}), "road building")
    position.state.roads[0] = 1
    assert {len(trade.at) for trade in card_trades(position)} == {1}
    trade = card_trades(position)[0]
    assert trade.mapping == {"P0": {"road building": -1, "road": 1}}
    assert len(to_actions(position, {"P0": {"road building": -1}}, trade.at)) == 2


def test_monopoly_mapping_states_losses_or_only_its_resource():
    position = holding(in_turn(ALL), "monopoly")
    whole = {"P0": {"ore": 3, "monopoly": -1}, "P1": {"ore": -2}, "P2": {"ore": -1}}
    assert whole in [trade.mapping for trade in card_trades(position)]
    actions = [c.PLAY_MONOPOLY + c.ORE]
    for said in (whole, {"P0": {"monopoly": -1, "ore": 3}}, {"P0": {"monopoly": -1, "ore": 0}}):
        assert to_actions(position, said) == actions
    nobody = {"P0": {"wool": 0, "monopoly": -1}}
    assert from_actions(position, [c.PLAY_MONOPOLY + c.WOOL]).mapping == nobody


def test_no_plays_exist_without_a_card_or_a_turn():
    assert card_trades(in_turn(ALL)) == []
    position = holding(in_turn(ALL), "monopoly")
    position.play(c.PLAY_MONOPOLY)
    assert card_trades(position) == []


K, R, M, P = "knight", "road building", "monopoly", "year of plenty"
REFUSED = [
    ({"P1": {K: -1}}, {"robber": 3}, "only P0, who is on turn, plays a card"),
    ({"P0": {K: -1, M: -1}}, {"robber": 3}, "plays a card, and one"),
    ({"P0": {K: -2}}, {"robber": 3}, "plays a card, and one: 'knight': -1"),
    ({"P0": {K: -1}}, {}, "a knight says where the robber goes: a tile from 0 to 18"),
    ({"P0": {K: -1}}, {"robber": 19}, "a tile from 0 to 18"),
    ({"P0": {K: -1}}, {"robber": "here"}, "the rules do not allow 'robber"),
    (
        {"P0": {K: -1}},
        {"robber": "empty", "victim": "P1"},
        "P1 cannot be robbed at tile .*no other player",
    ),
    ({"P0": {K: -1}}, {"robber": "both"}, "say who is robbed at tile .*: P1, P2"),
    ({"P0": {K: -1}}, {"robber": "both", "victim": "P0"}, "P0 cannot be robbed at .* only P1, P2"),
    ({"P0": {K: -1}}, {"robber": "both", "victim": "P1", "at": 3}, "a knight builds nothing"),
    ({"P0": {K: -1, "wood": 1}}, {"robber": "empty"}, "P0 gains 0 wood by that, not 1"),
    ({"P0": {R: -1}}, {}, "not all is chosen: the game is at: free roads"),
    ({"P0": {R: -1}}, {"at": (0, 1, 2)}, "the rules do not allow 'road 0' here"),
    ({"P0": {R: -1, "road": 1}}, {"at": "two"}, "P0 gains 2 road by that, not 1"),
    ({"P0": {R: -1}}, {"at": "two", "robber": 3}, "a road building moves no robber"),
    ({"P0": {M: -1}}, {}, "a monopoly names one resource"),
    ({"P0": {M: -1, "ore": 1, "wood": 1}}, {}, "a monopoly names one resource"),
    ({"P0": {M: -1, "ore": 2}}, {}, "P0 gains 3 ore by that, not 2"),
    ({"P0": {M: -1, "ore": 3}, "P1": {"ore": -3}}, {}, "P1 gains -2 ore by that, not -3"),
    ({"P0": {M: -1, "ore": 3}, "P1": {"wood": -1}}, {}, "P1 gains 0 wood by that, not -1"),
    ({"P0": {M: -1, "ore": 3}, "bank": {"ore": -3}}, {}, "bank gains 0 ore by that, not -3"),
    ({"P0": {P: -1, "ore": 1, "wood": 1}, "bank": {"ore": -1}}, {}, "bank gains -1 wood"),
    ({"P0": {P: -1, "ore": 1, "wood": 1}, "P1": {"ore": -1}}, {}, "from the bank, not from P1"),
    ({"P0": {P: -1, "ore": 3}}, {}, "for two of the bank's"),
    ({"P0": {"wood": -1, "ore": 1}, "P1": {"wood": 1, "ore": -1}}, {"victim": "P1"}, "only a kni"),
    ({"P0": {"road": 1}}, {"at": (1, 2)}, "only road building two places"),
]


def placed(position, where):
    """Return the tiles and edges for the placeholders of `REFUSED`."""
    s = position.state
    if where == "here":
        return int(s.robber)
    if where == "two":
        return next(trade.at for trade in card_trades(position) if trade.at)
    hits = victims_by_tile(s)
    seats = {tile: {name for at, name in hits if at == tile} for tile, _ in hits}
    return next(
        tile for tile in seats if seats[tile] == ({None} if where == "empty" else {"P1", "P2"})
    )


@pytest.mark.parametrize(("trade", "places", "sentence"), REFUSED, ids=str)
def test_impossible_play_is_refused_in_a_sentence_without_effect(trade, places, sentence):
    position = holding(in_turn(ALL), K, R, M, P)
    s = position.state
    shared = next(  # a tile with a free corner for each of two more settlements
        tile
        for tile in range(19)
        if tile != s.robber and not any(s.vertex[v] for v in TOPOLOGY.tile_vertices[tile])
    )
    s.vertex[TOPOLOGY.tile_vertices[shared][0]] = 2
    s.vertex[TOPOLOGY.tile_vertices[shared][2]] = 3
    places = {k: placed(position, v) if v in ("here", "empty", "both", "two") else v
              for k, v in places.items()}  # fmt: skip
    before = position.row.tobytes(), position.actions
    with pytest.raises(IllegalAction, match=sentence):
        apply(position, trade, **places)
    assert (position.row.tobytes(), position.actions) == before


def test_missing_new_or_second_card_is_refused():
    position = in_turn(ALL)
    monopoly = {"P0": {M: -1, "ore": 3}}
    with pytest.raises(IllegalAction, match="P0 holds no monopoly card"):
        apply(position, monopoly)
    position.state.cards[0, c.MONOPOLY] = position.state.fresh[c.MONOPOLY] = 1
    with pytest.raises(IllegalAction, match="bought its monopoly card on this turn"):
        apply(position, monopoly)
    second = holding(position, K, M)
    apply(second, {"P0": {M: -1, "wood": 0}})
    with pytest.raises(IllegalAction, match="P0 has played a development card on this turn"):
        apply(second, {"P0": {K: -1}}, robber=3)


def test_actions_that_are_not_one_trade_are_refused():
    position = holding(in_turn(ALL), K, M)
    with pytest.raises(IllegalAction, match="carry out no trade"):
        from_actions(position, [c.END_TURN])
    with pytest.raises(IllegalAction, match="carry out no trade"):
        from_actions(position, [])
    with pytest.raises(IllegalAction, match="not all is chosen: the game is at: robber"):
        from_actions(position, [c.PLAY_KNIGHT])
    with pytest.raises(IllegalAction, match="more actions than its choices"):
        from_actions(position, [c.PLAY_MONOPOLY, c.END_TURN])
    with pytest.raises(IllegalAction, match="the rules do not allow 'play road building'"):
        from_actions(position, [c.PLAY_ROADS])


def test_purchases_and_trades_with_a_seat_convert_back_from_actions():
    position = in_turn({0: {"wood": 3, "brick": 1}, 1: {"ore": 1}})
    swap = {"P0": {"wood": -2, "ore": 1}, "P1": {"wood": 2, "ore": -1}}
    assert from_actions(position, to_actions(position, swap)).mapping == swap
    site = int(position.legal_actions()[1]) - c.ROAD_AT
    road = from_actions(position, to_actions(position, {"P0": {"road": 1}}, site))
    assert road.at == (site,)
    assert road.mapping["P0"] == {"road": 1, "wood": -1, "brick": -1}
