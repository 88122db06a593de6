"""Agents offer less to players who refuse all their offers, and forget it when one agrees."""

import numpy as np
import pytest

import meeple
from meeple.agents.refusals import WILLINGNESS, spare_refusers
from meeple.games.catan.rules import state as c
from meeple.games.contract import capabilities
from meeple.games.contract.capabilities import Answer, Trading
from meeple.kernels import CHANCE


def offers_made(spec, plies):
    """Play Catan against players who refuse everything; return the offers of the first seat."""
    game = meeple.make("catan", players=3)
    assert isinstance(game, Trading)
    agents = [meeple.agent(spec, game, seed=1), meeple.agent("weighted", game, seed=2)]
    position, made = game.start(seed=5), 0
    for _ in range(plies):
        if position.is_over:
            break
        if position.to_move == CHANCE:
            position.play_chance()
            continue
        refusal = game.refusal(position)
        if position.to_move and refusal is not None:
            position.play(refusal)
            continue
        action = agents[position.to_move > 0].choose(position)
        made += position.to_move == 0 and action == c.PROPOSE
        position.play(action)
    return made


@pytest.mark.parametrize("spec", ["weighted", "greedy", "uct:sims=10"])
def test_agents_heed_refusals(spec, monkeypatch):
    made = []
    for willingness in (0.0, 1.0):
        monkeypatch.setattr("meeple.agents.refusals.WILLINGNESS", willingness)
        made.append(offers_made(spec, 300))
    assert 0 < made[0] < 0.5 * made[1]


def test_the_chance_of_an_offer_follows_the_seat_that_refused_least(monkeypatch):
    game = meeple.make("catan", players=3)
    agent, position = meeple.agent("weighted", game, seed=1), game.start(seed=5)
    while capabilities.without_offers(position) is position:
        position.play(agent.choose(position))
    answers: list[Answer] = []
    monkeypatch.setattr(type(game), "answers", lambda *_: answers)
    one, other = ((position.to_move + offset) % 3 for offset in (1, 2))
    for count in (0, 1, 4):
        answers[:] = [Answer(other, (), False, False, True) for _ in range(count + 5)]
        answers += [Answer(one, (), number == 0, number == 1, True) for number in range(2)]
        answers += [Answer(one, (), False, False, True) for _ in range(count)]
        kept = np.mean([spare_refusers(position, seed) is position for seed in range(2000)])
        assert kept == pytest.approx(WILLINGNESS**count, abs=0.04)


def test_a_position_without_trade_is_the_same():
    for game in (meeple.make("hex"), meeple.make("catan", domestic_trade=False)):
        position = game.start()
        assert spare_refusers(position, 1) is position
