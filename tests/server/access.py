"""Accessibility of the page, by axe-core."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

SCHEMES = ("light", "dark")


def findings(page: Any) -> list[str]:
    """Return all that axe-core finds on the page in light and in dark colours."""
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for fault in Axe().run(page).response["violations"]:
            found += [f"{scheme}: {fault['id']}: {one['html'][:120]}" for one in fault["nodes"]]
    return found
