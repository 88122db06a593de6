"""The files of the page: the vendored module, and imports between the modules."""

import hashlib
import re

import pytest

from meeple.server.settings import STATIC
from tests.roots import ROOT

SCRIPTS = STATIC / "js"
VENDOR = SCRIPTS / "vendor"
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";', re.M)
IMPORTED_LATER = re.compile(r'import\("(\.[^"`]+)"\)')
DECLARED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.M)
LISTED = re.compile(r"\bexport ?\{([^}]*)\}")
MAX_COLUMNS = 110


def names_of(listed: str) -> list[str]:
    return [name.split(" as ")[-1].strip() for name in listed.split(",") if name.strip()]


def exports(text: str) -> set[str]:
    listed = [name for group in LISTED.findall(text) for name in names_of(group)]
    return {*DECLARED.findall(text), *listed}


@pytest.fixture(scope="module")
def scripts():
    """The text of each hand-written module by its path, where plug-ins lie as they are served."""
    found = {path: path.read_text() for path in SCRIPTS.rglob("*.js") if VENDOR not in path.parents}
    for folder in ROOT.glob("plugins/*/src/*/*/static"):
        for path in folder.rglob("*.js"):
            served = STATIC / "plugins" / folder.parents[1].name / path.relative_to(folder)
            found[served] = path.read_text()
    assert len(found) > 40
    return found


def test_the_vendored_module_is_the_recorded_one():
    lines = (VENDOR / "SHA256SUMS").read_text().splitlines()
    recorded = {name: digest for digest, name in (line.split() for line in lines)}
    assert set(recorded) == {"LICENSE", "lit-html.js"}
    for name, digest in recorded.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


@pytest.mark.slow
def test_every_import_names_an_export_and_is_used(scripts):
    offenders = []
    for path, text in scripts.items():
        later = [("", place) for place in IMPORTED_LATER.findall(text)]
        for listed, place in IMPORT.findall(text) + later:
            source = (path.parent / place).resolve()
            text_of_source = scripts.get(source) or (source.is_file() and source.read_text())
            known = exports(text_of_source or "")
            for name in names_of(listed):
                if name not in known:
                    offenders.append(f"{path.name}: {place} has no {name}")
                if len(re.findall(rf"\b{name}\b", text)) < 2:
                    offenders.append(f"{path.name}: {name} is unused")
            if not known:
                offenders.append(f"{path.name}: there is no {place}")
    assert offenders == []


@pytest.mark.slow
def test_every_export_is_used_by_another_module(scripts):
    unused = [
        f"{path.name}: {name}"
        for path, text in scripts.items()
        for name in exports(text)
        if not any(
            re.search(rf"\b{name}\b", other) for one, other in scripts.items() if one != path
        )
    ]
    assert unused == []


def test_no_line_is_too_long(scripts):
    long = [
        f"{path.name}:{number}"
        for path, text in scripts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > MAX_COLUMNS
    ]
    assert long == []
