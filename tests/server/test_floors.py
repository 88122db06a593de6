"""The layers of the server, listed in its docstring: no module imports from above or beside."""

import re

import meeple.server
from tests.test_house import MODULES, house_imports

SERVER = "meeple.server"
LISTED = re.findall(r"^\d+\. (.*)$", str(meeple.server.__doc__), re.M)
FLOOR = {room: floor for floor, row in enumerate(LISTED) for room in re.findall(r"`(\w+)`", row)}
WITHIN = sorted(module for module in MODULES if module.startswith(f"{SERVER}."))


def room(module):
    """Return the folder or file of the server to which a module belongs."""
    return module.removeprefix(f"{SERVER}.").partition(".")[0]


def rooms_imported(module):
    return {room(name) for name in house_imports(module) if name.startswith(f"{SERVER}.")}


def test_every_part_of_the_server_is_in_the_list_of_layers():
    assert {room(module) for module in WITHIN} == set(FLOOR)


def test_every_module_of_the_server_imports_only_from_lower_layers():
    offenders = [
        f"{module} imports {other}"
        for module in WITHIN
        for other in sorted(rooms_imported(module) - {room(module)})
        if FLOOR[other] >= FLOOR[room(module)]
    ]
    assert offenders == []


def test_imports_in_functions_and_for_types_count(tmp_path, monkeypatch):
    source = "def f():\n    from meeple.server.app import create_app\n"
    source += "if TYPE_CHECKING:\n    from meeple.server.services import Services\n"
    file = tmp_path / "store.py"
    file.write_text(source)
    monkeypatch.setitem(MODULES, "meeple.server.store", file)
    assert rooms_imported("meeple.server.store") == {"app", "services"}
