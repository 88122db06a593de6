"""Kernels of a game are compiled once before it is shown, and no game waits for another."""

import threading
import time
from pathlib import Path

import pytest

from meeple import kernels
from meeple.games.contract.registry import game_class, load_game_file, make
from meeple.kernels.table import KernelTable
from meeple.search.mcts.lockstep import Lockstep
from meeple.search.mcts.uct import OpenUct
from meeple.server.play import precompile as module
from meeple.server.play.precompile import board_of, precompile, preparations
from meeple.server.thinking.specs import check_for
from tests.conformance import played
from tests.server.tables import ME, begin, serving

RACE = Path(__file__).resolve().parents[2] / "games" / "race.py"
CATAN = {"game": "catan", "options": {}}
PATIENCE = 60.0  # seconds, on a busy machine


def compiled(*_):
    raise AssertionError("a kernel is compiled or loaded")


def play_randomly(game, seed):
    """Return the final position of a random game, with each player's payoff."""
    position = played(game, seed)
    assert position.payoffs.sum() == pytest.approx(1)
    return position


@pytest.fixture
def slow_catan(monkeypatch, pool):
    """Hold the compilation of Catan until an event is set; count compilations."""
    opened, shown, really = threading.Event(), [], module._show_random_game

    def wait(game):
        shown.append(game.name)
        if game.name == "catan":
            assert opened.wait(PATIENCE)
        return really(game)

    monkeypatch.setattr(module, "_boards", {})
    monkeypatch.setattr(module, "_loading", {})
    monkeypatch.setattr(module, "_show_random_game", wait)
    yield opened, shown
    opened.set()


@pytest.mark.slow
def test_new_games_do_not_wait_for_the_compilation_of_others(slow_catan, tmp_path):
    opened, shown = slow_catan
    with serving(tmp_path) as client:
        waiting = [
            threading.Thread(target=begin, args=(client, [ME] * 4), kwargs=CATAN) for _ in range(6)
        ]
        for thread in waiting:  # more than the threads of any lane
            thread.start()
        while "catan" not in shown:
            time.sleep(0.01)
        begin(client, [ME, ME])
        assert all(thread.is_alive() for thread in waiting)
        opened.set()
        for thread in waiting:
            thread.join()
    assert shown.count("catan") == 1


def test_a_game_is_compiled_once(slow_catan):
    _, shown = slow_catan
    precompile(make("nim"))
    precompile(make("nim", heaps="1,2"))
    assert shown == ["nim"]
    assert board_of(game_class("nim")) == {"family": "row"}
    assert board_of(game_class("hex")) is None
    assert len(precompile(make("hex"))["places"]) == make("hex").num_actions


def test_a_game_whose_compilation_failed_is_retried(monkeypatch):
    monkeypatch.setattr(module, "_boards", {})
    really = module._show_random_game
    monkeypatch.setattr(module, "_show_random_game", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        precompile(make("nim"))
    monkeypatch.setattr(module, "_show_random_game", really)
    assert precompile(make("nim")) == {"family": "row"}


def test_the_kernels_that_are_still_to_compile_are_reported(monkeypatch):
    reported = []

    def show(game):
        reported.extend(preparations())
        return {"family": "row"}

    monkeypatch.setattr(module, "_boards", {})
    monkeypatch.setattr(module, "_show_random_game", show)
    monkeypatch.setattr(KernelTable, "not_compiled", lambda _, wanted: sorted(wanted)[-2:])
    precompile(make("nim"))
    # Other games may be prepared meanwhile.
    own = [one for one in reported if one.game == "nim"]
    first = kernels.KERNELS[sorted(kernels.PLAYING)[-2]]
    assert own[0] == ("nim", 0, 2, f"compiling the kernel {first}")
    assert not any(one.game == "nim" for one in preparations())


def test_every_kernel_that_a_table_needs_is_compiled_before_the_game_is_shown(monkeypatch):
    monkeypatch.setattr(module, "PLIES", 1)  # a game this short does not end
    race = load_game_file(RACE)(goal=9)  # a separate class, of which no kernel is compiled yet
    precompile(race)
    monkeypatch.setattr(KernelTable, "_load", compiled)
    assert [play_randomly(race, seed).is_over for seed in range(3)] == [True] * 3


@pytest.mark.parametrize("spec", ["uct:sims=9", "puct:hex7,sims=9", "policy:hex7", "random"])
def test_a_spec_is_checked_without_compiling_its_search(monkeypatch, tmp_path, spec):
    precompile(make("hex"))
    monkeypatch.setattr(OpenUct, "_load_search", compiled)
    monkeypatch.setattr(Lockstep, "_search_round", compiled)
    monkeypatch.setattr(KernelTable, "_load", compiled)
    check_for(spec, make("hex", size=7), tmp_path)
