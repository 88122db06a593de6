"""Sections of a tournament's report after the ratings: time, faults, openings, games."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

from meeple.arena.figures.columns import cells, heads
from meeple.arena.figures.costs import Costs
from meeple.arena.figures.standings import Entry
from meeple.arena.report.replays import MAX_CHARACTERS, MAX_GAMES, replays
from meeple.errors import FAULTS

SCRIPT = Path(__file__).with_name("report.js")
MAX_OPENINGS = 60  # rows of the table


class Section(NamedTuple):
    """A section of the page: its heading, and its content as HTML."""

    title: str
    html: str


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of texts; the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    whole = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{whole}</div>'


def time_and_faults(
    labels: Sequence[str],
    costs: Sequence[Costs],
    order: Sequence[int],
    sentences: Mapping[tuple[int, str], str],
) -> list[Section]:
    """Return the section of time and simulations a move, and of games lost by failing."""
    rows = [[labels[agent], *cells(asdict(costs[agent]))] for agent in order]
    found = [Section("Time used", table(["agent", *heads(asdict(costs[0]))], rows))]
    kinds = [kind for kind in FAULTS if any(kind in one.faults for one in costs)]
    if kinds:
        failed = [
            [labels[agent], *(str(costs[agent].faults.get(kind, 0)) for kind in kinds)]
            for agent in order
            if costs[agent].faults
        ]
        words = "".join(
            f"<li>{escape(labels[agent])}, {kind}: {escape(sentence)}</li>"
            for (agent, kind), sentence in sentences.items()
        )
        under = f"{table(['games lost by failing', *kinds], failed)}<ul>{words}</ul>"
        found.append(Section("Faults", under))
    return found


def by_opening(entries: Sequence[Entry]) -> list[Section]:
    """Return the section of shares by seat and opening; empty if no game had an opening."""
    shares: defaultdict[tuple[str, ...], list[Sequence[float]]] = defaultdict(list)
    for entry in entries:
        won = entry.record.shares
        if won and len(entry.record.tally.get("sides", won)) > 1:  # a deal has no seats
            shares[entry.record.actions[: entry.record.opening]].append(won)
    if not any(shares):
        return []
    ordered = sorted(shares, key=lambda opening: (-len(shares[opening]), len(opening)))
    rows = [
        [
            ", ".join(opening) or "the bare start",
            str(len(shares[opening])),
            *(f"{100 * share:.0f}" for share in np.mean(shares[opening], axis=0)),
        ]
        for opening in ordered[:MAX_OPENINGS]
    ]
    seats = [f"seat {seat}" for seat in range(1, len(rows[0]) - 1)]
    left = len(ordered) - len(rows)
    note = f"<p>And {left} more.</p>" if left else ""
    words = '<p class="settings">Percentage of the win that each seat took.</p>'
    return [
        Section("Openings", f"{words}{table(['opening', 'games', *seats], rows)}{note}"),
    ]


def games_to_see(
    entries: Sequence[Entry], most: int = MAX_GAMES, size: int = MAX_CHARACTERS
) -> list[Section]:
    """Return the section that replays games, limited by the size of the page."""
    shown = replays(entries, most, size)
    if not shown:
        return []
    # "<" could end the element; as JSON it may be written so anywhere in a text.
    data = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    fewer = (
        f" The page has room for {len(shown)} of the {len(entries)} games, from every line-up the "
        "first ones."
        if len(shown) < len(entries)
        else ""
    )
    html = f"""<p class="settings">Choose a game, and go through it with the buttons or the keys
← and →.{fewer}</p>
<p><label for="game">Game</label> <select id="game"></select></p>
<div id="board"></div>
<p id="words" aria-live="polite"></p>
<p class="steps"><button type="button" id="first">First</button>
<button type="button" id="previous">← Previous</button>
<button type="button" id="next">Next →</button>
<button type="button" id="last">Last</button></p>
<p><label for="place">Move</label> <input type="range" id="place" min="0" value="0"></p>
<noscript><p>Replaying needs JavaScript; the games are in a file beside this page, too.</p>
</noscript>
<script type="application/json" id="games-data">{data}</script>
<script>{SCRIPT.read_text(encoding="utf-8")}</script>"""
    return [Section("Games", html)]
