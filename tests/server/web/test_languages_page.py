"""The page in German and French: no English text of the table is left, and every view fits."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from tests.server.conftest import LiveServer
from tests.server.library.test_library_page import HEX, bring
from tests.server.pictures import picture
from tests.server.play.test_play_page import stones
from tests.server.waiting import wait_until_it_fits
from tests.server.web.test_messages import PLACE, forms, texts_of

PHONE = (360, 740)
VIEWS = ("", "learn/hex", "analysis", "puzzles", "library", "study", "training", "training/+new")
SHOWN = """() => [...document.querySelectorAll("body *:not(code)")]
  .filter((node) => node.checkVisibility())
  .flatMap((node) => [...[...node.childNodes].filter(({ nodeType }) => nodeType === 3)
    .map(({ textContent }) => textContent), node.getAttribute("aria-label"), node.title])
  .map((text) => typeof text === "string" ? text.trim() : "").filter(Boolean)"""

BEGIN = """async () => {
  const { post } = await import("/static/js/api.js");
  const { keep } = await import("/static/js/tokens.js");
  const seats = [{ kind: "me" }, { kind: "agent", spec: "random" }];
  const { id, tokens } = await post("/api/tables", { game: "hex", options: { size: 5 }, seats });
  keep(id, { tokens });
  return id;
}"""


def english_texts():
    """Return a pattern of the English texts that are no German ones."""
    english, german = (
        {form.strip() for text in texts_of(name).values() for form in forms(text).values()}
        for name in ("en", "de")
    )
    texts = [text for text in english - german if re.search("[a-z]{2}", PLACE.sub("", text))]
    parts = ["(.+)".join(map(re.escape, PLACE.split(text)[::2])) for text in texts]
    return re.compile("|".join(parts))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Return a server without games of other tests: names in their records are in any language."""
    folder = tmp_path_factory.mktemp("served")
    server = LiveServer(folder, "--workers", "1", "--runs", str(folder / "runs"))
    yield server
    server.stop()


@pytest.fixture
def open_in(desks, server):
    def open_page(language):
        page = desks().open(f"{server.url}/login")
        page.evaluate("language => localStorage.setItem('meeple.language', language)", language)
        page.goto(f"{server.url}/#/")
        return page

    return open_page


def test_a_game_in_german_shows_no_english_text(open_in):
    page = open_in("de")
    english = english_texts()

    def check():
        left = [text for text in page.evaluate(SHOWN) if english.fullmatch(text)]
        assert left == []

    expect(page.get_by_role("heading", name="Was spielen wir?")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator('input[value="hex"]').check(force=True)
    page.get_by_label("Größe").fill("3")
    page.get_by_text("Wer beginnt", exact=True).wait_for()
    check()
    picture(page, "page-german")
    page.get_by_role("button", name="Starten").click()
    for turn in itertools.count():
        page.locator(".turn.mine, .result").first.wait_for()
        if page.locator(".result").count():
            break
        if turn == 1:
            check()
        count = stones(page).count()
        page.locator(".spot.can").first.click()
        expect(stones(page)).not_to_have_count(count)
    expect(page.locator(".result")).to_contain_text(re.compile("Du hast (gewonnen|verloren)"))
    check()


def test_another_language_is_chosen_in_the_header_and_kept(open_in):
    page = open_in("en")
    page.get_by_label("Language").select_option("Français")
    expect(page.get_by_role("heading", name="À quoi joue-t-on ?")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Langue")).to_have_value("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_a_page_loads_the_first_language_of_the_browser_and_no_other(browser, server):
    with browser.new_context(locale="de-AT") as context:
        page = context.new_page()
        page.goto(server.url)
        expect(page.get_by_role("heading", name="Was spielen wir?")).to_be_visible()
    with browser.new_context() as context:
        page = context.new_page()
        loaded = []
        page.on("request", lambda request: loaded.append(request.url))
        page.goto(server.url)
        expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
        assert [url for url in loaded if "/languages/" in url and "/en/" not in url] == []


@pytest.mark.parametrize(
    ("language", "size"), [("de", (1280, 720)), ("de", PHONE), ("fr", PHONE), ("en", PHONE)]
)
def test_every_view_fits_in_every_language(open_in, server, language, size):
    page = open_in(language)
    english = english_texts()
    table, (replay,) = page.evaluate(BEGIN), bring(server, HEX)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for view in (*VIEWS, f"table/{table}", f"replay/{replay}?ply=3"):
        page.goto(f"{server.url}/#/{view}")
        page.locator("main h1").first.wait_for()
        wait_until_it_fits(page)
        left = [text for text in page.evaluate(SHOWN) if english.fullmatch(text)]
        assert language != "de" or left == []
