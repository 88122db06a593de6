"""The view of a table for a client, as JSON data; hides what the client may not see."""

import contextlib
import time
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from meeple.errors import OptionError
from meeple.games.boards.scene import Scene
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position, shown_name
from meeple.games.contract.registry import game_class, is_of_library
from meeple.games.contract.replay import PlyText
from meeple.games.contract.result import outcome_of
from meeple.games.contract.shown import scene_of
from meeple.sentences import say
from meeple.server.play.history import Value
from meeple.server.play.seats import Seat
from meeple.server.play.table import Table
from meeple.server.play.taking_back import undo_refusal
from meeple.server.store import PLAYED

MAX_EVENTS = 4000  # in one message
MAX_REPLIES = 40  # moves of the opponent after which premoves are looked for
MAX_PREMOVES = 400  # actions of a position, beyond which they would take too long to draw


def view_of(
    table: Table,
    you: frozenset[int],
    *,
    since: int = 0,
    host: bool = False,
    here: Collection[int] = (),
    watching: int = 0,
) -> dict[str, Any]:
    """Return the view of a client with the seats `you`, and its events from ply `since` on.

    Args:
        table: the table.
        you: the seats of the client.
        since: the first ply whose event is sent.
        host: whether the client created the game without taking a seat.
        here: seats whose people are connected.
        watching: number of spectators' pages.
    """
    position, game = table.position, table.game
    reader = table.history.reader(you)
    mine = not table.is_over and not table.waits and position.to_move in you
    board = _board(table, reader, mine)
    return {
        "id": table.id,
        **about(table.game),
        "you": sorted(you),
        "reader": reader,
        "seats": [seat_view(table, number, you, number in here) for number in range(game.seats)],
        "to_move": position.to_move,
        "status": "over" if table.is_over else "waiting" if table.waits else "playing",
        "paused": table.paused,
        "thinking": _thinking(table),
        "result": _result(table, you),
        "ply": table.ply,
        "opening": table.agreed.opening,
        "events": events_of(table, reader, since),
        "clocks": _clocks(table),
        "can": _permissions(table, you, mine, host),
        "asks": table.asks and {"kind": table.asks.kind, "seat": table.asks.seat},
        "next": table.next,
        "terms": terms_view(table),
        "watching": watching,
        "cup": table.agreed.cup,
        **board,
        **_premoves(table, you),
    }


def _board(table: Table, reader: int | None, mine: bool) -> dict[str, Any]:
    """Return what a seat sees of the position and may do, cached until the position changes."""
    state = table.ply, table.history.cuts, table.position.row.tobytes(), table.is_over
    cached = table.drawn.get((reader, mine))
    if cached is not None and cached[0] == state:
        return cached[1]
    scene = scene_of(table.position, reader)
    board = {
        "family": scene.family,
        "scene": {"game": table.game.name, **scene.to_json()},
        "actions": actions_of(table.position, scene) if mine else [],
        "guide": capabilities.guide(table.position) if mine else "",
        "last": _last_spots(table),
        "chances": _last_value(table),
    }
    table.drawn[reader, mine] = state, board
    return board


def _premoves(table: Table, you: frozenset[int]) -> dict[str, Any]:
    """Return the premoves of a client with one seat, cached until the position changes."""
    if len(you) != 1 or table.mover is None or table.position.to_move in you:
        return {"premoves": []}
    (seat,) = you
    state = table.ply, table.history.cuts
    cached = table.drawn.get(("premoves", seat))
    if cached is not None and cached[0] == state:
        return cached[1]
    found = {"premoves": premoves_of(table.position, seat)}
    table.drawn["premoves", seat] = state, found
    return found


def premoves_of(position: Position, seat: int) -> list[dict[str, Any]]:
    """Return the actions on the board that are legal for a waiting seat after some reply.

    After a reply, the seat must be to move: an action before dice or another player's move cannot
    be chosen. Of many replies a sample is played, since each closes few of the seat's actions.
    """
    game = position.game
    if game.hides:
        return []
    replies = position.legal_actions()
    if len(replies) > MAX_PREMOVES:
        return []
    found: dict[int, dict[str, Any]] = {}
    for reply in replies[:: 1 + (len(replies) - 1) // MAX_REPLIES].tolist():
        after = position.copy()
        after.play(reply)
        if after.to_move == seat and not found.keys() >= set(after.legal_actions().tolist()):
            for action in actions_of(after, scene_of(after, seat)):
                found.setdefault(action["id"], action)
    return [action for _, action in sorted(found.items()) if action["clicks"]]


def terms_view(table: Table) -> dict[str, Any]:
    """Return the terms of a game: its clock at the start, and whether help is allowed."""
    clock = table.clock and {
        "kind": table.clock.kind,
        "seconds": table.clock.seconds,
        "increment": table.clock.increment,
    }
    return {"help": table.agreed.help, "clock": clock}


def about(game: Game) -> dict[str, Any]:
    """Return the name, title and options of a game."""
    return {
        "game": game.name,
        "title": title(game.name),
        "summary": game.summary,
        "options": dict(game.options),
        "hides": game.hides,
        "scale": game.scale,
    }


def title(name: str) -> str:
    """Return a game's name as a heading; a loaded game of a library has a title of its own."""
    if is_of_library(name):
        with contextlib.suppress(OptionError):
            return game_class(name)().title
    return name.replace("-", " ").capitalize()


def actions_of(position: Position, scene: Scene) -> list[dict[str, Any]]:
    """Return the legal actions: names, clicks in the scene, and places in the menu."""
    if position.to_move < 0:
        return []
    places = {
        action: (group, shown_name(label))
        for group, members in capabilities.action_groups(position).items()
        for label, action in members.items()
    }
    found = []
    for action in position.legal_actions().tolist():
        group, label = places.get(action, (None, ""))
        name = position.action_name(action)
        entry: dict[str, Any] = {"id": action, "name": name, "group": group, "label": label}
        entry["clicks"] = list(scene.clicks.get(action, ()))
        entry["marks"] = list(scene.marks.get(action, ()))
        found.append(entry)
    return found


def events_of(table: Table, reader: int | None, since: int) -> dict[str, Any]:
    """Return the texts of the plies from `since` on, as the viewer may see them."""
    told = table.history.told
    told = told[bisect_left(told, since, key=lambda event: event.ply) :]
    first = told[-MAX_EVENTS].ply if len(told) > MAX_EVENTS else since
    events = [
        {
            "ply": event.ply,
            "seat": event.seat,
            "text": text,
            "said": event.said,
            "spots": _spots_of(table, event.ply),
        }
        for event in told[-MAX_EVENTS:]
        if (text := event.to(reader))
    ]
    return {"from": first, "list": events}


def _spots_of(table: Table, ply: int) -> tuple[str, ...]:
    """Return the spots of the scene that the action of a ply touches, if its game says so."""
    if table.history.movers[ply] < 0:
        return ()
    return capabilities.spots(table.game, table.position.actions[ply])


def _last_spots(table: Table) -> tuple[str, ...]:
    """Return the spots of the last action that has some."""
    found = (_spots_of(table, ply) for ply in reversed(range(table.ply)))
    return next((spots for spots in found if spots), ())


def plies_view(texts: Iterable[PlyText], values: Sequence[Value]) -> list[dict[str, Any]]:
    """Return the texts of plies, with the moving agent's value for every player if known."""
    found = []
    for text in texts:
        value = values[text.ply] if text.ply < len(values) else None
        known = {} if value is None else {"value": [round(share, 4) for share in value]}
        found.append({**text._asdict(), **known})
    return found


def seat_view(table: Table, number: int, you: Iterable[int], here: bool) -> dict[str, Any]:
    """Return the player of a seat."""
    seat = table.seats[number]
    return {
        "seat": number,
        "name": table.game.player_name(number),
        "who": _player_name(seat, number in you),
        "called": "" if seat.gone else seat.name,
        "kind": seat.kind,
        "spec": seat.spec or None,
        "here": here or seat.kind == "agent",
        "gone": seat.gone,
    }


def _player_name(seat: Seat, is_you: bool) -> str:
    if is_you:
        return say("server.you", name=seat.name) if seat.name else "you"
    if seat.kind == "agent":
        return seat.spec if seat.gone else seat.name or seat.spec
    return "an empty seat" if seat.kind == "open" else seat.name or "a guest"


def _thinking(table: Table) -> dict[str, Any] | None:
    thinking = table.thinking
    if thinking is None:
        return None
    passed = max(0.0, round(time.time() - thinking.since, 1))  # the clock may be set back
    return {
        "seat": thinking.seat,
        "state": thinking.state,
        "step": thinking.step,
        "since": thinking.since,
        "seconds": passed,
    }


def _result(table: Table, you: frozenset[int]) -> dict[str, Any] | None:
    if table.result is None:
        return None
    payoffs, tally = table.result["payoffs"], table.result.get("tally")
    return {
        "payoffs": payoffs,
        "outcome": outcome_of(payoffs, min(you), tally) if payoffs and len(you) == 1 else None,
        "how": table.result["how"],
        "words": table.result_text(),
    }


def _clocks(table: Table) -> dict[str, Any] | None:
    clock = table.clock
    if clock is None:
        return None
    left = [
        round(clock.remaining(number), 2) if seat.is_person else None
        for number, seat in enumerate(table.seats)
    ]
    return {"kind": clock.kind, "left": left, "running": clock.running, "at": time.time()}


def _permissions(table: Table, you: frozenset[int], mine: bool, host: bool) -> dict[str, bool]:
    over = table.is_over
    return {
        "undo": bool(you) and not table.waits and undo_refusal(table, you) is None,
        "draw": table.may_offer_draw(you) and table.asks is None,
        "hint": mine and table.agreed.help,
        "analyse": over or (table.agreed.help and (mine or not table.game.hides)),
        "resign": bool(you) and not over and not table.waits,
        "now": bool(you or host) and table.thinking is not None,
        "pause": host and not over and not table.people,
        "rematch": bool(you or host) and over and table.agreed.origin == PLAYED,
        "chat": bool(you or host),
    }


def _last_value(table: Table) -> dict[str, Any] | None:
    """Return the last agent's value of its move; None while it could reveal hidden cards."""
    if table.game.hides and not table.is_over:
        return None
    history = table.history
    for ply in range(table.ply - 1, table.agreed.opening - 1, -1):
        value = history.values[ply]
        if value is not None:
            shares = [round(share, 4) for share in value]
            return {"by": history.movers[ply], "value": shares, "ply": ply}
    return None
