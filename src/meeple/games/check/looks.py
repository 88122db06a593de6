"""What seats and people may see of every game: what is hidden stays so, boards can be played on."""

import contextlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.check.walk import LONG, Fault, Walk, expect
from meeple.games.contract.game import Game, Position

# ------------------------------------------------------------ what is hidden


WORLDS = 300  # determinizations that are looked at
APART = 10  # plies of a long game from one position that is looked at to the next


def what_is_hidden_can_be_sampled(walk: Walk) -> None:
    """A game that hides something says how to sample it, and one that does not has no such rule."""
    game = walk.game
    with_resample = game.has(kernels.RESAMPLE)
    try:
        if game.hides:
            game.ensure_samples()
    except UsageError as error:
        raise Fault(str(error), "view") from None
    expect(
        game.hides or not with_resample,
        "the class says perfect_information = True, and there is `resample`",
        "resample",
    )


def _samples(game: Game) -> bool:
    """Whether a game hides something, and says how to sample it."""
    try:
        game.ensure_samples()
    except UsageError:
        return False
    return game.hides


def _worlds(walk: Walk, first: int) -> Iterator[tuple[Position, int, Position]]:
    """Positions of games from seed `first` on, each with a seat and a determinization for it."""
    game, looked = walk.game, 0
    for seed in itertools.count(first):
        beliefs = [game.belief(seat) for seat in range(game.players)]
        for ply, position in enumerate(walk.positions(seed)):
            for seat, belief in enumerate(beliefs):
                belief.follow(position)
                near = game.max_plies <= LONG or ply % APART == 0
                if near and not position.is_over:  # then all may be shown
                    twin = position.copy()
                    belief.sample(twin.row, kernels.new_rng(13, seed, ply))
                    looked += 1
                    yield position, seat, twin
            if looked >= WORLDS:
                return
        if walk.is_late:
            return


def what_a_seat_knows_is_kept_by_its_belief(walk: Walk) -> None:
    """A determinization shows the seat what it was shown, and lets it do what it could do."""
    game = walk.game
    if not _samples(game):
        return
    for position, seat, twin in _worlds(walk, 2):
        name = game.player_name(seat)
        expect(
            twin.to_move == position.to_move,
            f"a determinization for {name} changes whose turn it is",
            "resample",
        )
        expect(
            np.array_equal(twin.observation(seat), position.observation(seat)),
            f"what {name} is shown is another in a determinization of theirs: they are shown what "
            "they cannot know, or lose what they know",
            "resample",
            "observe",
        )
        if position.to_move == seat:
            expect(
                sorted(twin.legal_actions()) == sorted(position.legal_actions()),
                f"what {name} may do depends on what they cannot know",
                "resample",
                "legal",
            )


def a_seats_scene_tells_nothing_that_the_seat_cannot_know(walk: Walk) -> None:
    """It is the same in any position that the seat takes to be possible; so is the public one."""
    game = walk.game
    if not _samples(game):
        return
    for position, seat, twin in _worlds(walk, 1):
        for eyes in (seat, None):
            with contextlib.suppress(NotImplementedError):  # told where drawings are looked at
                facts = game.scene(position, eyes).to_json()  # first: who follows it is up to date
                same = game.scene(twin, eyes).to_json() == facts
                whom = "anybody" if eyes is None else game.player_name(seat)
                sentence = f"the board drawn for {whom} shows what is hidden from them"
                expect(same, sentence, "scene", "view", "draw")


# ------------------------------------------------------------ what people see


def action_names_are_unique_and_parse_back(walk: Walk) -> None:
    """Legal actions have different names, by which they are found again."""
    for position in walk.every_position():
        if position.to_move >= 0:
            legal = position.legal_actions().tolist()
            names = [position.action_name(action) for action in legal]
            lower = [name.lower() for name in names]
            twice = sorted({name for name in lower if lower.count(name) > 1})
            expect(not twice, f"two legal actions are called {twice[:3]}", "action_name")
            for name, action in zip(names, legal, strict=True):
                found = walk.game.parse_action(position, name)
                expect(
                    found == action, f"'{name}' is read as {found}, not {action}", "parse_action"
                )


def drawings_are_plain_text_unless_colour_is_asked_for(walk: Walk) -> None:
    """A position drawn is ASCII, and not empty."""
    for position in walk.some_positions():
        try:
            plain = str(position)
        except NotImplementedError:
            raise Fault("the class lacks `draw`, and a `scene` that can be drawn") from None
        expect(bool(plain.strip()), "the position is drawn as nothing", "draw", "scene")
        expect(plain.isascii(), "the drawing without colour is not ASCII", "draw", "scene")
        expect("\x1b" not in plain, "the drawing has colours that nobody asked for", "draw")
        coloured = re.sub(r"\x1b\[[0-9;]*m", "", walk.game.draw(position, colour=True))
        expect(bool(coloured.strip()), "with colours, the position is drawn as nothing", "draw")


def a_scene_is_data_and_every_click_leads_to_one_action(walk: Walk) -> None:
    """An action without clicks is a button; no path of clicks is the beginning of another."""
    game = walk.game
    for position in walk.some_positions():
        scene = game.scene(position)
        board = scene.to_json()
        expect(json.loads(json.dumps(board)) == board, "the scene is not JSON", "scene")
        expect(board["family"] == scene.family, "the scene's family is another in JSON", "scene")
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


def spots(board: Mapping[str, Any]) -> set[str]:
    """Where one can click, as the board's family has it."""
    if board["family"] in ("squares", "hexagons"):
        cells = board["rows"] * board["columns"]
        names = board["names"]
        whole = len(board["pieces"]) == len(names) == len(set(names)) == cells
        expect(whole, f"the board has {cells} cells, and not as many pieces or names", "scene")
        return {str(cell) for cell in range(cells)}
    if board["family"] == "row":
        found = [cell["spot"] for row in board["rows"] for cell in row["cells"]]
        expect(len(set(found)) == len(found), "two cells of the row are the same spot", "scene")
        return set(found)
    if board["family"] == "island":
        parts = {"v": "vertices", "e": "edges", "t": "tiles", "s": "players"}
        return {f"{sign}{at}" for sign, part in parts.items() for at in range(len(board[part]))}
    return set()
