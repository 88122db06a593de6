"""Catan in a browser, by clicks: a whole game, a phone, two hands on a screen."""

import json
import re
import urllib.request
from collections import Counter

import pytest
from playwright.sync_api import expect

from meeple.games.catan.rules.state import ACCEPT, ANSWER, CHOOSE, MAIN, SETTLE
from tests.server.access import findings
from tests.server.pictures import picture
from tests.server.play.settler import Settler, first_to_move
from tests.server.waiting import wait_until, wait_until_it_fits

ME, AGENT = {"kind": "me"}, {"kind": "agent", "spec": "weighted"}
SEEDS = {4716: "wins with", 4393: "discarded"}
"""Seeds of games, with words of the last line: the first is won with all events but a discard, with
which the second begins.
"""
CARDS = re.compile(r"wood|brick|wool|grain|\bore\b")
IN_A_GAME = (
    "settlement", "road", "city", "roll the dice", "end the turn", "discard", "robber", "rob",
    "offer", "trade", "counter-offer", "accept", "refuse", "bank", "buy a card", "knight",
    "monopoly", "year of plenty", "road building",
)  # fmt: skip
TOLD = (
    r"Player 1 offered 1 \w+ for 1 \w+",
    r"Player 1 traded 1 \w+ for 1 \w+ with player [23]",
    r"Player 1 made a counter-offer",
    r"Player 1 discarded \d",
    r"Player 1 built a settlement at \w+ \d+",
    r"Player 1 moved the robber to \w+ \d+",
    r"Player 1 stole 1 \w+ from player [23]",
    r"Player 1 played a knight",
    r"Player 1 bought a development card: \w+",
    r"Player [23] bought a development card\n",
    r"Player 1 .*wins with \d+ points",
)


def begin(server, seats=(ME, AGENT, AGENT), seed=1901, points=7):
    """Create a table by the API, which accepts a seed; return its id and tokens."""
    options = {"players": len(seats), "victory_points": points}
    wanted = {"game": "catan", "options": options, "seats": list(seats), "seed": seed}
    request = urllib.request.Request(
        f"{server.url}/api/tables",
        data=json.dumps(wanted).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        made = json.load(answer)
    return made["id"], made["tokens"]


@pytest.fixture
def settle(server, desks):
    """Return a function that makes a settler for each seat of "me" at a new table on one page."""
    made = []

    def make(desk=None, refusals="off", **how):
        table, tokens = begin(server, **how)
        page = (desk or desks()).open(server.url)
        frames = []
        hear = lambda frame: frames.append(frame)  # noqa: E731 - no built-in function will do
        page.on("websocket", lambda socket: socket.on("framereceived", hear))
        page.evaluate(
            """async ([table, tokens, refusals]) => {
              const { keep } = await import("/static/js/tokens.js");
              keep(table, { tokens });
              localStorage.setItem("meeple.catan.refusals", refusals);
            }""",
            [table, tokens, refusals],
        )
        page.goto(f"{server.url}/#/table/{table}")
        page.locator(".table-page").wait_for()
        settlers = [Settler(page, server.folder, table, int(seat), frames) for seat in tokens]
        made.extend(settlers)
        return settlers

    yield make
    for settler in made:
        settler.close()


def test_a_whole_game_is_played_and_won_by_clicks(settle):
    done: Counter[str] = Counter()
    told, titles = "", []
    for seed, last in SEEDS.items():
        (settler,) = settle(seed=seed)
        play_on(settler, done)
        done += settler.did
        told += log_of(settler.page, last)
        assert hands_of_others(settler.frames) == []
        if settler.position.is_over:
            heading = settler.page.locator(".result").get_by_role("heading")
            titles.append(heading.inner_text())
    assert titles == ["You win"]
    assert missing(done) == []
    for sentence in TOLD:
        assert re.search(sentence, told, re.I), sentence


def test_nobody_is_asked_for_cards_that_they_lack_or_never_give(settle):
    (settler,) = settle(refusals="on")
    page = settler.page
    refused = 0
    while refused < 3 and settler.wait():
        position = settler.position
        if position.state.phase == ANSWER and ACCEPT not in position.legal_actions():
            settler.leave_to_page()  # the page refuses by itself
            refused += 1
            continue
        page.locator(".catan.mine").wait_for()
        settler.move()
    assert refused == 3
    page.get_by_role("tab", name="Trade").click()
    page.get_by_text("Refuse without asking").click()
    for name in ("wood", "brick", "wool", "grain", "ore"):
        page.locator(".refusals").get_by_role("button", name=name, exact=True).click()
    while refused < 5 and settler.wait():
        if settler.position.state.phase == ANSWER:
            settler.leave_to_page()
            refused += 1
        else:
            page.locator(".catan.mine").wait_for()
            settler.move()
    assert refused == 5


@pytest.mark.nightly("cards of Catan fly to their owners on the page unless motion is reduced")
def test_cards_fly_to_their_owners_unless_motion_is_reduced(settle):
    (settler,) = settle()
    page = settler.page
    page.evaluate("""() => {
      window.flown = [];
      new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach(
        (node) => node.className === "flying-card" && flown.push(node))))
        .observe(document.body, { childList: true });
    }""")

    def flown():
        return page.evaluate("flown.length") > 0

    for motion in ("reduce", "no-preference"):
        page.emulate_media(reduced_motion=motion)
        rolls = settler.did["roll the dice"]
        while settler.did["roll the dice"] < rolls + 4:
            settler.move()
        wait_until(page, flown if motion != "reduce" else lambda: not flown())
    expect(page.locator(".flying-card")).to_have_count(0)


def log_of(page, last=""):
    """Return the text of the log, a panel beside the island, once it has words of its last line."""
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".moves")).to_contain_text(last)
    return page.locator(".moves").inner_text()


def missing(done):
    """Return the kinds of moves of which none was made."""
    return [what for what in IN_A_GAME if not done[what]]


def play_on(settler, done):
    """Play to the end of the game, or until no kind of move is missing, with screenshots."""
    page = settler.page
    while settler.wait() and missing(done + settler.did):
        page.locator(".catan.mine").wait_for()
        phase = settler.position.state.phase
        if phase == CHOOSE:
            picture(page, "page-catan-trade")
        elif phase == MAIN and page.locator(".spot.can").count() > 3:
            page.evaluate("scrollTo(0, 0)")
            picture(page, "page-catan")
        settler.move()


def hands_of_others(frames):
    """Return the hands of others in messages to seat 0 during the game."""
    views = [view for frame in frames if (view := json.loads(frame))["type"] == "table"]
    assert len(views) > 40
    return [
        player
        for view in views
        for seat, player in enumerate(view["scene"]["players"])
        if seat and view["status"] == "playing" and (player["hand"] or player["held"])
    ]


def test_a_turn_fits_one_screen(settle):
    """Nothing is scrolled to, and robber, discards and trades leave the island where it is."""
    (settler,) = settle()
    page = settler.page
    for turns, (width, height) in ((2, (1280, 720)), (3, (1920, 1080))):
        page.set_viewport_size({"width": width, "height": height})
        places = set()
        while settler.did["end the turn"] < turns and settler.wait():
            page.locator(".catan.mine").wait_for()
            wait_until(
                page, lambda: page.evaluate("document.documentElement.scrollHeight === innerHeight")
            )
            box = page.locator(".board.island").bounding_box()
            places.add((box["x"], box["y"], box["width"], box["height"]))
            bar = page.locator(".catan-bar").bounding_box()
            for button in page.locator(".catan-bar button").all():
                shown = button.bounding_box()
                assert shown["y"] + shown["height"] <= bar["y"] + bar["height"]
            settler.move()
        assert len(places) == 1


def test_the_first_turns_and_a_trade_fit_a_phone_and_are_accessible(settle, desks):
    (settler,) = settle(desks("phone"))
    page = settler.page
    while settler.did["end the turn"] < 2:
        settler.wait()
        page.locator(".catan.mine").wait_for()
        wait_until_it_fits(page)
        settler.move()
    assert findings(page) == []
    picture(page, "page-catan-phone")
    settler.play_to(MAIN)
    settler.press("Trade…")
    page.get_by_role("group", name="New offer").wait_for()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 1280, "height": 900})
    picture(page, "page-catan-dark")
    assert findings(page) == []


def test_the_keyboard_alone_places_pieces(settle):
    (settler,) = settle()
    page = settler.page
    page.evaluate("addEventListener('pointerdown', () => { window.pointed = true }, true)")
    settler.wait()
    for piece in ("settlement", "road"):
        page.locator('.island .spot.can[tabindex="0"]').focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".moves")).to_contain_text(f"Player 1 built a {piece}")
    wait_until(page, lambda: not page.evaluate("window.pointed"))


def test_hints_the_log_and_the_panels_of_the_first_turn(settle):
    (settler,) = settle()
    page = settler.page
    settler.play_to(SETTLE)
    settler.press("Hint")
    page.locator(".hint-panel li").first.hover()
    expect(page.locator(".island .share").first).to_have_text(re.compile(r"^\d+%$"))
    expect(page.locator(".island .ring")).to_have_count(1)
    settler.move()
    expect(page.locator(".island .share")).to_have_count(0)
    expect(page.locator(".island .ring.last")).to_have_count(1)
    names = "tiles => tiles.map(tile => tile.ariaLabel)"
    tiles = page.locator(".tile-spot").evaluate_all(names)
    assert "row" in "".join(tiles)
    assert len(set(tiles)) == len(tiles)
    line = page.locator(".moves .move").first
    line.hover()
    expect(line).to_have_text(re.compile(r"^Player 1 built a settlement at \w+ \d+"))
    expect(page.locator(".island .ring:not(.last)")).to_have_count(1)
    tabs = page.get_by_role("tab")
    page.set_viewport_size({"width": 1920, "height": 1080})  # the log is beside the other panels
    expect(tabs).to_have_text(["Trade", "Bank"])
    page.locator(".tab-panel.log").wait_for()
    page.locator(".tab-panel.trade").wait_for()
    tabs.last.click()
    page.locator(".tab-panel.bank").wait_for()
    expect(page.locator(".tab-panel.log")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(tabs).to_have_text(["Trade", "Log", "Bank"])
    expect(page.locator(".tab-panel.log")).to_be_hidden()


def test_the_page_contains_no_hand_while_the_screen_changes_players(settle):
    settlers = settle(seats=(ME, ME, AGENT))
    page = settlers[0].page
    covers, holder = 0, None
    while covers < 4:
        settler = first_to_move(settlers)
        if settler.seat != holder:
            ready = page.get_by_role("button", name=f"I am Player {settler.seat + 1}")
            ready.wait_for()
            covers, holder = covers + 1, settler.seat
            expect(page.locator(".board, .catan, .moves")).to_have_count(0)
            wait_until(page, lambda: not CARDS.search(page.locator("main").inner_html()))
            ready.click()
        page.locator(".catan.mine").wait_for()
        hand = page.get_by_role("region", name="Your hand").locator(".count")
        expect(hand).to_have_text([str(count) for count in settler.hand()])
        settler.move()
