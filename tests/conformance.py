"""What every game must do, whoever wrote it: one suite of checks, run by `games/test_conformance`.

A check takes a game with its options and asserts; `CHECKS` lists them all.
"""

import json
import re
from itertools import pairwise

import numpy as np
import pytest

from meeple import kernels
from meeple.errors import IllegalAction
from meeple.games.contract.game import Game, Position
from meeple.kernel_table import caller
from meeple.kernels import CHANCE, OVER

GAMES = 3  # random games a check looks at
ROLLOUTS = 300
LONG = 150  # games with more plies are not rolled out move by move in Python


def step(position: Position, choice: np.random.Generator) -> int:
    """Play a random action, or at a chance node draw an outcome; returns it."""
    if position.to_move == CHANCE:
        return position.play_chance()
    action = int(choice.choice(position.legal_actions()))
    position.play(action)
    return action


def playing(game: Game, seed: int):
    """The same position before every ply of a random game, and once it is over."""
    position, choice = game.start(seed), np.random.default_rng(seed)
    yield position
    while not position.is_over:
        step(position, choice)
        yield position


def every_position(game: Game):
    for seed in range(1 if game.max_plies > LONG else GAMES):
        yield from playing(game, seed)


def sample(game: Game, seed: int, plies: int) -> Position:
    """A position some random plies from the start, or the last one before the end."""
    position, choice = game.start(seed), np.random.default_rng(seed)
    for _ in range(plies):
        step(position, choice)
        if position.is_over:
            position.undo()
            break
    return position


def trace(game: Game, seed: int) -> list[list[int]]:
    """A random game ply by ply: who moves, the action, a checksum of state and observations."""
    position, choice, found = game.start(seed), np.random.default_rng(seed), []
    while not position.is_over:
        mover, legal = position.to_move, position.legal_actions().tolist()
        seen = [position.observation(player).tobytes() for player in range(game.players)]
        bits = sum(map(sum, seen)) + int(position.row.sum())
        found.append([mover, step(position, choice), len(legal), sum(legal), bits])
    return [*found, [round(1000 * share) for share in position.payoffs.tolist()]]


# ---------------------------------------------------------------- the checks


def legal_actions_are_counted_as_they_are_listed(game):
    if not game.has(kernels.COUNT_LEGAL):
        return
    count, address = caller("count_legal"), game.address_of(kernels.COUNT_LEGAL)
    moves = np.zeros(1, dtype=kernels.moves_record(game.max_moves))
    for position in every_position(game):
        if not position.is_over:
            count(address, position.address, moves.ctypes.data)
            assert moves["count"][0] == len(position.legal_actions())


def legal_actions_are_ids_without_duplicates(game):
    for position in every_position(game):
        legal = position.legal_actions()
        assert len(set(legal.tolist())) == len(legal) <= game.max_moves
        if position.is_over:
            assert len(legal) == 0
        else:
            assert len(legal) > 0
        if position.to_move >= 0:
            assert legal.min() >= 0
            assert legal.max() < game.num_actions
            assert np.flatnonzero(position.legal_mask()).tolist() == sorted(legal.tolist())


def games_end_within_max_plies(game):
    for seed in range(GAMES):
        *_, last = playing(game, seed)
        assert len(last.actions) <= game.max_plies
        assert last.to_move == OVER


def the_mover_is_a_player_or_chance(game):
    for position in every_position(game):
        assert position.to_move in {*range(game.players), CHANCE, OVER}


def an_illegal_action_is_refused_and_changes_nothing(game):
    for position in every_position(game):
        before = position.row.tobytes(), position.actions
        legal = set(position.legal_actions().tolist())
        wrong = [a for a in range(game.num_actions) if a not in legal][:3]
        for action in [*wrong, -1, max(game.num_actions, game.max_moves)]:
            with pytest.raises(IllegalAction):
                position.play(action)
        with pytest.raises(IllegalAction):
            position.parse_action("no such move")
        assert (position.row.tobytes(), position.actions) == before


def payoffs_are_shares_of_one_win(game):
    for seed in range(GAMES):
        *_, last = playing(game, seed)
        shares = last.payoffs
        assert shares.shape == (game.players,)
        assert (shares >= 0).all()
        assert shares.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="over"):
        _ = game.start().payoffs


def chance_probabilities_sum_to_one(game):
    for position in every_position(game):
        if position.to_move == CHANCE:
            outcomes, probabilities = position.chance_outcomes()
            assert len(set(outcomes.tolist())) == len(outcomes) == len(probabilities)
            assert (probabilities > 0).all()
            assert probabilities.sum() == pytest.approx(1)


def undo_restores_every_byte_and_the_generator(game):
    position, choice = game.start(5), np.random.default_rng(5)
    before = []
    while not position.is_over:
        before.append((position.row.tobytes(), position._rng.tobytes()))
        step(position, choice)
    while before:
        position.undo()
        assert (position.row.tobytes(), position._rng.tobytes()) == before.pop()
    with pytest.raises(ValueError, match="opening"):
        position.undo()


def a_copy_is_independent(game):
    position = sample(game, 6, game.max_plies // 3)
    before = position.row.tobytes(), position.actions
    twin = position.copy()
    choice = np.random.default_rng(6)
    while not twin.is_over:
        step(twin, choice)
    assert (position.row.tobytes(), position.actions) == before


def the_same_seed_gives_the_same_game(game):
    assert trace(game, 7) == trace(game, 7)


def looking_changes_nothing(game):
    for position in every_position(game):
        before = position.row.tobytes()
        position.legal_actions(), str(position)
        for player in range(game.players):
            position.observation(player)
        for kernel, out in (
            (kernels.IDENTITY, np.zeros(2, np.uint64)),
            (kernels.KNOWN_RESULT, None),
        ):
            if game.has(kernel) and not position.is_over:
                space = np.zeros(game.players) if out is None else out
                call = caller(kernels.KERNELS[kernel])
                call(game.address_of(kernel), position.address, space.ctypes.data)
        assert position.row.tobytes() == before


def action_names_are_unique_and_parse_back(game):
    for position in every_position(game):
        if position.to_move >= 0:
            legal = position.legal_actions().tolist()
            names = [position.action_name(action) for action in legal]
            assert len({name.lower() for name in names}) == len(names)
            assert [position.parse_action(name) for name in names] == legal


def observations_have_their_shape_and_are_finite(game):
    for position in every_position(game):
        for player in range(game.players):
            seen = position.observation(player)
            assert seen.shape == tuple(game.observation_shape)
            assert np.isfinite(seen).all()


def every_symmetry_keeps_rules_and_payoffs(game):
    for symmetry in game.symmetries():
        image = np.argsort(symmetry.action)  # the action that an action turns into
        seat = np.argsort(symmetry.player)
        for seed in range(GAMES):
            position, twin = game.start(seed), game.start(seed)
            twin.state.to_move = seat[position.to_move] if position.to_move >= 0 else CHANCE
            choice = np.random.default_rng(seed)
            while not position.is_over:
                mirrored = position.legal_mask()[symmetry.action]
                assert mirrored.tolist() == twin.legal_mask().tolist()
                for player in range(game.players):
                    seen = position.observation(player).ravel()[symmetry.observation]
                    assert seen.tolist() == twin.observation(int(seat[player])).ravel().tolist()
                twin.play(int(image[step(position, choice)]))
            assert twin.payoffs.tolist() == position.payoffs[symmetry.player].tolist()


def drawings_are_plain_text_unless_colour_is_asked_for(game):
    for ply, position in enumerate(every_position(game)):
        if position.is_over or ply % max(1, game.max_plies // 20) == 0:
            assert str(position).strip()
            assert str(position).isascii()
            assert "\x1b" not in str(position)
            assert strip_colour(game.draw(position, colour=True)).strip()


def a_scene_is_data_and_every_click_leads_to_one_action(game):
    """An action without clicks is a button; no path of clicks is the beginning of another."""
    for ply, position in enumerate(every_position(game)):
        if position.is_over or ply % max(1, game.max_plies // 20) == 0:
            scene = game.scene(position)
            board = scene.to_json()
            assert json.loads(json.dumps(board)) == board
            assert board["family"] == scene.family
            legal = position.legal_actions().tolist() if position.to_move >= 0 else []
            assert {*scene.clicks, *scene.marks} <= set(legal)
            paths = sorted(scene.clicks.values())
            assert all(paths)
            for path, following in pairwise(paths):
                assert following[: len(path)] != path
            touched = {spot for path in [*paths, *scene.marks.values()] for spot in path}
            assert touched | {*board.get("last", ()), *board.get("line", ())} <= spots(board)


def spots(board) -> set[str]:
    """Where one can click, as the board's family has it."""
    if board["family"] in ("squares", "hexagons"):
        cells = board["rows"] * board["columns"]
        assert len(board["pieces"]) == len(board["names"]) == len(set(board["names"])) == cells
        return {str(cell) for cell in range(cells)}
    if board["family"] == "row":
        found = [cell["spot"] for row in board["rows"] for cell in row["cells"]]
        assert len(set(found)) == len(found)
        return set(found)
    if board["family"] == "island":
        parts = {"v": "vertices", "e": "edges", "t": "tiles", "s": "players"}
        return {f"{sign}{at}" for sign, part in parts.items() for at in range(len(board[part]))}
    return set()


def a_seats_scene_tells_nothing_that_the_seat_cannot_know(game):
    """It is the same in any position that the seat takes to be possible; so is the public one."""
    if not game.hides:
        return
    beliefs = [game.belief(seat) for seat in range(game.players)]
    for ply, position in enumerate(playing(game, 1)):
        for seat, belief in enumerate(beliefs):
            belief.follow(position)
            if ply % 10 == 0 and ply < 500:
                twin = position.copy()
                belief.sample(twin.row, kernels.new_rng(13, ply))
                for eyes in (seat, None):
                    facts = game.scene(position, eyes).to_json()
                    assert game.scene(twin, eyes).to_json() == facts


def strip_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def options_make_an_equal_game(game):
    twin = type(game)(**game.options)
    assert twin == game
    assert hash(twin) == hash(game)
    assert twin.start(1).row.tobytes() == game.start(1).row.tobytes()


def the_rollout_kernel_plays_uniformly(game):
    """Mean shares of the kernel and of random moves, at most 4.5 standard errors apart."""
    if not game.has(kernels.ROLLOUT) or game.max_plies > LONG:
        return
    call = caller("rollout")
    for plies in (0, 1, game.max_plies // 4):
        position = sample(game, plies, plies)
        fast, slow = np.zeros(game.players), np.zeros(game.players)
        rng, choice = kernels.new_rng(11, plies), np.random.default_rng([12, plies])
        for _ in range(ROLLOUTS):
            twin = position.copy()
            call(game.address_of(kernels.ROLLOUT), twin.address, rng.ctypes.data)
            assert twin.to_move == OVER
            fast += twin.payoffs
            twin = position.copy()
            while not twin.is_over:
                step(twin, choice)
            slow += twin.payoffs
        assert np.abs(fast - slow).max() <= 4.5 * np.sqrt(ROLLOUTS / 2)


CHECKS = (
    legal_actions_are_ids_without_duplicates,
    legal_actions_are_counted_as_they_are_listed,
    games_end_within_max_plies,
    the_mover_is_a_player_or_chance,
    an_illegal_action_is_refused_and_changes_nothing,
    payoffs_are_shares_of_one_win,
    chance_probabilities_sum_to_one,
    undo_restores_every_byte_and_the_generator,
    a_copy_is_independent,
    the_same_seed_gives_the_same_game,
    looking_changes_nothing,
    action_names_are_unique_and_parse_back,
    observations_have_their_shape_and_are_finite,
    every_symmetry_keeps_rules_and_payoffs,
    drawings_are_plain_text_unless_colour_is_asked_for,
    a_scene_is_data_and_every_click_leads_to_one_action,
    a_seats_scene_tells_nothing_that_the_seat_cannot_know,
    options_make_an_equal_game,
    the_rollout_kernel_plays_uniformly,
)
