"""Measure how soon the page is ready on a slow connection: `python -m bench.page_speed`.

Starts `meeple serve` in a temporary folder and opens the lobby, a table of Hex and a table of Catan
in Chromium, each with an empty cache and then once more with a filled one. `--latency` and `--mbit`
are the round trip and the download rate that Chromium imitates, `--slower` the factor by which it
slows its processor down. Needs `pip install '.[test]'` and Chromium.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from dataclasses import asdict, dataclass
from typing import Any

from playwright.sync_api import Page, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
AGENT = {"kind": "agent", "spec": "random"}
# What is opened: the request for a table, and the element that shows it is ready.
PLACES: dict[str, tuple[dict[str, Any] | None, str]] = {
    "lobby": (None, ".view-lobby button.primary"),
    "table of Hex": (
        {"game": "hex", "options": {}, "seats": [{"kind": "me"}, AGENT]},
        ".board .mine, .board svg, svg.board",
    ),
    "table of Catan": (
        {"game": "catan", "options": {}, "seats": [{"kind": "me"}, AGENT, AGENT, AGENT]},
        ".board.island",
    ),
}
LONG_TASKS = """() => { window.longest = 0; new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({ type: "longtask", buffered: true }); }"""
PAINT = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN'


@dataclass
class Opening:
    """One opening of a place; times in milliseconds since the navigation began."""

    place: str
    cache: str
    requests: int
    kilobytes: float
    first_paint: float
    ready: float
    longest_task: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--latency", type=float, default=100.0, help="milliseconds a round trip")
    parser.add_argument("--mbit", type=float, default=1.6, help="megabits a second, downwards")
    parser.add_argument("--slower", type=float, default=1.0, help="factor of the processor's time")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "meeple", "serve", "--port", "0", "--data", folder],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1].rstrip("/")
            openings = _measured(url, arguments)
        finally:
            server.terminate()
            server.wait()
    if arguments.json:
        print(json.dumps([asdict(opening) for opening in openings], indent=1))
        return
    print("| place | cache | requests | kB | first paint | ready | longest task |")
    print("|---|---|---|---|---|---|---|")
    for it in openings:
        print(
            f"| {it.place} | {it.cache} | {it.requests} | {it.kilobytes:.0f} "
            f"| {it.first_paint:.0f} ms | {it.ready:.0f} ms | {it.longest_task:.0f} ms |"
        )


def _measured(url: str, arguments: argparse.Namespace) -> list[Opening]:
    openings = []
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=sandbox)
        for place, (table, ready) in PLACES.items():
            context = browser.new_context(viewport={"width": 1280, "height": 720})
            page = context.new_page()
            address = url
            if table is not None:
                address = f"{url}/#/table/{_made(page, url, table)}"
            openings += [
                _opened(page, address, ready, arguments, place, cache)
                for cache in ("empty", "filled")
            ]
            context.close()
        browser.close()
    return openings


def _made(page: Page, url: str, table: dict[str, Any]) -> str:
    """Make a table, and let the browser keep the tokens of its seats."""
    request = urllib.request.Request(
        f"{url}/api/tables", json.dumps(table).encode(), {"Content-Type": "application/json"}
    )
    made = json.load(urllib.request.urlopen(request))
    page.goto(f"{url}/login")
    page.evaluate(
        """async ([id, tokens]) => {
          const { keep } = await import("/static/js/tokens.js");
          keep(id, { tokens });
        }""",
        [made["id"], made["tokens"]],
    )
    return str(made["id"])


def _opened(
    page: Page, address: str, ready: str, arguments: argparse.Namespace, place: str, cache: str
) -> Opening:
    """Open an address under the imitated connection."""
    page.goto("about:blank")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    if cache == "empty":
        session.send("Network.clearBrowserCache")
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": arguments.latency,
            "downloadThroughput": arguments.mbit * 1e6 / 8,
            "uploadThroughput": arguments.mbit * 1e6 / 8,
        },
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": arguments.slower})
    loaded: list[float] = []
    session.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    page.add_init_script(f"({LONG_TASKS})()")
    page.goto(address, wait_until="commit")
    page.wait_for_selector(ready)
    done = page.evaluate("performance.now()")
    page.wait_for_timeout(1000)
    opening = Opening(
        place,
        cache,
        requests=sum(length > 0 for length in loaded),
        kilobytes=sum(loaded) / 1000,
        first_paint=page.evaluate(PAINT),
        ready=done,
        longest_task=page.evaluate("window.longest"),
    )
    session.detach()
    return opening


if __name__ == "__main__":
    main()
