"""Checks of what a game can do beyond its rules: one for each capability of the contract."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from meeple.games.check import looks
from meeple.games.check.hooks import methods_of
from meeple.games.check.walk import GameWalk, expect
from meeple.games.contract import capabilities as can
from meeple.games.contract.game import Position
from meeple.games.contract.lessons import HasLesson
from meeple.games.contract.patterns import HasPatterns
from meeple.games.contract.sights import ShowsActions

MAX_ACTIONS = 5  # of a position that are described, explained and parsed
SOLVER_NODES = 200  # of a solver in one position

Check = Callable[[Position], None]


def a_capability_answers_as_its_protocol_says(walk: GameWalk) -> None:
    """Each method of a capability returns what its protocol says, and changes nothing."""
    found = [(one, check) for one, check in CHECKS.items() if isinstance(walk.game, one)]
    for position in walk.some_positions():
        before = position.row.tobytes()
        for capability, check in found:
            check(position)
            name, blamed = capability.__name__, methods_of(capability)
            expect(position.row.tobytes() == before, f"`{name}` changes the state", *blamed)


def _legal(position: Position) -> list[int]:
    return position.legal_actions().tolist() if position.to_move >= 0 else []


def _readers(position: Position) -> Iterable[int | None]:
    return None, *range(position.game.seats)


def _groups(position: Position) -> None:
    groups = can.action_groups(position).values()
    listed = [action for group in groups for action in group.values()]
    legal = set(listed) <= {*_legal(position)}
    expect(legal, f"`action_groups` has {listed[:5]}: legal actions only", "action_groups")


def _lines(position: Position) -> None:
    for action in _legal(position)[:MAX_ACTIONS]:
        name = position.action_name(action)
        found = can.parse_line(position, name)
        expect(found == [action], f"the line '{name}' is read as {found}", "parse_line")


def _pasted(position: Position) -> None:
    found = can.pasted(position.game, "no such board")
    expect(found is None, "`pasted` reads 'no such board' as a board", "pasted")


def _guide(position: Position) -> None:
    expect(isinstance(can.guide(position), str), "`guide` returns no text", "guide")


def _places(position: Position) -> None:
    board = looks.spots(position.game.scene(position).to_json())
    for action in _legal(position):
        nowhere = {*can.spots(position.game, action)} - board
        expect(not nowhere, f"`spots` names {sorted(nowhere)[:3]}, not on the board", "spots")


def _describes(position: Position) -> None:
    for action in _legal(position)[:MAX_ACTIONS]:
        after = position.copy()
        after.play(action)
        for seat in _readers(position):
            text = can.describe_action(position, action, after, seat)
            expect(text is None or isinstance(text, str), "it is no sentence", "describe_action")


def _explains(position: Position) -> None:
    for action in _legal(position)[:MAX_ACTIONS]:
        for seat in _readers(position):
            text = can.explain_action(position, action, seat)
            expect(isinstance(text, str), "`explain_action` returns no text", "explain_action")


def _trades(position: Position) -> None:
    legal = _legal(position)
    answer = can.refusal(position)
    expect(answer is None or answer in legal, f"`refusal` is {answer}, not legal", "refusal")
    for plan in can.offers(position) if legal else ():
        expect(plan[0] in legal, f"`offers` has {plan}, which cannot be begun", "offers")
        expect(bool(can.offer_words(position, plan)), f"{plan} has no words", "offer_words")
        for seats in can.partners(position, plan):
            known = {*seats} <= {*range(position.game.seats)} - {position.to_move}
            expect(known, f"`partners` of {plan} has {seats}", "partners")
            whole = can.agreed(position, plan, seats)
            expect(whole[: len(plan)] == plan, f"`agreed` leaves {plan} out", "agreed")


def _remembers(position: Position) -> None:
    trades = [
        (plan, seats[0]) for plan in can.offers(position) for seats in can.partners(position, plan)
    ]
    gains = [*can.gains(position.game, trades), *(answer.gains for answer in can.answers(position))]
    one = len({len(gain) for gain in gains}) <= 1
    expect(one, "answers and offers have numbers of different kinds of goods", "gains")
    seats = {answer.seat for answer in can.answers(position)}
    others = {*range(position.game.seats)} - {position.to_move}
    expect(seats <= others, f"`answers` are of the seats {sorted(seats)}", "answers")
    other = can.without_offers(position)
    expect(other.to_move == position.to_move, "the mover changes", "without_offers")


def _solves(position: Position) -> None:
    solver = can.position_solver(position.game)
    if solver is None or position.to_move < 0:
        return
    expect(0 < solver.share <= 1, f"the solver's share is {solver.share}", "position_solver")
    if solver.nodes(position) is not None:
        solver.open(position)
        shares = solver.payoffs if solver.advance(SOLVER_NODES) else None
        one = shares is None or abs(shares.sum() - 1) < 1e-9
        expect(one, f"the solver's payoffs are {shares}", "position_solver")


def _sets_up(position: Position) -> None:
    early = not (can.in_setup(position) and position.is_over)
    expect(early, "a game that is over is in its set-up", "in_setup")


def _lays_out(position: Position) -> None:
    layout = can.layout(position)
    if layout is not None:
        twin = can.with_layout(position.game, json.loads(json.dumps(layout))).start(1)
        expect(can.layout(twin) == layout, "`with_layout` makes another board", "with_layout")


def _counts(position: Position) -> None:
    for name, numbers in can.habits(position).items():
        whole = len(numbers) == position.game.seats and bool(np.isfinite(numbers).all())
        expect(whole, f"the habit '{name}' is {list(numbers)}: a number of each seat", "habits")


def _tells_statistics(position: Position) -> None:
    for table in can.statistics(position):
        for label, row in table.rows.items():
            whole = len(row) == position.game.seats
            expect(whole, f"'{label}' of '{table.title}' has {len(row)} seats", "statistics")


def _has_patterns(position: Position) -> None:
    game: Any = position.game
    for groups in game.patterns().placements:
        cells = {cell for group in groups for cell in group}
        alike = len({len(group) for group in groups}) == 1
        most = game.num_cells or game.num_features // game.observation_shape[0]
        sentence = f"a pattern needs cells below {most}, in groups of one length"
        expect(alike and cells <= {*range(most)}, sentence, "patterns")


def _shows(position: Position) -> None:
    game: Any = position.game
    for action in _legal(position)[:MAX_ACTIONS]:
        after = position.copy()
        after.play(action)
        for seat in range(game.seats):
            data = game.sight_to_json(game.sight(position.row, action, after.row, seat))
            twin = game.sight_to_json(game.sight_from_json(json.loads(json.dumps(data))))
            expect(twin == data, f"a sight is read as {twin}, not {data}", "sight_from_json")


CHECKS: dict[type, Check] = {
    can.GroupsActions: _groups,
    can.ParsesLines: _lines,
    can.ReadsPasted: _pasted,
    can.HasGuide: _guide,
    can.PlacesActions: _places,
    can.DescribesActions: _describes,
    can.ExplainsActions: _explains,
    can.Trading: _trades,
    can.RemembersAnswers: _remembers,
    can.SolvesPositions: _solves,
    can.HasSetup: _sets_up,
    can.HasLayout: _lays_out,
    can.CountsHabits: _counts,
    can.HasStatistics: _tells_statistics,
    HasPatterns: _has_patterns,
    ShowsActions: _shows,
}
PROMISED = {
    can.ExplainsPositions: looks.explanations_are_sentences_about_spots_of_the_scene,
    HasLesson: looks.every_task_of_a_lesson_can_be_done,
}
"""Of the other capabilities, what checks a whole game."""
