"""Hooks of MkDocs: pages for files outside docs/, of the Python API, tables, pictures with steps.

Documents link to files of the checkout, such as `../examples/mcts.py`, and the README is the home
page of the site. So each linked file outside docs/ becomes a page below `files/`.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import meeple

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
NOTES = ROOT / "notes"  # pages for links, not in the navigation and the search
LINK = re.compile(r"(!?\[[^\]]*\]\()(?!https?:|mailto:|#)([^)#\s]+)([^)]*\))")
STEPS = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+-steps\.svg)\)$", re.M)
LANGUAGES = {".py": "python", ".toml": "toml", ".yaml": "yaml"}
DIALOG = 'data-md-component="search" role="dialog"'  # of the theme
API = "reference/api"  # the folder of the pages of the Python API
LOGO, ICON = "images/logo.svg", ROOT / "src/meeple/server/static/icon.svg"

_origins: dict[str, Path] = {}  # the file of each page that is made from one outside docs/


# ---------------------------------------------------------------- pages that are made


def on_config(config: Any) -> Any:
    """Add the pages of plug-ins and of the Python API to the navigation."""
    reference = next(part["Reference"] for part in config.nav if "Reference" in part)
    pages: list[Any] = [f"{API}/index.md", {"meeple": page_of("meeple")}]
    for group, names in api_groups():
        pages.append({group: [{name.removeprefix("meeple."): page_of(name)} for name in names]})
    reference.append({"Python API": pages})
    guides = next(part["How-to guides"] for part in config.nav if "How-to guides" in part)
    guides.append({"Plug-ins": [{one.parent.name: uri_of(one)} for one in plug_ins()]})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the home page, the pages of the Python API, and a page for each linked file."""
    _origins.clear()
    waiting = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *plug_ins()]
    for page in files.documentation_pages():
        waiting += outside(DOCS / page.src_uri)
    while waiting:
        path = waiting.pop()
        if path not in _origins.values():
            _origins[uri_of(path)] = path
            waiting += outside(path)
    made = {uri: text_of(path) for uri, path in _origins.items()}
    for name in ("meeple", *(name for _, names in api_groups() for name in names)):
        made[page_of(name)] = f"# {name}\n\n::: {name}\n"
    made[f"{API}/index.md"] = api_index()
    files.append(File.generated(config, LOGO, abs_src_path=str(ICON)))
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))
    return files


def plug_ins() -> list[Path]:
    """Return the document of each plug-in of this checkout."""
    return sorted(ROOT.glob("plugins/*/README.md"))


def outside(path: Path) -> list[Path]:
    """Return the files and folders outside docs/ that a document or folder leads to."""
    if path.is_dir():
        return [one for one in sorted(path.iterdir()) if one.suffix in LANGUAGES]
    if path.suffix != ".md":
        return []
    found = [(path.parent / link[2]).resolve() for link in links(path.read_text(encoding="utf-8"))]
    return [one for one in found if one.exists() and DOCS not in (one, *one.parents)]


def uri_of(path: Path) -> str:
    """Return the page of a file or folder of the checkout."""
    if DOCS in path.parents:
        return path.relative_to(DOCS).as_posix()
    if path == ROOT / "README.md":
        return "index.md"
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        return f"files/{name}/index.md"
    return f"files/{name}" if path.suffix == ".md" else f"files/{name}.md"


def text_of(path: Path) -> str:
    """Return the page of a file: a document as it is, other files as code, a folder as a list."""
    title = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        rows = [f"- [{one.name}]({one.name}.md)" for one in outside(path)]
        return "\n".join([f"# {title}", "", *rows, ""])
    text = path.read_text(encoding="utf-8")
    if NOTES in path.parents:
        return f"---\nsearch: {{exclude: true}}\n---\n\n{text}"
    if path.suffix == ".md":
        return text
    if path.suffix == ".ipynb":
        return notebook(text)
    return f"# {title}\n\n``````{LANGUAGES.get(path.suffix, '')}\n{text}``````\n"


def notebook(text: str) -> str:
    """Return the cells of a notebook as a document."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        code = cell["cell_type"] == "code"
        parts.append(f"```python\n{source}\n```" if code else source)
    return "\n\n".join(parts) + "\n"


# ---------------------------------------------------------------- the Python API


def api_groups() -> Iterator[tuple[str, list[str]]]:
    """Yield the groups of modules in the docstring of the package: a title and their names."""
    for item in re.findall(r"^- (.*(?:\n  .*)*)", str(meeple.__doc__), re.M):
        title, _, rest = item.partition(":")
        yield title, re.findall(r"`(meeple\.[\w.]+)`", rest)


def page_of(module: str) -> str:
    """Return the page of a module."""
    return f"{API}/{module.replace('.', '/')}.md"


def api_index() -> str:
    """Return the index: the docstring of the package, with a link to the page of each module."""

    def linked(name: re.Match[str]) -> str:
        return f"[`{name[1]}`]({page_of(name[1]).removeprefix(f'{API}/')})"

    text = re.sub(r"`(meeple\.[\w.]+)`", linked, str(meeple.__doc__))
    names = (
        f"The names of the package itself: [`meeple`]({page_of('meeple').removeprefix(f'{API}/')})."
    )
    return f"# Python API\n\n{text}\n{names}\n"


# ---------------------------------------------------------------- the text of pages


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Lead links to the pages of their files, show pictures with steps, and write for MkDocs."""
    uri = page.file.src_uri
    path = _origins.get(uri, DOCS / uri)
    if uri.startswith(f"{API}/"):
        return markdown
    inlined = STEPS.sub(lambda found: steps(path.parent / found[2], found[1]), markdown)
    led = outside_code(inlined, lambda line: LINK.sub(lambda link: redirect(link, path, uri), line))
    return spaced(led)


def links(markdown: str) -> list[re.Match[str]]:
    """Return the links of a document to files."""
    found: list[re.Match[str]] = []

    def collect(line: str) -> str:
        found.extend(LINK.finditer(line))
        return line

    outside_code(markdown, collect)
    return found


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """Return a document with every line changed, except those of code blocks."""
    lines, fence = [], ""
    for line in markdown.split("\n"):
        mark = re.match(r"`{3,}", line)
        if mark and not fence:
            fence = mark[0]
        elif mark and line.startswith(fence):
            fence = ""
        elif not fence:
            line = change(line)
        lines.append(line)
    return "\n".join(lines)


def on_post_page(output: str, page: Page, config: Any) -> str:
    """Name the search dialog, which the theme leaves without an accessible name."""
    return output.replace(DIALOG, f'{DIALOG} aria-label="Search"')


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    """Do the same in the page of missing addresses."""
    return output_content.replace(DIALOG, f'{DIALOG} aria-label="Search"')


def redirect(link: re.Match[str], path: Path, uri: str) -> str:
    """Return a link of a page to a file of the checkout, as a link to the page of that file."""
    target = (path.parent / link[2]).resolve()
    if not target.exists():
        return link[0]
    up = "../" * uri.count("/")
    return f"{link[1]}{up}{uri_of(target)}{link[3]}"


def spaced(markdown: str) -> str:
    """Return a document as Python-Markdown needs it.

    A list or table needs a blank line before it, and a pipe in code inside a table no backslash.
    """
    before = ""

    def change(line: str) -> str:
        nonlocal before
        kinds = (r"[-*] |\d+\. ", r"\|")
        begins = any(re.match(kind, line) and not re.match(kind, before) for kind in kinds)
        after_text = bool(before.strip()) and not before.startswith((" ", "#"))
        before = line
        if line.startswith("|"):
            line = re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
        return "\n" + line if begins and after_text else line

    return outside_code(markdown, change)


def steps(picture: Path, words: str) -> str:
    """Return a picture with steps as HTML, so that the script of the site can show each step."""
    svg = picture.read_text(encoding="utf-8").strip()
    return f'<figure class="steps" aria-label="{words}">{svg}</figure>'
