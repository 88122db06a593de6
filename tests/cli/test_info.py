"""`meeple info` describes the machine, and imports PyTorch only on request."""

import json
import os
import platform
import re
import subprocess
import sys

import pytest

from meeple.cli import info, last_error
from meeple.games.contract.registry import game_names


@pytest.mark.slow
def test_info_names_python_the_games_and_the_cache(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("MEEPLE_CACHE", str(tmp_path))
    (tmp_path / "kernel").write_bytes(bytes(3 << 20))
    info.info(as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["python"] == platform.python_version()
    assert facts["games"] == list(game_names())
    assert facts["cache"] == str(tmp_path)
    assert facts["cache_mib"] == 3
    assert 1 <= facts["cores"] <= (os.cpu_count() or 1)
    info.info()
    text = capsys.readouterr().out
    assert all(f"{name.replace('_', ' ')} " in text for name in facts)
    assert all(info.as_text(value) in text for value in facts.values())
    assert info.installed("no-such-library-anywhere") == "not installed"
    assert last_error.last_error() == "none"


@pytest.mark.slow
def test_accelerators_visible_to_pytorch_are_named(monkeypatch, capsys):
    monkeypatch.setattr("meeple.nets.devices.accelerators", lambda: ("Abacus 3000", "Abacus 4000"))
    info.info(torch=True)
    assert "accelerators Abacus 3000, Abacus 4000" in capsys.readouterr().out
    monkeypatch.setattr("meeple.nets.devices.accelerators", lambda: ())
    info.info(torch=True, as_json=True)
    assert json.loads(capsys.readouterr().out)["torch"]["accelerators"] == []


@pytest.mark.slow
def test_torch_is_imported_only_on_request():
    program = (
        "import sys; from meeple.cli import info\n"
        "info.info(); assert 'torch' not in sys.modules; assert info.torch_facts()['threads'] >= 1"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.fixture
def home(monkeypatch, tmp_path):
    """A home folder with a cache below it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("MEEPLE_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_a_bug_report_has_versions_and_the_last_error_without_home_and_secrets(
    home, monkeypatch, capsys
):
    token = "b7Qx9-ZkP2_mN4vR8sT1w"
    monkeypatch.setenv("MEEPLE_PASSWORD", "correct horse")
    monkeypatch.setenv("MEEPLE_OHT_TOKEN", token)
    try:
        raise RuntimeError(f"cannot read {home}/notes/game.py with {token} or correct horse")
    except RuntimeError as error:
        last_error.save_error(error)
    assert "correct horse" not in (home / "cache" / last_error.LAST_ERROR).read_text()
    print(info.bug_report(info.gather()))
    text = capsys.readouterr().out
    assert text.startswith("```text\n")
    assert text.endswith("\n```\n")
    for name in ("meeple", "python", "libraries", "cpu", "kernels", "engine", "extras"):
        assert re.search(rf"^{name} ", text, re.M)
    assert "cannot read ~/notes/game.py with <removed> or <removed>" in text
    assert "MEEPLE_CACHE" in text
    for secret in (str(home), token, "correct horse", "MEEPLE_PASSWORD"):
        assert secret not in text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("token=abc", "token=<removed>"),
        ('password: "hunter2"', 'password: "<removed>"'),
        ("join --token 9f86d081884c7d659a2feaa0c55ad015", "join --token <removed>"),
        ("/opt/python3.11/site-packages/numba/core", "/opt/python3.11/site-packages/numba/core"),
        ("reversi8-patterns pattern evaluation", "reversi8-patterns pattern evaluation"),
        ("digest e3b0c44298fc1c149afbf4c8", "digest <removed>"),
        ("a_long_name_of_a_function, line 123456", "a_long_name_of_a_function, line 123456"),
    ],
)
def test_what_looks_like_a_secret_is_removed_and_code_is_kept(text, kept):
    assert last_error.without_secrets(text) == kept
