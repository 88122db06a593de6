"""Checks of a game's rules, one per requirement.

A check takes a `GameWalk` and raises CheckFailure at the first violation.
"""

import contextlib
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import IllegalAction
from meeple.games.check.walk import GAMES, GameWalk, call_kernel, expect
from meeple.games.contract.faults import TOLERANCE
from meeple.games.contract.game import Game, Position
from meeple.games.contract.symmetry import Symmetry
from meeple.kernels import CHANCE

STARTS = 1000  # seeds whose starts are checked
MAX_TURN_GAMES = 20  # random games in which every player should be to move
MIN_DECISIONS_PER_PLAYER = 2  # of a game that counts as long enough for every player to move

# ------------------------------------------------------------ the rules


def every_position_has_a_mover_with_distinct_actions_or_sure_outcomes(walk: GameWalk) -> None:
    """`to_move` is a seat, CHANCE or OVER, and `legal` lists what that one may do, each once."""
    for position in walk.every_position():
        position.ensure_sound()
        if position.to_move >= 0:
            mask = np.flatnonzero(position.legal_mask()).tolist()
            listed = sorted(position.legal_actions().tolist())
            expect(mask == listed, "the mask of legal actions differs from the list")


def every_start_can_be_played(walk: GameWalk) -> None:
    """The starts of many seeds, and the first decisions after them, have legal actions."""
    for seed in range(STARTS):
        position, choice = walk.start(seed), np.random.default_rng(seed)
        position.ensure_sound()
        while position.to_move == CHANCE:
            walk.step(choice)
            position.ensure_sound()
        if walk.is_late:
            return


def every_player_is_to_move_in_some_game(walk: GameWalk) -> None:
    """Every player is to move in some of the games that are long enough."""
    game, moved, decisions, long_games = walk.game, set[int](), 0, 0
    for seed in range(MAX_TURN_GAMES):
        before = decisions
        for position in walk.positions(seed):
            if position.to_move >= 0:
                moved.add(position.to_move)
                decisions += 1
                if len(moved) == game.seats:
                    return
        if walk.is_late:
            break
        long_games += decisions - before >= MIN_DECISIONS_PER_PLAYER * game.seats
    absent = [game.player_name(seat) for seat in range(game.seats) if seat not in moved]
    expect(
        long_games < GAMES,
        f"{' and '.join(absent)} never came to move, in {decisions} decisions of random games: "
        "`play` sets `to_move` to the seat that moves next",
        "play",
    )


def games_end_within_max_plies(walk: GameWalk) -> None:
    """Every game ends after at most `max_plies` plies."""
    for last in walk.ends_of_games():
        plies, most = len(last.actions), walk.game.max_plies
        expect(plies <= most, f"a game has {plies} plies, max_plies is {most}", "configure")


def an_illegal_action_is_refused_and_changes_nothing(walk: GameWalk) -> None:
    """Actions that are not legal, and texts that name no action, are refused."""
    game = walk.game
    for position in walk.every_position():
        before = position.row.tobytes(), position.actions
        legal = set(position.legal_actions().tolist())
        wrong = [a for a in range(game.num_actions) if a not in legal][:3]
        for action in [*wrong, -1, max(game.num_actions, game.max_moves)]:
            refused = _is_refused(position.play, action)
            expect(refused, f"action {action} is not legal, but it can be played", "legal")
        refused = _is_refused(position.parse_action, "no such move")
        expect(refused, "the text 'no such move' is read as an action", "parse_action")
        same = (position.row.tobytes(), position.actions) == before
        expect(same, "a refused action changed the position", "legal")


def _is_refused(call: Callable[..., object], *what: object) -> bool:
    try:
        call(*what)
    except IllegalAction:
        return True
    return False


def payoffs_are_shares_of_one_win(walk: GameWalk) -> None:
    """Payoffs are at least 0 each and sum to 1, or points in their range; teams share theirs."""
    game = walk.game
    for last in walk.ends_of_games():
        shares = last.payoffs
        if game.points is not None:
            points, (low, high) = last.points, game.points
            inside = bool(((low <= points) & (points <= high)).all())
            bounds = f"{low:g} to {high:g}, the range `points` of the class"
            expect(inside, f"payoffs are {points.tolist()}: not all in {bounds}", "payoffs")
            shares = points
        for team in game.teams:
            given = shares[list(team)]
            same = float(np.ptp(given)) < TOLERANCE
            sentence = f"the seats {[*team]} are a team, but have the payoffs {given.tolist()}"
            expect(same, f"{sentence}: a team shares its payoff", "payoffs")


def legal_actions_are_counted_as_they_are_listed(walk: GameWalk) -> None:
    """`count_legal` returns the number of actions that `legal` lists."""
    game = walk.game
    if not game.has(kernels.COUNT_LEGAL):
        return
    for position in walk.every_position():
        if not position.is_over:
            counted = int(call_kernel(position, kernels.COUNT_LEGAL)[0].count)
            listed = len(position.legal_actions())
            sentence = f"`count_legal` counts {counted} actions, and `legal` lists {listed}"
            expect(counted == listed, sentence, "count_legal")


# ------------------------------------------------------------ states


def undo_restores_every_byte_and_the_generator(walk: GameWalk) -> None:
    """Undo restores the state record and the generator exactly."""
    position, choice = walk.start(5), np.random.default_rng(5)
    before = []
    while not position.is_over and not walk.is_late:
        before.append((position.row.tobytes(), position._rng.tobytes()))
        walk.step(choice)
    while before:
        position.undo()
        same = (position.row.tobytes(), position._rng.tobytes()) == before.pop()
        expect(same, "undo does not restore the state", "play")


def a_copy_is_independent(walk: GameWalk) -> None:
    """Playing on a copy does not change the original."""
    original = walk.after(6, walk.game.max_plies // 3)
    before = original.row.tobytes(), original.actions
    twin = original.copy()
    choice = np.random.default_rng(6)
    walk.position = twin
    while not twin.is_over and not walk.is_late:
        walk.step(choice)
    same = (original.row.tobytes(), original.actions) == before
    expect(same, "playing on a copy changes the position that it was copied from", "play")


def the_same_seed_gives_the_same_game(walk: GameWalk) -> None:
    """A game depends only on its seed and its actions."""
    first, again = _trace(walk, 7), _trace(walk, 7)
    shared = min(len(first), len(again))  # the time limit may end a game early
    same = first[:shared] == again[:shared]
    expect(same, "the same seed gave two different games", "play", "start")


def _trace(walk: GameWalk, seed: int) -> list[tuple[bytes, tuple[int, ...]]]:
    return [(position.row.tobytes(), position.actions) for position in walk.positions(seed)]


def looking_changes_nothing(walk: GameWalk) -> None:
    """Kernels that only read, and drawings, do not change a state."""
    game = walk.game
    for position in walk.every_position():
        before = position.row.tobytes()
        position.legal_actions()
        _unchanged(position, before, "legal")
        for player in range(game.seats):
            position.observation(player)
        _unchanged(position, before, "observe")
        with contextlib.suppress(NotImplementedError):  # reported by the check of drawings
            str(position)
        _unchanged(position, before, "draw")
        for index in _readable(position):
            call_kernel(position, index)
            _unchanged(position, before, kernels.KERNELS[index])


def _readable(position: Position) -> list[int]:
    """Return the optional kernels that read a position and need nothing else."""
    if position.is_over:
        found = {kernels.OWNERSHIP}
    elif position.to_move == CHANCE:
        found = {kernels.IDENTITY, kernels.KNOWN_RESULT}
    else:
        others = {*kernels.REQUIRED, *kernels.CHANGING, kernels.OWNERSHIP, kernels.NARROW}
        found = {*range(len(kernels.GAME_KERNELS))} - others
    return [index for index in sorted(found) if position.game.has(index)]


def _unchanged(position: Position, before: bytes, what: str) -> None:
    expect(position.row.tobytes() == before, f"`{what}` changes the state", what)


def observations_have_their_shape_and_are_finite(walk: GameWalk) -> None:
    """Observations have `observation_shape` and hold finite numbers."""
    for position in walk.every_position():
        for player in range(walk.game.seats):
            seen = position.observation(player)
            expect(bool(np.isfinite(seen).all()), "an observation is not finite", "observe")


def every_symmetry_keeps_rules_and_payoffs(walk: GameWalk) -> None:
    """A symmetry maps a game to one with the images of its actions, seats and observations."""
    for number, symmetry in enumerate(walk.game.symmetries()):
        _keeps_rules_and_payoffs(walk, walk.game, symmetry, f"symmetry {number}", "symmetries")


def every_variant_is_the_same_game_by_its_symmetry(walk: GameWalk) -> None:
    """A variant has the images of the game's actions, seats and observations from the start."""
    game = walk.game
    for number, variant in enumerate(game.variants()):
        name, seats = f"variant {number}", variant.symmetry.player.tolist()
        _is_whole(name, "player", variant.symmetry.player, game.players, "variants")
        rotated = [(seats[0] + seat) % game.players for seat in range(game.players)]
        expect(seats == rotated, f"{name}: `player` must be a rotation of the seats", "variants")
        other = type(game)(**{**game.options, **variant.options})
        _keeps_rules_and_payoffs(walk, other, variant.symmetry, name, "variants")


def a_swap_gives_the_share_of_the_opponent(walk: GameWalk) -> None:
    """Without swaps, the game is that without the rule; a swap is the image by a symmetry of it."""
    game, rule = walk.game, walk.game.swap_rule()
    if rule is None:
        return

    def alike(kept: bool, what: str) -> None:
        expect(kept, f"the game without the swap rule does not keep {what}", "swap_rule")

    plain = type(game)(**{**game.options, **rule.without})
    alike(plain.num_actions == rule.action == game.num_actions - 1, "all actions but the swap")
    for seed in range(GAMES):
        twin, position, choice = plain.start(seed), walk.start(seed), np.random.default_rng(seed)
        while not position.is_over and not walk.is_late:
            alike(position.to_move == twin.to_move, "the player to move")
            legal = position.legal_mask()
            alike(legal[:-1].tolist() == twin.legal_mask().tolist(), "what is legal")
            for player in range(game.seats):
                seen, expected = position.observation(player), twin.observation(player)
                alike(bool((seen == expected).all()), "what is observed")
            if legal[-1]:
                alike(_is_exchanged(position, twin, rule.action), "the players' sides")
            action = walk.step(choice)
            if action == rule.action:
                break
            twin.play(action)
        if twin.is_over:
            alike(position.payoffs.tolist() == twin.payoffs.tolist(), "payoffs")


def _is_exchanged(position: Position, plain: Position, swap: int) -> bool:
    """Return whether a swap is a symmetry of the game without it that exchanges the players."""
    mover, after = plain.to_move, position.copy()
    after.play(swap)
    expected = after.observation(1 - mover).ravel()
    return after.to_move == 1 - mover and any(
        symmetry.player.tolist() == [1, 0]
        and bool((plain.observation(mover).ravel()[symmetry.observation] == expected).all())
        for symmetry in plain.game.symmetries()
    )


def _keeps_rules_and_payoffs(
    walk: GameWalk, other: Game, symmetry: Symmetry, name: str, blamed: str
) -> None:
    """Play random games and their images in `other`, which is the game itself or a variant."""
    game = walk.game
    features = math.prod(game.observation_shape)
    _is_whole(name, "observation", symmetry.observation, features, blamed)
    _is_whole(name, "action", symmetry.action, game.num_actions, blamed)
    _is_whole(name, "player", symmetry.player, game.players, blamed)
    image = np.argsort(symmetry.action)  # the image of each action
    seat = np.argsort(symmetry.player)

    def alike(kept: bool, what: str) -> None:
        expect(kept, f"{name} does not keep {what}", blamed)

    for seed in range(GAMES):
        twin, position = other.start(seed), walk.start(seed)
        mover = seat[position.to_move] if position.to_move >= 0 else CHANCE
        if other == game:  # a symmetry may exchange the only player who can begin
            twin.state.to_move = mover
        alike(twin.to_move == mover, "the player who begins")
        choice = np.random.default_rng(seed)
        while not position.is_over and not walk.is_late:
            mirrored = position.legal_mask()[symmetry.action].tolist()
            alike(mirrored == twin.legal_mask().tolist(), "what is legal")
            for player in range(game.seats):
                seen = position.observation(player).ravel()[symmetry.observation]
                image_of = twin.observation(int(seat[player])).ravel()
                alike(seen.tolist() == image_of.tolist(), "what is observed")
            twin.play(int(image[walk.step(choice)]))
        if position.is_over:
            shares = position.payoffs[symmetry.player].tolist()
            alike(twin.is_over and twin.payoffs.tolist() == shares, "payoffs")


def _is_whole(
    symmetry: str, name: str, given: npt.NDArray[np.intp], length: int, blamed: str
) -> None:
    whole = sorted(np.asarray(given).ravel().tolist()) == list(range(length))
    sentence = f"{symmetry}: `{name}` must hold each of 0 to {length - 1} once"
    if name == "action" and len(given) < length:
        sentence += f"; give `extra_actions={length - len(given)}` for those beyond the cells"
    expect(whole, sentence, blamed)


def options_make_an_equal_game(walk: GameWalk) -> None:
    """The options alone determine a game."""
    game = walk.game
    twin = type(game)(**game.options)
    equal = twin == game and hash(twin) == hash(game)
    expect(equal, "the same options make a game that is not equal", "configure")
    same = twin.start(1).row.tobytes() == game.start(1).row.tobytes()
    expect(same, "the same options and seed make another opening", "configure", "start")
