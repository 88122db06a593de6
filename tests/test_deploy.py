"""The files of `deploy/` are valid for the programs that read them, and their commands exist.

An image is built only if a builder and the base image are available.
"""

import copy
import fnmatch
import io
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from meeple.learn.config import find_config
from tests.documents.commands import wrong_call

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
CONTAINERFILE = DEPLOY / "Containerfile"
IDENTITY = "10001:10001"
ASSIGNMENT = re.compile(r"[A-Z][A-Z_]*=\S*")
yaml = pytest.importorskip("yaml", reason="PyYAML comes with Ray: pip install ./plugins/meeple-ray")


def instructions():
    """Return the Containerfile's instructions with their values, as a list for each stage."""
    parser = pytest.importorskip("dockerfile_parse")
    read = parser.DockerfileParser(fileobj=io.BytesIO(CONTAINERFILE.read_bytes()))
    stages: list[list[tuple[str, str]]] = [[]]
    for one in read.structure:
        if one["instruction"] == "FROM":
            stages.append([])
        if one["instruction"] != "COMMENT":
            stages[-1].append((one["instruction"], one["value"]))
    return stages


def of_kind(kind, stages):
    return [value for stage in stages for name, value in stage if name == kind]


def settled(path):
    return yaml.safe_load((DEPLOY / path).read_text())


def calls(shell, program):
    """Yield the arguments of each call of a program in shell lines, without redirections."""
    found = []
    for part in re.split(r"&&|\|\||;|\n", shell):
        words = [word for word in shlex.split(part, comments=True) if word != "exec"]
        while words and ASSIGNMENT.fullmatch(words[0]):
            words = words[1:]
        if words and words[0].rpartition("/")[2] == program:
            found.append(words[1:])
    return found


def every_shell():
    """Return all shell lines, and calls without a shell, in the files."""
    compose = settled("compose.yaml")
    cluster = settled("ray-cluster.yaml")
    lines = [
        *of_kind("RUN", instructions()),
        *(" ".join(map(shlex.quote, json.loads(one))) for one in of_kind("CMD", instructions())),
        *(line for key, value in cluster.items() if key.endswith("_commands") for line in value),
    ]
    for service in compose["services"].values():
        command = service["command"]
        inner = command[2] if command[:2] == ["sh", "-c"] else " ".join(command)
        lines.append(inner.replace("$$", "$").replace("$CONFIG", "hex5"))
    return lines


def test_every_meeple_command_in_the_files_exists_with_its_options():
    found = [call for line in every_shell() for call in calls(line, "meeple")]
    assert {call[0] for call in found} == {"serve", "train", "warmup"}
    assert {tuple(call): wrong_call(call, whole=True) for call in found} == {
        tuple(call): None for call in found
    }


@pytest.mark.slow
def test_every_ray_command_in_the_files_exists_with_its_options():
    scripts = pytest.importorskip("ray.scripts.scripts")
    found = [call for line in every_shell() for call in calls(line, "ray")]
    assert [call[0] for call in found] == ["stop", "start", "stop", "start"]
    for name, *words in found:
        command = scripts.cli.commands[name]
        words = [word.replace("$RAY_HEAD_IP", "10.0.0.1") for word in words]
        command.make_context(name, words)  # raises if an option is wrong


def test_user_of_the_image_is_not_root_and_has_one_number():
    last = instructions()[-1]
    users = [value for name, value in last if name == "USER"]
    assert users == [IDENTITY]
    made = next(value for name, value in last if name == "RUN" and "useradd" in value)
    assert "--uid 10001" in made
    names = [name for name, _ in last]
    warm = next(i for i, (name, value) in enumerate(last) if value == "meeple warmup")
    assert names.index("USER") < warm, "kernels belong to who runs them"


def test_everything_that_the_image_copies_exists_and_is_not_ignored():
    allowed = [
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    copied = [one.split()[:-1] for one in of_kind("COPY", instructions()) if "--from" not in one]
    sources = [source for words in copied for source in words if not source.startswith("--")]
    assert sources
    for source in sources:
        assert (ROOT / source).exists()
        assert any(fnmatch.fnmatch(source, pattern) for pattern in allowed)
    assert sorted(sources) == sorted(allowed), "nothing more is let in than is copied"


def test_build_context_contains_all_files_of_a_wheel():
    project = (ROOT / "pyproject.toml").read_text()
    for name in re.findall(r'^(?:readme|license-files) = \[?"([^"]+)"', project, re.M):
        assert f"!{name}" in (ROOT / ".dockerignore").read_text()


def test_no_file_contains_a_secret_and_secret_files_are_ignored():
    ignored = (ROOT / ".gitignore").read_text()
    secret = settled("compose.yaml")["secrets"]["password"]["file"]
    assert f"/deploy/{Path(secret).parent}/" in ignored
    for path in DEPLOY.iterdir():
        if path.is_dir():
            continue
        text = path.read_text()
        assert not re.search(r"MEEPLE_PASSWORD[=:]|RAY_AUTH_TOKEN[=:]|BEGIN .*PRIVATE KEY", text)


def test_kernels_are_compiled_for_every_processor_into_a_readable_folder():
    (environment,) = of_kind("ENV", instructions())
    words = dict(word.split("=", 1) for word in environment.split() if "=" in word)
    assert words["MEEPLE_CACHE"] == "/opt/kernels"
    assert words["NUMBA_CPU_NAME"] == "${CPU}"
    assert words["NUMBA_CPU_FEATURES"] == ""
    assert "CPU=generic" in of_kind("ARG", instructions())


def test_pytorch_is_pinned_and_the_image_build_compiles_nothing():
    runs = " ".join(of_kind("RUN", instructions()))
    cluster = " ".join(settled("ray-cluster.yaml")["setup_commands"])
    for text in (runs, cluster):
        assert "--only-binary=:all:" in text
        assert set(re.findall(r"torch==([\d.]+)", text)) == {"2.13.0"}
    assert "index-url" not in runs + cluster


def test_health_check_uses_an_existing_address():
    (check,) = of_kind("HEALTHCHECK", instructions())
    command = json.loads(check[check.index("[") :])
    assert command[:2] == ["python", "-c"]
    compile(command[2], "the check", "exec")
    assert "http://127.0.0.1:8000/login" in command[2]
    source = (ROOT / "src/meeple/server/app.py").read_text()
    assert '@app.get("/login"' in source


def test_the_page_and_training_share_a_volume_and_have_limits():
    compose = settled("compose.yaml")
    page, training = (compose["services"][name] for name in ("page", "training"))
    for service in (page, training):
        assert (ROOT / "deploy" / service["build"]["context"]).resolve() == ROOT
        assert (ROOT / service["build"]["dockerfile"]).exists()
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["volumes"] == ["data:/data"]
        limits = service["deploy"]["resources"]["limits"]
        assert limits.keys() == {"cpus", "memory", "pids"}
        assert "user" not in service, "the image's own"
    assert page["restart"] == "unless-stopped"
    assert training["restart"] == "on-failure", "a run that is at its end is not begun again"
    assert training["shm_size"]
    assert training["stop_signal"] == "SIGINT"
    assert page["environment"]["MEEPLE_PASSWORD_FILE"] == "/run/secrets/password"
    assert "MEEPLE_PASSWORD" not in page["environment"]
    name = training["environment"]["CONFIG"].removeprefix("${CONFIG:-").removesuffix("}")
    assert find_config(name).exists()


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False])
def test_training_in_a_container_resumes_an_existing_run(tmp_path, there):
    """Run the file's shell script with a `meeple` that prints its arguments."""
    script = settled("compose.yaml")["services"]["training"]["command"][2].replace("$$", "$")
    runs = tmp_path / "runs"
    (runs / "hex5").mkdir(parents=True)
    if there:
        (runs / "hex5" / "config.toml").touch()
    meeple = tmp_path / "meeple"
    meeple.write_text('#!/bin/sh\necho "$@"\n')
    meeple.chmod(0o755)
    done = subprocess.run(
        ["sh", "-c", script.replace("/data/runs", str(runs))],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "CONFIG": "hex5"},
        capture_output=True,
        text=True,
        check=True,
    )
    begin, go_on = f"train hex5 --run {runs}/hex5", f"train --resume --run {runs}/hex5"
    assert done.stdout == f"{go_on if there else begin}\n"


def test_cluster_file_is_accepted_by_rays_launcher():
    launcher = pytest.importorskip("ray.autoscaler._private.util")
    cluster = settled("ray-cluster.yaml")
    launcher.validate_config(launcher.prepare_config(copy.deepcopy(cluster)))
    assert cluster["max_workers"] == len(cluster["provider"]["worker_ips"])
    with pytest.raises(Exception, match="colour"):
        launcher.validate_config(launcher.prepare_config(cluster | {"colour": "red"}))


def test_every_node_requires_the_token_and_limits_memory_and_threads():
    cluster = settled("ray-cluster.yaml")
    assert "~/.ray/auth_token" in cluster["file_mounts"]
    for role in ("head", "worker"):
        line = cluster[f"{role}_start_ray_commands"][-1]
        assert line.startswith("RAY_AUTH_MODE=token ")
        assert int(re.findall(r"--object-store-memory=(\d+)", line)[0]) <= 10**9
        threads = set(re.findall(r"(\w+)_NUM_THREADS=1\b", line))
        assert threads == {"OMP", "MKL", "OPENBLAS", "NUMBA"}
    assert cluster["auth"]["ssh_user"] != "root"


def builder():
    """Return the command of an available builder that has the base image; otherwise skip."""
    base = "python:3.12-slim"
    for name in ("docker", "podman", "buildah"):
        if shutil.which(name):
            pull = [name, "pull", "-q", base if name == "docker" else f"docker.io/library/{base}"]
            done = subprocess.run(pull, capture_output=True, text=True, timeout=300, check=False)
            if done.returncode == 0:
                return [name, "bud" if name == "buildah" else "build"]
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            reason = f"{name} cannot get {base}: {why[:200]}"
        else:
            reason = "there is no docker, podman or buildah"
    return pytest.skip(reason)


@pytest.mark.nightly("the image of the container is built, where there is a builder")
def test_image_is_built_if_a_builder_is_available():
    """Build the small image, without PyTorch."""
    words = [*builder(), "-f", str(CONTAINERFILE), "--build-arg", "EXTRAS=openvino"]
    words += ["--build-arg", "PLUGINS="]
    done = subprocess.run(
        [*words, "-t", "meeple-test", str(ROOT)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
