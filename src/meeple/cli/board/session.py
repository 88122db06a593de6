"""A game with people at the terminal: menus, commands and agents' replies."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from meeple.agents.agent import Agent, Analysis
from meeple.cli.board import hints
from meeple.cli.board.screen import BoardScreen
from meeple.cli.shared.progress import solving
from meeple.cli.shared.terminal import in_columns, width, wrapped
from meeple.cli.shared.words import describe_move, options_as_text, partners
from meeple.errors import IllegalAction, MeepleError
from meeple.files import write_atomically
from meeple.games.boards.menu import Menu, menu_of
from meeple.games.contract import capabilities
from meeple.games.contract.game import Position
from meeple.games.contract.game_words import command_for
from meeple.games.contract.records import record_of
from meeple.kernels import CHANCE

BACK = "back"  # closes a group of the menu, like an empty line
MAX_NAMED = 8  # moves taken back; of more, only the first is named


class Leave(Exception):
    """The person has left the session."""


class PlaySession:
    """People and agents at one position, until the game is over or a person leaves.

    `agents` has None for a person; `hinter` builds the agent for hints, on first use.
    `save_to` is written after every move, and may be one of `own_files`, which the session may
    replace. Other files are never overwritten. `note` is printed before the game.

    Every prompt that Enter answers names its meaning, as in "(Enter: roll the dice)".
    """

    def __init__(
        self,
        position: Position,
        agents: Sequence[Agent | None],
        hinter: Callable[[], Agent],
        *,
        save_to: Path | None = None,
        own_files: Sequence[Path] = (),
        colour: bool = False,
        read: Callable[[str], str] = input,
        note: str = "",
    ) -> None:
        self.position = position
        self._agents = agents
        self._note = note
        self._specs = ["human" if agent is None else agent.spec for agent in agents]
        self._people = [seat for seat, agent in enumerate(agents) if agent is None]
        self._make_hinter = hinter
        self._hinter: Agent | None = None
        self._read = read
        self._screen = BoardScreen(
            position.game, self._specs, self._people, colour=colour, read=read
        )
        self._own_files = {path.resolve() for path in own_files}
        self._save_to = save_to
        self._seed = position.seed  # the seed of the last agent that was started
        self._notes: dict[str, Any] = {}
        self._menu: Menu | None = None
        self._menu_due = False  # whether to show the menu before the next line is read
        self._typed: list[int] = []  # the number of plies before each line of moves of a person
        if save_to is not None:
            self._check_unused(save_to)

    # ------------------------------------------------------------ the course of the game

    def run(self) -> None:
        """Play until the person leaves; Ctrl-C saves the game and raises KeyboardInterrupt."""
        for line in self._introduction():
            print(wrapped(line))
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
            self._screen.end_line()
            if self._save_to is not None:
                self._store(self._save_to)
                line = command_for(self.position.game, "play", "--resume", self._save_to)
                print(f"Saved. Resume with: {line}")

    def _introduction(self) -> list[str]:
        """Return what the game is about, how the board is read, the players and the options."""
        game = self.position.game
        names = "; ".join(self._screen.names)
        lines = [f"{game.name}: {game.summary}", *capabilities.guide(self.position).splitlines()]
        options = options_as_text(game)
        lines += [names, partners(game), self._note, options and f"Options: {options}"]
        return [line for line in lines if line]

    def _step(self) -> None:
        """Play one move of chance or an agent, or read one line from a person."""
        seat = self.position.to_move
        if seat == CHANCE:
            before = self.position.copy()
            outcome = self.position.play_chance()
            self._screen.tell(
                before, outcome, self.position, f"chance: {before.action_name(outcome)}"
            )
            self._show()
            return
        agent = None if self.position.is_over else self._agents[seat]
        if agent is None:
            self._ask()
        else:
            with solving(agent):
                action = agent.choose(self.position)
            name = self._screen.names[seat]
            words = describe_move(self.position, action, name, agent.analysis, self._people)
            self._play(action, words)

    def _play(self, action: int, words: str = "", more: bool = False) -> None:
        """Play, print and draw an action; with `more`, another action of the line follows."""
        before = self.position.copy()
        self.position.play(action)
        self._screen.tell(before, action, self.position, words)
        if more:
            return
        self._show()
        if self._save_to is not None:
            try:
                self._store(self._save_to)
            except MeepleError as error:
                print(error)  # the game continues; the session's last save raises its error

    def _show(self) -> None:
        """Draw the position, and request its menu before the next line is read."""
        if self._screen.show(self.position):
            self._open(menu_of(capabilities.action_groups(self.position)))

    def _open(self, menu: Menu | None) -> None:
        self._menu, self._menu_due = menu, True

    def _restart_agents(self) -> None:
        """Restart the agents: at the beginning, and after a move was taken back."""
        for agent in self._agents:
            if agent is not None:
                self._seed += 1
                agent.begin(self._seed)

    # ------------------------------------------------------------ what a person types

    def _ask(self) -> None:
        """Read one line, a move or a command; a wrong one changes nothing."""
        lines = self._menu.text(width()) if self._menu and self._menu_due else ""
        if lines:
            print(lines)
        self._menu_due = False
        text = " ".join(self._read(self._prompt()).split())
        try:
            if not self._choose(text) and not self._move(text):
                self._command(text)
        except MeepleError as error:
            print(wrapped(str(error)))

    def _prompt(self) -> str:
        if self.position.is_over:
            return "The game is over; undo or save FILE (Enter: leave): "
        who, menu = self.position.game.player_name(self.position.to_move), self._menu
        if menu is None:
            return f"{who}, your move (Enter: help): "
        if menu.only is not None:
            return f"{who}, your move (Enter: {menu.entries[0].words}): "
        keys = "Enter: back, ?: help" if self._is_open() else "Enter: help"
        return f"{who}, {menu.prompt[:-1]}; {keys}): "

    def _is_open(self) -> bool:
        """Return whether the menu is that of a group, which the person may close."""
        return self._menu is not None and self._menu != menu_of(
            capabilities.action_groups(self.position)
        )

    def _choose(self, text: str) -> bool:
        """Follow a line that is a choice of the menu; return whether it is one."""
        menu = self._menu
        if menu is None or self.position.is_over:
            return False
        if self._is_open() and (not text or text.lower() == BACK):
            self._open(menu_of(capabilities.action_groups(self.position)))
            return True
        target = menu.choose(text) if text else menu.only
        if isinstance(target, Menu):
            self._open(target)
        elif target is not None:
            self._play_line([target])
        return target is not None

    def _move(self, text: str) -> bool:
        """Play the actions that a line names; return whether it names any. Raises IllegalAction."""
        if self.position.is_over or not text:
            return False
        actions = capabilities.parse_line(self.position, text)
        if actions is None:
            return False
        if actions[0] not in self.position.legal_actions():
            raise IllegalAction(f"{text} is not legal now. {self._usage()}")
        self._play_line(actions)
        return True

    def _play_line(self, actions: Sequence[int]) -> None:
        """Play all actions of a person's line, or none of them and raise IllegalAction."""
        twin = self.position.copy()
        for action in actions:
            twin.play(action)
        self._typed.append(len(self.position.actions))
        for action in actions[:-1]:
            self._play(action, more=True)
        self._play(actions[-1])

    def _command(self, text: str) -> None:
        """Run a command, or print the allowed input."""
        if not text:
            if self.position.is_over:
                raise Leave
            self._help([])
            return
        command, *rest = text.split()
        run = self._commands().get("help" if command == "?" else command.lower())
        if run is None:
            wrong = f"'{text}' is neither a legal move nor a command. {self._usage()}"
            print(wrapped(wrong))
        else:
            run(rest)

    def _usage(self) -> str:
        """Return a sentence on the allowed input, with two moves as examples."""
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
        """Return every command by name; the first line of a method's docstring is its help."""
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
        print(in_columns(names) or "There is no move: the game is over.")

    def _hint(self, words: list[str]) -> None:
        """Name the best few moves, with your winning chance after each."""
        print(hints.hint(self.position, *self._searched()))
        assert self._hinter is not None
        print(hints.evaluated_by(self.position, self._hinter.spec))

    def _analyse(self, words: list[str]) -> None:
        """Search the position: winning chances, best moves, expected play."""
        _, analysis = self._searched()
        assert self._hinter is not None
        if analysis is None:
            print(f"{self._hinter.spec} gives no analysis.")
        else:
            print(hints.report(self.position, self._hinter.spec, analysis))

    def _searched(self) -> tuple[int, Analysis | None]:
        """Return the move that the hint agent would play, with its analysis."""
        if self.position.is_over:
            raise MeepleError("There is nothing to search: the game is over.")
        if self._hinter is None:
            self._hinter = self._make_hinter()
        self._hinter.begin(self.position.seed)
        return self._hinter.choose(self.position), self._hinter.analysis

    def _undo(self, words: list[str]) -> None:
        """Take back your last move and all later moves."""
        earlier, names, is_drawn = self.position.copy(), [], False
        goal = self._typed[-1] if self._typed else None  # None: the move precedes a resume
        while earlier.actions:
            action = earlier.actions[-1]
            earlier.undo()
            names.append(earlier.action_name(action))
            is_drawn |= earlier.to_move == CHANCE
            if len(earlier.actions) == goal or (goal is None and earlier.to_move in self._people):
                break
        else:
            raise MeepleError("There is no move of yours to take back.")
        if is_drawn and any(agent is not None for agent in self._agents):
            raise MeepleError(
                "This move cannot be taken back: the game has an agent, and dice or cards were "
                "drawn since."
            )
        self.position = earlier
        del self._typed[-1:]
        self._notes.clear()
        self._restart_agents()
        if len(names) > MAX_NAMED:
            names = [names[-1], f"and {len(names) - 1} actions after it"]
        print(f"Taken back: {', '.join(names)}")
        self._screen.forget()
        self._show()

    def _board(self, words: list[str]) -> None:
        """Draw the board again, without the rest if the terminal has too few lines."""
        if self._screen.show_again(self.position):
            self._open(menu_of(capabilities.action_groups(self.position)))

    def _save(self, words: list[str]) -> None:
        """Save the game to a new FILE; `meeple play --resume FILE` resumes it."""
        if not words:
            raise MeepleError("Name the file: save FILE")
        path = Path(" ".join(words)).expanduser()
        self._check_unused(path)
        self._store(path)
        print(f"Saved to {path}")

    def _resign(self, words: list[str]) -> None:
        """Resign the game and leave."""
        if self.position.is_over:
            raise MeepleError("The game is over already.")
        seat = self.position.to_move
        self._notes["resigned"] = seat
        names = self._screen.names
        others = [name for player, name in enumerate(names) if player != seat]
        print(f"{names[seat]} gave up" + (f"; {others[0]} wins." if len(others) == 1 else "."))
        raise Leave

    def _help(self, words: list[str]) -> None:
        """Explain the board and the commands, like ?."""
        guide = capabilities.guide(self.position)
        for line in [*guide.splitlines(), self._usage()]:
            print(wrapped(line))
        for name, run in self._commands().items():
            print(f"  {name:<8} {(run.__doc__ or '').splitlines()[0]}")

    def _quit(self, words: list[str]) -> None:
        """Leave, with the game saved if --save was given."""
        raise Leave

    def _check_unused(self, path: Path) -> None:
        """Raise MeepleError for an existing file that is not the game's own."""
        if path.exists() and path.resolve() not in self._own_files:
            raise MeepleError(f"{path} exists already; name another file")

    def _store(self, path: Path) -> None:
        """Write the game atomically; raise MeepleError with the reason of a failure."""
        record = record_of(self.position, self._specs, notes=self._notes)
        try:
            write_atomically(path, record.to_json() + "\n")
        except OSError as error:
            reason = error.strerror or error
            raise MeepleError(f"the game cannot be saved to {path}: {reason}") from None
        self._own_files.add(path.resolve())
