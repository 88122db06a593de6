"""The limits of a server: how much of the machine one client, and all of them, may use.

Limits of the form of a message, such as the length of a name, stand with the message.
"""

from dataclasses import dataclass
from typing import NamedTuple

from meeple.rate_limit import Rate


class JsonLimits(NamedTuple):
    """The limits of a JSON text, which bound the time to parse and validate it."""

    max_bytes: int
    max_items: int  # values
    max_members: int = 400  # keys; a new run sets up to 100 fields
    max_containers: int = 400  # lists and objects
    max_depth: int = 8  # of lists and objects in each other; a field of a run needs 4


class LaneLimits(NamedTuple):
    """The limits of a lane of threads."""

    threads: int
    max_waiting: int  # calls
    max_waiting_per_caller: int


@dataclass(frozen=True)
class ServerLimits:
    """All limits of one server, fixed while it runs. "A caller" is an address."""

    # ------------------------------------------------------------ connections, before parsing

    header_seconds: float = 10.0
    """From the opening of a connection, or the first byte of a request, to the last header."""
    body_seconds: float = 60.0
    """From the last header to the end of a request."""
    max_buffered_bytes: int = 16_384
    """Waiting data of a connection; beyond, it is not read."""
    max_fragments: int = 512
    """Frames of one WebSocket message; browsers send 10 for the longest one."""
    max_frames_after_close: int = 32
    """Frames that are received after the server closed a WebSocket."""
    close_seconds: float = 2.0
    """For a client to answer a close frame."""
    max_piece_bytes: int = 1024
    """Bytes that are parsed in one turn of a connection."""
    connection_time: Rate = Rate(0.2, 1.0)
    """Seconds of the event loop for parsing one connection's data; `pacing` estimates costs."""
    address_time: Rate = Rate(0.4, 2.0)
    """The same for all connections of an address."""
    iteration_seconds: float = 5e-3
    """Estimated time of the turns in one iteration of the event loop."""

    # ------------------------------------------------------------ requests and sockets

    max_headers: int = 100
    """Headers of a request."""
    max_query_bytes: int = 8192
    """Bytes of a URL's query."""
    max_query_fields: int = 32
    """Fields of a URL's query."""
    requests: Rate = Rate(200.0, 2000.0)
    """Requests of a caller: 30 pages that load 47 files each."""
    messages: Rate = Rate(400.0, 2000.0)
    """Messages of a caller, of all its sockets."""
    request_bytes: int = 20_000
    """A longer request or message counts as several, since it takes longer to parse."""
    max_sockets: int = 6000
    """Open WebSockets of all callers."""
    max_sockets_per_caller: int = 1000
    """Open WebSockets of a caller; a school may share an address."""
    wrong_passwords: Rate = Rate(5 / 60, 5.0)
    """Wrong passwords of a caller."""
    logins: Rate = Rate(1.0, 100.0)
    """Logins of a caller, checked before the password is read."""
    max_waiting_logins: int = 100
    """Queued password checks, of 0.2 s each."""
    session_seconds: int = 30 * 86_400
    """Lifetime of a cookie."""
    login_json: JsonLimits = JsonLimits(2_000, 10)
    """The body of a login."""
    small_json: JsonLimits = JsonLimits(64_000, 3_000)
    """The body of most requests: up to a board of 1,024 cells."""
    game_json: JsonLimits = JsonLimits(1_200_000, 45_000)
    """A body or message with a game: up to a record, or two lists of 20,000 moves."""
    table_json: JsonLimits = JsonLimits(4096, 100)
    """A message of a page that shows a table."""
    table_messages: Rate = Rate(20.0, 60.0)
    """Messages of a page that shows a table."""
    analysis_messages: Rate = Rate(5.0, 30.0)
    """Messages of a page that analyses."""
    invalid_messages: Rate = Rate(0.2, 20.0)
    """Invalid messages of a socket, beyond which it is closed."""
    first_message_seconds: float = 20.0
    """For the first message of a page, which names its table."""
    max_unsent_messages: int = 50
    """Messages that wait for a slow page."""

    # ------------------------------------------------------------ threads for long work

    long_plies: int = 1000
    """Plies above which a game is work for the lane of long games."""
    short_lane: LaneLimits = LaneLimits(2, 200, 100)
    """Games of at most `long_plies` plies: begun, loaded, replayed."""
    long_lane: LaneLimits = LaneLimits(1, 16, 8)
    """Longer games, and stones that are put in an order."""
    files_lane: LaneLimits = LaneLimits(1, 100, 50)
    """Reads of the database, and of networks in their files."""
    games_lane: LaneLimits = LaneLimits(1, 100, 50)
    """The list of all games, which waits after a start until they can be shown."""
    runs_lane: LaneLimits = LaneLimits(2, 100, 50)
    """Queries and commands of training runs."""

    # ------------------------------------------------------------ processes that search

    slice_seconds: float = 0.25
    """Analysis between two results, after which other tasks may run."""
    max_tries: int = 2
    """Attempts at a task whose worker dies."""
    max_choice_seconds: float = 90.0
    """For one move, whatever the agent's spec allows."""
    max_unsliced_seconds: float = 30.0
    """For an analysis by an agent that cannot be sliced."""
    turn_seconds: float = 0.5
    """Of a search, after which it is interrupted if a caller waits who has used less time."""
    unsliced_turn_seconds: float = 2.0
    """The same for an agent that cannot continue its search, and moves then; and for the search of
    a caller whose other tasks have not begun."""
    unwatched_seconds: float = 10.0
    """Recent work of others, up to which they are served before moves that no client waits for."""
    max_moves_per_caller: int = 200
    """Moves of agents that wait, of a caller; `ServerSettings.queue` is the number of all."""
    max_analyses: int = 1024
    """Concurrent analyses of all callers."""
    max_analyses_per_caller: int = 64
    """Concurrent analyses of a caller; a school may share an address."""
    max_preparing_seconds: float = 120.0
    """For a cancelled worker to compile or load."""
    grace_seconds: float = 2.0
    """For a worker to answer or end by itself, before it is killed."""
    move_patience_seconds: float = 0.5
    """For a move to wait for the worker that has its game's tree."""
    analysis_patience_seconds: float = 3.0
    """The same for a slice of an analysis."""
    max_agents: int = 32
    """Agents in the memory of one worker."""
    max_worker_bytes: int = 800_000_000
    """Memory of a worker, above which it drops the agents used least recently."""
    max_agent_bytes: int = 400_000_000
    """Memory of one agent's searches, at which a search stops."""
    min_search_bytes: int = 40_000_000
    """Memory that each search may use in any case."""

    # ------------------------------------------------------------ what is stored, by caller

    new_games: Rate = Rate(1.0, 300.0)
    """New tables and uploads of a caller; 20 kB count as one more."""
    new_cups: Rate = Rate(1 / 60, 30.0)
    """New cups of a caller."""
    new_studies: Rate = Rate(10 / 3600, 100.0)
    """New studies of a caller: it would need a year to fill the server."""
    new_solvers: Rate = Rate(1 / 60, 50.0)
    """New people of a caller whose ratings by puzzles are stored."""

    # ------------------------------------------------------------ tables

    max_data_bytes: int = 10_000_000_000
    """Quota of the database; above it, only games that have begun are stored."""
    busy_seconds: float = 1.0
    """Until a move that the busy pool refused is requested again."""
    max_idle_tables: int = 256
    """Games in memory that no client watches."""
    max_idle_bytes: int = 200_000_000
    """Estimated memory of those games."""
    max_watchers: int = 5000
    """Pages that watch tables."""
    greeting_seconds: float = 0.002
    """For each page of a table, until all are notified that one came or left."""
    left_days: float = 30.0
    """Days without a move after which a game that nobody looks at is closed as broken off; those of
    cups stay."""
    chat_messages: Rate = Rate(0.5, 6.0)
    """Lines of chat of a seat."""

    # ------------------------------------------------------------ analysis and library

    max_analysed_games: int = 64
    """Cached games under analysis."""
    max_analysed_bytes: int = 128_000_000
    """Estimated memory of those games."""
    review_seconds: float = 0.3
    """Search of each position of a game that a person has ended, for its review."""
    max_waiting_reviews: int = 8
    """Games that wait for their review; 0: no review is made before it is asked for."""
    max_reviews: int = 64
    """Reviews in memory."""
    review_patience_seconds: float = 60.0
    """For a review to wait until no agent searches, before it is dropped."""
    max_placements: int = 30_000
    """Stones placed in the search for an order of stones: a few seconds."""
    max_upload_games: int = 200
    """Games of one upload."""
    max_download_plies: int = 100_000
    """Plies of one download of several games: a few seconds."""
    max_searched_games: int = 2_000
    """Newest games of the library that are searched for an opening: 1 to 2 seconds."""
    max_opening_plies: int = 200
    """Plies of an opening that is searched for."""
    max_opening_moves: int = 40
    """Moves in the answer to such a search."""

    # ------------------------------------------------------------ studies and puzzles

    max_studies: int = 100_000
    """Stored studies; a server that has as many refuses another."""
    max_study_nodes: int = 4_000
    """Positions of a study."""
    max_study_plies: int = 2_000
    """Plies of a line of a study."""
    max_comment_characters: int = 4_000
    """Characters of one comment."""
    max_study_characters: int = 300_000
    """Characters of all comments of a study."""
    max_marks: int = 64
    """Marks of a position."""
    max_solvers: int = 100_000
    """People whose ratings by puzzles are stored; a new one replaces one with a single attempt."""
    max_raters: int = 500_000
    """Pairs of an address and a puzzle that are remembered, so that each counts once."""

    # ------------------------------------------------------------ training runs

    max_runs_at_once: int = 1
    """Runs in training, and also runs in rating."""
    max_run_threads: int = 8
    """Workers and threads of a run from the page."""
    max_run_parameters: int = 20_000_000
    """Weights of its network."""
    max_run_networks: int = 200
    """Networks that it saves."""
    max_run_bytes: int = 6_000_000_000
    """Memory of a run; the largest ready configuration needs 5 GB."""
    max_run_seconds: float = 12 * 3600.0
    """Time of a run on a server that others reach, until it is stopped to let others train."""
    max_runs_bytes: int = 20_000_000_000
    """Quota of the folder of runs, for files of all runs and studies."""
    max_listed_runs: int = 200
    """Runs in a list, the last changed ones."""
    max_listed_logs: int = 1000
    """Logs in a list."""
    max_log_lines: int = 40
    """Last lines of a log that are shown."""
    max_runs_with_curves: int = 16
    """Runs whose curves are cached."""
    stop_seconds: float = 20.0
    """For a run to end after the request to stop, before the page says that it is late."""


LIMITS = ServerLimits()
"""The limits of a server for which no others are given."""
