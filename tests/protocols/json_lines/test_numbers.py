"""A program's numbers about its move are in range, or the program has committed a fault."""

import json

import pytest

import meeple
from meeple.errors import EngineError
from meeple.protocols.controller import EngineLimits
from meeple.protocols.json_lines.controller import JsonLinesController

LARGE = "9" * 400  # digits: more than a float or a machine's integer can hold


class Program:
    """A channel to a program whose move has these fields beside its action, as JSON."""

    def __init__(self, fields):
        self._fields, self._answers = fields, []

    def send(self, line):
        kind = json.loads(line)["type"]
        if kind == "hello":
            self._answers.append('{"type": "hello", "protocol": 1, "name": "fake"}')
        elif kind == "game":
            self._answers.append('{"type": "ready"}')
        elif kind == "go":
            self._answers.append(f'{{"type": "bestmove", "action": "take 1"{self._fields}}}')

    def receive(self, deadline, stop=None):
        return self._answers.pop(0)


def choose(fields):
    game = meeple.make("nim")
    made = JsonLinesController(Program(fields), game, EngineLimits())
    made.start()
    made.begin(1)
    return made.choose(game.start())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (f', "visits": {{"take 1": {LARGE}}}', "'take 1' must be a whole number from 0"),
        (', "visits": {"take 1": 1.5}', "'take 1' must be a whole number from 0"),
        (', "visits": {"take 1": -1}', "'take 1' must be a whole number from 0"),
        (', "visits": {"take 1": NaN}', "'take 1' must be a whole number from 0"),
        (', "visits": [1, 2]', "'visits' must be an object"),
        (f', "simulations": {LARGE}', "'simulations' must be a whole number from 0"),
        (', "simulations": 1e999', "'simulations' must be a whole number from 0"),
        (', "value": [NaN, 1e999]', "'value' must be 2 shares from 0 to 1"),
        (', "value": [5, -7]', "'value' must be 2 shares from 0 to 1"),
        (f', "value": [{LARGE}, 0]', "'value' must be 2 shares from 0 to 1"),
        (', "value": [1, 1]', "that sum to 1"),
        (', "value": [1]', "'value' must be 2 shares"),
        (', "value": ["1", "0"]', "'value' must be 2 shares"),
    ],
)
def test_an_out_of_range_number_is_a_fault_of_the_program(fields, words):
    with pytest.raises(EngineError, match=words) as error:
        choose(fields)
    assert error.value.fault == "rubbish"


def test_numbers_in_range_are_accepted_and_optional():
    answer = choose(', "value": [0.67, 0.33], "visits": {"take 1": 7, "fly": 2}, "simulations": 9')
    assert answer.value == (0.67, 0.33)
    assert list(answer.visits.values()) == [7]
    assert answer.simulations == 9
    assert choose("").value is None
    assert choose(', "value": null, "visits": null, "simulations": null').visits == {}
