"""The moves and estimates of a Reversi program, by NBoard's protocol."""

import pytest

import meeple
from meeple.errors import EngineError
from meeple.protocols.controller import EngineLimits
from meeple.protocols.nboard.controller import NBoardController


class Program:
    """A channel to a program that answers `go` with this line."""

    def __init__(self, answer):
        self._answer, self._answers, self.sent = answer, [], []

    def send(self, line):
        self.sent.append(line)
        if line.startswith("ping"):
            self._answers.append(line.replace("ping", "pong"))
        elif line == "go":
            self._answers.append(self._answer)

    def receive(self, deadline, stop=None):
        return self._answers.pop(0)


def controller(answer, **options):
    return NBoardController(Program(answer), meeple.make("reversi"), EngineLimits(), **options)


@pytest.mark.parametrize("estimate", ["nan", "inf", "-1e999", "9" * 400])
def test_a_non_numeric_estimate_is_a_fault_of_the_program(estimate):
    with pytest.raises(EngineError, match="no number of discs") as error:
        controller(f"=== D3/{estimate}/1.0").choose(meeple.make("reversi").start())
    assert error.value.fault == "rubbish"


def test_an_estimate_is_a_probability_of_winning():
    answer = controller("=== D3/32.00/1.0").choose(meeple.make("reversi").start())
    assert answer.value == (0.75, 0.25)


def test_extensions_of_the_protocol_are_sent_only_on_request():
    for seeded in (False, True):
        made = controller("=== D3", seeded=seeded)
        made.start()
        made.begin(7)
        assert ("set seed 7" in made._channel.sent) == seeded
