"""The replay buffer stores the newest steps and samples them in every symmetry of the game."""

import errno
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meeple
from meeple.errors import RunError
from meeple.learn.selfplay.replay import ReplayBuffer
from meeple.learn.selfplay.trajectory import Trajectory
from meeple.learn.targets import TARGETS

NIM = meeple.make("nim", stones=7)
HEX = meeple.make("hex", size=3)


def numbered(first, count):
    """Return steps that carry their numbers."""
    numbers = np.arange(first, first + count, dtype=np.float32)
    return Trajectory(
        np.tile(numbers[:, None], (1, NIM.observation_shape[0])),
        np.tile(numbers[:, None], (1, NIM.num_actions)),
        np.tile(numbers[:, None], (1, 2)),
        (np.arange(first, first + count) % 2).astype(np.int8),
        {},
    )


def held(buffer):
    """Return the numbers in a buffer, complete with near certainty."""
    batch = buffer.sample(60 * len(buffer), np.random.default_rng(0))
    for head in ("policy", "value"):
        assert (batch.observations[:, 0] == batch.targets[head][:, 0]).all()
    return set(batch.observations[:, 0].astype(int).tolist())


MEMORIES = st.sampled_from([1.0, 200.0, math.inf])  # bytes in memory: none, some, all


@given(st.integers(1, 12), st.lists(st.integers(0, 9), max_size=8), MEMORIES)
def test_the_newest_steps_are_stored(capacity, sizes, memory):
    buffer = ReplayBuffer(NIM, capacity, memory=memory)
    naive: list[int] = []
    for size in sizes:
        buffer.add(numbered(len(naive), size))
        naive += range(len(naive), len(naive) + size)
    newest = naive[-capacity:]
    assert len(buffer) == len(newest)
    if newest:
        assert held(buffer) == set(newest)


@given(st.integers(1, 12), st.integers(0, 30))
def test_samples_depend_on_the_newest_steps_and_not_on_the_start_of_the_ring(capacity, total):
    whole, late = ReplayBuffer(NIM, capacity), ReplayBuffer(NIM, capacity, memory=1.0)
    for number in range(total):
        whole.add(numbered(number, 1))
    late.add(numbered(max(0, total - capacity), min(total, capacity)))
    if total:
        first = whole.sample(20, np.random.default_rng(3))
        second = late.sample(20, np.random.default_rng(3))
        assert (first.observations == second.observations).all()


def test_a_buffer_larger_than_the_disk_is_refused_with_a_message(monkeypatch):
    def full(descriptor, start, size):
        raise OSError(errno.ENOSPC, "No space left on device")

    buffer = ReplayBuffer(NIM, 1000, memory=200.0)
    buffer.add(numbered(0, 2))
    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(RunError, match=r"needs 0 MB on the disk of .*: lower replay\.capacity"):
        buffer.add(numbered(2, 900))
    assert held(buffer) == {0, 1}


def test_a_large_buffer_takes_no_memory_before_its_use():
    buffer = ReplayBuffer(NIM, 1000, memory=200.0)
    buffer.add(numbered(0, 900))
    base: Any = buffer._store.observations
    while base is not None and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)
    assert len(held(buffer)) > 800
    buffer.clear()
    assert len(buffer) == 0
    buffer.add(numbered(5, 3))
    assert held(buffer) == {5, 6, 7}


def step(position, value=(1.0, 0.0), **targets):
    """Return a position as a step whose policy is its last legal action."""
    policy = np.zeros(HEX.num_actions, dtype=np.float32)
    policy[position.legal_actions()[-1]] = 1.0
    return Trajectory(
        position.observation(position.to_move).reshape(1, -1),
        policy[None],
        np.array([value], dtype=np.float32),
        np.array([position.to_move], dtype=np.int8),
        targets,
    )


def sampled(trajectory, count=200, **options):
    """Return a sample of a buffer that holds one step of Hex."""
    buffer = ReplayBuffer(HEX, 1, **options)
    buffer.add(trajectory)
    return buffer.sample(count, np.random.default_rng(1))


def played(cells, mirrored=False):
    """Return the position after alternating stones; `mirrored`: the players swap."""
    position = HEX.start()
    if mirrored:
        position.state.to_move = 1
    for row, column in cells:
        position.play(3 * row + column)
    return position


CELLS = [(0, 1), (2, 2), (1, 1)]
IMAGES = {
    "same": lambda row, column: (row, column),
    "half turn": lambda row, column: (2 - row, 2 - column),
    "reflected": lambda row, column: (column, row),
    "reflected and turned": lambda row, column: (2 - column, 2 - row),
}
"""Rotated by 180 degrees, and reflected with the players exchanged: the images of Hex."""


def test_a_step_of_hex_is_sampled_as_the_observation_of_each_of_its_images():
    batch = sampled(step(played(CELLS), (0.75, 0.25)))
    policies, values = batch.targets["policy"], batch.targets["value"]
    seen = {
        (observation.tobytes(), int(policy.argmax()), float(value[0]))
        for observation, policy, value in zip(batch.observations, policies, values, strict=True)
    }
    answer = divmod(int(played(CELLS).legal_actions()[-1]), 3)
    expected = set()
    for name, image in IMAGES.items():
        position = played([image(*cell) for cell in CELLS], name.startswith("reflected"))
        row, column = image(*answer)
        observation = position.observation(position.to_move)
        expected.add((observation.tobytes(), 3 * row + column, 0.25))
    assert seen == expected


def test_a_step_is_sampled_unchanged_without_symmetries():
    trajectory = step(HEX.start())
    batch = sampled(trajectory, 30, symmetries=False)
    assert (batch.targets["policy"] == trajectory.policies).all()
    assert batch.observations.shape == (30, *HEX.observation_shape)


def test_owners_of_cells_are_transformed_with_the_board_and_relative_to_the_mover():
    """The mover owns at the end the cells of its present stones, so it does in every image."""
    owners = np.array([[-1, 0, -1, -1, 0, -1, -1, -1, 1]], dtype=np.int8)  # equal to the stones
    batch = sampled(step(played(CELLS), owners=owners), 60, targets=TARGETS)
    assert len({observation.tobytes() for observation in batch.observations}) == 4
    for observation, ownership in zip(batch.observations, batch.targets["ownership"], strict=True):
        mine, theirs = observation[0].ravel(), observation[1].ravel()
        assert (ownership == np.where(mine == 1, 1.0, np.where(theirs == 1, 0.0, 0.5))).all()
