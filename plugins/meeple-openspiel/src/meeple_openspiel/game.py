"""Games of OpenSpiel as games of Meeple: `meeple.make("openspiel:breakthrough")`.

The rules stay those of the library: kernels are calls of Python functions (`states.py`).
"""

import functools
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import pyspiel

from meeple import kernels
from meeple.errors import OptionError, did_you_mean, shown
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import load_game
from meeple.kernels import CHANCE
from meeple.kernels.table import CallbackTable
from meeple.options import Flag, Integer, Number, Option, Text, check_options
from meeple_openspiel.sampling import Knowledge, Sampler
from meeple_openspiel.states import States, legal_or_outcomes, state_record

PREFIX = "openspiel:"
MAX_ACTIONS = 1_000_000  # of a game; a list of so many takes 8 MB
MAX_PLIES = 100_000  # of a game; a state takes 4 bytes for each

_classes: dict[str, type[Game]] = {}


def openspiel_class(name: str, options: Mapping[str, Any] = MappingProxyType({})) -> type[Game]:
    """Return the class of a game such as `openspiel:hex(board_size=5)`.

    Args:
        name: of the game, with or without parameters.
        options: more parameters of OpenSpiel, values or their text; they become part of the name.

    Raises:
        OptionError: OpenSpiel has no such game, a parameter is wrong, or the game has something
            that Meeple lacks.
    """
    _check_name(name)
    try:
        parameters = _parameters(name, options)
        theirs = pyspiel.load_game(parameters.pop("name"), parameters)
    except OptionError:
        raise
    except Exception as error:
        raise OptionError(f"OpenSpiel cannot load {shown(name)}: {_first_line(error)}") from None
    reason = why_not(theirs)
    if reason:
        raise OptionError(f"{name} cannot be played here: {reason}")
    full = PREFIX + str(theirs).removesuffix("()")
    if full not in _classes:
        _classes[full] = _class_of(full, theirs)
    return _classes[full]


def _check_name(name: str) -> None:
    short = name.removeprefix(PREFIX).partition("(")[0].strip()
    known = pyspiel.registered_names()
    if short not in known:
        advice = did_you_mean(short, known) or f"it has {', '.join(sorted(known)[:8])}, ..."
        raise OptionError(f"OpenSpiel has no game {shown(short)}; {advice}")


def _parameters(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a name and of options, checked; `name` is the game's short name."""
    given: dict[str, Any] = pyspiel.game_parameters_from_string(name.removeprefix(PREFIX))
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    known = kinds[given["name"]].parameter_specification
    declared = {key: _option(key, default) for key, default in known.items()}
    checked = check_options(f"{PREFIX}{given['name']}", declared, options, "parameter")
    for key in options:
        value = checked[key]
        is_game = isinstance(known[key], dict)
        given[key] = pyspiel.game_parameters_from_string(value) if is_game else value
    return given


def _option(name: str, default: Any) -> Option:
    """Return the option of a parameter of OpenSpiel, which has a type but no limits."""
    if isinstance(default, bool):
        return Flag(default, name)
    if isinstance(default, int):
        return Integer(default, None, None, name)
    if isinstance(default, float):
        return Number(default, None, None, name)
    if isinstance(default, dict):
        return Text(None, "a game of OpenSpiel", str, name)
    return Text(default, "a text", str, name)


def why_not(game: Any) -> str:
    """Return why a `pyspiel.Game` cannot be mapped to the contract; empty if it can."""
    kind = game.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return (
            "its players move at the same time; "
            f"{PREFIX}turn_based_simultaneous_game(game={game!s}) lets them move in turn"
        )
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "it is a mean field game, in which a distribution of players moves"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its chance outcomes by itself, without chance nodes"
    if game.num_players() < 2:
        return "it has one player"
    if kind.utility == pyspiel.GameType.Utility.IDENTICAL:
        return "its players share one utility, and here they compete"
    if kind.utility == pyspiel.GameType.Utility.GENERAL_SUM:
        return (
            "its utilities do not have a constant sum, so they are no shares of a win; "
            f"{PREFIX}zerosum(game={game!s}) is the game of their differences"
        )
    return _too_large(game) or _too_little_known(game)


def _too_large(game: Any) -> str:
    actions = max(game.num_distinct_actions(), game.max_chance_outcomes())
    if actions > MAX_ACTIONS:
        return f"it has {actions:,} actions, more than {MAX_ACTIONS:,}"
    plies = game.max_game_length() + game.max_chance_nodes_in_history()
    if plies > MAX_PLIES:
        return f"its games may take {plies:,} actions, more than {MAX_PLIES:,}"
    return ""


def _too_little_known(game: Any) -> str:
    kind = game.get_type()
    if not (kind.provides_observation_tensor or kind.provides_information_state_tensor):
        return "it has no tensor of what a player observes"
    if hides(game) and _knowledge_of(kind) is None:
        return "it has no text of what a player knows, so that what is hidden cannot be sampled"
    return ""


def hides(game: Any) -> bool:
    """Return whether the players of a `pyspiel.Game` do not know its whole state."""
    perfect = pyspiel.GameType.Information.PERFECT_INFORMATION
    return bool(game.get_type().information != perfect)


def _knowledge_of(kind: Any) -> Knowledge | None:
    if kind.provides_information_state_string:
        return lambda state, seat: state.information_state_string(seat)
    if kind.provides_observation_string:
        return lambda state, seat: state.observation_string(seat)
    return None


class OpenSpielGame(Game):
    """A game of OpenSpiel. `openspiel_class` makes a subclass for each, whose name has the options.

    Attributes:
        theirs: the `pyspiel.Game`.
        states: its states and rules.
    """

    transpositions = False  # a state is a history, and histories are never equal
    Options = kernels.record()
    theirs: ClassVar[Any]
    states: ClassVar[States]
    _public: ClassVar[Any]  # the observer of what all may see; None if the game has none

    def configure(self) -> None:
        """Take the sizes from OpenSpiel."""
        theirs, kind = self.theirs, self.theirs.get_type()
        self.players = theirs.num_players()
        self.num_actions = self.max_moves
        self.max_plies = theirs.max_game_length() + theirs.max_chance_nodes_in_history()
        by_information = _by_information_state(theirs)
        shape = (
            theirs.information_state_tensor_shape()
            if by_information or not kind.provides_observation_tensor
            else theirs.observation_tensor_shape()
        )
        self.observation_shape = tuple(shape) or (1,)
        self._named: tuple[bytes, dict[int, str]] = (b"", {})  # the last position with names

    @property
    def title(self) -> str:
        """OpenSpiel's name for people, with the parameters that are given."""
        parameters = self.name.partition("(")[2].removesuffix(")")
        return f"{self.theirs.get_type().long_name}{parameters and f', {parameters}'}"

    # ------------------------------------------------------------ rules

    @property
    def hides(self) -> bool:
        return hides(self.theirs)

    def address_of(self, index: int) -> int:
        self.states.check()
        return super().address_of(index)

    @functools.cached_property
    def _supplied(self) -> frozenset[int]:
        return frozenset(self.states.functions)

    def _new_table(self) -> CallbackTable:
        return CallbackTable(self.states.functions)

    def __reduce__(self) -> Any:
        return _again, (self.name,)

    # ------------------------------------------------------------ names and drawings

    def action_name(self, position: Position, action: int) -> str:
        """Return OpenSpiel's name of a legal action, else its number.

        OpenSpiel may end the process over the name of an action that is not legal.
        """
        return self._names(position).get(action, str(action))

    def parse_action(self, position: Position, text: str) -> int | None:
        """Return the action of a name, or of OpenSpiel's number if no action has that name."""
        wanted = _words(text).lower()
        for action, name in self._names(position).items():
            if name.lower() == wanted:
                return action
        return int(wanted) if wanted.isdecimal() and int(wanted) < self.num_actions else None

    def _names(self, position: Position) -> dict[int, str]:
        """Return the names of the legal actions; equal ones are told apart by their numbers."""
        row = position.row.tobytes()
        if self._named[0] != row:
            self._named = row, {} if position.is_over else self._new_names(position)
        return self._named[1]

    def _new_names(self, position: Position) -> dict[int, str]:
        state, seat = self.states.at(position.address), position.to_move
        actions = legal_or_outcomes(state)
        names = [_words(state.action_to_string(seat, action)) for action in actions]
        counts = Counter(name.lower() for name in names)
        return {
            action: name if name and counts[name.lower()] == 1 else f"{name} [{action}]".strip()
            for action, name in zip(actions, names, strict=True)
        }

    def draw(self, position: Position, colour: bool = False) -> str:
        """Return OpenSpiel's text of the state; of a game that hides something, what is public."""
        state = self.states.at(position.address)
        if not self.hides or position.is_over:
            return str(state).rstrip()
        if self._public is not None:
            return str(self._public.string_from(state, 0)).rstrip()
        return self._whose_turn(position)

    def view(self, position: Position, seat: int, colour: bool = False) -> str:
        """Return OpenSpiel's text of what a seat knows."""
        state = self.states.at(position.address)
        if not self.hides or position.is_over:
            return str(state).rstrip()
        knowledge = _knowledge_of(self.theirs.get_type())
        assert knowledge is not None  # `why_not` refuses such a game
        return str(knowledge(state, seat)).rstrip() or self._whose_turn(position)

    def _whose_turn(self, position: Position) -> str:
        if position.to_move == CHANCE:
            return "chance is to move"
        return f"{self.player_name(position.to_move)} is to move"

    def describe_action(
        self, before: Position, action: int, after: Position, seat: int | None
    ) -> str | None:
        """Return the action's name if the seat can tell it from all others, else that it is hidden.

        What every seat can tell is public.
        """
        if not self.hides or before.to_move == seat:
            return None if not self.hides else before.action_name(action)
        seats = range(self.players) if seat is None else (seat,)
        who = "chance" if before.to_move == CHANCE else self.player_name(before.to_move)
        if all(self._sees(before, action, one) for one in seats):
            return f"{who}: {before.action_name(action)}"
        return f"{who}: hidden"

    def _sees(self, before: Position, action: int, seat: int) -> bool:
        """Return whether a seat can tell an action from every other that was possible."""
        if before.to_move == seat:
            return True
        knowledge, state = _knowledge_of(self.theirs.get_type()), self.states.at(before.address)
        assert knowledge is not None
        seen = knowledge(state.child(action), seat)
        others = (one for one in legal_or_outcomes(state) if one != action)
        return all(knowledge(state.child(other), seat) != seen for other in others)


def _by_information_state(game: Any) -> bool:
    """Whether a game is observed by the information state: all that a seat saw and did."""
    kind = game.get_type()
    return bool(
        kind.provides_information_state_tensor
        and (hides(game) or not kind.provides_observation_tensor)
    )


def _observe(game: Any) -> Any:
    """Return the function that observes a state of a game by a seat, as numbers."""
    if _by_information_state(game):
        return lambda state, seat: state.information_state_tensor(seat)
    return lambda state, seat: state.observation_tensor(seat)


def _class_of(name: str, theirs: Any) -> type[Game]:
    kind = theirs.get_type()
    sampler = None
    if hides(theirs):
        knowledge = _knowledge_of(kind)
        assert knowledge is not None  # `why_not` refuses such a game
        sampler = Sampler(theirs, knowledge)
    states = States(theirs, _observe(theirs), sampler)
    attributes: Mapping[str, Any] = {
        "__module__": __name__,
        "__doc__": f"{kind.long_name}, a game of OpenSpiel.",
        "name": name,
        "summary": f"{kind.long_name}, by OpenSpiel",
        "theirs": theirs,
        "states": states,
        "State": state_record(theirs.max_game_length() + theirs.max_chance_nodes_in_history()),
        "max_moves": states.max_moves,
        "_public": _public_observer(theirs) if hides(theirs) else None,
    }
    return type("OpenSpielGame", (OpenSpielGame,), dict(attributes))


def _public_observer(game: Any) -> Any:
    """Return an observer of what all players may see; None if the game has none."""
    wanted = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    try:
        observer = game.make_observer(wanted, {})
        observer.string_from(game.new_initial_state(), 0)
    except Exception:  # most games have none
        return None
    return observer


def _words(text: str) -> str:
    return " ".join(text.split())


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _again(name: str) -> Game:
    return load_game(name)()
