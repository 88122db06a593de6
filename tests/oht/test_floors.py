"""The layers of the tournament package, listed in its docstring."""

import re

import meeple.oht
from tests.test_house import MODULES, house_imports

ROOM = "meeple.oht"
LISTED = re.findall(r"^\d+\. (.*)$", str(meeple.oht.__doc__), re.M)
ORDER = [name for row in LISTED for name in re.findall(r"`(\w+)`", row)]
WITHIN = sorted(module for module in MODULES if module.startswith(f"{ROOM}."))


def name(module):
    return module.removeprefix(f"{ROOM}.")


def test_every_module_is_in_the_list_of_layers():
    assert sorted(ORDER) == [name(module) for module in WITHIN]


def test_every_module_imports_only_from_lower_layers():
    offenders = [
        f"{module} imports {other}"
        for module in WITHIN
        for other in house_imports(module)
        if other.startswith(f"{ROOM}.") and ORDER.index(name(other)) >= ORDER.index(name(module))
    ]
    assert offenders == []
