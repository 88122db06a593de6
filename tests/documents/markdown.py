"""The checkable parts of a Markdown document: code spans, code blocks, prose.

Planned things are described in a section headed "Planned", and nowhere else. The first cell of each
row of a table in it declares a planned name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

FENCE = re.compile(r"```(\w*)")
FILE = re.compile(r"# (\w+\.py)")
HEADING = re.compile(r"(#+) +(.+)")
SPAN = re.compile(r"`([^`]+)`")
WEB_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(https?:[^)]*\)")  # its text names external things
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)[^)]*\)")


@dataclass(frozen=True)
class Span:
    """Text between backquotes. `declares`: whether it names something planned."""

    text: str
    line: int
    planned: bool
    declares: bool


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, or "", and its lines from line `line` on."""

    language: str
    line: int
    lines: tuple[str, ...]

    @property
    def file(self) -> str:
        """The file that the block is, named by its first line: `# my_agent.py`; or ""."""
        named = FILE.fullmatch(self.lines[0]) if self.lines else None
        return named[1] if named else ""


@dataclass(frozen=True)
class Prose:
    """A paragraph, a heading, or a row of a table, without the text about other programs."""

    text: str
    line: int
    planned: bool


@dataclass
class Document:
    """The parts of a document, in order."""

    spans: list[Span] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    prose: list[Prose] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)

    @property
    def declared(self) -> set[str]:
        """Return the names declared by its sections of plans."""
        return {span.text for span in self.spans if span.declares}


def read(text: str) -> Document:
    """Split a document into its parts."""
    document = Document()
    plans = 0  # the heading level of the present section of plans, else 0
    for line, chunk in chunks(text):
        if isinstance(chunk, Block):
            document.blocks.append(chunk)
            continue
        if heading := HEADING.match(chunk):
            depth = len(heading[1])
            if heading[2].startswith("Planned"):
                plans = plans or depth
            elif depth <= plans:
                plans = 0
        _take(document, chunk, line, planned=plans > 0)
    return document


def chunks(text: str) -> Iterator[tuple[int, str | Block]]:
    """Yield blocks, rows of tables, headings and paragraphs, each with its first line's number."""
    language, begun, held = None, 0, []  # type: tuple[str | None, int, list[str]]
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = FENCE.match(line)
        if language is not None:
            if fence:
                yield begun, Block(language, begun + 1, tuple(held))
                language, held = None, []
            else:
                held.append(line)
        elif fence or not line.strip() or line.startswith(("|", "#")):
            if held:
                yield begun, "\n".join(held)
            held = []
            if fence:
                language, begun = fence[1], number
            elif line.strip():
                yield number, line
        else:
            begun = begun if held else number
            held.append(line)


def _take(document: Document, chunk: str, line: int, *, planned: bool) -> None:
    """Add the parts of a paragraph or row."""
    own = WEB_LINK.sub(lambda link: "\n" * link[0].count("\n"), chunk)
    first_cell = own.find("|", 1) if planned and own.startswith("|") else 0
    for found in SPAN.finditer(own):
        text = " ".join(found[1].split()).replace("\\|", "|")
        at = line + own.count("\n", 0, found.start())
        document.spans.append(Span(text, at, planned, declares=found.start() < first_cell))
    document.prose.append(Prose(own, line, planned))
    document.links += [(line, link[1]) for link in LINK.finditer(chunk)]
