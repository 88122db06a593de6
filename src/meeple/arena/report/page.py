"""The one-page HTML report of a tournament: self-contained, readable without a network."""

import base64
from collections.abc import Sequence
from html import escape

import numpy as np

from meeple.arena.figures.columns import cells, heads
from meeple.arena.figures.ratings import Matrix
from meeple.arena.figures.standings import Standings
from meeple.arena.report.sections import Section, table

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: #1c1c1c; background: #fff; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.settings, .notes { color: #555; } .verdict { font-size: 1.1rem; font-weight: 600; }
img { max-width: 100%; height: auto; } code { background: #f2f2f2; padding: .1rem .3rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom: 2px solid #888; }
select { max-width: 100%; } select, button { font: inherit; padding: .3rem .6rem; }
button[aria-disabled=true] { color: #767676; }
.patterns { display: flex; flex-wrap: wrap; gap: 1rem; } .patterns figure { margin: 0; }
.patterns svg { display: block; width: 9rem; height: auto; } figcaption { color: #555; }
#place { width: min(100%, 30rem); vertical-align: middle; } #words { min-height: 1.5em; }
#board svg { display: block; width: 100%; height: auto; } #board pre { overflow-x: auto; }
#board .cell { fill: #f6f1e7; stroke: #8a8171; }
#board text { text-anchor: middle; font-size: 14px; } #board .name { fill: #555; }
#board .sign { fill: #fff; font-weight: 600; } #board .tile { fill: #1c1c1c; }
#board .last { fill: none; stroke: #1c1c1c; stroke-width: 2.5; }
"""


def html_report(
    title: str,
    settings: str,
    verdict: str,
    standings: Standings,
    labels: Sequence[str],
    png: bytes | None,
    notes: Sequence[str],
    commands: Sequence[tuple[str, str]] = (),
    sections: Sequence[Section] = (),
) -> str:
    """Return the page as HTML.

    Args:
        title: the heading.
        settings: a line about the games that were played.
        verdict: the result in a sentence.
        standings: the counted games, with the ratings.
        labels: names of the agents of the standings, in their order.
        png: the picture, if there is one.
        notes: paragraphs on the method.
        commands: next steps, as (text, command line).
        sections: further sections, from `meeple.arena.report.sections`.
    """
    picture = "" if png is None else _picture(png)
    following = "".join(
        f"<li>{escape(words)}: <code>{escape(line)}</code></li>" for words, line in commands
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p class="settings">{escape(settings)}</p>
<p class="verdict">{escape(verdict)}</p>
{picture}
<h2>Ratings</h2>
{_ratings_table(standings, labels)}
<h2>Result of each against each</h2>
<p class="settings">Percentage of the points that the row won against the column.</p>
{_table_of_shares(labels, standings.matrix, labels)}
{_seats(standings, labels)}
{"".join(f"<h2>{escape(one.title)}</h2>{one.html}" for one in sections)}
<h2>How to read this</h2>
{"".join(f'<p class="notes">{escape(note)}</p>' for note in notes)}
{f"<h2>Next</h2><ul>{following}</ul>" if following else ""}
</main>
</body>
</html>
"""


def _picture(png: bytes) -> str:
    return f"""<img src="data:image/png;base64,{base64.b64encode(png).decode()}"
     alt="Ratings with intervals and results of each against each, as in the tables below.">"""


RATING_NOTE = (
    "Ratings are Bradley-Terry strengths on the Elo scale (at tables of more than two seats the "
    "first stage of Plackett-Luce), by maximum likelihood, with one drawn game against an average "
    "agent as the prior; 0 is the average of this tournament, and 400 "
    "points more are odds of 10 to 1. Their 95 % intervals are against that average; the interval "
    "of a share is Wilson's. A draw is half a point to each. In a game for one side, the agent "
    "with more points on the same deal wins."
)


def _ratings_table(standings: Standings, labels: Sequence[str]) -> str:
    figures = standings.to_json()
    rows = [[labels[agent], *cells(figures[agent])] for agent in standings.ranking()]
    return table(["agent", *heads(figures[0])], rows)


def _seats(standings: Standings, labels: Sequence[str]) -> str:
    if not standings.seat_names:
        return ""
    return f"""<h2>Seats</h2>
<p class="settings">Percentage of the win that the row took from each seat.</p>
{_table_of_shares(standings.seat_names, standings.seats, labels)}"""


def _table_of_shares(heads: Sequence[str], shares: Matrix, labels: Sequence[str]) -> str:
    """Percentages, empty where NaN."""
    rows = [
        [label, *("" if np.isnan(share) else f"{100 * share:.0f}" for share in row)]
        for label, row in zip(labels, shares, strict=True)
    ]
    return table(["agent", *heads], rows)
