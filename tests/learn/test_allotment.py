"""Numbers of episodes: each is handed out once, and counted once, in whatever order waves end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple.errors import RunError
from meeple.learn.allotment import Allotment
from meeple.learn.run_schema import RunState, file_after, read_stored
from tests.learn.small import config


def run(episodes, games):
    return config(f"run.episodes={episodes}", f"selfplay.games={games}")


def handed_out(allotment):
    return allotment.next(10**9)


def test_waves_go_no_further_than_a_mark():
    waves = handed_out(Allotment(run(24, 7), RunState.before_all("float32")))
    assert waves == [range(7), range(7, 12), range(12, 19), range(19, 24)]


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 60), st.integers(1, 9), st.data())
def test_a_run_taken_up_again_at_any_time_counts_every_episode_once(episodes, games, data):
    state = RunState.before_all("float32")
    counted: list[int] = []
    while state.episodes < episodes:
        flight = handed_out(Allotment(run(episodes, games), state))
        order = data.draw(st.permutations(flight))
        for numbers in order[: data.draw(st.integers(1, len(order)))]:
            state.count(numbers)
            counted += numbers
            state.training = file_after(state.episodes)
            state = RunState.model_validate_json(state.to_json())  # it is one that can be read
    assert sorted(counted) == list(range(episodes))
    assert (state.missing, state.top) == ([], episodes)


def test_an_episode_is_not_counted_twice():
    state = RunState.before_all("float32")
    state.count(range(4, 8))
    assert (state.episodes, state.missing, state.top) == (4, [0, 1, 2, 3], 8)
    for numbers in ([4], [3, 4], range(2, 12)):
        with pytest.raises(ValueError, match="twice"):
            state.count(numbers)


@pytest.mark.parametrize("missing", ["[1, 0]", "[0, 0]", "[3]", "[7]", "[-1]"])
def test_a_state_with_numbers_that_cannot_be_is_corrupt(tmp_path, missing):
    state = RunState.before_all("float32")
    state.count([2, 3])
    text = state.to_json().replace("[\n  0,\n  1\n ]", missing)
    text = text.replace('"00000000', '"00000002')
    (tmp_path / "state.json").write_text(text)
    with pytest.raises(RunError, match="missing"):
        read_stored(tmp_path / "state.json", RunState, 10_000)
