"""What a run gets, and what it gives back."""

import copy
import io
import os
import pickle
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import riverhawk as rh

COUNT = rh.compile("{ n++ } END { print n + 0 }")
COPY = rh.compile("1")


def test_a_result_has_all_that_a_run_gives() -> None:
    result = rh.awk('{ print; print "e" > "/dev/stderr" } END { exit 4 }', input="a\n")
    assert (result.stdout, result.stderr, result.status) == (b"a\n", b"e\n", 4)
    assert (result.text, result.lines(), result.records) == ("a\n", ["a"], 1)


@pytest.mark.parametrize(
    ("stdout", "lines"),
    [("", []), ("\n", [""]), ("a", ["a"]), ("a\n\nb\n", ["a", "", "b"]), ("a\r\n\n", ["a\r", ""])],
)
def test_lines_are_what_newlines_end(stdout: str, lines: list[str]) -> None:
    assert rh.awk('BEGIN { printf "%s", text }', vars={"text": stdout}).lines() == lines


def test_files_are_paths_of_any_type(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("a\n")
    two.write_text("b\nc\n")
    assert COUNT.run(files=one).text == "1\n"
    assert COUNT.run(files=str(one)).text == "1\n"
    assert COUNT.run(files=os.fsencode(two)).text == "2\n"
    assert COUNT.run(files=[one, str(two)]).text == "3\n"
    assert rh.awk("END { print NR }", one, two).text == "3\n"


def test_no_file_name_is_taken_for_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ["n=5", "-", "-f", "=", "\udcff"]:
        Path(name).write_text("x\n")
        assert COUNT.run(files=name).text == "1\n", name


def test_arguments_are_operands(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_text("a\n")
    program = rh.compile("{ print v, $0 }")
    assert program.run(args=["v=1"], files=one).text == "1 a\n"
    assert program.run(args=["v=2", "-", os.fspath(one)], input="in\n").text == "2 in\n2 a\n"


class Chars(io.RawIOBase):
    """A raw file object that gives one byte at a time."""

    def __init__(self, data: bytes) -> None:
        self.data = list(data)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        return bytes([self.data.pop(0)]) if self.data else b""


def test_input_is_text_file_objects_and_iterables(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes("ä\nb".encode())
    inputs: list[Any] = [
        "ä\nb",
        "ä\nb".encode(),
        io.StringIO("ä\nb"),
        io.BytesIO("ä\nb".encode()),
        ["ä", "b"],
        ("ä\n", b"b"),
        iter(["ä", "b\n"]),
        Chars("ä\nb".encode()),
    ]
    for value in inputs:
        assert COPY.run(input=value).text == "ä\nb\n", value
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert COPY.run(input=binary).text == "ä\nb\n"
        assert COPY.run(input=text).text == "ä\nb\n"
    assert COPY.run().text == ""


def test_an_iterable_is_asked_as_items_are_needed() -> None:
    asked = []

    def items() -> Iterator[str]:
        for number in range(10):
            asked.append(number)
            yield str(number)

    assert rh.awk("NR == 3 { exit } 1", input=items()).text == "0\n1\n"
    assert asked == [0, 1, 2]


def test_a_large_item_and_a_large_block_arrive_whole() -> None:
    line = "x" * 1_000_000
    assert rh.awk("{ print length }", input=[line, "y"]).text == "1000000\n1\n"
    assert rh.awk("{ print length }", input=io.StringIO(line)).text == "1000000\n"


class Failing:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def read(self, size: int, /) -> bytes:
        raise self.error


@pytest.mark.parametrize("error", [OSError(5, "broken"), ValueError("closed"), KeyboardInterrupt()])
def test_what_a_file_object_raises_comes_out(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        COUNT.run(input=Failing(error))
    assert caught.value is error


def test_input_of_a_wrong_type() -> None:
    closed = io.BytesIO()
    closed.close()
    with pytest.raises(ValueError, match="closed file"):
        COUNT.run(input=closed)
    bad: Any
    for bad in [5, None.__class__, [1], iter(["a", None])]:
        with pytest.raises(TypeError):
            COUNT.run(input=bad)

    class Numbers:
        def read(self, size: int) -> int:
            return 5

    wrong: Any = Numbers()
    with pytest.raises(TypeError, match=r"read\(\) gave int"):
        COUNT.run(input=wrong)

    def items() -> Iterator[str]:
        yield "a"
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        COUNT.run(input=items())


def test_variables_go_in_and_come_out() -> None:
    program = rh.compile(
        "BEGIN { for (k in a) b[k] = a[k]; a[1]; n[1][2] = 3; half = whole / 2; u; nothing }"
    )
    given: dict[str, Any] = {
        "a": {"x": 1, "y": 1.5, 3: "t", 2.5: b"\xff"},
        "whole": 7,
        "unknown": 1,
    }
    variables = program.run(vars=given).variables
    assert variables["b"] == {"x": 1, "y": 1.5, "3": "t", "2.5": "\udcff"}
    assert variables["n"] == {"1": {"2": 3}}
    assert (variables["half"], variables["whole"], variables["nothing"]) == (3.5, 7, None)
    assert variables["NR"] == 0
    assert isinstance(variables["whole"], int) and isinstance(variables["half"], float)


def test_lists_are_arrays_from_1() -> None:
    assert (
        rh.awk("BEGIN { print a[1], a[2], length(a) }", vars={"a": ["x", ("y",)[0]]}).text
        == "x y 2\n"
    )


def test_text_is_compared_as_text_and_numbers_as_numbers() -> None:
    program = rh.compile("BEGIN { print (v < 9) }")
    assert program.run(vars={"v": "10"}).text == "1\n"
    assert program.run(vars={"v": 10}).text == "0\n"
    assert program.run(vars={"v": Decimal("10.5")}).text == "0\n"
    assert program.run(vars={"v": True}).text == "1\n"


def test_values_that_a_program_does_not_have() -> None:
    bad: Any
    for bad in [object(), {1, 2}, {(1, 2): 3}, {None: 1}]:
        with pytest.raises(TypeError):
            COUNT.run(vars={"v": bad})
    with pytest.raises(rh.RuntimeError):
        rh.awk("BEGIN { print v }", vars={"v": {"a": 1}})


def test_bignum() -> None:
    program = rh.compile("BEGIN { p = v ^ 3 }", bignum=True)
    assert program.run(vars={"v": 2**70}).variables["p"] == 2**210


def test_variables_need_not_be_kept() -> None:
    assert COUNT.run(keep_variables=False).variables == {}


def test_the_environment_is_empty_unless_it_is_given() -> None:
    program = rh.compile('BEGIN { print length(ENVIRON), ENVIRON["A"] }')
    assert program.run().lines()[0].endswith(" ")
    assert program.run(env={"A": "ü"}).lines()[0].endswith(" ü")


def test_output_to_file_objects() -> None:
    out, err = io.BytesIO(), io.BytesIO()
    result = rh.awk('{ print; print "e" > "/dev/stderr" }', input="a\n", stdout=out, stderr=err)
    assert (out.getvalue(), err.getvalue()) == (b"a\n", b"e\n")
    assert (result.stdout, result.stderr) == (b"", b"")

    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(28, "no space")

    with pytest.raises(OSError, match="no space"):
        rh.awk("1", input="a\n", stdout=Full())
    text: Any = io.StringIO()
    with pytest.raises(TypeError):
        rh.awk("1", input="a\n", stdout=text)


def test_a_result_is_drawn() -> None:
    result = rh.awk("1", input="a<b>&\n")
    assert result._repr_html_() == "<pre>a&lt;b&gt;&amp;\n</pre>"
    assert repr(result) == "Result(status=0, stdout=b'a<b>&\\n', records=1)"


def test_status_can_be_raised() -> None:
    ok = COUNT.run()
    assert ok.raise_for_status() is ok
    with pytest.raises(rh.StatusError, match="exit status 3: why") as caught:
        rh.awk('BEGIN { print "why" > "/dev/stderr"; exit 3 }').raise_for_status()
    assert caught.value.status == 3
    assert caught.value.result is not None and caught.value.result.status == 3


def test_a_program_says_its_name_and_layout() -> None:
    program = rh.compile("{print}", name="p.awk")
    assert (program.name, repr(program)) == ("p.awk", '<riverhawk.Program "p.awk">')
    assert program.format() == "{\n\tprint\n}\n"


@given(st.binary())
def test_bytes_go_through_unchanged(data: bytes) -> None:
    program = rh.compile('BEGIN { RS = "^$"; ORS = "" } { kept = $0; print }')
    result = program.run(input=data)
    assert result.stdout == data
    kept = result.variables["kept"]
    assert (kept or "") == os.fsdecode(data).encode("utf-8", "surrogateescape").decode(
        "utf-8", "surrogateescape"
    )


@given(
    st.dictionaries(
        st.text(), st.one_of(st.text(), st.floats(allow_nan=False), st.integers(-(2**53), 2**53))
    )
)
def test_arrays_survive_the_way_in_and_out(array: dict[str, str | float | int]) -> None:
    given: dict[str, Any] = {"a": {**array, "1": 0}}
    kept = rh.awk("BEGIN { a[1]; delete a[1] }", vars=given).variables["a"]
    assert kept == {key: value for key, value in array.items() if key != "1"}


def test_programs_are_pickled() -> None:
    program = rh.compile(b'BEGIN { print 2^70, "\xff" }', name="big", bignum=True)
    again = pickle.loads(pickle.dumps(program))
    assert (again.name, again.run().stdout) == ("big", program.run().stdout)
    assert copy.copy(program).run().stdout == program.run().stdout
    with pytest.raises(TypeError, match="compile it in each process"):
        pickle.dumps(rh.compile("{ f() }", functions={"f": str}))
