"""Numbered menus of legal actions, for games that group their actions."""

import itertools
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class MenuEntry:
    """A line of a menu: the key to type, its words, and an action or a further menu."""

    key: str
    words: str
    target: Union[int, "Menu"]


@dataclass(frozen=True)
class Menu:
    """A choice among groups of actions, or among the actions of one group."""

    title: str  # empty for the menu of groups
    entries: tuple[MenuEntry, ...]

    def choose(self, text: str) -> Union[int, "Menu", None]:
        """Return the action or menu of a key or of an entry's words; `None` for other text."""
        word = " ".join(text.lower().split())
        for entry in self.entries:
            if word in (entry.key, entry.words.lower()):
                return entry.target
        return None

    @property
    def only(self) -> int | None:
        """The only action of the menu; `None` if it has several, or further menus."""
        targets = [entry.target for entry in self.entries]
        return targets[0] if len(targets) == 1 and isinstance(targets[0], int) else None

    @property
    def keys(self) -> str:
        """The keys in short form, for a prompt: "1-7", "3, 12-14"."""
        return spans(int(entry.key) for entry in self.entries)

    def text(self, width: int) -> str:
        """Return the menu as lines of at most `width` characters; empty if the prompt says all."""
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
        """The prompt, such as "build a road (30, 45)" or "your choice (1-7)"."""
        return f"{self.title if self._is_plain() else 'your choice'} ({self.keys})"

    @property
    def inside(self) -> str:
        """The choices of a group in one line."""
        return self.keys if self._is_plain() else ", ".join(entry.words for entry in self.entries)

    def _is_plain(self) -> bool:
        """Return whether each choice is the number that is typed for it."""
        return all(entry.key == entry.words for entry in self.entries)


def menu_of(groups: Mapping[str, Mapping[str, int]]) -> Menu | None:
    """Return the menu of a position's groups of actions, or of its only group; `None` without."""
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
        entries.append(MenuEntry(str(number), words, target))
    return Menu("", tuple(entries))


def spans(numbers: Iterable[int]) -> str:
    """Return numbers in a short form: "0-5, 7, 9-12"."""
    words = []
    for _, run in itertools.groupby(enumerate(sorted(numbers)), lambda item: item[1] - item[0]):
        members = [number for _, number in run]
        words.append(f"{members[0]}-{members[-1]}" if len(members) > 2 else _listed(members))
    return ", ".join(words)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _group(title: str, actions: Mapping[str, int]) -> Menu:
    """Return the menu of one group; labels that are numbers are the keys."""
    if all(label.isdecimal() for label in actions):
        keys = list(actions)
    else:
        keys = [str(number) for number in range(1, len(actions) + 1)]
    pairs = zip(keys, actions.items(), strict=True)
    return Menu(title, tuple(MenuEntry(key, label, action) for key, (label, action) in pairs))


def _words(title: str, label: str) -> str:
    """Return the words for a group of one action: its title, with the place or thing if any."""
    return f"{title}: {label}" if label else title


def _line(entry: MenuEntry) -> str:
    """Return an entry of the first menu with the contents of its group."""
    inside = f": {entry.target.inside}" if isinstance(entry.target, Menu) else ""
    return f"{entry.words}{inside}"
