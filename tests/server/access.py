"""Accessibility of the page, by axe-core."""

from typing import Any

from axe_playwright_python.sync_playwright import DEFAULT_OPTIONS, Axe

SCHEMES: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},  # no other rule reads colours
}
"""The options of axe-core in each scheme of colours."""


def findings(page: Any) -> list[str]:
    """Return all that axe-core finds on the page in light and in dark colours."""
    found = []
    for scheme, options in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        for fault in Axe().run(page, options=DEFAULT_OPTIONS | options).response["violations"]:
            found += [f"{scheme}: {fault['id']}: {one['html'][:120]}" for one in fault["nodes"]]
    return found
