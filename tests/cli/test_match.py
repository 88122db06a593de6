"""The output, files and errors of `meeple match` and `meeple tournament`."""

import json

import pytest

from meeple.games.contract.records import read_records, replay

NIM = ("nim", "random", "random", "--option", "stones=9")


def test_json_has_exactly_the_documented_fields(meeple):
    code, out, _ = meeple("match", *NIM, "--games", 6, "--seed", 3, "--json")
    assert code == 0
    result = json.loads(out)
    assert list(result) == ["game", "options", "games", "seed", "agents"]
    assert (result["game"], result["options"]["stones"]) == ("nim", 9)
    assert (result["games"], result["seed"]) == (6, 3)
    assert sum(agent["wins"] for agent in result["agents"]) == 6
    fields = {"spec", "wins", "draws", "share", "interval", "ms_per_move", "simulations_per_move"}
    assert all(set(agent) == fields for agent in result["agents"])


def test_draws_and_the_simulations_of_a_timed_search_are_reported(meeple):
    words = ("match", "gomoku", "uct:seconds=0.01", "uct:sims=20", "-o", "size=4", "--games", 2)
    _, out, _ = meeple(*words)
    first, second = (line for line in out.splitlines() if line.startswith("uct"))
    assert "0 won, 2 drawn, 0 lost" in first
    assert "simulations/move" in first
    assert "simulations/move" not in second
    _, out, _ = meeple("match", *NIM, "--games", 2, "--json")
    assert all(agent["simulations_per_move"] >= 0 for agent in json.loads(out)["agents"])


def test_the_result_depends_on_the_seed_and_not_on_the_number_of_workers(meeple):
    def wins(workers):
        _, out, _ = meeple("match", *NIM, "--games", 20, "--json", "--workers", workers)
        return [agent["wins"] for agent in json.loads(out)["agents"]]

    assert wins(1) == wins(3)


def test_the_text_has_share_interval_seats_and_uncounted_games(meeple):
    _, out, _ = meeple("match", "hex", "random", "uct:sims=30", "-o", "size=3", "--games", 7)
    assert out.startswith("hex size=3")
    assert "in seat 1" in out
    assert "95 %:" in out
    assert "beyond an equal number in every seat: 1" in out
    assert "sign test" in out


def test_saved_games_are_those_that_were_counted(meeple, tmp_path):
    path = tmp_path / "new" / "games.jsonl"
    _, out, _ = meeple("match", *NIM, "--games", 5, "--json", "--save", path)
    records = read_records(path)
    assert len(records) == 5
    assert all(replay(record).is_over for record in records)
    assert json.loads(out)["games"] == 5


def test_show_draws_every_position(meeple):
    code, out, _ = meeple(
        "match", "nim", "random", "random", "-o", "stones=2", "--games", 2, "--show"
    )
    assert code == 0
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
    ],
)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_an_invalid_argument_is_reported_in_one_sentence_with_exit_code_2(
    meeple, command, arguments, said
):
    if command == "tournament":
        said = said.replace("takes 2 agents, not 1", "at least 2 agents")
    code, out, err = meeple(command, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_missing_network_is_reported_with_its_name(meeple):
    code, _, err = meeple("match", "nim", "random", "policy:nowhere.safetensors")
    assert code == 1
    assert "nowhere.safetensors" in err


def test_an_error_names_a_file_that_cannot_be_saved(meeple, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = meeple("match", *NIM, "--games", 2, "--save", tmp_path / "file" / "games.jsonl")
    assert code == 1
    assert "cannot save" in err


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
    code, out, _ = meeple(
        "tournament", "hex", *specs, "-o", "size=3", "--games", 6, "--output", folder
    )
    assert code == 0
    rows = [
        line.split()[0] for line in out.splitlines() if line.strip().startswith(("uct", "rand"))
    ]
    assert rows[0] == "uct:sims=100"
    assert "rating" in out
    assert {path.name for path in folder.iterdir()} == {
        "games.jsonl",
        "ratings.png",
        "report.html",
        "result.json",
    }
    result = json.loads((folder / "result.json").read_text())
    assert [agent["spec"] for agent in result["agents"]] == list(specs)
    assert len(read_records(folder / "games.jsonl")) == result["games"] == 18
    assert "uct:sims=100" in (folder / "report.html").read_text()


def test_a_tournament_prints_its_result_as_json(meeple):
    _, out, _ = meeple("tournament", "nim", "random", "uct:sims=20", "--games", 4, "--json")
    result = json.loads(out)
    assert result["games"] == 4
    first, second = result["matrix"][0][1], result["matrix"][1][0]
    assert first + second == 1
    assert result["matrix"][0][0] is None


def test_repeated_games_are_reported_with_advice_on_openings(meeple):
    one, other = "policy:tictactoe", "policy:tictactoe,temperature=0"
    alike = ["gomoku", "-o", "size=3", "-o", "in_a_row=3", one, other]
    _, out, _ = meeple("match", *alike, "--games", 8)
    assert "of the games are different, so the intervals are too narrow" in out
    _, out, _ = meeple("match", *alike, "--games", 8, "--openings")
    assert "intervals are too narrow" not in out


def test_playing_statistics_are_printed_for_games_that_have_them(meeple):
    catan = ("catan", "weighted", "random", "-o", "players=2", "-o", "victory_points=4")
    code, out, _ = meeple("match", *catan, "--games", 2, "--habits")
    assert code == 0
    lines = out.splitlines()
    assert lines.count("weighted") == lines.count("random") == 1
    assert sum(line.startswith("  offers  ") for line in lines) == 2
    code, out, _ = meeple("match", *NIM, "--games", 2, "--habits")
    assert code == 0
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


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--sprt", "20"), "LOW,HIGH"),
        (("--sprt", "0,20", "--alpha", "0.7"), "alpha must be"),
        (("--move-seconds", "0"), "move_seconds must be"),
        (("--book", "nowhere.txt"), "cannot read the openings"),
        (("--on-fault", "win"), "--on-fault"),
    ],
)
def test_an_invalid_option_of_a_match_is_reported_in_one_sentence(meeple, more, said):
    code, out, err = meeple("match", *NIM, *more)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_match_resumes_in_its_folder_and_refuses_another(meeple, tmp_path):
    code, first, _ = meeple("match", *NIM, "--games", 4, "--run", tmp_path, "--json")
    assert code == 0
    _, again, _ = meeple("match", *NIM, "--games", 4, "--run", tmp_path, "--json")
    assert again == first  # including times
    code, out, err = meeple("match", *NIM, "--games", 4, "--run", tmp_path, "--seed", 8)
    assert (code, out) == (1, "")
    assert "holds the games of another command, with seed 7 and not 8" in err


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
    code, out, _ = meeple("tournament", "nim", *words)
    assert code == 0
    assert "lost by failing: 2 by illegal" in out


def test_a_swiss_tournament_prints_its_scores_and_byes(meeple):
    specs = ("random", "uct:sims=5", "uct:sims=50")
    code, out, _ = meeple("tournament", "nim", *specs, "--games", 2, "--format", "swiss")
    assert code == 0
    assert {"score", "byes"} <= set(out.split())


def test_a_ladder_is_printed_as_a_table_and_as_json(meeple):
    words = ("ladder", "nim", "-o", "stones=9", "--games", 2)
    code, out, _ = meeple(*words)
    assert code == 0
    assert "Elo points above random" in out
    assert "Beginner" in out
    _, out, _ = meeple(*words, "--json")
    told = json.loads(out)
    assert told["anchor"] == "random"
    assert {"name", "spec", "rating", "interval", "ms_per_move"} <= set(told["agents"][0])
