"""Menus for people: the legal actions by what they do, numbered; of games that declare groups."""

import itertools
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class Entry:
    """A line of a menu: what is typed for it, its words, and an action or a further menu."""

    key: str
    words: str
    target: Union[int, "Menu"]


@dataclass(frozen=True)
class Menu:
    """A choice among groups of actions, or among the actions of a group."""

    title: str  # empty above the groups
    entries: tuple[Entry, ...]

    def choose(self, text: str) -> Union[int, "Menu", None]:
        """The action or menu that a key, or an entry's whole words, stand for; or None."""
        word = " ".join(text.lower().split())
        for entry in self.entries:
            if word in (entry.key, entry.words.lower()):
                return entry.target
        return None

    @property
    def only(self) -> int | None:
        """The action, where there is but one."""
        targets = [entry.target for entry in self.entries]
        return targets[0] if len(targets) == 1 and isinstance(targets[0], int) else None

    @property
    def keys(self) -> str:
        """What may be typed, for a prompt: "1-7", "3, 12-14"."""
        return spans(int(entry.key) for entry in self.entries)

    def text(self, width: int) -> str:
        """The menu as lines no wider than `width`; none where title and keys say all."""
        if not self.title:
            room = width - 5
            return "\n".join(
                f"{entry.key:>3}  {textwrap.shorten(_line(entry), room, placeholder=' ...')}"
                for entry in self.entries
            )
        if self._is_plain():
            return ""
        listed = ", ".join(f"({entry.key}) {entry.words}" for entry in self.entries)
        return textwrap.fill(f"{self.title}: {listed}", width, subsequent_indent="  ")

    @property
    def prompt(self) -> str:
        """What is to be chosen, for a prompt: "build a road (30, 45)", "your choice (1-7)"."""
        return f"{self.title if self._is_plain() else 'your choice'} ({self.keys})"

    @property
    def inside(self) -> str:
        """The choices of a group in a line."""
        return self.keys if self._is_plain() else ", ".join(entry.words for entry in self.entries)

    def _is_plain(self) -> bool:
        """Whether the choices are the numbers that are typed for them."""
        return all(entry.key == entry.words for entry in self.entries)


def menu_of(groups: Mapping[str, Mapping[str, int]]) -> Menu | None:
    """The menu of a position's groups of actions, or of the only one; None where there are none."""
    if not groups:
        return None
    if len(groups) == 1:
        ((title, actions),) = groups.items()
        if len(actions) > 1:
            return _group(title, actions)
    entries = []
    for number, (title, actions) in enumerate(groups.items(), start=1):
        only = next(iter(actions.values())) if len(actions) == 1 else None
        target = _group(title, actions) if only is None else only
        words = title if only is None else _words(title, next(iter(actions)))
        entries.append(Entry(str(number), words, target))
    return Menu("", tuple(entries))


def spans(numbers: Iterable[int]) -> str:
    """Numbers in few words: "0-5, 7, 9-12"."""
    words = []
    for _, run in itertools.groupby(enumerate(sorted(numbers)), lambda item: item[1] - item[0]):
        members = [number for _, number in run]
        words.append(f"{members[0]}-{members[-1]}" if len(members) > 2 else _listed(members))
    return ", ".join(words)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _group(title: str, actions: Mapping[str, int]) -> Menu:
    """The menu of one group. Labels that are numbers are their own keys."""
    if all(label.isdecimal() for label in actions):
        keys = list(actions)
    else:
        keys = [str(number) for number in range(1, len(actions) + 1)]
    pairs = zip(keys, actions.items(), strict=True)
    return Menu(title, tuple(Entry(key, label, action) for key, (label, action) in pairs))


def _words(title: str, label: str) -> str:
    """A group of one action: its title says all, but for where or what."""
    return f"{title}: {label}" if label else title


def _line(entry: Entry) -> str:
    """An entry of the first menu, with what its group holds."""
    inside = f": {entry.target.inside}" if isinstance(entry.target, Menu) else ""
    return f"{entry.words}{inside}"
