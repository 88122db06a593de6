"""A game without a configuration is learned by the method that wins a race."""

from pathlib import Path

import pytest

import meeple
from meeple.errors import RunError, Stopped, UsageError
from meeple.games.contract.patterns import Patterns
from meeple.games.contract.registry import load_game_file
from meeple.learn import loop, race
from meeple.learn.config import PatternsConfig
from meeple.learn.run.chosen import RESULT, Contest, Race, read_race
from meeple.learn.run.folder import config_of, holds_run
from meeple.learn.usual import config_for, usual_configs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
REVERSI = meeple.make("reversi", size=4)


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("reversi", ["patterns", "drawn-patterns", "self-play"]),
        ("hex", ["patterns", "self-play"]),
        ("catan", ["values", "self-play"]),
        ("nim", ["self-play"]),
    ],
)
def test_the_methods_that_fit_a_game_follow_from_what_it_is(name, methods):
    game = meeple.make(name)
    found = usual_configs(game)
    assert list(found) == methods
    for name, config in found.items():
        assert (config.method, config.make_game()) == (name.removeprefix("drawn-"), game)
        drawn = isinstance(config, PatternsConfig) and config.training.drawn
        assert drawn == (name == "drawn-patterns")


def test_wrong_patterns_of_a_game_are_named_instead_of_replaced(tmp_path):
    file, text = tmp_path / "wrong.py", (EXAMPLES / "third_party_game.py").read_text()
    method = "    def patterns(self):\n        return Patterns([[(0, 99)]])\n"
    text = f"from {Patterns.__module__} import Patterns\n{text}\n{method}"
    file.write_text(text.replace('"domineering"', '"wrong-patterns"'))
    with pytest.raises(UsageError, match="a placement has different cells from 0 to 35, not"):
        usual_configs(load_game_file(file)())


def raced(folder):
    """The result of the race in a folder, which holds one."""
    result = read_race(folder)
    assert result is not None
    return result


@pytest.fixture
def short(monkeypatch):
    """Matches of one round, and no more training than asked for."""
    monkeypatch.setattr(race, "MAX_GAMES", 2)
    monkeypatch.setattr(race, "WARM_UP", {})


@pytest.mark.slow
def test_a_game_is_learned_by_the_winner_and_the_losers_figures_stay(short, tmp_path, capsys):
    run = meeple.train(REVERSI, 0.02, tmp_path)
    result = raced(tmp_path)
    assert set(result.seconds) == {"patterns", "drawn-patterns", "self-play"}
    assert run.config.method == usual_configs(REVERSI)[result.winner].method
    losers = set(result.seconds) - {result.winner}
    assert all(holds_run(tmp_path / "race" / loser) for loser in losers)
    assert not (tmp_path / "race" / result.winner).exists()
    assert result.final is not None
    assert result.final.opponent == race.YARDSTICK
    sentence = f"Method {result.winner}: after"
    assert sentence in capsys.readouterr().err
    assert sentence in str(run)
    assert sentence in run._repr_html_()
    position = REVERSI.start()
    assert run.agent().choose(position) in position.legal_actions()
    with pytest.raises(RunError, match=r"holds a run of .*: choose another folder"):
        meeple.train(meeple.make("reversi", size=6), 0.02, tmp_path)
    with pytest.raises(UsageError, match="minutes must be above 0"):
        meeple.train(REVERSI, -1, tmp_path)
    before = config_of(tmp_path).run.minutes or 0.0
    longer = meeple.train(REVERSI, 10, tmp_path, quiet=True, stop=lambda: True)
    assert (longer.config.run.minutes or 0.0) > before > 0
    assert raced(tmp_path).seconds == result.seconds


@pytest.mark.slow
def test_a_race_that_was_stopped_resumes_without_repeating_what_was_trained(short, tmp_path):
    trained = []

    def learn(folder, config, late):
        trained.append((folder.name, loop.train(folder).seconds))
        return True

    def learn_one(*arguments):
        return learn(*arguments) and len(trained) > 1

    for attempt in (learn_one, learn):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                race,
                "_play",
                lambda game, one, other, *_: lost(one.name, other.name if other else "uct"),
            )
            try:
                race.train_chosen(REVERSI, tmp_path, 0.05, attempt, lambda text: None, bool)
            except Stopped:
                assert not holds_run(tmp_path)
    names = [name for name, _ in trained]
    assert names == ["patterns", "patterns", "drawn-patterns", "self-play", tmp_path.name]
    assert trained[0] == trained[1]  # it was over already
    assert config_of(tmp_path).method == "self-play"


def lost(method, opponent="uct"):
    return Contest(method=method, opponent=opponent, share=0.25, games=20, seconds=1.0)


@pytest.mark.slow
def test_a_killed_move_of_the_winner_is_completed(short, tmp_path, monkeypatch):
    def killed(won, folder):
        names = sorted(path.name for path in won.iterdir() if path.name != "config.toml")
        (won / names[0]).rename(folder / names[0])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(race, "_install", killed)
        meeple.train(REVERSI, 0.02, tmp_path, quiet=True)
    assert not holds_run(tmp_path)
    run = meeple.train(REVERSI, 0.02, tmp_path, quiet=True)
    assert run.config.method == usual_configs(REVERSI)[raced(tmp_path).winner].method
    assert run.agent().game == REVERSI


@pytest.mark.slow
def test_a_method_without_a_network_after_its_time_loses(short, tmp_path):
    def learn(folder, config, late):
        if folder.name == "self-play":
            loop.train(folder, stop=lambda: True)  # saves the untrained network
        return folder != tmp_path

    with pytest.raises(Stopped):
        race.train_chosen(REVERSI, tmp_path, 0.02, learn, lambda text: None, bool)
    assert raced(tmp_path).sentence == "Method self-play: no other had a network in time"
    assert config_of(tmp_path).method == "self-play"


def test_a_game_that_one_method_fits_has_no_match(tmp_path):
    folders = []

    def learn(folder, config, late):
        folders.append(folder)
        return False

    game = meeple.make("nim", stones=5)
    with pytest.raises(Stopped):
        race.train_chosen(game, tmp_path, 1.0, learn, lambda text: None, bool)
    assert folders == [tmp_path]
    assert raced(tmp_path).sentence == "Method self-play: no other fits the game"


@pytest.mark.parametrize(("share", "games", "clear"), [(0.9, 20, 1), (1.0, 4, 0), (0.55, 40, 0)])
def test_a_contest_is_clear_once_its_interval_excludes_equal_strength(share, games, clear):
    result = Contest(method="patterns", opponent="uct", share=share, games=games, seconds=0.0)
    assert result.is_clear == clear


def test_a_contest_in_a_game_of_points_says_the_points_of_both(monkeypatch):
    monkeypatch.setattr(race, "_spec", lambda entrant: "random")
    monkeypatch.setattr(race, "YARDSTICK", "uct:sims=50")
    golf = load_game_file(EXAMPLES / "golf.py")()
    entrant = race._Entrant("random", Path(), config_for(golf))
    played = race._play(golf, entrant, None, 0.0, lambda: False)
    assert played.points is not None
    mine, other = played.points
    assert 0 < mine < other < 35
    assert played.words == (
        f"has {mine:.1f} points a game, and uct:sims=50 {other:.1f}, in {played.games} games"
    )


@pytest.mark.parametrize("text", ["", "{}", '{"winner": "chess"}', "[" * 100_000])
def test_a_damaged_race_is_named(text, tmp_path):
    (tmp_path / RESULT).write_text(text)
    with pytest.raises(RunError, match=r"race\.json"):
        read_race(tmp_path)


def test_a_weak_agent_is_not_praised():
    fields = {"seconds": {"patterns": 3.0}, "contests": [], "winner": "patterns", "spent": 0.0}
    result = Race.model_validate(fields | {"final": lost("patterns")})
    assert result.sentences[1] == (
        "The trained agent won 25 % of 20 games against uct: uct is stronger so far."
    )
