"""Time-limited UCT and the Q-table on Reversi: what do time, and games before, give a search?"""

from meeple.agents.search_agent import SearchAgent
from meeple.agents.spec import agent
from meeple.games.contract.registry import make
from meeple.learn.qtable import learn
from meeple.search.mcts.uct import UctSearch
from meeple.search.qtable.table import QTable
from meeple.studies.study import Effort, Experiment, Found, Progress, Study, share_of_match

SHORT, LONG = 0.96, 3.0  # seconds a move
MINIMAX, GREEDY = "minimax:depth=4", "minimax:depth=1"
SIMULATIONS = 1000  # a move, of searches with and without a table
LEARNED = 100  # games of self-play that the table learns from


def _timed(
    name: str, seconds: float, against: str, theirs: str, guided: bool = False
) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> Found:
        rule = ",guided=1" if guided else ""
        spec = f"uct:seconds={effort.seconds(seconds)}{rule}"
        return share_of_match(make("reversi"), [spec, against], effort, games, progress)

    words = ", corners first in its rollouts" if guided else ""
    question = f"UCT, {seconds:g} s a move{words}, against {against}"
    return Experiment(name, question, theirs, 20, run)


def _cold(effort: Effort, games: int, progress: Progress) -> Found:
    agents = [f"uct:sims={SIMULATIONS}", GREEDY]
    return share_of_match(make("reversi"), agents, effort, games, progress)


def _warm_agent(seed: int) -> SearchAgent:
    game = make("reversi")
    table = QTable(game)
    learn(table, LEARNED, simulations=SIMULATIONS, seed=seed)
    warm = SearchAgent(UctSearch(game, qtable=table), simulations=SIMULATIONS, seconds=None)
    warm.spec = f"uct:sims={SIMULATIONS} with a table"
    return warm


def _warm(effort: Effort, games: int, progress: Progress) -> Found:
    game = make("reversi")
    agents = [_warm_agent(effort.seed), agent(GREEDY, game)]
    return share_of_match(game, agents, effort, games, progress)


def _against_cold(effort: Effort, games: int, progress: Progress) -> Found:
    game = make("reversi")
    agents = [_warm_agent(effort.seed), agent(f"uct:sims={SIMULATIONS}", game)]
    return share_of_match(game, agents, effort, games, progress)


STUDY = Study(
    name="reversi-mcts",
    title="UCT on Reversi 8x8: time a move, corners first, and a Q-table",
    experiments=(
        _timed("short-random", SHORT, "random", "100 %"),
        _timed("short-greedy", SHORT, GREEDY, ""),
        _timed("short-minimax", SHORT, MINIMAX, "about 40 %"),
        _timed("long-minimax", LONG, MINIMAX, "about 60 %"),
        _timed("short-guided-minimax", SHORT, MINIMAX, "", guided=True),
        Experiment(
            "table-before",
            f"UCT, {SIMULATIONS} simulations a move, without a Q-table, against {GREEDY}",
            "46 %",
            400,
            _cold,
        ),
        Experiment(
            "table-after",
            f"the same after {LEARNED} games of self-play of its Q-table",
            "64 %",
            400,
            _warm,
        ),
        Experiment(
            "table-against-none",
            "and with the Q-table against without it",
            "",
            400,
            _against_cold,
        ),
    ),
    notes=(
        "The study limits its searches by time: a compiled search makes far more of the same time.",
        "Its minimax is another: ours looks ahead by alpha-beta with a heuristic of mobility, "
        "corners, stability and parity, and is much stronger at the same depth.",
        f"The Q-table's opponent is {GREEDY}, against which a search of {SIMULATIONS} simulations "
        "without a table does about as well as theirs did.",
    ),
)
