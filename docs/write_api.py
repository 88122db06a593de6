"""Write the pages of the Python API with pdoc: `make docs` writes them to build/docs.

Each module that the docstring of `meeple` names has a page. A comment at the end of the line of a
field or constant is shown as its description, and kernels are shown as Python functions.
"""

import ast
import functools
import importlib
import inspect
import io
import os
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before meeple is imported: a compiled kernel has no page

import pdoc.doc
import pdoc.doc_ast
import pdoc.render

import meeple

FOLDER = Path("build/docs")
ARRAY = re.compile(r"\b(?:NDArray|ndarray|Array|Mask|Payoffs)\b")
FIELD = re.compile(r"\s*(?:self\.)?(\w+(?:, \w+)*)(?:: [^#]*)? = |\s*(\w+): ")


def page_names() -> list[str]:
    """Return the modules that have a page, in the order of the index, the package first."""
    return ["meeple", *re.findall(r"`(meeple\.[\w.]+)`", str(meeple.__doc__))]


@functools.cache
def comments(source: str) -> dict[str, str]:
    """Return the comments at the ends of lines, by the names of their fields or constants."""
    found: dict[str, str] = {}
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line = lines[token.start[0] - 1] if token.start[0] <= len(lines) else ""
        named = FIELD.match(line)
        if token.type == tokenize.COMMENT and named and "noqa" not in token.string:
            for name in (named[1] or named[2]).split(", "):
                found[name] = token.string.lstrip("# ")
    return found


@functools.cache
def origins(source: str) -> dict[str, tuple[str, str]]:
    """Return the names that a module imports from this package: (module, name there) of each."""
    return {
        one.asname or one.name: (node.module, one.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("meeple.")
        for one in node.names
    }


def description(module: ModuleType, name: str) -> str:
    """Return the comment or docstring of a constant, from the module that defines it."""
    source = inspect.getsource(module)
    docstrings = pdoc.doc_ast.walk_tree(module).var_docstrings
    found = docstrings.get(name) or comments(source).get(name, "")
    if not found and name in origins(source):
        origin, name = origins(source)[name]
        found = description(importlib.import_module(origin), name)
    return found


def read_module(name: str) -> pdoc.doc.Module:
    """Return a module as pdoc reads it, with comments as descriptions of its variables."""
    module = importlib.import_module(name)
    for public in getattr(module, "__all__", ()):
        getattr(module, public)  # imports what `meeple` imports on first use
    page = pdoc.doc.Module(module)
    namespaces: list[pdoc.doc.Namespace[Any]] = [page, *page.classes]
    for namespace in namespaces:
        fields = {} if namespace is page else comments(namespace.source)
        for variable in namespace.own_members:
            missing = not variable.docstring or variable.docstring.startswith("Alias for field")
            if isinstance(variable, pdoc.doc.Variable) and missing:
                found = fields.get(variable.name) or description(module, variable.name)
                variable.__dict__["docstring"] = found  # replaces pdoc's cached one
    return page


def undescribed(page: pdoc.doc.Module) -> Iterator[str]:
    """Yield the public names of a module without a description, and its arrays without a shape.

    A field needs no description. An array needs its shape in brackets, except shares, which are
    [players].
    """
    for member in page.own_members:
        if not member.name.startswith("_") and not member.docstring:
            yield f"{page.modulename}.{member.qualname}"
    for member in page.flattened_own_members:
        hidden = any(part.startswith("_") for part in member.qualname.split("."))
        if not hidden and is_array(member) and not re.search(r"\[|\bshares\b", member.docstring):
            yield f"{page.modulename}.{member.qualname}: no shape"


def is_array(member: pdoc.doc.Doc[Any]) -> bool:
    """Return whether a variable is an array, or a function returns one."""
    if isinstance(member, pdoc.doc.Variable):
        return ARRAY.search(member.annotation_str) is not None
    if isinstance(member, pdoc.doc.Function):
        result = str(member.signature).rpartition(" -> ")[2]
        return ARRAY.search(result) is not None and "dict[" not in result
    return False


def write(folder: Path) -> None:
    """Write all pages, their index and the search index to a folder."""
    pdoc.render.configure(docformat="google", footer_text=f"Meeple {meeple.__version__}")
    pages = {name: read_module(name) for name in page_names()}
    for name, page in pages.items():
        path = folder / f"{name.replace('.', '/')}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pdoc.render.html_module(page, pages), encoding="utf-8")
    (folder / "index.html").write_text(pdoc.render.html_index(pages), encoding="utf-8")
    (folder / "search.js").write_text(pdoc.render.search_index(pages), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
