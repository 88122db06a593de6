"""Games of OpenSpiel are played here by its rules, and hide what they hide."""

import json
import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import exploitability as exploitability_there
from open_spiel.python.policy import UniformRandomPolicy

import meeple
from meeple.errors import IllegalAction, MeepleError, OptionError
from meeple.games.check.hidden import what_is_hidden_varies_between_determinizations
from meeple.games.check.looks import (
    a_seats_scene_tells_nothing_that_the_seat_cannot_know,
    what_a_seat_knows_is_kept_by_its_belief,
)
from meeple.games.check.promises import PROMISES, the_rollout_kernel_plays_uniformly
from meeple.games.check.walk import GameWalk
from meeple.games.contract.records import record_of, replay
from meeple.games.contract.registry import load_file, make_from
from meeple.search.exact.cfr import exploitability, matched
from meeple.search.exact.information_tree import information_tree
from meeple.server.play.views import title
from meeple_openspiel.game import why_not
from meeple_openspiel.sampling import Sampler
from meeple_openspiel.states import SharesOfUtility

OPEN = ["tic_tac_toe", "connect_four", "breakthrough(rows=5,columns=4)", "hex(board_size=4)"]
OPEN += ["othello", "pig(players=3,winscore=20)", "backgammon"]
HIDDEN = ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice", "phantom_ttt"]
SECONDS = 3.0  # of a check of a game
LONG = (
    the_rollout_kernel_plays_uniformly,
    what_is_hidden_varies_between_determinizations,
    what_a_seat_knows_is_kept_by_its_belief,
    a_seats_scene_tells_nothing_that_the_seat_cannot_know,
)


def named(name):
    return meeple.make(f"openspiel:{name}")


def mapped():
    """Return all games of OpenSpiel that load without parameters and can be played here."""
    for kind in pyspiel.registered_games():
        if kind.default_loadable:
            yield kind.short_name


def information(state, seat):
    return state.information_state_string(seat)


def both(position):
    """Return a position's state in OpenSpiel, replayed from its history."""
    state = position.game.theirs.new_initial_state()
    for action in position.actions:
        state.apply_action(action)
    return state


def random_game(game, seed):
    """Yield a position before every ply of a random game and at its end."""
    position, choice = game.start(seed), np.random.default_rng(seed)
    yield position
    while not position.is_over:
        if position.to_move == meeple.CHANCE:
            position.play_chance()
        else:
            position.play(int(choice.choice(position.legal_actions())))
        yield position


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker"])
def test_small_games_of_openspiel_conform_to_the_contract(name):
    for check in PROMISES:
        if check not in LONG:
            check(GameWalk(named(name)))


@pytest.mark.slow
@pytest.mark.parametrize("name", OPEN + HIDDEN)
def test_games_of_openspiel_conform_to_the_contract(name):
    for check in PROMISES:
        check(GameWalk(named(name), SECONDS))


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "pig(players=3,winscore=10)"])
def test_a_game_is_that_of_openspiel_ply_by_ply(name):
    game = named(name)
    for position in random_game(game, 5):
        state = both(position)
        if position.is_over:
            assert state.is_terminal()
            utilities = 2 * position.payoffs - 1 if game.players == 2 else None
            if utilities is not None:
                scale = game.theirs.max_utility()
                assert (utilities * scale).tolist() == pytest.approx(state.returns())
            assert (position.payoffs.argsort() == np.argsort(state.returns())).all()
        elif position.to_move == meeple.CHANCE:
            outcomes, chances = position.chance_outcomes()
            assert dict(state.chance_outcomes()) == pytest.approx(
                dict(zip(outcomes.tolist(), chances.tolist(), strict=True))
            )
        else:
            assert position.to_move == state.current_player()
            assert position.legal_actions().tolist() == state.legal_actions()


def test_utilities_of_three_players_become_shares_that_sum_to_one():
    shares = SharesOfUtility(pyspiel.load_game("kuhn_poker(players=3)"))
    assert sum(shares.of([2, -1, -1])) == pytest.approx(1)
    assert shares.of([0, 0, 0]) == pytest.approx([1 / 3] * 3)
    assert min(shares.of([4, -2, -2])) == pytest.approx(0)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("goofspiel", r"at the same time; openspiel:turn_based_simultaneous_game\(game=goofspiel"),
        ("catch", "it has one player"),
        ("tiny_hanabi", "share one utility"),
        ("bargaining", "do not have a constant sum"),
        ("mfg_garnet", "mean field game"),
        ("hexx", "OpenSpiel has no game 'hexx'; did you mean 'hex'"),
        ("hex(board_size=abc)", "OpenSpiel cannot load"),
        ("hex(depth=3)", "OpenSpiel cannot load"),
        ("hex(board_size=4", "OpenSpiel cannot load"),
    ],
)
def test_a_game_that_cannot_be_mapped_is_refused_with_its_feature(name, sentence):
    with pytest.raises(OptionError, match=sentence):
        named(name)


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("hex", {"board_size": "5", "swap": "on"}, "hex(board_size=5,swap=True)"),
        ("hex(num_cols=4)", {"num_rows": 3}, "hex(num_cols=4,num_rows=3)"),
        ("go", {"komi": "6.5", "board_size": 5}, "go(board_size=5,komi=6.5)"),
        ("misere", {"game": "tic_tac_toe()"}, "misere(game=tic_tac_toe())"),
    ],
)
def test_options_are_parameters_and_become_part_of_the_name(name, options, expected):
    game = meeple.make(f"openspiel:{name}", **options)
    assert game.name == f"openspiel:{expected}"
    assert type(game) is type(meeple.make(game.name))
    assert dict(game.options) == {}
    assert make_from(game.name, {}).name == game.name


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"size": 5},
            r"hex has no parameter 'size'; its parameters: board_size, num_cols, num_rows",
        ),
        ({"board_size": "x"}, "board_size must be a whole number, not 'x'"),
        ({"swap": "maybe"}, "swap must be on or off, not 'maybe'"),
    ],
)
def test_a_wrong_option_is_refused_with_the_parameters(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        meeple.make("openspiel:hex", **options)


def test_a_name_in_data_loads_no_game_and_has_its_options():
    with pytest.raises(OptionError, match="is not loaded: add --load"):
        make_from("openspiel:breakthrough(columns=3,rows=5)", {})
    load_file("openspiel:breakthrough(columns=3,rows=5)")
    assert make_from("openspiel:breakthrough(columns=3,rows=5)", {}).players == 2
    load_file("openspiel:hex")
    with pytest.raises(OptionError, match="must be in its name here, as its library"):
        make_from("openspiel:hex", {"board_size": 5})


def test_the_page_shows_openspiels_title():
    load_file("openspiel:breakthrough(columns=3,rows=7)")
    assert title("openspiel:breakthrough(columns=3,rows=7)") == "Breakthrough, columns=3,rows=7"
    assert title("openspiel:breakthrough(columns=3,rows=6)") == (
        "Openspiel:breakthrough(columns=3,rows=6)"
    )


@pytest.mark.parametrize("name", ["breakthrough(rows=5,columns=4)", "leduc_poker"])
def test_a_recorded_game_is_replayed(name):
    *_, position = random_game(named(name), 2)
    record = record_of(position, ["a", "b"])
    again = replay(record)
    assert again == position
    assert again.payoffs.tolist() == list(record.payoffs or ())


def test_actions_have_openspiels_names_or_its_numbers():
    position = named("tic_tac_toe").start()
    assert position.action_name(4) == "x(1,1)"
    position.play("X(1,1)")
    position.play("0")
    assert position.actions == (4, 0)
    with pytest.raises(IllegalAction, match="not legal here; legal: x"):
        position.play("4")


def test_actions_of_equal_names_are_told_apart():
    position = named("chess").start()
    names = [position.action_name(action).lower() for action in position.legal_actions()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "name", ["leduc_poker", "liars_dice", "phantom_ttt", "kuhn_poker(players=3)"]
)
def test_samples_have_what_the_seat_knows_and_vary_what_it_does_not(name):
    game, rng, varied = named(name), meeple.kernels.new_rng(3), 0
    for position in random_game(game, 4):
        for seat in range(game.players):
            twin = position.copy()
            game.belief(seat).sample(twin.row, rng)
            mine, theirs = game.states.at(twin.address), game.states.at(position.address)
            assert information(mine, seat) == information(theirs, seat)
            varied += information(mine, 1 - seat % 2) != information(theirs, 1 - seat % 2)
    assert varied


def test_samples_have_the_probabilities_of_the_deal():
    """In Kuhn poker the other card is each of the two left with the same probability."""
    game = named("kuhn_poker")
    state = game.theirs.new_initial_state()
    for action in (1, 2):
        state.apply_action(action)
    sampler, choice = Sampler(game.theirs, information), random.Random(1)
    sampler._library = False
    found = [sampler(state, 0, choice)[1] for _ in range(400)]
    assert set(found) == {0, 2}
    assert 150 < found.count(0) < 250


def test_samples_by_backtracking_fit(monkeypatch):
    monkeypatch.setattr("meeple_openspiel.sampling.MAX_WALKS", 0)
    game = named("liars_dice")
    sampler, choice = Sampler(game.theirs, information), random.Random(1)
    sampler._library = False
    for position in random_game(game, 1):
        if position.to_move >= 0:
            seat, state = position.to_move, both(position)
            twin = game.theirs.new_initial_state()
            for action in sampler(state, seat, choice):
                twin.apply_action(action)
            assert information(twin, seat) == information(state, seat)


def test_samples_do_not_depend_on_what_is_hidden():
    """Two deals that seat 0 cannot tell apart give the same samples from the same numbers."""
    theirs = pyspiel.load_game("liars_dice")
    one, other = theirs.new_initial_state(), theirs.new_initial_state()
    for actions, state in (((3, 1, 5), one), ((3, 4, 5), other)):
        for action in actions:
            state.apply_action(action)
    for walks in (True, False):
        samples = []
        for state in (one, other):
            sampler, choice = Sampler(theirs, information), random.Random(1)
            sampler._library, sampler._walks = False, walks
            samples.append([sampler(state, 0, choice) for _ in range(20)])
        assert samples[0] == samples[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"])
def test_exploitability_of_the_uniform_strategy_agrees_with_openspiel(name):
    tree = information_tree(named(name))
    theirs = pyspiel.load_game(name)
    outside = exploitability_there(theirs, UniformRandomPolicy(theirs))
    ours = exploitability(tree, matched(tree, np.zeros(len(tree.sets.action))))
    assert 2 * theirs.max_utility() * ours == pytest.approx(outside, abs=1e-6)


@pytest.mark.parametrize("spec", ["uct:sims=30", "minimax:depth=2,heuristic=even"])
def test_agents_search_games_of_openspiel(spec):
    result = meeple.match(named("tic_tac_toe"), [spec, "random"], games=2, seed=1)
    assert result.games == 2


def test_a_search_finds_a_win_in_one():
    position = named("tic_tac_toe").start()
    for action in (0, 3, 1, 4):
        position.play(action)
    agent = meeple.agent("uct:sims=50", position.game)
    assert agent.choose(position) == 2


def test_the_log_of_a_hidden_game_names_what_a_seat_saw():
    game = named("kuhn_poker")
    before = game.start()
    deal = before.copy()
    deal.play(2)
    assert "hidden" in game.describe_action(before, 2, deal, 1)
    assert "hidden" in game.describe_action(before, 2, deal, None)
    assert "hidden" not in game.describe_action(before, 2, deal, 0)
    deal.play(0)
    bet = deal.copy()
    bet.play(1)
    assert game.describe_action(deal, 1, bet, 1).endswith("Bet")


def test_an_error_of_openspiel_is_one_of_ours():
    game = named("connect_four")
    position = game.start()
    position.row[8] = 99  # an action that does not exist
    position.row[4] = 1
    with pytest.raises(MeepleError, match="connect_four failed: the action 99 of a record"):
        position.legal_actions()
    assert game.start().legal_actions().size == 7


@pytest.mark.slow
@pytest.mark.parametrize("name", list(mapped()))
def test_every_game_is_playable_to_its_end_or_refused_with_a_sentence(name):
    reason = why_not(pyspiel.load_game(name))
    if reason:
        assert "\n" not in reason
        with pytest.raises(OptionError, match="cannot be played here"):
            named(name)
        return
    game = named(name)
    for ply, position in enumerate(random_game(game, 1)):
        if ply % 50 == 0:
            assert position.observation(0).shape == game.observation_shape
            assert str(position) is not None
            assert game.view(position, 0) is not None
    assert position.payoffs.sum() == pytest.approx(1)
    assert json.loads(json.dumps(game.scene(position).to_json()))
