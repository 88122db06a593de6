"""What a field of a configuration says that it may be is what the configuration takes."""

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


def takes(name: str, value: Any) -> bool:
    """Whether the configuration takes a value for this field."""
    section, _, key = name.partition(".")
    model: Any = section_of(Config.model_fields[section])
    try:
        model.model_validate({key: value})
    except ValidationError:
        return False
    return True


def says(name: str, value: Any) -> bool:
    """Whether the field says that it takes a value."""
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
def test_a_number_is_taken_up_to_the_limits_that_its_field_tells_and_not_beyond(name):
    values = around_the_limits(name)
    assert values
    assert [takes(name, value) for value in values] == [says(name, value) for value in values]
    assert {takes(name, value) for value in values} == {True, False}


@pytest.mark.parametrize("name", CHOICES)
def test_a_word_is_taken_if_its_field_lists_it(name):
    option = as_option(FIELDS[name])
    assert isinstance(option, Choice)
    assert all(takes(name, word) for word in option.choices)
    assert not takes(name, "none of them")
