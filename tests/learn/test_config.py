"""An invalid configuration is refused with field and range; a valid one documents itself."""

import tracemalloc
from statistics import median

import pytest

from meeple.errors import ConfigError
from meeple.learn.config import (
    Config,
    ValuesConfig,
    as_option,
    at_progress,
    documented,
    find_config,
    load,
    load_config,
    method_of,
    parse_config,
    parse_sections,
    ready_configs,
    section_of,
)
from meeple.learn.config.sections import read_toml
from meeple.learn.selfplay import replay
from meeple.options import Integer
from tests.learn.small import config

GAME = '[game]\nname = "hex"\n'
NUMBER = "1" * 5000  # longer than Python converts to text
DEEP = "[" * 100_000
QUOTED = " . ".join(['"a.b"'] * 7_000)


def check_refusal(parse, said, most=300):
    """Check that a configuration is refused in a short sentence with these words."""
    with pytest.raises(ConfigError) as error:
        parse()
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < most


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("run.episodes=0", "run.episodes must be a whole number from 1 to 100,000,000, not 0"),
        ("run.episdes=5", "unknown field 'run.episdes'; known fields: seed, episodes"),
        ("rum.seed=5", "unknown section 'rum'; known sections: run, game"),
        ("search.simulations=1", "search.simulations must be a whole number from 2 to 1,000,000"),
        ("search.simulations=[[5, 9]]", "search.simulations must start at move 0"),
        ("search.c=clasic", "search.c must be a number from 0 to 100, or classic, not 'clasic'"),
        ("search.seconds=0", "search.seconds must be a number above 0, not 0"),
        ("selfplay.sigma=1.5", "selfplay.sigma must be a number from 0 to 1, or [first, last]"),
        ("selfplay.epsilon=[0.5]", "selfplay.epsilon must be"),
        ("network.hidden=[0]", "network.hidden must be"),
        ("network.activation=swish", "linear, sigmoid, tanh or relu, not 'swish'"),
        ("training.learning_rate=inf", "training.learning_rate must be a number above 0"),
        ("training.momentum=0.9", "training.momentum must be 0: adam has no momentum"),
        ("training.optimizer=lion", "adagrad, sgd, rmsprop or adam, not 'lion'"),
        ("selfplay.format=bfloat16", "selfplay.format must be auto or float32"),
        ("selfplay.format=int8", "an mlp does not support int8"),
        ("training.device=gpu", "must be auto, cpu, cuda, or cuda:N for accelerator N, not 'gpu'"),
        ("selfplay.temperature_plies=1000000000", "selfplay.temperature_plies must be"),
        ("replay.memory=1000000000", "replay.memory must be a whole number from 1 to 1,000,000"),
        (f"matches.opponents={['random'] * 65}", "must be a list of at most 64 items, each a str"),
        ("run.networks=900", "run.networks must be at most 201"),
        ("game.options.size=99", "size must be a whole number from 3 to 19, not 99"),
        ("game.name=hexx", "there is no game 'hexx'"),
        ("episodes=5", "'episodes=5' is not a change; write section.field=value"),
        ("game.name.x=5", "name is not a section"),
        pytest.param(f"run.seed={DEEP}", "nested too deeply", id="brackets"),
        pytest.param(f"run.seed={NUMBER}", "too many digits", id="digits"),
        pytest.param(f"run.seed=0x{NUMBER}", "run.seed must be a whole number", id="hexadecimal"),
        pytest.param(f"run.{'.'.join('a' * 50_000)}=1", "has more than 16 parts", id="parts"),
        pytest.param(f"run.seed={{{'.'.join('a' * 50_000)}=1}}", "more than 16 parts", id="inline"),
    ],
)
def test_an_invalid_change_is_named_with_the_allowed_values(change, said):
    check_refusal(lambda: parse_config(GAME, [change]), said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "game is missing", id="empty"),
        pytest.param("[[", "is not a TOML file", id="no TOML"),
        pytest.param("\0", "is not a TOML file", id="zero"),
        pytest.param(b"\xff", "its text is not UTF-8", id="bytes"),
        pytest.param("#" * 64_001, "it has more than 64,000 bytes", id="long"),
        pytest.param(f"run = 5\n{GAME}", "run must be a section with seed, episodes", id="section"),
        pytest.param(f"{GAME}[deep]\na = {'[' * 10_000}", "is nested too deeply", id="brackets"),
        pytest.param(f"{GAME}[run]\nseed = {NUMBER}", "has too many digits", id="digits"),
        pytest.param(f"{GAME}options.size = 0x{NUMBER}", "size must be a whole", id="option"),
        pytest.param(f"{GAME}options.size = {'[' * 300}{']' * 300}", "game.options", id="lists"),
        pytest.param(f"{GAME}[{'.'.join('a' * 5_000)}]", "more than 16 parts", id="tables"),
        pytest.param(f"{GAME}{'.'.join('a' * 30_000)} = 1", "more than 16 parts", id="parts"),
        pytest.param(f"{GAME}{QUOTED} = 1", "more than 16", id="quoted"),
        pytest.param(f"{GAME}options.name = 3", "hex has no option 'name'", id="name"),
        pytest.param(f"{GAME}options.self = 3", "hex has no option 'self'", id="self"),
        pytest.param('game.name = "he\\nx"', r"there is no game 'he\nx'", id="line"),
        pytest.param('"ru\\nm" = 3\n' + GAME, r"unknown section 'ru\nm'", id="field"),
    ],
)
def test_a_damaged_file_is_refused_in_one_short_sentence(tmp_path, text, said):
    """Parsers of TOML and pydantic raise other errors for most of these."""
    file = tmp_path / "config.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    check_refusal(lambda: load_config(file), said, len(str(file)) + 300)
    with pytest.raises(ConfigError, match=str(file)):
        load_config(file)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(ConfigError, match="there is no configuration file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match=r"cannot read .*: it is not a file"):
        load_config(tmp_path)


WIDE = f"network.hidden=[{', '.join(['65536'] * 64)}]"
BOARD = ["network.kind=conv", "game.options.size=19"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([WIDE], "lower network.hidden: the network would have 270,603,321,395 parameters"),
        ([WIDE, "network.kind=classic"], "lower network.hidden: the network would have"),
        (
            [*BOARD, "network.channels=1024", "network.blocks=64"],
            "lower network.channels or network.blocks: the network would have",
        ),
        (
            [*BOARD, "network.channels=256", "training.batch_size=65536"],
            "lower training.batch_size, or choose a smaller network: a minibatch would take",
        ),
        (
            [*BOARD, "selfplay.games=4096", "search.leaves=256"],
            "lower selfplay.games or search.leaves, or choose a smaller network: a batch of",
        ),
        (
            ["game.options.size=19", "selfplay.games=4096", "search.simulations=1000000"],
            "lower selfplay.games or search.simulations: the trees of a wave would take",
        ),
    ],
)
def test_too_large_sizes_are_refused_before_memory_is_allocated(changes, said):
    tracemalloc.start()
    try:
        check_refusal(lambda: parse_config(GAME, changes), said)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


def test_every_number_and_list_of_a_configuration_has_an_upper_bound():
    """Except durations and similar values, which take no memory."""
    unbounded = []
    for section in (section_of(f) for k in (Config, ValuesConfig) for f in k.model_fields.values()):
        assert section is not None
        for name, field in section.model_fields.items():
            option = as_option(field)
            if isinstance(option, Integer) and option.high is None:
                unbounded.append(name)
            if "a list of" in option.allowed and "at most" not in option.allowed:
                unbounded.append(name)
    assert unbounded == []


def test_a_replay_buffer_larger_than_memory_is_refused(monkeypatch):
    large = config("replay.capacity=100000000", "replay.memory=1000000")
    monkeypatch.setattr(replay, "_machine_memory", lambda: 8e9)
    with pytest.raises(ConfigError, match=r"this machine has 8,000 MB: lower replay\.memory"):
        replay.new_buffer(large, large.make_game())
    small = config("replay.capacity=100000000", "replay.memory=4000")
    assert len(replay.new_buffer(small, small.make_game())) == 0


@pytest.mark.parametrize(
    ("game", "changes", "said"),
    [
        ("hex", ["network.critic=false", "selfplay.sigma=[1, 0.9]"], "network.critic must be true"),
        ("hex", ["network.critic=false", "search.mode=alphazero"], "network.critic must be true"),
        ("nim", ["network.kind=conv"], "needs observations of"),
    ],
)
def test_fields_that_do_not_fit_each_other_or_the_game_are_refused(game, changes, said):
    check_refusal(lambda: parse_config(f'game.name = "{game}"', changes), said)


def test_a_change_is_toml_or_an_unquoted_word():
    said = ["network.kind=conv", 'search.mode = "alphazero"', "run.seed=7"]
    changed = parse_config(GAME, said)
    assert changed.network.kind == "conv"
    assert changed.search.mode == "alphazero"
    assert changed.run.seed == 7
    assert not parse_config(GAME, ["network.critic=false"]).network.critic


@pytest.mark.parametrize(
    ("schedule", "progress", "value"),
    [(0.3, 0.7, 0.3), ([1.0, 0.0], 0.25, 0.75), ([0.0, 1.0], 0, 0.0), ([0.0, 1.0], 1, 1.0)],
)
def test_a_schedule_is_linear(schedule, progress, value):
    assert at_progress(schedule, progress) == value


def test_simulations_follow_their_stages():
    staged = config("search.simulations=[[0, 40], [3, 10]]")
    assert [staged.simulations_at(move) for move in (0, 2, 3, 50)] == [40, 40, 10, 10]
    assert staged.max_simulations == 40


READY = ready_configs()
LOADED = {name: load(path) for name, path in READY.items()}
RICH = config(
    "search.simulations=[[0, 40], [3, 10]]", "selfplay.sigma=[1, 0.5]", "run.minutes=3",
    "training.learning_rate=1e-5", "game.options.swap=true", "network.hidden=[]",
)  # fmt: skip


@pytest.mark.parametrize("written", [RICH, *LOADED.values()], ids=["rich", *LOADED])
def test_the_documented_text_has_every_field_and_reads_back_as_the_same(written):
    text = documented(written)
    assert parse_sections(type(written), text) == written
    for section in type(written).model_fields:
        part = getattr(written, section)
        for field in () if part is None else type(part).model_fields:
            assert f"\n{field} =" in text or f"\n# {field} =" in text


@pytest.mark.parametrize("name", READY)
def test_a_ready_configuration_is_short_and_sets_only_what_differs_from_the_defaults(name):
    text = READY[name].read_text(encoding="utf-8")
    repeated = []
    for section, values in read_toml(text).items():
        part = getattr(LOADED[name], section)
        assert values or section == "records", f"[{section}] is empty"
        for field in set(values) - {"mode"}:
            declared = type(part).model_fields[field]
            if not declared.is_required() and getattr(part, field) == declared.default:
                repeated.append(f"{section}.{field}")
    assert repeated == []
    lines = text.splitlines()
    heading = [line for line in lines if line.startswith("#")]  # says what is learned
    assert lines[: len(heading)] == heading
    assert 1 <= len(heading) <= 2
    assert max(map(len, lines)) <= 105
    assert sum(" = " in line for line in lines) <= 28


def test_a_usual_ready_configuration_has_at_most_fifteen_settings():
    texts = [path.read_text(encoding="utf-8") for path in READY.values()]
    assert median(sum(" = " in line for line in text.splitlines()) for text in texts) <= 15


def test_ready_configurations_are_found_by_name_and_training_method():
    assert {"nim", "ledge", "hex3", "hex4"} <= set(ready_configs("self-play"))
    assert set(ready_configs("values")) == {"catan", "catan-reduced"}
    assert set(ready_configs("records")) == {"reversi8-people"}
    by_patterns = {f"{name}-patterns" for name in ("gomoku15", "reversi6", "reversi8", "reversi10")}
    assert set(ready_configs("patterns")) == by_patterns
    assert set(ready_configs("self-play", "records", "values", "patterns")) == set(READY)
    with pytest.raises(ConfigError, match="did you mean 'hex4'"):
        find_config("hexx4")


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("", "self-play"),
        (f"{GAME}[records]", "records"),
        ('[run]\nmode = "values"', "values"),
        ("[[", "self-play"),
        ("run = 5", "self-play"),
    ],
)
def test_the_text_of_a_configuration_names_its_training_method(text, method):
    assert method_of(text) == method


def test_a_configuration_of_any_training_method_is_loaded_as_its_model():
    assert isinstance(LOADED["hex3"], Config)
    assert isinstance(load(READY["catan"], ["labels.games=7"]), ValuesConfig)
    with pytest.raises(ConfigError, match=r"unknown field 'run\.episode'.*did you mean 'episodes'"):
        load(READY["hex3"], ["run.episode=3"])
