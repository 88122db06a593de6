"""What every game must do, whoever wrote it: `PROMISES` lists all that is checked.

`meeple check` runs them in processes of their own, the tests of this project on all that ships.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from meeple import kernels
from meeple.games.check import hidden, looks, rules
from meeple.games.check.walk import LONG, Walk, expect
from meeple.games.contract.game import Game
from meeple.kernel_table import caller
from meeple.options import Choice, Flag, Integer, Number

ROLLOUTS = 300

# ------------------------------------------------------------ what search may use


def the_rollout_kernel_plays_uniformly(walk: Walk) -> None:
    """Mean shares of the kernel and of random moves, at most 4.5 standard errors apart."""
    game = walk.game
    if not (game.has(kernels.ROLLOUT) and kernels.COMPILED) or game.max_plies > LONG:
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
                walk.step(choice)
            slow += twin.payoffs
        apart = float(np.abs(fast - slow).max()) / ROLLOUTS
        expect(
            apart <= 4.5 * np.sqrt(1 / (2 * ROLLOUTS)),
            f"`rollout` wins {apart:.2f} more or less than random moves do",
            "rollout",
        )


def prune_keeps_some_of_the_legal_actions(walk: Walk) -> None:
    """`prune` lists legal actions, each once, and at least one."""
    game = walk.game
    if not game.can_prune:
        return
    call, address = caller("prune"), int(game.pruning_rules()[kernels.PRUNE])
    moves = np.zeros(1, dtype=kernels.moves_record(game.max_moves))
    for position in walk.every_position():
        if position.to_move >= 0:
            legal, moves["count"] = position.legal_actions(), 0
            call(address, position.address, moves.ctypes.data)
            kept = moves["actions"][0, : moves["count"][0]].tolist()
            fine = kept and len(set(kept)) == len(kept) and set(kept) <= set(legal.tolist())
            expect(bool(fine), f"`prune` makes {kept[:5]} of the legal actions", "prune")


Promise = Callable[[Walk], None]

RULES: tuple[Promise, ...] = (
    rules.the_mover_is_a_player_or_chance,
    rules.legal_actions_are_ids_without_duplicates,
    rules.games_end_within_max_plies,
    rules.chance_probabilities_sum_to_one,
    rules.payoffs_are_shares_of_one_win,
    rules.observations_have_their_shape_and_are_finite,
    rules.undo_restores_every_byte_and_the_generator,
)
"""The quick part: what a game must keep to be played at all."""

PROMISES: tuple[Promise, ...] = (
    *RULES,
    rules.every_player_is_to_move_in_some_game,
    rules.legal_actions_are_counted_as_they_are_listed,
    rules.an_illegal_action_is_refused_and_changes_nothing,
    rules.a_copy_is_independent,
    rules.the_same_seed_gives_the_same_game,
    rules.looking_changes_nothing,
    looks.action_names_are_unique_and_parse_back,
    rules.every_symmetry_keeps_rules_and_payoffs,
    looks.what_is_hidden_can_be_sampled,
    looks.what_a_seat_knows_is_kept_by_its_belief,
    hidden.what_is_hidden_varies_between_determinizations,
    looks.drawings_are_plain_text_unless_colour_is_asked_for,
    looks.a_scene_is_data_and_every_click_leads_to_one_action,
    looks.a_seats_scene_tells_nothing_that_the_seat_cannot_know,
    rules.options_make_an_equal_game,
    the_rollout_kernel_plays_uniformly,
    prune_keeps_some_of_the_legal_actions,
)


def promise_in_words(promise: Promise) -> str:
    """What a check checks, in a few words."""
    return promise.__name__.replace("_", " ")


def cases(kind: type[Game]) -> list[Mapping[str, Any]]:
    """The options that a game is checked with."""
    return list(kind.examples) or [{}]


def limits(kind: type[Game]) -> list[Mapping[str, Any]]:
    """Each option at its least and greatest value, or each of its words, the others as usual."""
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
