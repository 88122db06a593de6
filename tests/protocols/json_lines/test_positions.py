"""A program receives a whole open game, or only what its seat may know of any other."""

import json
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.errors import MeepleError
from meeple.games.contract.seat_position import SeatPosition
from meeple.protocols.json_lines.language import Malformed, pack_state, unpack_state
from meeple.protocols.json_lines.positions import Listener, Teller
from tests.agents.test_secrets import alike, alike_in_catan
from tests.search.kuhn import Kuhn
from tests.search.pennies import Pennies


def sent(fields):
    """Return a message after encoding and decoding."""
    return json.loads(json.dumps(fields))


def random_play(game, seed, plies=400):
    """Positions of a random game with a player to move."""
    position, rng = game.start(seed), np.random.default_rng(seed)
    for _ in range(plies):
        if position.is_over:
            return
        if position.to_move == meeple.CHANCE:
            position.play_chance()
            continue
        yield position
        position.play(int(rng.choice(position.legal_actions())))


@pytest.mark.parametrize(
    "game",
    [
        meeple.make("hex", size=4, swap=True),
        meeple.make("reversi", size=4),
        meeple.make("ledge"),
        meeple.make("catan-reduced", players=3),
        meeple.make("catan", players=2, hidden_hands=False, domestic_trade=False),
    ],
    ids=lambda game: game.name,
)
def test_an_open_game_is_followed_byte_for_byte(game):
    teller, listener = Teller(game), Listener(game)
    for position in random_play(game, 3, 60):
        found = listener.follow(sent(teller.fields(position)))
        assert bytes(found.row) == bytes(position.row)
        assert found.actions == position.actions


@pytest.mark.slow
def test_a_seat_of_catan_follows_its_game_in_pieces():
    """Legal actions, own cards and belief equal those of the game."""
    game = meeple.make("catan", players=3, domestic_trade=False)
    seat = 1
    teller, listener = Teller(game), Listener(game)
    belief: Any = game.belief(seat)
    far: Any = game.belief(seat)
    told = 0
    for position in random_play(game, 5, 700):
        if position.to_move != seat:
            continue
        told += 1
        found = listener.follow(sent(teller.fields(position, ["seen"])))
        assert isinstance(found, SeatPosition)
        assert found.to_move == seat
        assert found.legal_actions().tolist() == position.legal_actions().tolist()
        assert np.array_equal(found.observation(seat), position.observation(seat))
        belief.follow(position)
        far.follow(found)
        for one, other in zip(belief.joint_hands, far.joint_hands, strict=True):
            assert np.array_equal(one, other)
    assert told > 50


def test_the_state_before_an_action_is_that_of_its_step():
    game = meeple.make("catan")
    teller, listener = Teller(game), Listener(game)
    found = None
    for position in random_play(game, 5, 60):
        if position.to_move == 1:
            found = listener.follow(sent(teller.fields(position, ["seen"])))
    assert isinstance(found, SeatPosition)
    found.play(found.legal_actions()[0])
    steps = list(found.steps())
    assert len(steps) > 2
    for number, step in enumerate(steps):
        assert bytes(found.state_before(number)) == bytes(step.before)


@pytest.mark.parametrize("game", [Kuhn(), Pennies()], ids=lambda game: game.name)
def test_positions_that_are_indistinguishable_give_equal_messages(game):
    for one, other in alike(game):
        assert Teller(game).fields(one) == Teller(game).fields(other)


def test_positions_of_catan_that_are_indistinguishable_give_equal_messages():
    """Two positions that differ only in hidden cards give the seat to move equal messages."""
    game = meeple.make("catan", domestic_trade=False)
    for one, other in alike_in_catan(game):
        answers = []
        for position in (one, other):
            teller = Teller(game)
            teller.fields(one)  # the fields of earlier positions
            answers.append(teller.fields(position))
        assert answers[0] == answers[1]


def test_a_seed_that_would_reveal_the_dice_is_not_sent():
    game = meeple.make("catan-reduced")
    assert "seed" not in Teller(game).fields(next(random_play(game, 3)))


def test_unrequested_fields_are_not_sent():
    game = meeple.make("catan", domestic_trade=False)
    position = next(random_play(game, 3))
    assert "seen" not in Teller(game).fields(position, ["view"])
    assert "scene" not in Teller(game).fields(position, ["view"])
    assert "view" in Teller(game).fields(position, ["view"])


def test_a_damaged_state_is_detected():
    packed = pack_state(b"abcdef")
    assert unpack_state(packed) == b"abcdef"
    for wrong in (packed[:-2], packed.replace("Y", "Z", 1), 7, "%%", ""):
        with pytest.raises(Malformed):
            unpack_state(wrong)


def test_steps_after_unknown_ones_are_refused():
    game = meeple.make("catan", domestic_trade=False)
    positions = random_play(game, 3)
    first = Teller(game).fields(next(positions))
    listener = Listener(game)
    with pytest.raises(MeepleError, match="begin with 0"):
        listener.follow({**sent(first), "first": 3})
    listener.follow(sent(first))
    with pytest.raises(MeepleError, match="bytes"):
        listener.follow({**sent(first), "start": pack_state(b"short")})


@pytest.mark.slow
def test_a_determinization_does_not_copy_hidden_state():
    """Some of many determinizations differ from the actual cards."""
    game = meeple.make("catan", domestic_trade=False)
    one, _ = alike_in_catan(game)[0]
    true, differing = bytes(one.row), 0
    for seed in range(20):
        teller = Teller(game)
        teller.begin(seed)
        listener = Listener(game)
        found = listener.follow(sent(teller.fields(one)))
        differing += bytes(found.row) != true
    assert differing > 0
