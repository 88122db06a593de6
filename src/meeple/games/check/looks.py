"""Checks of what seats and people see: hidden information stays hidden, boards are playable."""

import contextlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from meeple import kernels
from meeple.errors import MeepleError, UsageError
from meeple.games.boards.cards import spots_of
from meeple.games.boards.scene import Scene
from meeple.games.boards.shape import BOARDS
from meeple.games.check.walk import LONG_GAME_PLIES, CheckFailure, GameWalk, expect
from meeple.games.contract import capabilities
from meeple.games.contract.capabilities import SHAPES, Explanation, explanations
from meeple.games.contract.faults import repeated
from meeple.games.contract.game import MAX_NAME_CHARS, Game, Position, shown_name
from meeple.games.contract.lessons import answer, lesson_of, position_of
from meeple.games.contract.shown import MAX_GUIDE_CHARS, ensure_short, ensure_text

# ------------------------------------------------------------ what is hidden


MAX_DETERMINIZATIONS = 300  # per check
MAX_PARSED = 200  # names of a position that are parsed; the default lists all actions for each
POSITION_STRIDE = 10  # plies between checked positions of a long game


def what_is_hidden_can_be_sampled(walk: GameWalk) -> None:
    """A game that hides something can sample it, and a game that does not has no `resample`."""
    game = walk.game
    with_resample = game.has(kernels.RESAMPLE)
    try:
        if game.hides:
            game.ensure_samples()
    except UsageError as error:
        raise CheckFailure(str(error), "view") from None
    expect(
        game.hides or not with_resample,
        "the class sets perfect_information = True, but there is a kernel `resample`",
        "resample",
    )


def samples(game: Game) -> bool:
    """Return whether a game hides something and can sample it."""
    try:
        game.ensure_samples()
    except UsageError:
        return False
    return game.hides


def _determinizations(walk: GameWalk, first: int) -> Iterator[tuple[Position, int, Position]]:
    """Yield positions, each with a seat and a determinization for it; seeds count from `first`."""
    game, looked = walk.game, 0
    for seed in itertools.count(first):
        beliefs = [game.belief(seat) for seat in range(game.seats)]
        for ply, position in enumerate(walk.positions(seed)):
            for seat, belief in enumerate(beliefs):
                belief.follow(position)
                near = game.max_plies <= LONG_GAME_PLIES or ply % POSITION_STRIDE == 0
                if near and not position.is_over:  # then all may be shown
                    twin = position.copy()
                    belief.sample(twin.row, kernels.new_rng(13, seed, ply))
                    looked += 1
                    yield position, seat, twin
            if looked >= MAX_DETERMINIZATIONS:
                return
        if walk.is_late:
            return


def what_a_seat_knows_is_kept_by_its_belief(walk: GameWalk) -> None:
    """A determinization does not change the seat's observation or its legal actions."""
    game = walk.game
    if not samples(game):
        return
    for position, seat, twin in _determinizations(walk, 2):
        name = game.player_name(seat)
        expect(
            twin.to_move == position.to_move,
            f"a determinization for {name} changes whose turn it is",
            "resample",
        )
        expect(
            np.array_equal(twin.observation(seat), position.observation(seat)),
            f"the observation of {name} differs in a determinization for {name}: it shows "
            "something hidden, or the determinization changes something known",
            "resample",
            "observe",
        )
        if position.to_move == seat:
            expect(
                sorted(twin.legal_actions()) == sorted(position.legal_actions()),
                f"the legal actions of {name} depend on something hidden from {name}",
                "resample",
                "legal",
            )


def a_seats_scene_tells_nothing_that_the_seat_cannot_know(walk: GameWalk) -> None:
    """Scene and explanations are the same in every position that the seat considers possible."""
    game = walk.game
    if not samples(game):
        return
    for position, seat, twin in _determinizations(walk, 1):
        for viewer_seat in (seat, None):
            with contextlib.suppress(NotImplementedError):  # reported by the check of drawings
                # The true position first: it updates beliefs that a scene may show.
                facts = game.scene(position, viewer_seat).to_json()
                same = game.scene(twin, viewer_seat).to_json() == facts
                viewer = "the public" if viewer_seat is None else game.player_name(seat)
                sentence = f"the board drawn for {viewer} shows something hidden from {viewer}"
                expect(same, sentence, "scene", "view", "draw")
                said = list(explanations(position, viewer_seat))
                same = list(explanations(twin, viewer_seat)) == said
                sentence = f"an explanation for {viewer} shows something hidden from {viewer}"
                expect(same, sentence, "explanations")


# ------------------------------------------------------------ names, drawings, scenes


def action_names_are_unique_and_parse_back(walk: GameWalk) -> None:
    """Legal actions have different names, and each name parses back to its action."""
    for position in walk.every_position():
        if position.to_move >= 0:
            legal = position.legal_actions().tolist()
            names = [walk.game.action_name(position, action) for action in legal]
            for name in names:
                sentence = f"an action has the name {name!r:.80}: a name has 1 to {MAX_NAME_CHARS}"
                fits = bool(name) and shown_name(name) == name
                expect(fits, f"{sentence} characters that can be shown", "action_name")
            twice = repeated(name.lower() for name in names)
            expect(not twice, f"two legal actions have the name {twice[:3]}", "action_name")
            step = 1 + len(legal) // MAX_PARSED
            for name, action in [*zip(names, legal, strict=True)][::step]:
                found = walk.game.parse_action(position, name)
                expect(
                    found == action, f"'{name}' is read as {found}, not {action}", "parse_action"
                )


def names_and_texts_are_short(walk: GameWalk) -> None:
    """Names and texts have at most the characters that page and terminal have room for."""
    game = walk.game
    try:
        ensure_text("the summary", game.summary)
        for name in game.seat_names:
            ensure_text("the name of a player", name)
        for position in walk.some_positions():
            ensure_text("the guide", capabilities.guide(position), MAX_GUIDE_CHARS)
            for group, labels in capabilities.action_groups(position).items():
                for label in (group, *labels):
                    ensure_text("an entry of the menu", label)
    except UsageError as error:
        blamed = ("player_name", "guide", "action_groups")
        raise CheckFailure(str(error), *blamed) from None


def drawings_are_plain_text_unless_colour_is_asked_for(walk: GameWalk) -> None:
    """The drawing is not empty, and without colour it is ASCII."""
    for position in walk.some_positions():
        plain = str(position)
        expect(bool(plain.strip()), "the drawing is empty", "draw", "scene")
        other = next((letter for letter in plain if not letter.isascii()), "")
        sentence = (
            f"the drawing without colour has {other!r} in it: letters of pieces, names and notes "
            "are ASCII, for terminals"
        )
        expect(not other, sentence, "draw", "scene")
        expect("\x1b" not in plain, "the drawing has colours although colour=False", "draw")
        for seat in range(walk.game.seats):
            seen = walk.game.view(position, seat)
            expect(bool(seen.strip()), "the drawing for a seat is empty", "view", "scene")
        walk.game.draw_marked(position, position.legal_actions().tolist())
        coloured = re.sub(r"\x1b\[[0-9;]*m", "", walk.game.draw(position, colour=True))
        expect(bool(coloured.strip()), "the drawing with colour=True is empty", "draw")


def the_terminal_shows_a_seat_what_its_scene_shows(walk: GameWalk) -> None:
    """A scene that differs from seat to seat is of hidden information, and so is the drawing."""
    game = walk.game
    for position in walk.some_positions():
        with contextlib.suppress(NotImplementedError):  # reported by the check of drawings
            shown = [game.scene(position, seat).to_json() for seat in range(game.seats)]
            if all(one == shown[0] for one in shown):
                continue
            expect(
                game.hides or game.perfect_information is True,
                "`scene` shows each seat something else, but searches see the whole state: write "
                "the kernel `resample`, or set perfect_information = True if nothing is hidden",
                "scene",
            )


def a_scene_is_data_and_every_click_leads_to_one_action(walk: GameWalk) -> None:
    """A scene is JSON data, its clicks name legal actions, and no path begins another path.

    An action without clicks is shown as a button.
    """
    for position in walk.some_positions():
        _check_scene(position, walk.game.scene(position))
        if position.to_move >= 0:
            _check_scene(position, walk.game.scene(position, position.to_move))


def _check_scene(position: Position, scene: Scene) -> None:
    board = scene.to_json()
    expect(json.loads(json.dumps(board)) == board, "the scene is not JSON", "scene")
    try:
        ensure_short(board)
    except UsageError as error:
        raise CheckFailure(str(error), "scene") from None
    expect(board["family"] == scene.family, "the scene's family differs in its JSON", "scene")
    legal = position.legal_actions().tolist() if position.to_move >= 0 else []
    known = {*scene.clicks, *scene.marks} <= set(legal)
    expect(known, "the scene has clicks for actions that are not legal", "scene")
    paths = sorted(scene.clicks.values())
    expect(all(paths), "an action of the scene has an empty path of clicks", "scene")
    for path, following in pairwise(paths):
        clear = following[: len(path)] != path
        expect(clear, f"the clicks {list(path)} lead to two actions", "scene")
    touched = {spot for path in [*paths, *scene.marks.values()] for spot in path}
    touched |= {*board.get("last", ()), *board.get("line", ())}
    nowhere = sorted(touched - spots(board))
    expect(not nowhere, f"the scene names spots that are not on the board: {nowhere}", "scene")


def explanations_are_sentences_about_spots_of_the_scene(walk: GameWalk) -> None:
    """An explanation has a kind, a sentence, a shape and spots of the board."""
    for position in walk.some_positions():
        before, known = position.row.copy(), spots(walk.game.scene(position).to_json())
        for one in explanations(position, None):
            _check_explanation(one, known, walk.game.seats)
        unchanged = bool((position.row == before).all())
        expect(unchanged, "`explanations` changes the state", "explanations")


def _check_explanation(one: Explanation, known: set[str], players: int) -> None:
    said = one.kind.strip() and one.sentence.strip()
    expect(bool(said), "an explanation has no kind or no sentence", "explanations")
    nowhere = sorted({*one.spots, *([one.at] if one.at else [])} - known)
    sentence = f"an explanation names spots that are not on the board: {nowhere}"
    expect(not nowhere or not known, sentence, "explanations")
    shape = f"the shape of an explanation is one of {', '.join(SHAPES)}, not {one.shape!r:.40}"
    expect(one.shape in SHAPES, shape, "explanations")
    player = f"an explanation is of the seat {one.player}: it must be 0 to {players - 1}, or None"
    expect(one.player is None or one.player in range(players), player, "explanations")


def every_task_of_a_lesson_can_be_done(walk: GameWalk) -> None:
    """The moves of each step of the lesson are possible, and one that its task accepts as well."""
    kind = type(walk.game)
    lesson = lesson_of(walk.game)
    if lesson is None or walk.game != kind():
        return  # the lesson has its own options
    for number, step in enumerate(lesson.steps, 1):
        try:
            position = position_of(kind, step)
        except MeepleError as error:
            expect(False, f"step {number} of the lesson cannot be reached: {error}", "lesson")
        legal = position.legal_actions().tolist()
        possible = any(answer(position.copy(), step, action).is_right for action in legal)
        expect(
            possible or not step.accepted,
            f"step {number} of the lesson accepts no action that is legal in its position",
            "lesson",
        )


def spots(board: Mapping[str, Any]) -> set[str]:
    """Return the spots that can be clicked, by the board's family."""
    if board["family"] in BOARDS:
        return {str(cell) for cell, place in enumerate(board["places"]) if place}
    if board["family"] == "row":
        found = [cell["spot"] for row in board["rows"] for cell in row["cells"]]
        expect(len(set(found)) == len(found), "two cells of the row have the same spot", "scene")
        return set(found)
    if board["family"] == "cards":
        return set(spots_of(board))
    if board["family"] == "island":
        parts = {"v": "vertices", "e": "edges", "t": "tiles", "s": "players"}
        return {f"{sign}{at}" for sign, part in parts.items() for at in range(len(board[part]))}
    return set()
