"""Python functions that programs call."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

import riverhawk as rh


def call(program: str, function: Callable[..., Any], text: str = "007 x\n") -> str:
    return rh.compile(program, functions={"f": function}).run(input=text).text


def test_arguments_are_text_unless_they_were_computed() -> None:
    assert call("{ print f($1, $1 + 0, $9, 1.5, unset) }", lambda *all: repr(all)) == (
        "('007', 7, '', 1.5, '')\n"
    )


@pytest.mark.parametrize(
    ("result", "printed"),
    [
        ("t", "t"),
        (b"\xff", "\ufffd"),
        (3, "3"),
        (1.5, "1.5"),
        (True, "1"),
        (None, ""),
        (2**53, "9007199254740992"),
    ],
)
def test_results_are_values(result: Any, printed: str) -> None:
    assert call("BEGIN { print f() }", lambda: result) == printed + "\n"


def test_the_number_of_arguments_is_checked_when_compiled() -> None:
    def two(a: str, b: str = "", *, c: str = "") -> str:
        return a + b

    assert call('BEGIN { print f("a"), f("a", "b") }', two) == "a ab\n"
    for arguments in ["", "1, 2, 3"]:
        with pytest.raises(rh.SyntaxError):
            rh.compile(f"BEGIN {{ f({arguments}) }}", functions={"f": two})

    def keyword(*, needed: str) -> str:
        return needed

    with pytest.raises(ValueError, match="needed"):
        rh.compile("BEGIN { f() }", functions={"f": keyword})
    bad: Any = 5
    with pytest.raises(TypeError):
        rh.compile("BEGIN { f() }", functions={"f": bad})


def test_builtin_functions_and_methods() -> None:
    assert call("{ print f($2) }", {"x": "found"}.get) == "found\n"
    assert call("{ print f($2) }", str.upper) == "X\n"


class Lost(LookupError):
    pass


def test_an_exception_comes_out_as_it_was_with_the_place_as_its_cause() -> None:
    error = Lost("no x")

    def lookup(key: str) -> str:
        raise error

    program = rh.compile(
        "{\n  print 1\n  print lookup($2)\n}", name="p.awk", functions={"lookup": lookup}
    )
    with pytest.raises(Lost) as caught:
        program.run(input="a b\n")
    assert caught.value is error
    place = caught.value.__cause__
    assert isinstance(place, rh.RuntimeError)
    assert (place.filename, place.lineno, place.input, place.record) == ("p.awk", 3, "-", 1)
    assert place.result is not None and place.result.stdout == b"1\n"


def test_a_cause_of_its_own_stays() -> None:
    def wrapped() -> None:
        try:
            raise KeyError(1)
        except KeyError as error:
            raise Lost from error

    with pytest.raises(Lost) as caught:
        call("BEGIN { f() }", wrapped)
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_result_of_a_wrong_type() -> None:
    with pytest.raises(TypeError, match="not list"):
        call("BEGIN { f() }", list)


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit()])
def test_exceptions_that_end_programs_pass(error: BaseException) -> None:
    def leave() -> None:
        raise error

    with pytest.raises(type(error)):
        call("BEGIN { f() }", leave)


def test_functions_run_on_the_calling_thread() -> None:
    sqlite3 = pytest.importorskip("sqlite3")
    database = sqlite3.connect(":memory:")
    assert (
        call(
            "{ print f($1) }",
            lambda key: database.execute("select ? || '!'", (key,)).fetchone()[0],
            "a\n",
        )
        == "a!\n"
    )
    threads: list[object] = []
    call("{ f() }", lambda: threads.append(threading.current_thread()))
    assert threads == [threading.current_thread()]


def test_a_function_runs_another_program() -> None:
    inner = rh.compile("{ print toupper($0) }")

    def fail() -> None:
        raise Lost

    failing = rh.compile("BEGIN { g() }", functions={"g": fail})
    assert call("{ printf f($2) }", lambda text: inner.run(input=text).text) == "X\n"

    def caught() -> str:
        try:
            failing.run()
        except Lost:
            return "caught"
        return "not"

    assert call("BEGIN { print f() }", caught) == "caught\n"


def test_functions_live_as_long_as_their_program() -> None:
    import gc
    import weakref

    class Lookup:
        def __call__(self, key: str) -> str:
            return key

    lookup = Lookup()
    seen = weakref.ref(lookup)
    program = rh.compile("{ print f($1) }", functions={"f": lookup})
    del lookup
    gc.collect()
    assert program.run(input="a\n").text == "a\n"
    del program
    gc.collect()
    assert seen() is None


def test_arrays_are_dicts_that_change_in_the_program() -> None:
    def change(n: dict[str, Any], key: str) -> int:
        seen.append(dict(n))
        n.pop(key, None)
        n["new"] = len(n)
        n["text"] = "7"
        return len(n)

    def read(n: "dict") -> str:  # type: ignore[type-arg]
        return ",".join(f"{key}={value!r}" for key, value in sorted(n.items()))

    seen: list[dict[str, Any]] = []
    program = rh.compile(
        "{ n[$1] += $2; n[\"last\"] = $1 } END { print change(n, \"tea\"); print read(n); print read(none) }",
        functions={"change": change, "read": read},
    )
    result = program.run(input="tea 1\nmilk 2\n")
    assert seen == [{"tea": 1, "milk": 2, "last": "milk"}]
    assert result.lines() == ["4", "last='milk',milk=2,new=2,text='7'", ""]
    assert result.variables["n"] == {"milk": 2, "last": "milk", "new": 2, "text": "7"}


def test_arrays_of_arrays_and_what_is_no_array() -> None:
    def depth(n: dict[str, Any]) -> int:
        return sum(isinstance(value, dict) for value in n.values())

    functions = {"depth": depth}
    assert rh.compile('BEGIN { a[1][2] = 3; print depth(a) }', functions=functions).run().text == "1\n"
    with pytest.raises(rh.SyntaxError):
        rh.compile("BEGIN { print depth(1) }", functions=functions)

    def wrong(n: dict[str, Any]) -> None:
        n["x"] = object()

    with pytest.raises(TypeError, match="text, a number or None"):
        rh.compile("BEGIN { wrong(a) }", functions={"wrong": wrong}).run()
