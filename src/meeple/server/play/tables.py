"""The actions of people at tables: every change of a game is made, stored and published here."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from meeple.games.contract.registry import make_from
from meeple.server.errors import Forbidden, refusal
from meeple.server.play.agents import AgentPlayers, Moment, forget
from meeple.server.play.alarms import Alarms
from meeple.server.play.begin import Beginning, beginning, new_seed, rematch
from meeple.server.play.messages import NewTable
from meeple.server.play.precompile import Preparation, preparations, wait_for_kernels
from meeple.server.play.residents import Residents, Watcher, set_up
from meeple.server.play.seats import Seat, invited, new_token
from meeple.server.play.stored import new_stored
from meeple.server.play.table import Request, Table
from meeple.server.play.taking_back import undo_goal, undo_refusal
from meeple.server.resources import Resources
from meeple.server.store import StoredGame
from meeple.server.work import most_plies

CLOSING_SECONDS = 3600.0  # between two looks for games that were left


class Tables:
    """The games of a server, and the actions of people in them."""

    def __init__(self, resources: Resources) -> None:
        self.limits = resources.limits
        self._work, self._runs = resources.work, resources.runs
        self.residents = Residents(resources, lambda table: forget(resources.pool, table))
        self._alarms = Alarms(self._lose_on_time)
        self._agents = AgentPlayers(resources, self.residents, self._moved)
        self.on_over: list[Callable[[Table], None]] = []
        """Called with every table whose game is over after a change."""

    async def close(self) -> None:
        """Stop all agents; all plies are stored already."""
        await self._agents.close()

    async def get(self, id: str) -> Table:
        """Return a table from memory or the database; raise NotFound or Busy."""
        return await self.residents.get(id)

    def watch(self, table: Table, watcher: Watcher) -> None:
        """Notify a watcher of all changes from now on, and start agents; raise TooMany."""
        self.residents.watch(table, watcher)
        self.resume(table)

    async def preparations(self) -> list[Preparation]:
        """Return the games that are being prepared."""
        return await self._work.files.do(preparations)

    # ------------------------------------------------------------ beginning

    async def create(self, wanted: NewTable) -> tuple[Table, dict[str, str], dict[str, str]]:
        """Create a table.

        Returns:
            The table, the creator's tokens by seat ("host" without a seat), and the invitations by
            seat.

        Raises:
            MeepleError: The options, a spec or the record is invalid.
            Busy: Too many games are being set up.
        """
        lane = self._work.on(most_plies(wanted.record))
        await wait_for_kernels(wanted.game)
        made, table = await lane.do(_new_game, wanted, self._runs)
        await self.residents.add(made.stored, table, made.played)
        return table, made.tokens, made.invites

    async def open(
        self, game: str, options: dict[str, Any], seats: list[Seat], terms: dict[str, Any]
    ) -> str:
        """Begin a game whose seats are taken; return its id."""
        await wait_for_kernels(game)
        stored, table = await self._work.short.do(_seated_game, game, options, seats, terms)
        await self.residents.add(stored, table)
        self._moved(table)
        self.resume(table)
        return table.id

    def invited(self, table: Table, invite: str) -> int:
        """Return the seat of an invitation; raise Forbidden if it is used up or another game's."""
        number = invited(table.seats, invite)
        if number is None:
            raise refusal(Forbidden, "invitation_used")
        return number

    async def claim(self, table: Table, invite: str, name: str) -> tuple[int, str]:
        """Take the seat of an invitation, which is then used up; return the seat and its token."""
        async with self.residents.held(table):
            number = self.invited(table, invite)
            token = new_token()
            table.seats[number].claim(name, token)
            await self.residents.write(table, table.ply)
        self._publish(table)
        return number, token

    async def rematch(self, table: Table) -> Table:
        """Begin the same game with all seats moved by one; tokens move with their seats."""
        if not table.is_over:
            raise refusal(Forbidden, "not_over")
        async with self.residents.held(table):
            if table.next is not None:
                return await self.get(table.next["id"])
            stored, moved = rematch(table)
            fresh = await self._work.short.do(set_up, stored)
            await self.residents.add(stored, fresh)
            table.next = {"id": fresh.id, "seats": moved}
            await self.residents.write(table, table.ply)
        self.residents.wake(table)
        return fresh

    # ------------------------------------------------------------ moving

    async def play(self, table: Table, you: frozenset[int], ply: int, actions: list[int]) -> None:
        """Play actions of a person; raise Forbidden or IllegalAction without a change."""
        async with self.residents.held(table):
            table.play(you, ply, actions)
            await self.residents.write(table, ply)
        self._publish(table)

    async def undo(self, table: Table, you: frozenset[int]) -> None:
        """Take back the last move of a person, at once or after the others agree."""
        async with self.residents.held(table):
            reason = undo_refusal(table, you)
            if reason is not None:
                raise refusal(Forbidden, reason)
            if table.others(you):
                self._ask(table, "undo", you)
                return
            await self._take_back(table, you)
        self._agents.stop(table)
        self._publish(table)

    async def offer_draw(self, table: Table, you: frozenset[int]) -> None:
        """Offer a draw: agents answer at once, other people when they like; raise Forbidden."""
        async with self.residents.held(table):
            if not table.may_offer_draw(you):
                raise refusal(Forbidden, "no_draw_offer")
            if (seat := table.refuses_draw()) is not None:
                raise refusal(Forbidden, "draw_refused", name=seat.name or seat.spec)
            if table.others(you):
                self._ask(table, "draw", you)
                return
            table.agree_on_draw()
            await self.residents.write(table, table.ply)
        self._agents.stop(table)
        self._publish(table)

    def _ask(self, table: Table, kind: str, you: frozenset[int]) -> None:
        """Ask the others; a newer request replaces an older one."""
        table.asks = Request(kind, min(you), you)
        self.residents.wake(table)

    async def answer(self, table: Table, you: frozenset[int], agree: bool) -> None:
        """Answer another person's request."""
        async with self.residents.held(table):
            request = table.asks
            if request is None or not you - request.agreed:
                raise refusal(Forbidden, "nothing_asked")
            agreed, asks = request.agreed | you, frozenset((request.seat,))
            if agree and table.others(agreed):
                table.asks = replace(request, agreed=agreed)
                return
            table.asks = None
            if agree and request.kind == "draw":
                table.agree_on_draw()
                await self.residents.write(table, table.ply)
            elif agree and undo_refusal(table, asks) is None:
                await self._take_back(table, asks)
            else:
                self.residents.wake(table)
                return
        self._agents.stop(table)
        self._publish(table)

    async def _take_back(self, table: Table, you: frozenset[int]) -> None:
        """Undo the last permitted move of a person; the caller holds the lock."""
        goal = undo_goal(table, you)
        assert goal is not None
        table.take_back(goal)
        await self.residents.write(table, goal, keep=goal)

    async def resign(self, table: Table, you: frozenset[int]) -> None:
        """Give up for the seat of `you` whose view the person has."""
        if table.is_over or table.waits or not you:
            raise refusal(Forbidden, "nothing_to_give_up")
        seat = table.history.reader(you)
        assert seat is not None
        await self._lose(table, seat, "resigned")

    async def _lose_on_time(self, table: Table, seat: int) -> None:
        """Let a person lose on time."""
        await self._lose(table, seat, "time")

    async def _lose(self, table: Table, seat: int, how: str) -> None:
        async with self.residents.held(table):
            if table.is_over:
                return
            table.give_up(seat, how)
            await self.residents.write(table, table.ply)
        self._agents.stop(table)
        self._publish(table)

    async def remove(self, table: Table, held: frozenset[str]) -> None:
        """Delete a game; raise Forbidden unless its people's tokens are all among these hashes."""
        async with self.residents.held(table):
            if not table.may_remove(held):
                raise refusal(Forbidden, "not_yours_to_remove")
            await self.residents.remove(table)
        self._agents.stop(table)

    async def close_left(self) -> None:
        """Close the games that nobody has continued for long, now and then, until cancelled."""
        while True:
            await self.residents.close_left()
            await asyncio.sleep(CLOSING_SECONDS)

    # ------------------------------------------------------------ chat

    def chat(self, table: Table, you: frozenset[int], text: str) -> None:
        """Send a line of a person to all watchers; raise TooMany if they come too fast."""
        line = table.chat.add(table.history.reader(you), text, self.limits.chat_messages)
        self.residents.tell(table, {"type": "chat", "lines": [line]})

    # ------------------------------------------------------------ agents

    def now(self, table: Table) -> None:
        """Make the agent that is choosing move at once."""
        if table.thinking is None:
            raise refusal(Forbidden, "no_agent_thinks")
        self._agents.stop(table)

    def pause(self, table: Table, on: bool) -> None:
        """Pause or resume a game without people."""
        if table.people:
            raise refusal(Forbidden, "pause_without_people")
        table.paused = on
        if on:
            self._agents.stop(table)
        self._publish(table)

    async def hint(self, table: Table, you: frozenset[int]) -> dict[str, Any]:
        """Return a search result for the person to move; raise Forbidden or Busy."""
        moment = Moment.of(table)
        if not self.residents.has(table):
            raise refusal(Forbidden, "open_again")
        if not table.agreed.help:
            raise refusal(Forbidden, "no_hints")
        if table.is_over or table.waits or moment.to_move not in you:
            raise refusal(Forbidden, "hint_for_mover")
        return await self._agents.hint(moment)

    def may_analyse(self, table: Table, tokens: Iterable[str], to_move: int) -> int | None:
        """Return the only seat from whose view a position may be searched; None: any view.

        Args:
            table: the game.
            tokens: the client's tokens.
            to_move: the seat to move in the position.

        Raises:
            Forbidden: The client may not see the position.
        """
        if table.is_over:
            return None
        you = table.seats_of(tokens)
        if not table.agreed.help:
            raise refusal(Forbidden, "analysis_when_over")
        if not table.game.hides:
            return None
        if to_move not in you:
            raise refusal(Forbidden, "hidden_only_mover")
        return to_move

    # ------------------------------------------------------------ after a change

    def _publish(self, table: Table) -> None:
        """Notify the watchers, set the clock's timer, and start the agent to move."""
        self.residents.wake(table)
        self._moved(table)
        self.resume(table)

    def _moved(self, table: Table) -> None:
        """Set the clock's timer, and report the end of the game."""
        self._alarms.set(table)
        if table.is_over:
            for call in self.on_over:
                call(table)

    def resume(self, table: Table) -> None:
        """Start the clock and the agents if they are stopped."""
        table.start_clock()
        if table.clock and table.upkeep.alarm is None:
            self._alarms.set(table)
        self._agents.go_on(table)


def _seated_game(
    game: str, options: dict[str, Any], seats: list[Seat], terms: dict[str, Any]
) -> tuple[StoredGame, Table]:
    """Return a new game with these players, and its table, ready to show."""
    stored = new_stored(make_from(game, options).start(new_seed()), seats, terms, {})
    return stored, set_up(stored)


def _new_game(wanted: NewTable, runs: Path) -> tuple[Beginning, Table]:
    """Return a new game, and its table, ready to show."""
    made = beginning(wanted, runs)
    return made, set_up(made.stored, made.played)
