"""The games of examples/board_games agree with OpenSpiel, published counts and naive rules."""

import re
from pathlib import Path

import numpy as np
import pytest

from meeple.games.contract.registry import load_game_file
from meeple.search.exact.solver import solve
from meeple.search.perft import perft

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "board_games"


def make(name, **options):
    return load_game_file(FOLDER / f"{name}.py")(**options)


# ------------------------------------------------------------ OpenSpiel, in lockstep


def two_cells(state, action):
    """The name of OpenSpiel's move, such as b5xc4*, as ours: b5-c4."""
    return "-".join(re.findall(r"[a-h]\d", state.action_to_string(action)))


def from_below(state, action):
    """The same, on five rows that OpenSpiel counts from below."""
    return re.sub(r"\d", lambda row: str(6 - int(row[0])), two_cells(state, action))


LOCKSTEP = {
    "breakthrough": ("breakthrough(rows=6,columns=6)", {}, two_cells),
    "clobber": ("clobber(rows=5,columns=6)", {}, from_below),
    "kalah": ("mancala", {}, lambda state, action: " abcdef ABCDEF"[action]),
    "lines_of_action": ("lines_of_action", {"size": 8}, two_cells),
}


@pytest.mark.parametrize("name", LOCKSTEP)
@pytest.mark.parametrize("seed", range(5))
def test_random_games_agree_with_openspiel(name, seed):
    spiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs, options, named = LOCKSTEP[name]
    state, position = spiel.load_game(theirs).new_initial_state(), make(name, **options).start()
    choice = np.random.default_rng(seed)
    while not state.is_terminal():
        actions = {named(state, action): action for action in state.legal_actions()}
        legal = position.legal_actions().tolist()
        assert {position.action_name(action) for action in legal} == set(actions)
        move = str(choice.choice(sorted(actions)))
        state.apply_action(actions[move])
        position.play(move)
        longest = len(position.actions) == position.game.max_plies
        if longest or (state.is_terminal() and 0 in state.returns()):  # draws of either's own
            return
    assert position.is_over
    assert position.payoffs.tolist() == [(1 + one) / 2 for one in state.returns()]


def marked_cell(text):
    """The cell of OpenSpiel's move in ultimate tic-tac-toe: 'Local board 2: x(0,1)'."""
    small, row, column = map(int, re.findall(r"\d", text))
    return (small // 3 * 3 + row) * 9 + small % 3 * 3 + column


@pytest.mark.parametrize("seed", range(20))
def test_random_games_of_ultimate_tic_tac_toe_agree_with_openspiel(seed):
    spiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    state = spiel.load_game("ultimate_tic_tac_toe").new_initial_state()
    position, choice = make("ultimate_tic_tac_toe").start(), np.random.default_rng(seed)
    while not state.is_terminal():
        texts = {action: state.action_to_string(action) for action in state.legal_actions()}
        if "Choose" in next(iter(texts.values())):
            states = [state.child(action) for action in texts]
        else:
            states = [state.clone()]
        moves = {
            marked_cell(one.action_to_string(action)): one.child(action)
            for one in states
            for action in one.legal_actions()
        }
        assert sorted(position.legal_actions().tolist()) == sorted(moves)
        move = int(choice.choice(sorted(moves)))
        state = moves[move]
        position.play(move)
    assert position.is_over
    assert position.payoffs.tolist() == [(1 + one) / 2 for one in state.returns()]


STONES_OF_OPENSPIEL = {"w": 0, "b": 1}  # White begins, from the corner at the bottom right


def board_of(state):
    """OpenSpiel's stones by cell, [25], turned so that White begins at the top left."""
    cells = re.findall(r"\|(__|[wb]\d)\|", str(state))[::-1]
    return [
        -1 if cell == "__" else STONES_OF_OPENSPIEL[cell[0]] * 6 + int(cell[1]) - 1
        for cell in cells
    ]


@pytest.mark.parametrize("seed", range(10))
def test_random_games_of_einstein_agree_with_openspiel(seed):
    spiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    state = spiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    position, choice = make("einstein").start(), np.random.default_rng(seed)
    for _ in range(2):
        state.apply_action(int(choice.choice(state.legal_actions())))
    board = board_of(state)
    for stone in [seat * 6 + number for number in range(6) for seat in range(2)]:
        position.play(board.index(stone) * 7)
    while not state.is_terminal():
        assert position.state.board.tolist() == board_of(state)
        if state.is_chance_node():
            number = int(choice.integers(6))
            state.apply_action(state.legal_actions()[number])
            position.play(int(position.chance_outcomes()[0][number]))
            continue
        following = {str(board_of(state.child(one))): one for one in state.legal_actions()}
        ours = {}
        for action in position.legal_actions().tolist():
            child = position.copy()
            child.play(action)
            ours[str(child.state.board.tolist())] = action
        assert set(ours) == set(following)
        chosen = str(choice.choice(sorted(ours)))
        state.apply_action(following[chosen])
        position.play(ours[chosen])
    assert position.is_over
    assert position.payoffs.tolist() == [(1 + one) / 2 for one in state.returns()[::-1]]


# ------------------------------------------------------------ naive rules


def longest_row(stones):
    """The stones of the longest row on a board of hexagons, of which (row, column) are given."""
    return max(
        next(n for n in range(9) if (row + n * down, column + n * right) not in stones)
        for row, column in stones
        for down, right in ((0, 1), (1, 0), (1, -1))
    )


@pytest.mark.parametrize("seed", range(20))
def test_yavalath_is_won_by_four_in_a_row_and_lost_by_three(seed):
    position, choice = make("yavalath").start(), np.random.default_rng(seed)
    assert len(position.legal_actions()) == 37
    stones: list[set[tuple[int, int]]] = [set(), set()]
    while not position.is_over:
        mover, action = position.to_move, int(choice.choice(position.legal_actions()))
        assert all(longest_row(own) < 3 for own in stones if own)
        position.play(action)
        stones[mover].add(divmod(action, 7))
    longest = longest_row(stones[mover])
    share = 0.5 if longest < 3 else float(longest > 3)
    assert position.payoffs[mover] == share
    assert longest >= 3 or sum(map(len, stones)) == 37


# ------------------------------------------------------------ published counts and results


def test_ataxx_has_the_counts_of_libataxx():
    """Of the usual board: https://github.com/kz04px/libataxx/blob/master/tests/perft.cpp.

    There a game that has ended counts 0; 16 games end with the fourth ply.
    """
    position = make("ataxx", size=7).start()
    counts = [perft(position, depth) for depth in range(1, 6)]
    assert counts == [16, 256, 6460, 155888, 4752668 + 16]


def test_ultimate_tic_tac_toe_has_the_known_counts():
    position = make("ultimate_tic_tac_toe").start()
    assert [perft(position, depth) for depth in range(1, 6)] == [81, 720, 6336, 55080, 473256]


@pytest.mark.parametrize("columns", [2, 4, 6, 8, 10])
def test_first_player_wins_clobber_on_a_row_but_for_six_cells(columns):
    """Albert, Grossman, Nowakowski and Wolfe, "An introduction to Clobber", 2005."""
    solution = solve(make("clobber", rows=1, columns=columns).start())
    assert solution.payoffs.tolist() == ([0, 1] if columns == 6 else [1, 0])
