"""Studies in the database of the games. Calls block; the server writes in one dedicated thread."""

import logging
import secrets
import time
from typing import Any

from sqlalchemy import JSON, Engine, String, delete, func, or_, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from meeple.server.errors import Busy, Conflict, Damaged, Forbidden, NotFound, refusal
from meeple.server.play.seats import digest, new_token
from meeple.server.store import StoredBase

LOG = logging.getLogger(__name__)
COLUMNS = ("ids", "parents", "actions", "comments", "marks", "movers", "texts")
ID_BYTES = 12  # 16 letters, for readers


class StoredStudy(StoredBase):
    """A row of the table of studies."""

    __tablename__ = "studies"

    id: Mapped[str] = mapped_column(String(24), primary_key=True)  # the link for reading
    key: Mapped[str] = mapped_column(String(64), unique=True)  # hash of the link for writing
    version: Mapped[int]
    created: Mapped[float]
    updated: Mapped[float]
    title: Mapped[str]
    game: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    seed: Mapped[int]
    seats: Mapped[list[str]] = mapped_column(JSON)
    nodes: Mapped[dict[str, list[Any]]] = mapped_column(JSON)  # the columns of the tree


def _is_whole(nodes: Any) -> bool:
    """Return whether the columns of a tree are lists of one length."""
    if not isinstance(nodes, dict):
        return False
    columns = [nodes.get(name) for name in COLUMNS]
    lengths = {len(column) if isinstance(column, list) else -1 for column in columns}
    return len(lengths) == 1 and -1 not in lengths


class StudyStore:
    """The studies of one server."""

    def __init__(self, engine: Engine, max_studies: int) -> None:
        self._engine, self._max_studies = engine, max_studies

    def add(self, title: str, tree: dict[str, Any]) -> tuple[str, str]:
        """Store a new study; return its links for reading and writing.

        Raises:
            Busy: The server stores its maximum number of studies.
        """
        id, key, now = secrets.token_urlsafe(ID_BYTES), new_token(), time.time()
        study = StoredStudy(
            id=id, key=digest(key), version=1, created=now, updated=now, title=title, **tree
        )
        with Session(self._engine) as session, session.begin():
            stored = session.scalar(select(func.count()).select_from(StoredStudy)) or 0
            if stored >= self._max_studies:
                raise refusal(Busy, "studies_full", most=self._max_studies)
            session.add(study)
        return id, key

    def get(self, link: str) -> tuple[StoredStudy, bool]:
        """Return the study of a link, and whether the link may change it.

        Raises:
            NotFound: There is no such study.
            Damaged: It cannot be read.
        """
        hashed = digest(link)
        query = select(StoredStudy).where(or_(StoredStudy.id == link, StoredStudy.key == hashed))
        with Session(self._engine, expire_on_commit=False) as session:
            try:
                study = session.scalars(query).one_or_none()
            except (ValueError, TypeError) as error:
                LOG.error("a study is damaged", exc_info=error)
                raise refusal(Damaged, "study_damaged") from None
            if study is None:
                raise refusal(NotFound, "no_study")
            session.expunge(study)
            if not _is_whole(study.nodes):
                raise refusal(Damaged, "study_damaged")
            return study, study.key == hashed

    def save(self, key: str, version: int, title: str, tree: dict[str, Any]) -> int:
        """Store a changed study if `version` is the stored one; return the new version.

        Raises:
            NotFound: There is no such study.
            Forbidden: The link is for reading.
            Conflict: The study was changed since.
        """
        values = {"version": version + 1, "updated": time.time(), "title": title, **tree}
        changed = (
            update(StoredStudy)
            .where(StoredStudy.key == digest(key), StoredStudy.version == version)
            .values(values)
        )
        with self._engine.begin() as connection:
            found = connection.execute(changed).rowcount
        if not found:
            self.check_writes(key)
            raise refusal(Conflict, "study_changed")
        return version + 1

    def remove(self, key: str) -> None:
        """Delete a study; raise NotFound or Forbidden."""
        self.check_writes(key)
        with self._engine.begin() as connection:
            connection.execute(delete(StoredStudy).where(StoredStudy.key == digest(key)))

    def check_writes(self, link: str) -> None:
        """Raise NotFound or Forbidden unless a link may change its study."""
        _, can_write = self.get(link)
        if not can_write:
            raise refusal(Forbidden, "study_read_only")
