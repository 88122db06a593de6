"""Whole numbers of NumPy are seeds and sizes; another value is refused in a sentence."""

import numpy as np
import pytest

import meeple
from meeple.arena.topp import play_topp
from meeple.errors import MeepleError
from meeple.interop.gymnasium import SeatEnv
from meeple.interop.pettingzoo import GameEnv
from meeple.interop.vector import VectorEnv

HEX = meeple.make("hex", size=3)
NIM = meeple.make("nim", stones=4)
RANDOM = ["random", "random"]
WHOLE = [np.int64(3), np.uint32(3), np.int8(3), np.uint64(3), np.array(3)]
WRONG = [None, 1.5, np.float64(3), "three", True, np.bool_(True), np.array([3, 3]), float("nan")]
ENTRANCES = {
    "make": lambda n: meeple.make("hex", size=n).options["size"],
    "start": lambda n: HEX.start(n).seed,
    "agent": lambda n: meeple.agent("uct:sims=9", HEX, seed=n).choose(HEX.start()),
    "begin": lambda n: meeple.agent("random", HEX).begin(n),
    "load": lambda n: meeple.load("tictactoe", seed=n).spec,
    "analyse": lambda n: meeple.analyse(HEX.start(), "uct:sims=9", seed=n).action,
    "match, seed": lambda n: meeple.match(HEX, RANDOM, games=2, seed=n).to_json()["seed"],
    "match, games": lambda n: meeple.match(HEX, RANDOM, games=n).to_json()["games"],
    "tournament": lambda n: meeple.tournament(NIM, ["random", "perfect"], n, n).to_json()["seed"],
    "exploitability": lambda n: meeple.exploitability("perfect", NIM, samples=n),
    "topp": lambda n: play_topp("no-run", n, seed=n, networks=n),
    "VectorEnv": lambda n: VectorEnv(HEX, n, n).reset(n)[0].shape,
    "VectorEnv.step": lambda n: VectorEnv(HEX, 1).step(np.asarray([n]))[0].shape,
    "gymnasium": lambda n: SeatEnv(HEX).reset(seed=n)[1],
    "gymnasium, step": lambda n: stepped(n),
    "pettingzoo": lambda n: GameEnv(HEX).reset(n),
}


DRAWN = {"gymnasium", "pettingzoo"}  # None: another game each time


def stepped(action):
    env = SeatEnv(HEX, illegal="raise")
    env.reset(seed=1)
    return env.step(action)[1]


def result(entrance, number):
    try:
        return entrance(number)
    except MeepleError as error:
        return str(error)


@pytest.mark.parametrize("name", ENTRANCES)
def test_a_whole_number_of_numpy_is_taken_as_one_of_python(name):
    for number in WHOLE:
        assert result(ENTRANCES[name], number) == result(ENTRANCES[name], 3)


@pytest.mark.parametrize("name", ENTRANCES)
@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_another_value_is_refused_in_a_sentence(name, wrong):
    if not (wrong is None and name in DRAWN):
        with pytest.raises(MeepleError):
            ENTRANCES[name](wrong)
