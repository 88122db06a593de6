"""Acceptance of trades: `python -m bench.catan_acceptance states:catan greedy uct:sims=100`.

The first agent plays among three copies of each agent, itself included. For every offer and
counter-offer, the gains of both sides by its own evaluation are recorded, and whether a partner
that could pay agreed. The model of acceptance is fitted to these answers, each kind of partner
with equal weight, and the agent uses it in the next round of games. Prints how often partners
agreed, by their gain, and the weights. `--write FILE` saves a copy of the network with them.
"""

import argparse
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from meeple.agents.networks import find_checkpoint
from meeple.agents.spec import agent, parse
from meeple.agents.states import StatesAgent
from meeple.cli.shared.arguments import open_game
from meeple.games.catan.rules import state as c
from meeple.games.contract.game import Game, Position
from meeple.search.values.acceptance import Acceptance, Terms, features, fit
from meeple.search.values.file import ACCEPTANCE, SavedNetwork, compiled, load_network, save_network
from meeple.search.values.states import StatesSearch

BEFORE = Acceptance(-1.0, 1.0, 0.0)  # what the first games are played by: who gains agrees
EDGES = (-10.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 10.1)  # points, of the table


@dataclass
class OfferAnswers:
    """Features of offers to partners that could pay, and whether they agreed."""

    cases: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = field(default_factory=list)
    agreed: list[bool] = field(default_factory=list)

    def add(self, terms: Terms, proposer: int, agreed: bool) -> None:
        (partner,) = terms.partners
        self.cases.append(features(terms.gains[partner], terms.gains[proposer]))
        self.agreed.append(agreed)


class OfferListener:
    """Records one seat's offers in a game, and the answers."""

    def __init__(self, seat: int, search: StatesSearch, answers: OfferAnswers) -> None:
        self._seat, self._search, self._answers = seat, search, answers
        self._terms: list[Terms] = []  # of the offer that is being made, or is open
        self._plan: list[int] = []

    def hear(self, position: Position, action: int) -> None:
        """Receive an action that is about to be played."""
        s, seat = position.state, position.to_move
        if seat == self._seat and c.GIVE <= action < c.WANT and s.phase in (c.MAIN, c.ANSWER):
            self._terms, self._plan = self._search.terms(position), []
        if seat == self._seat and self._terms and c.GIVE <= action <= c.PROPOSE:
            self._plan.append(action)
        taken = None
        if s.phase == c.ANSWER and self._seat == s.on_turn:
            taken = c.ACCEPT
        elif s.phase == c.CHOOSE and seat != self._seat:
            taken = c.TRADE_WITH + self._seat
        if taken is not None and taken in position.legal_actions():
            for terms in self._terms:
                if terms.partners == (seat,) and terms.plan == tuple(self._plan):
                    self._answers.add(terms, self._seat, action == taken)
        if s.phase == c.CHOOSE:
            self._terms = []


def listen(game: Game, spec: str, other: str, acceptance: Acceptance, games: int) -> OfferAnswers:
    """Play games among three copies of another agent, and record the answers to the first."""
    answers = OfferAnswers()
    mine = agent(spec, game)
    assert isinstance(mine, StatesAgent)
    mine.search.network.acceptance = acceptance
    others = [agent(other, game) for _ in range(game.players - 1)]
    for partner in others:
        if isinstance(partner, StatesAgent):
            partner.search.network.acceptance = acceptance
    ear = StatesSearch(game, compiled(find_checkpoint(parse(spec).path or ""), game))
    for number in range(games):
        seat = number % game.players
        lineup = [*others[:seat], mine, *others[seat:]]
        for offset, player in enumerate(lineup):
            player.begin(game.players * number + offset)
        ear.begin(number)
        listener = OfferListener(seat, ear, answers)
        position = game.start(number)
        while not position.is_over:
            if position.to_move < 0:
                position.play_chance()
                continue
            action = lineup[position.to_move].choose(position)
            listener.hear(position, action)
            position.play(action)
    return answers


def table(answers: OfferAnswers) -> list[str]:
    """Return how often partners agreed, by their gain."""
    gains = np.array(answers.cases)[:, 1]
    agreed = np.array(answers.agreed)
    lines = []
    for low, high in itertools.pairwise(EDGES):
        within = (gains >= low) & (gains < high)
        if within.any():
            share = 100 * agreed[within].mean()
            lines.append(f"  gains {low:+.1f} to {high:+.1f}: {share:.1f} % of {within.sum():,}")
    return lines


def fitted(heard: Sequence[OfferAnswers]) -> Acceptance:
    """Return the weights, fitted with equal weight for each kind of partner."""
    most = max(len(answers.cases) for answers in heard)
    cases, agreed = [], []
    for answers in heard:
        chosen = np.arange(most) % len(answers.cases)
        cases.append(np.array(answers.cases)[chosen])
        agreed.append(np.array(answers.agreed)[chosen])
    return fit(np.concatenate(cases), np.concatenate(agreed))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.catan_acceptance", description=__doc__)
    parser.add_argument("spec", help="states:PATH")
    parser.add_argument("others", nargs="*", help="agents that it trades with, beside itself")
    parser.add_argument("--option", "-o", action="append", default=[], help="of the game")
    parser.add_argument("--games", type=int, default=20, help="with each of them, a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args(arguments)
    game, acceptance = open_game("catan", chosen.option), BEFORE
    for _ in range(chosen.rounds):
        heard = []
        for other in (chosen.spec, *chosen.others):
            heard.append(listen(game, chosen.spec, other, acceptance, chosen.games))
            print(f"{other}, of {len(heard[-1].cases):,} asked that could pay agreed:")
            print("\n".join(table(heard[-1])), flush=True)
        acceptance = fitted(heard)
        print(" ".join(f"{name} {weight:+.2f}" for name, weight in acceptance._asdict().items()))
    if chosen.write:
        saved = load_network(find_checkpoint(parse(chosen.spec).path or ""))
        extra = {**saved.extra, ACCEPTANCE: list(acceptance)}
        save_network(chosen.write, SavedNetwork(saved.weights, saved.game, saved.options, extra))


if __name__ == "__main__":
    main()
