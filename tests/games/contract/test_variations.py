"""Trees of variations: their lines are records, and records of one game make a tree."""

from dataclasses import replace

import numpy as np
import pytest

import meeple
from meeple.errors import IllegalAction, MeepleError, UsageError
from meeple.games.contract.records import record_of
from meeple.games.contract.variations import (
    Mark,
    Node,
    Variations,
    check_shape,
    of_records,
    parse_marks,
    to_records,
    walk,
)
from meeple.protocols.records import sgf_variations

NODES = (
    Node(0, -1, "", "the start"),
    Node(1, 0, "b2"),
    Node(2, 1, "a1", marks=(Mark("circle", "4"),)),
    Node(3, 1, "a2", "better"),
    Node(4, 3, "c3"),
)
HEX = {"size": 3, "swap": False, "first": 1}
TREE = Variations("hex", HEX, 0, NODES)


def random_tree(name, seed, nodes, **options):
    """A tree that grows at random nodes, in plain Python: `{id: position}` is the oracle."""
    rng = np.random.default_rng(seed)
    start = meeple.make(name, **options).start(3)
    tree, positions = [Node(0, -1, "")], {0: start}
    taken = set()
    while len(tree) < nodes:
        parent = int(rng.integers(len(tree)))
        position = positions[parent].copy()
        if position.is_over:
            continue
        action = int(rng.choice(position.legal_actions()))
        if (parent, action) in taken:
            continue
        taken.add((parent, action))
        name_of = position.action_name(action)
        position.play(action)
        positions[len(tree)] = position
        tree.append(Node(len(tree), parent, name_of, f"comment {len(tree)}"))
    return Variations(start.game.name, dict(start.game.options), 3, tuple(tree)), positions


@pytest.mark.parametrize(
    ("name", "options"), [("hex", {"size": 4}), ("reversi", {"size": 4}), ("nim", {"stones": 9})]
)
def test_a_walk_visits_every_node_once_with_its_position(name, options):
    tree, positions = random_tree(name, 1, 30, **options)
    seen = {}
    for visit in walk(tree):
        assert visit.node == tree.nodes[visit.node.id]
        seen[visit.node.id] = visit.position.row.tobytes()
    assert seen == {id: position.row.tobytes() for id, position in positions.items()}


def test_the_lines_are_records_with_comments_and_marks_at_their_plies():
    main, other = to_records(TREE, ["Ann", "Bob"])
    assert main.actions == ("b2", "a1")
    assert main.notes == {"comments": {"0": "the start"}, "marks": {"2": "circle:4"}}
    assert other.actions == ("b2", "a2", "c3")
    assert other.notes == {"comments": {"0": "the start", "2": "better"}}
    assert of_records([main, other], 10) == TREE


@pytest.mark.parametrize("seed", range(5))
def test_the_records_of_a_tree_make_the_tree_again(seed):
    tree, _ = random_tree("hex", seed, 40, size=4, swap=True)
    again = of_records(to_records(tree), 40)
    assert list(to_records(again)) == list(to_records(tree))


@pytest.mark.parametrize(
    ("name", "options"),
    [("hex", {"size": 4, "swap": True}), ("gomoku", {"size": 6}), ("reversi", {"size": 4})],
)
def test_sgf_keeps_variations_comments_and_marks(name, options):
    tree, _ = random_tree(name, 7, 40, **options)
    marks = parse_marks("circle:3 square:0 triangle:1 cross:2")
    marked = tuple(replace(node, marks=marks) for node in tree.nodes)
    tree = replace(tree, seed=0, nodes=marked)
    records = list(to_records(tree, ["Ann", "Bob"]))
    found = sgf_variations.read(sgf_variations.write(tree, ["Ann", "Bob"]))
    assert [record.actions for record in found] == [record.actions for record in records]
    assert of_records(found, 40) == of_records(records, 40)


def test_all_lines_of_an_sgf_have_the_options_under_which_the_last_one_is_legal():
    rows = "B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ae];W[be];B[af];W[bf]"
    six = f"(;GM[4]SZ[15](;{rows};B[ad];W[bd])(;{rows}))"
    assert [record.options["rule"] for record in sgf_variations.read(six)] == ["standard"] * 2


@pytest.mark.parametrize(
    ("start", "variants"),
    [
        (
            ";GM[11]SZ[5]RU[swap];B[b1]",
            [";W[swap-pieces];W[c3]", ";W[swap-pieces];B[c3]", ";W[a2]"],
        ),
        (
            ";GM[11]SZ[5];B[b1]C[one];W[c3]",
            [";B[d4]CR[d4]", ";B[resign]", ";B[d4]C[two];W[a1]"],
        ),
        (";GM[2];B[d3]C[one]", [";W[c3];B[c4]", ";W[c3]C[two];B[b3]", ";W[e3];B[f4]LB[a1:x]"]),
        (";GM[4]SZ[9]", [";AB[aa]AW[bb];B[cc]C[one]", ";AB[aa]AW[bb];B[cc];W[dd]", ";B[ee]"]),
    ],
)
def test_lines_that_share_moves_are_read_as_each_is_alone(start, variants):
    together = sgf_variations.read(f"({start}{''.join(f'({line})' for line in variants)})")
    alone = [sgf_variations.read(f"({start}{line})")[0] for line in variants]
    assert [(line.actions, line.notes, line.opening) for line in together] == [
        (line.actions, line.notes, line.opening) for line in alone
    ]
    found = {line.actions for line in to_records(of_records(together, 100))}
    assert found == {
        line.actions for line in alone if not any(is_beginning(line, other) for other in alone)
    }


def is_beginning(line, other):
    shorter = len(line.actions) < len(other.actions)
    return shorter and other.actions[: len(line.actions)] == line.actions


def test_the_lines_of_records_must_begin_with_one_position():
    first = record_of(meeple.make("hex", size=3).start(), ["a", "b"])
    other = record_of(meeple.make("hex", size=4).start(), ["a", "b"])
    with pytest.raises(UsageError, match="line 2 begins with another game"):
        of_records([first, other], 10)
    with pytest.raises(UsageError, match="at most 3 positions"):
        of_records(to_records(TREE), 3)
    with pytest.raises(UsageError, match="no game"):
        of_records([], 3)


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ((), "opening position"),
        ((Node(0, -1, "b2"),), "opening position"),
        ((NODES[0], Node(0, 0, "b2")), "given twice"),
        ((NODES[0], Node(2, 1, "b2"), Node(1, 0, "a1")), "before its parent"),
    ],
)
def test_nodes_that_are_no_tree_are_refused(nodes, words):
    with pytest.raises(UsageError, match=words):
        check_shape(nodes)


def test_an_illegal_move_or_the_same_one_twice_is_refused():
    wrong = Variations("hex", HEX, 0, (*NODES, Node(5, 4, "b2")))
    with pytest.raises(IllegalAction, match="move 4 of a variation"):
        list(walk(wrong))
    twice = Variations("hex", HEX, 0, (*NODES, Node(5, 1, "A2")))
    with pytest.raises(MeepleError, match="stands twice"):
        list(walk(twice))


def test_marks_are_shapes_on_spots_and_the_last_one_counts():
    assert parse_marks("circle:4 cross:v12 square:4") == (Mark("square", "4"), Mark("cross", "v12"))
    for wrong in ("star:4", "circle", "circle:", "circle:<b>", "circle:" + 17 * "1"):
        with pytest.raises(UsageError, match="a mark is a shape"):
            parse_marks(wrong)
