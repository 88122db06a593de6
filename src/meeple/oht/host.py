"""The host: listens in both dialects, asks who is there, and lets players into the tournament.

What strangers may cost is limited: connections at all and of one address, the time to say a token,
tries at it, the size of an answer, and answers that nobody has asked for.
"""

import asyncio
import logging
import ssl
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from meeple.agents.spec import agent as make_agent
from meeple.buckets import Buckets
from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.oht.entrants import Local, Remote
from meeple.oht.keepalive import keep_alive
from meeple.oht.link import LAST_SECONDS, Link, LinkLost, OldLink
from meeple.oht.players import Player, find
from meeple.oht.rules import Rules, score_of
from meeple.oht.series import Desk, Scratch, Series
from meeple.oht.store import QUALIFIER, Store, StoredSeries
from meeple.oht.tournament import Tournament
from meeple.protocols.oht.boards import Board
from meeple.protocols.oht.messages import (
    AnswerError,
    Finish,
    Question,
    TournamentOver,
    WireError,
)

LOG = logging.getLogger(__name__)
MOST_CONNECTIONS, CONNECTIONS_EACH = 1000, 400  # of all, and of one address: a school's
LOGIN_SECONDS = 20.0  # for the TLS handshake and the token, each
ANSWER_SECONDS = 120.0  # for the question: a person may be asked
TRIES_A_SECOND, TRIES_AT_ONCE = 10 / 60, 30.0  # wrong tokens of one address
PRACTISING_AT_ONCE = 32
THREADS = 4  # in which agents of the host's own think
BACKLOG = 256
SWITCH = 0.001  # seconds that a thread computes before others have their turn; usually 0.005

QUALIFY = Question("qualify", "Do you want to play in the tournament (yes), or to practise (no)?")


@dataclass(frozen=True)
class Place:
    """Where a host listens, and how."""

    host: str = "127.0.0.1"
    port: int = 0  # 0: any free one
    port_2020: int | None = None  # for the dialect of 2020; None: not at all
    tls: ssl.SSLContext | None = None  # None: plain TCP


class Host:
    """A tournament that listens, as long as `run` runs."""

    def __init__(
        self,
        file: Path,
        game: Game,
        players: Sequence[Player],
        rules: Rules,
        place: Place,
        seed: int = 1,
    ) -> None:
        """Raises MeepleError where the game, the file or the players are not fit."""
        self._board = Board(game)
        self._players, self._place = tuple(players), place
        self._lock = _locked(file)
        try:
            self.store = Store.begin(file, game, rules, players, seed)
        except MeepleError:
            self._lock.release()
            raise
        seed = self.store.tournament().seed  # that of the first time holds
        self._writer = ThreadPoolExecutor(1, "oht-store")
        self._threads = ThreadPoolExecutor(THREADS, "oht-agents")
        self._desk = Desk(rules, self._board, seed, self.store, self._writer)
        self._open: Counter[str] = Counter()
        self._tries = Buckets(TRIES_A_SECOND, TRIES_AT_ONCE)
        self._practising = 0
        self.ports: tuple[int, ...] = ()

    async def run(self, listening: asyncio.Event | None = None, *, stay: bool = False) -> None:
        """Listen, and play the tournament to its end; with `stay`, go on listening after it.

        `listening` is set once `ports` are known. Raises MeepleError where it cannot listen, and
        what keeps the tournament from going on. Cancelled, it tells all players and ends.
        """
        sys.setswitchinterval(SWITCH)
        await asyncio.get_running_loop().run_in_executor(self._threads, self._get_ready)
        self.tournament = Tournament(self._desk, self.store, self._threads)
        servers = await self._listen()
        if listening is not None:
            listening.set()
        try:
            await self.tournament.run()
            if stay:
                await asyncio.Event().wait()
        except (asyncio.CancelledError, MeepleError):
            await self.tournament.say("the host stops; your games are stored, connect again later")
            raise
        finally:
            for server in servers:
                server.close()
            await self.tournament.close()
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._writer.shutdown(wait=True)
            self._lock.release()

    def _get_ready(self) -> None:
        """Compile what games and agents here need, before any clock runs."""
        rules, game = self._desk.rules, self._board.game
        position = game.start(seed=0)
        self._board.state(position, 1)
        own = {player.spec for player in self._players if player.spec}
        for spec in sorted({*rules.qualifiers, *rules.practice} | own):
            make_agent(spec, game).choose(position, lambda: True)

    async def _listen(self) -> list[asyncio.Server]:
        place, servers = self._place, []
        for port, kind in ((place.port, "new"), (place.port_2020, "2020")):
            if port is not None:
                servers.append(await self._listen_at(port, old=kind == "2020"))
        self.ports = tuple(server.sockets[0].getsockname()[1] for server in servers)
        return servers

    async def _listen_at(self, port: int, *, old: bool) -> asyncio.Server:
        place = self._place
        seconds = LOGIN_SECONDS if place.tls is not None else None

        async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._met(reader, writer, old=old)

        try:
            return await asyncio.start_server(
                met,
                place.host,
                port,
                ssl=place.tls,
                ssl_handshake_timeout=seconds,
                ssl_shutdown_timeout=LAST_SECONDS if place.tls is not None else None,
                backlog=BACKLOG,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise MeepleError(f"cannot listen at {place.host}, port {port}: {reason}") from None

    # ------------------------------------------------------------ a connection

    async def _met(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, old: bool
    ) -> None:
        """Serve a connection to its end."""
        peer = writer.get_extra_info("peername")
        who = str(peer[0]) if peer else ""
        keep_alive(writer.get_extra_info("socket"))
        if old:
            link: Link = OldLink(reader, writer, records=self._place.tls is not None)
        else:
            link = Link(reader, writer)
        if self._open.total() >= MOST_CONNECTIONS or self._open[who] >= CONNECTIONS_EACH:
            await link.fail("there are too many connections; try again later")
            return
        self._open[who] += 1
        try:
            await self._serve(link, who)
        except LinkLost:
            pass
        except TimeoutError:
            await link.fail("the answer took too long")
        except (WireError, AnswerError) as error:
            await link.fail(str(error))
        finally:
            link.drop()
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]

    async def _serve(self, link: Link, who: str) -> None:
        async with asyncio.timeout(LOGIN_SECONDS):
            token = await link.ask_token()
        if not self._tries.take(who):
            await link.fail("too many wrong tokens: wait a minute")
            return
        player = find(self._players, token)
        if player is None:
            LOG.warning("%s: a wrong token", who)
            await link.fail("that is no player's token")
            return
        self._tries.take(who, -1)  # a try that was right does not count: many may share an address
        async with asyncio.timeout(ANSWER_SECONDS):
            competes = await link.ask_yes(QUALIFY)
        if not competes:
            await self._practise(player, link)
            return
        row = self.tournament.player(player.name)
        if row is None:
            await link.fail("the league has begun without you; you may still practise")
            return
        await self.tournament.arrive(row, link)

    async def _practise(self, player: Player, link: Link) -> None:
        """Series against the agents of the practice, of which nothing is kept."""
        if self._practising >= PRACTISING_AT_ONCE:
            await link.fail("too many practise at the moment; try again later")
            return
        self._practising += 1
        row = self.tournament.player(player.name)
        uid = 0 if row is None else row.uid
        rules = replace(self._desk.rules, wait=0.0)  # who leaves has practised enough
        remote = Remote(uid, player.name, rules)
        try:
            await remote.attach(link)
            won = drawn = played = 0
            for number, spec in enumerate(rules.practice, start=1):
                opponent = Local(-number, spec, spec, self._threads)
                series = StoredSeries(
                    id=number, kind=QUALIFIER, first=uid, second=-number, games=rules.games
                )
                desk = replace(self._desk, rules=rules, ledger=Scratch())
                games = await Series(desk, series, [remote, opponent]).play()
                won += sum(game.winner == 1 for game in games)
                drawn += sum(game.winner == 0 for game in games)
                played += len(games)
            await remote.tell(TournamentOver(score_of(won, drawn, played)))
            await remote.tell(Finish())
            await remote.hang_up()
        finally:
            self._practising -= 1


def _locked(file: Path) -> FileLock:
    """The lock of a tournament's file, for one host at a time. Raises MeepleError."""
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        raise MeepleError(f"another host has the tournament in {file}") from None
    except OSError as error:
        raise MeepleError(f"cannot keep a tournament in {file}: {error.strerror}") from None
    return lock
