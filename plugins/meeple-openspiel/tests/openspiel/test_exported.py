"""Games and agents of Meeple in OpenSpiel: its checks pass, and games that both have are equal."""

import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.observation import INFO_STATE_OBS_TYPE

from meeple.errors import UsageError
from meeple.games.contract.registry import load_game_file, make
from meeple_openspiel.bots import AgentBot, position_of
from meeple_openspiel.exported import ExportedState, register_games, to_openspiel
from tests.documents.program import ROOT
from tests.search.kuhn import Kuhn


def example(name, **options):
    return load_game_file(ROOT / "examples" / f"{name}.py")(**options)


SMALL = [
    make("hex", size=3, swap=True),
    make("nim", heaps="1,3,5", take=5),
    make("ledge"),
    example("leduc"),
    example("coins", coins=6),
    example("liars_dice", sides=3),
    example("tricks"),
    example("pig", goal=20),
]
each_game = pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)


def nim_name(text):
    """Return our name of OpenSpiel's action "pile:2, take:3;"."""
    pile, take = (int(part.rpartition(":")[2]) for part in text.rstrip(";").split(","))
    return f"take {take} from {'abc'[pile - 1]}"


def cell_name(text):
    """Return our name of a cell of OpenSpiel's Gomoku, "row,column"."""
    row, column = map(int, text.split(","))
    return f"{chr(ord('a') + column)}{row + 1}"


PAIRS: dict[str, tuple[str, Any, Any]] = {
    "hex": ("hex(board_size=5)", make("hex", size=5), str),
    "othello": ("othello", make("reversi"), str),
    "nim": ("nim(pile_sizes=1;3;5)", make("nim", heaps="1,3,5", take=5, misere=True), nim_name),
    "connect four": (
        "connect_four",
        example("connect_four"),
        lambda text: f"{'abcdefg'[int(text[1])]}",
    ),
    "gomoku": ("gomoku(size=6,connect=5)", make("gomoku", size=6), cell_name),
    "leduc poker": ("leduc_poker", example("leduc"), str.lower),
    "kuhn poker": ("kuhn_poker", Kuhn(), {"Pass": "0", "Bet": "1"}.get),
    "liar's dice": (
        "liars_dice",
        example("liars_dice"),
        lambda text: "liar" if text == "Liar" else text.replace("-", "x"),
    ),
}


def deal(name, outcome):
    """Return our outcomes of an outcome of OpenSpiel."""
    if name == "leduc poker":
        return [outcome // 2]  # OpenSpiel has cards, and we have their ranks
    if name == "liar's dice":
        return [int(face == outcome) for face in range(5)]  # dice of each face but the last
    return [outcome]


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_random_games_that_both_have_are_equal_move_by_move(name):
    label, game, renamed = PAIRS[name]
    theirs, ours = pyspiel.load_game(label), to_openspiel(game)
    scale = theirs.max_utility()
    choice = random.Random(name)
    for _ in range(20):
        one, other = theirs.new_initial_state(), ours.new_initial_state()
        while not one.is_terminal():
            assert one.is_chance_node() == other.is_chance_node()
            if one.is_chance_node():
                outcome = choice.choice(one.legal_actions())
                one.apply_action(outcome)
                for mine in deal(name, outcome):
                    other.apply_action(mine)
                continue
            assert one.current_player() == other.current_player()
            names = {
                renamed(one.action_to_string(action)): action for action in one.legal_actions()
            }
            mine = {other.action_to_string(action): action for action in other.legal_actions()}
            assert names.keys() == mine.keys()
            chosen = choice.choice(sorted(names))
            one.apply_action(names[chosen])
            other.apply_action(mine[chosen])
        assert other.is_terminal()
        assert [scale * utility for utility in other.returns()] == pytest.approx(one.returns())


@each_game
def test_openspiels_own_check_accepts_a_game(game):
    pyspiel.random_sim_test(to_openspiel(game), num_sims=2, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reversi", "gomoku", "catan", "catan-reduced"])
def test_openspiels_own_check_accepts_a_large_game(name):
    short = {"victory_points": 4} if name.startswith("catan") else {}
    game = to_openspiel(make(name, **short))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@each_game
def test_a_game_is_loaded_again_from_its_text(game):
    exported = to_openspiel(game)
    assert exported.game == game
    assert pyspiel.load_game(str(exported)).game == game


@pytest.mark.slow
def test_all_known_games_are_registered_and_take_their_options():
    assert "meeple_hex" in register_games()
    assert pyspiel.load_game("meeple_hex(size=7,swap=true)").game == make("hex", size=7, swap=True)
    with pytest.raises(Exception, match="size must be a whole number from 3"):
        pyspiel.load_game("meeple_hex(size=1)")


def test_the_type_says_what_a_game_has():
    kinds = pyspiel.GameType
    hex_, leduc, coins = (to_openspiel(game).get_type() for game in (SMALL[0], SMALL[3], SMALL[4]))
    assert hex_.chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert leduc.chance_mode == coins.chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert hex_.information == coins.information == kinds.Information.PERFECT_INFORMATION
    assert leduc.information == kinds.Information.IMPERFECT_INFORMATION


def test_a_game_with_a_drawn_start_begins_with_a_chance_node():
    game = pyspiel.load_game(str(to_openspiel(SMALL[4])).replace("starts=64", "starts=5"))
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(seed, pytest.approx(0.2)) for seed in range(5)]
    state.apply_action(3)
    assert state.position == SMALL[4].start(3)


def test_observations_are_ours_and_what_is_remembered_tells_information_sets_apart():
    game = to_openspiel(Kuhn())
    states: list[Any] = []
    for deal_ in ((0, 1), (0, 2), (1, 2)):
        state = game.new_initial_state()
        for action in deal_:
            state.apply_action(action)
        states.append(state)
    observed = [state.position.observation(0).ravel().tolist() for state in states]
    assert [state.observation_tensor(0) for state in states] == observed
    remembered = [state.information_state_string(0) for state in states]
    assert remembered[0] == remembered[1] != remembered[2]
    observer = game.make_py_observer(INFO_STATE_OBS_TYPE)
    assert observer.string_from(states[0], 0) == remembered[0]


@pytest.mark.slow
def test_cfr_of_openspiel_solves_a_game_of_ours():
    game = to_openspiel(Kuhn())
    solver = cfr.CFRPlusSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.02


def test_copies_of_a_state_are_independent():
    state: Any = to_openspiel(SMALL[0]).new_initial_state()
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert state.position.actions == ()
    assert twin.position.game is state.position.game


def test_bots_play_our_games_against_openspiels_search():
    game = to_openspiel(make("hex", size=3))
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    theirs = pyspiel.MCTSBot(game, evaluator, 2.0, 10, 100, False, 42, False)
    results = pyspiel.evaluate_bots(
        game.new_initial_state(), [AgentBot(game, "uct:sims=50", 0), theirs], 1
    )
    assert sum(results) == 0


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker"])
def test_bots_play_openspiels_games(name):
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(0, 3), AgentBot(game, "uct:sims=20", 1, seed=5)]
    results = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed) for seed in range(2)]
    again = [pyspiel.make_uniform_random_bot(0, 3), AgentBot(game, "uct:sims=20", 1, seed=5)]
    assert results == [
        pyspiel.evaluate_bots(game.new_initial_state(), again, seed) for seed in range(2)
    ]


def test_a_bot_takes_a_win():
    game = pyspiel.load_game("tic_tac_toe")
    state, bot = game.new_initial_state(), AgentBot(game, "uct:sims=50", 0)
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    assert position_of(state).actions == (0, 3, 1, 4)
    assert bot.step(state) == 2
    assert bot.player_id() == 0


def test_games_of_openspiel_are_not_registered_there():
    with pytest.raises(UsageError, match="is a game of OpenSpiel: load it there"):
        to_openspiel(make("openspiel:tic_tac_toe"))


def test_a_state_before_its_start_is_drawn_has_no_position():
    state = to_openspiel(SMALL[4]).new_initial_state()
    assert isinstance(state, ExportedState)
    assert np.array(state.observation_tensor(0)).sum() == 0
    with pytest.raises(UsageError, match="opening position is not drawn yet"):
        position_of(state)
