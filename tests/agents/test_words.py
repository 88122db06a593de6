"""Descriptions of agents for people."""

import pytest

from meeple.agents.kinds import AGENTS
from meeple.agents.words import in_words, method_in_words
from meeple.errors import SpecError
from meeple.games.contract.registry import make


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("random", "any legal move"),
        ("uct:sims=3000", "tree search with rollouts, 3,000 simulations a move"),
        ("uct:seconds=5,guided=1", "tree search with rollouts by the rule of thumb, 5 s a move"),
        ("policy:hex7", "the network hex7 alone"),
        (
            "policy:hex7,temperature=0.5",
            "the network hex7 alone; draws its moves by their probabilities",
        ),
        (
            "uct:sims=50,loss=0.2",
            "tree search with rollouts, 50 simulations a move; errs often, and gravely, "
            "but sees wins and losses in one move",
        ),
        ("greedy:loss=0.03", "the best next position by the game's heuristic; errs now and then"),
        ("minimax:depth=1", "minimax with the game's heuristic, 1 ply ahead"),
        ("minimax:depth=6,heuristic=even", "minimax without a heuristic, 6 plies ahead"),
        ("puct:hex7,sims=100", "tree search with the network hex7, 100 simulations a move"),
        ("policy:runs/hex5", "the network hex5 alone"),
    ],
)
def test_agent_is_described_by_its_method_and_limits(spec, words):
    assert in_words(spec) == words


def test_method_is_described_without_limits():
    assert method_in_words("uct:seconds=1,plies=2") == (
        "tree search with short rollouts and the game's heuristic"
    )


def test_method_names_the_board_of_a_network_that_was_trained_on_another():
    own, larger = make("hex", size=7), make("hex", size=13)
    assert method_in_words("puct:hex7,sims=9", own) == "tree search with the network hex7"
    assert in_words("puct:hex7,sims=9", larger) == (
        "tree search with the network hex7 (trained on size=7), 9 simulations a move"
    )


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_has_its_own_description(name):
    kind = AGENTS[name]
    spec = f"{name}:hex7" if kind.path else name
    assert len(in_words(spec).split()) > 1


def test_unknown_agent_has_no_description():
    with pytest.raises(SpecError):
        in_words("deep blue")
