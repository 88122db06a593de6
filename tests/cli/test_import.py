"""`meeple import` converts a network of another program into one that plays in Meeple."""

import json

import pytest

import meeple
from meeple.agents.spec import agent
from meeple.cli.import_ import Format, import_
from meeple.errors import MeepleError
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


def test_the_winning_length_can_be_set_by_the_user(model, tmp_path, capsys):
    out = tmp_path / "net.safetensors"
    import_(FORMAT, model, out, in_a_row=4, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["options"] == read_metadata(out).options
    assert facts["options"]["in_a_row"] == 4
    assert "--option in_a_row=4" in facts["play"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("elsewhere", "net.model"), "alphazero-gomoku"),
        (("alphazero-gomoku", "net.model", "--in-a-row", 7), "in_a_row"),
        (("alphazero-gomoku", "cut.model"), "cut.model"),
    ],
    ids=["unknown format", "impossible winning length", "truncated file"],
)
def test_what_cannot_be_imported_is_refused_and_nothing_is_written(run, model, words, said):
    model.with_name("cut.model").write_bytes(model.read_bytes()[:-100])
    out = model.with_name("out")
    done = run("import", words[0], model.with_name(words[1]), out, *words[2:])
    assert done.returncode > 0
    assert said in done.stderr
    assert not out.exists()


def test_an_existing_file_is_replaced_only_with_force(model, tmp_path):
    out = tmp_path / "net.safetensors"
    out.write_text("mine")
    with pytest.raises(MeepleError, match="--force"):
        import_(FORMAT, model, out)
    assert out.read_text() == "mine"
    import_(FORMAT, model, out, force=True)
    metadata = read_metadata(out)
    assert metadata.game == "gomoku"
    assert metadata.extra == {"imported_from": "net.model", "format": "alphazero-gomoku"}
