"""A small plug-in with a page, routes and a board for Nim, for tests."""

MODULE = """
from pathlib import Path
from typing import Annotated
from fastapi import APIRouter
from meeple.server.errors import Conflict
from meeple.server.pages import Page
from meeple.server.resources import Resources
from meeple.server.web.json_limits import takes
from meeple.server.web.requests import part
from meeple.server.web.schemas import Strict

router = APIRouter()

class Words(Strict):
    words: str

@router.get("/words")
def words(resources: Annotated[Resources, part(Resources)]) -> Words:
    return Words(words=f"{resources.limits.max_headers} toys")

@router.post("/words")
def store(given: Words) -> Words:
    raise Conflict(f"there are {given.words} already")

@router.post("/texts/{name}")
@takes("game_json")
def length(name: str, given: Words) -> int:
    return len(given.words)

PAGE = Page(Path(__file__).parent / "static", "page.js", {"en": "Toys", "de": "Spielzeug"},
            style="toy.css", boards={"nim": "board.js"}, router=router)
"""

FILES = {
    "page.js": """
import { get } from "../../js/api.js";
import { t } from "../../js/messages.js";
import { html, render } from "../../js/view.js";

export async function show(root) {
  const { words } = await get("/api/plugins/toy/words");
  render(html`<h1 class="toy">${t("toy.heading", { words })}</h1>`, root);
}
""",
    "board.js": """
import { h } from "../../js/view.js";

export function makeBoard(container, { onAction, label }) {
  const root = h("div", { class: "toy", role: "group", "aria-label": label });
  container.append(root);
  return {
    update({ scene, actions }) {
      const stones = scene.rows[0].cells.length;
      if (stones < 5) throw new Error("too few stones for this board");
      root.replaceChildren(`${stones} toys`, ...actions.map(({ id, name }) =>
        h("button", { type: "button", onclick: () => onAction(id) }, `toy: ${name}`)));
    },
    close: () => root.remove(),
  };
}
""",
    "toy.css": ".toy { color: rgb(200, 0, 0) }",
    "languages/en/toy.json": '{"toy.heading": "Here are {words}"}',
    "languages/de/toy.json": '{"toy.heading": "Hier: {words}"}',
}


def write_files(folder):
    """Write the static files of the plug-in that `plug_in_package` installs in a folder."""
    for name, text in FILES.items():
        path = folder / "meeple-toys" / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
