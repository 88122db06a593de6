"""Moved to `meeple.games.records`; import from there."""

from meeple.games.records import (
    GameRecord,
    game_of,
    positions,
    read_records,
    record_of,
    replay,
    to_lines,
)

__all__ = ["GameRecord", "game_of", "positions", "read_records", "record_of", "replay", "to_lines"]
