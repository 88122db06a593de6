"""`meeple info`: the machine and the installation, for bug reports."""

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.cli.last_error import SECRETS, last_error, without_secrets
from meeple.cli.shared.arguments import AsJson
from meeple.extras import EXTRAS, is_installed
from meeple.kernels import COMPILED
from meeple.kernels.compile_process import usable_cores

LIBRARIES = (
    "numba",
    "numpy",
    "torch",
    "openvino",
    "pydantic",
    "typer",
    "rich",
    "safetensors",
    "matplotlib",
)


def info(
    torch: Annotated[
        bool, typer.Option("--torch", help="Also import PyTorch, and show its configuration.")
    ] = False,
    bug: Annotated[
        bool,
        typer.Option(
            "--bug",
            help="Print a block for a bug report, with the last unexpected error; without paths "
            "of your home folder, passwords and tokens.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show versions, machine, cache, games and networks."""
    facts = gather()
    if torch:
        facts["torch"] = torch_facts()
    if bug:
        print(bug_report(facts))
        return
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    for name, value in facts.items():
        print(f"{name.replace('_', ' '):<12}{as_text(value)}")


def as_text(value: Any) -> str:
    """Return a fact as one line: `key value` pairs of a mapping, or the items of a sequence."""
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {as_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return str(value)


def gather() -> dict[str, Any]:
    """Return all facts that need no import of PyTorch, by name, as JSON."""
    from meeple.games.contract.registry import game_names
    from meeple.kernels.cache import cache_folder

    return {
        "meeple": installed("meeple"),
        "python": platform.python_version(),
        "libraries": {name: installed(name) for name in LIBRARIES},
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu": cpu_name(),
        "cores": usable_cores(),
        "cache": str(cache_folder()),
        "cache_mib": round(folder_bytes(cache_folder()) / 2**20, 1),
        "games": list(game_names()),
        "networks": network_kinds(),
    }


def bug_report(facts: dict[str, Any]) -> str:
    """Return a block for a report: facts, engine, extras, settings and the last error."""
    variables = sorted(name for name in os.environ if name.startswith(("MEEPLE_", "NUMBA_")))
    facts = {
        **facts,
        "kernels": "compiled" if COMPILED else "plain Python",
        "engine": next((name for name in ("openvino", "torch") if is_installed(name)), "numpy"),
        "extras": [name for name in EXTRAS if is_installed(name)],
        "variables": [name for name in variables if name not in SECRETS],
    }
    lines = [f"{name.replace('_', ' '):<12}{as_text(value)}" for name, value in facts.items()]
    error = [f"  {line}" for line in last_error().splitlines()]
    text = "\n".join([*lines, "last error", *error])
    return f"```text\n{without_secrets(text)}\n```"


def network_kinds() -> dict[str, str]:
    """Return the kind of each network that ships, by its name."""
    from meeple.agents.network_files import network_facts
    from meeple.agents.networks import shipped_networks

    return {name: network_facts(path).kind.name for name, path in shipped_networks().items()}


def torch_facts() -> dict[str, Any]:
    """Return PyTorch's threads, its widest vector instructions, and the accelerators."""
    import torch

    from meeple.nets.devices import accelerators

    return {
        "threads": torch.get_num_threads(),
        "vectors": torch.backends.cpu.get_cpu_capability(),
        "gpu": torch.cuda.is_available(),
        "accelerators": list(accelerators()),
    }


def installed(name: str) -> str:
    """Return the installed version of a distribution, or `not installed`."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def cpu_name() -> str:
    """Return the processor's name from Linux, or else from Python."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def folder_bytes(folder: Path) -> int:
    """Return the size of all files below `folder` in bytes, 0 if there are none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
