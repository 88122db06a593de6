"""A game with people in it, at the terminal: menus, commands, agents' replies and saving."""

import itertools
import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from meeple.agents.agent import Agent, Analysis
from meeple.cli import advice, terminal
from meeple.cli.story import Story
from meeple.errors import IllegalAction, MeepleError
from meeple.files import write_atomically
from meeple.games.boards.menu import Menu, menu_of
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import record_of
from meeple.kernels import CHANCE

BACK = "back"  # leaves a group of the menu again, as an empty line does
TAKEN = 8  # moves taken back that are all named


class Leave(Exception):
    """The person ends the session."""


def _tells(game: Game) -> bool:
    """Whether a game tells in sentences what happens."""
    return type(game).tell is not Game.tell


def _equal_from_the_top(parts: Sequence[str], others: Sequence[str]) -> int:
    """How many parts are the same before the first that differs."""
    return sum(1 for _ in itertools.takewhile(bool, map(operator.eq, parts, others)))


class Session:
    """People and agents at one position, until the game is over or a person leaves.

    `agents` has None for a person; `adviser` makes the agent that gives hints, when first asked.
    `save_to` is written after every move, and may be one of `own_files`: those the session may
    replace. Other files are never overwritten.
    """

    def __init__(
        self,
        position: Position,
        agents: Sequence[Agent | None],
        adviser: Callable[[], Agent],
        *,
        save_to: Path | None = None,
        own_files: Sequence[Path] = (),
        colour: bool = False,
        read: Callable[[str], str] = input,
    ) -> None:
        self.position = position
        self._agents = agents
        self._specs = ["human" if agent is None else agent.spec for agent in agents]
        self._people = [seat for seat, agent in enumerate(agents) if agent is None]
        self._make_adviser = adviser
        self._adviser: Agent | None = None
        self._own_files = {path.resolve() for path in own_files}
        self._save_to = save_to
        self._colour = colour
        self._read = read
        self._seed = position.seed  # of the last agent that was told to begin
        self._notes: dict[str, Any] = {}
        game = position.game
        self._story = Story([game.player_name(seat) for seat in range(game.players)])
        self._facing: int | None = None  # whose hand the screen has shown last
        self._drawn: list[str] = []  # the parts of the last drawing
        self._menu: Menu | None = None
        self._menu_due = False  # whether it is to be shown before the next line is read
        self._typed: list[int] = []  # the plies before each line of a person that was played
        if save_to is not None:
            self._check_target(save_to)

    # ------------------------------------------------------------ the course of the game

    def run(self) -> None:
        """Play until the game is over and the person leaves. Ctrl-C passes, with the game saved."""
        game = self.position.game
        print(terminal.wrapped(f"{terminal.title(game)}: {game.summary}"))
        print(terminal.wrapped("; ".join(self._names())))
        self._restart_agents()
        self._show()
        try:
            while True:
                self._step()
        except (Leave, EOFError):
            print()
        except KeyboardInterrupt:
            print()  # end the line of the prompt
            raise
        finally:
            self._story.end()
            if self._save_to is not None:
                self._store(self._save_to)
                print(f"Saved; go on with: meeple play --resume {self._save_to}")

    def _step(self) -> None:
        """One move of whoever is to move, or one line from a person."""
        seat = self.position.to_move
        if seat == CHANCE:
            before = self.position.copy()
            outcome = self.position.play_chance()
            self._tell(before, outcome, f"chance: {before.action_name(outcome)}")
            self._show()
            return
        agent = None if self.position.is_over else self._agents[seat]
        if agent is None:
            self._ask()
        else:
            action = agent.choose(self.position)
            name = self._names()[seat]
            words = terminal.describe_move(
                self.position, action, name, agent.analysis, self._people
            )
            self._play(action, words)

    def _tell(self, before: Position, action: int, words: str) -> None:
        """Say what was done, in the game's own sentence if it has one, or in these words."""
        told = before.game.tell(before, action, self.position, self._reader())
        if told:
            self._story.tell(told)
        elif told is None and words:
            print(words)

    def _reader(self) -> int | None:
        """The seat that the screen is for: the person to move, or the only one there is."""
        if self.position.to_move in self._people:
            return self.position.to_move
        return self._people[0] if len(self._people) == 1 else None

    def _play(self, action: int, words: str = "", more: bool = False) -> None:
        """Play an action, tell it and draw what came of it; `more` of the same line will follow."""
        before = self.position.copy()
        self.position.play(action)
        self._tell(before, action, words)
        if more:
            return
        self._show()
        if self._save_to is not None:
            try:
                self._store(self._save_to)
            except MeepleError as error:
                print(error)  # the game goes on; the last save of the session is not forgiven

    def _show(self, whole: bool = False) -> None:
        """Draw the position; where the game tells what happens, only for a person to move.

        Of a drawing in parts, with empty lines between, those above the first change are left out.
        """
        waiting = self.position.is_over or self.position.to_move in self._people
        if whole or waiting or not _tells(self.position.game):
            self._story.end()
            self._hand_over()
            parts = self._drawing()
            same = 0 if whole else _equal_from_the_top(parts[:-1], self._drawn)
            print("\n" + "\n\n".join(parts[same:]) + "\n")
            self._drawn = parts
            self._menu, self._menu_due = menu_of(self.position.action_groups()), True
        if self.position.is_over:
            print(terminal.describe_result(self.position, self._names()))

    def _hand_over(self) -> None:
        """Where several people share the screen, wait for the one whose hidden hand comes next."""
        seat, game = self.position.to_move, self.position.game
        if len(self._people) < 2 or not game.hides or seat not in self._people:
            return
        if self._facing is not None and seat != self._facing:
            print(terminal.hidden_above())
            self._read(f"{game.player_name(seat)}, press Enter when only you see the screen: ")
            self._drawn = []
        self._facing = seat

    def _drawing(self) -> list[str]:
        """The position as its reader may see it, in parts."""
        game, reader = self.position.game, self._reader()
        if reader is None:
            return game.draw(self.position, self._colour).split("\n\n")
        return game.view(self.position, reader, self._colour).split("\n\n")

    def _names(self) -> list[str]:
        """Who sits where; a single person is "you"."""
        alone = len(self._people) == 1
        seats = ["you" if alone and spec == "human" else spec for spec in self._specs]
        return terminal.seat_names(self.position.game, seats)

    def _restart_agents(self) -> None:
        """Agents start afresh: at the beginning, and where a move was taken back."""
        for agent in self._agents:
            if agent is not None:
                self._seed += 1
                agent.begin(self._seed)

    # ------------------------------------------------------------ what a person types

    def _ask(self) -> None:
        """Read one line: a move, or a command. Nothing is lost by a wrong one."""
        lines = self._menu.text(terminal.width()) if self._menu and self._menu_due else ""
        if lines:
            print(lines)
        self._menu_due = False
        text = " ".join(self._read(self._prompt()).split())
        try:
            if not self._choose(text) and not self._move(text):
                self._command(text)
        except MeepleError as error:
            print(terminal.wrapped(str(error)))

    def _prompt(self) -> str:
        if self.position.is_over:
            return "The game is over; undo, save FILE, or Enter to leave: "
        who, menu = self.position.game.player_name(self.position.to_move), self._menu
        if menu is None:
            return f"{who}, your move: "
        if menu.only is not None:
            return f"{who}, your move (Enter: {menu.entries[0].words}): "
        leave = "Enter: back, " if self._is_open() else ""
        return f"{who}, {menu.prompt[:-1]}; {leave}?: help): "

    def _is_open(self) -> bool:
        """Whether the menu is that of a group that the person has opened, and may leave again."""
        return self._menu is not None and self._menu != menu_of(self.position.action_groups())

    def _choose(self, text: str) -> bool:
        """Do what a line says in the menu, if it says anything there."""
        menu = self._menu
        if menu is None or self.position.is_over:
            return False
        if self._is_open() and (not text or text.lower() == BACK):
            self._menu, self._menu_due = menu_of(self.position.action_groups()), True
            return True
        target = menu.choose(text) if text else menu.only
        if isinstance(target, Menu):
            self._menu, self._menu_due = target, True
        elif target is not None:
            self._play_line([target])
        return target is not None

    def _move(self, text: str) -> bool:
        """Play the actions that a line names, if it names any. Raises IllegalAction."""
        if self.position.is_over or not text:
            return False
        actions = self.position.game.parse_line(self.position, text)
        if actions is None:
            return False
        if actions[0] not in self.position.legal_actions():
            raise IllegalAction(f"{text} is not legal now. {self._usage()}")
        self._play_line(actions)
        return True

    def _play_line(self, actions: Sequence[int]) -> None:
        """Play what a line of a person says, all of it or nothing. Raises IllegalAction."""
        twin = self.position.copy()
        for action in actions:
            twin.play(action)
        self._typed.append(len(self.position.actions))
        for action in actions[:-1]:
            self._play(action, more=True)
        self._play(actions[-1])

    def _command(self, text: str) -> None:
        """Do what a command says, or say what may be typed."""
        if not text:
            if self.position.is_over:
                raise Leave
            print(terminal.wrapped(self._usage()))
            return
        command, *rest = text.split()
        run = self._commands().get("help" if command == "?" else command.lower())
        if run is None:
            wrong = f"'{text}' is neither a legal move nor a command. {self._usage()}"
            print(terminal.wrapped(wrong))
        else:
            run(rest)

    def _usage(self) -> str:
        """What may be typed, with two moves as examples."""
        commands = "a command: " + ", ".join(self._commands())
        legal = self.position.legal_actions().tolist()
        if not legal:
            return f"Type {commands}."
        picks = dict.fromkeys([legal[len(legal) // 2], legal[0]])
        examples = " or ".join(self.position.action_name(action) for action in picks)
        if self._menu is not None:
            return f"Type a choice ({self._menu.keys}), a move such as {examples}, or ? for help."
        return f"Type a move, such as {examples}, or {commands}."

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        """Every command by name; the first line of a method's docstring is its help."""
        return {
            "moves": self._list_moves,
            "hint": self._hint,
            "analyse": self._analyse,
            "undo": self._undo,
            "board": self._board,
            "save": self._save,
            "resign": self._resign,
            "help": self._help,
            "quit": self._quit,
        }

    # ------------------------------------------------------------ the commands

    def _list_moves(self, words: list[str]) -> None:
        """List every legal move."""
        names = [self.position.action_name(a) for a in self.position.legal_actions().tolist()]
        print(terminal.in_columns(names) or "There is no move: the game is over.")

    def _hint(self, words: list[str]) -> None:
        """Name the best few moves, with your winning chance after each."""
        print(advice.hint(self.position, *self._advise()))

    def _analyse(self, words: list[str]) -> None:
        """Search the position: winning chances, best moves, expected play."""
        _, analysis = self._advise()
        assert self._adviser is not None
        if analysis is None:
            print(f"{self._adviser.spec} gives no analysis.")
        else:
            print(advice.report(self.position, self._adviser.spec, analysis))

    def _advise(self) -> tuple[int, Analysis | None]:
        """The move that the adviser would play here, and why."""
        if self.position.is_over:
            raise MeepleError("There is nothing to search: the game is over.")
        if self._adviser is None:
            self._adviser = self._make_adviser()
        self._adviser.begin(self.position.seed)
        return self._adviser.choose(self.position), self._adviser.analysis

    def _undo(self, words: list[str]) -> None:
        """Take back your last move, and what was played after it."""
        earlier, names = self.position.copy(), []
        goal = self._typed.pop() if self._typed else None  # None: it was played before a resume
        while earlier.actions:
            action = earlier.actions[-1]
            earlier.undo()
            names.append(earlier.action_name(action))
            if len(earlier.actions) == goal or (goal is None and earlier.to_move in self._people):
                break
        else:
            raise MeepleError("There is no move of yours to take back.")
        self.position = earlier
        self._notes.clear()
        self._restart_agents()
        if len(names) > TAKEN:
            names = [names[-1], f"and {len(names) - 1} actions after it"]
        print(f"Taken back: {', '.join(names)}")
        self._drawn = []
        self._show()

    def _board(self, words: list[str]) -> None:
        """Draw the board again; alone, where the terminal is too low for all."""
        drawing = self._drawing()
        if sum(part.count("\n") + 2 for part in drawing) < terminal.height():
            self._show(whole=True)
        else:
            print(drawing[0])

    def _save(self, words: list[str]) -> None:
        """Save the game to a new FILE; `meeple play --resume FILE` goes on with it."""
        if not words:
            raise MeepleError("Name the file: save FILE")
        path = Path(" ".join(words)).expanduser()
        self._check_target(path)
        self._store(path)
        print(f"Saved to {path}")

    def _resign(self, words: list[str]) -> None:
        """Give the game up and leave."""
        if self.position.is_over:
            raise MeepleError("The game is over already.")
        seat = self.position.to_move
        self._notes["resigned"] = seat
        names = self._names()
        others = [name for player, name in enumerate(names) if player != seat]
        print(f"{names[seat]} gave up" + (f"; {others[0]} wins." if len(others) == 1 else "."))
        raise Leave

    def _help(self, words: list[str]) -> None:
        """Say how the board is read and what may be typed; so does ?."""
        guide = self.position.game.guide(self.position)
        for line in [*guide.splitlines(), self._usage()]:
            print(terminal.wrapped(line))
        for name, run in self._commands().items():
            print(f"  {name:<8} {(run.__doc__ or '').splitlines()[0]}")

    def _quit(self, words: list[str]) -> None:
        """Leave, with the game saved if --save was given."""
        raise Leave

    # ------------------------------------------------------------ saving

    def _check_target(self, path: Path) -> None:
        if path.exists() and path.resolve() not in self._own_files:
            raise MeepleError(f"{path} exists already; name another file")

    def _store(self, path: Path) -> None:
        """Write the record, all or nothing. Raises MeepleError that says why it cannot be."""
        record = record_of(self.position, self._specs, notes=self._notes)
        try:
            write_atomically(path, record.to_json() + "\n")
        except OSError as error:
            reason = error.strerror or error
            raise MeepleError(f"the game cannot be saved to {path}: {reason}") from None
        self._own_files.add(path.resolve())
