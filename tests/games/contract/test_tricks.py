"""Trick games: who may play what, who wins a trick, and what is drawn for a seat."""

from pathlib import Path

import numpy as np
import pytest

from meeple import kernels
from meeple.games.contract.registry import load_game_file

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SEATS, RANKS, BID = 4, 8, 32


@pytest.fixture(scope="module")
def whist():
    return load_game_file(EXAMPLES / "whist.py")()


def winner(cards, leader, trump):
    """Return who wins a trick, in plain Python."""
    led = cards[leader] // RANKS
    worth = {seat: (c // RANKS == trump, c // RANKS == led, c) for seat, c in cards.items()}
    return max(worth, key=lambda seat: worth[seat] if any(worth[seat][:2]) else (False, False, -1))


@pytest.mark.parametrize("seed", range(12))
def test_random_games_agree_with_plain_rules(whist, seed):
    position, rng = whist.start(seed), np.random.default_rng(seed)
    position.play(int(rng.choice(position.legal_actions())))
    trump, tricks, leader = position.actions[0] - BID, [0] * SEATS, 0
    hands = [set(np.flatnonzero(position.state.place == seat).tolist()) for seat in range(SEATS)]
    while not position.is_over:
        cards: dict[int, int] = {}
        for turn in range(SEATS):
            seat = (leader + turn) % SEATS
            assert position.to_move == seat
            follow = {c for c in hands[seat] if cards and c // RANKS == cards[leader] // RANKS}
            assert set(position.legal_actions().tolist()) == (follow or hands[seat])
            cards[seat] = int(rng.choice(position.legal_actions()))
            hands[seat].remove(cards[seat])
            position.play(cards[seat])
        leader = winner(cards, leader, trump)
        tricks[leader] += 1
        assert position.state.tricks.tolist() == tricks
        assert position.state.last.tolist() == [cards[seat] for seat in range(SEATS)]
    assert position.points.tolist() == [
        tricks[seat % 2] + tricks[seat % 2 + 2] for seat in range(4)
    ]


def test_a_determinization_keeps_the_own_hand_what_was_played_and_who_cannot_follow(whist):
    rng, changed = np.random.default_rng(1), 0
    for seed in range(10):
        position = whist.start(seed)
        while not position.is_over:
            seat, twin = int(rng.integers(SEATS)), position.copy()
            whist.belief(seat).sample(twin.row, kernels.new_rng(seed))
            before, after = position.state.place, twin.state.place
            known = (before == seat) | (before < 0)
            assert (before == after)[known].all()
            assert sorted(before) == sorted(after)
            held = [(one, card // RANKS) for card, one in enumerate(after) if one >= 0]
            assert not any(position.state.lacks[one, suit] for one, suit in held)
            changed += (before != after).any()
            position.play(int(rng.choice(position.legal_actions())))
    assert changed > 100
