"""The views of a table with many watchers: who is there is counted once for all."""

import asyncio

import pytest

from meeple.server.limits import ServerLimits
from meeple.server.play import seats as seats_module
from meeple.server.play.residents import Residents
from meeple.server.play.seats import hashes
from meeple.server.play.table import Table
from tests.server.tables import at, begun_table, two_people

TOKENS = 16  # of each page: seats of one table


class Page:
    """A watcher with many tokens."""

    def __init__(self, *tokens):
        self.held = hashes([*tokens, *(f"unknown-{n}" for n in range(TOKENS - len(tokens)))])
        self.woken = 0

    def wake(self):
        self.woken += 1

    def tell(self, message): ...


@pytest.fixture
def residents():
    found = Residents.__new__(Residents)
    found._limits = ServerLimits(greeting_seconds=0.001)
    found._tables, found._watchers, found._present = {}, {}, {}
    found._greeting = set()
    found._on_drop = lambda table: None
    return found


def seated(residents, pages):
    table = begun_table()
    residents._tables[table.id] = table
    residents._watchers[table.id] = set(pages)
    return table


def test_a_move_hashes_no_token_and_counts_the_watchers_once(residents, monkeypatch):
    table = seated(residents, [Page("token-0"), Page("token-1"), *(Page() for _ in range(200))])
    counted = []
    count = Table.seats_with
    monkeypatch.setattr(seats_module, "digest", lambda token: pytest.fail("a token is hashed"))

    def counting(*given):
        counted.append(given)
        return count(*given)

    monkeypatch.setattr(Table, "seats_with", counting)
    table.play(frozenset((0,)), 0, [0])
    pages = list(residents._watchers[table.id])
    views = [residents.view(table, page.held, 1) for page in pages]
    assert len(counted) == 2 * len(pages)  # once for all, and once for each view
    assert {view["watching"] for view in views} == {200}
    assert all(seat["here"] for seat in views[0]["seats"])


def test_many_who_come_and_go_wake_each_other_rarely(residents):
    async def come():
        pages = [Page() for _ in range(300)]
        table = seated(residents, pages[:1])
        for page in pages[1:]:
            residents.watch(table, page)
        for page in pages[1:100]:
            residents.unwatch(table, page)
        await asyncio.sleep(1.0)
        return pages, table

    pages, table = asyncio.run(come())
    assert max(page.woken for page in pages) <= 10
    assert pages[-1].woken >= 2
    assert residents.view(table, frozenset())["watching"] == 201


def test_who_looks_on_or_takes_a_seat_is_seen_soon(client):
    id, mine, theirs = two_people(client)
    with at(client, id, mine) as me:
        assert me.view["watching"] == 0
        with at(client, id), at(client, id):
            me.until(lambda view: view["watching"] == 2)
        me.until(lambda view: view["watching"] == 0)
        with at(client, id, theirs):
            me.until(lambda view: all(seat["here"] for seat in view["seats"]))
