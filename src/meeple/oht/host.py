"""The host: listens in both dialects, asks who is there, and lets players into the tournament.

What clients may cost is limited: connections (`door.py`), the time to send a token, connections of
one player, the size of an answer, and answers that nobody has asked for.
"""

import asyncio
import contextlib
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
from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.oht.door import Door, Guest
from meeple.oht.entrants import AgentThreads, Local, Remote
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
MAX_OF_PLAYER = 10  # connections with one token
LOGIN_SECONDS = 20.0  # for the token
ANSWER_SECONDS = 120.0  # for the question: a person may be asked
PRACTISING_AT_ONCE = 32
THREADS = 4  # in which agents of the host's own think
STOP_SECONDS = 0.5  # to tell all players that the host stops, and to close their connections
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
        self._threads = AgentThreads(THREADS)
        self._desk = Desk(rules, self._board, seed, self.store, self._writer)
        self._door = Door(place.tls, LAST_SECONDS)
        self._held: Counter[str] = Counter()  # connections by player
        self._practising = 0
        self.ports: tuple[int, ...] = ()

    async def run(self, listening: asyncio.Event | None = None, *, stay: bool = False) -> None:
        """Listen, and play the tournament to its end; with `stay`, go on listening after it.

        `listening` is set once `ports` are known. Raises MeepleError where it cannot listen, and
        what keeps the tournament from going on. Cancelled, it tells all players and ends.
        """
        sys.setswitchinterval(SWITCH)
        self.tournament = Tournament(self._desk, self.store, self._threads)
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
        """Tell all players, close, and wait for neither clients nor agents that do not end."""
        self._threads.stop()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    if words:
                        await self.tournament.say(words)
                    await self.tournament.close()
        finally:
            await self._door.close()
            self._writer.shutdown(wait=True)
            self._lock.release()

    def _get_ready(self) -> None:
        """Compile what games and agents here need, before any clock runs."""
        rules, game = self._desk.rules, self._board.begun_by(1)
        position = game.start(seed=0)
        self._board.state(position, 1)
        own = {player.spec for player in self._players if player.spec}
        for spec in sorted({*rules.qualifiers, *rules.practice} | own):
            make_agent(spec, self._board.begun_by(2))  # raises where it cannot play that one
            make_agent(spec, game).choose(position, lambda: True)

    async def _listen(self) -> None:
        place, ports = self._place, [(self._place.port, self._meet)]
        if place.port_2020 is not None:
            ports.append((place.port_2020, self._meet_old))
        self.ports = tuple(
            [await self._door.listen(place.host, port, meet) for port, meet in ports]
        )

    # ------------------------------------------------------------ a connection

    async def _meet(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, guest: Guest
    ) -> None:
        await self._serve(Link(reader, writer), guest)

    async def _meet_old(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, guest: Guest
    ) -> None:
        link = OldLink(reader, writer, records=self._place.tls is not None)
        await self._serve(link, guest)

    async def _serve(self, link: Link, guest: Guest) -> None:
        """Serve a connection to its end."""
        try:
            player = await self._log_in(link, guest)
            if player is not None:
                await self._attend(link, player)
        except LinkLost:
            pass
        except TimeoutError:
            await link.fail("the answer took too long")
        except (WireError, AnswerError) as error:
            await link.fail(str(error))
        finally:
            link.drop()

    async def _log_in(self, link: Link, guest: Guest) -> Player | None:
        """The player whose token a client sends; None after a wrong one.

        Wrong tokens keep nobody out who has the right one: many may share an address. Guessing is
        bounded by the pace of connections, see `docs/oht.md`.
        """
        async with asyncio.timeout(LOGIN_SECONDS):
            token = await link.ask_token()
        player = find(self._players, token)
        if player is None:
            self._door.note(guest.address, "a wrong token")
            await link.fail("that is no player's token")
            return None
        self._door.know(guest)
        return player

    async def _attend(self, link: Link, player: Player) -> None:
        """Serve a player, in the tournament or for practice."""
        if self._held[player.name] >= MAX_OF_PLAYER:
            await link.fail(f"you have {MAX_OF_PLAYER} connections already: close one first")
            return
        self._held[player.name] += 1
        try:
            await self._attend_one(link, player)
        finally:
            self._held[player.name] -= 1

    async def _attend_one(self, link: Link, player: Player) -> None:
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
