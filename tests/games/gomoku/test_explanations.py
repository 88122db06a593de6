"""What is said of a Gomoku position is true: rows, open rows, and wins by force."""

import numpy as np
import pytest

from meeple.games.contract.board_game import owners
from meeple.games.contract.capabilities import NUMBERS, explanations
from meeple.games.gomoku import explanations as module
from meeple.games.gomoku.fours import win_by_fours
from tests.games.gomoku.boards import after, naive_game, random_position
from tests.naive.gomoku import STEPS
from tests.tiers import repeats

BOARDS = [(8, 5, "freestyle"), (8, 5, "standard"), (7, 4, "standard"), (9, 6, "freestyle")]


def found_in(position):
    return [(one.kind, one.player, one.sentence) for one in explanations(position, None)]


def wins_at(naive, player):
    """Return the cells where a stone of a player completes a row."""
    found = set()
    for cell in range(naive.size**2):
        place = divmod(cell, naive.size)
        if place not in naive.owner:
            naive.owner[place] = player
            if naive.winner() == player:
                found.add(cell)
            del naive.owner[place]
    return found


def beyond(place, step, sign):
    return place[0] + sign * step[0], place[1] + sign * step[1]


def run_through(naive, place, step, player):
    """Return the cells of a player's run through a stone in one direction, in order."""
    run = [place]
    while naive.owner.get(beyond(run[-1], step, 1)) == player:
        run.append(beyond(run[-1], step, 1))
    while naive.owner.get(beyond(run[0], step, -1)) == player:
        run.insert(0, beyond(run[0], step, -1))
    return run


def completes(naive, place, step, player):
    """Return whether a stone on a cell completes a winning row in one direction."""
    on_board = all(0 <= at < naive.size for at in place)
    if not on_board or place in naive.owner:
        return False
    naive.owner[place] = player
    length = len(run_through(naive, place, step, player))
    del naive.owner[place]
    return length == naive.in_a_row or (length > naive.in_a_row and not naive.exact)


def open_row_makers(naive, player):
    """Return the cells after which a run that lacks one stone can be completed at both ends."""
    found = set()
    for cell in range(naive.size**2):
        place = divmod(cell, naive.size)
        if place in naive.owner:
            continue
        naive.owner[place] = player
        for step in STEPS:
            run = run_through(naive, place, step, player)
            ends = (beyond(run[0], step, -1), beyond(run[-1], step, 1))
            if len(run) == naive.in_a_row - 1 and all(
                completes(naive, end, step, player) for end in ends
            ):
                found.add(cell)
        del naive.owner[place]
    return found


@pytest.mark.parametrize(("size", "in_a_row", "rule"), BOARDS)
@pytest.mark.slow
def test_rows_and_open_rows_are_completed_where_the_rules_say_so(size, in_a_row, rule):
    rng = np.random.default_rng(7)
    rows = open_rows = 0
    for _ in range(repeats(60, 30)):
        position = random_position(size, in_a_row, rule, rng)
        naive, exact = naive_game(position), rule == "standard"
        for player in range(2):
            board = owners(position)
            completing = {
                cell for _, at in module._rows(board, player, in_a_row, exact) for cell in at
            }
            assert completing == wins_at(naive, player)
            found = module._open_rows(board, player, in_a_row, exact)
            makers = {cell for at in found.values() for cell in at}
            rows, open_rows = rows + len(completing), open_rows + len(makers)
            # A stone that completes a row makes no threat any more.
            assert makers - completing == open_row_makers(naive, player) - completing
    assert rows > 5
    assert open_rows > 5


@pytest.mark.parametrize(
    ("moves", "kind", "sentence"),
    [
        ("c8 a1 d8 a3 e8 a5 f8 a7", "open four", "an open four: b8 or g8 completes a row of five"),
        ("c8 b8 d8 a3 e8 a5 f8 a7", "four", "a four: g8 completes a row of five"),
        ("d8 a1 e8 a3 f8", "open three", "an open three: c8 or g8 makes an open four"),
    ],
)
def test_threats_are_named(moves, kind, sentence):
    found = found_in(after(moves))
    assert found[0] == (kind, 0, f"Black has {sentence}")
    assert all(player == 0 for _, player, _ in found)


def test_renju_names_only_rows_of_black_that_are_completed_next():
    assert found_in(after("d8 a1 e8 a3 f8", rule="renju")) == []
    four = after("d8 b1 e8 a3 f8 a5 g8 a7", rule="renju")
    assert [kind for kind, *_ in found_in(four)] == ["open four", "forced win"]


def defences(position):
    """Return White's moves after which Black cannot complete five at once."""
    return [
        action
        for action in position.legal_actions().tolist()
        if not any(after.is_over and after.payoffs[0] == 1 for after in twice(position, action))
    ]


def twice(position, action):
    """Yield the positions after an action and every answer."""
    reply = position.copy()
    reply.play(action)
    for answer in reply.legal_actions().tolist():
        twin = reply.copy()
        twin.play(answer)
        yield twin


def forced_win(position):
    """Return the explanation of a forced win, or None."""
    return next((one for one in explanations(position, None) if one.shape == NUMBERS), None)


@pytest.mark.slow
def test_fours_of_black_win_in_renju_by_legal_moves_with_one_answer_each():
    rng, lengths = np.random.default_rng(3), []
    for _ in range(repeats(400, 40)):
        position = random_position(9, 5, "renju", rng, least=20)
        if position.to_move or not win_by_fours(position.state, 100_000):
            continue
        line = [int(spot) for spot in forced_win(position).spots]
        lengths.append(len(line))
        for at, action in enumerate(line):
            assert action in position.legal_actions()
            position.play(action)
            if at % 2 == 0 and at + 1 < len(line):
                assert set(defences(position)) <= {line[at + 1]}
        assert position.payoffs[0] == 1.0
    assert max(lengths) > 1


def test_a_four_that_renju_forbids_wins_nothing():
    stones = "e8 d8 f8 h4 g8 a1 h5 a3 h6 c1 h7 e1"  # h8 makes two fours
    standard, renju = (str(found_in(after(stones, rule=rule))) for rule in ("standard", "renju"))
    assert "wins by force within 3 plies" in standard
    assert "within 3 plies" not in renju


def test_a_win_of_black_by_threes_is_shown_in_renju():
    rng, seen = np.random.default_rng(5), set[int]()
    while len(seen) < 2:  # Black to move, and White
        position = random_position(9, 5, "renju", rng, least=12)
        win = forced_win(position)
        if win and win.player == 0 and not win_by_fours(position.state, 100_000):
            seen.add(position.to_move)


def test_a_forced_win_is_shown_in_renju():
    win = forced_win(after("d8 a1 e8 a3 f8 a5", rule="renju"))
    assert win.sentence.startswith("Black wins by force within 3 plies: ")
    assert forced_win(after("a1 d8 a3 e8 a5 f8 a8 g8 o1", rule="renju")).player == 1


def test_a_win_by_force_is_numbered_to_its_end():
    rng, seen = np.random.default_rng(9), 0
    for _ in range(repeats(60, 15)):
        position = random_position(7, 4, "freestyle", rng)
        win, played = forced_win(position), position.copy()
        if win is None:
            continue
        if win.player != position.to_move:  # its line begins with the reply
            seen += 1
        if not win.spots:  # two rows are completed next, and one stone stops one of them
            assert len(wins_at(naive_game(position), win.player)) > 1
            continue
        for spot in win.spots:
            assert not played.is_over
            played.play(int(spot))
        assert played.is_over
        assert played.payoffs[win.player] == 1.0
        words = "at once" if len(win.spots) == 1 else f"within {len(win.spots)} plies"
        assert words in win.sentence
    assert seen > 0


def test_nothing_is_said_of_an_opening_or_a_finished_game():
    opening = after("c8 a1", opening="swap")
    assert found_in(opening) == []
    over = after("c8 a1 d8 a3 e8 a5 f8 a7 g8")
    assert over.is_over
    assert found_in(over) == []
