"""The Python of the README runs, and the README stays short."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)


def test_readme_example_runs(capsys):
    programs = [block for block in BLOCKS if block.startswith("import meeple")]
    assert len(programs) == 1
    assert len([line for line in programs[0].splitlines() if line.strip()]) == 10
    exec(compile(programs[0], "README.md", "exec"), {})
    assert "[1. 0.]" in capsys.readouterr().out  # Hex 3x3 is won by the first player


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text().split()) <= 1200


def test_the_install_section_has_the_two_commands_that_need_no_other_step():
    section = re.search(r"## Install\n(.*?)\n## ", (ROOT / "README.md").read_text(), re.S)
    assert section is not None
    blocks = re.findall(r"```\n(.*?)```", section[1], re.S)
    (commands,) = [block.splitlines() for block in blocks if "make demo" in block]
    assert [line.split("#")[0].split() for line in commands] == [["make", "demo"], ["make", "test"]]
    assert all(re.search(r"\d+ minutes", line) for line in commands)


def test_the_documents_name_one_size_of_the_installation():
    readme = re.search(r"pip install \. .*: (\d+) MiB", (ROOT / "README.md").read_text())
    table = re.search(r"`pip install \.` \| (\d+) ", (ROOT / "docs" / "install.md").read_text())
    assert readme is not None
    assert table is not None
    assert readme[1] == table[1]
