"""Files that the system cannot open: how they are found and read, without Spark."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh
from riverhawk.spark import _stores
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
