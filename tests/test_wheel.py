"""The wheel in a fresh environment, without any extra: it is small, plays, solves and serves.

The end of the run prints the megabytes and packages of the installation.
"""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.roots import PLUG_INS, ROOT
from tests.settings import PRINTED

LARGEST = 370  # maximum MiB of the installation
STATED = re.compile(r"`pip install \.` \| (\d+) ")  # its MiB, in docs/install.md
LEARNING = {"torch", "tensorboard", "matplotlib", "openvino", "scipy"}
PATIENCE = 600.0  # seconds; generous for a busy machine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the paths are those of other systems"),
]


def run(*words, cwd, lines="", compiled=True):
    """Run a program; without `compiled`, kernels run as plain Python, which saves a minute."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        input=lines,
        env=environment | ({} if compiled else {"NUMBA_DISABLE_JIT": "1"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_the_wheel_alone_is_small_plays_matches_solves_and_serves(tmp_path, record_property):
    bin_, size = installed(tmp_path)
    record_property(PRINTED, size)
    board = ("gomoku", "-o", "size=3", "-o", "in_a_row=3")
    played = run(
        *(bin_ / "meeple", "play", *board, "--against", "policy:tictactoe"),
        cwd=tmp_path,
        lines="b2\nquit\n",
        compiled=False,
    )
    assert "policy:tictactoe) plays" in played
    match = run(
        *(bin_ / "meeple", "match", "hex", "puct:hex7,sims=16", "policy:hex7"),
        *("--games", "2", "--seed", "1", "--json"),
        cwd=tmp_path,
    )
    assert json.loads(match)["games"] == 2
    solved = run(bin_ / "meeple", "solve", "hex", "-o", "size=3", cwd=tmp_path, compiled=False)
    assert "wins" in solved
    serve(bin_, tmp_path)
    assert json.loads(run(bin_ / "meeple", "plugins", "--json", cwd=tmp_path)) == []
    use_plug_in(bin_, tmp_path)
    use_our_plug_ins(bin_, tmp_path)


def use_plug_in(bin_, folder):
    """Write a plug-in, build and install its wheel, and use what it adds."""
    meeple = bin_ / "meeple"
    run(meeple, "new-plugin", "trio", cwd=folder)
    install(build_wheel(folder / "meeple-trio", folder), bin_)
    (game,) = json.loads(run(meeple, "games", "trio", "--json", cwd=folder))
    assert game["players"] == 2
    match = ("match", "trio", "trio:epsilon=0.1", "random", "--games", "2", "--json")
    assert json.loads(run(meeple, *match, cwd=folder, compiled=False))["games"] == 2
    assert "Let the agent trio play" in run(meeple, cwd=folder)
    assert "random" in run(meeple, "trio", "--games", "2", cwd=folder, compiled=False)
    added = json.loads(run(meeple, "plugins", "--json", cwd=folder))
    groups = {one["group"] for one in added if one["package"] == "meeple-trio" and not one["fault"]}
    assert groups == {"agents", "commands", "games", "pages"}


def use_our_plug_ins(bin_, folder):
    """Build and install the wheels of this checkout's plug-ins, and import all that they add."""
    for project in PLUG_INS:
        install(build_wheel(project, folder), bin_)
        link_needed_by(project.name, bin_)
    run(*pip_of(bin_), "check", cwd=folder)
    added = json.loads(run(bin_ / "meeple", "plugins", "--json", cwd=folder))
    assert [one for one in added if one["fault"]] == []
    assert {one["package"] for one in added} >= {project.name for project in PLUG_INS}


def installed(folder):
    """Build the wheel and install it beside the packages that it needs.

    These packages are links to those of this environment, so that none is loaded from the network.

    Returns:
        The folder of programs, and the figures.
    """
    wheel = build_wheel(ROOT, folder)
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    bin_ = folder / "venv" / "bin"
    install(wheel, bin_)
    meeple, found = link_needed_by("meeple", bin_)
    total = sum(map(size_of, [meeple, *found.values()]))
    run(*pip_of(bin_), "check", cwd=folder)
    stated = STATED.search((ROOT / "docs" / "install.md").read_text())
    assert stated is not None
    assert not LEARNING & found.keys()
    assert total <= LARGEST
    assert total == pytest.approx(int(stated[1]), rel=0.03)
    return bin_, f"{wheel.name}: {total:.0f} MiB, {1 + len(found)} packages"


def build_wheel(project, folder):
    """Build the wheel of a project and return its file."""
    build = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation")
    made = folder / "wheels" / project.name
    run(*build, "-w", made, project, cwd=folder)
    (wheel,) = made.glob("*.whl")
    return wheel


def install(wheel, bin_):
    run(*pip_of(bin_), "install", "-q", "--no-deps", wheel, cwd=wheel.parent)


def link_needed_by(name, bin_):
    """Link the packages that an installed one needs; return it, and these by name."""
    (packages,) = bin_.parent.glob("lib/python*/site-packages")
    (installed,) = metadata.distributions(name=name, path=[str(packages)])
    found = needed_by(installed, {})
    for package in found.values():
        for part in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            if not (packages / part).exists():
                (packages / part).symlink_to(package.locate_file(part))
    return installed, found


def pip_of(bin_):
    python = bin_ / "python"
    return (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")


def needed_by(package, found):
    """Return `found` with all packages that a package needs without extras, by name."""
    for text in package.requires or ():
        wanted = Requirement(text)
        name = canonicalize_name(wanted.name)
        if name not in found and (not wanted.marker or wanted.marker.evaluate({"extra": ""})):
            found[name] = metadata.distribution(name)
            needed_by(found[name], found)
    return found


def size_of(package):
    """Return the MiB of the files that `pip` installed for a package, its bytecode included."""
    files = {package.locate_file(file).resolve() for file in package.files or ()}
    return sum(file.stat().st_size for file in files if file.is_file()) / 2**20


def serve(bin_, folder):
    """Start the server, ask it for its page and its games, and stop it by Ctrl-C."""
    command = [str(bin_ / "meeple"), "serve", "--port", "0", "--data", str(folder / "games")]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            url = server.stdout.readline().split()[-1].rstrip("/")
            page = answer(f"{url}/")
            games = json.loads(answer(f"{url}/api/games"))
        finally:
            server.send_signal(signal.SIGINT)
            _, said = server.communicate(timeout=PATIENCE)
    assert "<title>" in page
    assert games
    assert server.returncode in (0, 130), said


def answer(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return response.read().decode()
