"""The study of AlphaZero on small Gomoku boards: draws, blocked threats, wins against MCTS."""

import numpy as np

from meeple.agents.spec import agent
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make
from meeple_studies.study import (
    Effort,
    Experiment,
    ExperimentResult,
    Progress,
    Study,
    share_of,
    share_of_match,
    whole_match,
)

SIMULATIONS = 400  # a move, of either search
SECONDS = 0.1
MAX_TRIES = 5000  # random games in which positions are searched


def _draws(size: int, in_a_row: int, theirs: str) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        game = make("gomoku", size=size, in_a_row=in_a_row)
        agents = ["uct:sims=1000", "uct:sims=1000"]
        first = whole_match(game, agents, effort, games, progress).agents[0]
        return share_of(first.draws, first.games, f"{first.draws} drawn, {games - first.draws} not")

    name = f"draws-{size}x{size}" + ("" if in_a_row == 4 else f"-{in_a_row}")
    question = f"{size}x{size}, {in_a_row} in a row: games of MCTS that are drawn"
    return Experiment(name, question, theirs, 100, run)


def must_block(position: Position) -> int | None:
    """Return the only move that does not lose at once; None if there are more, or one that wins."""
    first, *others = position.legal_actions().tolist()
    if not _wins(_after(position, first)) and (
        not others or not _wins(_after(position, others[0]))
    ):
        return None  # neither of two moves loses, so there is no threat
    if _wins(position):
        return None
    safe = [action for action in (first, *others) if not _wins(_after(position, action))]
    return safe[0] if len(safe) == 1 else None


def _after(position: Position, action: int) -> Position:
    after = position.copy()
    after.play(action)
    return after


def _wins(position: Position) -> bool:
    """Return whether the player to move can win at once."""
    if position.is_over:
        return False
    mover = position.to_move
    for action in position.legal_actions().tolist():
        after = _after(position, action)
        if after.is_over and after.payoffs[mover] == 1:
            return True
    return False


def blocking_positions(game: Game, count: int, seed: int) -> list[tuple[Position, int]]:
    """Return positions of random games with the one move that blocks, at most `count`."""
    rng = np.random.default_rng(seed)
    found: list[tuple[Position, int]] = []
    for _ in range(MAX_TRIES):
        if len(found) == count:
            break
        position = game.start()
        block = None
        while block is None and not position.is_over:
            position.play(int(rng.choice(position.legal_actions())))
            block = None if position.is_over else must_block(position)
        if block is not None:
            found.append((position, block))
    return found


def _blocks(name: str, size: int, in_a_row: int, spec: str, theirs: str) -> Experiment:
    def run(effort: Effort, count: int, progress: Progress) -> ExperimentResult:
        game = make("gomoku", size=size, in_a_row=in_a_row)
        found = blocking_positions(game, count, effort.seed)
        player = agent(spec, game, effort.seed)
        hits = 0
        for done, (position, block) in enumerate(found, start=1):
            player.begin(effort.seed)
            hits += player.choose(position) == block
            progress(done, len(found))
        return share_of(hits, len(found), f"{hits} of {len(found)} positions")

    question = f"{size}x{size}, {in_a_row} in a row: {spec} finds the one move that blocks"
    return Experiment(name, question, theirs, 100, run)


def _meet(
    name: str, size: int, in_a_row: int, network: str, limit: str, against: str
) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        game = make("gomoku", size=size, in_a_row=in_a_row)
        seconds = f"seconds={effort.seconds(SECONDS)}"
        agents = [f"puct:{network},{limit or seconds}", f"uct:{against or seconds}"]
        return share_of_match(game, agents, effort, games, progress)

    ours, theirs = (words or f"{SECONDS:g} s" for words in (limit, against))
    question = f"{size}x{size}, {in_a_row} in a row: network MCTS ({ours}) against plain ({theirs})"
    return Experiment(name, question, "", 100 if limit else 20, run)


EQUAL, MORE = f"sims={SIMULATIONS}", "sims=5000"

STUDY = Study(
    name="gomoku",
    title="AlphaZero on small Gomoku boards",
    experiments=(
        _draws(4, 4, ""),
        _draws(4, 5, "all"),
        _draws(6, 5, ""),
        _draws(8, 5, ""),
        _blocks("block-6x6-five", 6, 5, f"uct:{EQUAL}", "may fail to"),
        _blocks("block-6x6-plain", 6, 4, f"uct:{EQUAL}", "may fail to"),
        _blocks("block-6x6-network", 6, 4, f"puct:gomoku6,{EQUAL}", ""),
        _blocks("block-8x8-plain", 8, 5, f"uct:{EQUAL}", "may fail to"),
        _blocks("block-8x8-network", 8, 5, f"puct:gomoku8,{EQUAL}", ""),
        _meet("6x6-equal", 6, 4, "gomoku6", EQUAL, EQUAL),
        _meet("6x6-more", 6, 4, "gomoku6", EQUAL, MORE),
        _meet("6x6-time", 6, 4, "gomoku6", "", ""),
        _meet("8x8-equal", 8, 5, "gomoku8", EQUAL, EQUAL),
        _meet("8x8-more", 8, 5, "gomoku8", EQUAL, MORE),
        _meet("8x8-time", 8, 5, "gomoku8", "", ""),
    ),
    notes=(
        "The notebook has five in a row in its code; four in a row is ours.",
        "4x4 with four in a row is a draw by the exact solver: "
        "meeple solve gomoku -o size=4 -o in_a_row=4",
        "4x4 with five in a row cannot but be drawn: no row of five fits.",
        "A position to block comes from a random game: no move wins at once, and all but one lose.",
        "6x6 with four in a row is won by the first player, so half of its games are lost to an "
        "opponent that plays them perfectly.",
    ),
)
