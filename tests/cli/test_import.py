"""`meeple import` converts a network of another program into one that plays in Meeple."""

import json

import pytest

import meeple
from meeple.agents.spec import agent
from meeple.cli.import_ import Format, import_
from meeple.cli.main import run
from meeple.errors import CheckpointError, MeepleError, OptionError
from meeple.nets.checkpoint import read_metadata

FORMAT: Format = "alphazero-gomoku"


def test_the_imported_network_plays_its_board(model, tmp_path, capsys):
    out = tmp_path / "net.safetensors"
    import_(FORMAT, model, out)
    printed = capsys.readouterr().out
    assert "size=5" in printed
    assert "parameters" in printed
    assert f"meeple play gomoku --option size=5 --against puct:{out},sims=400" in printed
    game = meeple.make("gomoku", size=5)
    assert agent(f"puct:{out},sims=4", game).choose(game.start()) in range(25)


def test_the_file_records_its_origin(model, tmp_path):
    import_(FORMAT, model, tmp_path / "net.safetensors")
    metadata = read_metadata(tmp_path / "net.safetensors")
    assert metadata.extra == {"imported_from": "net.model", "format": "alphazero-gomoku"}


def test_the_winning_length_can_be_set_by_the_user(model, tmp_path, capsys):
    out = tmp_path / "net.safetensors"
    import_(FORMAT, model, out, in_a_row=4, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["options"] == read_metadata(out).options
    assert facts["options"]["in_a_row"] == 4
    assert "--option in_a_row=4" in facts["play"]


def test_an_impossible_winning_length_is_refused_and_nothing_is_written(model, tmp_path):
    with pytest.raises(OptionError, match="in_a_row"):
        import_(FORMAT, model, tmp_path / "out", in_a_row=7)
    assert not (tmp_path / "out").exists()


def test_an_existing_file_is_replaced_only_with_force(model, tmp_path):
    out = tmp_path / "net.safetensors"
    out.write_text("mine")
    with pytest.raises(MeepleError, match="--force"):
        import_(FORMAT, model, out)
    assert out.read_text() == "mine"
    import_(FORMAT, model, out, force=True)
    assert read_metadata(out).game == "gomoku"


def test_an_unreadable_file_is_refused_and_nothing_is_written(model, tmp_path):
    model.write_bytes(model.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match=r"net\.model"):
        import_(FORMAT, model, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_unknown_format_is_refused_with_the_known_ones(model, tmp_path, capsys):
    assert run(["import", "elsewhere", str(model), str(tmp_path / "out")], debug=False) == 2
    assert "alphazero-gomoku" in capsys.readouterr().err
