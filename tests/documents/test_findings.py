"""The checker of documents finds each broken reference, and accepts all others."""

import pytest

from tests.documents.findings import PROMISES, exists, findings

BROKEN = {
    "a spec of no agent": "Specs are `random`, `crystal:BALL`.",
    "a spec with a key that there is not": "`uct:simulations=1000`",
    "a value that a key cannot have": "`puct:PATH,symmetries=some`",
    "a network that does not ship": "`puct:hex13,sims=400`",
    "a folder": "| 6 | `oracles/` | what will be known |",
    "a file": "`search/mcts/forest.py`",
    "a pattern of files": "`tests/games/chess/test_*.py`",
    "a subcommand": "`meeple conjure hex --json`",
    "a protocol that no engine speaks": "`meeple engine uci uct:sims=100 -g hex`",
    "a subcommand of a list": "`meeple games | play | conjure | info`",
    "an option of a subcommand": "`meeple match hex random random --on-ray 0,10`",
    "an option of a game": "`meeple play hex -o board=9`",
    "a value that an option of a game cannot have": "`meeple play hex -o size=99`",
    "a game": "`meeple play chess`",
    "a game's option outside a command": "With `players=9` it is a party.",
    "a benchmark": "`python -m bench chess`",
    "an option that a benchmark does not take": "`python -m bench memory --sims 100`",
    "a peer": "`python -m bench uct --vs stockfish`",
    "a configuration": "`meeple train chess`",
    "a field of a configuration": "`meeple train hex5 --set search.depth=3`",
    "a study": "`meeple reproduce chess`",
    "arguments for a command before": "`meeple match hex random random`, `... --on-ray 0,10`",
    "arguments for no command": "`... --games 6`",
    "a target of make": "`make coffee`",
    "a variable of make": "`make mutants COFFEE=1`",
    "extra dependencies": "`pip install '.[coffee]'`",
    "a script": "`python bench/coffee.py`",
    "an option of a script": "`python -m bench.server_load --coffee 3`",
    "a test": "`python -m pytest tests/test_house.py::test_coffee`",
    "a variable of the environment": "`MEEPLE_COFFEE=1`",
    "a variable before a command": "`MEEPLE_COFFEE=1 meeple info`",
    "a module": "`meeple.search.forest`",
    "a name in a module": "`meeple.kernels.brew`",
    "a function's parameter": "`rollout(s, rng, sugar)`",
    "a key of JSON": '`{"games_per_coffee": 1}`',
    "an address of the server": "`/ws/coffee`",
    "a value of a configuration's field": '`rule = "espresso"`',
    "a word that no source has": "`brew_coffee`",
    "a link": "[the manual](docs/manual.md)",
    "a command in a block": "```\nmeeple conjure hex\n```",
    "a command that leaves out an argument": "```\nmeeple match hex\n```",
    "an import in a block": "```python\nfrom meeple.search import Forest\n```",
    "an attribute in a block": "```python\nposition.brew()\n```",
    "a spec in a block": '```python\nmeeple.agent("crystal:ball", game)\n```',
    "a block that is no JSON": "```json\n{1}\n```",
    "a block that is no TOML": "```toml\na = \n```",
    "a word in prose": "Replay buffer, checkpoint, then (optionally) a gate.",
}

KEPT = [
    "`meeple match GAME SPEC SPEC... --games N --seed S --json`",
    "`meeple play hex --against puct:hex7,sims=400` and `puct:runs/hex7,sims=N`",
    "`MEEPLE_PASSWORD=... meeple serve --host 0.0.0.0`",
    "`meeple games catan --layout -o board=balanced > island.json`",
    "`meeple --load examples/third_party_game.py train examples/domineering.toml`",
    "`meeple match nim -o stones=20 uct:sims=5 perfect`, then `... -o stones=21 ...`",
    "`meeple play --save`, `--option k=v`, `--json`, `python -m bench`",
    "`make mutants WORKERS=4`, `pip install '.[docs]'`, `NUMBA_DISABLE_JIT=1`",
    "`python -m bench.limit --repeats 200`, `python -m bench.server_load --total 10000`",
    "`python -m bench.chaos --minutes 5 --seed 2`",
    "`mcts/tree.py`, `nim.py ledge.py hex/`, `static/`, `runs/hex5`, `checkpoints/*.safetensors`",
    "`meeple.games.boards.scene`, `Rules.compile`, `prune(s, moves)`, `symmetries=all`",
    "`/openapi.json`, `/ws/table`, `#/replay/ID?ply=12`, `" + '{"payoffs": [...]}' + "`",
    "[the `search.cpp` of another program](https://example.org/search.cpp)",
    "It reads SGF.\n\n```\n1  build a road: 33\n```",
]

PLANS = """## Planned

Other programs are to play over their protocols, after a gate: `{}` will begin it.

| name | what it is to be |
|---|---|
| `{}` | another program that plays, behind a gate |

## What there is
"""


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_reference_is_found(text):
    assert findings(text)


@pytest.mark.parametrize("text", KEPT)
def test_existing_things_are_accepted(text):
    assert findings(text) == []


@pytest.mark.parametrize("name", ["crystal:BALL", "oracles/", "meeple conjure GAME"])
def test_planned_things_are_only_in_a_section_of_plans(name):
    plans = PLANS.format(name, name)
    assert findings(plans) == []
    assert findings(f"{plans}\n`{name}`")
    assert findings(plans.replace("## Planned", "## Soon"))


def test_a_section_of_plans_ends_at_the_next_heading_of_its_level():
    assert findings("## Planned\n\n### Others\n\nThe gate.") == []
    assert findings("### Planned\n\nThe gate.\n\n## Others\n\nThe gate.")


def test_things_not_declared_in_a_section_of_plans_must_exist():
    assert findings(PLANS.format("oracle:PATH", "crystal:BALL"))


@pytest.mark.parametrize("name", ["uct:sims=1000", "protocols/", "meeple serve", "make docs"])
def test_existing_things_in_a_section_of_plans_are_found(name):
    assert findings(PLANS.format(name, name))


def test_a_finding_has_its_line_number():
    assert findings("One.\n\nTwo\n`oracles/`.\n") == ["line 4: `oracles/`: there is no oracles/"]
    block = findings("```\nmake test\nmake coffee\n```")
    assert block == ["line 3: `make coffee`: the Makefile has no target coffee"]


@pytest.mark.parametrize("word", ["SGF", "GTP", "NBoard", "Gomocup", "OHT"])
def test_a_feature_word_with_an_existing_module_is_accepted(word):
    assert exists(PROMISES[word])
    assert findings(f"It knows {word}.") == []
