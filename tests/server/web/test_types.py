"""The page's types of messages, which are made of the server's schemas."""

import runpy
from pathlib import Path

from meeple.server.settings import STATIC

SCRIPT = Path(__file__).resolve().parents[3] / "docs" / "write_types.py"


def test_the_types_of_the_page_are_those_of_the_schemas():
    text = runpy.run_path(str(SCRIPT))["types_text"]()
    assert (STATIC / "js" / "types.d.ts").read_text() == text, f"run: python {SCRIPT}"
