"""Whole files."""

import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh


def test_a_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for contents in ["", "ä\r\n", "a\nb"]:
        rh.spew(path, contents)
        assert rh.slurp(path) == contents
        assert rh.slurp(os.fsencode(path), encoding=None) == contents.encode()
    rh.spew(str(path), b"\xff")
    with pytest.raises(UnicodeDecodeError):
        rh.slurp(path)
    assert rh.slurp(path, errors="replace") == "\ufffd"
    rh.spew(path, "ä", encoding="latin-1")
    assert path.read_bytes() == b"\xe4"
    assert rh.slurp("/proc/self/status").startswith("Name:")


def test_writing_is_atomic_unless_it_is_not_to_be(tmp_path: Path) -> None:
    path, link = tmp_path / "f", tmp_path / "link"
    path.write_text("old")
    os.link(path, link)
    rh.spew(path, "new", atomic=False)
    assert link.read_text() == "new"
    rh.spew(path, "newer")
    assert (path.read_text(), link.read_text()) == ("newer", "new")
    assert sorted(os.listdir(tmp_path)) == ["f", "link"]


def test_appending_and_prepending(tmp_path: Path) -> None:
    path = tmp_path / "f"
    rh.append(path, "b", perms=0o600)
    assert path.stat().st_mode & 0o777 == 0o600
    rh.prepend(path, b"a")
    rh.append(path, "c")
    assert path.read_text() == "abc"
    with pytest.raises(FileNotFoundError) as caught:
        rh.prepend(tmp_path / "missing", "x")
    assert caught.value.filename == tmp_path / "missing"
    rh.prepend(tmp_path / "missing", "x", create=True)


def test_what_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    with pytest.raises(FileExistsError):
        rh.spew(path, "x", no_clobber=True)
    with pytest.raises(ValueError):
        rh.slurp(path, limit=2)
    with pytest.raises(IsADirectoryError):
        rh.slurp(tmp_path)
    with pytest.raises(OSError):
        rh.spew("/dev/full", "x", atomic=False)
    bad: Any
    for bad in [5, None, ["x"]]:
        with pytest.raises(TypeError):
            rh.spew(path, bad)
    with pytest.raises(TypeError):
        rh.spew(path, "text", encoding=None)
    bad = "sometimes"
    with pytest.raises(ValueError):
        rh.spew(path, "x", sync=bad)
    assert path.read_text() == "old"


def test_locks(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(TimeoutError):
            rh.slurp(path, lock=True, lock_timeout=0.01)
        with pytest.raises(TimeoutError):
            rh.spew(path, "new", lock=True, lock_timeout=0)
    rh.spew(path, "new", lock=True, lock_timeout=0, sync="file")
    assert rh.slurp(path, lock=True) == "new"


def test_editing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes("eins\r\nzwei\u2028x\ndrei".encode())
    seen: list[str] = []

    def change(line: str) -> str | None:
        seen.append(line)
        return None if line.startswith("zwei") else line.replace("i", "I")

    assert rh.edit_file_lines(path, change)
    assert seen == ["eins\r\n", "zwei\u2028x\n", "drei"]
    assert path.read_bytes() == b"eIns\r\ndreI"
    before = path.stat().st_ino
    assert not rh.edit_file(path, lambda text: text)
    assert path.stat().st_ino == before
    assert rh.edit_file(path, str.upper)
    assert path.read_bytes() == b"EINS\r\nDREI"


def test_an_edit_that_raises_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("a\nb\n")

    def change(line: str) -> str:
        if line == "b\n":
            raise LookupError(line)
        return line.upper()

    with pytest.raises(LookupError):
        rh.edit_file_lines(path, change)
    bad: Any = lambda text: 5
    with pytest.raises(TypeError):
        rh.edit_file(path, bad)
    assert path.read_text() == "a\nb\n"
    assert os.listdir(tmp_path) == ["f"]


def test_directories(tmp_path: Path) -> None:
    for name in ["b", "a", ".c", "\udcff"]:
        (tmp_path / name).touch()
    assert rh.read_dir(tmp_path, sorted=True) == [".c", "a", "b", "\udcff"]
    assert rh.read_dir(tmp_path, prefix=True, sorted=True)[0] == str(tmp_path / ".c")
    with pytest.raises(NotADirectoryError):
        rh.read_dir(tmp_path / "a")
