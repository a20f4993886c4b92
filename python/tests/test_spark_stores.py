"""Files that the system cannot open: how they are found and read, without Spark."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh
from riverhawk.spark import _stores, explain
from riverhawk.spark._outputs import Parts, staged
from riverhawk.spark._paths import named
from riverhawk.spark._stores import Forwards, Stores


@pytest.fixture(params=["fsspec", "pyarrow"])
def stores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Stores:
    pytest.importorskip(request.param, reason=f"left out: {request.param} is not installed")
    if request.param == "pyarrow":
        monkeypatch.setattr(_stores, "_by_fsspec", lambda url, options: None)
    return Stores()


def tree(directory: Path) -> str:
    """Files, and the URL of their directory by which they are no files of the system."""
    for name in ["b.log", "a.log", "c.txt", "deep/d.log", "deep/er/e.log"]:
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text(f"{name} 1\n" * 1000)
    return f"file://{directory}"


def test_patterns_find_files_in_the_order_of_their_names(stores: Stores, tmp_path: Path) -> None:
    url = tree(tmp_path)

    def found(pattern: str) -> list[str]:
        return [name.removeprefix(f"{url}/") for name in stores.matching(f"{url}/{pattern}")]

    assert found("*.log") == ["a.log", "b.log"]
    assert found("?.t*") == ["c.txt"]
    assert found("[bc].*") == ["b.log", "c.txt"]
    assert found("*/*.log") == ["deep/d.log"]
    assert found("**/*.log")[-2:] == ["deep/d.log", "deep/er/e.log"]
    assert found("none*") == []


def test_files_are_read_and_known_by_what_they_are(stores: Stores, tmp_path: Path) -> None:
    name = f"{tree(tmp_path)}/a.log".encode()
    stores = pickle.loads(pickle.dumps(stores))
    opened = stores.open(name)
    assert opened is not None
    length, version, read = opened
    text = (tmp_path / "a.log").read_bytes()
    assert length == len(text)
    assert [read(0, 5), read(3, 9), read(length - 2, 9), read(length, 9)] == [
        text[:5],
        text[3:12],
        text[-2:],
        b"",
    ]
    again = stores.open(name)
    assert again is not None and again[:2] == (length, version)
    (tmp_path / "a.log").write_bytes(text.replace(b"1", b"2"))
    changed = stores.open(name)
    assert changed is not None and changed[0] == length and changed[1] != version
    with pytest.raises(FileNotFoundError):
        stores.open(name + b".none")
    with pytest.raises(IsADirectoryError):
        stores.open(f"file://{tmp_path}".encode())
    assert stores.open(str(tmp_path / "a.log").encode()) is None


def test_reads_that_follow_each_other_become_large() -> None:
    text = bytes(range(256)) * 100_000
    asked: list[tuple[int, int]] = []

    def read(start: int, end: int) -> bytes:
        asked.append((start, end))
        return text[start:end]

    forwards = Forwards(read, len(text))
    at, found = 0, []
    while block := forwards(at, 1000):
        found.append(block)
        at += len(block)
    assert b"".join(found) == text
    assert len(asked) < 12 and asked[0] == (0, 64 << 10)
    assert forwards(5_000_000, 10) == text[5_000_000:5_000_010]
    assert asked[-1][1] - asked[-1][0] == 64 << 10, "another place begins with little"


def test_programs_over_files_in_memory() -> None:
    fsspec = pytest.importorskip("fsspec", reason="left out: fsspec is not installed")
    memory = fsspec.filesystem("memory")
    memory.pipe("/logs/a", b"tea 1\n" * 50_000)
    memory.pipe("/logs/b", b"milk 2\n" * 50_000)
    stores = Stores()
    paths = named("memory://logs/*", stores)
    assert paths == ["memory:///logs/a", "memory:///logs/b"] or paths == [
        "memory://logs/a",
        "memory://logs/b",
    ]
    program = rh.compile("{ n[$1] += $2 } END { for (k in n) print k, n[k], NR, $0 }")
    run: dict[str, Any] = {"files": paths, "operand_files": stores}
    for jobs in (1, 2):
        found = program.run(**run, jobs=jobs, piece_size=100_000)
        assert found.text == "tea 50000 100000 milk 2\nmilk 100000 100000 milk 2\n"
    with pytest.raises(FileNotFoundError):
        program.run(files=["memory://logs/none"], operand_files=stores)


def test_a_store_that_fails_in_the_midst_ends_the_run() -> None:
    class Failing:
        def open(self, name: bytes) -> Any:
            def read(offset: int, count: int) -> bytes:
                if offset > 100_000:
                    raise ConnectionError("the network is gone")
                return b"tea 1\n" * (count // 6)

            return 10_000_000, 1, read

    with pytest.raises(ConnectionError, match="the network is gone"):
        rh.awk("{ n++ } END { print n }", "far", operand_files=Failing())


def test_a_scheme_that_nothing_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="left out: pyarrow is not installed")
    with pytest.raises(ValueError, match="neither fsspec nor pyarrow opens nosuch:// here"):
        Stores().open(b"nosuch://bucket/log")


@pytest.fixture(params=["renames", "objects", "pyarrow"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, Stores]:
    """A place for output: where directories are renamed, and where objects are copied."""
    if request.param == "pyarrow":
        pytest.importorskip("pyarrow", reason="left out: pyarrow is not installed")
        monkeypatch.setattr(_stores, "_by_fsspec", lambda url, options: None)
        return f"file://{tmp_path}", Stores()
    fsspec = pytest.importorskip("fsspec", reason="left out: fsspec is not installed")
    if request.param == "renames":
        return f"local://{tmp_path}", Stores()
    fsspec.filesystem("memory").store.clear()
    return "memory:///bucket/logs", Stores()


def all_in(stores: Stores, url: str) -> list[str]:
    """Names below a directory; of those that only hold others none."""
    return [name.removeprefix(f"{url}/") for name in stores.matching(f"{url}/**")]


def bytes_in(stores: Stores, url: str) -> bytes:
    opened = stores.open(url.encode())
    assert opened is not None
    return opened[2](0, opened[0])


def some_parts(place: tuple[str, Stores]) -> Parts:
    """Of the driver and of tasks, of which one was lost."""
    url, stores = place
    parts = Parts(staged(f"{url}/out/", stores))
    parts.write(b"first\n")
    elsewhere = pickle.loads(pickle.dumps(parts.stage))
    for name in ["piece-b", "piece-a", "piece-lost"]:
        elsewhere.write(name, f"{name}\n".encode())
    parts.insert("piece-b")
    parts.insert("piece-a")
    parts.write(b"la")
    parts.write(b"st\n")
    return parts


def test_output_appears_when_all_of_it_is_there(place: tuple[str, Stores]) -> None:
    url, stores = place
    parts = some_parts(place)
    assert not [name for name in all_in(stores, url) if not name.startswith(".out.")]
    parts.publish()
    names = ["_SUCCESS", "part-00000", "part-00001", "part-00002", "part-00003"]
    assert all_in(stores, url) == [f"out/{name}" for name in names]
    text = b"".join(bytes_in(stores, f"{url}/out/{name}") for name in names)
    assert text == b"first\npiece-b\npiece-a\nlast\n"
    with pytest.raises(FileExistsError, match="out exists$"):
        staged(f"{url}/out", stores)
    stores.store(url).remove(f"{url}/out/_SUCCESS")
    with pytest.raises(FileExistsError, match="out exists, without _SUCCESS: a run was stopped"):
        staged(f"{url}/out", stores)


@pytest.mark.parametrize("operation", ["discard", "rename", "copy", "write", "exists"])
def test_output_that_fails_leaves_nothing(
    place: tuple[str, Stores], operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, stores = place
    parts = some_parts(place)
    left = []
    if operation == "exists":
        # Another run was faster.
        stores.store(url).make_directory(f"{url}/out")
        stores.store(url).write(f"{url}/out/part-00000", b"theirs\n")
        left = ["out/part-00000"]
    elif operation != "discard":

        def fail(*arguments: Any) -> None:
            made = arguments[0] if operation == "write" else arguments[1]
            if made.endswith(("part-00002", "_SUCCESS")):
                raise OSError("the network is gone")
            kept(*arguments)

        kept = getattr(stores.store(url), operation)
        monkeypatch.setattr(stores.store(url), operation, fail)
    unused = "copy" if stores.store(url).renames else "rename"
    if operation == unused:
        parts.publish()
        left = [f"out/{name}" for name in ["_SUCCESS", *(f"part-0000{at}" for at in range(4))]]
    elif operation == "discard":
        parts.discard()
    else:
        with pytest.raises(OSError):
            parts.publish()
        parts.discard()
    assert all_in(stores, url) == left


def test_output_is_no_whole_store() -> None:
    with pytest.raises(ValueError, match="s3://bucket/: output is a directory of its own"):
        staged("s3://bucket/", Stores())


class Here:
    """A cluster that is this process."""

    runs_rest = False

    def __init__(self, program: rh.Program, stores: Stores) -> None:
        self.program, self.stores = program, stores
        self.pieces = 0

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        worker = self.program.piece_worker(start, self.stores)
        return [worker.count(piece) for piece in pieces]

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        self.pieces += len(pieces)
        worker = self.program.piece_worker(start, self.stores)
        return [worker.join([worker.run(piece) for piece in pieces])]

    def insert(self, name: bytes) -> None:
        raise NotImplementedError


def test_compressed_files_that_python_reads() -> None:
    """What decompresses waits for Python, which the worker then must not hold."""
    fsspec = pytest.importorskip("fsspec", reason="left out: fsspec is not installed")
    memory = fsspec.filesystem("memory")
    lines = b"".join(b"host%d %d\n" % (n % 97, n) for n in range(100_000))
    for name in ["a", "b"]:
        memory.pipe(f"/packed/{name}.gz", gzip.compress(lines))
    files = ["memory:///packed/a.gz", "memory:///packed/b.gz"]
    program = rh.compile("{ n[$1] += $2 } END { for (k in n) print k, n[k], NR }")
    cluster = Here(program, Stores())
    run: dict[str, Any] = {"files": files, "operand_files": Stores(), "keep_variables": False}
    found = program.run(**run, cluster=cluster, piece_size=100_000)
    assert found.stdout == program.run(input=lines + lines).stdout
    assert cluster.pieces == 2


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("{ n++ } END { print n }", "on a cluster: one round\n"),
        ("{ print FNR }", "on a cluster: 2 rounds: records are counted, then run\n"),
        (
            "/tea/, /milk/",
            "on a cluster: one round; up to 8 more run pieces that guessed wrong which ranges are open\n",
        ),
        ("{ print last; last = $1 }", "the program runs in one piece\n"),
    ],
)
def test_explain_says_how_many_rounds_there_are(program: str, said: str) -> None:
    assert explain(program).endswith(said)
