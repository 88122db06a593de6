"""Points, teams and the par: one mapping to shares, which every search and table takes."""

import functools
import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.agents.networks import Catalogue
from meeple.agents.spec import agent
from meeple.arena.figures.match_result import games_in_words, lines_of
from meeple.arena.figures.sprt import Hypotheses
from meeple.arena.figures.statistics import sign_test
from meeple.arena.games.lockstep import AgentPlayer
from meeple.errors import OptionError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.points import random_ends, scoring_of, spread_of
from meeple.games.contract.records import GameRecord, record_of, to_pandas
from meeple.games.contract.result import checked_tally, outcome_of, result_text, shares_without
from meeple.games.contract.simultaneous import Simultaneous, begin_choices, choices, choose
from meeple.kernels import OVER, add, kernel, record
from meeple.learn.evaluation.matches import Matches
from meeple.options import Choice, Integer
from meeple.search.exact.solver import solve
from meeple.search.exact.whole import solve_whole

MOST = 12
ROW = (3, -2, 7, 1, -4, 5, 2, -1, 6, 4, -3, 8)
Ends_ = record(
    to_move=np.int8, left=np.int8, right=np.int8, seats=np.int8, one_team=np.int8, two=np.int8,
    own=(np.int16, 4),
)  # fmt: skip
Options = record(seats=np.int8, coins=np.int8, one_team=np.int8, two=np.int8)


@kernel
def start(s, options, rng):
    s.to_move, s.left, s.right, s.seats = 0, 0, options.coins, options.seats
    s.one_team, s.two = options.one_team, options.two


@kernel
def legal(s, moves):
    add(moves, 0)
    if s.right - s.left > 1:
        add(moves, 1)


@kernel
def play(s, action):
    counts = (s.right - s.left) % 3 != 0
    if action == 0:
        s.own[s.to_move] += ROW[s.left] * counts
        s.left += 1
    else:
        s.right -= 1
        s.own[s.to_move] += ROW[s.right] * counts
    s.to_move = (s.to_move + 1) % s.seats if s.left < s.right else OVER


@kernel
def payoffs(s, out):
    for seat in range(s.seats):
        out[seat] = 0
        for other in range(s.seats):
            if seat == other or s.one_team or (s.two and seat % 2 == other % 2):
                out[seat] += s.own[other]


@kernel
def observe(s, player, out):
    out[s.left], out[MOST + s.right - 1] = 1, 1


class Ends(Game):
    """Coins at the ends of a row, some below 0; each third one counts nothing."""

    name, summary = "ends", "take coins from the ends of a row"
    State, Options, max_moves, num_actions = Ends_, Options, 2, 2
    declared = {
        "seats": Integer(2, 1, 4, "seats"),
        "coins": Integer(8, 2, MOST, "coins"),
        "form": Choice("alone", ("alone", "team", "teams"), "who plays with whom"),
    }

    def configure(self):
        form, seats = self.options["form"], int(self.options["seats"])
        self.players, self.max_plies, self.observation_shape = seats, MOST, (2 * MOST,)
        self.points = (-20, 40)
        if form == "team":
            self.teams = (range(seats),)
        elif form == "teams":
            self.teams = ((0, 2), (1, 3))

    def encode_options(self, options):
        options.seats, options.coins = self.options["seats"], self.options["coins"]
        options.one_team = self.options["form"] == "team"
        options.two = self.options["form"] == "teams"

    def draw(self, position, colour=False):
        return f"{position.state.left} to {position.state.right}"


FORMS: dict[str, dict[str, int | str]] = {
    "solo": {"seats": 1},
    "two": {"seats": 2},
    "three": {"seats": 3},
    "together": {"seats": 2, "form": "team"},
    "partners": {"seats": 4, "form": "teams"},
}
GAMES = {name: functools.partial(Ends, **options) for name, options in FORMS.items()}


def ends_of(game):
    """Yield the last positions of all games of seven plies."""
    for plies in itertools.product(range(2), repeat=7):
        position = game.start()
        for action in (*plies, 0):
            position.play(action)
        yield position


@pytest.mark.parametrize("form", GAMES)
def test_shares_are_of_one_win_and_linear_in_the_points(form):
    game = GAMES[form]()
    low, high = -20, 40
    for position in ends_of(game):
        shares, points = position.payoffs, position.points
        assert len(shares) == game.players
        assert len(points) == game.seats
        assert shares.sum() == pytest.approx(1)
        assert (shares >= 0).all()
        made = [points[side[0]] for side in game.sides if side[0] < game.seats]
        whole = [shares[list(side)].sum() for side in game.sides]
        assert all(np.ptp(shares[list(side)]) == 0 for side in game.sides)
        if len(made) == 1:
            assert whole == pytest.approx([(made[0] - low) / (high - low), 1 - whole[0]])
        else:
            n = len(made)
            lead = (np.array(made) - np.mean(made)) / ((n - 1) * (high - low))
            assert whole == pytest.approx(1 / n + lead)


def best(game, mover, left, right, own):
    """Return the points of all seats with perfect play of two sides, by plain recursion."""
    if left == right:
        return own
    found = []
    for coin, ends in ((ROW[left], (left + 1, right)), (ROW[right - 1], (left, right - 1))):
        coin *= (right - left) % 3 != 0
        made = [points + coin * (seat == mover) for seat, points in enumerate(own)]
        found.append(best(game, (mover + 1) % game.seats, *ends, made))
    return max(found, key=lambda made: made[mover] - sum(made[:mover] + made[mover + 1 :]))


@pytest.mark.parametrize("form", ["solo", "two"])
def test_the_exact_solver_and_alpha_beta_find_the_points_of_perfect_play(form):
    game = GAMES[form]()
    position = game.start()
    points = best(game, 0, 0, 8, [0] * game.seats)
    found = solve(position)
    while not position.is_over:
        position.play(solve(position).best_actions[0])
    assert position.points.tolist() == points
    assert found.payoffs == pytest.approx(position.payoffs)
    searched = agent("minimax:depth=8,heuristic=even", game)
    searched.choose(game.start())
    assert searched.analysis is not None
    assert searched.analysis.value == pytest.approx(found.payoffs, abs=1e-6)


@pytest.mark.parametrize("form", ["solo", "together", "partners", "three"])
@pytest.mark.parametrize("spec", ["uct:sims=400", "minimax:depth=8,heuristic=even"])
def test_searches_gain_more_points_than_random_play(form, spec):
    game = GAMES[form]()
    position, mine = game.start(), game.sides[0]
    agents = [agent(spec if seat in mine else "random", game, 1) for seat in range(game.seats)]
    for player in agents:
        player.begin(1)
    while not position.is_over:
        position.play(agents[position.to_move].choose(position))
    assert position.points[0] >= np.mean([end.points[0] for end in ends_of(game)])


def test_agents_meet_in_games_of_one_side_on_equal_deals_and_tables_show_points():
    table = meeple.tournament(GAMES["solo"](), ["uct:sims=100", "random"], games=10, seed=1)
    first, second = table.standings.to_json()
    assert first["points"] > second["points"]
    assert first["share"] > 0.5 > second["share"]
    low, high = first["points_interval"]
    assert low <= first["points"] <= high
    assert (first["games"], first["seats"], table.standings.seat_names) == (5, [], [])
    partners = meeple.match(GAMES["partners"](), ["uct:sims=50", "random"], games=4, seed=1)
    assert all(one[0] == one[2] != one[1] == one[3] for one in partners.lineups)
    assert partners.agents[0].share + partners.agents[1].share == pytest.approx(1)


def points_by_deal(result):
    """Return each agent's points by the seed of the deal."""
    made: list[dict[int, float]] = [{}, {}]
    for one, lineup in zip(result.records, result.lineups, strict=True):
        made[lineup[0]][one.seed] = one.tally["points"][0]
    return made


@pytest.mark.parametrize("form", ["solo", "together"])
def test_the_agent_with_more_points_on_the_same_deal_wins_it(form):
    specs = ["uct:sims=6", "random"]
    result = meeple.match(GAMES[form](), specs, games=21, seed=1)
    mine, others = points_by_deal(result)
    gaps = [mine[seed] - others[seed] for seed in mine.keys() & others.keys()]
    first, second = result.agents
    assert first.games == second.games == len(gaps) == 10
    assert [first.wins, first.draws, first.losses] == [
        sum(gap > 0 for gap in gaps), gaps.count(0), sum(gap < 0 for gap in gaps)
    ]  # fmt: skip
    assert first.share == (first.wins + first.draws / 2) / 10
    assert result.p_value == sign_test(first.wins, second.wins)
    text = "\n".join(lines_of(result))
    assert "seat" not in text
    assert "no second on the same deal" in text
    assert f"{first.points:.2f} points (95 %: " in text
    assert games_in_words(result) == "21 games, 10 deals"


def test_a_sequential_test_counts_deals():
    result = meeple.match(
        GAMES["solo"](), ["uct:sims=200", "random"], games=200, seed=1, sprt=Hypotheses(0, 50)
    )
    assert result.sprt is not None
    assert set(result.sprt.counts) == {0.0, 0.5, 1.0}
    assert result.sprt.accepted == "high"


def test_training_compares_a_network_with_its_opponents_on_equal_deals():
    game = GAMES["solo"]()
    settings = SimpleNamespace(specs=(), opponents=("random",), games=20, minutes=1)
    run: Any = SimpleNamespace(
        game=game,
        state=SimpleNamespace(seconds=0),
        config=SimpleNamespace(matches=settings, run=SimpleNamespace(seed=1)),
        folder=SimpleNamespace(catalogue=Catalogue()),
    )
    ways: Any = {"alone": lambda games: AgentPlayer(lambda: agent("uct:sims=200", game))}
    found = Matches(run, ways, ways["alone"]).play(0, lambda: False, 60)
    assert found["match/alone/random/games"] == 10
    assert (2 * found["match/alone/random"] * 10) % 1 == pytest.approx(0)
    assert found["match/alone/random"] > 0.6
    assert "seat/2" not in found


@pytest.mark.parametrize("form", ["solo", "two", "partners"])
def test_the_spread_of_points_is_that_of_random_games(form):
    game = GAMES[form]()
    shares = [end.payoffs[seat] for end in random_ends(game) for seat in range(game.seats)]
    assert 0 < spread_of(game) <= max(shares) - min(shares)
    assert spread_of(meeple.make("nim")) == 1


def test_records_say_the_points_and_survive_hostile_tallies():
    game = GAMES["partners"]()
    position = next(ends_of(game))
    names = ["Ann", "Bob", "Cid", "Dan"]
    saved = GameRecord.from_json(record_of(position, names).to_json())
    assert saved.tally == position.tally
    assert saved.tally["points"] == position.points.tolist()
    assert to_pandas([saved])["points_2"][0] == position.points[1]
    hostile: tuple[Any, ...] = (
        None, [], {"sides": 3}, {"sides": [[0, 1], [5]]}, {"sides": [[], [0, 1, 2, 3]]},
        {"sides": [[0], [1], [2], [3]], "points": [1, "x", 3, 4], "range": [0, 1]},
        {"sides": [[0], [1], [2], [3]], "points": [1, 2], "range": [0, 1]})  # fmt: skip
    for wrong in hostile:
        assert checked_tally(wrong, 4) == {}


def test_results_are_said_in_points_and_by_teams():
    names = ["Ann", "Bob", "Cid", "Dan"]
    teams = {"sides": [[0, 2], [1, 3]], "range": [0, 13], "points": [8, 5, 8, 5]}
    payoffs = [0.3, 0.2, 0.3, 0.2]
    assert result_text(payoffs, names, tally=teams) == "Ann and Cid win, 8 : 5 points"
    assert [outcome_of(payoffs, seat, teams) for seat in (0, 1)] == ["win", "loss"]
    assert shares_without(3, 4, teams) == (0.5, 0, 0.5, 0)
    alone = {"sides": [[0]], "range": [0, 35], "points": [14]}
    text = "Ann: 14 points (0 to 35 are possible)"
    assert result_text([0.4, 0.6], ["Ann", "the par"], tally=alone) == text
    assert outcome_of([0.4, 0.6], 0, alone) is None


@pytest.mark.parametrize(
    ("points", "seats", "teams", "sentence"),
    [
        (None, 1, (), "nobody to share a win with"),
        (None, 2, ((0, 1),), "nobody to share a win with"),
        ((0, 1), 3, ((1,),), "team of 1"),
        ((0, 1), 3, ((0, 1), (1, 2)), "once at most"),
        ((0, 1), 3, ((0, 7),), "once at most"),
        ((1, 1), 2, (), "least and the most"),
        ((0, float("inf")), 2, (), "least and the most"),
    ],
)
def test_contradictions_are_refused_in_a_sentence(points, seats, teams, sentence):
    with pytest.raises(ValueError, match=sentence):
        scoring_of(points, seats, teams)


def test_the_par_is_no_seat_of_a_player():
    game = GAMES["solo"]()
    assert (game.seats, game.players, game.has_par) == (1, 2, True)
    with pytest.raises(UsageError, match="no seat 1"):
        game.start().observation(1)
    with pytest.raises(OptionError, match="nobody to share"):
        type("Bare", (Ends,), {"configure": lambda self: setattr(self, "players", 1)})()


# ------------------------------------------------------------ simultaneous moves

Hands = record(to_move=np.int8, chosen=(np.int8, 2))
NoOptions = record()


@kernel
def may(s, seat, action):
    return True


list_signs, redraw_signs = choices(may, 3)


@kernel
def begin(s, options, rng):
    begin_choices(s)


@kernel
def show(s, action):
    if choose(s, action):
        s.to_move = OVER


@kernel
def winner(s, out):
    """Rock, paper, scissors, where paper counts double."""
    first, second = s.chosen[0], s.chosen[1]
    out[0] = out[1] = 0
    if (first - second) % 3 == 1:
        out[0] = 1 + (first == 1)
    elif first != second:
        out[1] = 1 + (second == 1)


@kernel
def sees(s, player, out):
    out[0], out[1] = player, s.chosen[player] + 1


class Signs(Simultaneous):
    """Rock, paper and scissors at once."""

    name, summary, num_actions, max_moves, max_plies = "signs", "signs shown at once", 3, 3, 2
    State, Options, observation_shape, points = Hands, NoOptions, (2,), (0, 2)

    def configure(self):
        pass

    @classmethod
    def kernel_named(cls, name):
        own = {"start": begin, "legal": list_signs, "play": show, "payoffs": winner,
               "observe": sees, "resample": redraw_signs}  # fmt: skip
        return own.get(name)

    def action_name(self, position, action):
        return ("rock", "paper", "scissors")[action]

    def draw(self, position, colour=False):
        return "signs"


def test_choices_at_once_have_the_mixed_equilibrium_and_stay_secret():
    game = Signs()
    found = solve_whole(game)
    assert found.payoffs == pytest.approx([0.5, 0.5], abs=1e-3)
    before = game.start()
    after = before.copy()
    after.play("paper")
    said = [game.describe_action(before, 1, after, seat) for seat in (0, 1, None)]
    assert said == ["player 1: paper", "player 1 has chosen", "player 1 has chosen"]
    last = after.copy()
    last.play("rock")
    told = game.describe_action(after, 0, last, None)
    assert told == "player 1: paper, player 2: rock"
    belief, drawn = game.belief(1), set()
    belief.follow(after)
    rng = meeple.kernels.new_rng(3)
    for _ in range(50):
        twin = after.copy()
        belief.sample(twin.row, rng)
        drawn.add(int(twin.state.chosen[0]))
    assert drawn == {0, 1, 2}
