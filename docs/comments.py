"""An extension of Griffe: the comment beside a field or constant describes it.

Griffe does not read `FIRST, SECOND = range(2)`: this extension adds such constants. It also shows
what a package passes on by `import *`.
"""

import ast
import io
import tokenize
from functools import cache
from pathlib import Path
from typing import Any

import griffe

MAX_LINES = 3  # of a statement; in a longer one comments describe its parts


class Comments(griffe.Extension):
    """Gives an attribute without a docstring the comment of its statement."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **kwargs: Any) -> None:
        """Describe an attribute."""
        if not attr.docstring:
            attr.docstring = described(attr)

    def on_module_members(self, *, node: Any, mod: griffe.Module, **kwargs: Any) -> None:
        """Add the constants that one statement defines together."""
        for place, statement in enumerate(node.body if isinstance(node, ast.Module) else ()):
            if not (
                isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple)
            ):
                continue
            below = node.body[place + 1] if place + 1 < len(node.body) else None
            names = statement.targets[0]
            for target in names.elts if isinstance(names, ast.Tuple) else ():
                if isinstance(target, ast.Name) and target.id not in mod.members:
                    one = griffe.Attribute(
                        target.id, lineno=statement.lineno, endlineno=statement.end_lineno
                    )
                    mod.set_member(target.id, one)
                    one.docstring = docstring(below, one) or described(one)

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:
        """Make what packages pass on from their modules by `import *` public, and no more."""
        for page in pkg.modules.values():
            own = f"{page.path}."
            found = [
                name
                for name, member in page.members.items()
                if isinstance(member, griffe.Alias)
                and member.target_path.startswith(own)
                and not (name.startswith("_") or member.target.is_alias)
            ]
            if page.exports is None and found:
                page.exports = list(found)


def described(attr: griffe.Attribute) -> griffe.Docstring | None:
    """Return the comment of the statement of an attribute as its docstring."""
    first, last = attr.lineno, attr.endlineno
    if first is None or last is None or last - first >= MAX_LINES:
        return None
    assert isinstance(attr.filepath, Path)
    found = comments(attr.filepath)
    words = [found[line] for line in range(first, last + 1) if line in found]
    return griffe.Docstring(words[0], lineno=first, parent=attr) if words else None


def docstring(below: ast.stmt | None, attr: griffe.Attribute) -> griffe.Docstring | None:
    """Return the text that stands below an attribute's statement."""
    if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
        return griffe.Docstring(str(below.value.value), lineno=below.lineno, parent=attr)
    return None


@cache
def comments(file: Path) -> dict[int, str]:
    """Return the comments of a file by line, without those for tools."""
    tokens = tokenize.generate_tokens(io.StringIO(file.read_text(encoding="utf-8")).readline)
    found = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT
    }
    return {
        line: text for line, text in found.items() if not text.startswith(("noqa", "type: ignore"))
    }
