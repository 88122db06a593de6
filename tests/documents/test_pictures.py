"""The pictures of the site are those that Meeple draws today."""

import xml.etree.ElementTree as ElementTree

import pytest

from docs.pictures import FOLDER, PICTURES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_its_function_draws(name):
    file = FOLDER / f"{name}.svg"
    assert file.read_text(encoding="utf-8") == PICTURES[name]() + "\n"
    ElementTree.parse(file)


def test_no_other_picture_is_in_their_folders():
    found = {f"{file.parent.name}/{file.stem}" for file in FOLDER.glob("*/*.svg")}
    assert found == PICTURES.keys()
