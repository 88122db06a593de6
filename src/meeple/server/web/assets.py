"""The static files of a page, which browsers cache for good.

The address of each file contains a hash of all files, so that a new version has new addresses. A
page has one style sheet, and names the modules that it needs, so that a browser requests all of
them at once instead of one level of imports after another. It also lists the languages.
"""

import hashlib
import json
import mimetypes
import posixpath
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from meeple.sentences import LANGUAGES
from meeple.server.errors import NotFound
from meeple.server.pages import FILES, VIEWS, Page

PREFIX = "/assets"  # of the addresses with a hash
PART = "languages/"  # a folder for each language
_IMPORT = re.compile(
    r"""^(?:import\s+|export\s+(?=[{*]))(?:[\w\s{},*$]+?\bfrom\s+)?["'](\.[^"']+)["']""",
    re.MULTILINE,
)
_STYLES = re.compile(r'(?:\s*<link rel="stylesheet" href="/static/[^"]+">)+')
_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
_SCRIPT = '<script src="/static/js/early.js">'  # requests the modules of the first view
_ENTRY = re.compile(r'<script type="module" src="/static/([^"]+)"></script>')


class Assets:
    """The files of a folder and of plug-ins: pages, and an ASGI application for all other files.

    Attributes:
        version: A hash of the names and contents of all files.
        address: The prefix of the addresses of the files; mount this application there.
    """

    def __init__(self, folder: Path, plug_ins: Sequence[tuple[str, Page]] = ()) -> None:
        """Read all files; those of the plug-in NAME are below `plugins/NAME`."""
        self._files = _read(folder, "") | _read(LANGUAGES, PART)
        for name, page in plug_ins:
            self._files |= _read(page.folder, f"{FILES}/{name}/")
        digest = hashlib.sha256()
        for name, content in self._files.items():
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        self.version = digest.hexdigest()[:16]
        self.address = f"{PREFIX}/{self.version}"
        languages = {
            name.split("/")[1]: json.loads(content)["language.name"]
            for name, content in self._files.items()
            if name.startswith(PART) and name.endswith("/page.json")
        }
        self._languages = _data("languages", languages)
        self._plug_ins = _data("plug-ins", [_listed(*one) for one in plug_ins])
        self._pages: dict[str, str] = {}
        for name in list(self._files):
            if name.endswith(".html") and "/" not in name:
                self.page(name)

    def page(self, name: str) -> Response:
        """Return a page such as `index.html`, with the addresses of this version."""
        if name not in self._pages:
            self._pages[name] = self._page(name)
        return Response(self._pages[name], media_type="text/html")

    def plain_page(self, name: str) -> Response:
        """Return a page with addresses that need no password."""
        return Response(self._with_languages(name), media_type="text/html")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file that a request asks for.

        Raises:
            NotFound: There is no such file.
        """
        name = scope["path"].removeprefix(f"{self.address}/")
        if name not in self._files:
            raise NotFound(f"there is no file {name}")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        await Response(self._files[name], media_type=kind)(scope, receive, send)

    def _page(self, name: str) -> str:
        """Return the text of a page, and add its joined style sheet to the files."""
        text = self._with_languages(name)
        styles = f"css/{Path(name).stem}-page.css"
        self._files[styles] = b"\n".join(self._files[style] for style in _STYLE.findall(text))
        text = _STYLES.sub(f'\n  <link rel="stylesheet" href="/static/{styles}">', text)
        for entry in _ENTRY.findall(text):
            links, views = self._preloaded(entry)
            data = f"{views}{self._plug_ins}  {_SCRIPT}"
            text = text.replace(_SCRIPT, data).replace("</head>", f"{links}</head>")
        return text.replace("/static/", f"{self.address}/")

    def _with_languages(self, name: str) -> str:
        return self._files[name].decode().replace("</head>", f"  {self._languages}</head>")

    def _preloaded(self, entry: str) -> tuple[str, str]:
        """Return the elements that name the modules of `entry`, and those that each view adds."""
        modules = self._imported(entry)
        links = "".join(
            f'  <link rel="modulepreload" href="/static/{module}">\n' for module in modules
        )
        if not entry.startswith("js/main"):
            return links, ""
        views = {
            Path(name).stem: [
                f"/static/{module}" for module in self._imported(name) if module not in modules
            ]
            for name in self._files
            if name.startswith(VIEWS)
        }
        return links, f"{_data('modules', views)}  "

    def _imported(self, entry: str) -> list[str]:
        """Return the module `entry` and all that it imports, but for dynamic imports."""
        found = [entry]
        for module in found:
            for path in _IMPORT.findall(self._files[module].decode()):
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(module), path))
                if imported not in found:
                    found.append(imported)
        return found


def _data(id: str, value: object) -> str:
    """Return the element that holds a value for the scripts of a page."""
    text = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{id}">{text}</script>\n'


def _read(folder: Path, prefix: str) -> dict[str, bytes]:
    """Return the contents of the files of a folder, by their path there after a prefix."""
    return {
        prefix + path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _listed(name: str, page: Page) -> dict[str, Any]:
    """Return what `js/plugins.js` has to know of a plug-in's page."""
    return {
        "name": name,
        "folder": f"/static/{FILES}/{name}/",
        "view": page.view,
        "title": dict(page.title),
        "style": page.style,
        "boards": dict(page.boards),
        "languages": [path.name for path in sorted((page.folder / PART).glob("*"))],
    }
