"""Studies in a browser: variations, comments, marks, undo, two windows, files."""

import re

import pytest
from playwright.sync_api import expect

from tests.server.access import findings
from tests.server.library.test_library_page import bring
from tests.server.pictures import picture

GAME = "(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R];B[c3]C[<b>centre</b>];W[d4];B[b4])"


@pytest.fixture(scope="module")
def game(server):
    return bring(server, GAME)[0]


def new_study(server, desk, game):
    """Save a replayed game as a study, and return its page."""
    page = desk.open(f"{server.url}/#/replay/{game}?ply=2")
    page.get_by_role("button", name="Save as study").click()
    page.get_by_label("Title").fill("Bob's <i>mistake</i>")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page).to_have_url(re.compile(r"#/study/[\w-]+\?node=2$"))
    at(page, "d4")
    return page


def cell(page, name):
    return page.locator(f'.analysis-board [aria-label^="{name},"]')


def tree(page):
    return page.locator(".study-tree")


def saved(page):
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()


def at(page, text):
    expect(tree(page).locator("[aria-current]")).to_have_text(re.compile(text))


def test_a_replay_becomes_a_tree_with_a_variation_a_comment_and_marks(server, game, desks):
    page = new_study(server, desks(), game)
    expect(page.get_by_role("heading", level=1)).to_have_text("Bob's <i>mistake</i>")
    expect(tree(page)).to_contain_text("<b>centre</b>")
    page.keyboard.press("ArrowLeft")
    at(page, "c3")
    cell(page, "b2").click()
    expect(tree(page).locator(".study-variation")).to_contain_text("b2")
    at(page, "b2")
    page.get_by_label("Comment").fill("Is this better?")
    cell(page, "a1").click(button="right")
    expect(page.locator(".analysis-board .mark")).to_have_count(1)
    page.get_by_role("button", name="Mark places").click()
    cell(page, "c3").click()
    expect(cell(page, "c3")).to_have_attribute("aria-label", re.compile("marked by a circle"))
    saved(page)
    picture(page, "page-study")
    assert findings(page) == []
    page.reload()
    at(page, "b2")
    expect(page.get_by_label("Comment")).to_have_value("Is this better?")
    expect(page.locator(".analysis-board .mark")).to_have_count(2)


def test_keys_walk_the_variations_and_changes_are_undone(server, game, desks):
    page = new_study(server, desks(), game)
    variation = tree(page).locator(".study-variation")
    undo = page.get_by_role("button", name="Undo")
    page.keyboard.press("ArrowLeft")
    at(page, "c3")
    cell(page, "b2").click()
    at(page, "b2")
    page.get_by_role("heading", level=1).click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowUp")
    at(page, "d4")
    page.keyboard.press("ArrowDown")
    at(page, "b2")
    page.get_by_role("button", name="Promote").click()
    expect(variation).to_contain_text("d4")
    undo.click()
    expect(variation).to_contain_text("b2")
    page.get_by_role("button", name="Delete from here").click()
    expect(variation).to_have_count(0)
    at(page, "c3")
    undo.click()
    expect(variation).to_contain_text("b2")
    saved(page)


def test_another_window_cannot_overwrite_and_a_reader_only_copies(server, game, desks):
    first = new_study(server, desks(), game)
    desk = desks()
    second = desk.open(first.url)
    at(second, "d4")
    first.get_by_label("Comment").fill("from the first window")
    saved(first)
    second.get_by_label("Comment").fill("from the second window")
    second.get_by_text("This study was changed elsewhere").wait_for()
    second.get_by_role("button", name="Show the newer version").click()
    expect(second.get_by_label("Comment")).to_have_value("from the first window")
    desk.faults.clear()  # the browser reports the status 409
    first.get_by_role("button", name="Share").click()
    link = first.get_by_label("Whoever opens this link reads it").input_value()
    reader = desks("phone").open(link)
    expect(reader.get_by_text("This link reads the study")).to_be_visible()
    expect(reader.get_by_label("Title")).not_to_be_editable()
    expect(reader.get_by_role("button", name="Delete study")).to_have_count(0)
    cell(reader, "b4").click()
    at(reader, "b4")
    reader.get_by_role("button", name="Save a copy").click()
    expect(reader.get_by_label("Title")).to_be_editable()
    saved(reader)
    reader.goto(f"{server.url}/#/study")
    expect(reader.locator(".study-list a")).to_have_count(2)
    expect(reader.locator(".study-list a").first).to_have_text("Bob's <i>mistake</i>")


def test_a_text_becomes_a_study_and_a_study_a_file(server, desks):
    desk = desks()
    page = desk.open(f"{server.url}/#/study/nothing")
    expect(page.get_by_text("There is no study at this address")).to_be_visible()
    desk.faults.clear()  # the browser reports the status 404
    page.goto(f"{server.url}/#/study")
    page.get_by_label("Title").fill("Pasted")
    page.get_by_label("SGF with variations").fill("(;GM[11]SZ[5];B[c3](;W[d4])(;W[b2]))")
    page.get_by_role("button", name="Make a study").click()
    expect(tree(page).locator(".study-variation")).to_contain_text("b2")
    with page.expect_download() as loading:
        page.get_by_label("Download").select_option("sgf")
    assert "(;W[b2])" in loading.value.path().read_text()
