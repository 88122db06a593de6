"""The output, files and errors of `meeple match` and `meeple tournament`."""

import json

import pytest

from meeple.games.contract.records import read_records, replay

NIM = ("nim", "random", "random", "--option", "stones=9")


def test_json_has_exactly_the_documented_fields_and_the_counted_games_are_saved(meeple, tmp_path):
    path = tmp_path / "new" / "games.jsonl"
    out = meeple.done("match", *NIM, "--games", 6, "--seed", 3, "--json", "--save", path)
    assert len([replay(record).is_over for record in read_records(path)]) == 6
    result = json.loads(out)
    assert list(result) == ["game", "options", "games", "seed", "agents"]
    assert (result["game"], result["options"]["stones"]) == ("nim", 9)
    assert (result["games"], result["seed"]) == (6, 3)
    assert sum(agent["wins"] for agent in result["agents"]) == 6
    fields = "spec games wins draws share interval ms_per_move simulations_per_move"
    assert all(" ".join(agent) == fields for agent in result["agents"])


def test_draws_and_the_simulations_of_a_timed_search_are_reported(meeple):
    words = ("match", "gomoku", "uct:seconds=0.01", "uct:sims=20", "-o", "size=4", "--games", 2)
    _, out, _ = meeple(*words)
    first, second = (line for line in out.splitlines() if line.startswith("uct"))
    assert "0 won, 2 drawn, 0 lost" in first
    assert "simulations/move" in first
    assert "simulations/move" not in second


def test_the_text_has_share_interval_seats_and_uncounted_games(meeple):
    _, out, _ = meeple("match", "hex", "random", "uct:sims=30", "-o", "size=3", "--games", 7)
    assert out.startswith("hex size=3")
    assert "in seat 1" in out
    assert "95 %:" in out
    assert "beyond an equal number in every seat: 1" in out
    assert "sign test" in out


def test_show_draws_every_position(meeple):
    out = meeple.done("match", "nim", "random", "random", "-o", "stones=2", "--games", 2, "--show")
    assert "Game 1: player 1 (random), player 2 (random)" in out
    assert "Game 2:" in out
    assert "take" in out
    assert out.count("wins.") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nimm", "random", "random"), "did you mean 'nim'"),
        (("nim", "random", "randon"), "did you mean 'random'"),
        (("nim", "random"), "takes 2 agents, not 1"),
        (("nim", "random", "uct:sims=0"), "sims must be a whole number"),
        (("nim", "random", "random", "--games", "0"), "--games"),
        (("nim", "random", "random", "-o", "stones=-1"), "stones must be"),
        ((*NIM, "--sprt", "20"), "LOW,HIGH"),
        ((*NIM, "--sprt", "0,20", "--alpha", "0.7"), "alpha must be"),
        ((*NIM, "--move-seconds", "0"), "move_seconds must be"),
        ((*NIM, "--book", "nowhere.txt"), "cannot read the openings"),
        ((*NIM, "--on-fault", "win"), "--on-fault"),
    ],
)
def test_an_invalid_argument_is_reported_in_one_sentence_with_exit_code_2(meeple, arguments, said):
    assert said in meeple.refused("match", *arguments)


def test_files_that_cannot_be_read_or_written_are_named(meeple, tmp_path):
    assert (
        meeple("tournament", "nim", "random")[2] == "a tournament takes at least 2 agents, not 1\n"
    )
    code, _, err = meeple("match", "nim", "random", "policy:nowhere.safetensors")
    assert (code, "nowhere.safetensors" in err) == (1, True)
    (tmp_path / "file").write_text("")
    code, _, err = meeple("match", *NIM, "--games", 2, "--save", tmp_path / "file" / "games.jsonl")
    assert (code, "cannot save" in err) == (1, True)


def test_ctrl_c_prints_and_saves_the_finished_games(meeple, tmp_path, monkeypatch):
    from meeple.agents.baselines import RandomAgent

    begun = []

    def begin(self, seed):
        begun.append(seed)
        if len(begun) > 9:
            raise KeyboardInterrupt
        original(self, seed)

    original = RandomAgent.begin
    monkeypatch.setattr(RandomAgent, "begin", begin)
    path = tmp_path / "games.jsonl"
    code, out, err = meeple("match", *NIM, "--games", 50, "--workers", 1, "--save", path, "--json")
    assert code == 130
    played = json.loads(out)["games"]
    assert 0 < played < 50
    assert len(read_records(path)) == played
    assert f"Stopped after {played} of 50 games." in err


def test_ctrl_c_in_the_first_game_reports_no_result(meeple, monkeypatch):
    from meeple.agents.baselines import RandomAgent

    def choose(self, position):
        raise KeyboardInterrupt

    monkeypatch.setattr(RandomAgent, "choose", choose)
    code, out, _ = meeple("match", *NIM, "--games", 5, "--workers", 1)
    assert code == 130
    assert "No game was finished." in out
    assert "%" not in out


@pytest.mark.slow
def test_a_tournament_prints_ratings_and_writes_its_folder(meeple, tmp_path):
    specs = ("random", "uct:sims=5", "uct:sims=100")
    folder = tmp_path / "out"
    out = meeple.done("tournament", "hex", *specs, "-o", "size=3", "--games", 6, "--output", folder)
    assert out.partition("rating")[2].partition("uct")[2].startswith(":sims=100")
    written = sorted(path.name for path in folder.iterdir())
    assert written == ["games.jsonl", "ratings.png", "report.html", "result.json"]
    result = json.loads((folder / "result.json").read_text())
    assert [agent["spec"] for agent in result["agents"]] == list(specs)
    assert len(read_records(folder / "games.jsonl")) == result["games"] == 18
    assert "uct:sims=100" in (folder / "report.html").read_text()


def test_repeated_games_are_reported_with_advice_on_openings(meeple):
    one, other = "policy:tictactoe", "policy:tictactoe,temperature=0"
    alike = ["gomoku", "-o", "size=3", "-o", "in_a_row=3", one, other]
    _, out, _ = meeple("match", *alike, "--games", 8)
    assert "of the games are different, so the intervals are too narrow" in out
    _, out, _ = meeple("match", *alike, "--games", 8, "--openings")
    assert "intervals are too narrow" not in out


def test_playing_statistics_are_printed_for_games_that_have_them(meeple):
    catan = ("catan", "weighted", "random", "-o", "players=2", "-o", "victory_points=4")
    out = meeple.done("match", *catan, "--games", 2, "--habits")
    lines = out.splitlines()
    assert lines.count("weighted") == lines.count("random") == 1
    assert sum(line.startswith("  offers  ") for line in lines) == 2
    out = meeple.done("match", *NIM, "--games", 2, "--habits")
    assert "nim has no statistics of play." in out


@pytest.mark.slow
def test_a_sequential_test_stops_and_reports_its_decision(meeple):
    words = ("match", "hex", "uct:sims=60", "random", "-o", "size=3", "--sprt", "0,60")
    code, out, _ = meeple(*words, "--json")
    result = json.loads(out)
    assert code == 0
    assert result["sprt"]["accepted"] == "high"
    assert (result["sprt"]["low"], result["sprt"]["high"]) == (0, 60)
    assert result["games"] < 100
    _, out, _ = meeple(*words, "--alpha", 0.1)
    assert "Accepted: +60 Elo for the first agent (error probability at most 0.1): LLR +" in out
    assert f"{result['games']} games" not in out  # fewer games are weaker evidence
    _, out, _ = meeple(*words, "--games", 4)
    assert "Undecided between +0 and +60 Elo: LLR" in out


def test_a_match_resumes_in_its_folder_and_refuses_another(meeple, tmp_path):
    first = meeple.done("match", *NIM, "--games", 4, "--run", tmp_path, "--json")
    _, again, _ = meeple("match", *NIM, "--games", 4, "--run", tmp_path, "--json")
    assert again == first  # including times
    assert "holds the games of another command, with seed 7 and not 8" in meeple.refused(
        "match", *NIM, "--games", 4, "--run", tmp_path, "--seed", 8, code=1
    )


def test_faults_are_in_the_table_and_the_first_message_is_printed(meeple, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Wrong:\n    def choose(self, position):\n        return 99\n")
    words = ("random", f"agent:{file}:Wrong", "--games", 2)
    code, out, err = meeple("match", "nim", *words, "--on-fault", "lose")
    assert code == 0
    assert "lost by failing: 2 by illegal" in out
    assert "A fault: agent:" in err
    assert "chose 99" in err
    code, out, err = meeple("match", "nim", *words)
    assert code == 2
    assert "chose 99" in err
    out = meeple.done("tournament", "nim", *words)
    assert "lost by failing: 2 by illegal" in out


def test_a_ladder_is_printed_as_a_table_and_as_json(meeple):
    words = ("ladder", "nim", "-o", "stones=9", "--games", 2)
    _, out, _ = meeple(*words)
    assert "Elo points above random" in out
    assert "Beginner" in out
    _, out, _ = meeple(*words, "--json")
    told = json.loads(out)
    assert told["anchor"] == "random"
    assert {"name", "spec", "rating", "interval", "ms_per_move"} <= set(told["agents"][0])
