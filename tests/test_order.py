"""Tests run in units, those that took longest first."""

from types import SimpleNamespace

from tests.order import longest_first, seconds, unit


def test_a_unit_is_a_file_or_a_folder_that_says_so():
    assert unit("tests/test_order.py::test_a[b::c]") == "tests/test_order.py"
    on_ray = "plugins/meeple-ray/tests/ray"
    assert unit(f"{on_ray}/test_refusals.py::test_a") == on_ray
    assert unit(f"{on_ray}/learning/test_labels.py::test_b") == on_ray


def test_units_begin_with_those_that_took_longest():
    tests = {"a.py::b": False, "c.py::d": False, "c.py::e": False, "f.py::g": False}
    known = {"a.py::b": 3.0, "c.py::d": 2.0, "c.py::e": 2.0, "f.py::g": 1.0}
    assert longest_first(tests, known) == {"c.py": 0, "a.py": 1, "f.py": 2}


def test_a_slow_test_that_has_not_run_counts_for_seconds():
    place = longest_first({"a.py::b": False, "c.py::d": True, "e.py::f": False}, {"e.py::f": 1.0})
    assert place == {"c.py": 0, "e.py": 1, "a.py": 2}


def test_the_seconds_of_a_test_are_those_of_its_phases():
    reports = [SimpleNamespace(nodeid="a.py::b", duration=taken) for taken in (0.1, 1.0, 0.1)]
    reports.append(SimpleNamespace(nodeid="a.py::c"))  # of its collection
    assert seconds(reports) == {"a.py::b": 1.2}
