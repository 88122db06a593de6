"""Pages of plug-ins: a view of the page, routes for it, and boards of games.

A package declares the entry point `NAME = "module:attribute"` of a `Page` in the group
`meeple.pages`. Its view is at `#/NAME`, its routes are below `/api/plugins/NAME`, and its files
below `plugins/NAME` beside the folder `js` of the page's own modules, which it may import.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import APIRouter

from meeple.errors import OptionError
from meeple.plugins import PlugIn, PlugInTable
from meeple.server.settings import STATIC

ROUTES = "/api/plugins"  # the prefix of the routes of all plug-ins
FILES = "plugins"  # the folder of their files, beside the page's own
VIEWS = "js/views/"  # the modules of the page's own views
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


@dataclass(frozen=True, eq=False)
class Page:
    """A page of a plug-in; it may have a view, routes, boards, or all of them.

    Attributes:
        folder: the static files. `languages/LANGUAGE/NAME.json` has its texts by their ids.
        view: the module in `folder` that exports `show(root, params, app)`; "": no view.
        title: the entry in the navigation by language; a language that is missing gets English.
        style: the style sheet in `folder`; "": none.
        boards: for games by name, the module in `folder` that exports `makeBoard(container,
            options)`; see `js/boards/board.js`.
        router: its routes, whose paths follow `/api/plugins/NAME`; no handlers of start and end.
            A route whose requests are long has the decorator `takes` of `web/json_limits.py`.
    """

    folder: Path
    view: str = ""
    title: Mapping[str, str] = field(default_factory=dict)
    style: str = ""
    boards: Mapping[str, str] = field(default_factory=dict)
    router: APIRouter | None = None

    def __post_init__(self) -> None:
        """Check the files and routes; raise OptionError."""
        if not self.folder.is_dir():
            raise OptionError(f"there is no folder {self.folder}")
        for file in filter(None, (self.view, self.style, *self.boards.values())):
            path = (self.folder / file).resolve()
            if not path.is_file() or self.folder.resolve() not in path.parents:
                raise OptionError(f"there is no file {file} in {self.folder}")
        if self.router is not None and not isinstance(self.router, APIRouter):
            raise OptionError(f"its router is a {type(self.router).__name__}, not an APIRouter")


OWN_PAGES = {path.stem: Page(STATIC, f"{VIEWS}{path.name}") for path in (STATIC / VIEWS).glob("*")}
"""The views of Meeple itself, whose names no plug-in can take."""


class Pages(PlugInTable[Page]):
    """The table of pages, whose names are parts of addresses."""

    def _value(self, plug_in: PlugIn) -> Page:
        if not _NAME.fullmatch(plug_in.name):
            what = "a page's name has only small letters, digits, - and _"
            raise OptionError(plug_in.sentence(what))
        return super()._value(plug_in)


PAGES = Pages("pages", Page, OWN_PAGES, targets=())
"""Every page by name: first Meeple's own, then those of plug-ins."""


def added_pages() -> dict[str, Page]:
    """Return the pages of plug-ins by name."""
    return {name: page for name, page in PAGES.items() if name not in OWN_PAGES}
