"""The study of UCT on Reversi: the effect of time a move and of a Q-table from earlier games."""

from meeple.agents.search_agent import SearchAgent
from meeple.agents.spec import agent
from meeple.games.contract.registry import make
from meeple.learn.qtable import learn
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.qtable.table import QTable
from meeple.search.qtable.warm_start import WarmStart
from meeple_studies.study import (
    Effort,
    Experiment,
    ExperimentResult,
    Progress,
    Study,
    share_of_match,
)

SHORT, LONG = 0.96, 3.0  # seconds a move
FIRST = "minimax:depth=4,heuristic=simple,margin=0"  # a beginner's minimax
FIRST_GREEDY = "minimax:depth=1,heuristic=simple,margin=0"
OURS = "minimax:depth=4"
FEWER = (25, 50, 100, 200, 400, 800, 1600)  # simulations a move
GAMES = 200
SIMULATIONS = 100  # a move, of searches with and without a table
LEARNED = 100  # training games of the table
CORNERS = UctSettings(guided=1.0)  # rollouts take a corner whenever possible


def _timed(
    name: str, seconds: float, against: str, theirs: str, words: str, guided: bool = True
) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        rule = ",guided=1" if guided else ""
        spec = f"uct:seconds={effort.seconds(seconds)}{rule}"
        return share_of_match(make("reversi"), [spec, against], effort, games, progress)

    how = "" if guided else ", rollouts without corners first"
    question = f"UCT, {seconds:g} s a move{how}, against {words}"
    return Experiment(name, question, theirs, GAMES, run)


def _counted(simulations: int) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        agents = [f"uct:sims={simulations},guided=1", FIRST]
        return share_of_match(make("reversi"), agents, effort, games, progress)

    question = f"UCT, {simulations:,} simulations a move, against the first minimax"
    return Experiment(f"sims-{simulations}", question, "", GAMES, run)


def _warm_agent(effort: Effort, against: str | None) -> SearchAgent:
    """Return a search with a Q-table trained by self-play, or against an agent."""
    game = make("reversi")
    table = QTable(game)
    opponent = None if against is None else agent(against, game, effort.seed)
    learn(
        table,
        effort.training_games(LEARNED),
        simulations=SIMULATIONS,
        seed=effort.seed,
        settings=CORNERS,
        against=opponent,
    )
    search = TreeSearch(OpenUct(game, CORNERS), phases=[WarmStart(table)])
    warm = SearchAgent(search, simulations=SIMULATIONS, seconds=None)
    warm.spec = f"uct:sims={SIMULATIONS},guided=1 with a table"
    return warm


def _warm(name: str, words: str, theirs: str, learned: str | None, against: str) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        game = make("reversi")
        agents = [_warm_agent(effort, learned), agent(against, game)]
        return share_of_match(game, agents, effort, games, progress)

    return Experiment(name, words, theirs, GAMES, run)


STUDY = Study(
    name="reversi-mcts",
    title="UCT on Reversi 8x8, corners first in its rollouts: time a move, and a Q-table",
    experiments=(
        _timed("short-random", SHORT, "random", "100 %", "random play"),
        _timed("short-greedy", SHORT, FIRST_GREEDY, "", "the first minimax, one ply"),
        _timed("short-first", SHORT, FIRST, "about 40 %", "the first minimax"),
        _timed("long-first", LONG, FIRST, "about 60 %", "the first minimax"),
        *map(_counted, FEWER),
        _timed("short-plain", SHORT, FIRST, "", "the first minimax", guided=False),
        _timed("short-minimax", SHORT, OURS, "", "our minimax"),
        _timed("long-minimax", LONG, OURS, "", "our minimax"),
        Experiment(
            "table-before",
            f"UCT, {SIMULATIONS} simulations a move, without a Q-table, against the first minimax",
            "46 %",
            GAMES,
            _counted(SIMULATIONS).run,
        ),
        _warm(
            "table-self-play",
            f"the same after {LEARNED} games of self-play of its Q-table",
            "64 %",
            None,
            FIRST,
        ),
        _warm(
            "table-opponent",
            f"the same after {LEARNED} games of its Q-table against that minimax",
            "64 %",
            FIRST,
            FIRST,
        ),
        _warm(
            "table-against-none",
            "and with the Q-table of self-play against without it",
            "",
            None,
            f"uct:sims={SIMULATIONS},guided=1",
        ),
    ),
    notes=(
        "The study limits its searches by time, in which a compiled search makes far more "
        "simulations. Limits by simulations make its figures comparable.",
        f"The first minimax is {FIRST}: a fixed depth, cells by the table of worths that textbooks "
        f"share, no chance. Ours, {OURS}, evaluates mobility, corners, stability and parity.",
        "A discount of rollouts is uct:discount=N (1 by default, as here); UCT that leaves out "
        "moves beside an empty corner is uct:prune=on.",
    ),
)
