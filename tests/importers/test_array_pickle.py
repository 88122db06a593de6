"""A pickled list of arrays is read as NumPy wrote it, and no code of a file is executed."""

import contextlib
import io
import pickle
import subprocess
import sys

import numpy as np
import pytest

from meeple.errors import CheckpointError
from meeple.importers import array_pickle
from meeple.importers.array_pickle import read_arrays

NUMPY = b"cnumpy.core.multiarray\n_reconstruct\n"
ARRAYS = [np.arange(6, dtype=np.float32).reshape(2, 3) - 2.5, np.array([1e-30], np.float32)]


def small(number):
    return b"K" + bytes([number])


def text(content):
    """Return a byte string as Python 2 wrote it."""
    return b"T" + len(content).to_bytes(4, "little") + content


def blank():
    return NUMPY + b"cnumpy\nndarray\n" + small(0) + b"\x85" + text(b"b") + b"\x87R"


def dtype(name=b"f4", order=b"<"):
    made = b"cnumpy\ndtype\n" + text(name) + small(0) + small(1) + b"\x87R"
    minus = b"J\xff\xff\xff\xff"
    return made + b"(" + small(3) + text(order) + b"NNN" + minus + minus + small(0) + b"tb"


def old_array(shape, content, type_=None):
    """Return an array's pickle as NumPy wrote it in Python 2, possibly with another shape."""
    axes = b"(" + b"".join(b"\x8a\x08" + n.to_bytes(8, "little", signed=True) for n in shape) + b"t"
    state = b"(" + small(1) + axes + (type_ or dtype()) + b"\x89" + text(content) + b"t"
    return blank() + state + b"b"


def old_list(*items):
    return b"\x80\x02](" + b"".join(items) + b"e."


@pytest.fixture
def read(tmp_path):
    def of(content):
        (tmp_path / "net.model").write_bytes(content)
        return read_arrays(tmp_path / "net.model")

    return of


@pytest.fixture
def complaint(read):
    """Return a function that gives the error message for a refused file."""

    def of(content):
        with pytest.raises(CheckpointError) as error:
            read(content)
        assert "net.model" in str(error.value)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 400
        return str(error.value)

    return of


@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize("kind", ["<f4", "<f8", ">f4"])
def test_arrays_are_read_as_written(read, protocol, kind):
    given = [a.astype(kind) for a in ARRAYS] + [np.asfortranarray(ARRAYS[0].astype(kind))]
    for found, array in zip(read(pickle.dumps(given, protocol)), given, strict=True):
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, array.astype(np.float32))


def test_arrays_of_python_2_are_read_too(read):
    content = old_list(old_array((2, 3), ARRAYS[0].tobytes()), old_array((1,), ARRAYS[1].tobytes()))
    for found, array in zip(read(content), ARRAYS, strict=True):
        np.testing.assert_array_equal(found, array)


class Harm:
    def __init__(self, call, *arguments):
        self.call = call, arguments

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize(
    ("call", "name"),
    [(eval, "eval"), (subprocess.call, ".call"), (np.zeros, "zeros"), (np.load, "load")],
)
def test_any_other_name_is_refused_and_not_called(complaint, tmp_path, protocol, call, name):
    target = tmp_path / "harm"
    argument = f"open({str(target)!r}, 'w')" if call is eval else str(target)
    words = complaint(pickle.dumps([*ARRAYS, Harm(call, argument)], protocol))
    assert f"{name}'" in words
    assert not target.exists()


def test_a_classic_attack_is_refused_by_name(complaint):
    assert "'os.system'" in complaint(b"cos\nsystem\n(S'echo harm'\ntR.")
    assert "'os.system'" in complaint(b"(S'echo harm'\nios\nsystem\n.")


def test_a_name_cannot_write_to_the_terminal(complaint):
    assert "\x1b" not in complaint(b"\x80\x02cos\n\x1b[2Jsystem\n.")


@pytest.mark.parametrize(
    "content",
    [
        np.array([{"a": 1}], dtype=object),
        np.arange(3),
        np.array(["a"]),
        np.ones(2, np.complex64),
        np.ones(2, np.float16),
        np.ones(2, [("a", "f4")]),
    ],
)
def test_numbers_other_than_plain_floats_are_refused(complaint, content):
    complaint(pickle.dumps([content], 2))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_non_finite_numbers_are_refused(complaint, wrong):
    assert "array 1 " in complaint(pickle.dumps([ARRAYS[0], np.array([0, wrong])], 2))


def test_a_number_too_large_for_float32_is_refused(complaint):
    assert "array 0 " in complaint(pickle.dumps([np.array([1e300])], 2))


@pytest.mark.parametrize(
    "shape", [(10**12,), (2**40, 2**40), (2, 2), (-1,), (-2, -3), (0,), (), (1,) * 5 + (6,)]
)
def test_a_shape_that_does_not_fit_the_content_is_refused(complaint, shape):
    assert "shape" in complaint(old_list(old_array(shape, ARRAYS[0].tobytes())))


@pytest.mark.parametrize(
    ("content", "held"),
    [(b"\x80\x02K\x01.", "int"), (pickle.dumps((), 2), "tuple"), (old_list(small(1)), "int")],
)
def test_anything_but_a_list_of_arrays_is_refused(complaint, content, held):
    assert f"a {held}" in complaint(content)


def test_an_array_without_content_is_refused(complaint):
    assert "item 0" in complaint(old_list(blank()))


def test_every_truncation_and_every_changed_byte_is_read_or_refused(read):
    """A file with any damage is read or refused; a changed number in an array is a number."""
    content = old_list(old_array((2, 3), ARRAYS[0].tobytes()))
    for cut in range(len(content)):
        with pytest.raises(CheckpointError):
            read(content[:cut])
    for place in range(len(content)):
        for byte in (0, 82, 255):
            with contextlib.suppress(CheckpointError):
                read(content[:place] + bytes([byte]) + content[place + 1 :])


def test_a_file_over_the_limit_is_refused(complaint, monkeypatch):
    content = pickle.dumps(ARRAYS, 2)
    monkeypatch.setattr(array_pickle, "MAX_BYTES", len(content) - 1)
    assert "MiB" in complaint(content)


BOMBS = {
    "bytes that are not there": b"\x80\x04\x8e" + (2**40).to_bytes(8, "little") + b"x.",
    "a memo of 2^31 places": b"\x80\x02]r\xff\xff\xff\x7f.",
    "many marks": b"\x80\x02" + b"(" * 30_000 + b".",
    "deep tuples as a key": b"\x80\x02})" + b"\x85" * 19_000 + b"Ns.",
    "an array without content": b"\x80\x02cnumpy\nndarray\n\x8a\x06" + bytes(5) + b"\x01\x85R.",
    "a large type": b"\x80\x02cnumpy\ndtype\nX\x0d\x00\x00\x00V100000000000\x85R.",
    "one array, often": old_list(old_array((1000,), bytes(4000)) + b"q\x01", b"h\x01" * 15_000),
    "one text, often": b"\x80\x02](X\x10\x27\x00\x00" + b"a" * 10_000 + b"q\x01"
    b"X\x06\x00\x00\x00latin1q\x02c_codecs\nencode\nq\x03" + b"h\x03h\x01h\x02\x86R" * 3900 + b"e.",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux does it")
def test_a_decompression_bomb_is_refused_before_it_takes_memory(tmp_path):
    """Read in a process that may take 32 MiB more than at its start."""
    for name, content in BOMBS.items():
        (tmp_path / name).write_bytes(content)
    program = (
        "import resource, sys\n"
        "from meeple.errors import CheckpointError\n"
        "from meeple.importers.array_pickle import read_arrays\n"
        "size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (size + 2**25, size + 2**25))\n"
        "for name in sys.argv[1:]:\n"
        "    try: read_arrays(name)\n"
        "    except CheckpointError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *BOMBS], capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == len(BOMBS)
    for line, name in zip(lines, BOMBS, strict=True):
        assert line.startswith(name)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(CheckpointError, match="there is no file"):
        read_arrays(tmp_path / "none")
    with pytest.raises(CheckpointError, match="not a file"):
        read_arrays(tmp_path)


def test_a_file_of_another_kind_is_refused(complaint):
    buffer = io.BytesIO()
    np.savez(buffer, *ARRAYS)
    for content in (b"", b"\x00", b"PK\x03\x04", buffer.getvalue(), b"no pickle at all"):
        complaint(content)
