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
from tests.server.waiting import wait_until, wait_until_it_fits

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


def test_an_uploaded_file_is_listed_and_can_be_replayed(server, desks, tmp_path):
    file = tmp_path / "games.sgf"
    file.write_text(REVERSI + HEX)
    page = desks().open(f"{server.url}/#/library")
    page.set_input_files("#library-file", file)
    page.get_by_text("2 games were added.").wait_for()
    page.get_by_role("link", name="Replay: Reversi, Cid Cedar against Dot Dogwood").first.click()
    page.get_by_role("heading", name="Reversi: replay").wait_for()
    wait_for_ply(page, "0 of 4")


def test_a_file_can_be_dropped_on_the_page(server, desks):
    page = desks().open(f"{server.url}/#/library")
    page.locator(".library-list").wait_for()
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


def test_an_invalid_file_is_refused_with_its_name_and_move(server, desks, tmp_path):
    file = tmp_path / "wrong.sgf"
    file.write_text("(;GM[11]SZ[5];B[c3];W[c3])")
    desk = desks()
    page = desk.open(f"{server.url}/#/library")
    page.set_input_files("#library-file", file)
    page.get_by_text("wrong.sgf: move 2, W[c3]: the rules do not allow it there").wait_for()
    desk.faults.clear()  # the browser counts a refused request as an error of the page


def test_a_record_can_be_pasted(server, desks):
    page = desks().open(f"{server.url}/#/library")
    page.get_by_role("button", name="Paste a record").click()
    page.get_by_label("SGF, GGF, PSQ or JSON lines").fill(HEX)
    page.get_by_role("button", name="Add the games").click()
    page.get_by_text("The game was added.").wait_for()


def test_filters_find_a_game_and_are_stored_in_the_address(server, game, desks):
    bring(server, REVERSI.replace("Cid Cedar", "Eve Elm"))
    page = desks().open(f"{server.url}/#/library")
    page.get_by_label("Player", exact=True).fill("eve elm")
    page.get_by_role("status").filter(has_text="1 game, the newest first").wait_for()
    expect(page).to_have_url(re.compile(r"player=eve\+elm"))
    page.reload()
    page.get_by_role("status").filter(has_text="1 game, the newest first").wait_for()
    page.get_by_label("Game", exact=True).select_option("hex")
    page.get_by_text("No game here is like that.").wait_for()


def test_games_are_filtered_by_winner(server, game, desks):
    page = desks().open(f"{server.url}/#/library?player=ann+alder")
    found = page.get_by_role("link", name="Replay: Hex, Ann Alder against Bob Birch")
    found.first.wait_for()
    picture(page, "page-library")
    page.get_by_label("Result", exact=True).select_option("other")
    page.get_by_text("No game here is like that.").wait_for()
    page.get_by_label("Result", exact=True).select_option("first")
    found.first.wait_for()
    expect(page).to_have_url(re.compile("result=first"))


def test_a_downloaded_file_can_be_uploaded_again(server, game, desks, tmp_path):
    page = desks().open(f"{server.url}/#/library?player=ann+alder")
    page.get_by_role("button", name=re.compile("^Download: Hex")).first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SGF", exact=True).click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.set_input_files("#library-file", file)
    page.get_by_text("The game was added.").wait_for()


def test_selected_games_are_downloaded_as_one_file(server, game, desks):
    page = desks().open(f"{server.url}/#/library?player=ann+alder")
    page.get_by_label("Choose all games shown").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as SGF").click()
    records = list(sgf.find(download.value.path().read_text()).records())
    assert {record.seats for record in records} == {("Ann Alder", "Bob Birch")}


def test_a_replay_is_navigated_by_buttons_keys_and_the_list(server, game, desks):
    page = desks().open(f"{server.url}/#/replay/{game}")
    wait_for_ply(page, "0 of 4")
    page.get_by_role("button", name="One move on").click()
    wait_for_ply(page, "1 of 4")
    page.get_by_text("right in the middle").wait_for()
    page.locator("main").focus()
    page.keyboard.press("ArrowRight")
    wait_for_ply(page, "2 of 4")
    page.keyboard.press("End")
    wait_for_ply(page, "4 of 4")
    page.keyboard.press("ArrowLeft")
    wait_for_ply(page, "3 of 4")
    page.get_by_role("button", name="d4").click()
    wait_for_ply(page, "2 of 4")
    for cell in ("c3", "d4"):
        stone = page.locator(f'.replay-board [aria-label^="{cell}, "]:not([aria-label*="empty"])')
        stone.wait_for()
    expect(page).to_have_url(f"{server.url}/#/replay/{game}?ply=2")
    page.get_by_label("Place in the game").fill("0")
    wait_for_ply(page, "0 of 4")


def test_a_replay_runs_automatically_to_the_end(server, game, desks):
    page = desks().open(f"{server.url}/#/replay/{game}?ply=2")
    wait_for_ply(page, "2 of 4")
    page.get_by_label("Moves a second").select_option("5")
    page.get_by_role("button", name="Play by itself").click()
    wait_for_ply(page, "4 of 4")
    page.get_by_role("button", name="Play by itself").wait_for()


def test_a_replay_links_to_the_analysis_of_the_same_position(server, game, desks):
    page = desks().open(f"{server.url}/#/replay/{game}?ply=3")
    wait_for_ply(page, "3 of 4")
    page.get_by_text("came to this position").wait_for()
    page.locator('.replay-board [aria-label^="b4, "]:not([aria-label*="empty"])').wait_for()
    picture(page, "page-replay")
    link = page.get_by_role("link", name="Analyse from here")
    expect(link).to_have_attribute("href", f"#/analysis?table={game}&ply=3")


def test_a_new_game_can_start_from_a_replay(server, game, desks):
    desk, held = desks(), []
    desk.context.route("**/api/scenes", lambda request: held.append(request))
    page = desk.open(f"{server.url}/#/replay/{game}?ply=2")
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
    assert record.actions == ("c3", "d4")
    assert record.payoffs is None


@pytest.mark.parametrize("path", ["library", "replay"])
def test_no_view_is_wider_than_a_phone(server, game, desks, path):
    page = desks("phone", dark=True).open(
        f"{server.url}/#/{path}" + (f"/{game}?ply=3" if path == "replay" else "")
    )
    page.locator(".replay-board svg, .library-table").first.wait_for()
    wait_until_it_fits(page)


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
    panel = page.get_by_role("region", name="Explorer")
    panel.get_by_role("link", name="d6: as in this game").wait_for()
    expect(panel).to_contain_text("came to this position")
    page.keyboard.press("ArrowRight")
    panel.get_by_role("link", name="c3: as in this game").wait_for()
    expect(panel.get_by_role("row")).to_have_count(4)
    picture(page, "page-explorer")
    panel.get_by_role("link", name="c5: to a game with it").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Kim Karri").first.wait_for()
    wait_for_ply(page, "3 of 5")


def test_the_library_shows_the_explorer_once_a_game_is_selected(server, desks):
    bring(server, REVERSI)
    page = desks().open(f"{server.url}/#/library")
    expect(page.get_by_role("region", name="Explorer")).to_have_count(0)
    page.get_by_label("Game", exact=True).select_option("reversi")
    panel = page.get_by_role("region", name="Explorer")
    panel.get_by_role("link", name="f5").click()
    page.get_by_role("heading", name="Reversi: replay").wait_for()
    page.locator(".replay-steps .numbers", has_text=re.compile("^1 of")).wait_for()


def test_part_of_a_binary_file_over_the_limit_can_be_selected(server, desks, tmp_path):
    file = tmp_path / "WTH_1999.wtb"
    file.write_bytes(one_game(count=203))
    desk = desks()
    page = desk.open(f"{server.url}/#/library")
    page.set_input_files("#library-file", file)
    page.get_by_label("Add 200 games, from number").fill("202")
    page.get_by_role("button", name="Add these games").click()
    page.get_by_text("2 games were added.").wait_for()
    desk.faults.clear()  # the browser counts a refused request as an error of the page
