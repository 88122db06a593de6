"""The files of players and of a token are read in every encoding of Unicode."""

import pytest

from meeple.errors import MeepleError
from meeple_oht.cli.command import _token
from meeple_oht.players import read_players
from tests.test_text_files import BROKEN, ENCODINGS, encoded

FILES = {
    "players.toml": (
        "".join(f'[[player]]\nname = "Jü{n}"\ntoken = "abcdefgh{n}"\n' for n in range(2)),
        lambda path: [player.name for player in read_players(path)],
        ["Jü0", "Jü1"],
    ),
    "token": ("a-token\r\n", lambda path: _token(path), "a-token"),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_in_every_encoding_of_unicode(name, encoding, tmp_path):
    text, read, expected = FILES[name]
    assert read(encoded(text, encoding, tmp_path / name)) == expected


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", BROKEN)
def test_another_encoding_is_refused_in_a_sentence(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(MeepleError) as caught:
        FILES[name][1](path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
