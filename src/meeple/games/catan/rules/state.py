"""The state of a game of Catan, its constants and action numbers; imported as `c`."""

import numpy as np

from meeple.games.catan.rules.topology import EDGES, PORTS, TILES, VERTICES
from meeple.kernels import record

MAX_SEATS = 4
RESOURCES = ("wood", "brick", "wool", "grain", "ore")
WOOD, BRICK, WOOL, GRAIN, ORE = range(5)
KINDS = 5  # number of resources, and of kinds of development cards
DESERT = 5  # `tile_resource` of the desert
CARDS = ("knight", "victory point", "road building", "year of plenty", "monopoly")
KNIGHT, VICTORY_POINT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY = range(5)

BANK_CARDS = 19  # cards of each resource
DECK_CARDS = (14, 5, 2, 2, 2)  # development cards of each kind
ROADS_PER_SEAT, SETTLEMENTS_PER_SEAT, CITIES_PER_SEAT = 15, 5, 4
MIN_LONGEST_ROAD, MIN_LARGEST_ARMY = 5, 3
MAX_OFFERS_PER_TURN = 8  # offers and deals that a player may begin

# What is bought: rows of COSTS.
THINGS = ("road", "settlement", "city", "development card")
ROAD, SETTLEMENT, CITY, CARD = range(4)
COSTS = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0], [0, 0, 0, 2, 3], [0, 0, 1, 1, 1]], np.int8)
"""[4, 5] cards of each resource."""

NO_SEAT = -1

# Kinds of ports: values of `vertex_port`, bits of `ports`. A 2:1 port is ANY_PORT + 1 + resource.
NO_PORT, ANY_PORT = 0, 1

# Phases: the next decision or chance event.
(
    SETTLE,  # setup: a settlement
    SETTLE_ROAD,  # setup: the road beside it
    ROLL,  # before the dice
    DICE,  # chance
    DISCARD,
    ROBBER,  # choosing its tile
    VICTIM,  # choosing the player to rob
    STEAL,  # chance
    MAIN,
    FREE_ROADS,  # of the card road building
    DRAW,  # chance: a development card
    OFFER,  # composing an offer
    ANSWER,  # another seat answers the offer
    COUNTER,  # another seat composes a counter-offer
    CHOOSE,  # choosing a partner
    DEAL,  # composing a deal
    CONSENT,  # a party of the deal agrees or refuses
) = range(17)
PHASES = (
    "settlement", "first road", "before the dice", "dice", "discard", "robber", "victim", "steal",
    "main", "free roads", "draw", "offer", "answer", "counter-offer", "choose",
    "deal", "consent",
)  # fmt: skip

WAITING, REFUSED, ACCEPTED, COUNTERED = range(4)  # answers to an offer
NO_CLAUSE = -1  # a deal about cards only

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
    turns=np.int32,  # completed turns
    actions=np.int32,  # players' actions, counted if `max_actions` is set
    # the board
    tile_resource=(np.int8, (TILES,)),
    tile_number=(np.int8, (TILES,)),  # 0 on the desert
    vertex_port=(np.int8, (VERTICES,)),
    robber=np.int8,  # a tile, or NO_SEAT
    vertex=(np.int8, (VERTICES,)),  # 0 empty, 1 + seat a settlement, 5 + seat a city
    edge=(np.int8, (EDGES,)),  # 0 empty, 1 + seat a road
    crowded=(np.int8, (VERTICES,)),  # 1: a building stands here or on a neighbouring vertex
    # of each seat
    hand=(np.int8, (MAX_SEATS, KINDS)),
    cards=(np.int8, (MAX_SEATS, KINDS)),  # development cards held
    played=(np.int8, (MAX_SEATS, KINDS)),
    roads=(np.int8, (MAX_SEATS,)),  # pieces left
    settlements=(np.int8, (MAX_SEATS,)),
    cities=(np.int8, (MAX_SEATS,)),
    ports=(np.int8, (MAX_SEATS,)),  # bit set of kinds: 1 << `vertex_port`
    road_length=(np.int8, (MAX_SEATS,)),
    longest_road=np.int8,  # a seat, or NO_SEAT
    largest_army=np.int8,
    # the common stock
    bank=(np.int8, (KINDS,)),
    deck=(np.int8, (KINDS,)),
    # the turn
    rolled=np.bool_,
    dice=np.int8,  # sum of the last roll
    card_played=np.bool_,
    fresh=(np.int8, (KINDS,)),  # development cards bought this turn
    free_roads=np.int8,  # still to be placed
    discards=(np.int8, (MAX_SEATS,)),  # cards still to be discarded
    last=np.int8,  # resource of the previous discard, or place of the previous card of an offer
    victim=np.int8,
    setup=np.int8,  # settlements placed
    settled=np.int8,  # vertex of the latest setup settlement
    # the offer, or the deal
    offers=np.int8,  # begun this turn
    wanting=np.bool_,  # the cards to give are complete; cards to get are being added
    give=(np.int8, (MAX_SEATS, KINDS)),  # by the seat on turn, by seats that counter, by parties
    want=(np.int8, (MAX_SEATS, KINDS)),
    answers=(np.int8, (MAX_SEATS,)),
    dealing=np.int8,  # phase in which the deal was begun
    clause=np.int16,  # action that the deal carries out beside exchanging cards, or NO_CLAUSE
    trail=(np.int8, (2, ROADS_PER_SEAT + 1)),  # stack of `longest_trail`; zero outside it
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
    board=np.int8,  # FIXED, SHUFFLED or BALANCED
    tile_resource=(np.int8, (TILES,)),
    tile_number=(np.int8, (TILES,)),
    port_edge=(np.int8, (PORTS,)),
    port=(np.int8, (PORTS,)),
)
FIXED, SHUFFLED, BALANCED = range(3)

# The first action number of each type.
SETTLEMENT_AT = 0
CITY_AT = SETTLEMENT_AT + VERTICES
ROAD_AT = CITY_AT + VERTICES
ROBBER_TO = ROAD_AT + EDGES
ROB = ROBBER_TO + TILES
ROLL_DICE = ROB + MAX_SEATS
END_TURN = ROLL_DICE + 1
BUY_CARD = END_TURN + 1
PLAY_KNIGHT = BUY_CARD + 1
PLAY_ROADS = PLAY_KNIGHT + 1
PLAY_PLENTY = PLAY_ROADS + 1  # two resources: r * 5 + q, r <= q
PLAY_PLENTY_ONE = PLAY_PLENTY + KINDS * KINDS
PLAY_MONOPOLY = PLAY_PLENTY_ONE + KINDS
MARITIME = PLAY_MONOPOLY + KINDS  # give r and take q: r * 5 + q
DISCARD_ONE = MARITIME + KINDS * KINDS
GIVE = DISCARD_ONE + KINDS
WANT = GIVE + KINDS
PROPOSE = WANT + KINDS
ACCEPT = PROPOSE + 1
REFUSE = ACCEPT + 1
TRADE_WITH = REFUSE + 1
WITHDRAW = TRADE_WITH + MAX_SEATS
NUM_ACTIONS = WITHDRAW + 1
# Actions of the option `deals`: seat * 5 + r.
DEAL_GIVE = NUM_ACTIONS
DEAL_GET = DEAL_GIVE + MAX_SEATS * KINDS
NUM_ACTIONS_WITH_DEALS = DEAL_GET + MAX_SEATS * KINDS

MAX_MOVES = 180
"""Upper bound of the number of legal actions: 72 roads, 54 settlements or the actions of a turn."""
