"""Learn a game by patterns for some minutes, and play `uct` at equal time a move."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import meeple
from meeple.arena.figures.match_result import AgentResult
from meeple.games.contract.game import Game
from meeple.games.contract.registry import load_game_file
from meeple.learn import loop
from meeple.learn.run.folder import holds_run
from meeple.learn.usual import patterns_config

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
SECONDS = 0.02  # of a move
SEED = 61  # of the matches
ROUND_GAMES = 1000  # of learning, after which the time is looked at
UNSAVED = "training.saved=1000000", "matches.minutes=0"  # settings: weights are saved at the end


class Learned(NamedTuple):
    """A game of the table: its file and its options."""

    file: Path
    options: Mapping[str, int] = MappingProxyType({})

    def make(self) -> Game:
        return load_game_file(self.file)(**self.options)

    def title(self, name: str) -> str:
        """Return a name with the options, for people: "hex size=7"."""
        return " ".join([name, *(f"{key}={value}" for key, value in self.options.items())])


GAMES: Mapping[str, Learned] = {
    "breakthrough": Learned(EXAMPLES / "board_games" / "breakthrough.py"),
    "domineering": Learned(EXAMPLES / "third_party_game.py", {"size": 8}),
    "hex": Learned(HERE / "plain_hex.py", {"size": 7}),
    "gomoku": Learned(HERE / "plain_gomoku.py", {"size": 8}),
    "othello": Learned(HERE / "plain_reversi.py", {"size": 6}),
    "ataxx": Learned(EXAMPLES / "board_games" / "ataxx.py"),
    "lines-of-action": Learned(EXAMPLES / "board_games" / "lines_of_action.py"),
    "clobber": Learned(EXAMPLES / "board_games" / "clobber.py"),
    "yavalath": Learned(EXAMPLES / "board_games" / "yavalath.py"),
    "ultimate-tic-tac-toe": Learned(EXAMPLES / "board_games" / "ultimate_tic_tac_toe.py"),
    "einstein": Learned(EXAMPLES / "board_games" / "einstein.py"),
}


def learn(game: Game, minutes: float, run: Path) -> dict[str, Any]:
    """Learn a game by patterns as `meeple train` does, or resume; return seconds and games."""
    if not holds_run(run):
        settings = f"run.minutes={minutes}", f"training.games={ROUND_GAMES}", *UNSAVED
        loop.start_run(patterns_config(game, settings), run)
    state = loop.train(run)
    return {
        "learned_seconds": round(state.seconds, 1),
        "learned_games": ROUND_GAMES * state.episodes,
    }


def play(game: Game, run: Path, games: int) -> dict[str, Any]:
    """Play the learned weights against `uct`; stored games count."""

    def progress(done: int, of: int) -> None:
        print(f"\r{game.title}: {done} of {of} games ", end="", file=sys.stderr, flush=True)

    agents = [f"minimax:eval={run},seconds={SECONDS}", f"uct:seconds={SECONDS}"]
    result = meeple.match(
        game,
        agents,
        games,
        SEED,
        openings=True,
        run=run.with_suffix(".match"),
        workers=1,
        progress=progress,
    )
    print(file=sys.stderr)
    if result.interrupted:
        raise KeyboardInterrupt
    times = [round(one.ms_per_move, 1) for one in result.agents]
    return {**row_of(result.agents[0]), "ms_a_move": times}


def row_of(agent: AgentResult) -> dict[str, Any]:
    """Return the result of an agent in a match as fields of a row."""
    return {
        "games": agent.games,
        "won": agent.wins,
        "drawn": agent.draws,
        "lost": agent.losses,
        "share": agent.share,
        "interval": agent.interval,
    }


def measure(name: str, minutes: float, games: int, runs: Path) -> dict[str, Any]:
    """Return the row of a game; what is stored in `runs` is not done again."""
    game, run = GAMES[name].make(), runs / name
    game.compile()
    learned = learn(game, minutes, run)
    return {"name": name, "title": GAMES[name].title(name), **learned, **play(game, run, games)}


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as a table in Markdown."""
    lines = [
        "| game | share | interval | won, drawn, lost | games learned from | ms a move |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["interval"]
        lines.append(
            f"| {row['title']} | {100 * row['share']:.1f} % | {100 * low:.1f} to {100 * high:.1f} "
            f"| {row['won']}, {row['drawn']}, {row['lost']} | {row['learned_games']:,} "
            f"| {' and '.join(map(str, row['ms_a_move']))} |"
        )
    return "\n".join(lines)
