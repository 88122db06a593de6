"""States and actions of the protocol, and how a client reconstructs a position."""

import numpy as np
import pytest

import meeple
from meeple.errors import UsageError
from meeple.games.contract.registry import load_game_file
from meeple_oht.wire.boards import WireBoard, board_of
from meeple_oht.wire.messages import WireError

GAMES = {
    "hex": {"size": 4},
    "hex-swap": {"size": 3, "swap": True},
    "gomoku": {"size": 5, "in_a_row": 4},
    "reversi": {"size": 4},
    "nim": {},
    "ledge": {},
}


def board(name):
    return WireBoard(meeple.make(name.partition("-")[0], **GAMES[name]))


def followed(client, known, state, starter):
    found = client.follow(known, state, starter)
    assert found is not None
    return found


def test_a_state_of_hex_has_the_player_to_move_and_the_cells_row_by_row():
    found = WireBoard(meeple.make("hex", size=3))
    position = found.begun_by(2).start()
    assert found.state(position, 2) == (2, *[0] * 9)
    position.play(5)  # row 1, column 2, by player 2
    position.play(0)
    assert found.state(position, 2) == (2, 1, 0, 0, 0, 0, 2, 0, 0, 0)
    assert found.params == (3,)
    assert found.answer(5) == (1, 2)


def test_player_1_of_hex_spans_rows_for_either_starter():
    found = WireBoard(meeple.make("hex", size=3))
    for starter in (1, 2):
        position = found.begun_by(starter).start()
        down = iter([1, 4, 7])  # a column of cells, from the first row to the last
        across = iter([0, 2, 3])
        while not position.is_over:
            mover = found.state(position, starter)[0]
            position.play(next(down if mover == 1 else across))
        assert found.player(int(np.argmax(position.payoffs)), starter) == 1


@pytest.mark.parametrize("name", ["gomoku", "reversi"])
def test_the_starter_has_seat_0_and_codes_name_players(name):
    found = board(name)
    for starter in (1, 2):
        position = found.begun_by(starter).start()
        assert found.state(position, starter)[0] == starter
        action = int(position.legal_actions()[0])
        position.play(action)
        state = found.state(position, starter)
        assert state[0] == 3 - starter
        assert state[1 + action] == starter
        assert found.seat(starter, starter) == 0


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_sent_and_read_back_and_every_state_followed(name):
    host, rng = board(name), np.random.default_rng(5)
    client = board_of(host.params)
    for starter in (1, 2):
        for seed in range(3):
            position = host.begun_by(starter).start(seed)
            known = client.begun_by(starter).start(seed)
            while not position.is_over:
                forced = host.forced(position)
                legal = position.legal_actions()
                action = int(rng.choice(legal)) if forced is None else forced
                assert host.action(host.answer(action)) == action
                position.play(action)
                behind = len(position.actions) - len(known.actions)
                if not position.is_over and (behind >= 3 or rng.random() < 0.6):
                    state = host.state(position, starter)
                    known = followed(client, known, state, starter)
                    assert client.state(known, starter) == state


def test_a_lost_client_reconstructs_the_stones():
    host, rng = WireBoard(meeple.make("hex", size=7)), np.random.default_rng(5)
    position = host.begun_by(2).start()
    for _ in range(20):
        position.play(int(rng.choice(position.legal_actions())))
    found = followed(host, host.begun_by(2).start(), host.state(position, 2), 2)
    assert host.state(found, 2) == host.state(position, 2)
    assert sorted(found.actions) == sorted(position.actions)


@pytest.mark.parametrize("size", [6, 10])
def test_a_lost_client_of_reversi_reconstructs_the_discs(size):
    host, rng = WireBoard(meeple.make("reversi", size=size)), np.random.default_rng(5)
    for starter in (1, 2):
        position = host.begun_by(starter).start()
        while len(position.actions) < 22:
            position.play(int(rng.choice(position.legal_actions())))
        state = host.state(position, starter)
        found = followed(host, host.begun_by(starter).start(), state, starter)
        assert host.state(found, starter) == state
        assert found.legal_actions().tolist() == position.legal_actions().tolist()
        action = int(position.legal_actions()[0])
        for one in (found, position):
            one.play(action)
        assert host.state(found, starter) == host.state(position, starter)
        assert found.legal_actions().tolist() == position.legal_actions().tolist()


def test_a_forced_pass_is_not_requested_and_a_swap_is_an_action():
    swap = board("hex-swap")
    position = swap.begun_by(1).start()
    position.play(4)
    assert swap.answer(9) == (-1, -1)
    assert swap.action((-1, -1)) == 9
    assert swap.forced(position) is None
    reversi = board("reversi")
    assert reversi.action((-1, -1)) == 16


@pytest.mark.parametrize("answer", [(3, 0), (0, 4), (-1, 0), (-2, -1), (5,), (1, -1)])
def test_an_action_outside_the_board_is_none(answer):
    assert board("hex").action(answer) is None or board("hex").action(answer) >= 12


@pytest.mark.parametrize(
    ("name", "options", "words"), [("catan", {}, "two players"), ("leduc", {}, "hides")]
)
def test_games_that_the_protocol_cannot_encode_are_refused(name, options, words):
    game = (
        load_game_file(f"examples/{name}.py")() if name == "leduc" else meeple.make(name, **options)
    )
    with pytest.raises(UsageError, match=words):
        WireBoard(game)


@pytest.mark.parametrize(
    "params", [(), (0,), (99,), ("5",), (5, "chess", {}), (5, "hex", {"sizes": 3}), (5, 5, 5)]
)
def test_unknown_game_params_are_refused(params):
    with pytest.raises(WireError):
        board_of(params)


def test_a_state_of_another_board_is_refused():
    with pytest.raises(WireError, match="9 cells"):
        WireBoard(meeple.make("hex", size=3)).checked((1, 0, 0))
