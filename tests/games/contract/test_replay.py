"""A replay names the plies that are parts of one action, such as an offer."""

from meeple.games.catan.rules import state as c
from meeple.games.contract.registry import make
from meeple.games.contract.replay import Replay
from tests.games.catan.playing import random_game


def test_the_cards_of_an_offer_are_parts_and_what_is_reported_is_not():
    position = list(random_game(4, plies=600, players=3))[-1]
    replay = Replay(position)
    parts = {ply for ply in range(replay.plies) if replay.is_part(ply)}
    for ply, action in enumerate(replay.actions):
        mover = replay.movers[ply]
        if mover >= 0 and c.GIVE <= action < c.PROPOSE and ply + 1 < replay.plies:
            assert ply in parts
        if mover < 0 or action in (c.PROPOSE, c.END_TURN, c.ROLL_DICE, c.BUY_CARD):
            assert ply not in parts
        if mover >= 0 and action < c.ROB:  # buildings, and the robber
            assert ply not in parts
    assert parts


def test_no_move_of_a_game_without_such_actions_is_a_part():
    position = make("hex", size=3).start()
    for action in (0, 4, 8):
        position.play(action)
    replay = Replay(position)
    assert not any(replay.is_part(ply) for ply in range(4))
