"""A seat follows a game that a server once sent, `game.txt`, and answers for itself."""

import itertools
import logging
import re
from pathlib import Path

import numpy as np
import pytest

from meeple.agents.agent import Analysis
from meeple.errors import MeepleError
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import points, public_points
from meeple_jsettlers import board
from meeple_jsettlers.seat import Seat, options_of
from meeple_jsettlers.wire import Kind, parse

GAME = Path(__file__).with_name("game.txt").read_text().splitlines()


class Scripted:
    """Chooses the given actions, then always the first legal one."""

    spec = "scripted"
    analysis: Analysis | None = None

    def __init__(self, *actions):
        self.actions, self.asked = list(actions), []

    def begin(self, seed):
        pass

    def choose(self, position, stop=None):
        legal = position.legal_actions().tolist()
        self.asked.append(legal)
        action = self.actions.pop(0) if self.actions else legal[0]
        assert action in legal
        return int(action)


def new_seat(name="t", agent=None):
    return Seat(name, "meeple", "PL=4", lambda game, seed: agent or Scripted())


def seat_after(until=None, agent=None):
    """Return the seat after the messages of the recorded game, up to one that begins so."""
    seat = new_seat(agent=agent)
    for line in GAME:
        if until is not None and line.startswith(until):
            break
        seat.hear(parse(line))
    return seat


def test_a_whole_game_is_followed_to_its_end(caplog):
    caplog.set_level(logging.WARNING)
    seat = seat_after()
    table = seat.player.table
    assert caplog.records == []
    assert seat.is_over
    assert seat.scores == [10, 8, 8, 8]
    assert table.players == [3, 0, 1, 2]
    assert table.me == 1
    s = table.state
    assert points(s, table.me) == 10
    revealed = {0: 2, 2: 2}  # victory points shown after the end, by number
    for number, score in enumerate(seat.scores):
        found = public_points(s, table.seat(number))
        assert found == score - revealed.get(number, 0)
    assert (s.hand.sum(axis=0) + s.bank == c.BANK_CARDS).all()


ISLAND = """1014|t,53,6,10,6,6,3,1,2,10,34,2,5,2,5,6,6,4,4,3,3,1,84,8,4,1,5,4,6,6,0,3,5,99,7,6
,97,6,-1,-1,-1,-1,-1,1,5,7,-1,-1,4,2,3,6,-1,-1,0,6,8,4,9,-1,-1,3,7,1,8,-1,-1,-1,5,2,-1,-1,-1,-1,-1,115"""
PASSED = """1026|t,2,5 1009|t,2,1,154 1009|t,2,0,138 1026|t,3,5 1009|t,3,1,86 1009|t,3,0,70
1026|t,0,5 1026|t,1,5 1009|t,1,1,122 1009|t,1,0,122 1026|t,1,10 1009|t,1,1,186 1009|t,1,0,186
1026|t,0,10 1026|t,3,10 1009|t,3,1,88 1009|t,3,0,72 1026|t,2,10"""
LAST = """1009|t,2,1,118 1009|t,2,0,118 1026|t,2,15 1028|t,8 1092|t|2|1|4|1|1|0|3|4|1|1 1025|t,20"""


def test_a_monopoly_takes_nothing_from_those_whose_hands_are_not_reported():
    """The first of the recorded game that another hand than the sampled one allows."""
    seat = new_seat()
    for line in GAME:
        seat.hear(parse(line))
        if line != "1025|t,20" or seat.player.table.my_turn:
            continue
        table = seat.player.table
        thief, before = int(table.state.on_turn), table.state.hand.copy()
        others = [other for other in range(4) if other not in (thief, table.me)]
        for hands, r in itertools.product(table._belief.joint_hands[0], range(c.KINDS)):
            if any(hands[other, r] == 0 < before[other, r] for other in others):
                break
        else:
            continue
        break
    lost = np.array(hands[:, r], dtype=int)
    for other in others:
        if lost[other]:
            left = hands[other].sum() - lost[other]
            seat.hear(parse(f"1063|t,{table.players[other]},{left}"))
    lost[thief] -= lost.sum()
    theirs = board.their_resource(r)
    seat.hear(parse(f"1090|t,{table.players[thief]},3,{-lost[thief]},{theirs}"))
    assert (before.sum(axis=1) - table.state.hand.sum(axis=1)).tolist() == lost.tolist()
    assert table.state.hand[:, r].tolist() == [hands[:, r].sum() * (n == thief) for n in range(4)]


@pytest.mark.parametrize("last", [LAST, "1026|t,2,15"])
def test_the_server_passes_over_a_seat_that_is_too_slow_in_the_setup(last, caplog):
    seat = new_seat()
    lines = [f"1012|t,{name},{number},true" for number, name in enumerate(["meeple", *"abc"])]
    for line in [*lines, ISLAND.replace("\n", ""), *PASSED.split(), *last.split()]:
        seat.hear(parse(line))
    table = seat.player.table
    assert table.players == [2, 3, 0, 1]
    assert table.state.settlements.tolist() == [3 if last == LAST else 4, 3, 5, 3]
    assert table.state.phase == (c.MAIN if last == LAST else c.ROLL)
    assert table.state.on_turn == 0
    assert caplog.records == []


def test_others_hidden_cards_are_not_known_but_their_numbers_are():
    table = seat_after().player.table
    hands, _ = table._belief.joint_hands
    sizes = hands.sum(axis=2)
    assert (sizes == sizes[0]).all()
    others = [seat for seat in range(4) if seat != table.me]
    assert len(np.unique(hands[:, others].reshape(len(hands), -1), axis=0)) > 1
    assert len(np.unique(hands[:, table.me], axis=0)) == 1


@pytest.fixture(scope="module")
def our_turn():
    """The seat after our dice of the recorded game, in which we may do everything."""
    turns = [number for number, line in enumerate(GAME) if line == "1026|t,0,15"]
    seat = new_seat()
    for line in GAME[: turns[1]]:
        seat.hear(parse(line))
    return seat


def test_an_action_is_sent_once_until_the_server_reports_the_state(our_turn):
    seat = our_turn
    seat.hear(parse("1026|t,0,15"))
    assert seat.act() == ["1031|t"]
    assert seat.act() == []
    seat.hear(parse("1104|t,15,3"))  # the server declines: the dice must be thrown all the same
    assert seat.act() == ["1031|t"]
    seat.hear(parse("1028|t,12"))
    assert seat.act() == []
    seat.hear(parse("1025|t,20"))
    agent = Scripted(c.END_TURN, c.END_TURN)
    seat.player.agent = agent
    assert seat.act() == ["1032|t"]
    assert c.END_TURN in agent.asked[0]
    assert seat.act() == []
    seat.hear(parse("1040|t,0,0,0,0,0,0,0,0,0,0,0"))  # the state is not reported after it
    assert seat.act() == ["1032|t"]


def test_an_offer_goes_to_those_with_whom_we_would_trade():
    """The first to accept it gets the trade; one that suits nobody is not made."""
    ours = "1041|t,0,false,"
    offer = (c.GIVE + c.WOOL, c.WANT + c.GRAIN, c.PROPOSE)
    agent = Scripted(*offer, c.TRADE_WITH + 0, c.WITHDRAW, c.TRADE_WITH + 3)
    seat = seat_after(ours, agent)
    seat.player.see_state()
    assert seat.act() == ["1041|t,0,false,false,true,true,0,0,1,0,0,0,0,0,1,0"]
    agent = Scripted(*offer, c.WITHDRAW, c.WITHDRAW, c.WITHDRAW, c.END_TURN)
    seat = seat_after(ours, agent)
    seat.player.see_state()
    assert [seat.act(), seat.act()] == [[], ["1032|t"]]
    position = seat.player.table.position
    assert offer not in position.game.offers(position)


def test_a_counter_offer_is_made_once_a_turn():
    theirs = next(line for line in GAME if line.startswith("1041|t,2,true"))
    counter = (c.GIVE + c.WOOL, c.WANT + c.GRAIN, c.PROPOSE)
    seat = seat_after(theirs, Scripted(*counter, *counter))
    answers = [seat.hear(parse(theirs)) for _ in range(2)]
    assert answers == [["1041|t,0,false,false,true,false,0,0,1,0,0,0,0,0,1,0"], ["1037|t,0"]]


BEGUN = """1012|g,robot 3,0,true 1012|g,Max,1,false 1012|g,droid 2,2,true 1012|g,robot 7,3,true
1014|g,9,6,10,6,6,2,4,1,10,37,3,0,5,1,6,6,5,4,4,3,3,11,36,3,2,5,5,6,6,4,2,1,97,18,6,99,6,-1,-1,-1,-1,-1,3,0,4,-1,-1,7,-1,6,1,-1,-1,5,1,8,2,5,-1,-1,2,4,3,7,-1,-1,8,9,6,-1,-1,-1,-1,-1,117
1096|g|4|3 1009|g,0,1,139 1009|g,0,0,138 1009|g,0,1,184 1009|g,0,0,184 1009|g,0,0,168 1009|g,0,1,218
1086|g|0|100|18|218|6|4|15|0|10|11|11|2|12|4
1009|g,1,1,188 1009|g,1,0,188 1009|g,1,1,67 1009|g,1,0,66
1086|g|1|100|18|67|6|4|15|0|10|11|11|3|12|4
1009|g,2,1,52 1009|g,2,0,52 1009|g,2,1,186 1009|g,2,0,186
1086|g|2|100|18|186|6|3|15|0|10|12|11|3|12|4
1009|g,3,1,135 1009|g,3,0,135 1009|g,3,1,101 1009|g,3,0,84
1086|g|3|100|18|101|6|2|15|2|10|11|11|3|12|4 1096|g|2|23|1|5|3|0|6|-1|5|-1"""
SEATED = "1012|g,meeple,0,false\n1086|g|0|100|1|1|2|0|3|0|4|0|5|3|6|0\n1025|g,33"


def test_a_game_that_has_begun_is_entered_with_the_hands_of_its_messages():
    """As a server sent it; the state of the game comes only after we sit."""
    seat = new_seat("g")
    for line in re.split(r"[ \n](?=1)", BEGUN):
        seat.hear(parse(line))
    assert seat.chair() == 0  # a robot's
    for line in SEATED.splitlines():
        seat.hear(parse(line))
    table = seat.player.table
    assert table.players == [0, 1, 2, 3]
    assert table.state.hand.sum(axis=1).tolist() == [4, 4, 3, 2]
    assert table.state.hand[table.me].tolist() == [3, 1, 0, 0, 0]
    for line in ("1034|g,3,123", "1102|g,3,0,R,5,1,T", "1025|g,15"):
        seat.hear(parse(line))
    assert table.state.hand.sum(axis=1).tolist() == [3, 4, 3, 3]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("1009|t,7,0,67", "a player who does not sit there"),
        ("1009|t,1,0,3", "not of Catan's base game"),
        ("1028|t,40", "dice that show 40"),
        ("1034|t,1,17", "a robber outside the island"),
        ("1040|t,1,1", "malformed message"),
        ("1041|t,1,true,x", "malformed message"),
        ("1009|t,0,0", "malformed message"),
        ("1040|t,3,0,0,0,0,0,1,128,0,0,1", "malformed message"),
        ("1052|t,99999999999,0,0,0,0,1,2", "malformed message"),
        ("1033|t,p2,0,0,0,0,0,9999", "more cards than there are"),
        ("1105|t,9,9", "takes back what was not played"),
        ("1052|t,5,5,5,5,5,1,2", "brings no one or two cards"),
    ],
)
def test_a_message_that_contradicts_the_rules_is_named(message, sentence):
    seat = seat_after("1026|t,3,15")
    seat.player.table._marks.clear()
    with pytest.raises(MeepleError, match=sentence):
        seat.hear(parse(message))


def test_options_of_another_game_are_refused_and_others_are_ours():
    assert options_of("BC=t4,N7=f7,RD=f,PL=4,VP=t12,NT=t") == {
        "victory_points": 12,
        "domestic_trade": False,
    }
    assert options_of("PL=4,VP=f10,NT=f,SBL=f") == {}
    for text, what in (("SBL=t", "sea board"), ("PL=6,PLB=t", "six"), ("SC=SC_FOG", "scenario")):
        with pytest.raises(MeepleError, match=what):
            options_of(text)


def test_every_kind_that_the_recording_has_is_named():
    kinds = {int(line.split("|")[0]) for line in GAME}
    assert kinds <= set(map(int, Kind))
