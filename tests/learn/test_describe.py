"""The description of a field allows exactly the values that its configuration accepts."""

from typing import Any

import pytest
from pydantic import ValidationError

from meeple.learn.config import Config, as_option, section_of
from meeple.learn.config.describe import Structure
from meeple.options import Choice, Integer, Number

FIELDS = {
    f"{name}.{key}": field
    for name, part in Config.model_fields.items()
    if (section := section_of(part))
    for key, field in section.model_fields.items()
}
NUMBERS = [n for n, field in FIELDS.items() if isinstance(as_option(field), Integer | Number)]
CHOICES = [n for n, field in FIELDS.items() if isinstance(as_option(field), Choice)]
STEP = 1e-9


def accepts(name: str, value: Any) -> bool:
    """Whether the configuration accepts a value of this field."""
    section, _, key = name.partition(".")
    model: Any = section_of(Config.model_fields[section])
    try:
        model.model_validate({key: value})
    except ValidationError:
        return False
    return True


def allows(name: str, value: Any) -> bool:
    """Whether the description of the field allows a value."""
    option = as_option(FIELDS[name])
    assert not isinstance(option, Structure)
    try:
        option.check(value)
    except ValueError:
        return False
    return True


def around_the_limits(name: str) -> list[float]:
    option = as_option(FIELDS[name])
    assert isinstance(option, Integer | Number)
    limits = [getattr(option, end, None) for end in ("low", "high", "above", "below")]
    step = 1 if isinstance(option, Integer) else STEP
    return [at + by for at in limits if at is not None for by in (-step, 0, step)]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_accepted_exactly_within_the_described_limits(name):
    values = around_the_limits(name)
    assert values
    assert [accepts(name, value) for value in values] == [allows(name, value) for value in values]
    assert {accepts(name, value) for value in values} == {True, False}


@pytest.mark.parametrize("name", CHOICES)
def test_a_word_is_accepted_exactly_if_it_is_a_described_choice(name):
    option = as_option(FIELDS[name])
    assert isinstance(option, Choice)
    assert all(accepts(name, word) for word in option.choices)
    assert not accepts(name, "none of them")
