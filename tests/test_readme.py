"""What the README says to type works."""

import re
import shlex
from pathlib import Path

import pytest

from meeple.agents.spec import parse
from meeple.cli.main import SUBCOMMANDS
from meeple.learn.ready import ready_configs

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
COMMANDS = [shlex.split(line, comments=True) for line in re.findall(r"^meeple .*", README, re.M)]
SPECS = re.findall(r"\b((?:uct|puct|policy):[\w:=.,/]*\w)", "\n".join(map(" ".join, COMMANDS)))


def test_its_python_runs(capsys):
    blocks = re.findall(r"```python\n(import meeple\n.*?)```", README, re.S)
    assert len(blocks) == 1
    exec(compile(blocks[0], "README.md", "exec"), {})
    assert "[1. 0.]" in capsys.readouterr().out  # Hex 3x3 is won by the first player


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_its_subcommands_exist(command):
    assert command[1] in SUBCOMMANDS


@pytest.mark.parametrize("spec", SPECS)
def test_its_agent_specs_are_understood(spec):
    parse(spec)


def test_its_configurations_exist():
    trained = {command[2] for command in COMMANDS if command[1] == "train"} - {"--resume"}
    assert trained <= set(ready_configs())


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_its_links_lead_somewhere(link):
    assert (ROOT / link).exists()


@pytest.mark.parametrize("page", ["docs/browser.md", "docs/catan.md", "docs/design.md"])
def test_what_a_page_shows_and_leads_to_is_there(page):
    places = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text())
    folder = (ROOT / page).parent
    assert [place for place in places if not (folder / place).exists()] == []
