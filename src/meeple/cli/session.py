"""A game with people in it, at the terminal: prompts, commands, agents' replies and saving."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from meeple.agents.agent import Agent, Analysis
from meeple.cli import terminal
from meeple.errors import IllegalAction, MeepleError
from meeple.files import write_atomically
from meeple.games.game import Game
from meeple.games.position import Position
from meeple.games.records import record_of
from meeple.kernels import CHANCE

HINTS = 3  # moves that a hint names
ANALYSED = 10  # moves that an analysis lists


class Leave(Exception):
    """The person ends the session."""


def _tells(game: Game) -> bool:
    """Whether a game tells in sentences what happens."""
    return type(game).tell is not Game.tell


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
        if save_to is not None:
            self._check_target(save_to)

    # ------------------------------------------------------------ the course of the game

    def run(self) -> None:
        """Play until the game is over and the person leaves. Ctrl-C passes, with the game saved."""
        game = self.position.game
        print(f"{terminal.title(game)}: {game.summary}")
        print("; ".join(self._names()))
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
        if told or (told is None and words):
            print(told or words)

    def _reader(self) -> int | None:
        """The seat that the screen is for: the person to move, or the only one there is."""
        if self.position.to_move in self._people:
            return self.position.to_move
        return self._people[0] if len(self._people) == 1 else None

    def _play(self, action: int, words: str = "") -> None:
        before = self.position.copy()
        self.position.play(action)
        self._tell(before, action, words)
        self._show()
        if self._save_to is not None:
            try:
                self._store(self._save_to)
            except MeepleError as error:
                print(error)  # the game goes on; the last save of the session is not forgiven

    def _show(self, always: bool = False) -> None:
        """Draw the position; where the game tells what happens, only for a person to move."""
        game, reader = self.position.game, self._reader()
        waiting = self.position.is_over or self.position.to_move in self._people
        if always or waiting or not _tells(game):
            seen = (
                game.draw(self.position, self._colour)
                if reader is None
                else game.view(self.position, reader, self._colour)
            )
            print(f"\n{seen}\n")
        if self.position.is_over:
            print(terminal.describe_result(self.position, self._names()))

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
        words = self._read(self._prompt()).split()
        if not words:
            if self.position.is_over:
                raise Leave
            print(self._usage())
            return
        try:
            actions = self._parse_move(" ".join(words))
            if actions is not None:
                for action in actions:
                    self._play(action)
                return
            command, *rest = words
            run = self._commands().get(command.lower())
            if run is None:
                print(f"'{' '.join(words)}' is neither a legal move nor a command. {self._usage()}")
            else:
                run(rest)
        except MeepleError as error:
            print(error)

    def _prompt(self) -> str:
        if self.position.is_over:
            return "The game is over; undo, save FILE, or Enter to leave: "
        return f"{self.position.game.player_name(self.position.to_move)}, your move: "

    def _parse_move(self, text: str) -> list[int] | None:
        """The actions a text names, or None if it names none. Raises IllegalAction."""
        game, over = self.position.game, self.position.is_over
        actions = None if over else game.parse_line(self.position, text)
        if actions is not None and actions[0] not in self.position.legal_actions():
            raise IllegalAction(f"{text} is not legal now. {self._usage()}")
        return actions

    def _usage(self) -> str:
        """What may be typed, with two moves as examples."""
        commands = "a command: " + ", ".join(self._commands())
        legal = self.position.legal_actions().tolist()
        if not legal:
            return f"Type {commands}."
        picks = dict.fromkeys([legal[len(legal) // 2], legal[0]])
        examples = " or ".join(self.position.action_name(action) for action in picks)
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
        choice, analysis = self._advise()
        seat = self.position.to_move
        if analysis is None:
            print(f"Hint: {self.position.action_name(choice)}")
            return
        tips = []
        for place in terminal.ranked(analysis)[:HINTS]:
            name = self.position.action_name(int(analysis.actions[place]))
            values = analysis.action_values
            chance = "-" if values is None else terminal.percent(values[place, seat])
            tips.append(name if chance == "-" else f"{name} ({chance})")
        print(f"Hint: {', '.join(tips)}")

    def _analyse(self, words: list[str]) -> None:
        """Search the position: winning chances, best moves, expected play."""
        _, analysis = self._advise()
        assert self._adviser is not None
        if analysis is None:
            print(f"{self._adviser.spec} gives no analysis.")
            return
        game, seat = self.position.game, self.position.to_move
        print(f"{self._adviser.spec}, {terminal.effort(analysis)}")
        print(f"winning chances: {terminal.chances(game, analysis, range(game.players))}")
        total = max(int(analysis.visits.sum()), 1)
        rows = [("move", "chance", "searched")]
        for place in terminal.ranked(analysis)[:ANALYSED]:
            values = analysis.action_values
            rows.append(
                (
                    self.position.action_name(int(analysis.actions[place])),
                    "-" if values is None else terminal.percent(values[place, seat]),
                    terminal.percent(analysis.visits[place] / total),
                )
            )
        width = max(len(name) for name, _, _ in rows)
        for name, chance, searched in rows:
            print(f"  {name:<{width}}  {chance:>6}  {searched:>8}")
        print(f"expects {terminal.line_of_play(self.position, analysis.principal_variation)}")

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
        earlier = self.position.copy()
        names = []
        while earlier.actions:
            action = earlier.actions[-1]
            earlier.undo()
            names.append(earlier.action_name(action))
            if earlier.to_move in self._people:
                break
        else:
            raise MeepleError("There is no move of yours to take back.")
        self.position = earlier
        self._notes.clear()
        self._restart_agents()
        print(f"Taken back: {', '.join(names)}")
        self._show()

    def _board(self, words: list[str]) -> None:
        """Draw the board again."""
        self._show(always=True)

    def _save(self, words: list[str]) -> None:
        """Save the game to a new FILE, to go on with `meeple play --resume FILE`."""
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
        """Show this list."""
        print(self._usage())
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
