"""Games of Meeple as Python games of OpenSpiel: `pyspiel.load_game("meeple_hex(size=7)")`.

Utilities are the rewards of the other environments: a win alone is 1, and they sum to 0.
"""

from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt
import pyspiel

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import is_of_library, load_game, working_games
from meeple.interop.rewards import rewards_of
from meeple.kernels import CHANCE, OVER
from meeple.options import Option, Text
from meeple.search.exact.information_tree import has_random_start
from meeple.search.exact.recall import after_action, memory_at_start, seen

PREFIX = "meeple_"
STARTS = 64  # default number of opening positions that chance draws from, of a game with several
_SAMPLED_GAMES = 3  # random games in which a chance node is looked for

_kinds: dict[str, type[Game]] = {}  # registered with OpenSpiel, by its name


def register_games(refused: Any = lambda sentence: None) -> list[str]:
    """Register all games of Meeple with OpenSpiel; return their names there.

    Args:
        refused: called with a sentence for each game that cannot be made, or was loaded again.
    """
    found = []
    for name in working_games(refused):
        if not is_of_library(name):
            try:
                found.append(_register(load_game(name)))
            except UsageError as error:
                refused(str(error))
    return found


def to_openspiel(game: Game) -> "ExportedGame":
    """Return a game as a `pyspiel.Game`, with its options; its class is registered.

    Raises:
        UsageError: the game is one of OpenSpiel, or its file was loaded again.
    """
    name = _register(type(game))
    given = {
        key: quoted(game.declared[key], value)
        for key, value in game.options.items()
        if value != game.declared[key].default
    }
    found: ExportedGame = pyspiel.load_game(name, given)
    return found


def openspiel_name(kind: type[Game]) -> str:
    """Return the name under which OpenSpiel knows a game: `meeple_catan_reduced`."""
    return PREFIX + "".join(c if c.isalnum() else "_" for c in kind.name)


def _register(kind: type[Game]) -> str:
    name = openspiel_name(kind)
    if is_of_library(kind.name):
        raise UsageError(f"{kind.name} is a game of OpenSpiel: load it there")
    if _kinds.setdefault(name, kind) is not kind:
        raise UsageError(f"{name} is registered for another game of the same name")
    if name not in pyspiel.registered_names():
        made = type("ExportedGame", (ExportedGame,), {"__module__": __name__, "kind": kind})
        pyspiel.register_game(_type_of(kind()), made)
    return name


def _type_of(game: Game) -> Any:
    """Return what OpenSpiel knows of a class of games, or of a game."""
    kind = pyspiel.GameType
    return kind(
        short_name=openspiel_name(type(game)),
        long_name=f"Meeple's {game.title}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=(
            kind.ChanceMode.EXPLICIT_STOCHASTIC
            if _has_chance(game)
            else kind.ChanceMode.DETERMINISTIC
        ),
        information=(
            kind.Information.IMPERFECT_INFORMATION
            if game.hides
            else kind.Information.PERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(type(game)),
    )


def _parameters(kind: type[Game]) -> dict[str, Any]:
    """Return the options that have a default as parameters, and that of the opening positions."""
    found = {
        key: quoted(option, option.default)
        for key, option in kind.declared.items()
        if option.default is not None
    }
    return {**found, "starts": STARTS}


def quoted(option: Option, value: Any) -> Any:
    """Return an option's value as a parameter of OpenSpiel.

    A text is percent-encoded, so that the parser of names of games takes no part of it for a number
    or for the next parameter: `meeple_nim(heaps=%31%2C3%2C5)`.
    """
    if not isinstance(option, Text) or not value:
        return value
    return f"%{ord(value[0]):02X}{quote(value[1:], safe='')}"


def _has_chance(game: Game) -> bool:
    return has_random_start(game) or any(
        CHANCE in _movers_of_a_random_game(game, seed) for seed in range(_SAMPLED_GAMES)
    )


def _movers_of_a_random_game(game: Game, seed: int) -> set[int]:
    position, choice, movers = game.start(seed), np.random.default_rng(seed), set()
    while not position.is_over and CHANCE not in movers:
        movers.add(position.to_move)
        if position.to_move == CHANCE:
            position.play_chance()
        else:
            position.play(int(choice.choice(position.legal_actions())))
    return movers


class ExportedGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel is untyped
    """A game with fixed options, as OpenSpiel's algorithms take it.

    Attributes:
        game: the game.
        starts: number of opening positions among which the first chance node draws; 1: there is no
            such node.
    """

    kind: type[Game]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Make the game of OpenSpiel's parameters.

        Raises:
            OptionError: a parameter is out of range.
        """
        given = dict(params or {})
        starts = int(given.pop("starts", STARTS))
        declared = self.kind.declared
        options = {
            key: unquote(value) if isinstance(declared[key], Text) else value
            for key, value in given.items()
        }
        self.game = self.kind(**options)
        self.starts = starts if has_random_start(self.game) else 1
        game, several = self.game, self.starts > 1
        information = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=max(game.num_actions, self.starts) if _has_chance(game) else 0,
            num_players=game.players,
            min_utility=float(rewards_of(np.eye(game.players)).min()),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=game.max_plies + several,
        )
        super().__init__(_type_of(game), information, params or {})

    def new_initial_state(self) -> "ExportedState":
        """Return the first state."""
        return ExportedState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return an observer: of what a seat sees, or of all that it remembers."""
        return Observer(self.game, bool(iig_obs_type and iig_obs_type.perfect_recall), params)


class ExportedState(pyspiel.State):  # type: ignore[misc]
    """A state; `position` is ours, before the draw of the opening position None."""

    def __init__(self, game: ExportedGame) -> None:
        """Begin a game."""
        super().__init__(game)
        self.starts = game.starts
        self.rules = _Shared(game.game)
        self.position: Position | None = None
        self.memories = tuple(memory_at_start(seat) for seat in range(game.game.players))
        if game.starts == 1:
            self.position = game.game.start(0)

    def current_player(self) -> Any:
        """Return the seat to move, or OpenSpiel's numbers for chance and the end."""
        if self.position is None or self.position.to_move == CHANCE:
            return pyspiel.PlayerId.CHANCE
        if self.position.to_move == OVER:
            return pyspiel.PlayerId.TERMINAL
        return self.position.to_move

    def _legal_actions(self, player: int) -> list[int]:
        assert self.position is not None
        return sorted(self.position.legal_actions().tolist())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        if self.position is None:
            return [(seed, 1 / self.starts) for seed in range(self.starts)]
        outcomes, chances = self.position.chance_outcomes()
        chances = chances.astype(np.float64) / chances.sum(dtype=np.float64)
        return sorted(zip(outcomes.tolist(), chances.tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position is None:
            self.position = self.rules.game.start(action)
            return
        seat = position.to_move
        if seat != CHANCE:
            remembered = after_action(seen(self.memories[seat], position, seat), action)
            self.memories = (*self.memories[:seat], remembered, *self.memories[seat + 1 :])
        position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None:
            return f"start {action}"
        return self.position.action_name(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position is not None and self.position.is_over

    def returns(self) -> list[float]:
        """Return the utilities; zeros before the end."""
        if not self.is_terminal() or self.position is None:
            return [0.0] * self.rules.game.players
        return [float(reward) for reward in rewards_of(self.position.payoffs)]

    def __str__(self) -> str:
        return "" if self.position is None else str(self.position)

    def observed(self, player: int) -> npt.NDArray[np.float32]:
        """Return what a seat sees as numbers, flat; zeros before the opening position is drawn."""
        if self.position is None:
            return np.zeros(int(np.prod(self.rules.game.observation_shape)), np.float32)
        return self.position.observation(player).ravel()

    def remembered(self, player: int) -> str:
        """Return a text that is equal in two states if a seat cannot tell them apart."""
        if self.position is None:
            return ""
        return f"{seen(self.memories[player], self.position, player):016x}"

    def view(self, player: int) -> str:
        """Return the drawing for a seat."""
        if self.position is None:
            return ""
        return self.position.game.view(self.position, player)


class _Shared:
    """The game that copies of a state share; OpenSpiel copies states deeply."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __deepcopy__(self, memo: Any) -> "_Shared":
        return self


class Observer:
    """What a seat sees: `tensor` and `dict` as numbers, and a text.

    With `remembers` it is the text of all that a seat remembers, without numbers.
    """

    def __init__(self, game: Game, remembers: bool, params: Any) -> None:
        """Make an observer; UsageError: parameters, of which it has none."""
        if params:
            raise UsageError(f"observers of Meeple's games have no parameters: {params!r}")
        self._remembers = remembers
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        self.tensor: npt.NDArray[np.float32] | None = None
        if not remembers:
            self.tensor = np.zeros(int(np.prod(game.observation_shape)), np.float32)
            self.dict = {"observation": self.tensor.reshape(game.observation_shape)}

    def set_from(self, state: ExportedState, player: int) -> None:
        """Write what a seat sees into `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = state.observed(player)

    def string_from(self, state: ExportedState, player: int) -> str:
        """Return what a seat sees or remembers as text."""
        text = state.view(player)
        return f"{text}\n{state.remembered(player)}" if self._remembers else text
