"""`meeple plugins`: what installed packages add to Meeple, and what failed and why."""

import json
from dataclasses import asdict
from itertools import groupby

from meeple.cli.shared.arguments import AsJson
from meeple.plugins import PlugIn, installed_plug_ins


def plugins(as_json: AsJson = False) -> None:
    """List what installed packages add to Meeple, and what failed.

    All that they add is imported.
    """
    found = sorted(
        (one.checked() for one in installed_plug_ins()), key=lambda one: (one.package, one.group)
    )
    if as_json:
        print(json.dumps([asdict(one) for one in found], indent=2))
    elif found:
        by_package = groupby(found, lambda one: f"{one.package} {one.package_version}")
        print("\n\n".join("\n".join([title, *map(_line, those)]) for title, those in by_package))
    else:
        print("No installed package adds to Meeple; `meeple new-plugin NAME` writes one that does.")


def _line(one: PlugIn) -> str:
    line = f"  {one.group:<10} {one.name:<14} {one.target}"
    return f"{line}\n    left out: {one.fault}" if one.fault else line
