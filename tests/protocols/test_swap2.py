"""Gomocup programs choose colours in the opening swap2, by SWAP2BOARD."""

import pytest

import meeple
from meeple.agents.spec import agent
from meeple.engines.piskvork import PiskvorkEngine
from meeple.errors import EngineError, UsageError
from meeple.protocols.controller import EngineLimits
from meeple.protocols.piskvork.controller import PiskvorkController
from tests.tiers import few_quick

GAME = meeple.make("gomoku", size=9, opening="swap2")


class Answers:
    """A channel to a program with scripted answers."""

    def __init__(self, *answers):
        self.sent, self._answers = [], list(answers)

    def send(self, line):
        self.sent.append(line)

    def receive(self, deadline, stop=None):
        return self._answers.pop(0)


class ToEngine(Answers):
    """A channel to an engine of this process."""

    def __init__(self, engine):
        super().__init__()
        self._engine = engine

    def send(self, line):
        super().send(line)
        self._answers += [
            one for text in self._engine.handle(line) for one in text.split("\n")[:-1]
        ]


def chosen(*answers, moves=""):
    """Return a program's actions, by name, until it is the other's turn, and what was sent."""
    channel = Answers("OK", *answers)
    made = PiskvorkController(channel, GAME, EngineLimits(None, 0.1))
    made.start()
    position = GAME.start()
    for move in moves.split():
        position.play(move)
    seat, names = position.to_move, []
    while position.to_move == seat:
        action = made.choose(position).action
        names.append(position.action_name(action))
        position.play(action)
    return " ".join(names), channel.sent[1:]


@pytest.mark.parametrize(
    ("moves", "answers", "names", "stones"),
    [
        ("", ["4,4 5,4 6,6"], "e5 f5 g7", ()),
        ("e5 f5 g7", ["SWAP"], "black", ("4,4", "5,4", "6,6")),
        ("e5 f5 g7", ["MESSAGE hm", "0,8"], "white a9", ("4,4", "5,4", "6,6")),
        ("e5 f5 g7", ["0,0 1,0"], "more a1 b1", ("4,4", "5,4", "6,6")),
        ("e5 f5 g7 more a1 b1", ["swap"], "black", ("4,4", "5,4", "6,6", "0,0", "1,0")),
        ("e5 f5 g7 more a1 b1", ["8,8"], "white i9", ("4,4", "5,4", "6,6", "0,0", "1,0")),
    ],
)
def test_a_program_is_asked_for_its_choices(moves, answers, names, stones):
    assert chosen(*answers, moves=moves) == (names, ["SWAP2BOARD", *stones, "DONE"])


@pytest.mark.parametrize(
    ("moves", "answer"),
    [
        ("", "SWAP"),
        ("", "4,4"),
        ("e5 f5 g7", "1,1 2,2 3,3"),
        ("e5 f5 g7 more a1 b1", "1,1 2,2"),
        ("", "UNKNOWN x"),
        ("", "ERROR x"),
        ("e5 f5 g7", "9,9"),
    ],
)
def test_other_answers_lose_the_game(moves, answer):
    with pytest.raises(EngineError, match="SWAP2BOARD"):
        chosen(answer, moves=moves)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", few_quick(range(4)))
def test_a_whole_game_of_a_program_that_is_our_engine(seat, seed):
    channel = ToEngine(PiskvorkEngine("random", meeple.make("gomoku"), seed))
    program = PiskvorkController(channel, GAME, EngineLimits(None, 1.0))
    program.start()
    program.begin(seed)
    other, position = agent("random", GAME, seed), GAME.start()
    while not position.is_over and len(position.actions) < 30:
        if position.to_move == seat:
            position.play(program.choose(position).action)
        else:
            position.play(other.choose(position))
    assert "SWAP2BOARD" in channel.sent
    assert "BOARD" in channel.sent


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opening": "swap"}, "opening=none and opening=swap2"),
        ({"size": 5, "board": "X" + "-" * 24 + " X"}, "leave out board"),
    ],
)
def test_games_without_words_in_the_protocol_are_refused(options, words):
    with pytest.raises(UsageError, match=words):
        PiskvorkController(Answers(), meeple.make("gomoku", **options), EngineLimits(None, 1.0))
