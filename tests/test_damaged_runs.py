"""Damaged files of a run: readers continue or report the damage in a sentence."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple.agents.networks import find_checkpoint
from meeple.arena.topp import play_topp
from meeple.cli import main as cli
from meeple.cli.train.topp import write_report
from meeple.errors import MeepleError
from meeple.learn.loop import train
from meeple.learn.run.metrics import export_to_tensorboard
from meeple.nets.checkpoint import load
from meeple.server.training.runs import Runs
from tests.learn.damaged import (
    STATES,
    add_array,
    broken_off,
    change_states,
    put_folder,
    write_states,
)

pytestmark = pytest.mark.slow

GAME = meeple.make("hex", size=3)
LINES = ("games.jsonl", "metrics.jsonl")
JSON = (*STATES, *LINES, "topp/result.json", "train.process")
PLACES = ("checkpoints/00000012", "training/00000016", "replay/00000016", "replay/00000004")
FILES = (*JSON, *(f"{place}.safetensors" for place in PLACES), "config.toml")
"""The files of a run that are read."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    run = broken_off(tmp_path_factory.mktemp("whole") / "run")
    write_report(run / "topp", play_topp(run, games=2))
    (run / "train.process").write_text('{"pid": 7, "started": 1.5, "ended": 2.5, "code": 0}')
    return run


# ---------------------------------------------------------------- damages: functions of a run

DEEP = ("[" * 100_000, '{"a":' * 100_000, "[" * 900 + "]" * 900)
numbers = st.sampled_from((-1, 0, 1, 7, 2**31, 2**63, 10**30, 10**400, 0.5, -0.0, 1e300, 1e-300))
odd = numbers | st.sampled_from(
    (float("nan"), float("inf"), "", "12", "\ud800", "a\nb", None, True)
)
values = st.recursive(
    odd, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)
)
contents = st.binary(max_size=40) | st.sampled_from(
    (b"", b"\0" * 99, b"\xff\xfe", b"1" * 5000, *(text.encode() for text in DEEP))
)


def put(path, content):
    """Replace a file or folder by content if its folder exists."""
    if path.parent.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
        path.write_bytes(content)


def content_of(path):
    return path.read_bytes() if path.is_file() else b""


@st.composite
def field_changed(draw):
    """Change one value in a JSON file, or in the last line of a file of JSON lines."""
    name, number, value = draw(st.sampled_from(JSON)), draw(st.integers(0, 20)), draw(values)

    def damage(run):
        lines = content_of(run / name).splitlines() if name in LINES else [content_of(run / name)]
        with contextlib.suppress(ValueError, IndexError, RecursionError):  # damaged already
            data = json.loads(lines[-1])
            places = leaves(data)
            place, key = places[number % max(len(places), 1)]
            place[key] = value
            put(run / name, b"\n".join([*lines[:-1], json.dumps(data).encode(), b""]))

    return damage


def leaves(data):
    """Yield every place in data as (object or list, key)."""
    if not isinstance(data, dict | list):
        return []
    keys = list(data) if isinstance(data, dict) else range(len(data))
    return [place for key in keys for place in ((data, key), *leaves(data[key]))]


@st.composite
def bytes_changed(draw):
    """Flip a byte, truncate a file, or replace its content."""
    name, at = draw(st.sampled_from(FILES)), draw(st.floats(0, 1, exclude_max=True))
    how, content = draw(st.sampled_from(("flip", "cut", "replace", "insert"))), draw(contents)

    def damage(run):
        data = bytearray(content_of(run / name))
        place = int(at * len(data))
        if how == "flip" and data:
            data[place] ^= 1 + int(at * 255)
        elif how == "cut":
            del data[place:]
        elif how == "insert":
            data[place:place] = content
        else:
            data[:] = content
        put(run / name, data)

    return damage


@st.composite
def another_thing(draw):
    """Replace a file by a folder or a folder by a file, or remove it."""
    name = draw(st.sampled_from((*FILES, "checkpoints", "replay", "training", "topp", "run.lock")))
    how = draw(st.sampled_from(("folder", "file", "nothing", "dangling")))

    def damage(run):
        put(run / name, b"")
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            if how != "file":
                (run / name).unlink()
            if how == "folder":
                (run / name).mkdir()
            if how == "dangling":
                (run / name).symlink_to("nowhere")

    return damage


damages = st.lists(field_changed() | bytes_changed() | another_thing(), min_size=1, max_size=3)


# ---------------------------------------------------------------- readers


def resumed(run):
    train(run, stop=lambda: True)


def played(run):
    load(find_checkpoint(run))
    meeple.agent(f"policy:{run}", GAME)


def shown_on_the_page(run):
    runs = Runs(run.parent)
    assert len(runs.all()) == os.path.lexists(run / "config.toml")
    runs.facts("run")
    runs.games("run", None, 3)
    runs.games("run", 5, 3)


def rated(run):
    play_topp(run, games=1)


READERS = (shown_on_the_page, played, export_to_tensorboard, rated, resumed)
"""The last reader also writes."""


@settings(max_examples=80)
@given(damages=damages)
def test_damaged_run_is_read_or_refused_in_a_sentence(whole, tmp_path_factory, damages):
    run = Path(shutil.copytree(whole, tmp_path_factory.mktemp("runs") / "run"))
    for damage in damages:
        damage(run)
    said = []
    for read in READERS:
        try:
            read(run)
        except MeepleError as error:
            said.append(str(error))
    assert all(said)
    assert "\n" not in "".join(said)


# ---------------------------------------------------------------- commands

DIGITS = "1" * 5000


def states_with(**fields):
    return lambda run: change_states(run, **fields)


def settings_with(old, new):
    def damage(run):
        text = (run / "config.toml").read_text()
        assert old in text
        (run / "config.toml").write_text(text.replace(old, new))

    return damage


def networks_with(shape):
    def damage(run):
        for path in (run / "checkpoints").iterdir():
            add_array(path, shape)

    return damage


def folder_for(name):
    return lambda run: put_folder(run / name)


TRAIN, TOPP, EXPORT = ("train", "--resume", "--run"), ("topp", "--games", "1"), ("tensorboard",)
MATCH = ("match", "hex", "-o", "size=3", "--games", "1", "random")


DEEP_SEED = settings_with("seed = 1", f"seed = {'[' * 10_000}")
LONG_SEED = settings_with("seed = 1", f"seed = {DIGITS}")
NOT_A_FILE = "metrics.jsonl: it is not a file"
DAMAGES = {
    "a fraction": (states_with(episodes=12.5), TRAIN, "episodes must be"),
    "brackets": (lambda run: write_states(run, b"[" * 100_000), TRAIN, "it is no JSON"),
    "games": (folder_for("games.jsonl"), TRAIN, "games.jsonl: it is not a file"),
    "figures": (folder_for("metrics.jsonl"), TRAIN, NOT_A_FILE),
    "figures to export": (folder_for("metrics.jsonl"), EXPORT, NOT_A_FILE),
    "deep": (DEEP_SEED, TRAIN, "nested"),
    "deep in a tournament": (DEEP_SEED, TOPP, "nested"),
    "digits": (LONG_SEED, TRAIN, "digits"),
    "digits in a tournament": (LONG_SEED, TOPP, "digits"),
    "a shape": (networks_with([0, 2**62]), TOPP, "has shape [0, "),
    "a shape in a match": (networks_with([0, 2**62]), MATCH, "has shape [0, "),
}


@pytest.mark.parametrize(("damage", "words", "said"), DAMAGES.values(), ids=DAMAGES)
def test_command_reports_a_damaged_run_in_one_line(whole, tmp_path, capsys, damage, words, said):
    run = shutil.copytree(whole, tmp_path / "run")
    damage(run)
    last = f"puct:{run},sims=2" if words is MATCH else str(run)
    code = cli.run([*words, last], debug=False)
    err = capsys.readouterr().err
    assert (code, err.count("\n")) == (cli.FAILED, 1)
    assert said in err
    assert "unexpected" not in err
