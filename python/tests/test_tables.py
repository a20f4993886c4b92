"""Tables, and the libraries that take them by Arrow's interface."""

import csv
import ctypes
import gc
import importlib
import io
import json
import math
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import riverhawk as rh

ORDERS = b"""item,price,count,fresh,code
tea,3.5,2,true,007
"milk, whole",,10,false,012
"",-1e3,,,
"""

ROWS = [
    {"item": "tea", "price": 3.5, "count": 2, "fresh": True, "code": "007"},
    {"item": "milk, whole", "price": None, "count": 10, "fresh": False, "code": "012"},
    {"item": "", "price": -1000.0, "count": None, "fresh": None, "code": None},
]


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.csv"
    path.write_bytes(ORDERS)
    return path


def of(text: str | bytes, *args: Any, **options: Any) -> rh.Table:
    data = text.encode() if isinstance(text, str) else text
    return rh.table(io.BytesIO(data), *args, **options)


def test_types_are_inferred(orders: Path) -> None:
    table = rh.table(orders)
    assert table.column_names == ["item", "price", "count", "fresh", "code"]
    assert list(table.schema.values()) == ["string", "f64", "i64", "bool", "string"]
    assert list(table) == ROWS
    # A path is read anew.
    assert list(table) == ROWS
    assert list(rh.table(orders, batch_size=1, columns=table.schema)) == ROWS


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-2", " 3 "], "i64"),
        (["9223372036854775807", "-9223372036854775808"], "i64"),
        (["9223372036854775808"], "string"),
        (["1", "9223372036854775808"], "string"),
        (["1", "2.0"], "f64"),
        (["1.5", "2", "", "-.5e-3"], "f64"),
        (["007"], "string"),
        (["0", "0.5"], "f64"),
        (["-00.5"], "string"),
        (["true", "FALSE", ""], "bool"),
        (["true", "1"], "string"),
        (["nan"], "string"),
        (["1", "x"], "string"),
        (["", ""], "string"),
        (["1_000"], "string"),
        (["+5"], "string"),
        (["-"], "string"),
    ],
)
def test_what_is_inferred(values: list[str], kind: str) -> None:
    text = "n,x\n" + "".join(f"{value},\n" for value in values)
    assert of(text).schema == {"n": kind, "x": "string"}


def test_columns_that_are_named() -> None:
    text = "a,b,c\n1,2,3\n4,5\n"
    table = of(text, columns={"c": "f64", "a": None})
    assert table.schema == {"c": "f64", "a": "i64"}
    assert list(table) == [{"c": 3.0, "a": 1}, {"c": None, "a": 4}]
    assert list(of(text, columns=["b"])) == [{"b": 2}, {"b": 5}]
    assert list(of(text, columns={"b": "bytes"})) == [{"b": b"2"}, {"b": b"5"}]
    with pytest.raises(rh.TableError, match="no column \"d\"; it has a, b, c"):
        list(of(text, columns=["d"]))
    assert list(of("1,true\n,0\n", columns={"n": "i64", "ok": "bool"}, header=False)) == [
        {"n": 1, "ok": True},
        {"n": None, "ok": False},
    ]
    assert of("1,x\n", header=False).schema == {"column_1": "i64", "column_2": "string"}
    assert list(of("x\n1\n\n2\n", columns={"x": "i64"})) == [{"x": 1}, {"x": None}, {"x": 2}]
    assert list(of("x,y\n\n1,2\n\n")) == [{"x": 1, "y": 2}]
    assert of("x,x,\n1,2,3\n").column_names == ["x", "x_2", ""]


def test_formats_and_encodings(tmp_path: Path) -> None:
    assert list(of("a;b\n1;x,y\n", sep=";")) == [{"a": 1, "b": "x,y"}]
    assert list(of("a\tb\n1\tx\\ty\\n\n", "tsv")) == [{"a": 1, "b": "x\ty\n"}]
    assert list(of("\ufeffa,b\r\n1,\"x\r\n\"\"y\"\r\n")) == [{"a": 1, "b": 'x\n"y'}]
    assert list(of("\ufeff1,2\n", header=False)) == [{"column_1": 1, "column_2": 2}]
    assert list(of("ä\nö\n".encode("latin-1"), encoding="latin-1")) == [{"ä": "ö"}]
    assert list(of(b"a\n\xff\n", errors="replace")) == [{"a": "\ufffd"}]
    assert list(of("a,b\nNA,x\n,\"NA\"\n", nulls=["NA", ""])) == [
        {"a": None, "b": "x"},
        {"a": None, "b": "NA"},
    ]
    import gzip

    path = tmp_path / "o.csv.gz"
    path.write_bytes(gzip.compress(ORDERS))
    assert list(rh.table(path)) == ROWS


def test_what_is_said_of_mistakes() -> None:
    with pytest.raises(ValueError, match="sep is for csv, not for tsv"):
        of("a\n", "tsv", sep=";")
    with pytest.raises(TypeError, match="nulls is a list of texts, not str"):
        of("a\n", nulls="NA")
    with pytest.raises(ValueError, match="batch_size is 0"):
        of("a\n", batch_size=0)


def test_json_lines() -> None:
    lines = [
        {"n": 1, "f": 1, "s": "a\n\u00e9", "b": True, "x": {"y": [1, None]}},
        {"f": 2.5, "n": None, "s": "007", "b": False, "new": "z"},
        {"s": "3", "x": "text"},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\n\n"
    table = of(text, "jsonl")
    assert table.schema == {
        "n": "i64", "f": "f64", "s": "string", "b": "bool", "x": "string", "new": "string",
    }  # fmt: skip
    assert list(table)[:2] == [
        {"n": 1, "f": 1.0, "s": "a\n\u00e9", "b": True, "x": '{"y": [1, null]}', "new": None},
        {"n": None, "f": 2.5, "s": "007", "b": False, "x": None, "new": "z"},
    ]
    assert list(of(text, "jsonl", columns={"s": "string", "no": "i64"}))[2] == {
        "s": "3",
        "no": None,
    }
    late = '{"a": 1}\n{"a": 2, "b": 3}\n'
    assert list(of(late, "jsonl", columns={"a": "i64"}, batch_size=1)) == [{"a": 1}, {"a": 2}]
    with pytest.raises(rh.TableError, match='record 2: .*no member "b"'):
        list(of(late, "jsonl", batch_size=1))
    for bad, why in [
        ("[1]", "an object"),
        ('{"a": 1', "closing bracket"),
        ('{"a": 1} x', "follows"),
        ('{"a": 01}', "number"),
        ("{a: 1}", "quotes"),
        ('{"a" 1}', "colon"),
        ('{"a": 1,}', "quotes"),
    ]:
        with pytest.raises(rh.TableError, match=f"record 2: JSON, column [0-9]+: .*{why}"):
            list(of('{"a": 1}\n' + bad + "\n", "jsonl"))
    assert list(of("", "jsonl")) == []


@pytest.mark.parametrize(
    ("text", "options", "place", "message"),
    [
        ("a\n1\n2\nx\n", {"batch_size": 2}, (4, "a"), "\"x\" is no i64, which the first rows are"),
        ("a,b\n1,2\n\n3,z\n", {"columns": {"b": "f64"}}, (4, "b"), '"z" is no f64'),
        ("a\n1.5\n", {"columns": {"a": "i64"}}, (2, "a"), '"1.5" is no i64'),
        ("a\n9223372036854775808\n", {"columns": {"a": "i64"}}, (2, "a"), "is no i64"),
        ("a\nyes\n", {"columns": {"a": "bool"}}, (2, "a"), '"yes" is no bool'),
        ("a,b\n1,2,3\n", {}, (2, None), "it has 3, not 2"),
        ('a,b\n1,"x"y\n', {}, (2, None), "text after a closing quote"),
        ('a,b\n1,"x\n', {}, (2, None), "a quote that is never closed"),
        (b"a,b\nx,y\n\xc3,\xa9\n", {}, (3, "a"), "is no UTF-8"),
        (b"a\nx\n\xff\n", {"columns": {"a": "string"}}, (3, "a"), "is no UTF-8"),
        ("", {}, (None, None), "there is no header"),
    ],
)  # fmt: skip
def test_errors_say_where(
    text: Any, options: dict[str, Any], place: tuple[Any, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(rh.TableError) as caught:
        list(rh.table(path, **options))
    error = caught.value
    assert (error.record, error.column, error.input) == (*place, str(path))
    assert message in str(error)
    assert str(path) in str(error)


def test_options_that_are_none(orders: Path) -> None:
    wrong: list[dict[str, Any]] = [
        {"format": "xml"},
        {"sep": ";;"},
        {"sep": '"'},
        {"columns": {"item": "i8"}},
        {"columns": "item"},
        {"encoding": "no-such"},
        {"nulls": [1]},
    ]
    for options in wrong:
        with pytest.raises((ValueError, TypeError, LookupError)):
            rh.table(orders, **options)
    with pytest.raises(FileNotFoundError):
        rh.table(orders.parent / "missing")


field = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\ufeff"), min_size=1),
)


DECIMAL = r"[-+]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})"


@given(st.lists(st.from_regex(DECIMAL, fullmatch=True), min_size=1))
def test_decimal_numbers_are_the_nearest(texts: list[str]) -> None:
    rows = of("x\n" + "".join(f"{text}\n" for text in texts), columns={"x": "f64"})
    assert [str(row["x"]) for row in rows] == [str(float(text)) for text in texts]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_integers_of_64_bits(integers: list[int]) -> None:
    rows = of("x\n" + "".join(f"{integer}\n" for integer in integers))
    assert [row["x"] for row in rows] == integers


@given(
    st.lists(st.tuples(field, st.none() | st.integers(-(2**63), 2**63 - 1)), max_size=30),
    st.integers(1, 10),
)
def test_any_table_comes_back(rows: list[tuple[str | None, int | None]], size: int) -> None:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["s", "n"])
    writer.writerows([["" if v is None else v for v in row] for row in rows])
    table = of(out.getvalue(), columns={"s": "string", "n": "i64"}, batch_size=size)
    assert [(row["s"], row["n"]) for row in table] == rows
    lines = "".join(json.dumps({"s": s, "n": n}) + "\n" for s, n in rows)
    table = of(lines, "jsonl", columns={"s": "string", "n": "i64"}, batch_size=size)
    assert [(row["s"], row["n"]) for row in table] == rows


@given(st.lists(st.floats() | st.none()))
def test_any_float_comes_back(floats: list[float | None]) -> None:
    text = "x,y\n" + "".join(f"{'' if f is None else repr(f)},\n" for f in floats)
    back = [row["x"] for row in of(text, columns={"x": "f64"})]
    assert [f if f is None or not math.isnan(f) else "nan" for f in back] == [
        f if f is None or not math.isnan(f) else "nan" for f in floats
    ]


def test_what_is_read_once() -> None:
    table = of(ORDERS)
    assert table.schema == rh.table(io.BytesIO(ORDERS)).schema
    assert "<td>tea</td>" in table._repr_html_()
    assert list(table) == ROWS
    with pytest.raises(rh.TableError, match="read before"):
        list(table)
    assert "<td>" not in table._repr_html_()


def test_html(orders: Path) -> None:
    html = of("<a>,b\n&,1\n")._repr_html_()
    assert "<th>&lt;a&gt;<br><small>string</small></th>" in html
    assert "<td>&amp;</td><td>1</td>" in html
    assert rh.table(orders)._repr_html_().count("<tr>") == 4
    assert of("n\n" + "1\n" * 100)._repr_html_().count("<tr>") == 11
    assert "orders.csv" in repr(rh.table(orders))


def test_batches_are_read_when_they_are_asked_for() -> None:
    taken = 0

    class Endless:
        def read(self, size: int, /) -> bytes:
            nonlocal taken
            taken += 1
            return b"1,2\n" * 1000

    table = rh.table(Endless(), columns=["a", "b"], header=False, batch_size=1000)
    rows = iter(table)
    for _ in range(3000):
        next(rows)
    assert taken < 200


def test_what_a_file_object_raises_is_raised() -> None:
    class Broken:
        def read(self, size: int, /) -> bytes:
            raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        list(rh.table(Broken(), columns={"a": "i64"}))


# What a program prints.


def test_programs_print_tables() -> None:
    program = rh.compile('{ print $1, $2 * 2, $3 "\\t\\\\" }')
    table = program.table(
        columns={"name": "string", "n": "i64", "x": None}, input="a 1 p\nb 2 q\n"
    )
    assert list(table) == [{"name": "a", "n": 2, "x": "p\t\\"}, {"name": "b", "n": 4, "x": "q\t\\"}]
    assert list(program.table(format="csv", input="a,1 2 3\n")) == [
        {"column_1": "a,1", "column_2": 4, "column_3": "3\t\\"}
    ]
    objects = rh.compile('{ printf "{\\"n\\": %d}\\n", $1 }')
    assert list(objects.table(format="jsonl", input="1\n2\n")) == [{"n": 1}, {"n": 2}]
    for option in ["stdout", "jobs", "output_format"]:
        with pytest.raises(TypeError, match=option):
            program.table(**{option: 1})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="xml"):
        program.table(format="xml")  # type: ignore[arg-type]


def test_a_program_that_fails_raises_after_its_rows() -> None:
    program = rh.compile("{ print 1 % $1 }")
    rows = iter(program.table(columns={"x": "i64"}, batch_size=1, input="2\n3\n0\n"))
    assert (next(rows), next(rows)) == ({"x": 1}, {"x": 1})
    with pytest.raises(rh.RuntimeError, match="division by zero") as caught:
        next(rows)
    assert caught.value.record == 3

    def fail(text: str) -> str:
        raise LookupError(text)

    with pytest.raises(LookupError, match="tea"):
        list(rh.compile("{ print f($1) }", functions={"f": fail}).table(input="tea\n"))


def test_a_program_waits_and_ends_with_its_table() -> None:
    calls = 0

    def count() -> int:
        nonlocal calls
        calls += 1
        return calls

    before = len(os.listdir("/proc/self/task"))
    program = rh.compile('BEGIN { while (1) print count(), "x" }', functions={"count": count})
    rows = iter(program.table(columns={"n": "i64", "x": "string"}, batch_size=10))
    assert [next(rows)["n"] for _ in range(3)] == [1, 2, 3]
    waiting = 0
    while waiting < calls < 1_000_000:
        waiting = calls
        time.sleep(0.1)
    assert calls == waiting
    del rows
    deadline = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/task")) <= before


# Arrow's interface.


class Stream(ctypes.Structure):
    """`struct ArrowArrayStream`."""


class Array(ctypes.Structure):
    """`struct ArrowArray`."""


ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
Array._fields_ = [
    *[(name, ctypes.c_int64) for name in ["length", "nulls", "offset", "n_buffers", "n_children"]],
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", ReleaseArray),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))),
    ("private_data", ctypes.c_void_p),
]


def stream_of(capsule: object) -> Stream:
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype = ctypes.c_void_p
    pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return Stream.from_address(pointer_of(capsule, b"arrow_array_stream"))


def test_structures_are_released_once_and_children_may_be_moved(orders: Path) -> None:
    capsule = rh.table(orders, batch_size=2).__arrow_c_stream__()
    stream = stream_of(capsule)
    array = Array()
    assert stream.get_next(stream, array) == 0
    assert (array.length, array.n_children, array.nulls) == (2, 5, 0)
    # A child is moved out: it lives on when its parent is released.
    moved = Array()
    child = array.children[2]
    ctypes.memmove(ctypes.byref(moved), child, ctypes.sizeof(Array))
    child.contents.release = ReleaseArray()
    array.release(array)
    assert not array.release
    values = ctypes.cast(moved.buffers[1], ctypes.POINTER(ctypes.c_int64))
    assert (moved.length, values[0], values[1]) == (2, 2, 10)
    moved.release(moved)
    assert not moved.release
    assert stream.get_next(stream, array) == 0
    array.release(array)
    for _ in range(2):
        assert stream.get_next(stream, array) == 0
        assert not array.release
    stream.release(stream)
    assert not stream.release
    # The capsule sees that, and does not release it again.
    del capsule


def test_errors_of_a_stream_have_a_code_and_a_message() -> None:
    capsule = of("a\n1\nx\n", batch_size=1).__arrow_c_stream__()
    stream, array = stream_of(capsule), Array()
    assert stream.get_next(stream, array) == 0
    assert stream.get_last_error(stream) is None
    array.release(array)
    assert stream.get_next(stream, array) == 22
    assert b'record 3, column "a"' in stream.get_last_error(stream)
    assert stream.get_next(stream, array) == 0
    assert not array.release


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="AddressSanitizer keeps what was freed")
def test_memory_does_not_grow_with_streams_that_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n" + "some text,12,1.5\n" * 20_000)

    def resident() -> int:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def streams(count: int) -> None:
        for _ in range(count):
            table = rh.table(path, batch_size=5000)
            stream = stream_of(capsule := table.__arrow_c_stream__())
            array = Array()
            assert stream.get_next(stream, array) == 0
            array.release(array)
            next(iter(table))
            table.__arrow_c_schema__()
            del capsule

    streams(20)
    before = resident()
    streams(200)
    assert resident() - before < 4_000_000


def library(name: str) -> Any:
    return pytest.importorskip(name, reason=f"left out: {name} is not there")


def big(tmp_path: Path, rows: int = 200_000) -> Path:
    path = tmp_path / "big.csv"
    with path.open("w") as file:
        file.write("id,name,x\n")
        for number in range(rows):
            file.write(f"{number},name {number % 7},{number / 4}\n")
    return path


def test_pyarrow(orders: Path, tmp_path: Path) -> None:
    pa = library("pyarrow")
    table = pa.table(rh.table(orders))
    assert [str(t) for t in table.schema.types] == ["string", "double", "int64", "bool", "string"]
    assert table.to_pylist() == ROWS
    table.validate(full=True)
    assert pa.schema(rh.table(orders)).names == table.schema.names
    large = pa.table(rh.table(big(tmp_path)))
    large.validate(full=True)
    assert large.num_rows == 200_000
    assert large["id"].to_pylist() == list(range(200_000))
    assert pa.table(rh.table(orders, columns={"item": "bytes"}))["item"].to_pylist()[0] == b"tea"
    empty = pa.table(of("a,b\n", columns={"a": "i64", "b": "string"}))
    assert (empty.num_rows, empty.column_names) == (0, ["a", "b"])


def test_pyarrow_reads_half_and_sees_errors(tmp_path: Path) -> None:
    pa = library("pyarrow")
    path = big(tmp_path)
    with pa.RecordBatchReader.from_stream(rh.table(path, batch_size=1000)) as reader:
        assert reader.read_next_batch().num_rows == 1000
    reader = pa.RecordBatchReader.from_stream(rh.table(path, batch_size=1000))
    batch = reader.read_next_batch()
    del reader
    gc.collect()
    batch.validate(full=True)
    assert batch.column(0)[999].as_py() == 999
    with pytest.raises(pa.ArrowInvalid, match='record 3, column "a": "x" is no i64'):
        pa.table(of("a\n1\nx\n", batch_size=1))

    class Broken(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            data = super().read1(5)
            if not data:
                raise LookupError("broken")
            return data

    with pytest.raises(OSError, match="LookupError: broken"):
        pa.table(rh.table(Broken(b"1\n2\n3\n"), columns={"a": "i64"}, header=False))


def test_pyarrow_takes_what_programs_print() -> None:
    pa = library("pyarrow")
    program = rh.compile(
        '{ print half($1), "x" }', functions={"half": lambda n: float(n) / 2}
    )
    table = pa.table(
        program.table(columns={"half": "f64", "x": "string"}, input=map(str, range(1000)))
    )
    assert table["half"].to_pylist() == [n / 2 for n in range(1000)]


def test_polars(orders: Path, tmp_path: Path) -> None:
    pl = library("polars")
    frame = pl.DataFrame(rh.table(orders))
    assert frame.to_dicts() == ROWS
    assert frame.dtypes == [pl.String, pl.Float64, pl.Int64, pl.Boolean, pl.String]
    large = pl.DataFrame(rh.table(big(tmp_path)))
    assert large["id"].sum() == sum(range(200_000))
    with pytest.raises(Exception, match='record 3, column "a"'):
        pl.DataFrame(of("a\n1\nx\n", batch_size=1))
    program = rh.compile("{ print f($1) }", functions={"f": str.upper})
    assert pl.DataFrame(program.table(columns=["s"], input="a\nb\n"))["s"].to_list() == ["A", "B"]


def test_pandas(orders: Path) -> None:
    pd = library("pandas")
    library("pyarrow")
    frame = pd.DataFrame.from_arrow(rh.table(orders)) if hasattr(
        pd.DataFrame, "from_arrow"
    ) else library("pyarrow").table(rh.table(orders)).to_pandas()  # fmt: skip
    assert frame["count"].tolist()[:2] == [2.0, 10.0]
    assert frame["item"].tolist() == ["tea", "milk, whole", ""]


def test_duckdb(orders: Path) -> None:
    duckdb = library("duckdb")
    sold = rh.table(orders)
    for _ in range(2):
        found = duckdb.sql("SELECT sum(count), min(price) FROM sold").fetchall()
        assert found == [(12, -1000.0)]
    once = of(ORDERS)
    assert duckdb.sql("SELECT count(*) FROM once").fetchall() == [(3,)]
    assert sold.column_names == once.column_names


def test_an_interrupted_read_of_a_library_raises_keyboard_interrupt() -> None:
    pa = library("pyarrow")
    import signal

    def never() -> Iterator[str]:
        while True:
            time.sleep(0.01)
            yield "1"

    sender = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            pa.table(rh.compile("$1 == 2").table(columns={"n": "i64"}, input=never()))
        except OSError:
            # The library's own comes first. Python asks for signals at each turn of a loop.
            for _ in range(1000):
                time.sleep(0.01)
    sender.join()


def test_threads_share_the_rows_of_a_table(tmp_path: Path) -> None:
    rows = iter(rh.table(big(tmp_path, 20_000), batch_size=100))
    found: list[int] = []

    def take() -> None:
        found.extend(row["id"] for row in rows)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(20_000))
    assert importlib.import_module("riverhawk").Table is rh.Table


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_what_is_in_quotes_stays_but_for_lines_that_end_in_cr_lf(quoting: Any) -> None:
    rows = [["a\r\nb", 'q"uote'], ["line\nfeed", ","], ["", "c\rd"], ["\r\n", "e"]]
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=quoting)
    writer.writerows([["x", "y"], *rows])
    data = io.BytesIO(text.getvalue().encode())
    table = rh.table(data, columns={"x": "string", "y": "string"}, nulls=())
    expected = [[cell.replace("\r\n", "\n") for cell in row] for row in rows]
    assert [list(row.values()) for row in table] == expected
