"""Records and fields."""

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import riverhawk as rh


def test_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes("a\n\nä\r\nend".encode())
    assert list(rh.records(path)) == ["a", "", "ä\r", "end"]
    assert list(rh.records(str(path), encoding=None)) == [b"a", b"", "ä\r".encode(), b"end"]
    assert list(rh.records(os.fsencode(path), chomp=False)) == ["a\n", "\n", "ä\r\n", "end"]
    assert list(rh.records(path, ["\n", "\r\n"])) == ["a", "", "ä", "end"]


@pytest.mark.parametrize(
    ("sep", "expected"),
    [
        (";", ["a", "b", "", "c\n"]),
        (b"b;;", ["a;", "c\n"]),
        (["a", "c"], ["", ";b;;", "\n"]),
        (rh.Regex(";+"), ["a", "b", "c\n"]),
        ("", ["a;b;;c"]),
    ],
)
def test_separators(sep: Any, expected: list[str]) -> None:
    assert list(rh.records(io.BytesIO(b"a;b;;c\n"), sep)) == expected


def test_a_regex_of_one_character_is_one() -> None:
    assert list(rh.records(io.BytesIO(b"a.b"), rh.Regex("."))) == ["", "", ""]


def test_separators_that_are_none() -> None:
    bad: Any
    for bad in [5, [], [""], [1]]:
        with pytest.raises((TypeError, ValueError)):
            rh.records(io.BytesIO(b""), bad)


@given(
    st.lists(st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"]))),
    st.booleans(),
)
def test_any_text_is_cut_at_newlines(lines: list[str], ended: bool) -> None:
    data = "\n".join(lines) + ("\n" if ended else "")
    expected = data.split("\n")
    if expected[-1] == "":
        expected.pop()
    assert list(rh.records(io.StringIO(data))) == expected
    assert list(rh.records(io.BytesIO(data.encode()), encoding=None)) == [
        e.encode() for e in expected
    ]
    assert "".join(rh.records(io.StringIO(data), chomp=False)) == data


def test_many_records_through_all_windows(tmp_path: Path) -> None:
    path = tmp_path / "f"
    lines = [f"{i} " + "x" * (i % 300) + ("ü" if i % 7 == 0 else "") for i in range(20_000)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert list(rh.records(path)) == lines
    assert [fields[0] for fields in rh.fields(path)] == [str(i) for i in range(20_000)]
    with path.open("rb") as file:
        assert list(rh.records(file)) == lines


@pytest.mark.parametrize("errors", ["replace", "ignore", "surrogateescape", "backslashreplace"])
def test_bytes_that_are_no_utf_8(errors: str) -> None:
    data = b"good\nb\xffd\n"
    assert (
        list(rh.records(io.BytesIO(data), errors=errors))
        == data.decode("utf-8", errors).splitlines()
    )


def test_records_before_an_error_come_first() -> None:
    found = rh.records(io.BytesIO(b"one\ntwo\nb\xffd\nfour\n"))
    assert (next(found), next(found)) == ("one", "two")
    with pytest.raises(UnicodeDecodeError):
        next(found)
    assert list(found) == []


def test_other_encodings() -> None:
    text = "größe\nzwei\n"
    for encoding in ["latin-1", "utf-16", "utf-16le", "cp1252", "utf-8"]:
        assert list(rh.records(io.BytesIO(text.encode(encoding)), encoding=encoding)) == [
            "größe",
            "zwei",
        ]
    with pytest.raises(UnicodeDecodeError) as caught:
        list(rh.records(io.BytesIO(b"a\n\xff"), encoding="ascii"))
    assert caught.value.object == b"\xff"
    assert list(rh.records(io.BytesIO(b"a\xffb"), encoding="ascii", errors="replace")) == [
        "a\ufffdb"
    ]
    assert list(rh.records(io.BytesIO(b"a\xffb"), encoding="ascii", errors="ignore")) == ["ab"]
    with pytest.raises(LookupError):
        rh.records(io.BytesIO(b""), encoding="no-such")
    with pytest.raises(LookupError):
        rh.records(io.BytesIO(b""), errors="no-such")
    with pytest.raises(ValueError, match="surrogateescape"):
        rh.records(io.BytesIO(b""), encoding="ascii", errors="surrogateescape")


@pytest.mark.parametrize("module", [gzip, bz2, lzma])
def test_compressed_files(module: Any, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(module.compress(b"tea\nmilk\n"))
    assert list(rh.records(path)) == ["tea", "milk"]
    assert list(rh.fields(io.BytesIO(path.read_bytes()))) == [["tea"], ["milk"]]
    raw = b"".join(rh.records(path, encoding=None, decompress=False, chomp=False))
    assert raw == path.read_bytes()
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(OSError, match="f"):
        list(rh.records(path))


@pytest.mark.parametrize(
    ("fs", "expected"),
    [
        (" ", [["a", "b,c"], [], [",d,"]]),
        (",", [["a  b", "c "], [], ["", "d", ""]]),
        (", ", [["a  b,c "], [], [",d,"]]),
        ("  ", [["a", "b,c "], [], [",d,"]]),
        (rh.Regex("[ ,]+"), [["a", "b", "c", ""], [], ["", "d", ""]]),
    ],
)
def test_fields(fs: Any, expected: list[list[str]]) -> None:
    data = b"a  b,c \n\n,d,\n"
    assert list(rh.fields(io.BytesIO(data), fs)) == expected
    wanted = [[field.encode() for field in fields] for fields in expected]
    assert list(rh.fields(io.BytesIO(data), fs, encoding=None)) == wanted


def test_fields_need_a_separator() -> None:
    bad: Any
    for bad in ["", 5]:
        with pytest.raises((TypeError, ValueError)):
            rh.fields(io.BytesIO(b""), bad)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as caught:
        rh.records(missing)
    assert caught.value.filename == missing
    with pytest.raises(IsADirectoryError) as directory:
        list(rh.records(tmp_path))
    assert directory.value.filename == tmp_path

    class Broken:
        def read(self, size: int, /) -> bytes:
            raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        next(rh.records(Broken()))


def test_records_of_a_pipe_come_when_they_have_ended() -> None:
    read, write = os.pipe()
    with os.fdopen(read, "rb") as file, os.fdopen(write, "wb", 0) as out:
        found = rh.records(file)
        out.write(b"one\ntw")
        assert next(found) == "one"
        out.write(b"o\n")
        assert next(found) == "two"


def test_a_file_is_closed_with_its_iterator(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("a\nb\n")
    open_before = len(os.listdir("/proc/self/fd"))
    found = rh.records(path)
    next(found)
    assert len(os.listdir("/proc/self/fd")) == open_before + 1
    del found
    assert len(os.listdir("/proc/self/fd")) == open_before


def test_threads_share_an_iterator() -> None:
    """Each record goes to one of them, none is lost, and none waits for ever."""

    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            time.sleep(0.001)
            return super().read1(1000)

    lines = [str(number) for number in range(20_000)]
    found = rh.records(Slow("\n".join(lines).encode()))
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda _: list(found), range(4)))
    assert sorted(map(int, chain.from_iterable(parts))) == list(range(20_000))


ODD = [
    "a b",
    "",
    " \x0b a\x0c\tb\r",
    "\x1c x\x1fy ",
    "\u00a0s\u00e9\u2003a \u0085b",
    "\U0001f375,,x",
    ",",
    "a,b,",
]


@given(st.lists(st.sampled_from(ODD) | st.text(alphabet="ab ,\t\r\x0b\x1d\x85\u00e9\u8336")))
def test_fields_are_those_of_a_program(records: list[str]) -> None:
    """Whichever way of cutting is taken: Python's own blanks are more than awk's."""
    data = "".join(record + "\n" for record in records).encode()
    cut = '{ for (i = 1; i <= NF; i++) printf "%s;", $i; print "" }'
    for fs in [" ", ","]:
        expected = rh.awk(cut, input=data, vars={"FS": fs}).stdout.decode()
        found = rh.fields(io.BytesIO(data), fs)
        assert "".join(";".join([*fields, "\n"]) for fields in found) == expected
        assert list(rh.fields(io.BytesIO(data), fs, encoding=None)) == [
            [field.encode() for field in fields] for fields in rh.fields(io.BytesIO(data), fs)
        ]


@given(st.lists(st.binary(max_size=6)), st.sampled_from([b"\n", b";", b"\0", b"\xff"]))
def test_bytes_are_cut_as_by_split(parts: list[bytes], sep: bytes) -> None:
    data = sep.join(parts)
    expected = data.split(sep)
    if expected[-1] == b"":
        expected.pop()
    assert list(rh.records(io.BytesIO(data), sep, encoding=None)) == expected
    lenient = [record.decode(errors="backslashreplace") for record in expected]
    assert list(rh.records(io.BytesIO(data), sep, errors="backslashreplace")) == lenient


MIXED = st.text(alphabet="ab \t;\u00e9\u8336\U0001f375")


@given(st.lists(MIXED), st.sampled_from([";", "\u8336", "\U0001f375a"]))
def test_text_of_any_width_is_cut_as_by_split(lines: list[str], fs: str) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    assert list(rh.records(io.BytesIO(data))) == lines
    assert list(rh.fields(io.BytesIO(data), fs)) == [
        line.split(fs) if line else [] for line in lines
    ]


def test_a_separator_inside_a_character() -> None:
    data = "\u00e9;\u00e9\n".encode()
    first, rest = b"\xc3".decode(errors="replace"), ";\ufffd"
    assert list(rh.records(io.BytesIO(data), b"\xa9", errors="replace")) == [first, rest, "\n"]
    with pytest.raises(UnicodeDecodeError):
        list(rh.records(io.BytesIO(data), b"\xa9"))
    assert list(rh.fields(io.BytesIO(data), b"\xa9", errors="replace")) == [[first, rest, ""]]


@given(st.lists(st.text(alphabet="ab\u00e9", max_size=20), max_size=2000))
def test_short_fields_that_come_again_are_what_they_are(fields: list[str]) -> None:
    data = ("".join(f"{field},\n" for field in fields) * 2).encode()
    found = list(rh.fields(io.BytesIO(data), ","))
    assert found == [[field, ""] for field in fields] * 2
    in_bytes = rh.fields(io.BytesIO(data), ",", encoding=None)
    assert list(in_bytes) == [[field.encode(), b""] for field in fields] * 2


def test_a_short_field_that_comes_again_is_one_object() -> None:
    first, second = rh.fields(io.BytesIO("größe 1\ngröße 2\n".encode()))
    assert first[0] is second[0]


def test_what_a_handler_of_errors_gives_is_not_kept() -> None:
    calls: list[object] = []

    def count(error: UnicodeError) -> tuple[str, int]:
        calls.append(error)
        assert isinstance(error, UnicodeDecodeError)
        return str(len(calls)), error.end

    codecs.register_error("riverhawk-count", count)
    found = rh.fields(io.BytesIO(b"a\xff a\xff\n"), errors="riverhawk-count")
    assert list(found) == [["a1", "a2"]]


def test_what_is_said_of_mistakes() -> None:
    bad: Any
    for bad in [3, None, re.compile(" "), [1]]:
        with pytest.raises(TypeError, match=r"separators are str, bytes or a riverhawk\.Regex"):
            rh.records(io.BytesIO(), bad)
    bad = None
    with pytest.raises(TypeError, match="fs is a text or a Regex"):
        rh.fields(io.BytesIO(), bad)
