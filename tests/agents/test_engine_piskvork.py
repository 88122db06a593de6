"""Gomocup programs as agents: strict ones, and one that drops lines after its move."""

import sys
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple.agents.spec import agent
from meeple.arena.games.play import play_game
from meeple.errors import EngineError
from meeple.protocols.controller import EngineLimits
from meeple.protocols.piskvork.controller import PiskvorkController

FAKE = f"{sys.executable} {Path(__file__).parent.parent / 'protocols' / 'fake_piskvork.py'}"
LISTED = (
    *("timeout_turn", "timeout_match", "max_memory", "time_left"),
    *("game_type", "rule", "evaluate", "folder"),
)
"""The keys of INFO that the protocol lists."""


class Recorded:
    """A stand-in for a channel to a program, with scripted answers."""

    def __init__(self, *answers):
        self.sent, self._answers = [], list(answers)

    def send(self, line):
        self.sent.append(line)

    def receive(self, deadline, stop=None):
        if not self._answers:
            raise EngineError("it gives no answer in time", "time")
        return self._answers.pop(0)


def gomoku():
    return meeple.make("gomoku", size=9)


def controller(channel, **options):
    return PiskvorkController(channel, gomoku(), EngineLimits(1.0, 0.1), **options)


def play(command, keys=""):
    """Play a game of a program, which moves first, against the random player."""
    game = gomoku()
    program: Any = agent(f'engine:"{command}",grace=60{keys}', game)
    played = play_game(game, [program, agent("random", game)], [3, 4, 5]).position
    program.close()
    return played


def test_only_keys_of_the_protocol_and_a_wanted_seed_are_sent_and_refusals_are_no_fault():
    channel = Recorded("OK", "ERROR Unknown command", "UNKNOWN", "4,4")
    made = controller(channel)
    made.start()
    made.begin(7)
    assert made.choose(gomoku().start()).action == 4 * 9 + 4
    keys = [line.split()[1] for line in channel.sent if line.startswith("INFO")]
    assert set(keys) <= set(LISTED)
    assert "rule" in keys
    channel = Recorded("OK")
    made = controller(channel, seeded=True)
    made.start()
    made.begin(7)
    assert channel.sent[-1] == "INFO seed 7"


@pytest.mark.slow
@pytest.mark.parametrize("known", ["", " ".join(LISTED)])
def test_strict_program_plays_a_whole_game_also_after_an_unknown_key(known):
    assert play(f"{FAKE} 0 {known}", ",seeded=on").is_over


def test_refused_move_is_an_immediate_fault():
    channel = Recorded("OK", "ERROR Unknown command", "4,4", "ERROR no such cell")
    made = controller(channel)
    made.start()
    made.begin(7)
    position = gomoku().start()
    position.play(made.choose(position).action)
    position.play(0)
    with pytest.raises(EngineError, match="no such cell") as error:
        made.choose(position)
    assert error.value.fault == "rubbish"


def test_program_that_answers_only_a_refusal_loses_on_time_and_the_refusal_is_shown():
    made = controller(Recorded("OK", "ERROR no opening book"))
    made.start()
    made.begin(7)
    with pytest.raises(EngineError, match="no answer in time, after 'ERROR no opening book'"):
        made.choose(gomoku().start())


@pytest.mark.slow
def test_program_that_drops_lines_for_50_ms_after_its_move_plays_a_whole_game():
    assert play(f"{FAKE} 0.05 {' '.join(LISTED)}").is_over
