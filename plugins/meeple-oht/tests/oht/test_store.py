"""The file of a tournament: older schemas are read, newer ones refused; agents that it names."""

import pytest

from meeple.errors import MeepleError
from meeple.games.contract.registry import make
from meeple_oht.entrants import AgentThreads, LocalEntrant
from meeple_oht.players import read_players
from meeple_oht.store import TournamentStore
from meeple_oht.wire.boards import WireBoard
from tests.server.test_entrances import dangers
from tests.server.test_migrations import refused_unchanged, write

TOURNAMENT = """
CREATE TABLE tournament (id INTEGER NOT NULL, game VARCHAR(64) NOT NULL, options JSON NOT NULL,
    rules JSON NOT NULL, seed INTEGER NOT NULL, phase VARCHAR(16) NOT NULL, created FLOAT NOT NULL,
    PRIMARY KEY (id));
CREATE TABLE players (uid INTEGER NOT NULL, name VARCHAR NOT NULL, spec VARCHAR NOT NULL,
    competes BOOLEAN NOT NULL, state VARCHAR(8) NOT NULL, attempts INTEGER NOT NULL,
    connected BOOLEAN NOT NULL, PRIMARY KEY (uid), UNIQUE (name));
CREATE TABLE faults (id INTEGER NOT NULL, at FLOAT NOT NULL, uid INTEGER NOT NULL, game INTEGER,
    kind VARCHAR(12) NOT NULL, words VARCHAR NOT NULL, PRIMARY KEY (id));
CREATE INDEX ix_faults_uid ON faults (uid);
CREATE TABLE series (id INTEGER NOT NULL, kind VARCHAR(12) NOT NULL, attempt INTEGER NOT NULL,
    first INTEGER NOT NULL, second INTEGER NOT NULL, games INTEGER NOT NULL,
    state VARCHAR(8) NOT NULL, PRIMARY KEY (id), FOREIGN KEY(first) REFERENCES players (uid),
    FOREIGN KEY(second) REFERENCES players (uid));
CREATE INDEX ix_series_kind ON series (kind);
CREATE TABLE games (id INTEGER NOT NULL, series INTEGER NOT NULL, number INTEGER NOT NULL,
    starter INTEGER NOT NULL, seed INTEGER NOT NULL, state VARCHAR(8) NOT NULL, winner INTEGER,
    how VARCHAR(12) NOT NULL, plies INTEGER NOT NULL, began FLOAT NOT NULL, ended FLOAT,
    PRIMARY KEY (id), FOREIGN KEY(series) REFERENCES series (id));
CREATE INDEX ix_games_state ON games (state);
CREATE INDEX ix_games_series ON games (series);
CREATE TABLE moves (game INTEGER NOT NULL, ply INTEGER NOT NULL, action INTEGER NOT NULL,
    seconds FLOAT NOT NULL, PRIMARY KEY (game, ply), FOREIGN KEY(game) REFERENCES games (id));
INSERT INTO tournament VALUES (1, 'hex', '{"size": 5}', '{}', 7, 'league', 1.0);
"""


def test_the_oldest_file_is_read(tmp_path):
    tournament = TournamentStore.open(write(tmp_path / "oht.sqlite", TOURNAMENT))
    assert tournament.tournament().seed == 7
    tournament.close()


def test_a_file_of_a_newer_version_is_refused_unchanged(tmp_path):
    file = write(tmp_path / "oht.sqlite", TOURNAMENT, "PRAGMA user_version=999;")
    refused_unchanged(file, TournamentStore.open)


@pytest.mark.parametrize("spec", dangers())
def test_a_file_of_players_names_no_program(spec, tmp_path):
    file = tmp_path / "players.toml"
    file.write_text(f"[[player]]\nname='a'\nspec='{spec}'\n[[player]]\nname='b'\nspec='random'\n")
    with pytest.raises(MeepleError):
        read_players(file)


@pytest.mark.parametrize("spec", dangers())
def test_a_stored_tournament_starts_no_other_agent_than_its_file_lists(spec):
    threads = AgentThreads(1)
    entrant = LocalEntrant(1, "evil", spec, threads)
    with pytest.raises(MeepleError):
        entrant._begin(WireBoard(make("hex", size=3)), 1, seed=1)
