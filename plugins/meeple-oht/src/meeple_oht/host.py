"""The host: listens in both dialects, authenticates clients and passes them to the tournament.

The cost of clients is limited: connections (`door.py`), the time to send a token, connections of
one player, the size of an answer, and unrequested answers.
"""

import asyncio
import contextlib
import logging
import ssl
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from meeple.agents.allowed import allow
from meeple.agents.networks import NEARBY
from meeple.agents.spec import agent as make_agent
from meeple.errors import MeepleError
from meeple.files import lock_holder
from meeple.games.contract.game import Game
from meeple_oht.door import Door, Guest
from meeple_oht.entrants import AgentThreads, LocalEntrant, RemoteEntrant
from meeple_oht.limits import HOST_LIMITS, HostLimits
from meeple_oht.link import Link, LinkLost, OldLink
from meeple_oht.players import RegisteredPlayer, find
from meeple_oht.rules import TournamentRules, score_of
from meeple_oht.series import MemoryLedger, Series, SeriesContext
from meeple_oht.store import QUALIFIER, StoredSeries, TournamentStore
from meeple_oht.tournament import HostedTournament
from meeple_oht.wire.boards import WireBoard
from meeple_oht.wire.messages import AnswerError, ClientQuestion, Finish, TournamentOver, WireError

LOG = logging.getLogger(__name__)
SWITCH_SECONDS = 0.001  # the interpreter's switch interval; its default is 0.005

QUALIFY = ClientQuestion(
    "qualify", "Do you want to play in the tournament (yes), or to practise (no)?"
)


@dataclass(frozen=True)
class ListenAddress:
    """The address, ports and TLS context of a host."""

    host: str = "127.0.0.1"
    port: int = 0  # 0: any free port
    port_2020: int | None = None  # for the dialect of 2020; None: not offered
    tls: ssl.SSLContext | None = None  # None: plain TCP


class Host:
    """A tournament server, which listens while `run` runs."""

    def __init__(
        self,
        file: Path,
        game: Game,
        players: Sequence[RegisteredPlayer],
        rules: TournamentRules,
        place: ListenAddress,
        seed: int = 1,
        limits: HostLimits = HOST_LIMITS,
    ) -> None:
        """Open or create the tournament in `file`.

        Args:
            file: the SQLite file.
            game: the game of the tournament.
            players: who may take part.
            rules: the tournament's rules.
            place: where to listen.
            seed: seeds the games of a new tournament.
            limits: of the host.

        Raises:
            MeepleError: the game, the file or the players cannot be used.
        """
        # Of a file of players, `read_players` checked the specs; those of the database are read.
        allow((*rules.qualifiers, *rules.practice, *(player.spec for player in players)))
        self._board = WireBoard(game)
        self._players, self._place, self._limits = tuple(players), place, limits
        self._lock = _locked(file)
        try:
            self.store = TournamentStore.begin(file, game, rules, players, seed)
        except MeepleError:
            self._lock.release()
            raise
        seed = self.store.tournament().seed  # an existing tournament keeps its seed
        self._writer = ThreadPoolExecutor(1, "oht-store")
        self._threads = AgentThreads(limits.max_agents)
        self._context = SeriesContext(rules, self._board, seed, self.store, self._writer)
        self._door = Door(place.tls, limits)
        self._connections: Counter[str] = Counter()  # connections by player
        self._practice_count = 0
        self.ports: tuple[int, ...] = ()

    async def run(self, listening: asyncio.Event | None = None, *, stay: bool = False) -> None:
        """Listen and run the tournament to its end. If cancelled, inform all players and stop.

        Args:
            listening: set once `ports` is known.
            stay: keep listening after the end.

        Raises:
            MeepleError: the host cannot listen, or the tournament cannot continue.
        """
        sys.setswitchinterval(SWITCH_SECONDS)
        self.tournament = HostedTournament(self._context, self.store, self._threads)
        words = ""
        try:
            await self._threads.run(self._get_ready)
            await self._listen()
            if listening is not None:
                listening.set()
            await self.tournament.run()
            if stay:
                await asyncio.Event().wait()
        except (asyncio.CancelledError, MeepleError):
            words = "the host stops; your games are stored, connect again later"
            raise
        finally:
            await self._stop(words)

    async def _stop(self, words: str) -> None:
        """Inform all players and close, without waiting for clients or agents that hang."""
        self._threads.stop()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._limits.stop_seconds):
                    if words:
                        await self.tournament.say(words)
                    await self.tournament.close()
        finally:
            await self._door.close()
            self._writer.shutdown(wait=True)
            self._lock.release()

    def _get_ready(self) -> None:
        """Compile what the game and the host's agents need, before any clock runs."""
        rules, game = self._context.rules, self._board.begun_by(1)
        position = game.start(seed=0)
        self._board.state(position, 1)
        own = {player.spec for player in self._players if player.spec}
        for spec in sorted({*rules.qualifiers, *rules.practice} | own):
            # Each raises if the agent cannot play, or if a file names what it may not.
            make_agent(spec, self._board.begun_by(2), catalogue=NEARBY)
            make_agent(spec, game, catalogue=NEARBY).choose(position, lambda: True)

    async def _listen(self) -> None:
        place = self._place
        old = partial(OldLink, records=place.tls is not None)
        for port, link_of in ((place.port, Link), (place.port_2020, old)):
            if port is not None:
                serve = partial(self._serve, link_of)
                self.ports += (await self._door.listen(place.host, port, serve),)

    # ------------------------------------------------------------ a connection

    async def _serve(
        self,
        link_of: Callable[..., Link],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        guest: Guest,
    ) -> None:
        """Serve a connection to its end."""
        link = link_of(reader, writer, self._limits)
        try:
            player = await self._log_in(link, guest)
            if player is not None:
                await self._count_and_serve(link, player)
        except LinkLost:
            pass
        except TimeoutError:
            await link.fail("the answer took too long")
        except (WireError, AnswerError) as error:
            await link.fail(str(error))
        finally:
            link.drop()

    async def _log_in(self, link: Link, guest: Guest) -> RegisteredPlayer | None:
        """Return the player whose token a client sends; None after a wrong token.

        Wrong tokens do not block their address, which many players may share. The rate limit of
        connections bounds guessing; see the README.
        """
        async with asyncio.timeout(self._limits.login_seconds):
            token = await link.ask_token()
        player = find(self._players, token)
        if player is None:
            self._door.note(guest.address, "a wrong token")
            await link.fail("that is no player's token")
            return None
        self._door.know(guest)
        return player

    async def _count_and_serve(self, link: Link, player: RegisteredPlayer) -> None:
        """Serve a player, in the tournament or for practice."""
        most = self._limits.max_connections_per_player
        if self._connections[player.name] >= most:
            await link.fail(f"you have {most} connections already: close one first")
            return
        self._connections[player.name] += 1
        try:
            await self._serve_player(link, player)
        finally:
            self._connections[player.name] -= 1

    async def _serve_player(self, link: Link, player: RegisteredPlayer) -> None:
        async with asyncio.timeout(self._limits.answer_seconds):
            competes = await link.ask_yes(QUALIFY)
        if not competes:
            await self._practise(player, link)
            return
        row = self.tournament.player(player.name)
        if row is None:
            await link.fail("the league has begun without you; you may still practise")
            return
        await self.tournament.arrive(row, link)

    async def _practise(self, player: RegisteredPlayer, link: Link) -> None:
        """Play series against the practice agents; nothing is stored."""
        if self._practice_count >= self._limits.max_practice_series:
            await link.fail("too many players practise at the moment; try again later")
            return
        self._practice_count += 1
        row = self.tournament.player(player.name)
        uid = 0 if row is None else row.uid
        rules = replace(self._context.rules, wait=0.0)  # a lost connection ends the practice
        remote = RemoteEntrant(uid, player.name, rules)
        try:
            await remote.attach(link)
            won = drawn = played = 0
            for number, spec in enumerate(rules.practice, start=1):
                opponent = LocalEntrant(-number, spec, spec, self._threads)
                series = StoredSeries(
                    id=number, kind=QUALIFIER, first=uid, second=-number, games=rules.games
                )
                context = replace(self._context, rules=rules, ledger=MemoryLedger())
                games = await Series(context, series, [remote, opponent]).play()
                won += sum(game.winner == 1 for game in games)
                drawn += sum(game.winner == 0 for game in games)
                played += len(games)
            await remote.send(TournamentOver(score_of(won, drawn, played)))
            await remote.send(Finish())
            await remote.disconnect()
        finally:
            self._practice_count -= 1


def _locked(file: Path) -> FileLock:
    """Lock a tournament's file for this host. Raises MeepleError if another host has it."""
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        holder = lock_holder(lock.lock_file)
        raise MeepleError(f"{holder} is the host of the tournament in {file}") from None
    except OSError as error:
        raise MeepleError(f"cannot keep a tournament in {file}: {error.strerror}") from None
    return lock
