"""The page's modules without a view: words, fields, spots, and the order of views."""

import re
import tomllib
from pathlib import Path

import pytest

from docs.pictures import SCENES
from meeple.agents.words import in_words
from meeple.games.catan.words import names
from meeple.learn.evaluation.results import MatchPairing, PairingResult, with_even
from meeple.options import Number
from meeple.sentences import in_turn, one_of, say, sentences_in
from tests.server.waiting import wait_until

TEXTS = Path(__file__).parents[2] / "data" / "translations.toml"


@pytest.fixture(scope="module")
def page(server, browser):
    page = browser.new_page()
    page.goto(f"{server.url}/login")
    yield page
    page.close()


@pytest.fixture
def call(page):
    """Return a function that calls an exported function of a module with JSON arguments."""
    return lambda module, name, *given: page.evaluate(
        """async ([module, name, given]) =>
             (await import(`/static/js/${module}.js`))[name](...given)""",
        [module, name, given],
    )


OPTIONS = {"size": 9, "swap": True, "first": 1, "rule": "renju", "free": False, "layout": "{}"}
DEFAULTS = {"size": 7, "swap": False, "first": 1, "rule": "freestyle", "free": True}
STEPS = ["play knight", "offer wood", "offer wood", "ask ore", "propose", "end turn"]
SHARES = ((0, "0 %"), (0.004, "<1 %"), (0.5, "50 %"), (0.999, ">99 %"), (1, "100 %"), (None, ""))


@pytest.mark.parametrize(
    ("function", "given", "words"),
    [
        ("messages.versus", [["Ann", "Bob"]], "Ann against Bob"),
        ("messages.versus", [["Ann", "Casual", "Casual", "Casual"]], "Ann, 3 × Casual"),
        ("messages.versus", [["a", "b", "c"]], "a, b, c"),
        *(("messages.percent", [share], words) for share, words in SHARES),
        (
            "game_options.optionWords",
            [OPTIONS, DEFAULTS],
            "9×9, swap, rule: renju, no free, layout: {}",
        ),
        ("game_options.optionWords", [OPTIONS, None], "9×9"),
        (
            "catan/words.together",
            [STEPS],
            [
                {"words": "play knight", "end": 1},
                {"words": "offer 2 wood for 1 ore", "end": 5},
                {"words": "end turn", "end": 6},
            ],
        ),
        (
            "catan/words.together",
            [STEPS[1:5], "offer 2 wood for 1 ore (player 2)"],
            [{"words": "offer 2 wood for 1 ore (player 2)", "end": 4}],
        ),
    ],
)
def test_players_shares_options_and_offers_are_told_in_short(call, function, given, words):
    module, _, name = function.partition(".")
    assert call(module, name, *given) == words


def test_a_seat_is_called_by_its_player_if_the_name_is_unique(call):
    seats = [
        {"name": "player 1", "called": "Ann"},
        {"name": "player 2", "called": "Casual"},
        {"name": "player 3", "called": "Casual"},
        {"name": "player 4", "called": ""},
    ]
    found = [call("table/words", "playerName", {"seats": seats}, seat) for seat in range(4)]
    assert found == ["Ann", "Player 2", "Player 3", "Player 4"]
    text = "Player 1 stole a card from player 2; player 10 and player 1 win"
    assert call("table/words", "named", {"seats": seats}, text) == (
        "Ann stole a card from player 2; player 10 and Ann win"
    )
    sentence = say("catan.stole", who=names.player(0), whom=names.player(1))
    call("messages", "hear", {"sentences": sentences_in([sentence])})
    assert call("table/words", "named", {"seats": seats}, sentence) == (
        "Ann stole a card from player 2"
    )


@pytest.fixture(scope="module")
def german(server, browser):
    """Return a function that calls an exported function of `messages.js` in German."""
    with browser.new_context(locale="de-DE") as context:
        page = context.new_page()
        page.goto(f"{server.url}/login")
        yield lambda name, *given: page.evaluate(
            """async ([name, given]) =>
                 (await import("/static/js/messages.js"))[name](...given)""",
            [name, given],
        )


def told(*amounts_of):
    """Return the sentences of the players who get cards of each resource."""
    return [say("catan.gets", who=names.player(i), cards=names.amounts(n)) for i, n in amounts_of]


def land(resource, n=0):
    name = say(f"name.{resource}")
    return say("catan.land", resource=name, n=n) if n else name


RISING = PairingResult(MatchPairing("alone", "uct"), 1200, 0.41, (0.33, 0.5), 40, "rising")


SAID = [
    (names.player(2), "Spieler 3"),
    (
        in_turn(
            [
                say(
                    "catan.rolled",
                    who=names.player(0),
                    n=8,
                    what=say("text.list", all=told((0, [1, 0, 0, 0, 2]), (1, [0, 0, 1, 0, 0]))),
                ),
                say("catan.takes_road_from", who=names.player(0), whom=names.player(1)),
            ]
        ),
        "Spieler 1 hat 8 gewürfelt: Spieler 1 bekommt 1 Holz, 2 Erz, Spieler 2 bekommt 1 Wolle; "
        "Spieler 1 nimmt Spieler 2 die längste Handelsstraße ab",
    ),
    (
        say("catan.expects_pips", who=names.player(0), n=33 / 36, tiles=[land("wood", 5)]),
        "Spieler 1 erwartet 0,92 Karten pro Wurf, in Augen: Holz 5",
    ),
    (
        say(
            "gomoku.makes",
            who=say("game.player", n=1),
            threat=say("gomoku.an_open_three"),
            cells=one_of(["c4", "d5", "e6"]),
            row=say("gomoku.an_open_four"),
        ),
        "Spieler 1 hat einen offenen Dreier: c4, d5 oder e6 macht daraus einen offenen Vierer",
    ),
    (
        say("hex.between_and_if_is", one="a1", two=say("hex.side"), three="b1", four="b2"),
        "zwischen a1 und der Seite: Wird b1 besetzt, verbindet b2 sie, und umgekehrt",
    ),
    (
        say("reversi.a_disc_on_turns", cell="c4", n=2, cells=["c5", "c6"]),
        "ein Stein auf c4 dreht 2 um: c5, c6",
    ),
    (
        say("record.there_is_no_game_it", n=12000, n2=3),
        "es gibt keine Partie 12.000: Die Datei hat 3",
    ),
    (
        in_words("uct:sims=3000,loss=0.1,decisive=off"),
        "Baumsuche mit Zufallspartien, 3.000 Simulationen pro Zug; macht oft Fehler",
    ),
    (
        say("option.no_key", owner="uct", field="simz", command="sims, c"),
        "uct hat keinen Schlüssel simz; seine Schlüssel: sims, c",
    ),
    (say("text.list", all=[say("catan.turn", n=5), say("catan.turn", n=9)]), "Zug 5, Zug 9"),
    (
        say("training.wins_alone", list=[RISING.words(), with_even("9 %", 1 / 3)]),
        "Das Netz allein gewinnt 41 % von 40 Partien gegen uct (33 bis 50, steigend), 9 %; "
        "ausgeglichen wären 33 %",
    ),
    (
        Number(1.0, None, 2_500_000, "", above=0.001).allowed,
        "eine Zahl über 0,001 bis 2.500.000",
    ),
]


@pytest.mark.parametrize(("sentence", "words"), SAID)
def test_a_sentence_of_the_server_is_worded_by_its_code_and_fields(german, call, sentence, words):
    german("hear", {"sentences": sentences_in([sentence])})
    assert german("translate", sentence) == words
    assert call("messages", "translate", sentence) == sentence


@pytest.mark.parametrize(("text", "words"), tomllib.loads(TEXTS.read_text("utf-8")).items())
def test_a_text_of_the_server_is_translated_or_stays(german, text, words):
    assert german("translate", text) == words


def test_an_error_is_worded_by_its_code_and_fields(german, call):
    answer = {
        "error": "a game may have 4,000 plies, not 5,000",
        "code": "too_many_plies",
        "fields": {"most": 4000, "n": 5000},
    }
    assert german("failure", answer) == "eine Partie darf 4.000 Züge haben, nicht 5.000"
    assert call("messages", "failure", answer) == answer["error"]
    reason = say("game.illegal", name="z9", list="a1")
    german("hear", {"sentences": sentences_in([reason])})
    fields = {"number": 3, "player": "black", "reason": reason}
    assert german("failure", {"text": "…", "code": "move_refused", "fields": fields}) == (
        "Zug 3, Schwarz ist am Zug: „z9“ ist hier nicht erlaubt; erlaubt: a1"
    )
    assert german("failure", {"error": "Not Found"}) == "Not Found"


def test_a_message_has_its_places_and_its_plural_form(german, call):
    assert [german("t", "lobby.go_on", {"n": n}) for n in (1, 3)] == [
        "Eine Partie fortsetzen",
        "3 Partien fortsetzen",
    ]
    assert call("messages", "t", "lobby.go_on", {"n": 1}) == "Go on with a game"
    assert call("messages", "translate", "black") == "black"
    parts = german("rich", "trade.goods", {"give": {"a": 1}, "want": "x"})
    assert parts == ["", {"a": 1}, " für ", "x", ""]
    assert german("number", 1234.5, 1) == "1.234,5"


ISLAND = {
    "tiles": [{"resource": "ore", "number": 10}, {"resource": "desert", "number": 0}],
    "vertices": [{"tiles": [0, 1]}, {"tiles": [0]}],
    "edges": [[0, 1]],
}


SCENE = {**ISLAND, "family": "island"}
CLAUSE = say("catan.robber_goes", place=names.tile_number(0))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        (
            say("catan.built_settlement", who=names.player(0), place=names.corner(0)),
            "player 1 built a settlement at ore 10, desert",
        ),
        (
            say("catan.built_road", who=names.player(0), place=names.side(0)),
            "player 1 built a road at ore 10",
        ),
        (
            say(
                "catan.moved_robber",
                who=names.player(0),
                place=say("catan.tile", n=1, land=land("desert")),
            ),
            "player 1 moved the robber to desert",
        ),
        (say("catan.settlement", place=names.corner(0)), "settlement at ore 10, desert"),
        (say("catan.robber", place=1), "robber to desert"),
        (
            in_turn([*told((0, [0, 0, 0, 0, 1])), CLAUSE]),
            "player 1 gets 1 ore; the robber goes to ore 10",
        ),
        ("a text without a code, settlement 0", "a text without a code, settlement 0"),
    ],
)
def test_places_of_catan_are_named_by_their_tiles(call, sentence, words):
    call("messages", "hear", {"sentences": sentences_in([sentence])})
    assert call("catan/words", "said", sentence, SCENE) == words


def test_places_of_the_island_are_described_in_words_without_their_numbers(page):
    labels = page.evaluate(
        """async () => {
          const { Island } = await import("/static/js/boards/island.js");
          const source = { game: "catan", options: {}, moves: [], seed: 1 };
          const { scene, actions } = await (await fetch("/api/scenes", { method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ source, ply: 0 }) })).json();
          const island = new Island(document.body, { onAction: () => null, label: "" });
          island.update({ scene, actions });
          const nodes = [...document.querySelectorAll(".spot:not(.tile-spot)")];
          island.close();
          return nodes.map((node) => node.getAttribute("aria-label"));
        }"""
    )
    tiles = r"(?:(?:wood|brick|wool|grain|ore) \d+|desert)"
    place = rf"(?:corner|side) at {tiles}(?:, {tiles}){{0,2}}: free"
    coast = r"(?:, on the coast, (?:north|south)?(?:east|west)?)?"
    port = r"(?:, port [23]:1 for \w+)?"
    form = re.compile(rf"{place}{coast}{port}(?:, you can play here: settlement)?")
    assert [label for label in labels if not form.fullmatch(label)] == []
    assert len(labels) == 54 + 72
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("name", SCENES)
def test_boards_of_any_outline_have_their_cells_names_and_clicks(page, name):
    scene = SCENES[name].to_json()
    cells = [str(cell) for cell, place in enumerate(scene["places"]) if place]
    actions = [
        {"id": 7, "name": "first", "clicks": cells[:1], "marks": []},
        {"id": 8, "name": "two clicks", "clicks": cells[1:3], "marks": cells[1:3]},
        {"id": 999, "name": "beyond the cells", "clicks": [], "marks": []},
    ]
    found = page.evaluate(
        """async ([scene, actions]) => {
          const { Board } = await import("/static/js/boards/board.js");
          const played = [];
          const place = document.body.appendChild(document.createElement("div"));
          place.style.width = "360px";
          const board = new Board(place, { onAction: (id) => played.push(id) });
          const drawn = new Promise((resolve) => setTimeout(resolve, 50));
          await board.update({ scene, actions });
          await drawn;
          const all = (css) => [...place.querySelectorAll(css)];
          const click = (node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          for (const { clicks } of actions) {
            for (const spot of clicks) click(all(`[data-spot="${spot}"]`)[0]);
          }
          all("button.board-button").forEach((node) => node.click());
          const { width, height } = all("svg.board")[0].viewBox.baseVal;
          const inside = all(".spot, text.coordinate").every((node) => {
            const [left, top] = node.classList.contains("spot")
              ? node.getAttribute("transform").match(/[-\\d.]+/g).map(Number)
              : ["x", "y"].map((name) => Number(node.getAttribute(name)));
            return left > 0 && left < width && top > 0 && top < height;
          });
          const counts = Object.fromEntries(["coordinate", "wall", "ribbon"].map((name) =>
            [name, all(`.board .${name}`).length]));
          const result = { played, inside, counts,
            spots: all(".spot").map((one) => one.dataset.spot),
            pieces: all(".piece").filter((one) => one.childNodes.length).length,
            pictures: all("image").map((one) => one.getAttribute("href").slice(0, 26)) };
          result.label = all(".spot")[0].ariaLabel;
          const heights = actions.slice(0, 2).map(({ clicks }) =>
            all(`[data-spot="${clicks[0]}"]`)[0].transform.baseVal[0].matrix.f);
          result.turned = heights[0] !== heights[1];
          const { picture } = await import("/static/js/lobby/pictures.js");
          result.icon = picture("own", scene).querySelectorAll("path[transform]").length;
          board.close();
          place.remove();
          return result;
        }""",
        [scene, actions],
    )
    assert found["played"] == [7, 8, 999]
    assert found["inside"]
    assert sorted(found["spots"], key=int) == cells
    assert found["pieces"] == sum(map(bool, scene["pieces"]))
    edges = scene.get("edges", ())
    sides = sum("side" in edge for edge in edges)
    counts = {"coordinate": len(scene["labels"]), "wall": len(edges) - sides, "ribbon": sides}
    assert found["counts"] == counts
    assert name != "pits" or "4 seeds" in found["label"]
    assert found["icon"] == len(cells)
    assert found["turned"] == (name in ("diamond", "triangle"))  # their cells grow by 15 % or more
    assert found["pictures"] == ["data:image/svg+xml;base64,"] * (name == "squares")


@pytest.mark.parametrize(
    ("declared", "typed", "value"),
    [
        ({"kind": "integer"}, "12", 12),
        ({"kind": "integer"}, "1.5", "1.5"),
        ({"kind": "number"}, "0.2", 0.2),
        ({"kind": "number", "optional": True}, " ", None),
        ({"kind": "list"}, "0.9, 0.1", [0.9, 0.1]),
        ({"kind": "list"}, "[1]", [1]),
        ({"kind": "text"}, " a ", "a"),
        ({"kind": "flag"}, True, True),
    ],
)
def test_a_field_has_the_value_that_the_server_wants(page, declared, typed, value):
    found = page.evaluate(
        """async ([declared, typed]) => {
          const { Field } = await import("/static/js/fields.js");
          const field = new Field({ name: "a.b", ...declared }, "",
            { prefix: "x", note: "", onchange: () => null });
          field.change(typed);
          return field.value;
        }""",
        [declared, typed],
    )
    assert found == value


def test_a_map_of_recent_entries_forgets_the_oldest(page):
    assert page.evaluate(
        """async () => {
          const { Recent } = await import("/static/js/storage.js");
          const map = new Recent(2);
          for (const key of "abc") map.set(key, key);
          return [...map.keys()];
        }"""
    ) == ["b", "c"]


def test_an_answer_about_a_wait_that_is_over_is_not_shown(page):
    """It once replaced a table, which then could not be drawn any more."""
    held = []
    page.route("**/api/preparing", lambda route: held.append(route))
    page.evaluate(
        """async () => {
          const { followPreparation } = await import("/static/js/preparing.js");
          globalThis.said = [];
          globalThis.stop = followPreparation((text) => said.push(text));
        }"""
    )
    wait_until(page, lambda: held)
    said = page.evaluate("() => { stop(); return said.length; }")
    game = {"game": "nim", "done": 0, "total": 1, "step": "…"}
    with page.expect_response("**/api/preparing"):
        held[0].fulfill(json={"games": [game]})
    page.wait_for_timeout(100)
    assert len(page.evaluate("said")) == said
    page.unroute("**/api/preparing")


def test_a_wait_that_ends_with_its_first_words_asks_the_server_nothing(page):
    """Each open view once sent two requests a second."""
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.evaluate(
        """async () => {
          const { followPreparation } = await import("/static/js/preparing.js");
          const stop = followPreparation(() => stop());
          await new Promise((done) => setTimeout(done, 2000));
        }"""
    )
    assert [url for url in sent if url.endswith("/api/preparing")] == []


def test_moves_of_computers_are_shown_one_after_another(server, browser):
    page = browser.new_page()
    page.clock.install()
    page.goto(f"{server.url}/login")
    page.clock.pause_at("2030-01-01")

    def shown(*views):
        return page.evaluate(
            """async (views) => {
              if (!globalThis.queue) {
                const { Queue } = await import("/static/js/table/pace.js");
                globalThis.found = [];
                globalThis.queue = new Queue(({ ply, note }) => found.push(note ?? ply));
              }
              const seats = [{ kind: "human" }, { kind: "agent" }];
              for (const view of views) queue.receive({ seats, ...view });
              return [found, queue.waiting];
            }""",
            list(views),
        )

    page.evaluate("localStorage.setItem('meeple.pace', 'normal')")
    assert shown({"ply": 0, "to_move": 0}) == [[0], 0]
    # The person's own move is shown at once; the computer's moves wait, and all that follows them.
    views = [{"ply": 1, "to_move": 1}, {"ply": 2, "to_move": 1}, {"ply": 3, "to_move": 0}]
    assert shown(*views, {"ply": 3, "to_move": 0, "note": "clock"}) == [[0, 1], 2]
    page.clock.run_for(700)
    assert shown() == [[0, 1, 2], 1]
    page.clock.run_for(700)
    assert shown() == [[0, 1, 2, 3, "clock"], 0]
    assert shown({"ply": 4, "to_move": 1}, {"ply": 5, "to_move": 0})[1] == 1
    page.evaluate("queue.flush()")
    assert shown() == [[0, 1, 2, 3, "clock", 4, 5], 0]
    # A move that is taken back shows all that waits.
    shown({"ply": 6, "to_move": 1}, {"ply": 7, "to_move": 0})
    assert shown({"ply": 4, "to_move": 0}) == [[0, 1, 2, 3, "clock", 4, 5, 6, 7, 4], 0]
    page.evaluate("localStorage.setItem('meeple.pace', 'off')")
    assert shown({"ply": 5, "to_move": 1}, {"ply": 6, "to_move": 0})[0][-2:] == [5, 6]
    page.close()
