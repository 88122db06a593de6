"""Pictures of the page for the documentation, taken by its tests where they are asked for."""

import os
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
ASKED = "MEEPLE_PICTURES"  # set, the tests renew the pictures


def picture(page: Any, name: str, *, full: bool = False) -> None:
    """Keep what the page shows as `docs/images/NAME.png`, if pictures are asked for."""
    if os.environ.get(ASKED):
        page.screenshot(path=FOLDER / f"{name}.png", full_page=full)
