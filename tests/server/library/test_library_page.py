"""The library and the replay in a browser: uploads, filters, replays, new games."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from meeple.games.contract.records import GameRecord
from meeple.protocols.records import sgf
from tests.protocols.records.test_wthor import one_game
from tests.server.pictures import picture
from tests.server.waiting import wait_until

HEX = (
    "(;GM[11]SZ[5]PB[Ann Alder]PW[Bob Birch]RE[B+R];B[c3]C[right in the middle];W[d4];B[b4];W[e1])"
)
REVERSI = "(;GM[2]SZ[8]PB[Cid Cedar]PW[Dot Dogwood];B[f5];W[d6];B[c3];W[f3])"


def bring(server, text):
    """Upload games without a browser; return their ids."""
    request = urllib.request.Request(
        f"{server.url}/api/records",
        data=json.dumps({"text": text}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["ids"]


@pytest.fixture(scope="module")
def game(server):
    return bring(server, HEX)[0]


def wait_for_ply(page, text):
    """Wait until the replay shows this ply, and its board, which moves what is below."""
    page.locator(".replay-board svg").wait_for()
    page.locator(".replay-steps .numbers", has_text=re.compile(f"^{text}$")).wait_for()


def test_files_and_texts_are_added_or_refused_with_a_reason(server, desks, tmp_path):
    desk = desks()
    page = desk.open(f"{server.url}/#/library")
    page.locator(".library-list").wait_for(state="attached")

    def add(name, content):
        (tmp_path / name).write_bytes(content)
        page.set_input_files("#library-file", tmp_path / name)

    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.sgf"));
          for (const type of ["dragover", "drop"]) {
            document.querySelector("main").dispatchEvent(new DragEvent(type,
              { dataTransfer: data, bubbles: true, cancelable: true }));
          }
        }""",
        HEX,
    )
    page.get_by_text("The game was added.").wait_for()
    add("wrong.sgf", b"(;GM[11]SZ[5];B[c3];W[c3])")
    page.get_by_text("wrong.sgf: move 2, W[c3]: the rules do not allow it there").wait_for()
    add("WTH_1999.wtb", one_game(count=203))
    page.get_by_label("Add 200 games, from number").fill("202")
    page.get_by_role("button", name="Add these games").click()
    page.get_by_text("2 games were added.").wait_for()
    page.get_by_role("button", name="Paste a record").click()
    page.get_by_label("SGF, GGF, PSQ or JSON lines").fill(HEX * 3)
    page.get_by_role("button", name="Add the games").click()
    page.get_by_text("3 games were added.").wait_for()
    with page.expect_response(re.compile(r"/api/tables\?")):  # the list without a filter
        add("games.sgf", (REVERSI + HEX).encode())
    page.get_by_text("2 games were added.").last.wait_for()
    page.get_by_label("Mine only").check()
    page.get_by_text("8 games, the newest first").wait_for()
    page.get_by_label("Choose all games shown").check()
    page.get_by_label("Choose Reversi, Cid Cedar against Dot Dogwood").first.uncheck()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("1 game, the newest first").wait_for()
    page.get_by_role("link", name="Replay: Reversi, Cid Cedar against Dot Dogwood").first.click()
    page.get_by_role("heading", name="Reversi: replay").wait_for()
    wait_for_ply(page, "0 of 4")
    desk.faults.clear()  # the browser counts a refused request as an error of the page


def test_filters_find_games_are_stored_in_the_address_and_show_the_explorer(server, game, desks):
    bring(server, REVERSI.replace("Cid Cedar", "Eve Elm"))
    page = desks().open(f"{server.url}/#/library")
    page.get_by_label("Player", exact=True).fill("eve elm")
    page.get_by_role("status").filter(has_text="1 game, the newest first").wait_for()
    expect(page).to_have_url(re.compile(r"player=eve\+elm"))
    page.reload()
    page.get_by_role("status").filter(has_text="1 game, the newest first").wait_for()
    expect(page.get_by_role("region", name="Explorer")).to_have_count(0)
    page.get_by_label("Result", exact=True).select_option("other")
    page.get_by_text("No game here is like that.").wait_for()
    expect(page).to_have_url(re.compile("result=other"))
    page.get_by_label("Result", exact=True).select_option("")
    page.get_by_label("Game", exact=True).select_option("hex")
    page.get_by_text("No game here is like that.").wait_for()
    page.get_by_label("Game", exact=True).select_option("reversi")
    page.get_by_role("region", name="Explorer").get_by_role("link", name="f5").click()
    page.get_by_role("heading", name="Reversi: replay").wait_for()
    page.locator(".replay-steps .numbers", has_text=re.compile("^1 of")).wait_for()


def test_one_game_or_all_that_are_chosen_are_downloaded(server, game, desks, tmp_path):
    page = desks().open(f"{server.url}/#/library?player=ann+alder&result=first")
    page.get_by_role("link", name="Replay: Hex, Ann Alder against Bob Birch").first.wait_for()
    picture(page, "page-library")
    page.get_by_label("Choose all games shown").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as SGF").click()
    records = list(sgf.find(download.value.path().read_text()).records())
    assert {record.seats for record in records} == {("Ann Alder", "Bob Birch")}
    page.get_by_role("button", name=re.compile("^Download: Hex")).first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SGF", exact=True).click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.set_input_files("#library-file", file)
    page.get_by_text("The game was added. The filters may hide it.").wait_for()
    expect(page.get_by_label("Player", exact=True)).to_have_value("ann alder")


def test_a_replay_is_navigated_runs_and_leads_to_an_analysis_or_a_new_game(server, game, desks):
    desk, held = desks(), []
    page = desk.open(f"{server.url}/#/replay/{game}")
    wait_for_ply(page, "0 of 4")
    page.get_by_role("button", name="One move on").click()
    wait_for_ply(page, "1 of 4")
    page.get_by_text("right in the middle").wait_for()
    page.locator("main").focus()
    for key, ply in (("ArrowRight", 2), ("End", 4), ("ArrowLeft", 3)):
        page.keyboard.press(key)
        wait_for_ply(page, f"{ply} of 4")
    page.get_by_role("tab", name="Explorer").click()
    page.get_by_text("came to this position").wait_for()
    page.get_by_role("tab", name="Moves").click()
    page.locator('.replay-board [aria-label^="b4, "]:not([aria-label*="empty"])').wait_for()
    picture(page, "page-replay")
    link = page.get_by_role("link", name="Analyse from here")
    expect(link).to_have_attribute("href", f"#/analysis?table={game}&ply=3")
    page.get_by_label("Place in the game").fill("0")
    wait_for_ply(page, "0 of 4")
    page.get_by_label("Moves a second").select_option("5")
    page.get_by_role("button", name="Play by itself").click()
    wait_for_ply(page, "4 of 4")
    page.get_by_role("button", name="Play by itself").wait_for()
    page.get_by_role("button", name="d4").click()
    wait_for_ply(page, "2 of 4")
    expect(page).to_have_url(f"{server.url}/#/replay/{game}?ply=2")
    desk.context.route("**/api/scenes", lambda request: held.append(request))
    page.reload()
    play_on = page.get_by_role("button", name="Play on from here")
    expect(play_on).to_be_disabled()  # it will move when the board is drawn: a click would be lost
    wait_until(page, lambda: held)
    held.pop().continue_()
    wait_for_ply(page, "2 of 4")
    play_on.click()
    page.get_by_label("You play").select_option("all")
    page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    page.wait_for_url(re.compile("#/table/"))
    id = page.url.rpartition("/")[2]
    with urllib.request.urlopen(f"{server.url}/api/tables/{id}/record") as answer:
        record = GameRecord.from_json(answer.read().decode())
    assert (record.actions, record.payoffs) == (("c3", "d4"), None)


OPENED = "".join(
    f"(;GM[2]SZ[8]PB[{black}]PW[{white}]RE[{result}]DT[{year}];B[f5];W[d6];{moves})"
    for black, white, result, year, moves in (
        ("Eva Elder", "Fay Fir", "B+R", 1988, "B[c3];W[d3];B[c4]"),
        ("Gil Gorse", "Hal Holly", "W+R", 1984, "B[c3];W[f4]"),
        ("Ida Ivy", "Jon Juniper", "B+R", 1991, "B[c4];W[d3]"),
        ("Kim Karri", "Lee Larch", "W+T", 1979, "B[c5];W[f4];B[d7]"),
        ("Max Maple", "Ned Neem", "B+R", 1992, "B[c3];W[d3]"),
    )
)


def test_the_explorer_links_to_games_by_keyboard(server, desks):
    ids = bring(server, OPENED)
    page = desks().open(f"{server.url}/#/replay/{ids[0]}?ply=1")
    page.get_by_role("tab", name="Explorer").click()
    panel = page.get_by_role("region", name="Explorer")
    panel.get_by_role("link", name="d6: as in this game").wait_for()
    expect(panel).to_contain_text("came to this position")
    page.locator("main").focus()
    page.keyboard.press("ArrowRight")
    panel.get_by_role("link", name="c3: as in this game").wait_for()
    expect(panel.get_by_role("row")).to_have_count(4)
    picture(page, "page-explorer")
    panel.get_by_role("link", name="c5: to a game with it").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Kim Karri").first.wait_for()
    wait_for_ply(page, "3 of 5")
    expect(panel).to_be_visible()
