"""Value networks in PyTorch equal those in kernels, and learn their labels."""

import numpy as np
import pytest
import torch

from meeple.games.catan.features import Features
from meeple.kernels.table import caller
from meeple.learn.config.values import ValuesTrainingSection
from meeple.learn.values.fitting import (
    ValueModule,
    batch_of,
    fit_network,
    losses,
    max_over_others,
    minibatches,
    weights_of,
)
from meeple.learn.values.jobs import read_shard, write_shard
from meeple.nets.training import Recipe
from meeple.search.values.examples import ValueExamples, joined_examples
from meeple.search.values.network import ValueNetwork, Widths, untrained

JUDGE = caller("evaluate_features")
WIDTHS = Widths(site=8, seat=16, first=16, second=8)


def some_cases(seed, decisions=30, players=4):
    """Return siblings of which the best has the largest first feature of the decider."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, decisions)
    count = int(sizes.sum())
    own = np.zeros((count, players, 96), np.float16)
    own[:, :, :4] = rng.random((count, players, 4))
    sites = np.zeros((count, players, 6, 16), np.float16)
    sites[:, :, 0] = rng.random((count, players, 16)) + 0.1
    strength = np.exp(4 * own[:, :, 0].astype(np.float32))
    return ValueExamples(
        own,
        sites,
        rng.random((count, 20)).astype(np.float16),
        np.full(count, players, np.int8),
        strength / strength.sum(axis=1, keepdims=True),
        np.repeat(np.arange(decisions), sizes).astype(np.int32),
        np.repeat(rng.integers(players, size=decisions), sizes).astype(np.int8),
        np.zeros(count, np.int32),
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pytorch_and_the_kernel_evaluate_equally(players):
    module = ValueModule(untrained(Features, Widths(), 3))
    network = ValueNetwork(weights_of(module), Features, players)
    cases = joined_examples([some_cases(players, players=players), some_cases(9)])
    batch = batch_of(cases, np.arange(cases.size))
    assert batch.shares.shape[1] == 4
    found = (
        torch.softmax(module(batch.own, batch.sites, batch.table, batch.taken), dim=1)
        .detach()
        .numpy()
    )
    assert not found[cases.players == players, players:].any()
    for row in np.flatnonzero(cases.players == players):
        parts = np.zeros(1, Features)
        parts["players"] = players
        parts["own"][0, :players] = cases.own[row, :players]
        parts["sites"][0, :players] = cases.sites[row, :players]
        parts["table"][0] = cases.table[row]
        shares = np.zeros(players)
        JUDGE(network.kernel, network.address, parts.ctypes.data, shares.ctypes.data)
        np.testing.assert_allclose(shares, found[row, :players], atol=1e-5)


def test_the_maximum_of_the_others_excludes_the_seat_itself():
    seats = torch.tensor([[[5.0], [3.0], [1.0]]])
    assert max_over_others(seats)[0, :, 0].tolist() == [3.0, 5.0, 5.0]


def test_minibatches_hold_whole_decisions_each_once():
    cases, seen = some_cases(1), []
    for batch in minibatches(cases, 20, np.random.default_rng(1)):
        assert len(batch.groups) < 20 + 6
        seen.append(batch.shares.numpy())
        assert torch.equal(torch.unique(batch.groups), torch.arange(int(batch.groups.max()) + 1))
    assert sum(len(part) for part in seen) == cases.size
    total = np.sort(np.concatenate(seen)[:, 0])
    np.testing.assert_array_equal(total, np.sort(cases.shares[:, 0]))


@torch.no_grad()
def test_an_error_common_to_all_siblings_does_not_count_among_them():
    module, cases = ValueModule(untrained(Features, WIDTHS, 1)), some_cases(2)
    batch = batch_of(cases, np.arange(cases.size))
    found = torch.softmax(module(batch.own, batch.sites, batch.table, batch.taken), dim=1)
    in_common = torch.rand(int(batch.groups.max()) + 1)[batch.groups][:, None]
    shifted = batch._replace(shares=found + in_common)
    assert float(losses(module, shifted)["siblings"]) == pytest.approx(0, abs=1e-9)
    assert float(losses(module, batch)["siblings"]) > 1e-4


@pytest.mark.slow
def test_fitting_learns_the_winner_and_the_best_sibling():
    learned, held = some_cases(3, decisions=400), some_cases(4, decisions=100)
    training = ValuesTrainingSection(epochs=40, batch=200)
    recipe = Recipe("adam", 0.01, loss_weights={"siblings": 1.0})
    begin = untrained(Features, WIDTHS, 1)
    said: list[str] = []
    _, found = fit_network(
        training, recipe, begin, (learned, held), (1,), said.append, lambda: False
    )
    before, after = found["before"], found["after"]
    assert after["entropy"] < before["entropy"] - 0.05
    assert after["siblings"] < before["siblings"] / 4
    assert after["gained"] > 0.9 * after["possible"]
    assert len(said) == 41  # epochs, and the result


def test_shards_are_read_back_as_written(tmp_path):
    cases = some_cases(5)
    write_shard(tmp_path / "one.safetensors", cases, {"round": 1})
    for found, expected in zip(read_shard(tmp_path / "one.safetensors"), cases, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_decisions_of_several_shards_stay_separate():
    one, two = some_cases(6), some_cases(7)
    both = joined_examples([one, two])
    assert both.size == one.size + two.size
    assert len(np.unique(both.decisions)) == 60
    assert (np.diff(both.decisions) >= 0).all()
