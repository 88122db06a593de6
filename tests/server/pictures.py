"""Screenshots for the documentation, taken by the tests of pages on request."""

import os
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
ASKED = "MEEPLE_PICTURES"  # if set, the tests renew the pictures


def picture(page: Any, name: str, *, full: bool = False) -> None:
    """Save a screenshot as `docs/images/NAME.png`, if pictures are requested."""
    if os.environ.get(ASKED):
        page.screenshot(path=FOLDER / f"{name}.png", full_page=full)
