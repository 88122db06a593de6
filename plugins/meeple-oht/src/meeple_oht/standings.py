"""The results of a tournament, read from its file: table, ratings and game records."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from meeple.arena.figures.standings import Entry, Scores, Standings
from meeple.games.contract.records import GameRecord, record_of
from meeple_oht.rules import score_of
from meeple_oht.store import (
    BY_RULES,
    DONE,
    LEAGUE,
    StoredPlayer,
    StoredSeries,
    StoredSeriesGame,
    TournamentStore,
)
from meeple_oht.wire.boards import WireBoard


@dataclass
class TableRow:
    """A player's row of the table."""

    uid: int
    name: str
    spec: str
    state: str  # new, ready, failed
    connected: bool
    played: int = 0  # finished games of the league
    won: int = 0
    drawn: int = 0
    lost: int = 0
    faults: int = 0  # in all games
    score: float = 0.0
    rank: int = 0

    def count(self, player: int, winner: int, games: int) -> None:
        """Add finished games with the same winner, in which this row was player 1 or 2."""
        self.played += games
        self.won += games * (winner == player)
        self.drawn += games * (winner == 0)
        self.lost += games * (winner == 3 - player)
        self.score = score_of(self.won, self.drawn, self.played)


@dataclass(frozen=True)
class TournamentTable:
    """The state of a tournament: its rows and the progress of its games."""

    game: str
    options: dict[str, Any]
    phase: str
    rows: tuple[TableRow, ...]  # best player first
    series_done: int  # of the league
    series_all: int
    games_done: int
    games_all: int
    playing: tuple[dict[str, Any], ...]  # games in progress: id, series, players, plies

    def to_json(self) -> dict[str, Any]:
        """Return the table as JSON data."""
        return asdict(self)


def table_of(store: TournamentStore) -> TournamentTable:
    """Return the current table of a tournament."""
    stored, players = store.tournament(), store.players()
    rows = {one.uid: _row(one) for one in players if one.competes}
    names = {one.uid: one.name for one in players}
    done = 0
    for first, second, winner, count in store.results(LEAGUE):
        done += count
        rows[first].count(1, winner, count)
        rows[second].count(2, winner, count)
    for uid, faults in store.fault_counts().items():
        if uid in rows:
            rows[uid].faults = faults
    ordered = sorted(rows.values(), key=lambda row: (-row.score, -row.won, row.uid))
    for at, row in enumerate(ordered):
        before = ordered[at - 1] if at else row
        row.rank = before.rank if at and before.score == row.score else 1 + at
    series = store.series_counts(LEAGUE)
    return TournamentTable(
        game=stored.game,
        options=stored.options,
        phase=stored.phase,
        rows=tuple(ordered),
        series_done=series.get(DONE, (0, 0))[0],
        series_all=sum(count for count, _ in series.values()),
        games_done=done,
        games_all=sum(games for _, games in series.values()),
        playing=tuple(game_line(game, one, names) for game, one in store.playing()),
    )


def _row(player: StoredPlayer) -> TableRow:
    return TableRow(player.uid, player.name, player.spec, player.state, player.connected)


def game_line(
    game: StoredSeriesGame, series: StoredSeries, names: dict[int, str]
) -> dict[str, Any]:
    """Return the summary of a game as JSON data."""
    return {
        "id": game.id,
        "series": series.id,
        "kind": series.kind,
        "number": game.number + 1,
        "of": series.games,
        "players": [names[uid] for uid in series.uids],
        "starter": game.starter,
        "plies": game.plies,
        "state": game.state,
        "winner": game.winner,
        "how": game.how,
    }


def ratings_of(store: TournamentStore) -> Standings:
    """Return the standings of the league; agents are players in order of ids."""
    players = [one for one in store.players() if one.competes]
    index = {one.uid: at for at, one in enumerate(players)}
    stored, entries = store.tournament(), []
    for game, series in store.games_of_kind(LEAGUE):
        if game.winner is not None:
            shares = {0: (0.5, 0.5), 1: (1.0, 0.0), 2: (0.0, 1.0)}[game.winner]
            names = tuple(players[index[uid]].name for uid in series.uids)
            record = GameRecord(stored.game, stored.options, names, game.seed, (), shares)
            entries.append(Entry(tuple(index[uid] for uid in series.uids), record))
    points = {row.uid: row.score for row in table_of(store).rows}
    scores = Scores(tuple(points[one.uid] for one in players))
    return Standings([one.name for one in players], entries, scores)


def records_of(store: TournamentStore, kind: str = LEAGUE) -> Iterable[GameRecord]:
    """Yield the finished games as records; notes name the fault that ended a game."""
    board = WireBoard(store.game())
    names = {one.uid: one.name for one in store.players()}
    for game, series in store.games_of_kind(kind):
        if game.state != DONE:
            continue
        position = board.begun_by(game.starter).start(game.seed)
        for action in store.moves(game.id):
            position.play(action)
        seats = ["", ""]
        for player, uid in enumerate(series.uids, start=1):
            seats[board.seat(player, game.starter)] = names[uid]
        notes: dict[str, Any] = {"series": series.id, "game": game.number + 1}
        if game.how != BY_RULES:
            notes |= {"lost_by": game.how, "winner": names[series.uids[(game.winner or 1) - 1]]}
        yield record_of(position, seats, notes=notes)
