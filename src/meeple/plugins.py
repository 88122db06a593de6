"""Plug-ins: what installed packages add to Meeple, by entry points.

A package declares entry points, each name = "module:attribute", in these groups:

- `meeple.games`: the class of a game
- `meeple.libraries`: a function f(name, options=None) that returns the class of a game with this
  prefix: `openspiel:hex` by the entry point `openspiel`
- `meeple.agents`: an `AgentKind`
- `meeple.commands`: a `Subcommand`
- `meeple.pages`: a `Page` of the server
- `meeple.backends`: a `Backend`, where games and training run

The versions of Meeple for which a plug-in works are those that its package requires
(`dependencies = ["meeple>=0.1,<0.2"]`). A plug-in that cannot be used is reported once, by a
warning of the logger `meeple.plugins`, and left out.
"""

import importlib
import logging
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import Distribution, distributions, version
from operator import attrgetter
from typing import Any, TypeVar

from packaging.requirements import InvalidRequirement, Requirement

from meeple.errors import OptionError
from meeple.extras import EXTRAS

GROUPS = {
    "games": "meeple.games.contract.registry:import_game",
    "libraries": "meeple.games.contract.registry:import_library",
    "agents": "meeple.agents.kinds:AGENTS.import_all",
    "commands": "meeple.cli.main:SUBCOMMANDS.import_all",
    "pages": "meeple.server.pages:PAGES.import_all",
    "backends": "meeple.executors.backend:BACKENDS.import_all",
}
"""By group, the function f(plug_in) that imports all that a plug-in promises.

It raises `OptionError` if the plug-in cannot be used.
"""
PREFIX = "meeple."  # of the groups

Value = TypeVar("Value")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PlugIn:
    """One entry point of an installed package.

    Attributes:
        group: what it adds, one of `GROUPS`.
        name: of what it adds.
        target: "module:attribute".
        package: the distribution that declares it.
        package_version: of that distribution.
        fault: why it is left out, as a sentence without its subject; "" if it can be loaded.
    """

    group: str
    name: str
    target: str
    package: str
    package_version: str
    fault: str = ""

    def load(self) -> Any:
        """Import and return what the entry point names.

        Raises:
            OptionError: it is left out, or its module cannot be imported or lacks the attribute.
        """
        if self.fault:
            raise OptionError(self.sentence(self.fault))
        try:
            return load_target(self.target)
        except (Exception, SystemExit) as error:
            raise OptionError(self.sentence(f"{type(error).__name__}: {error}")) from error

    def sentence(self, fault: str) -> str:
        """Return why this plug-in is left out."""
        return f"{self._beginning}{fault}"

    def checked(self) -> "PlugIn":
        """Return it with its fault, after importing all that it promises."""
        try:
            load_target(GROUPS[self.group])(self)
        except OptionError as error:
            return replace(self, fault=str(error).removeprefix(self._beginning))
        return self

    @property
    def _beginning(self) -> str:
        return f"the plug-in {self.name} ({self.group}) of {self.package} is left out: "


def load_target(target: str) -> Any:
    """Import the module of "module:attribute" and return the attribute."""
    module, _, attribute = target.partition(":")
    return attrgetter(attribute)(importlib.import_module(module))


def installed_plug_ins() -> tuple[PlugIn, ...]:
    """Return the entry points of all installed packages, by group, package and name."""
    return _entry_points()


def plug_ins(group: str) -> dict[str, PlugIn]:
    """Return the plug-ins of a group that can be loaded, by name, and report the others."""
    found: dict[str, PlugIn] = {}
    for one in installed_plug_ins():
        if one.group == group:
            if one.fault:
                report(one.sentence(one.fault))
            else:
                found[one.name] = one
    return found


@cache
def report(sentence: str) -> None:
    """Log a sentence about a plug-in as a warning, once in this process."""
    _log.warning(sentence)


class PlugInTable(MutableMapping[str, Value]):
    """What can be chosen by name in one group: what Meeple has, and then what plug-ins add.

    A plug-in is imported when its value is asked for, or all values are. One that fails, has the
    name of something of Meeple's own or is not a `kind` is reported and left out.
    """

    def __init__(
        self,
        group: str,
        kind: type[Value],
        own: Mapping[str, Value],
        targets: Sequence[str] = ("target",),
    ):
        """Begin with Meeple's own values; plug-ins are looked for on first use.

        Args:
            group: one of `GROUPS`.
            kind: the type of all values.
            own: Meeple's own values by name.
            targets: attributes of a value that name what is imported when it is used, each as
                "module:attribute".
        """
        self.group, self.kind, self.targets = group, kind, targets
        self._own = dict(own)
        self._loaded: dict[PlugIn, Value | None] = {}  # None: left out

    def __getitem__(self, name: str) -> Value:
        if name in self._own:
            return self._own[name]
        plug_in = plug_ins(self.group).get(name)
        if plug_in is None:  # not remembered, since requests may ask for any name
            raise KeyError(name)
        if plug_in not in self._loaded:
            self._loaded[plug_in] = self._load(plug_in)
        value = self._loaded[plug_in]
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: Value) -> None:
        self._own[name] = value

    def __delitem__(self, name: str) -> None:
        del self._own[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from (name for name in plug_ins(self.group) if self._is_plug_in(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def target(self, name: str, attribute: str = "target") -> Any:
        """Import and return what an attribute of the value `name` names.

        Raises:
            OptionError: a plug-in has promised it, and it cannot be imported.
        """
        target = getattr(self[name], attribute)
        if name in self._own:
            return load_target(target)
        return replace(plug_ins(self.group)[name], target=target).load()

    def import_all(self, plug_in: PlugIn) -> None:
        """Import the value of a plug-in and all that it names.

        A library that is missing, but that an extra of Meeple installs, is no fault: what needs
        it names the extra when it is used.

        Raises:
            OptionError: it cannot be used; the message says why.
        """
        value = self._value(plug_in)
        for attribute in self.targets:
            try:
                replace(plug_in, target=getattr(value, attribute)).load()
            except OptionError as error:
                missing = error.__cause__
                if not (isinstance(missing, ModuleNotFoundError) and missing.name in EXTRAS):
                    raise

    def _is_plug_in(self, name: str) -> bool:
        """Return whether a plug-in adds `name`; reports one that cannot be used."""
        if name not in self._own:
            return name in self
        self._load(plug_ins(self.group)[name])
        return False

    def _load(self, plug_in: PlugIn) -> Value | None:
        try:
            return self._value(plug_in)
        except OptionError as error:
            report(str(error))
            return None

    def _value(self, plug_in: PlugIn) -> Value:
        if plug_in.name in self._own:
            raise OptionError(plug_in.sentence(f"Meeple has {plug_in.name} itself"))
        value = plug_in.load()
        if not isinstance(value, self.kind):
            what = (
                f"{plug_in.target} is of the type {type(value).__name__}, not {self.kind.__name__}"
            )
            raise OptionError(plug_in.sentence(what))
        return value


@cache
def _entry_points() -> tuple[PlugIn, ...]:
    unique = {(one.group, one.package, one.name): one for one in reversed([*_declared()])}
    owners: dict[tuple[str, str], str] = {}  # the first package that can add a name to a group
    found = []
    for key in sorted(unique):
        one = unique[key]
        owner = one.package if one.fault else owners.setdefault((one.group, one.name), one.package)
        if owner != one.package:
            one = replace(one, fault=f"{owner} adds {one.name} already")
        found.append(one)
    return tuple(found)


def _declared() -> Iterator[PlugIn]:
    """Yield the plug-ins that installed packages declare, in the order of the import path."""
    for distribution in distributions():
        try:
            points = list(distribution.entry_points)
        except Exception as error:
            where = distribution.locate_file("")
            report(f"the entry points of a package in {where} cannot be read: {error}")
            continue
        for point in points:
            group = point.group.removeprefix(PREFIX)
            if point.group == PREFIX + group and group in GROUPS:
                names = (group, point.name, point.value, distribution.name, distribution.version)
                yield PlugIn(*names, _fault_of_version(distribution))


def _fault_of_version(distribution: Distribution) -> str:
    """Return what is wrong if a package requires another version of Meeple; else ""."""
    for line in distribution.requires or ():
        try:
            required = Requirement(line)
        except InvalidRequirement:
            continue
        if required.name.lower() == "meeple" and required.marker is None:
            own = version("meeple")
            if not required.specifier.contains(own, prereleases=True):
                return f"it is for meeple{required.specifier}, and this is {own}"
    return ""
