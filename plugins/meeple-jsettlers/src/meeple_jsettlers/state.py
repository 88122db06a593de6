"""The states of a game of JSettlers that this client distinguishes."""

import enum


class State(enum.IntEnum):
    """What a game waits for; other numbers belong to scenarios, or need no answer."""

    NEW = 0
    FIRST_SETTLEMENT = 5
    FIRST_ROAD = 6
    SECOND_SETTLEMENT = 10
    SECOND_ROAD = 11
    ROLL_OR_CARD = 15
    PLAY = 20
    PLACING_ROBBER = 33
    WAITING_FOR_DISCARDS = 50
    WAITING_FOR_VICTIM = 51
    WAITING_FOR_PLENTY = 52
    WAITING_FOR_MONOPOLY = 53
    OVER = 1000


SETUP = (
    State.FIRST_SETTLEMENT,
    State.FIRST_ROAD,
    State.SECOND_SETTLEMENT,
    State.SECOND_ROAD,
)
