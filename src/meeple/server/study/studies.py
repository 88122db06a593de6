"""The studies of a server: made from games and texts, read, changed, and written as files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from meeple.arena.explorer import is_explorable
from meeple.errors import UsageError
from meeple.games.contract.records import GameRecord, record_of
from meeple.games.contract.registry import make_from
from meeple.games.contract.shown import scene_of
from meeple.games.contract.variations import (
    Node,
    Variations,
    check_shape,
    marks_text,
    of_records,
    parse_marks,
    to_records,
    walk,
)
from meeple.protocols.records import formats, sgf, sgf_variations
from meeple.protocols.records.encodings import decoded as as_read
from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.asked import Asked
from meeple.server.analysis.record_text import decoded, read_text
from meeple.server.analysis.sources import GameSource
from meeple.server.errors import Forbidden, refusal
from meeple.server.library.downloads import GameFile, public_record
from meeple.server.limits import ServerLimits
from meeple.server.play.precompile import wait_for_kernels
from meeple.server.play.views import title as title_of
from meeple.server.resources import Resources
from meeple.server.study.messages import FileFormat, NewStudy, SaveStudy, Tree
from meeple.server.study.stored import StoredStudy, StudyStore

Json = dict[str, Any]
GIVEN = ("ids", "parents", "actions", "comments", "marks")
"""The columns of a tree that a client gives; `study.stored.COLUMNS` has all."""


class Studies:
    """Makes, reads and changes studies; one for each application."""

    def __init__(self, resources: Resources, analyst: Analyst) -> None:
        self._store = StudyStore(resources.store.engine, resources.limits.max_studies)
        self._writer = resources.writer
        self._work, self._limits, self._analyst = resources.work, resources.limits, analyst

    async def create(self, wanted: NewStudy, tokens: Sequence[str]) -> Json:
        """Store a new study and return it, with its links `id` (reading) and `key` (writing).

        Raises:
            Busy: The server has as many studies as it may.
            Forbidden: The game hides information from the client, or may not be analysed.
            MeepleError: The game, text or tree is invalid, or too large.
        """
        notices: Sequence[str] = ()
        if wanted.tree is not None:
            tree = await self._checked(wanted.tree)
        elif wanted.source is None:
            content = decoded(wanted.data or "") if wanted.text is None else wanted.text
            tree, notices = await self._work.long.do(_of_records, content, self._limits)
        else:
            tree = await self._of_source(wanted.source, tokens)
        id, key = await self._writer.do(self._store.add, wanted.title, tree)
        return {**await self.get(key), "id": id, "key": key, "notices": notices}

    async def get(self, link: str) -> Json:
        """Return the study of a link; raise NotFound or Damaged."""
        study, can_write = await self._work.files.do(self._store.get, link)
        await wait_for_kernels(study.game)
        return await self._work.short.do(_shown, study, can_write)

    async def save(self, key: str, wanted: SaveStudy) -> Json:
        """Store a changed study; return its new version and what is shown of its actions.

        Raises:
            Conflict: The study was changed since the version that was changed.
            MeepleError: The tree is invalid or too large, or the link may not write.
        """
        await self._work.files.do(self._store.check_writes, key)
        tree = await self._checked(wanted.tree)
        version = await self._writer.do(self._store.save, key, wanted.version, wanted.title, tree)
        nodes = tree["nodes"]
        return {
            "version": version,
            **{name: nodes[name] for name in ("actions", "movers", "texts")},
        }

    async def remove(self, key: str) -> None:
        """Delete a study; raise NotFound or Forbidden."""
        await self._writer.do(self._store.remove, key)

    async def file(self, link: str, format: FileFormat) -> GameFile:
        """Return a study as SGF with variations, or as JSON lines: a record for each line."""
        study, _ = await self._work.files.do(self._store.get, link)
        await wait_for_kernels(study.game)
        return await self._work.long.do(_file, study, format, self._limits)

    async def _checked(self, tree: Tree) -> Json:
        await wait_for_kernels(tree.game)
        lane = self._work.on(len(tree.ids))
        return await lane.do(_of_tree, tree, self._limits)

    async def _of_source(self, source: GameSource, tokens: Sequence[str]) -> Json:
        """Return the tree of a game, and of its variation if the source has one."""
        base = await self._analyst.ask(source.model_copy(update={"keep": None, "then": []}), tokens)
        base.check_looks()
        asked = [base]
        if source.then or source.keep is not None:
            asked.append(await self._analyst.ask(source, tokens))
        lane = self._work.on(sum(one.line.plies for one in asked))
        return await lane.do(_of_asked, asked, source, self._limits)


# ------------------------------------------------------------ trees


def _of_asked(asked: Sequence[Asked], source: GameSource, limits: ServerLimits) -> Json:
    records = [_record(one) for one in asked]
    if source.record is not None:  # with its comments
        records[0] = next(read_text(source.record).records)
    return _columns(of_records(records, limits.max_study_nodes), limits, records[0].seats)


def _record(asked: Asked) -> GameRecord:
    """Return what any client may see of a game; raise Forbidden while something is hidden."""
    line, table = asked.line, asked.table
    if not asked.is_open:
        raise refusal(Forbidden, "hidden_no_study")
    notes = {} if table is None else {"comments": table.agreed.notes.get("comments", {})}
    position = line.copy_at(line.plies)
    record = record_of(position, line.seats, line.opening, notes)
    return record if table is None or table.is_over else public_record(record, position)


def _of_records(content: str | bytes, limits: ServerLimits) -> tuple[Json, list[str]]:
    """Return the tree of an SGF with variations, or of all records; and how it was read."""
    opened = formats.read(content)
    if opened.format.name == "sgf":
        text = content if isinstance(content, str) else as_read(content).text
        records = sgf_variations.read(text)
    else:
        records = list(opened.found.records())
    tree = _columns(of_records(records, limits.max_study_nodes), limits, records[0].seats)
    return tree, opened.found.notices()


def _of_tree(tree: Tree, limits: ServerLimits) -> Json:
    nodes = _nodes(dict(tree))
    check_shape(nodes)
    made = Variations(tree.game, dict(tree.options), tree.seed, nodes)
    return _columns(made, limits, tree.seats)


def _nodes(columns: Mapping[str, Sequence[Any]]) -> tuple[Node, ...]:
    """Return the nodes of the columns that a client gives."""
    rows = zip(*(columns[name] for name in GIVEN), strict=True)
    return tuple(
        Node(id, parent, action, comment, parse_marks(marks))
        for id, parent, action, comment, marks in rows
    )


def _columns(tree: Variations, limits: ServerLimits, seats: Sequence[str]) -> Json:
    """Return a tree as columns of the database; raise MeepleError if it is wrong or too large."""
    _check_size(tree.nodes, limits)
    visits = {visit.node.id: visit[:4] for visit in _shallow(tree, limits.max_study_plies)}
    shown = [visits[node.id] for node in tree.nodes]
    return {
        "game": tree.game,
        "options": dict(tree.options),
        "seed": tree.seed,
        "seats": list(seats),
        "nodes": {
            "ids": [node.id for node in tree.nodes],
            "parents": [node.parent for node in tree.nodes],
            "actions": [node.action for node, *_ in shown],
            "comments": [node.comment for node in tree.nodes],
            "marks": [marks_text(node.marks) for node in tree.nodes],
            "movers": [mover for _, _, mover, _ in shown],
            "texts": [text for *_, text in shown],
        },
    }


def _shallow(tree: Variations, max_plies: int) -> Iterator[Any]:
    for visit in walk(tree):
        if len(visit.position.actions) > max_plies:
            raise refusal(UsageError, "study_line", most=max_plies)
        yield visit


def _check_size(nodes: Sequence[Node], limits: ServerLimits) -> None:
    if len(nodes) > limits.max_study_nodes:
        raise refusal(UsageError, "study_positions", most=limits.max_study_nodes)
    if any(len(node.comment) > limits.max_comment_characters for node in nodes):
        raise refusal(UsageError, "study_comment", most=limits.max_comment_characters)
    if any(len(node.marks) > limits.max_marks for node in nodes):
        raise refusal(UsageError, "study_marks", most=limits.max_marks)
    if sum(len(node.comment) for node in nodes) > limits.max_study_characters:
        raise refusal(UsageError, "study_comments", most=limits.max_study_characters)


# ------------------------------------------------------------ what is sent


def _shown(study: StoredStudy, can_write: bool) -> Json:
    game = make_from(study.game, study.options)
    return {
        "id": study.id,
        "version": study.version,
        "updated": study.updated,
        "can_write": can_write,
        "title": study.title,
        "game": study.game,
        "game_title": title_of(study.game),
        "options": dict(game.options),
        "seed": study.seed,
        "seats": study.seats or game.seat_names,
        "players": game.seat_names,
        "scale": game.scale,
        "family": scene_of(game.start(study.seed)).family,
        "explorable": is_explorable(game),
        "sgf": study.game in sgf.GAMES,
        "nodes": study.nodes,
    }


def _file(study: StoredStudy, format: FileFormat, limits: ServerLimits) -> GameFile:
    tree = Variations(study.game, study.options, study.seed, _nodes(study.nodes))
    form = formats.format_named(format)
    if format == "sgf":
        text = sgf_variations.write(tree, study.seats)
    else:
        if sum(map(len, tree.lines())) > limits.max_download_plies:
            raise refusal(UsageError, "study_lines", most=limits.max_download_plies)
        text = formats.write(to_records(tree, study.seats), format)
    return GameFile(f"{study.game}-study-{study.id}{form.endings[0]}", text, form.media_type)
