"""The languages of the page: complete, used, and without lost places."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import meeple
from docs.write_texts import declared_texts
from meeple import sentences
from meeple.agents.levels import NAMES
from meeple.errors import ConfigError
from meeple.games.catan.words import menus
from meeple.games.contract.registry import BUILT_IN, make
from meeple.sentences import Sentence
from meeple.server.play.views import title
from meeple.server.settings import STATIC
from meeple.server.training import form
from tests.roots import ROOT

STATICS = (STATIC, *sorted(ROOT.glob("plugins/*/src/*/*/static")))
FOLDERS = (sentences.LANGUAGES, *(one / "languages" for one in STATICS[1:]))
SERVERS = ("errors", "server", "declared")
"""The files with what the server says."""
LANGUAGES = sorted(path.name for path in sentences.LANGUAGES.iterdir())
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


def files_of(language: str, other: str = "en") -> dict[str, Path]:
    """Return the files of a language by their names, also those of plug-ins with both languages."""
    folders = [one / language for one in FOLDERS if (one / other).is_dir()]
    return {path.stem: path for one in folders if one.is_dir() for path in one.iterdir()}


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
    return {place for form in forms(text).values() for place in FIELD.findall(form)}


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
def test_a_language_is_a_folder_with_all_texts_of_english(language):
    """A plug-in without it is shown in English."""
    assert files_of(language).keys() == files_of("en", language).keys()
    for file in files_of("en", language):
        english, other = texts_of("en", file), texts_of(language, file)
        assert list(other) == list(english)
        free = set() if file in SERVERS else {"n"}  # a plural form may leave the number out
        assert [one for one in other if (places(other[one]) ^ places(english[one])) - free] == []
        plural = [code for code, text in other.items() if set(forms(text)) - {"", "one", "other"}]
        assert (
            plural + [code for code, text in other.items() if not all(forms(text).values())] == []
        )


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


def test_the_english_texts_of_things_with_names_are_those_declared():
    """Agents of plug-ins that are not installed keep their texts."""
    found, declared = texts_of("en", "declared"), dict(declared_texts())
    assert list(found) == sorted(found)
    assert declared.items() <= found.items(), "run: python -m docs.write_texts"
    assert all(code.startswith("agent.") for code in found.keys() - declared.keys())


def test_no_two_codes_have_the_same_words():
    texts = [*texts_of("en", "server").items(), *texts_of("en", "errors").items()]
    words = [text for code, text in texts if PLACE.sub("", text)]
    assert sorted({text for text in words if words.count(text) > 1}) == []


def names_of_games() -> Iterator[str]:
    for name in BUILT_IN:
        yield title(name)
        for key, option in make(name).declared.items():
            yield from (key.replace("_", " "), *getattr(option, "choices", ()))


def names_in_the_form() -> Iterator[str]:
    for section in form.sections():
        yield section.name
        yield from (field.name.split(".")[-1].replace("_", " ") for field in section.fields)


def test_games_levels_options_and_settings_have_names():
    names = {*NAMES, *names_of_games(), *menus._TITLES.values(), *names_in_the_form()}
    codes = texts_of("en", "server").keys()
    assert sorted(one for one in names if f"name.{one.replace(' ', '_')}" not in codes) == []


def test_what_a_setting_may_be_is_a_sentence():
    fields = [field for section in form.sections() for field in section.fields]
    assert [one.name for one in fields if not isinstance(one.allowed, Sentence)] == []


def test_every_code_of_an_error_is_used():
    text = "".join(path.read_text() for path in SERVER.rglob("*.py"))
    codes = texts_of("en", "errors")
    assert [code for code in codes if f'"{code}"' not in text and code not in BUILT_CODES] == []


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
def test_what_is_wrong_with_a_configuration_is_a_sentence(tmp_path, config, changes):
    with pytest.raises(ConfigError) as refusal:
        form.settle(config, changes, tmp_path)
    said = str(refusal.value)
    assert isinstance(said, Sentence)
    assert isinstance(said.fields["text"], Sentence)


def errors_of(*paths: Path) -> Iterator[str]:
    """Return the texts of the errors that modules raise without `say`, with "x" in each place."""
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


def test_errors_of_records_and_agents_are_sentences():
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
    assert sorted(text for text in texts if not text.startswith(files)) == []


def test_no_view_has_words_beside_the_table(scripts):
    found = {
        path: WORDS_IN_MARKUP.findall(text)
        for path, text in scripts.items()
        if WORDS_IN_MARKUP.search(text)
    }
    assert found == {}
