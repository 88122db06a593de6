"""Results are the same under `python -O`, which removes every assert."""

import contextlib
import io
import os
import subprocess
import sys

import pytest

from tests.roots import SYS_PATH

pytestmark = pytest.mark.nightly("results are the same under `python -O`")

MARK = "end of the part"
PARTS = {
    "a match in threads": """
result = meeple.match(meeple.make("nim"), ["uct:sims=20", "random"], games=6, seed=1, workers=2)
print([record.actions for record in result.records])
""",
    "a training of a few episodes": """
from tests.learn.small import trained
print((trained(folder / "run", "run.episodes=4") / "games.jsonl").read_text())
""",
    "the exact solver": """
solution = meeple.solve(meeple.make("hex", size=3).start())
print(solution.payoffs, solution.winning_actions)
""",
    "what warms the cache": """
from meeple.cli.warmup import use_positions
print(use_positions(meeple.make("nim", stones=3)))
""",
}


def program_of(folder):
    """Return the program of all parts."""
    begin = f"import meeple\nfrom pathlib import Path\nfolder = Path({str(folder)!r})\n"
    return begin + f"print({MARK!r})".join(PARTS.values())


def printed(folder):
    """Return the output of each part in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(program_of(folder), {})
    return by_part(output.getvalue())


def printed_without_asserts(folder):
    """Return the output of each part in another process, under `python -O`."""
    done = subprocess.run(
        [sys.executable, "-O", "-c", program_of(folder)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(SYS_PATH)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return by_part(done.stdout)


def by_part(output):
    return dict(zip(PARTS, output.split(MARK), strict=True))


def test_output_is_the_same_without_asserts(tmp_path):
    plain = printed(tmp_path / "plain")
    assert all(text.strip() for text in plain.values())
    assert printed_without_asserts(tmp_path / "optimised") == plain
