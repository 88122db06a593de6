"""The tables of the page's texts: complete in every language, used, and without lost places."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple.agents.levels import NAMES
from meeple.games.contract.lessons import HasLesson
from meeple.games.contract.registry import game_class, game_names, make
from meeple.server.play.views import title
from meeple.server.settings import STATIC

SCRIPTS = STATIC / "js"
TABLES = {path.stem: path for path in (SCRIPTS / "messages").glob("*.js")}
WORD = re.compile(r"[A-Za-zè]+")
PLACE = re.compile(r"\{(\w+)\}")
STRING = re.compile(r'"([a-z]+\.[a-z_0-9]+)"')
BUILT = re.compile(r"`([a-z]+\.)(\w*)\$\{")  # an id that is put together, such as `grade.${grade}`
WORDS_IN_MARKUP = re.compile(
    r'>[ ]*[A-Z][a-z]{2,}[^<>${}`\n]*<|(?:aria-label|title|placeholder)="[A-Z][a-z]'
)
ENGLISH_VIEWS = ("training", "oht")  # and `views/training.js`


def objects(language: str) -> dict[str, dict[str, Any]]:
    """Return the exported objects of a table, `messages` and `server`."""
    text = TABLES[language].read_text()
    text = re.sub(r"^\s*//.*\n", "", text, flags=re.M)
    text = re.sub(r'"\s*\n\s*\+ "', "", text)  # a text on several lines
    text = re.sub(r'^  \[(".*")\]:', r"  \1:", text, flags=re.M)
    text = re.sub(r",(\s*\})", r"\1", text)
    found = re.findall(r"^export const (\w+) = (\{.*?^\});", text, re.M | re.S)
    return {name: json.loads(body) for name, body in found}


@pytest.fixture(scope="module")
def tables() -> dict[str, dict[str, dict[str, Any]]]:
    return {language: objects(language) for language in TABLES}


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    """The text of each module outside the tables."""
    return {
        path.relative_to(SCRIPTS).as_posix(): path.read_text()
        for path in SCRIPTS.rglob("*.js")
        if path.parent.name not in ("messages", "vendor")
    }


def forms(text: Any) -> dict[str, str]:
    return text if isinstance(text, dict) else {"": text}


def places(text: Any) -> set[str]:
    return {place for form in forms(text).values() for place in PLACE.findall(form)} - {"n"}


def test_every_id_is_in_the_table_and_every_text_is_used(tables, scripts):
    known = set(tables["en"]["messages"])
    areas = {name.partition(".")[0] for name in known}
    used = {name for text in scripts.values() for name in STRING.findall(text)}
    used = {name for name in used if name.partition(".")[0] in areas}
    built = {area + start for text in scripts.values() for area, start in BUILT.findall(text)}
    made = {name for name in known if name.startswith(tuple(built))}
    assert sorted(used - known) == []
    assert sorted(known - used - made) == []


@pytest.mark.parametrize("language", sorted(set(TABLES) - {"en"}))
def test_a_language_has_every_text_with_its_places(tables, language):
    english, other = tables["en"]["messages"], tables[language]["messages"]
    assert list(other) == list(english)
    assert [name for name in english if places(other[name]) != places(english[name])] == []
    assert [name for name, text in other.items() if set(forms(text)) not in ({""}, {"one", "other"})
            ] == []  # fmt: skip
    assert [name for name, text in other.items() if not all(forms(text).values())] == []
    server = tables[language]["server"]
    assert [text for text in server if places(text) != places(server[text])] == []


def test_all_languages_translate_the_same_texts_of_the_server(tables):
    assert list(tables["de"]["server"]) == list(tables["fr"]["server"])


def shipped_games() -> list[str]:
    """Return the games of the package; other tests load more."""
    return [
        name for name in game_names() if game_class(name).__module__.startswith("meeple.games.")
    ]


def texts_of_games() -> Iterator[str]:
    for name in shipped_games():
        game = make(name)
        yield from (title(name), game.summary)
        for key, option in game.declared.items():
            yield key.replace("_", " ")
            yield (option.allowed if option.kind == "text" else option.help).replace("`", "")
            yield from getattr(option, "choices", ())
        assert isinstance(game, HasLesson)
        lesson = game.lesson()
        yield from lesson.rules
        for step in lesson.steps:
            yield from filter(None, (step.text, step.praise, step.refusal))


def test_games_levels_options_and_lessons_are_translated(tables):
    server = tables["de"]["server"]
    patterns = [re.compile("(.+)".join(map(re.escape, PLACE.split(text)[::2]))) for text in server]
    missing = [
        text
        for text in {*NAMES, *texts_of_games()}
        if text not in server and not any(pattern.fullmatch(text) for pattern in patterns)
    ]
    assert missing == []


@pytest.mark.slow
def test_the_server_has_every_text_that_is_translated(tables):
    """Each word of a translated text stands in a string of the package."""
    strings = [
        node.value
        for folder in ("agents", "games", "server")
        for path in (Path(meeple.__file__).parent / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    titles = [title(name) for name in shipped_games()]
    known = {word for text in (*strings, *titles) for word in WORD.findall(text.lower())}
    found = {word for text in tables["de"]["server"] for word in WORD.findall(PLACE.sub("", text))}
    assert sorted(word for word in found if word.lower() not in known) == []


def test_no_view_has_words_beside_the_table(scripts):
    english = re.compile(rf"^(?:views/)?(?:{'|'.join(ENGLISH_VIEWS)})\b")
    found = {
        path: WORDS_IN_MARKUP.findall(text)
        for path, text in scripts.items()
        if not english.match(path) and WORDS_IN_MARKUP.search(text)
    }
    assert found == {}
