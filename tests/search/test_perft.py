"""Perft counts agree with plain recursion, formulas, and published counts of Reversi."""

from math import perm

import pytest

from meeple.errors import UsageError
from meeple.games.contract.registry import make
from meeple.search.perft import perft
from tests.search.toys import Paper

# Published, and confirmed by two independent programs; a pass is a ply, and a game that ended
# earlier counts 1.
REVERSI = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]


def recursive(position, depth):
    if depth == 0 or position.is_over:
        return 1
    total = 0
    for action in position.legal_actions().tolist():
        position.play(action)
        total += recursive(position, depth - 1)
        position.undo()
    return total


def test_reversi_has_the_published_counts():
    position = make("reversi").start()
    assert [perft(position, depth) for depth in range(1, 11)] == REVERSI


def test_number_of_complete_games_of_small_reversi_is_right():
    position = make("reversi", size=4).start()
    assert perft(position, position.game.max_plies) == 60060


@pytest.mark.parametrize(
    ("game", "depth"),
    [
        (make("nim", stones=9, take=4), 9),  # games end at every depth
        (make("hex", size=3), 5),
        (make("hex", size=3, swap=True), 4),
        (make("ledge", row="00121"), 8),
        (make("reversi", size=4), 7),
        (make("reversi", size=10), 4),
    ],
    ids=repr,
)
def test_counts_are_those_of_plain_recursion_with_or_without_playing_the_last_ply(game, depth):
    position = game.start()
    for plies in range(1, depth + 1):
        expected = recursive(position, plies)
        assert [perft(position, plies, bulk) for bulk in (True, False)] == [expected, expected]


def test_count_of_a_filling_board_is_a_product_of_choices():
    assert perft(make("hex", size=11).start(), 3) == perm(121, 3)


def test_counting_starts_at_the_position_and_does_not_change_it():
    position = make("nim", stones=5, take=2).start()
    position.play(0)
    before = position.row.tobytes(), position.actions
    assert perft(position, 4) == 5  # four stones in ones and twos
    assert (position.row.tobytes(), position.actions) == before


def test_a_finished_game_counts_one():
    position = make("nim", stones=1).start()
    position.play(0)
    assert perft(position, 3) == 1


def test_positions_that_cannot_be_counted_are_refused():
    with pytest.raises(UsageError, match="chance"):
        perft(Paper().start(), 2)
    with pytest.raises(UsageError, match="at least 1 ply"):
        perft(make("nim").start(), 0)
