"""The output, files and errors of `meeple topp`."""

import json

import pytest

import meeple
from meeple.cli import main as cli
from meeple.games.contract.records import read_records, replay
from meeple.nets.architecture import Architecture
from meeple.nets.checkpoint import save
from meeple.nets.network import ActorNetwork

HEX = meeple.make("hex", size=3)


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "runs" / "hex3"
    (folder / "checkpoints").mkdir(parents=True)
    for episode in (0, 40, 80):
        architecture = Architecture(
            hidden=(8,),
            observation_shape=HEX.observation_shape,
            num_actions=HEX.num_actions,
            players=2,
        )
        path = folder / "checkpoints" / f"network-{episode:06d}.safetensors"
        network = ActorNetwork(architecture, seed=episode)
        save(path, network.weights, game="hex", options=dict(HEX.options))
    return folder


@pytest.fixture
def topp(capsys):
    def go(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main(["topp", *(str(argument) for argument in arguments)])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return go


@pytest.mark.slow
def test_topp_prints_ratings_by_episode_and_writes_report_picture_and_games(topp, run):
    code, out, _ = topp(run, "--games", 4)
    assert code == 0
    episodes = [
        line.split()[0] for line in out.splitlines() if line[:4].strip() in ("0", "40", "80")
    ]
    assert episodes[:3] == ["0", "40", "80"]
    assert "ratings rise" in out.lower()
    assert "games are different" in out
    folder = run / "topp"
    assert str(folder / "report.html") in out
    records = read_records(folder / "games.jsonl")
    assert len(records) == 3 * 4
    assert all(replay(record).is_over for record in records)
    assert records[0].seats == ("network-000000", "network-000040")
    page = (folder / "report.html").read_text()
    assert "data:image/png;base64," in page
    assert (folder / "ratings.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_printed_command_for_the_best_network_is_valid(topp, run):
    _, out, _ = topp(run, "--games", 2)
    (line,) = (line for line in out.splitlines() if line.startswith("Play the best: "))
    words = line.split()
    spec = words[words.index("--against") + 1]
    options = [words[i + 1] for i, word in enumerate(words) if word == "--option"]
    game = meeple.make(words[words.index("play") + 1], **dict(o.split("=") for o in options))
    assert game == HEX
    assert meeple.agent(spec, game).choose(game.start()) in range(9)


@pytest.mark.slow
def test_json_is_the_saved_result_and_reproducible(topp, run, tmp_path):
    arguments = (run, "--games", 3, "--policy", "sample", "--seed", 5, "--json")
    _, first, _ = topp(*arguments, "--output", tmp_path / "out")
    _, second, _ = topp(*arguments, "--output", tmp_path / "out")
    assert first == second
    result = json.loads(first)
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == result
    assert result["policy"] == "sample"
    assert [network["episode"] for network in result["networks"]] == [0, 40, 80]
    assert not (run / "topp").exists()


@pytest.mark.slow
def test_show_draws_the_games_of_the_tournament(topp, run):
    _, out, _ = topp(run, "--games", 2, "--show")
    drawn = out[: out.index("networks of")]
    assert drawn.count("Game ") == 6
    assert drawn.count("wins.") == 6
    assert "player 1 (network-000000)" in drawn
    games = drawn.split("Game ")[1:]
    assert all(game.count("wins.") == 1 for game in games)  # in sequence


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--policy", "brave"), "greedy"),
        (("--epsilon", "2"), "epsilon"),
        (("--games", "0"), "games"),
    ],
)
def test_an_invalid_option_is_refused(topp, run, arguments, said):
    code, out, err = topp(run, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_a_folder_without_networks_is_refused_with_a_message(topp, tmp_path):
    code, _, err = topp(tmp_path)
    assert code == 1
    assert "is no run folder" in err
    assert err.count("\n") == 1
