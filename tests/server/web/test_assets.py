"""The files of a page: cached for good, compressed, with the modules of each view named."""

import json
import re

import pytest

from meeple.server.settings import STATIC
from meeple.server.web.assets import Assets

PAGE = """<html><head>
  <link rel="stylesheet" href="/static/css/one.css">
  <link rel="stylesheet" href="/static/css/two.css">
  <script src="/static/js/early.js"></script>
  <script type="module" src="/static/js/main.js"></script>
</head></html>"""
FILES = {
    "index.html": PAGE,
    "css/one.css": "p { color: red }" * 20,
    "css/two.css": "a { color: blue }",
    "js/early.js": "",
    "js/main.js": 'import { a } from "./a.js";\nimport(`./views/${a}.js`);\n',
    "js/a.js": 'export { b } from "./deep/b.js";\n',
    "js/deep/b.js": 'import {\n  c,\n} from "../a.js";\nexport const text = "./none.js";\n'
    'export function find() {\n  return document.querySelector(".x");\n}\n',
    "js/views/table.js": 'import { a } from "../a.js";\nimport { d } from "../d.js";\n',
    "js/d.js": "export const d = 1;\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def page_of(assets):
    return assets.page("index.html").body.decode()


def test_a_page_names_its_modules_and_those_that_each_view_adds(folder):
    assets = Assets(folder)
    page = page_of(assets)
    loaded = re.findall(r'modulepreload" href="([^"]+)"', page)
    at = assets.address
    assert loaded == [f"{at}/js/main.js", f"{at}/js/a.js", f"{at}/js/deep/b.js"]
    (views,) = re.findall(r'id="modules">(.*)</script>', page)
    assert json.loads(views) == {"table": [f"{at}/js/views/table.js", f"{at}/js/d.js"]}


def test_a_page_has_one_style_sheet_with_all_in_order(folder):
    page = page_of(Assets(folder))
    assert page.count("stylesheet") == 1
    assert "css/index-page.css" in page
    assert "/static/" not in page


@pytest.mark.parametrize("name", [name for name in FILES if name != "index.html"])
def test_another_content_has_another_address(folder, name):
    before = Assets(folder).address
    assert Assets(folder).address == before
    (folder / name).write_text(FILES[name] + "\n")
    assert Assets(folder).address != before


def test_a_file_is_sent_compressed_to_a_browser_that_accepts_it(client):
    assets = Assets(STATIC)
    path = f"{assets.address}/js/main.js"
    packed = client.get(path, headers={"accept-encoding": "gzip, br"})
    plain = client.get(path, headers={"accept-encoding": "identity"})
    source = (STATIC / "js" / "main.js").read_bytes()
    assert packed.content == plain.content == source
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert int(packed.headers["content-length"]) < len(source) / 2
    assert "javascript" in plain.headers["content-type"]
    for answer in (packed, plain):
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "Accept-Encoding"


def test_the_style_sheet_of_the_page_has_those_of_all_its_parts(client):
    assets = Assets(STATIC)
    sheet = client.get(f"{assets.address}/css/index-page.css").text
    named = re.findall(r'stylesheet" href="/static/([^"]+)"', (STATIC / "index.html").read_text())
    assert len(named) > 1
    assert sheet == "\n".join((STATIC / name).read_text() for name in named)


@pytest.mark.parametrize("name", ["js/none.js", "../limits.py", "css", ""])
def test_a_file_that_does_not_exist_is_not_cached(client, name):
    answer = client.get(f"{Assets(STATIC).address}/{name}")
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"
