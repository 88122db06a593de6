"""The state of a game of Catan, the actions by number, and what things cost: `c` in other files."""

import numpy as np

from meeple.games.catan.rules.topology import EDGES, PORTS, TILES, VERTICES
from meeple.kernels import record

SEATS = 4  # at most
RESOURCES = ("wood", "brick", "wool", "grain", "ore")
WOOD, BRICK, WOOL, GRAIN, ORE = range(5)
KINDS = 5  # of resources, and of development cards
DESERT = 5  # a tile's resource
CARDS = ("knight", "victory point", "road building", "year of plenty", "monopoly")
KNIGHT, VICTORY_POINT, ROAD_BUILDING, PLENTY, MONOPOLY = range(5)

BANK = 19  # cards of each resource
DECK = (14, 5, 2, 2, 2)
ROADS, SETTLEMENTS, CITIES = 15, 5, 4  # pieces of each seat
LONGEST_AT_LEAST, ARMY_AT_LEAST = 5, 3
OFFERS = 8  # that a player may begin in a turn

NOBODY = -1

# What a port trades: bits of `ports`, and `vertex_port`. A 2:1 port is ANY_PORT + 1 + resource.
NO_PORT, ANY_PORT = 0, 1

# Phases: what is decided next, or drawn.
(
    SETTLE,  # setup: a settlement
    SETTLE_ROAD,  # setup: the road beside it
    ROLL,  # before the dice
    DICE,  # chance
    DISCARD,
    ROBBER,  # where it goes
    VICTIM,  # whom it robs
    STEAL,  # chance
    MAIN,
    FREE_ROADS,  # of road building
    DRAW,  # chance: a development card
    OFFER,  # composing an offer
    ANSWER,  # another seat answers it
    COUNTER,  # or composes a counter-offer
    CHOOSE,  # whom to trade with
    DEAL,  # composing a deal
    CONSENT,  # a party of it agrees, or does not
) = range(17)
PHASES = (
    "settlement", "first road", "before the dice", "dice", "discard", "robber", "victim", "steal",
    "main", "free roads", "draw", "offer", "answer", "counter-offer", "choose",
    "deal", "consent",
)  # fmt: skip

WAITING, REFUSED, ACCEPTED, COUNTERED = range(4)  # answers to an offer
NO_CLAUSE = -1  # of a deal

State = record(
    to_move=np.int8,
    phase=np.int8,
    on_turn=np.int8,
    players=np.int8,
    # the options
    victory_points=np.int8,
    discard_limit=np.int8,
    with_robber=np.bool_,
    with_cards=np.bool_,
    with_trade=np.bool_,
    with_deals=np.bool_,
    hidden_hands=np.bool_,
    friendly_robber=np.bool_,
    by_points=np.bool_,
    max_turns=np.int32,
    max_actions=np.int32,  # 0: no limit
    turns=np.int32,  # that have ended
    actions=np.int32,  # of players, counted where there is a limit
    # the board
    tile_resource=(np.int8, (TILES,)),
    tile_number=(np.int8, (TILES,)),  # 0 on the desert
    vertex_port=(np.int8, (VERTICES,)),
    robber=np.int8,  # a tile, or NOBODY
    vertex=(np.int8, (VERTICES,)),  # 0 empty, 1 + seat a settlement, 5 + seat a city
    edge=(np.int8, (EDGES,)),  # 0 empty, 1 + seat a road
    crowded=(np.int8, (VERTICES,)),  # 1: a building stands there or next to it
    # of each seat
    hand=(np.int8, (SEATS, KINDS)),
    cards=(np.int8, (SEATS, KINDS)),  # development cards held
    played=(np.int8, (SEATS, KINDS)),
    roads=(np.int8, (SEATS,)),  # pieces left
    settlements=(np.int8, (SEATS,)),
    cities=(np.int8, (SEATS,)),
    ports=(np.int8, (SEATS,)),  # bits, 1 << what `vertex_port` says
    road_length=(np.int8, (SEATS,)),
    longest_road=np.int8,  # a seat, or NOBODY
    largest_army=np.int8,
    # the common stock
    bank=(np.int8, (KINDS,)),
    deck=(np.int8, (KINDS,)),
    # the turn
    rolled=np.bool_,
    dice=np.int8,  # the last sum
    card_played=np.bool_,
    fresh=(np.int8, (KINDS,)),  # development cards bought this turn
    free_roads=np.int8,  # still to be placed
    discards=(np.int8, (SEATS,)),  # cards still to be discarded
    last=np.int8,  # the resource discarded or composed last
    victim=np.int8,
    setup=np.int8,  # settlements placed
    settled=np.int8,  # in the setup, the vertex of the last one
    # the offer, or the deal
    offers=np.int8,  # begun this turn
    wanting=np.bool_,  # composing has come to what is wanted
    give=(np.int8, (SEATS, KINDS)),  # by the seat on turn, and by seats that counter
    want=(np.int8, (SEATS, KINDS)),
    answers=(np.int8, (SEATS,)),
    dealing=np.int8,  # the phase that a deal was begun in
    clause=np.int16,  # what it does beside cards: the action, or NO_CLAUSE
    trail=(np.int8, (2, ROADS + 1)),  # working memory of `roads.longest_trail`, zero between
)

Options = record(
    players=np.int8,
    victory_points=np.int8,
    discard_limit=np.int8,
    robber=np.bool_,
    development_cards=np.bool_,
    domestic_trade=np.bool_,
    deals=np.bool_,
    hidden_hands=np.bool_,
    friendly_robber=np.bool_,
    by_points=np.bool_,
    max_turns=np.int32,
    max_actions=np.int32,
    board=np.int8,  # what of it is shuffled
    tile_resource=(np.int8, (TILES,)),
    tile_number=(np.int8, (TILES,)),
    port_edge=(np.int8, (PORTS,)),
    port=(np.int8, (PORTS,)),
)
FIXED, SHUFFLED, BALANCED = range(3)

# Actions, by the first of their numbers.
SETTLEMENT_AT = 0
CITY_AT = SETTLEMENT_AT + VERTICES
ROAD_AT = CITY_AT + VERTICES
ROBBER_TO = ROAD_AT + EDGES
ROB = ROBBER_TO + TILES
ROLL_DICE = ROB + SEATS
END_TURN = ROLL_DICE + 1
BUY_CARD = END_TURN + 1
PLAY_KNIGHT = BUY_CARD + 1
PLAY_ROADS = PLAY_KNIGHT + 1
PLAY_PLENTY = PLAY_ROADS + 1  # two resources, r * 5 + q with r <= q
PLAY_PLENTY_ONE = PLAY_PLENTY + KINDS * KINDS
PLAY_MONOPOLY = PLAY_PLENTY_ONE + KINDS
MARITIME = PLAY_MONOPOLY + KINDS  # give r, take q: r * 5 + q
DISCARD_ONE = MARITIME + KINDS * KINDS
GIVE = DISCARD_ONE + KINDS
WANT = GIVE + KINDS
PROPOSE = WANT + KINDS
ACCEPT = PROPOSE + 1
REFUSE = ACCEPT + 1
TRADE_WITH = REFUSE + 1
WITHDRAW = TRADE_WITH + SEATS
NUM_ACTIONS = WITHDRAW + 1
# With deals there are more: seat * 5 + r.
DEAL_GIVE = NUM_ACTIONS
DEAL_GET = DEAL_GIVE + SEATS * KINDS
NUM_WITH_DEALS = DEAL_GET + SEATS * KINDS

MOST_MOVES = 180
"""Legal actions of a position, at most: 72 roads, 54 settlements, or what a turn offers."""
