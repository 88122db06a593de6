"""An option accepts the values that it documents, refuses all others, and has a description."""

import math

import pytest

from meeple.errors import OptionError
from meeple.options import (
    Choice,
    File,
    Flag,
    Integer,
    Number,
    Option,
    Text,
    check_options,
    describe_option,
)

SIZE = Integer(5, 3, 19, "cells")
SHARE = Number(None, 0, 1, "a chance")
RATE = Number(0.1, None, None, "a step", above=0, below=2)
SWAP = Flag(False, "the swap rule")
RULE = Choice("free", ("free", "exact", "none"), "which rule")
ROW = Text("", "digits", int, "a row")


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (SIZE, 3, 3),
        (SIZE, "19", 19),
        (SHARE, "0.5", 0.5),
        (SHARE, 1, 1.0),
        (RATE, 1.999, 1.999),
        (SWAP, "on", True),
        (SWAP, "FALSE", False),
        (SWAP, True, True),
        (RULE, "exact", "exact"),
        (ROW, "12", "12"),
        (File("a table"), "a.csv", "a.csv"),
    ],
)
def test_an_allowed_value_is_accepted_as_a_value_or_as_text(option: Option, given, value):
    checked = option.check(given)
    assert (checked, type(checked)) == (value, type(value))


@pytest.mark.parametrize(
    ("option", "given"),
    [
        *((SIZE, wrong) for wrong in (2, 20, 4.0, "4.0", "many", True, None)),
        *((SHARE, wrong) for wrong in (-0.1, 1.1, "nan", math.inf, True)),
        *((RATE, wrong) for wrong in (0, 2, "inf", "-1")),
        *((SWAP, wrong) for wrong in ("maybe", 2, None)),
        *((RULE, wrong) for wrong in ("fre", "", 0)),
        (ROW, "1a"),
        (File("a table"), ""),
    ],
)
def test_any_other_value_is_refused(option: Option, given):
    with pytest.raises((ValueError, TypeError)):
        option.check(given)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (SIZE, "a whole number from 3 to 19"),
        (Integer(1, 1, 2_000_000, ""), "a whole number from 1 to 2,000,000"),
        (Integer(1, 0, None, ""), "a whole number, 0 or more"),
        (SHARE, "a number from 0 to 1"),
        (RATE, "a number above 0 to below 2"),
        (Number(1, None, 1, "", above=0), "a number above 0 up to 1"),
        (Number(1, 0, None, "", below=1), "a number from 0 to below 1"),
        (SWAP, "on or off"),
        (RULE, "free, exact or none"),
        (Choice("a", ("a",), ""), "a"),
    ],
)
def test_the_allowed_values_are_described(option: Option, words):
    assert option.allowed == words


def test_an_option_without_a_default_may_be_left_out_and_others_get_theirs():
    declared: dict[str, Option] = {"size": SIZE, "share": SHARE, "rule": RULE}
    assert check_options("toy", declared, {}) == {"size": 5, "rule": "free"}
    assert check_options("toy", declared, {"share": "0.25"})["share"] == 0.25


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sise": 5}, "toy has no key 'sise'; its keys: size, share"),
        ({"size": "20"}, "toy: size must be a whole number from 3 to 19, not '20'"),
        ({"share": None}, "toy: share must be a number from 0 to 1, not None"),
    ],
)
def test_the_error_names_a_wrong_option_and_what_is_allowed(given, message):
    with pytest.raises(OptionError) as error:
        check_options("toy", {"size": SIZE, "share": SHARE}, given, word="key")
    assert str(error.value) == message


@pytest.mark.parametrize("name", ["size", "share"])
def test_a_number_with_thousands_of_digits_is_refused_in_a_short_sentence(name):
    """Python refuses to print it or to convert it to a float."""
    with pytest.raises(OptionError, match=f"^toy: {name} must be a") as error:
        check_options("toy", {"size": SIZE, "share": SHARE}, {name: 10**5000})
    assert len(str(error.value)) < 200


def test_the_parser_of_a_text_may_give_the_sentence_of_the_error():
    def refuse(text: str) -> None:
        if text:
            raise OptionError("a row begins with 1")

    declared = {"row": Text("", "digits", refuse, "a row")}
    with pytest.raises(OptionError, match=r"^toy: row: a row begins with 1$"):
        check_options("toy", declared, {"row": "2"})


def test_the_word_empty_means_an_empty_text_if_that_is_the_default():
    free = Text("", "anything", str, "a note")
    assert free.check("empty") == ""
    assert Text("x", "anything", str, "a note").check("empty") == "empty"


def test_the_description_has_limits_and_choices_only_if_the_option_has_them():
    assert describe_option("size", SIZE) == {
        "name": "size", "kind": "integer", "default": 5, "allowed": "a whole number from 3 to 19",
        "low": 3, "high": 19, "help": "cells",
    }  # fmt: skip
    assert "low" not in describe_option("rate", RATE)
    assert describe_option("rate", RATE)["above"] == 0
    assert describe_option("rule", RULE)["choices"] == ("free", "exact", "none")
    assert describe_option("swap", SWAP).keys() == {"name", "kind", "default", "allowed", "help"}
