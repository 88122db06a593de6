"""Requests to agents of a table refer to one position of its game."""

import asyncio
from types import SimpleNamespace
from typing import Any

from meeple.server.limits import LIMITS
from meeple.server.play.agents import AgentPlayers, Moment
from tests.server.tables import begun_table

HERE = frozenset((0,))


class Meanwhile:
    """Work during which another player moves."""

    def __init__(self, table):
        self.table, self.files = table, self

    async def do(self, call, *args):
        position = self.table.position
        self.table.play(frozenset((position.to_move,)), self.table.ply, [0])
        return call(*args)


class Pool:
    """Records its tasks."""

    def __init__(self):
        self.tasks, self.on_state = [], None

    async def choose(self, task):
        self.tasks.append(task)
        return 0, {"value": [0.5, 0.5]}


def test_a_hint_refers_to_the_requested_position_despite_later_moves(tmp_path):
    """The hint once referred to the later position, which shows the view of another seat."""
    table, pool = begun_table(), Pool()
    table.play(HERE, 0, [0])
    asked = Moment.of(table)
    made: Any = AgentPlayers
    shared = SimpleNamespace(pool=pool, work=Meanwhile(table), runs=tmp_path, limits=LIMITS)
    players = made(shared, SimpleNamespace(), lambda table: None)
    hint = asyncio.run(players.hint(asked))
    assert table.ply > 1
    assert hint["ply"] == 1
    (task,) = pool.tasks
    assert (task.actions, asked.to_move) == ((0,), 1)
