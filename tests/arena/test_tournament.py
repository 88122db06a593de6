"""A round robin plays every pair, ranks stronger agents higher, and reports errors."""

import pytest

import meeple
from meeple.arena.games.conditions import Conditions
from meeple.arena.tournament import play_tournament
from meeple.errors import SpecError, UsageError
from meeple.games.contract.records import replay

HEX = meeple.make("hex", size=3)
SPECS = ["random", "uct:sims=5", "uct:sims=100"]


def without_times(result):
    """Return its figures without those that omit the first games of each worker."""
    figures = result.to_json()
    for agent in figures["agents"]:
        del agent["ms_per_move"], agent["simulations_per_move"]
    return figures


def test_every_pair_plays_its_games_and_search_beats_random_play():
    result = play_tournament(Conditions(HEX), SPECS, games=10)
    entries = result.standings.entries
    assert len(entries) == 30
    assert result.standings.ranking()[-1] == 0
    for agent in range(3):
        assert result.standings.games[agent] == 20
    for entry in entries:
        assert [SPECS[agent] for agent in entry.lineup] == list(entry.record.seats)
        assert replay(entry.record).is_over
    assert result.uneven == 0
    assert len({entry.record.seed for entry in entries}) == len(entries)


def test_result_does_not_depend_on_the_workers():
    one, two = (play_tournament(Conditions(HEX, workers=workers), SPECS, 6) for workers in (1, 2))
    assert without_times(one) == without_times(two)
    assert one.standings.entries == two.standings.entries


def test_ctrl_c_keeps_finished_games():
    def interrupt(done, total):
        if done == 7:
            raise KeyboardInterrupt

    result = play_tournament(Conditions(HEX, workers=1, progress=interrupt), SPECS, 5)
    assert result.interrupted
    assert len(result.standings.entries) == 7


@pytest.mark.parametrize(
    ("specs", "error", "said"),
    [
        (["random"], UsageError, "at least 2"),
        (["random", "random"], UsageError, "twice"),
        (["random", "uct:sims=1", "uct"], SpecError, "limit"),
        (["random", "rnd"], SpecError, "no agent 'rnd'"),
    ],
)
def test_wrong_agents_are_refused_before_any_game(specs, error, said):
    with pytest.raises(error, match=said):
        play_tournament(Conditions(HEX, on_game=lambda *game: pytest.fail(str(game))), specs)
