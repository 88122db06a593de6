"""The requirements of every game: `PROMISES` lists all checks.

`meeple check` runs them in separate processes; the tests run them on all built-in games.
"""

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from meeple import kernels
from meeple.games.check import capabilities, frequencies, hidden, hooks, looks, rules
from meeple.games.check.walk import LONG_GAME_PLIES, GameWalk, call_kernel, expect, listed_by
from meeple.games.contract.faults import TOLERANCE
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE
from meeple.kernels.table import caller
from meeple.options import Choice, Flag, Integer, Number

ROLLOUTS = 300  # per position, of the kernel and of random moves
MAX_LAST_PLIES = 8  # plies before the end of a game in which winning actions are compared

# ------------------------------------------------------------ optional kernels for search


def the_rollout_kernel_plays_uniformly(walk: GameWalk) -> None:
    """Mean shares of the kernel and of random moves differ by at most 4.5 standard errors."""
    game = walk.game
    if not (game.has(kernels.ROLLOUT) and kernels.COMPILED) or game.max_plies > LONG_GAME_PLIES:
        return
    call = caller("rollout")
    for plies in (0, 1, game.max_plies // 4):
        position = walk.after(plies, plies)
        fast, slow = np.zeros(game.players), np.zeros(game.players)
        rng, choice = kernels.new_rng(11, plies), np.random.default_rng([12, plies])
        for _ in range(ROLLOUTS):
            twin = position.copy()
            call(game.address_of(kernels.ROLLOUT), twin.address, rng.ctypes.data)
            expect(twin.is_over, "`rollout` leaves a game that is not over", "rollout")
            fast += twin.payoffs
            twin = walk.position = position.copy()
            while not twin.is_over:
                if twin.to_move == CHANCE:  # a copy of a position would repeat its outcomes
                    outcomes, chances = twin.chance_outcomes()
                    twin.play(int(choice.choice(outcomes, p=chances / chances.sum())))
                else:
                    walk.step(choice)
            slow += twin.payoffs
        difference = float(np.abs(fast - slow).max()) / ROLLOUTS
        expect(
            difference <= 4.5 * np.sqrt(1 / (2 * ROLLOUTS)),
            f"`rollout` wins {difference:.2f} more or less than random moves do",
            "rollout",
        )


def prune_keeps_some_of_the_legal_actions(walk: GameWalk) -> None:
    """`prune` lists legal actions, each once, and at least one, with weights to draw by."""
    game = walk.game
    if not game.can_prune:
        return
    for position in walk.every_position():
        if position.to_move >= 0:
            legal, (listed, weights) = position.legal_actions(), listed_by(position, kernels.PRUNE)
            distinct = len(set(listed)) == len(listed)
            valid = listed and distinct and set(listed) <= set(legal.tolist())
            sentence = (
                f"`prune` lists {listed[:5]}: it must list at least one legal action, each once"
            )
            expect(bool(valid), sentence, "prune")
            sentence = (
                f"`prune` gives {listed[:5]} the weights {weights[:5]}: none below 0, some above"
            )
            expect(bool((weights >= 0).all() and weights.sum() > 0), sentence, "prune")


def candidates_are_legal_actions(walk: GameWalk) -> None:
    """`candidates` lists legal actions, each once; it may list none."""
    if not walk.game.has(kernels.CANDIDATES):
        return
    for position in walk.every_position():
        if position.to_move >= 0:
            legal = set(position.legal_actions().tolist())
            listed, _ = listed_by(position, kernels.CANDIDATES)
            valid = len(set(listed)) == len(listed) and set(listed) <= legal
            sentence = f"`candidates` lists {listed[:5]}: legal actions only, each once"
            expect(valid, sentence, "candidates")


def winning_is_worth_what_the_heuristic_promises(walk: GameWalk) -> None:
    """An immediate win is worth at least the value of `heuristic` after any other action."""
    if not walk.game.has(kernels.HEURISTIC):
        return
    for last in walk.ends_of_games():
        before = last.copy()
        before.undo()
        seat, won = before.to_move, last.payoffs
        if seat < 0 or (won >= won[seat]).sum() > 1:
            continue
        for action in before.legal_actions().tolist():
            twin = before.copy()
            twin.play(action)
            if twin.to_move >= 0:
                estimate = call_kernel(twin, kernels.HEURISTIC)[0][seat]
                sentence = (
                    f"`heuristic` gives the mover {estimate:.3f} after an action, although "
                    f"another action wins the game with a share of {won[seat]:.3f}"
                )
                expect(bool(estimate <= won[seat] + TOLERANCE), sentence, "heuristic")


def winning_actions_are_those_that_win_at_once(walk: GameWalk) -> None:
    """`winning_actions` lists the legal actions that give the mover the whole share at once."""
    if not walk.game.has(kernels.WINNING_ACTIONS):
        return
    for last in walk.ends_of_games():
        position = last.copy()
        for _ in range(min(MAX_LAST_PLIES, len(last.actions))):
            position.undo()
            if position.to_move >= 0:
                listed, _ = listed_by(position, kernels.WINNING_ACTIONS)
                wins = [a for a in position.legal_actions().tolist() if _wins(position, a)]
                sentence = f"`winning_actions` lists {sorted(listed)[:5]}, and {wins[:5]} win"
                expect(sorted(listed) == sorted(wins), sentence, "winning_actions")


def _wins(position: Position, action: int) -> bool:
    twin, seat = position.copy(), position.to_move
    twin.play(action)
    return twin.is_over and bool(twin.payoffs[seat] > 1 - TOLERANCE)


Promise = Callable[[GameWalk], None]

RULES: tuple[Promise, ...] = (
    rules.every_position_has_a_mover_with_distinct_actions_or_sure_outcomes,
    rules.games_end_within_max_plies,
    rules.payoffs_are_shares_of_one_win,
    rules.observations_have_their_shape_and_are_finite,
    rules.undo_restores_every_byte_and_the_generator,
)
"""Requirements without which a game cannot be played."""

SHOWN: tuple[Promise, ...] = (
    rules.an_illegal_action_is_refused_and_changes_nothing,
    rules.looking_changes_nothing,
    looks.action_names_are_unique_and_parse_back,
    looks.names_and_texts_are_short,
    looks.drawings_are_plain_text_unless_colour_is_asked_for,
    looks.the_terminal_shows_a_seat_what_its_scene_shows,
    looks.a_scene_is_data_and_every_click_leads_to_one_action,
    looks.explanations_are_sentences_about_spots_of_the_scene,
    looks.every_task_of_a_lesson_can_be_done,
    looks.what_is_hidden_can_be_sampled,
    looks.what_a_seat_knows_is_kept_by_its_belief,
    hooks.optional_methods_belong_to_a_whole_capability,
    capabilities.a_capability_answers_as_its_protocol_says,
    rules.every_symmetry_keeps_rules_and_payoffs,
    rules.every_variant_is_the_same_game_by_its_symmetry,
    rules.a_swap_gives_the_share_of_the_opponent,
)
"""The checks that call every method that a class may fill in, as people and networks need them."""

QUICK = (*RULES, *SHOWN)
"""What is checked before a file is used: the page, the terminal and agents call nothing else."""

PROMISES: tuple[Promise, ...] = (
    *QUICK,
    rules.every_start_can_be_played,
    rules.every_player_is_to_move_in_some_game,
    rules.legal_actions_are_counted_as_they_are_listed,
    rules.a_copy_is_independent,
    rules.the_same_seed_gives_the_same_game,
    hidden.what_is_hidden_varies_between_determinizations,
    frequencies.hidden_values_are_drawn_about_as_often_as_they_occur,
    looks.a_seats_scene_tells_nothing_that_the_seat_cannot_know,
    rules.options_make_an_equal_game,
    the_rollout_kernel_plays_uniformly,
    prune_keeps_some_of_the_legal_actions,
    candidates_are_legal_actions,
    winning_is_worth_what_the_heuristic_promises,
    winning_actions_are_those_that_win_at_once,
)


def promise_text(promise: Promise) -> str:
    """Return the requirement that a check tests, as text."""
    return promise.__name__.replace("_", " ")


def cases(kind: type[Game]) -> list[Mapping[str, Any]]:
    """Return the sets of options with which a game is checked."""
    return list(kind.examples) or [{}]


def limits(kind: type[Game]) -> list[Mapping[str, Any]]:
    """Return sets of options with one option at a limit or at one of its choices each."""
    found: list[Mapping[str, Any]] = []
    for name, option in kind.declared.items():
        if isinstance(option, Integer | Number):
            values: Sequence[Any] = [option.low, option.high]
        elif isinstance(option, Choice):
            values = option.choices
        else:
            values = [False, True] if isinstance(option, Flag) else []
        found += [{name: value} for value in values if value not in (None, option.default)]
    return [one for one in found if one not in cases(kind)]


def pairs_of(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return sets of options with two options at a limit each, of `limits`, in a mixed order."""
    pairs = [
        {**one, **other}
        for one, other in itertools.combinations(found, 2)
        if one.keys() != other.keys()
    ]
    return random.Random(0).sample(pairs, len(pairs))
