"""Invariants of every position of Catan, and random games that check them after every ply.

Kernels recount everything from the board and the hands, independently of how the rules keep
their own counts.
"""

from typing import Any

import numpy as np

from meeple import kernels
from meeple.games.catan.game import Catan
from meeple.games.catan.rules.cards import points
from meeple.games.catan.rules.state import (
    BANK_CARDS,
    CITIES_PER_SEAT,
    KINDS,
    KNIGHT,
    MAX_MOVES,
    MAX_SEATS,
    MIN_LARGEST_ARMY,
    MIN_LONGEST_ROAD,
    NO_SEAT,
    ROADS_PER_SEAT,
    SETTLE_ROAD,
    SETTLEMENTS_PER_SEAT,
    VICTORY_POINT,
    State,
)
from meeple.games.catan.rules.state import DECK_CARDS as WHOLE_DECK
from meeple.games.catan.rules.topology import EDGES, TOPOLOGY, VERTICES
from meeple.kernels import (
    CHANCE,
    LEGAL,
    OVER,
    PAYOFFS,
    PLAY,
    START,
    below,
    invoke2,
    invoke3,
    kernel,
    uniform,
)

LAWS = (
    "all laws hold",
    "bank and hands: 19 cards of each resource, none negative",
    "deck, held and played: the whole deck, none negative",
    "roads, settlements and cities: as many on the board as are missing from the stock",
    "a seat has 15 roads, 5 settlements and 4 cities at most",
    "points: settlements, two a city, victory point cards and two an award",
    "no building is next to another, and none may be where `crowded` says so",
    "the longest road is of 5, no other is longer, and a unique one of 5 has it",
    "the largest army is of 3 knights, no other is larger, and nobody lacks it",
    "cards bought this turn are held by the seat on turn",
    "who has the points on the own turn has won",
    "a seat that is to move is one of the players, and has something to do",
    "outcomes of chance have chances that sum to 1",
    "shares of the win sum to 1",
    "each road touches another of its seat or a building of it",
    "all pieces on the board belong to a player",
)
(
    HOLDS, HANDS, DECK, STOCKS, PIECES, POINTS, DISTANCE, ROAD, ARMY, FRESH, WINS, MOVES, CHANCES,
    SHARES, REACH, OWNERS,
) = range(len(LAWS))  # fmt: skip

_VERTEX_VERTICES, _VERTEX_EDGES = TOPOLOGY.vertex_vertices, TOPOLOGY.vertex_edges
_EDGE_VERTICES = TOPOLOGY.edge_vertices


@kernel
def broken(s: Any, deck: Any) -> int:
    """Return the first law that a position breaks, or HOLDS; `deck` [5] is the full deck."""
    for kind in range(KINDS):
        cards, drawn = np.int64(s.bank[kind]), np.int64(s.deck[kind])
        if cards < 0:
            return HANDS
        if drawn < 0:
            return DECK
        for seat in range(s.players):
            if s.hand[seat, kind] < 0:
                return HANDS
            if s.cards[seat, kind] < 0 or s.played[seat, kind] < 0:
                return DECK
            cards += s.hand[seat, kind]
            drawn += np.int64(s.cards[seat, kind]) + np.int64(s.played[seat, kind])
        if cards != BANK_CARDS:
            return HANDS
        if drawn != deck[kind]:
            return DECK
        if s.fresh[kind] < 0 or s.fresh[kind] > s.cards[s.on_turn, kind]:
            return FRESH
    for seat in range(s.players):
        law = int(broken_by(s, seat))
        if law != HOLDS:
            return law
    if not spaced(s):
        return DISTANCE
    if not owned(s):
        return OWNERS
    longest = np.int64(s.longest_road)
    if not rightly_held(s.road_length, s.players, longest, MIN_LONGEST_ROAD, True):
        return ROAD
    army = np.int64(s.largest_army)
    if not rightly_held(s.played[:, KNIGHT], s.players, army, MIN_LARGEST_ARMY, False):
        return ARMY
    return HOLDS


@kernel
def broken_by(s: Any, seat: int) -> int:
    """Return the first law of pieces and points that a seat breaks, or HOLDS."""
    settlements = cities = roads = 0
    for vertex in range(VERTICES):
        if s.vertex[vertex] == 1 + seat:
            settlements += 1
        elif s.vertex[vertex] == 5 + seat:
            cities += 1
    for edge in range(EDGES):
        if s.edge[edge] == 1 + seat:
            roads += 1
            if not connected(s, edge, seat):
                return REACH
    if settlements > SETTLEMENTS_PER_SEAT or cities > CITIES_PER_SEAT or roads > ROADS_PER_SEAT:
        return PIECES
    if (
        s.settlements[seat] != SETTLEMENTS_PER_SEAT - settlements
        or s.cities[seat] != CITIES_PER_SEAT - cities
        or s.roads[seat] != ROADS_PER_SEAT - roads
    ):
        return STOCKS
    total = settlements + 2 * cities + np.int64(s.cards[seat, VICTORY_POINT])
    if s.longest_road == seat:
        total += 2
    if s.largest_army == seat:
        total += 2
    if points(s, seat) != total:
        return POINTS
    wins = total >= s.victory_points and seat == s.on_turn and s.phase > SETTLE_ROAD
    if wins and s.to_move != OVER:
        return WINS
    return HOLDS


@kernel
def connected(s: Any, edge: int, seat: int) -> bool:
    """Return whether a road touches another road or a building of the seat."""
    for end in range(2):
        vertex = np.int64(_EDGE_VERTICES[edge, end])
        if s.vertex[vertex] == 1 + seat or s.vertex[vertex] == 5 + seat:
            return True
        for k in range(3):
            other = np.int64(_VERTEX_EDGES[vertex, k])
            if other >= 0 and other != edge and s.edge[other] == 1 + seat:
                return True
    return False


@kernel
def spaced(s: Any) -> bool:
    """Return whether buildings keep their distance and adjacent vertices are marked as crowded."""
    for vertex in range(VERTICES):
        beside = False
        for k in range(3):
            other = np.int64(_VERTEX_VERTICES[vertex, k])
            if other >= 0 and s.vertex[other] > 0:
                beside = True
        if s.vertex[vertex] > 0 and beside:
            return False
        if (s.crowded[vertex] > 0) != (beside or s.vertex[vertex] > 0):
            return False
    return True


@kernel
def owned(s: Any) -> bool:
    """Return whether every piece on the board belongs to a player."""
    for vertex in range(VERTICES):
        built = np.int64(s.vertex[vertex])
        if (
            built < 0
            or built > 2 * MAX_SEATS
            or (built > 0 and (built - 1) % MAX_SEATS >= s.players)
        ):
            return False
    for edge in range(EDGES):
        if s.edge[edge] < 0 or s.edge[edge] > s.players:
            return False
    return True


@kernel
def rightly_held(sizes: Any, players: int, holder: int, least: int, ties: bool) -> bool:
    """Return whether an award's holder is right; with `ties`, no player may hold a tied award."""
    best = 0
    for seat in range(players):
        best = max(best, int(sizes[seat]))
    leaders = 0
    for seat in range(players):
        leaders += 1 if sizes[seat] == best else 0
    if holder == NO_SEAT:
        return best < least or (ties and leaders > 1)
    return best >= least and sizes[holder] == best


@kernel
def draw(moves: Any, chance: bool, tries: int, rng: Any) -> int:
    """Draw an outcome, or an action: the lowest of some random ones, which builds more."""
    if chance:
        mark = uniform(rng)
        for place in range(moves.count - 1):
            mark -= moves.probabilities[place]
            if mark < 0.0:
                return int(moves.actions[place])
        return int(moves.actions[moves.count - 1])
    action = int(moves.actions[below(rng, np.int64(moves.count))])
    for _ in range(tries - 1):
        action = min(action, int(moves.actions[below(rng, np.int64(moves.count))]))
    return action


@kernel
def look_over(
    rules: Any, row: Any, s: Any, moves_row: Any, moves: Any, shares: Any, deck: Any
) -> int:
    """Return the first law that a position breaks, or HOLDS; fill `moves` with its actions."""
    law = int(broken(s, deck))
    if law != HOLDS:
        return law
    if s.to_move == OVER:
        invoke2(rules[PAYOFFS], row.ctypes.data, shares.ctypes.data)
        total = 0.0
        for seat in range(s.players):
            total += shares[seat]
        return HOLDS if abs(total - 1.0) < 1e-9 else SHARES
    moves.count = 0
    invoke2(rules[LEGAL], row.ctypes.data, moves_row.ctypes.data)
    if moves.count < 1 or moves.count > MAX_MOVES or s.to_move < CHANCE or s.to_move >= s.players:
        return MOVES
    if s.to_move == CHANCE:
        total = 0.0
        for place in range(moves.count):
            total += moves.probabilities[place]
        return HOLDS if abs(total - 1.0) < 1e-5 else CHANCES
    return HOLDS


@kernel
def play_games(
    rules: Any, options: Any, row: Any, s: Any, moves_row: Any, moves: Any, shares: Any, deck: Any,
    tries: int, rngs: Any, ends: Any, report: Any,
) -> None:  # fmt: skip
    """Play a game for every row of `ends`, and store its last state there.

    `report` [3]: plies, the first broken law, and its game; play stops at a broken law.
    """
    for game in range(ends.shape[0]):
        for index in range(row.shape[0]):
            row[index] = 0
        invoke3(rules[START], row.ctypes.data, options.ctypes.data, rngs.ctypes.data)
        while True:
            report[1] = look_over(rules, row, s, moves_row, moves, shares, deck)
            if report[1] != HOLDS or s.to_move == OVER:
                break
            action = draw(moves, s.to_move == CHANCE, tries, rngs[0])
            invoke2(rules[PLAY], row.ctypes.data, action)
            report[0] += 1
        report[2] = game
        for index in range(row.shape[0]):
            ends[game, index] = row[index]
        if report[1] != HOLDS:
            return


def whole_deck(game: Catan) -> Any:
    """Return the numbers of development cards of a game: [5]."""
    deck = np.array(WHOLE_DECK if game.options["development_cards"] else [0] * KINDS)
    if not game.options["robber"]:
        deck[KNIGHT] = 0
    return deck


class Batch:
    """Random games with the same options, with the memory that their kernels need."""

    def __init__(self, game: Catan, seed: int) -> None:
        self.game, self.rng = game, kernels.new_rng(seed)
        self.options = np.zeros(1, dtype=game.Options)
        game.encode_options(self.options[0])
        self.state = np.zeros(1, dtype=State)
        self.moves = np.zeros(1, dtype=kernels.moves_record(game.max_moves))
        self.shares = np.zeros(game.players)
        self.deck = whole_deck(game)

    def play(self, games: int, tries: int) -> tuple[int, Any]:
        """Play games; return the number of plies and the last states; fail at a broken law."""
        ends = np.zeros((games, self.game.state_bytes), dtype=np.uint8)
        report = np.zeros(3, dtype=np.int64)
        play_games(
            self.game.addresses, self.options.view(np.uint8), self.state.view(np.uint8),
            self.state[0], self.moves.view(np.uint8), self.moves[0], self.shares, self.deck, tries,
            self.rng, ends, report,
        )  # fmt: skip
        plies, law, number = report.tolist()
        assert law == HOLDS, f"{LAWS[law]}: broken in game {number}, ply {plies}"
        return plies, ends.view(State)[:, 0]
