"""Self-play: legal episodes, a case for each searched move, reproducible by seed."""

from pathlib import Path

import numpy as np
import pytest

from meeple.errors import Stopped
from meeple.games.contract.registry import load_game_file
from meeple.learn.selfplay.episode import Episode, TrajectoryStep, surprise_of
from meeple.learn.selfplay.play import _Worker, play_wave
from meeple.nets.graph import ILLEGAL
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from tests.learn.small import HEX3, NIM, config

pytestmark = pytest.mark.slow

CONV = 'network.kind="conv"'
LEDGE = ('game.name="ledge"', 'game.options.row="01012"', *HEX3[2:])
RACE = ('game.name="race"', "game.options.goal=8", *HEX3[2:])


LEDUC = ('game.name="leduc"', *HEX3[2:])  # with hidden cards

TESTS = Path(__file__).resolve().parents[2]
RACE_FILE, LEDUC_FILE = TESTS / "games" / "race.py", TESTS.parent / "examples" / "leduc.py"


@pytest.fixture(scope="module", autouse=True)
def games_of_files():
    load_game_file(str(RACE_FILE))
    load_game_file(str(LEDUC_FILE))


def wave(settings, episodes=range(4), predict=None, workers=1):
    game = settings.make_game()
    network = ActorNetwork(settings.architecture(game), seed=3)
    predicts = [predict or Predictor(network.weights, "float32") for _ in range(workers)]
    played = play_wave(game, settings, predicts, episodes)
    return game, played.episodes, played.timing


def replayed(game, episode):
    position = game.start(episode.seed)
    for action in episode.actions:
        position.play(action)
    return position


WAYS = [
    (HEX3, ()),
    (HEX3, ("selfplay.sigma=0",)),
    (HEX3, ("selfplay.sigma=0.5",)),
    (HEX3, ("selfplay.epsilon=1",)),
    (HEX3, ("search.mode=alphazero",)),
    (HEX3, ("search.mode=alphazero", "search.root=puct")),
    (HEX3, ("search.mode=alphazero", "search.root=puct", "search.noise_fraction=0")),
    (HEX3, ("search.mode=alphazero", "search.rule=improved", "search.considered=3")),
    (HEX3, ("search.solve=false", "search.leaves=1")),
    (HEX3, ("search.simulations=[[0, 30], [2, 5]]",)),
    (HEX3, ("search.seconds=0.001",)),
    (HEX3, ("selfplay.temperature=0.001",)),
    (HEX3, ("network.kind=conv", "network.channels=4", "network.blocks=1")),
    (NIM, ()),
    (NIM, ("search.mode=alphazero",)),
    (LEDGE, ("selfplay.sigma=0.5",)),
    (RACE, ("selfplay.sigma=0.5",)),
    (RACE, ("search.mode=alphazero",)),
    (LEDUC, ()),
    (LEDUC, ("selfplay.sigma=0.5",)),
    (LEDUC, ("search.mode=alphazero",)),
    (LEDUC, ("search.mode=alphazero", "search.root=puct", "search.leaves=3")),
    (LEDUC, ("search.mode=alphazero", "search.rule=improved")),
]


@pytest.mark.parametrize(("base", "changes"), WAYS)
def test_episodes_are_legal_and_their_trajectories_have_the_movers_observations(base, changes):
    game, episodes, timing = wave(config(*changes, base=base))
    assert [episode.seed for episode in episodes] == [0, 1, 2, 3]
    assert timing.evaluations > 0
    for episode in episodes:
        end = replayed(game, episode)
        assert end.is_over
        assert (end.payoffs == episode.payoffs).all()
        trajectory = episode.trajectory(search_value=0.0)
        decisions = check_trajectory(game, episode, trajectory)
        assert trajectory.size == decisions
        assert (trajectory.values == episode.payoffs.astype(np.float32)).all()
        discounted = episode.trajectory(search_value=0.0, discount=0.9).values
        np.testing.assert_allclose(discounted, results_by_distance(game, episode), rtol=1e-6)


def results_by_distance(game, episode, discount=0.9):
    """Return the target of each decision's critic, counted back from the end of the game.

    A player's action counts, an outcome of chance does not.
    """
    position, decisions = game.start(episode.seed), 0
    for action in episode.actions:
        decisions += position.to_move >= 0
        position.play(action)
    even = 1 / game.players
    return [even + discount**left * (episode.payoffs - even) for left in reversed(range(decisions))]


def check_trajectory(game, episode, trajectory):
    """Compare each case with its position; return the number of positions."""
    position, row = game.start(episode.seed), 0
    for action in episode.actions:
        if position.to_move >= 0:
            seen = position.observation(position.to_move).ravel()
            assert (trajectory.observations[row] == seen).all()
            assert trajectory.movers[row] == position.to_move
            policy, legal = trajectory.policies[row], position.legal_mask()
            assert policy[legal].sum() == pytest.approx(1)
            assert (policy[~legal] == ILLEGAL).all()
            assert trajectory.policies[row][action] > 0
            row += 1
        position.play(action)
    return row


def test_the_same_seed_and_numbers_give_the_same_episodes():
    settings = config("selfplay.sigma=0.5")
    first, second, other = (
        [episode.actions for episode in wave(one)[1]]
        for one in (settings, settings, config("selfplay.sigma=0.5", "run.seed=2"))
    )
    assert first == second
    assert first != other


def test_workers_share_a_wave():
    game, episodes, _ = wave(config(), range(5), workers=2)
    assert [episode.seed for episode in episodes] == [0, 1, 2, 3, 4]
    assert all(replayed(game, episode).is_over for episode in episodes)


def test_an_opening_that_ends_the_game_is_replaced_by_one_without_random_moves():
    game, episodes, _ = wave(config("selfplay.random_plies=100", base=RACE), range(12))
    assert any(episode.opening == 1 for episode in episodes), "the first roll alone"
    for episode in episodes:
        assert replayed(game, episode).is_over
        assert episode.moves
        assert all(move.mover >= 0 for move in episode.moves)


def test_a_timed_search_has_memory_regardless_of_the_simulations_setting():
    changes = ("search.seconds=0.05", "search.mode=alphazero", "search.root=puct")
    short = config("search.simulations=2", *changes)
    game = short.make_game()
    predict = Predictor(ActorNetwork(short.architecture(game), seed=3).weights, "float32")
    lockstep = _Worker(game, short, predict, range(1)).lockstep
    assert lockstep.capacity > 5000 * game.num_actions


def test_after_the_temperature_plies_the_most_visited_move_is_played():
    _, episodes, _ = wave(config("selfplay.temperature_plies=0"))
    for episode in episodes:
        for move, action in zip(episode.moves, episode.actions, strict=True):
            assert action == move.policy.argmax()


def test_the_critic_can_learn_from_search_values_too():
    _, (episode, *_), _ = wave(config())
    searched, result = episode.trajectory(1.0).values, episode.trajectory(0.0).values
    assert (searched == np.array([move.value for move in episode.moves], dtype=np.float32)).all()
    assert np.allclose(episode.trajectory(0.25).values, 0.75 * result + 0.25 * searched)


def test_an_episode_has_the_owner_of_each_cell_at_its_end():
    game, episodes, _ = wave(config("training.ownership=0.1", base=(*HEX3, CONV)))
    for episode in episodes:
        end = replayed(game, episode)
        stones = end.observation(0)
        expected = np.where(stones[0] == 1, 0, np.where(stones[1] == 1, 1, -1)).ravel()
        owners = episode.trajectory(0.0).targets["owners"]
        assert (owners == np.tile(expected, (len(episode.moves), 1))).all()


def test_fast_moves_are_played_and_not_learned():
    changes = ("search.mode=alphazero", "search.fast_simulations=4", "search.full_share=0.3")
    for root in ("gumbel", "puct"):
        settings = config(*changes, f"search.root={root}", "search.solve=false")
        game, episodes, timing = wave(settings, range(30))
        plies = sum(len(episode.actions) for episode in episodes)
        learned = sum(len(episode.moves) for episode in episodes)
        assert 0.15 < learned / plies < 0.45
        assert timing.simulations == 16 * learned + 4 * (plies - learned)
        assert all(replayed(game, episode).is_over for episode in episodes)


def test_a_gumbel_root_teaches_the_improved_policy_and_a_puct_root_its_visits():
    changes = ("search.mode=alphazero", "search.simulations=4", "search.considered=2")
    for root in ("gumbel", "puct"):
        _, episodes, _ = wave(config(*changes, f"search.root={root}", "search.solve=false"))
        for ply, move in [pair for episode in episodes for pair in enumerate(episode.moves)]:
            assert move.policy[move.policy != ILLEGAL].sum() == pytest.approx(1)
            if ply < 5:  # over four cells are free
                covers_all = (move.policy > 0).sum() == 9 - ply
                assert covers_all == (root == "gumbel")


def test_surprising_positions_are_learned_more_often():
    episode = Episode(0, payoffs=np.array([1.0, 0.0]))
    for number, surprise in enumerate((0.0, 0.1, 0.5)):
        observation = np.full(9, number, dtype=np.float32)
        policy = np.full(9, 1 / 9, dtype=np.float32)
        episode.moves.append(TrajectoryStep(observation, policy, 0, np.array([0.5, 0.5]), surprise))
    assert episode.frequencies(0.5) == pytest.approx([0.5, 0.5 + 0.25, 0.5 + 1.25])
    rng = np.random.default_rng(0)
    drawn = [episode.trajectory(0.0, 0.5, rng).observations[:, 0] for _ in range(2000)]
    counts = np.bincount(np.concatenate(drawn).astype(int), minlength=3) / 2000
    assert counts == pytest.approx([0.5, 0.75, 1.75], abs=0.05)


def test_surprise_is_the_change_of_the_policy_by_the_search():
    prior = np.array([0.5, 0.25, 0.25, 0.0], dtype=np.float32)
    assert surprise_of(prior, prior) == pytest.approx(0, abs=1e-6)
    found = surprise_of(np.array([0, 1, 0, 0], dtype=np.float32), prior)
    assert found == pytest.approx(np.log(4), abs=1e-6)


def counting(calls):
    """Return a uniform predictor that records the size of each batch."""

    def predict(observations, legal):
        calls.append(len(observations))
        policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
        return policy, np.full((len(observations), 2), 0.5, dtype=np.float32)

    return predict


def test_episodes_are_played_in_lockstep():
    calls: list[int] = []
    wave(config("selfplay.sigma=0"), range(8), predict=counting(calls))
    assert max(calls) == 8 * config().search.leaves


def test_a_schedule_of_simulations_is_followed():
    settings = config("search.simulations=[[0, 30], [1, 2]]", "search.solve=false")
    _, episodes, timing = wave(settings)
    later = sum(len(episode.moves) - 1 for episode in episodes)
    assert timing.simulations == 4 * 30 + 2 * later


def test_stopping_discards_the_wave():
    settings = config()
    game = settings.make_game()
    for workers in (1, 2):
        with pytest.raises(Stopped):
            play_wave(game, settings, [counting([])] * workers, range(2), stop=lambda: True)
