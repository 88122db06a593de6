"""Agents play a winning action if there is one, and else prevent a win of the next player."""

import functools
from itertools import islice

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.levels import LEVELS
from meeple.games.check.promises import cases
from meeple.games.contract.registry import BUILT_IN, game_class
from meeple.search.mcts.decisive import DecisiveMoves
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct
from tests.search.heap import Heap
from tests.search.pennies import Pennies
from tests.search.toys import Paper

GAMES = 20  # maximum number of random games searched for positions
LAST_PLIES = 6  # final plies of a game that are examined
LONG = 300  # plies from which examining one position of a game takes seconds


def after(position, action):
    twin = position.copy()
    twin.play(action)
    return twin


def wins(position):
    """Return the actions that win at once, with the mover's share the greatest of all."""
    seat, found = position.to_move, []
    for action in position.legal_actions().tolist():
        last = after(position, action)
        if last.is_over and (last.payoffs >= last.payoffs[seat]).sum() == 1:
            found.append(action)
    return found


def losses(position):
    """Return the actions after which another player wins at once or has won."""
    seat, found = position.to_move, []
    for action in position.legal_actions().tolist():
        following = after(position, action)
        if following.is_over:
            lost = following.payoffs.max() == 1 and following.payoffs[seat] == 0
        else:
            others = following.to_move >= 0 and following.to_move != seat
            lost = others and any(
                after(following, reply).payoffs[following.to_move] == 1 for reply in wins(following)
            )
        if lost:
            found.append(action)
    return found


def decisions(game):
    """Yield decisions near the end of random games, the last first."""
    for seed in range(GAMES):
        position, choice = game.start(seed), np.random.default_rng(seed)
        while not position.is_over:
            if position.to_move < 0:
                position.play_chance()
            else:
                position.play(int(choice.choice(position.legal_actions())))
        for _ in range(min(LAST_PLIES, len(position.actions))):
            position.undo()
            if position.to_move >= 0 and len(position.legal_actions()) > 1:
                yield position.copy()


def first_undecided(game, found):
    """Return the first positions in which some actions, but not all, are of a kind."""
    some = ((p, actions) for p, actions in found if 0 < len(actions) < len(p.legal_actions()))
    return list(islice(some, 1 if game.max_plies > LONG else 4))


@functools.cache
def positions_to_win(game):
    """Return positions in which some actions win and others do not, with the winning actions."""
    return first_undecided(game, ((position, wins(position)) for position in decisions(game)))


@functools.cache
def positions_to_defend(game):
    """Return positions without a win in one, in which only some actions lose at once."""
    found = ((position, losses(position)) for position in decisions(game) if not wins(position))
    return first_undecided(game, found)


def all_games():
    """Return every built-in game, with the options of its examples."""
    for name in BUILT_IN:
        for options in cases(game_class(name)):
            yield meeple.make(name, **options)


GAMES_WITH_HEURISTIC = [game for game in all_games() if game.has(kernels.HEURISTIC)]
OPEN_BOARDS = [game for game in all_games() if not game.has(kernels.PRUNE)]
PLAYED_LEVELS = [
    (meeple.make(levels.game, **options), spec)
    for levels in LEVELS
    for options in levels.measured
    for spec in levels.steps.values()
    if spec not in ("random", "weighted")
]
LOOKS_FURTHER = ("uct:", "puct:", "minimax:depth=2", "minimax:depth=3", "minimax:depth=4")
LOOKS_FURTHER_IF_OPEN = ("greedy:loss=",)  # where nothing is hidden


def assert_decisive(game, spec, defends):
    """Assert that an agent wins at once, and if it `defends`, that it prevents a loss at once."""
    agent = meeple.agent(spec, game, seed=1)
    for position, won in positions_to_win(game):
        if "loss" in spec and after(position, next(iter(won))).payoffs[position.to_move] < 1:
            continue  # a part of a shared win may be given away
        agent.begin(1)
        assert agent.choose(position) in won, f"{position}\n{position.actions}"
        if spec.startswith("uct") and game in OPEN_BOARDS:
            found = agent.analysis
            assert found is not None
            assert found.value is not None
            assert found.value[position.to_move] == 1
    for position, lost in positions_to_defend(game) if defends else ():
        agent.begin(1)
        assert agent.choose(position) not in lost, f"{position}\n{position.actions}"


@pytest.mark.parametrize(
    "spec",
    [
        *("greedy", "minimax:depth=1", "minimax:depth=2", "uct:sims=20", "uct:sims=200"),
        *("greedy:loss=1", "minimax:depth=2,loss=1", "uct:sims=20,loss=1"),
    ],
)
@pytest.mark.parametrize("game", GAMES_WITH_HEURISTIC, ids=repr)
def test_an_agent_of_a_game_with_a_heuristic_wins_at_once(game, spec):
    assert_decisive(game, spec, defends=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["uct:sims=1", "uct:sims=20", "uct:sims=500,threads=2", "uct:sims=20,loss=1"]
)
@pytest.mark.parametrize("game", OPEN_BOARDS, ids=repr)
def test_uct_wins_at_once_and_prevents_a_loss_at_once(game, spec):
    assert_decisive(game, spec, defends=True)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "spec"), PLAYED_LEVELS, ids=str)
def test_every_level_wins_at_once_and_prevents_a_loss_at_once(game, spec):
    further = LOOKS_FURTHER if game.hides else LOOKS_FURTHER + LOOKS_FURTHER_IF_OPEN
    assert_decisive(game, spec, defends=spec.startswith(further))


def gomoku(names, **options):
    game = meeple.make("gomoku", **{"size": 5, "in_a_row": 4, **options})
    position = game.start()
    for name in names.split():
        position.play(position.parse_action(name))
    return position


@pytest.mark.parametrize("simulations", [1, 30])
def test_simulations_go_to_the_only_move_that_does_not_lose_at_once(simulations):
    position = gomoku("b1 b2 c1 b3 e4 b4")
    agent = meeple.agent(f"uct:sims={simulations}", position.game, seed=1)
    for searched in (simulations, 2 * simulations):  # resumed, it counts its own alone
        assert position.action_name(agent.choose(position)) == "b5"
        found = agent.analysis
        assert found is not None
        assert found.visits.sum() == searched
        assert found.visits[found.actions == position.parse_action("b5")] >= searched - 1
    heap = Heap().start()  # five stones: leaving three or two loses to the next of three players
    assert meeple.agent(f"uct:sims={simulations}", heap.game, seed=2).choose(heap) == 0


@pytest.mark.parametrize("names", ["b1 b2 c1 b3 e4 b4", "b1 b2 c1"])
def test_agent_without_decisive_moves_equals_the_textbook_search(names):
    position = gomoku(names)
    visits = TreeSearch(OpenUct(position.game), seed=7).run(position, 300).visits
    for keys in (",decisive=off", *([""] if names == "b1 b2 c1" else ())):  # none is decisive
        agent = meeple.agent(f"uct:sims=300{keys}", position.game, seed=7)
        agent.begin(7)
        agent.choose(position)
        assert agent.analysis is not None
        np.testing.assert_array_equal(agent.analysis.visits, visits)


@pytest.mark.parametrize("spec", ["uct:sims=20", "uct:sims=500", "puct:gomoku8,sims=20"])
def test_agent_leaves_the_fewest_winning_replies_if_every_move_loses(spec):
    position = gomoku("a1 b2 h8 b3 a8 b4 h1 b5", size=8, in_a_row=5)
    agent = meeple.agent(spec, position.game, seed=1)
    assert len(losses(position)) == len(position.legal_actions())
    assert position.action_name(agent.choose(position)) in ("b1", "b6")


def test_no_move_is_decisive_if_chance_partial_shares_or_guesses_follow():
    position = Pennies().start()
    position.play(0)  # whose win would be a guess of what is hidden
    for one in (Paper().start(), Pennies().start(), position):
        assert not DecisiveMoves(one.game).look(one, one.row)
