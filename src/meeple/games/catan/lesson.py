"""The lesson of Catan, and of its reduced game."""

import dataclasses

from meeple.games.contract.lessons import Lesson, LessonStep

BOARD = {"players": 2, "board": "beginner"}
SETTLED = (
    *("settlement 17", "road 26", "settlement 44", "road 57"),
    *("settlement 36", "road 46", "settlement 13", "road 20"),
)
GOOD_PLACES = (
    *(8, 12, 13, 17, 18, 23),
    *(20, 25, 26, 31, 32, 37),
    *(28, 33, 34, 38, 39, 43),
    *(40, 44, 45, 48, 49, 52),
)
"""The corners of the tiles with a 6 or an 8."""

_SETTLE = LessonStep(
    "You begin with two settlements and two roads. A settlement stands on a corner and gets a card "
    "from each tile around it whenever its number is rolled. The dots below a number show how "
    "often that is: 6 and 8 have the most. Place a settlement beside a 6 or an 8.",
    accepted=tuple(f"settlement {place}" for place in GOOD_PLACES),
    praise="Good. Different resources around a settlement matter as well",
    refusal="No tile there has a 6 or an 8. These numbers are red",
    options=BOARD,
)
_ROAD = LessonStep(
    "Roads lead from your settlements to new places: two settlements need at least two sides "
    "between them. Each of the first settlements gets a road. Place it.",
    moves=SETTLED[:1],
    accepted=("road *",),
    praise="Later you build from both ends of it",
    options=BOARD,
)
_ROLL = LessonStep(
    "A turn begins with the dice. Every player beside a tile with the number rolled gets its card: "
    "one for a settlement, two for a city. Roll.",
    moves=SETTLED,
    accepted=("roll",),
    praise="All players get their cards, not only the one who rolled",
    options=BOARD,
)
_ROBBER = LessonStep(
    "A 7 gives no cards. Who holds more than seven discards half of them, and you move the robber: "
    "its tile gives nothing, and you steal a card from a player beside it. Move it to a tile of "
    "player 2.",
    moves=(*SETTLED, "roll", "rolled 7"),
    accepted=tuple(f"robber {tile}" for tile in (10, 13, 14, 15, 16, 17)),
    praise="Player 2 loses a card to you, and gets nothing from this tile for now",
    refusal="Player 2 has no building there, so there is nobody to rob",
    options=BOARD,
)
_BUILD = LessonStep(
    "You have a wood and a brick: that pays for a road. Build one.",
    moves=(*SETTLED, "roll", "rolled 11"),
    accepted=("road *",),
    praise="The longest road of at least five sides is worth two points",
    refusal="That is allowed, but build a road now: click a marked side",
    options=BOARD,
)
_EXPAND = LessonStep(
    "Your road has reached a free corner, two sides from your settlement. A settlement costs wood, "
    "brick, wool and grain, and is worth a point. Build it.",
    moves=(
        *(*SETTLED, "roll", "rolled 11", "road 35", "end turn", "roll", "rolled 6", "end turn"),
        *("roll", "rolled 11", "end turn", "roll", "rolled 12", "end turn", "roll", "rolled 2"),
    ),
    accepted=("settlement 29",),
    praise="One more point. A city, for two grain and three ore, takes its place later and is "
    "worth two",
    refusal="That is allowed, but build the settlement now: click the marked corner",
    options=BOARD,
)
_TRADE = LessonStep(
    "In your turn you trade with the others, or with the bank: four equal cards for one, three or "
    "two at a port. Here you are player 2, and player 1 offers you 1 wool for 1 grain. "
    "Accept the offer.",
    moves=(*SETTLED, "roll", "rolled 2", "offer wool", "ask grain", "propose"),
    accepted=("accept",),
    praise="Player 1 now chooses among those who accepted. Who accepts helps both, so look who "
    "is ahead",
    refusal="You may refuse, and often should. This time accept",
    options=BOARD,
)

LESSON = Lesson(
    (
        "Players settle an island. Whoever has ten points in the own turn wins.",
        "A turn: roll the dice, and all players beside a tile with this number get its card, one "
        "for a settlement, two for a city. Then trade and build as long as you can pay.",
        "A road costs wood and brick; a settlement wood, brick, wool and grain, two sides away "
        "from all others; a city two grain and three ore; a development card wool, grain and ore.",
        "After a 7 everybody with more than seven cards discards half of them, and you move the "
        "robber: its tile gives nothing, and you steal a card from a player beside it. A knight "
        "does the same.",
        "Points: a settlement 1, a city 2, the longest road of five or more 2, the largest army of "
        "three or more knights 2, some development cards 1.",
    ),
    (_SETTLE, _ROAD, _ROLL, _ROBBER, _BUILD, _EXPAND, _TRADE),
)
REDUCED_LESSON = Lesson(
    (
        "Players settle a fixed island, without robber, development cards and trade between "
        "players. The shares of the win go by points.",
        LESSON.rules[1],
        "A road costs wood and brick; a settlement wood, brick, wool and grain, two sides away "
        "from all others; a city two grain and three ore.",
    ),
    tuple(
        dataclasses.replace(step, options={"players": 2})
        for step in (_SETTLE, _ROAD, _ROLL, _BUILD, _EXPAND)
    ),
)
