"""The mutations that `make mutants` applies to a file."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from bench.mutation import mutants_of


def mutations_of(source):
    """Return pairs of original and mutated text."""
    return [(mutant.was, mutant.now) for mutant in mutants_of(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", [("a < b", "(a <= b)"), ("a < b", "(a >= b)")]),
        ("x = a is b", [("a is b", "(a is not b)")]),
        ("x = a - b", [("a - b", "(a + b)")]),
        ("x = a and b", [("a and b", "(a or b)")]),
        ("x = not a", [("not a", "(a)")]),
        ("x = -a", [("-a", "(a)")]),
        ("x = 3", [("3", "(4)")]),
        ("x = True", [("True", "(False)")]),
        ("x = min(a, b)", [("min(a, b)", "(max(a, b))")]),
        ("x = a if b else c", [("b", "(not b)")]),
        ("while a: f", [("a", "(not a)")]),
        ("x += y", [("x += y", "x -= y"), ("x += y", "pass")]),
        ("x[i] = y", [("x[i] = y", "pass")]),
        ("f(x)", [("f(x)", "pass")]),
        ("def f():\n    return x", [("return x", "return None")]),
        ("for i in x: break", [("break", "continue")]),
        ('"""A text."""', []),
        ("x: list[3]", []),
        ("assert a < b", []),
        ("raise ValueError(3)", []),
        ("x = f'{a + b}'", []),
        ("@cache(3)\ndef f(a: 3) -> 4: pass", []),
    ],
)
def test_every_kind_of_mutation_is_made_but_of_strings_and_checks(source, expected):
    assert mutations_of(source) == expected


def test_mutant_differs_in_one_place_and_parses():
    source = "é = 'ü'; x = (1 +  # one\n     a)\n\ndef f(b):\n    return b * 2\n"
    found = mutants_of(source)
    assert [mutant.line for mutant in found] == sorted(mutant.line for mutant in found)
    for mutant in found:
        ast.parse(mutant.source)
        assert mutant.source != source
        start = next(
            i for i, (a, b) in enumerate(zip(source, mutant.source, strict=False)) if a != b
        )
        assert mutant.source[:start] == source[:start]
    assert "    return (b / 2)\n" in {m.source[-19:] for m in found}


ROOT = Path(__file__).resolve().parent.parent
TARGETS = tomllib.loads((ROOT / "bench/mutants.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("target", TARGETS)
def test_the_file_and_the_tests_of_a_target_exist(target):
    names = [TARGETS[target]["file"]]
    names += [test.partition("::")[0] for test in TARGETS[target]["tests"]]
    assert [name for name in names if not (ROOT / name).exists()] == []
    for test in TARGETS[target]["tests"]:
        name, _, function = test.partition("::")
        found = re.findall(r"def (test_\w+)", (ROOT / name).read_text(encoding="utf-8"))
        assert found, f"{name} has no test"
        assert not function or function.partition("[")[0] in found, test
