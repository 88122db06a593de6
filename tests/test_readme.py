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
