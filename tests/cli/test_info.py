"""`meeple info` describes the machine, and imports PyTorch only on request."""

import json
import os
import platform
import subprocess
import sys

import pytest

from meeple.cli import info
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


@pytest.mark.slow
def test_text_and_json_name_the_same_facts(capsys):
    info.info()
    text = capsys.readouterr().out
    for name, value in info.gather().items():
        assert f"{name.replace('_', ' ')} " in text
        assert info.as_text(value) in text


@pytest.mark.slow
def test_accelerators_visible_to_pytorch_are_named(monkeypatch, capsys):
    monkeypatch.setattr("meeple.nets.devices.accelerators", lambda: ("Abacus 3000", "Abacus 4000"))
    info.info(torch=True)
    assert "accelerators Abacus 3000, Abacus 4000" in capsys.readouterr().out
    monkeypatch.setattr("meeple.nets.devices.accelerators", lambda: ())
    info.info(torch=True, as_json=True)
    assert json.loads(capsys.readouterr().out)["torch"]["accelerators"] == []


def test_a_missing_library_is_reported_without_an_error():
    assert info.installed("no-such-library-anywhere") == "not installed"


@pytest.mark.slow
def test_torch_is_imported_only_on_request():
    program = (
        "import sys; from meeple.cli import info\n"
        "info.info(); assert 'torch' not in sys.modules; assert info.torch_facts()['threads'] >= 1"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
