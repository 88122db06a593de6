"""Backends of plug-ins: the places where they run, games and training there, and refusals."""

import importlib

import pytest

import meeple
from meeple.arena.games.conditions import Conditions
from meeple.arena.match import match
from meeple.arena.tournament import play_tournament
from meeple.cli.train.learning import learn
from meeple.errors import UsageError
from meeple.executors.backend import Place, place_of
from meeple.learn.run.folder import RunFolder
from tests.learn.small import config

NIM = meeple.make("nim")
SPECS = ["random", "uct:sims=20"]
TOY = """
import contextlib
from meeple.arena.games.workers import Worker
from meeple.executors.backend import Backend
from meeple.executors.threads import InThisThread
from meeple.learn.workers.local import LocalBackend

TOY = Backend("toys:games", "toys:training")
SEEN = []


class Games(InThisThread):
    def close(self):
        SEEN.append("closed")


def games(place, conditions, specs, workers):
    SEEN.append((place.name, workers))
    return Games(Worker(conditions, specs), Worker.play)


@contextlib.contextmanager
def training(place, workers):
    SEEN.append((place.name, workers))
    yield LocalBackend()
    SEEN.append("closed")
"""


@pytest.fixture
def toys(plug_in_package):
    """Return the module of a plug-in with the backend `toy`, which works in this process."""
    plug_in_package("meeple-toys", {"backends": {"toy": "toys:TOY"}}, toys=TOY)
    return importlib.import_module("toys")


@pytest.mark.parametrize(
    "words", ["Toy", "toy:", "toy://", "toy://host", "toy://host:99999", "", "toy://a/b:1"]
)
def test_invalid_place_is_refused(toys, words):
    with pytest.raises(UsageError, match="ray://HOST:PORT, for the head of a cluster; not '"):
        place_of(words)


@pytest.mark.parametrize("name", ["toy", "toy://10.0.0.1:6379", "toy://[::1]:80"])
def test_place_has_the_name_by_which_it_was_found(toys, name):
    place = place_of(name)
    assert place is not None
    assert (place.backend, place.name) == ("toy", name)


def test_backend_that_is_not_installed_is_named_with_its_package():
    with pytest.raises(UsageError) as refusal:
        match(NIM, ["random", "random"], 2, on="dask")
    assert str(refusal.value) == "no backend called dask is installed: pip install meeple-dask"


def test_games_of_a_backend_equal_local_ones(toys, tmp_path):
    said: list[str] = []
    place = Place("toy", say=said.append)
    there = play_tournament(Conditions(NIM, on=place, workers=5, run=tmp_path), SPECS, 4)
    here = play_tournament(Conditions(NIM), SPECS, 4)
    assert there.standings.entries == here.standings.entries
    assert said == ["toy: games begun 4, finished 4, stored 4."]
    assert toys.SEEN == [("toy", 5), "closed"]


def test_games_by_the_clock_have_one_worker_unless_asked_for(toys):
    match(NIM, ["random", "uct:seconds=0.01"], 2, on="toy")
    assert toys.SEEN == [("toy", 1), "closed"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"on_position": lambda *_: None}, "on toy cannot be shown .* leave out --show"),
        ({"agents": ["random", meeple.agent("random", NIM)]}, "ready-made .* to play on toy"),
        ({"agents": ["random", "human"]}, "human plays in this process alone, and not on toy"),
        ({"workers": 2000}, "from 1 to 1,024"),
    ],
)
def test_options_for_local_play_are_refused(toys, arguments, said):
    with pytest.raises(UsageError, match=said):
        match(NIM, **{"agents": ["random", "random"], "games": 2, "on": "toy", **arguments})
    assert "closed" not in toys.SEEN


def test_training_by_a_backend(toys, tmp_path):
    settings = config("run.episodes=8")
    learn(tmp_path / "run", settings, watch=None, fresh=True, on=place_of("toy"), workers=3)
    state, _ = RunFolder(tmp_path / "run").newest_state()
    assert state is not None
    assert state.episodes == 8
    assert toys.SEEN == [("toy", 3), "closed"]
