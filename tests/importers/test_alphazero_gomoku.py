"""An imported network answers like the original: compared with a direct evaluation, and in play.

The original program is reimplemented here in NumPy from the description of its files. The last
tests play a real network if available.
"""

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

import meeple
from meeple.agents.networks import CHECKPOINTS
from meeple.agents.spec import agent
from meeple.errors import CheckpointError
from meeple.importers import alphazero_gomoku
from meeple.nets import checkpoint
from meeple.nets.architecture import Architecture
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from tests.learn.small import HEX3, trained

REAL = Path(__file__).parents[3] / "shared/data/alphazero_gomoku/best_policy_8_8_5.model"
with_real = pytest.mark.skipif(not REAL.is_file(), reason="AlphaZero_Gomoku's network is absent")


def random_arrays(size, widths=(5, 6, 7), seed=3):
    """Return 16 arrays of the layout, with non-zero biases."""
    a, b, c = widths
    cells = size * size
    shapes = [(a, 4, 3, 3), (b, a, 3, 3), (c, b, 3, 3), (4, c, 1, 1), (4 * cells, cells)]
    shapes += [(2, c, 1, 1), (2 * cells, 64), (64, 1)]
    rng = np.random.default_rng(seed)
    arrays = []
    for shape in shapes:
        outputs, inputs = (shape[0], np.prod(shape[1:])) if len(shape) == 4 else shape[::-1]
        arrays.append(rng.normal(0, np.sqrt(2 / inputs), shape).astype(np.float32))
        arrays.append(rng.normal(0, 0.3, outputs).astype(np.float32))
    return arrays


def written(path, arrays):
    path.write_bytes(pickle.dumps(arrays, 2))
    return path


# ---------------------------------------------------------------- their program, in NumPy


def true_convolution(x, kernel, bias):
    """Out(r, c) sums kernel(i, j) x(r + 1 - i, c + 1 - j): a true, mirrored convolution."""
    rows, columns = x.shape[1:]
    reach = kernel.shape[2] // 2
    out = np.zeros((len(kernel), rows, columns))
    for r, c in np.ndindex(rows, columns):
        for i, j in np.ndindex(kernel.shape[2:]):
            row, column = r + reach - i, c + reach - j
            if 0 <= row < rows and 0 <= column < columns:
                out[:, r, c] += kernel[:, :, i, j] @ x[:, row, column]
    return out + bias[:, None, None]


def direct(arrays, planes):
    """Return the policy by their move numbers and the value in [-1, 1] of planes, in float64."""
    w = [array.astype(np.float64) for array in arrays]
    x = planes.astype(np.float64)
    for i in (0, 2, 4):
        x = np.maximum(true_convolution(x, w[i], w[i + 1]), 0)
    logits = np.maximum(true_convolution(x, w[6], w[7]), 0).ravel() @ w[8] + w[9]
    policy = np.exp(logits - logits.max())
    hidden = np.maximum(true_convolution(x, w[10], w[11]), 0).ravel() @ w[12] + w[13]
    value = np.tanh(np.maximum(hidden, 0) @ w[14] + w[15])
    return policy / policy.sum(), value[0]


def their_planes(moves, size):
    """Return their planes after moves by their numbers: row 0 is the lowest, planes are flipped.

    Planes: own stones, the opponent's, the last move, and ones after an even number of stones.
    """
    planes = np.zeros((4, size, size))
    for number, move in enumerate(moves):
        planes[(len(moves) - number) % 2, move // size, move % size] = 1
    if moves:
        planes[2, moves[-1] // size, moves[-1] % size] = 1
    planes[3] = len(moves) % 2 == 0
    return planes[:, ::-1]


def their_number(action, size):
    """Convert our cell, counted from the top row, to their move, counted from the lowest."""
    row, column = divmod(action, size)
    return (size - 1 - row) * size + column


def compare_in_play(arrays, weights, size, games):
    """Compare both answers at every position of random games."""
    game = meeple.make("gomoku", size=size, in_a_row=min(5, size))
    predict = Predictor(weights, "float32")
    numbers = [their_number(action, size) for action in range(size * size)]
    for seed in range(games):
        rng = np.random.default_rng(seed)
        position = game.start()
        while not position.is_over:
            observation = position.observation(position.to_move)
            everywhere = np.ones((1, size * size), dtype=bool)
            policy, value = predict(observation.reshape(1, 4, size, size), everywhere)
            moves = [their_number(action, size) for action in position.actions]
            expected, score = direct(arrays, their_planes(moves, size))
            np.testing.assert_allclose(policy[0], expected[numbers], atol=1e-5)
            assert value is not None
            np.testing.assert_allclose(value[0], [(1 + score) / 2, (1 - score) / 2], atol=1e-5)
            position.play(int(rng.choice(position.legal_actions())))


@pytest.mark.parametrize(("size", "widths"), [(3, (5, 6, 7)), (6, (32, 64, 128)), (7, (1, 2, 3))])
def test_an_import_answers_in_play_as_a_direct_evaluation_does(tmp_path, size, widths):
    arrays = random_arrays(size, widths)
    imported = alphazero_gomoku.read(written(tmp_path / "net.model", arrays))
    assert imported.size == size
    compare_in_play(arrays, imported.weights, size, games=1)


def test_a_saved_import_answers_the_same(tmp_path):
    imported = alphazero_gomoku.read(written(tmp_path / "net.model", random_arrays(5)))
    path = tmp_path / "net.safetensors"
    checkpoint.save(path, imported.weights, game="gomoku", options={"size": 5})
    loaded = checkpoint.load(path).weights
    assert loaded.architecture == imported.weights.architecture
    for name, tensor in imported.weights.tensors.items():
        np.testing.assert_array_equal(loaded.tensors[name], tensor)


# ---------------------------------------------------------------- the kind of network


def classic(**fields):
    known = {"hidden": (8, 6), "observation_shape": (3, 4, 5), "num_actions": 7, "players": 3}
    return Architecture(kind="classic", **{"critic": True, **known, **fields})


@pytest.mark.parametrize("critic", [True, False])
def test_a_classic_network_has_heads_for_any_number_of_actions_and_players(critic):
    policy, value = ActorNetwork(classic(critic=critic), seed=0)(torch.zeros(2, 3, 4, 5))
    assert policy.shape == (2, 7)
    assert (None if value is None else value.shape) == ((2, 3) if critic else None)


def test_every_weight_of_a_classic_network_reaches_an_output():
    network = ActorNetwork(classic(), seed=0)
    policy, value = network(torch.randn(9, 3, 4, 5, generator=torch.Generator().manual_seed(1)))
    (policy.square().sum() + value.square().sum()).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


CLASSIC_RUN = (
    'game.name="gomoku"',
    "game.options={size=5, in_a_row=4}",
    'network.kind="classic"',
    *HEX3[2:4],
    'search.mode="alphazero"',
    'search.root="puct"',
    'search.c="classic"',
    *HEX3[5:],
)


def saved_import(folder):
    """Return a network as `meeple import` writes it."""
    imported = alphazero_gomoku.read(written(folder / "net.model", random_arrays(5)))
    path = folder / "net.safetensors"
    options = dict(meeple.make("gomoku", size=5, in_a_row=4).options)
    checkpoint.save(path, imported.weights, game="gomoku", options=options)
    return imported.weights, path


@pytest.mark.slow
def test_a_run_starts_from_an_imported_network(tmp_path):
    weights, path = saved_import(tmp_path)
    changes = ("network.hidden=[5, 6, 7]", f'run.start="{path}"')
    run = trained(tmp_path / "run", *changes, base=CLASSIC_RUN)
    kept = sorted((run / CHECKPOINTS).iterdir())
    first, last = (checkpoint.load(path).weights for path in (kept[0], kept[-1]))
    assert first.architecture == weights.architecture
    for name, tensor in weights.tensors.items():
        np.testing.assert_array_equal(first.tensors[name], tensor)
        assert (last.tensors[name] != tensor).any(), name


def test_a_run_does_not_start_from_a_network_of_another_shape(tmp_path):
    _, path = saved_import(tmp_path)
    changes = ("network.hidden=[5, 6, 8]", f'run.start="{path}"')
    with pytest.raises(CheckpointError, match=r"'body.trunk.4.weight' has shape \(7, 6, 3, 3\)"):
        trained(tmp_path / "run", *changes, base=CLASSIC_RUN)


# ---------------------------------------------------------------- files of another layout


def changed(arrays, **by_place):
    """Return the arrays with those named a0 to a15 replaced."""
    return [by_place.get(f"a{i}", array) for i, array in enumerate(arrays)]


FITTING = random_arrays(6)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        (FITTING[:15], "15 arrays"),
        ([], "0 arrays"),
        ([*FITTING, FITTING[0]], "17 arrays"),
        (changed(FITTING, a0=FITTING[0].T), "array 0, the weights of the first convolution"),
        (changed(FITTING, a0=FITTING[0][:, :3]), "but the layout needs (5, 4, 3, 3)"),
        (changed(FITTING, a6=FITTING[6][:3]), "array 6, the weights of the policy's convolution"),
        (changed(FITTING, a8=FITTING[8].T), "array 8, the weights of the policy's dense"),
        (changed(FITTING, a9=np.ones(35, np.float32)), "a policy of 35 cells"),
        (changed(FITTING, a9=np.ones(441, np.float32)), "a policy of 441 cells"),
        (changed(FITTING, a9=np.ones(4, np.float32)), "a policy of 4 cells"),
        (changed(FITTING, a9=np.ones((36, 1), np.float32)), "array 9, the biases of the policy's"),
        (changed(FITTING, a15=np.array(1.0, np.float32)), "array 15, the biases of the value's"),
    ],
)  # fmt: skip
def test_another_layout_is_refused_with_the_name_of_the_array(tmp_path, arrays, words):
    with pytest.raises(CheckpointError) as error:
        alphazero_gomoku.read(written(tmp_path / "net.model", arrays))
    assert words in str(error.value)
    assert "net.model" in str(error.value)
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------- a real network


@pytest.fixture(scope="module")
def champion(tmp_path_factory):
    """The real network with 400 simulations, on 8x8."""
    game = meeple.make("gomoku", size=8)
    path = tmp_path_factory.mktemp("real") / "net.safetensors"
    weights = alphazero_gomoku.read(REAL).weights
    checkpoint.save(path, weights, game=game.name, options=dict(game.options))
    return game, agent(f"puct:{path},sims=400", game)


@with_real
@pytest.mark.slow
def test_the_real_network_answers_as_a_direct_evaluation_does():
    with REAL.open("rb") as file:
        arrays = pickle.load(file, encoding="bytes")  # noqa: S301  # a file known to be harmless
    compare_in_play(arrays, alphazero_gomoku.read(REAL).weights, 8, games=1)


def chosen(champion, moves):
    game, player = champion
    position = game.start()
    for move in moves.split():
        position.play(position.parse_action(move))
    player.begin(1)
    return position.action_name(player.choose(position))


@with_real
@pytest.mark.parametrize(
    ("moves", "right"),
    [
        ("b2 a8 c2 c8 d2 e8 e2 g8", "a2 f2"),
        ("c3 a1 d4 c1 e5 e1 f6 g1", "b2 g7"),
        ("d4 e1 a1 e2 h8 e3 a8 e5 h1", "e4"),
        ("g2 a4 f3 b4 e4 c4 d5 h8", "h1 c6"),
        ("a2 a8 b2 c8 c2 e8 d2", "e2"),
        ("a1 h3 e5 h4 b7 h5 h2 h6", "h7"),
        ("b2 a8 c3 c8 e5 e8 f6", "d4"),
        ("h1 d1 g2 f8 f3 a8 e4", "d5"),
        ("d4 a1 e4 h1 f4", "b4 c4 g4 h4"),
    ],
)
def test_the_real_network_wins_at_once_or_stops_fours_and_open_threes(champion, moves, right):
    game, player = champion
    position = game.start()
    for move in moves.split():
        position.play(position.parse_action(move))
    player.begin(1)
    assert position.action_name(player.choose(position)) in right.split()
