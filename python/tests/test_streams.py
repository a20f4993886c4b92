"""The algebra of byte streams, and records backwards."""

import gzip
import io
import os
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import riverhawk as rh

texts = st.text("ab;\r\n", max_size=40).map(str.encode)
sizes = st.integers(1, 7)


class Trickling:
    """A file object that gives little at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self.file = io.BytesIO(data)
        self.size = size

    def read(self, size: int, /) -> bytes:
        return self.file.read(min(size, self.size))


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    yield b""
    for at in range(0, len(data), size):
        yield data[at : at + size]


def streams_of(data: bytes, size: int) -> list[rh.ByteStream]:
    return [
        rh.ByteStream(data),
        rh.ByteStream(Trickling(data, size)),
        rh.ByteStream(pieces(data, size)),
        rh.ByteStream([rh.ByteStream(data[:size]), data[size:]]),
        rh.ByteStream(data[:size]) + rh.ByteStream(data[size:]) + b"",
        data[:size] + rh.ByteStream(data[size:]),
        rh.ByteStream(data).tee(io.BytesIO()),
        rh.ByteStream(rh.ByteStream(data)),
        rh.ByteStream(data + b"more").limited(len(data)),
        rh.ByteStream(data + b"more").limited(len(data) + 2).limited(len(data)),
    ]


@given(texts, sizes, st.sampled_from([b";", b"\n", b"ab", b"aba", b"\r\n"]))
def test_up_to_and_skip_to_are_partition(data: bytes, size: int, delimiter: bytes) -> None:
    head, found, rest = data.partition(delimiter)
    for stream in streams_of(data, size):
        assert stream.up_to(delimiter) == head
        assert stream.offset == len(head) + len(found)
        assert stream.up_to_end() == rest
        assert stream.at_end
        assert stream.up_to(delimiter) == stream.up_to_end() == b""
    for stream in streams_of(data, size):
        assert stream.skip_to(delimiter) == bool(found)
        assert stream.up_to_end() == rest


@given(texts, sizes, st.sampled_from([b"b;", b"\r\n", b"x"]))
def test_up_to_any_gives_the_delimiter(data: bytes, size: int, delimiters: bytes) -> None:
    for stream in streams_of(data, size):
        rest = data
        while True:
            at = min((rest.find(byte) for byte in delimiters if byte in rest), default=-1)
            piece, found = stream.up_to_any(delimiters)
            if at < 0:
                assert (piece, found) == (rest, b"")
                break
            assert (piece, found) == (rest[:at], rest[at : at + 1])
            rest = rest[at + 1 :]


@given(texts, sizes, st.integers(0, 50))
def test_counts(data: bytes, size: int, count: int) -> None:
    for stream in streams_of(data, size):
        assert stream.peek(count) == data[:count]
        if count <= len(data):
            assert stream.take(count) == data[:count]
        else:
            with pytest.raises(EOFError, match=f"{count} bytes.*{len(data)} are left"):
                stream.take(count)
            assert stream.read() == data
        assert stream.read(None) == data[count:]
    for stream in streams_of(data, size):
        assert stream.read(count) == data[:count]
        assert stream.skip(count) == len(data[count : 2 * count])
        assert b"".join(iter(stream.read1, b"")) == data[2 * count :]


@given(texts, sizes)
def test_lines(data: bytes, size: int) -> None:
    text = data.decode().replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.encode() for line in text.split("\n")]
    if lines[-1] == b"":
        lines.pop()
    for stream in streams_of(data, size):
        assert list(stream) == lines
    for stream in streams_of(data, size):
        assert stream.gather(lambda line: line + b"\n").read() == b"".join(
            line + b"\n" for line in lines
        )
    for stream in streams_of(data, size):
        assert list(stream.with_(range(3))) == list(zip(lines, range(3)))
    joined: Callable[[bytes, bytes], bytes] = lambda sofar, line: sofar + b"|" + line  # noqa: E731
    for stream in streams_of(data, size):
        assert stream.inject_into(b"", joined) == reduce(joined, lines, b"")


def test_what_a_limited_stream_leaves_is_left() -> None:
    stream = rh.ByteStream(b"12345;rest")
    body = stream.limited(3)
    assert (body.up_to(b";"), body.at_end) == (b"123", True)
    assert stream.up_to(b";") == b"45"
    outer = stream.limited(3)
    assert outer.limited(100).read() == b"res"
    assert (outer.at_end, stream.read()) == (True, b"t")


def test_a_copy_is_written() -> None:
    copy = io.BytesIO()
    stream = rh.ByteStream(pieces(b"head;body", 2)).tee(copy)
    assert stream.up_to(b";") == b"head"
    assert copy.getvalue().startswith(b"head;")
    stream.up_to_end()
    assert copy.getvalue() == b"head;body"

    class Full(io.RawIOBase):
        def write(self, data: object) -> int:
            raise OSError(28, "full")

    with pytest.raises(OSError, match="full"):
        rh.ByteStream(b"x").tee(Full()).read()


def test_gathered_streams_are_opened_when_they_are_reached(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text(name * 3)
    opened: list[bytes] = []

    def opening(name: bytes) -> rh.ByteStream:
        opened.append(name)
        return rh.ByteStream(tmp_path / os.fsdecode(name))

    stream = rh.ByteStream(b"a\nb\nc\n").gather(opening)
    assert stream.take(2) == b"aa"
    assert opened == [b"a"]
    assert stream.read() == b"abbbccc"


def test_streams_are_file_objects(tmp_path: Path) -> None:
    path = tmp_path / "f.gz"
    path.write_bytes(b"magic" + gzip.compress(b"a 1\nb 2\n"))
    stream = rh.ByteStream(path)
    assert stream.take(5) == b"magic"
    assert list(rh.fields(stream)) == [["a", "1"], ["b", "2"]]
    assert rh.awk("{ print $2 }", input=rh.ByteStream(b"a 1\n")).text == "1\n"


def test_nothing_is_waited_for_that_is_not_needed() -> None:
    read, write = os.pipe()
    with os.fdopen(read, "rb") as file, os.fdopen(write, "wb", 0) as out:
        stream = rh.ByteStream(file)
        out.write(b"one\r")
        assert next(stream) == b"one"
        out.write(b"\ntwo;")
        assert stream.up_to(b";") == b"two"
        out.write(b"3")
        assert stream.read1(100) == b"3"


def test_stream_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        rh.ByteStream(tmp_path / "missing")
    assert missing.value.filename == tmp_path / "missing"
    with pytest.raises(IsADirectoryError) as directory:
        rh.ByteStream(tmp_path).read()
    assert directory.value.filename == tmp_path
    with pytest.raises(TypeError):
        rh.ByteStream(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not str"):
        rh.ByteStream(["text"]).read()  # type: ignore[list-item]
    for call in [rh.ByteStream(b"").up_to, rh.ByteStream(b"").skip_to]:
        with pytest.raises(ValueError, match="delimiter"):
            call(b"")

    def failing() -> Iterator[bytes]:
        yield b"abc;"
        raise LookupError("broken")

    stream = rh.ByteStream(failing())
    assert stream.up_to(b";") == b"abc"
    with pytest.raises(LookupError, match="broken"):
        stream.read()

    def change(line: bytes) -> bytes:
        raise LookupError(line)

    with pytest.raises(LookupError):
        (rh.ByteStream(b"a") + rh.ByteStream(b"b").gather(change)).read()


@given(texts)
def test_backwards_is_forwards_reversed(data: bytes) -> None:
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    lines.reverse()
    assert list(rh.backwards(data, encoding=None)) == lines
    assert list(rh.backwards(io.BytesIO(data))) == [line.decode() for line in lines]


def test_backwards_over_files(tmp_path: Path) -> None:
    path = tmp_path / "f"
    lines = [f"{n} " + "ü" * (n % 90) for n in range(5000)]
    path.write_text(";".join(lines), encoding="latin-1")
    assert list(rh.backwards(path, b";", encoding="latin-1")) == lines[::-1]
    with path.open("rb") as file:
        assert next(rh.backwards(file, b";", encoding=None)) == lines[-1].encode("latin-1")
    with pytest.raises(UnicodeDecodeError):
        list(rh.backwards(path, b";"))
    with pytest.raises(ValueError, match="one byte"):
        rh.backwards(path, b"\r\n")
    with pytest.raises(FileNotFoundError):
        rh.backwards(tmp_path / "missing")
    read, write = os.pipe()
    os.close(write)
    with os.fdopen(read, "rb") as pipe, pytest.raises(OSError, match=r"seek|Illegal"):
        rh.backwards(pipe)
