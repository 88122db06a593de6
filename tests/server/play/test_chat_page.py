"""Talking at a table in two browsers, alerts, and the picture of a board."""

from playwright.sync_api import expect

from tests.server.access import findings
from tests.server.play.test_play_page import set_up, turn
from tests.server.play.test_table_page import two_people
from tests.server.waiting import wait_until


def test_people_talk_mute_each_other_and_are_escaped(server, desks):
    mine, theirs = two_people(server, desks)
    for page in (mine, theirs):
        page.locator(".chat summary").click()
    mine.get_by_label("Message").fill("<i>well</i>")
    mine.get_by_role("button", name="Send").click()
    expect(theirs.locator(".chat li")).to_contain_text("<i>well</i>")
    theirs.get_by_role("button", name="Good luck").click()
    expect(mine.locator(".chat li")).to_have_count(2)
    mine.get_by_role("button", name="Mute").click()
    expect(mine.locator(".chat li")).to_have_count(1)
    assert findings(mine) == []
    spectator = desks("phone").open(mine.url)
    expect(mine.locator(".chat summary")).to_contain_text("1 looks on")
    spectator.locator(".chat summary").click()
    expect(spectator.locator(".chat li")).to_have_count(2)
    expect(spectator.get_by_label("Message")).to_have_count(0)


def test_a_turn_is_announced_by_sound_and_notification_if_wanted(server, desks):
    page = desks().open(server.url)
    page.evaluate("""() => {
      window.told = [];
      window.AudioContext = class {
        constructor() { told.push("sound"); }
      };
      window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title) { told.push(title); }
      };
    }""")
    set_up(page, "hex", {"size": "5"})
    turn(page)
    page.locator(".spot.can").first.click()
    turn(page)
    wait_until(page, lambda: page.evaluate("told") == [])  # both are off
    page.get_by_role("button", name="Help").click()
    page.get_by_text("A notification while").click()
    page.get_by_role("button", name="Close").click()
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    page.locator(".spot.can").first.click()
    wait_until(page, lambda: page.evaluate("told") == ["Your turn: Hex"])


def test_pieces_are_labelled_by_player_and_the_picture_of_a_board_is_downloaded(server, desks):
    page = desks().open(server.url)
    set_up(page, "reversi", {"size": "4"})
    turn(page)
    expect(page.locator('.spot[aria-label*="Black\'s stone"]')).to_have_count(2)
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download a picture").click()
    file = download.value
    assert file.suggested_filename == "reversi-0.png"
    assert file.path().read_bytes().startswith(b"\x89PNG")
