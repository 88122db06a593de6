"""The languages of the page: complete, used, and without lost places."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple import sentences
from meeple.agents.kinds import AGENTS
from meeple.agents.levels import NAMES
from meeple.errors import ConfigError
from meeple.games.catan.words import menus
from meeple.games.contract.lessons import HasLesson
from meeple.games.contract.registry import game_class, game_names, make
from meeple.server.play.views import title
from meeple.server.settings import STATIC
from meeple.server.training import form
from meeple.server.training.figures import FIGURES
from tests.roots import ROOT

STATICS = (STATIC, *sorted(ROOT.glob("plugins/*/src/*/*/static")))
FOLDERS = (sentences.LANGUAGES, *(one / "languages" for one in STATICS[1:]))
SERVERS = ("errors", "server", "declared", "english", "english_training")
"""The files with what the server says."""
LANGUAGES = sorted(path.name for path in sentences.LANGUAGES.iterdir())
WORD = re.compile(r"[A-Za-zè]+")
SERVER = Path(meeple.__file__).parent / "server"
FIELD = re.compile(r"\{(\w+)")
BUILT_CODES = ("train_busy", "topp_busy")  # the kind of a process is put in
PLACE = re.compile(r"\{(\w+)\}")
STRING = re.compile(r'"([a-z]+\.[a-z_0-9]+)"')
CODE = re.compile(r"[a-z]+\.[a-z_]*$")  # of a sentence
BUILT = re.compile(r"`([a-z]+\.)(\w*)\$\{")  # an id that is put together, such as `grade.${grade}`
WORDS_IN_MARKUP = re.compile(
    r'>[ ]*[A-Z][a-z]{2,}[^<>${}`\n]*<|(?:aria-label|title|placeholder)="[A-Z][a-z]'
)


def texts_of(language: str, *files: str) -> dict[str, Any]:
    """Return the texts of a language in some of its files; in all but the server's without any."""
    found = files_of(language)
    return {
        code: text
        for name in sorted(files or found.keys() - SERVERS)
        for code, text in json.loads(found[name].read_text("utf-8")).items()
    }


def files_of(language: str) -> dict[str, Path]:
    """Return the files of a language by their names, also those of plug-ins."""
    paths = [path for one in FOLDERS for path in (one / language).iterdir()]
    return {path.stem: path for path in paths}


def server_texts(language: str) -> dict[str, Any]:
    return texts_of(language, *SERVERS[3:])


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    """The text of each module."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for folder in STATICS
        for path in folder.rglob("*.js")
        if "vendor" not in path.parts
    }


def forms(text: Any) -> dict[str, str]:
    return text if isinstance(text, dict) else {"": text}


def places(text: Any) -> set[str]:
    return {place for form in forms(text).values() for place in PLACE.findall(form)} - {"n"}


def test_every_id_has_a_text_and_every_text_is_used(scripts):
    known = set(texts_of("en")) - {"language.name"}
    areas = {name.partition(".")[0] for name in known}
    used = {name for text in scripts.values() for name in STRING.findall(text)}
    used = {name for name in used if name.partition(".")[0] in areas}
    built = {area + start for text in scripts.values() for area, start in BUILT.findall(text)}
    made = {name for name in known if name.startswith(tuple(built))}
    assert sorted(used - known - set(texts_of("en", "server"))) == []
    assert sorted(known - used - made) == []


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_a_language_has_every_text_with_its_places(language):
    assert files_of(language).keys() == files_of("de").keys()
    english, other = texts_of("en"), texts_of(language)
    assert list(other) == list(english)
    assert [name for name in english if places(other[name]) != places(english[name])] == []
    assert [name for name, text in other.items() if set(forms(text)) not in ({""}, {"one", "other"})
            ] == []  # fmt: skip
    assert [name for name, text in other.items() if not all(forms(text).values())] == []
    server = server_texts(language)
    assert [text for text in server if places(text) != places(server[text])] == []


def test_all_languages_translate_the_same_texts_of_the_server():
    assert list(server_texts("de")) == list(server_texts("fr"))


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_a_language_has_every_sentence_of_the_server_with_its_fields(language):
    english, other = texts_of("en", "server"), texts_of(language, "server")
    assert list(other) == list(english)
    fields = {code: set(FIELD.findall(text)) for code, text in english.items()}
    assert [code for code in other if set(FIELD.findall(other[code])) != fields[code]] == []


def codes_of_say() -> Iterator[str]:
    """Return the codes with which modules call `say`; "catan.takes_" for "catan.takes_{name}"."""
    for path in Path(meeple.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="say"), args=[code]):
                    for part in ast.walk(code):
                        if isinstance(part, ast.Constant) and "." in str(part.value):
                            yield str(part.value)
                case ast.Assign(targets=[ast.Name(id="code")], value=value):
                    yield from (
                        one.value
                        for one in ast.walk(value)
                        if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    )


def test_every_code_of_a_sentence_is_said_and_has_a_text(scripts):
    known, said = set(texts_of("en", "server")), set(codes_of_say())
    begun = tuple(code for code in said if code not in known and CODE.match(code))
    assert [code for code in begun if not any(one.startswith(code) for one in known)] == []
    page = "".join(scripts.values())
    unused = [
        code
        for code in known - said
        if not code.startswith(("name.", *begun))
        and f'"{code}"' not in page
        and f"{code.removesuffix('_at')}" not in said
    ]
    assert unused == []


def shipped_games() -> list[str]:
    """Return the games of the package; other tests load more."""
    return [
        name for name in game_names() if game_class(name).__module__.startswith("meeple.games.")
    ]


def declared_texts() -> Iterator[tuple[str, str]]:
    """Return the texts that belong to a thing with a name, by codes made of the name."""
    for name in shipped_games():
        game = make(name)
        yield f"summary.{name}", game.summary
        for key, option in game.declared.items():
            yield f"option.{name}.{key}", option.help
            if option.kind == "text":
                yield f"allowed.{name}.{key}", option.allowed
        assert isinstance(game, HasLesson)
        lesson = game.lesson()
        yield from ((f"rules.{name}.{at}", text) for at, text in enumerate(lesson.rules))
        for at, step in enumerate(lesson.steps):
            yield f"lesson.{name}.{at}", step.text
            if step.praise:
                yield f"lesson.{name}.{at}.praise", step.praise
            if step.refusal:
                yield f"lesson.{name}.{at}.refusal", step.refusal
    yield from ((f"agent.{name}", kind.help) for name, kind in AGENTS.items())
    for name, figure in FIGURES.items():
        yield from ((f"figure.{name}", figure.title), (f"figure.{name}.words", figure.words))
    for section in form.sections():
        yield f"section.{section.name}", section.help
        yield from ((f"config.{field.name}", field.help) for field in section.fields)
    yield from ((f"configuration.{config.name}", config.words) for config in form.forms())


def names_of_games() -> Iterator[str]:
    for name in shipped_games():
        yield title(name)
        for key, option in make(name).declared.items():
            yield from (key.replace("_", " "), *getattr(option, "choices", ()))


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_a_language_has_the_texts_of_all_things_with_names(language):
    """English has no such file: the texts are where the things are declared."""
    found, codes = texts_of(language, "declared"), dict(declared_texts())
    assert list(found) == sorted(found)
    assert codes.keys() - found.keys() == set()
    assert found.keys() - codes.keys() <= {f"agent.{name}" for name in agents_of_plug_ins()}


def agents_of_plug_ins() -> set[str]:
    """Return the names of the agents of this repository's plug-ins, installed or not."""
    projects = [
        tomllib.loads(path.read_text("utf-8"))["project"] for path in ROOT.glob("plugins/*/*.toml")
    ]
    points = [project.get("entry-points", {}) for project in projects]
    return {name for one in points for name in one.get("meeple.agents", {})}


def untranslated(texts: set[str], server: Mapping[str, str]) -> list[str]:
    """Return the texts that neither stand in a table nor fit a pattern with words of it."""
    patterns = [
        re.compile("(.+)".join(map(re.escape, PLACE.split(text)[::2])))
        for text in server
        if re.search("[a-z]{2}", PLACE.sub("", text))
    ]
    return [
        text
        for text in texts
        if text not in server
        and f"name.{text.replace(' ', '_')}" not in texts_of("en", "server")
        and not any(pattern.fullmatch(text) for pattern in patterns)
    ]


def test_games_levels_and_options_have_names():
    assert (
        untranslated({*NAMES, *names_of_games(), *menus._TITLES.values()}, server_texts("de")) == []
    )


@pytest.mark.slow
def test_the_server_has_every_text_that_is_translated():
    """Each word of a translated text stands in a string of the package."""
    folders = ("agents", "arena", "games", "learn", "nets", "protocols", "server")
    package = Path(meeple.__file__).parent
    files = [path for folder in folders for path in (package / folder).rglob("*.py")]
    strings = [
        node.value
        for path in (package / "options.py", *files)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    titles = [title(name) for name in shipped_games()]
    configs = [config.words for config in form.forms()]
    known = {word for text in (*strings, *titles, *configs) for word in WORD.findall(text.lower())}
    found = {word for text in server_texts("de") for word in WORD.findall(PLACE.sub("", text))}
    assert sorted(word for word in found if word.lower() not in known) == []


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_error_of_the_server_is_translated_with_its_fields(language):
    english, errors = texts_of("en", "errors"), texts_of(language, "errors")
    assert list(errors) == sorted(english)
    fields = {code: set(FIELD.findall(words)) for code, words in english.items()}
    assert [code for code in errors if set(PLACE.findall(errors[code])) != fields[code]] == []


def test_every_code_of_an_error_is_used():
    text = "".join(path.read_text() for path in SERVER.rglob("*.py"))
    codes = texts_of("en", "errors")
    assert [code for code in codes if f'"{code}"' not in text and code not in BUILT_CODES] == []


def texts_of_training() -> Iterator[str]:
    for section in form.sections():
        yield section.name
        for field in section.fields:
            yield field.name.split(".")[-1].replace("_", " ")
            if field.kind not in ("flag", "choice"):
                yield field.allowed
    yield from ("The network alone wins 41 % of 40 games against uct:sims=100 (33 to 50, rising).",)


@pytest.mark.slow
def test_training_is_translated():
    missing = untranslated({*texts_of_training()}, server_texts("de"))
    assert missing == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "changes"),
    [
        ("hex3", {"run.episodes": 0}),
        ("tictactoe", {"network.critic": False}),
        ("hex3", {"training.momentum": 0.9}),
        ("hex3", {"search.simulations": [[1, 5]]}),
        ("hex3", {"search.fast_simulations": 5}),
        ("tictactoe", {"search.fast_simulations": 5, "search.seconds": 1.0}),
        ("tictactoe", {"search.seconds": 1.0, "search.root": "gumbel"}),
        ("hex3", {"selfplay.format": "bfloat16"}),
        ("hex3", {"run.episodes": 100, "run.networks": 1000}),
        ("hex3", {"game.name": "nim", "training.ownership": 0.1}),
        ("hex5", {"training.batch_size": 65536, "network.channels": 4096}),
    ],
)
def test_what_is_wrong_with_a_configuration_is_translated(tmp_path, config, changes):
    with pytest.raises(ConfigError) as refusal:
        form.settle(config, changes, tmp_path)
    assert untranslated({str(refusal.value)}, server_texts("de")) == []


def errors_of(*paths: Path) -> Iterator[str]:
    """Return the sentences of the errors that modules raise, with "x" in each place."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]):
                    parts = first.values if isinstance(first, ast.JoinedStr) else [first]
                    words = [
                        part.value if isinstance(part, ast.Constant) else "x" for part in parts
                    ]
                    if name == "wrong" or name.endswith("Error"):
                        yield "".join(map(str, words))


def test_errors_of_records_and_agents_are_translated():
    """Only a name in front of any sentence, and errors about a file's path, stay."""
    package = Path(meeple.__file__).parent
    records = sorted((package / "protocols/records").glob("*.py"))
    found = errors_of(*records, package / "games/contract/records.py", package / "agents/spec.py")
    texts = {text for text in found if re.match(r"(?!x\b|'x' has no|the list of engines)..", text)}
    files = (
        "there is no file",
        "cannot read",
        "there is no format",
        "this is in no format",
        "a file in",
    )
    texts = {text for text in texts if not text.startswith(files)}
    assert untranslated(texts, server_texts("de")) == []


def test_no_view_has_words_beside_the_table(scripts):
    found = {
        path: WORDS_IN_MARKUP.findall(text)
        for path, text in scripts.items()
        if WORDS_IN_MARKUP.search(text)
    }
    assert found == {}
