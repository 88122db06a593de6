"""Translation of actions between the compiled game and the oracle, and comparison of both."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE
from tests.naive.catan import Layout, NaiveCatan
from tests.naive.catan_deals import NaiveCatanWithDeals

NAMES = {
    c.ROLL_DICE: ("roll",),
    c.END_TURN: ("end",),
    c.BUY_CARD: ("buy",),
    c.PLAY_KNIGHT: ("knight",),
    c.PLAY_ROADS: ("roads",),
    c.PROPOSE: ("propose",),
    c.ACCEPT: ("accept",),
    c.REFUSE: ("refuse",),
    c.WITHDRAW: ("withdraw",),
}
GROUPS = (
    (c.SETTLEMENT_AT, c.CITY_AT, "settlement"),
    (c.CITY_AT, c.ROAD_AT, "city"),
    (c.ROAD_AT, c.ROBBER_TO, "road"),
    (c.ROBBER_TO, c.ROB, "robber"),
    (c.ROB, c.ROLL_DICE, "rob"),
    (c.PLAY_PLENTY_ONE, c.PLAY_MONOPOLY, "plenty"),
    (c.PLAY_MONOPOLY, c.MARITIME, "monopoly"),
    (c.DISCARD_ONE, c.GIVE, "discard"),
    (c.GIVE, c.WANT, "give"),
    (c.WANT, c.PROPOSE, "want"),
    (c.TRADE_WITH, c.WITHDRAW, "trade"),
)
PAIRS = (
    (c.PLAY_PLENTY, c.PLAY_PLENTY_ONE, "plenty"),
    (c.MARITIME, c.DISCARD_ONE, "maritime"),
    (c.DEAL_GIVE, c.DEAL_GET, "gives"),
    (c.DEAL_GET, c.NUM_ACTIONS_WITH_DEALS, "gets"),
)
OUTCOMES = {c.DICE: "dice", c.STEAL: "stolen", c.DRAW: "drawn"}


def in_words(position: Position, action: int) -> tuple[Any, ...]:
    """Return an action or outcome of the compiled game in the oracle's form."""
    if position.to_move == CHANCE:
        return OUTCOMES[int(position.state.phase)], action
    if action in NAMES:
        return NAMES[action]
    for first, end, word in GROUPS:
        if first <= action < end:
            return word, action - first
    for first, end, word in PAIRS:
        if first <= action < end:
            return word, *divmod(action - first, c.KINDS)
    raise AssertionError(action)


def layout_of(position: Position) -> Layout:
    """Return the island of a position."""
    s = position.state
    tiles = [None if r == c.DESERT else int(r) for r in s.tile_resource]
    numbers = [int(n) or None for n in s.tile_number]
    ports = {}
    for edge in TOPOLOGY.coast.tolist():
        kinds = [int(s.vertex_port[v]) for v in TOPOLOGY.edge_vertices[edge]]
        if kinds[0] and kinds[0] == kinds[1]:
            ports[edge] = None if kinds[0] == c.ANY_PORT else kinds[0] - 2
    return Layout(tiles, numbers, ports)


def oracle_of(position: Position) -> NaiveCatan:
    """Return the oracle at the start of the same game."""
    options: dict[str, Any] = dict(position.game.options)
    del options["board"], options["hidden_hands"]
    kind = NaiveCatanWithDeals if options.pop("deals") else NaiveCatan
    return kind(layout_of(position), **options)


def facts(position: Position) -> dict[str, Any]:
    """Return what both games must agree on, read from the compiled game."""
    s = position.state
    seats = range(s.players)
    vertices, edges = s.vertex.tolist(), s.edge.tolist()
    to_move = {-1: "chance", -2: None}.get(position.to_move, position.to_move)
    return {
        "to_move": to_move,
        "hands": s.hand[: s.players].tolist(),
        "bank": s.bank.tolist(),
        "deck": s.deck.tolist(),
        "cards": s.cards[: s.players].tolist(),
        "fresh": s.fresh.tolist(),
        "played": s.played[: s.players].tolist(),
        "settlements": [{v for v, x in enumerate(vertices) if x == 1 + seat} for seat in seats],
        "cities": [{v for v, x in enumerate(vertices) if x == 5 + seat} for seat in seats],
        "roads": [{e for e, x in enumerate(edges) if x == 1 + seat} for seat in seats],
        "robber": None if s.robber < 0 else int(s.robber),
        "longest_road": None if s.longest_road < 0 else int(s.longest_road),
        "largest_army": None if s.largest_army < 0 else int(s.largest_army),
        "road_length": s.road_length[: s.players].tolist(),
        "on_turn": int(s.on_turn),
        "turns": int(s.turns),
        "rolled": bool(s.rolled),
        "dice": int(s.dice),
    }


def same_facts(position: Position, oracle: NaiveCatan) -> None:
    """Assert that both games agree in all public facts."""
    for name, value in facts(position).items():
        assert getattr(oracle, name) == value, name
    actions = position.legal_actions().tolist()
    words = {in_words(position, action) for action in actions}
    assert len(words) == len(actions)
    assert words == oracle.legal()
    if position.is_over:
        np.testing.assert_allclose(position.payoffs, oracle.payoffs())
    if position.to_move == CHANCE:
        outcomes, chances = position.chance_outcomes()
        for outcome, chance in zip(outcomes.tolist(), chances.tolist(), strict=True):
            expected = oracle.chances()[in_words(position, outcome)]
            assert abs(float(expected) - chance) < 1e-6
