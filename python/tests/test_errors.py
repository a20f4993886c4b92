"""Errors as exceptions."""

import builtins
import pickle
import traceback
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh


def test_a_syntax_error_is_drawn_by_python() -> None:
    with pytest.raises(rh.SyntaxError) as caught:
        rh.compile('# é\n{ print "é" (1 }', name="sum.awk")
    error = caught.value
    assert isinstance(error, builtins.SyntaxError)
    assert (error.filename, error.lineno, error.offset) == ("sum.awk", 2, 13)
    assert error.text == '{ print "é" (1 }'
    drawn = traceback.format_exception_only(type(error), error)
    assert drawn[0] == '  File "sum.awk", line 2\n'
    caret = next(line for line in drawn if line.strip().startswith("^"))
    # Python draws the line without its indentation, behind four blanks.
    assert caret.index("^") - 4 == 12
    assert "sum.awk:2:13" in error.report


def test_a_program_of_another_type() -> None:
    bad: Any = 5
    with pytest.raises(TypeError, match="int"):
        rh.compile(bad)


def test_bytes_that_are_no_utf_8_are_a_program() -> None:
    assert rh.awk(b'BEGIN { printf "\xff" }').stdout == b"\xff"
    assert rh.awk('BEGIN { printf "\udcff" }').stdout == b"\xff"


def test_a_runtime_error_says_where(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_text("a\nb\n")
    with pytest.raises(rh.RuntimeError) as caught:
        rh.awk("FNR == 2 {\n  print 1 % 0 }\n{ print }", path)
    error = caught.value
    assert isinstance(error, builtins.RuntimeError)
    assert "division by zero" in str(error)
    assert (error.filename, error.lineno, error.offset) == ("program", 2, 9)
    assert (error.input, error.record) == (str(path), 2)
    assert error.limit is None
    assert error.result is not None and error.result.stdout == b"a\n"
    assert "2 |   print 1 % 0 }" in error.report


def test_a_missing_file_is_an_error_that_names_it() -> None:
    with pytest.raises(rh.RuntimeError, match="/does/not/exist"):
        rh.awk("1", "/does/not/exist")


@pytest.mark.parametrize(
    ("limits", "program", "reached"),
    [
        (rh.Limits(steps=1000), "BEGIN { while (1) n++ }", "steps"),
        (rh.Limits(time=0.05), "BEGIN { while (1) n++ }", "time"),
        (rh.Limits(records=2), "{ n++ }", "records"),
        (
            rh.Limits(call_depth=50),
            "function f(n) { return f(n + 1) } BEGIN { f(1) }",
            "call_depth",
        ),
        (rh.Limits(memory=20_000_000), 'BEGIN { s = "x"; while (1) s = s s }', "memory"),
        (rh.Limits(output=10), 'BEGIN { while (1) print "abc" }', "output"),
        (rh.Limits(record=10), "{ n++ }", "record"),
    ],
)
def test_limits_are_errors_that_name_them(
    limits: rh.Limits, program: str, reached: str | None
) -> None:
    with pytest.raises(rh.RuntimeError) as caught:
        rh.awk(program, input="a\nb\nccccccccccccccc\n", limits=limits)
    assert caught.value.limit == reached
    assert str(caught.value)


def test_nothing_is_permitted_by_default(tmp_path: Path) -> None:
    secret, out = tmp_path / "secret", tmp_path / "out"
    secret.write_text("s\n")
    read = rh.compile("BEGIN { getline line < name; print line }")
    write = rh.compile('BEGIN { print "w" > name }')
    shell = rh.compile('BEGIN { "echo c" | getline line; print line }')
    for program, name in [(read, secret), (write, out), (shell, secret)]:
        with pytest.raises(rh.RuntimeError):
            program.run(vars={"name": str(name)})
    assert not out.exists()
    allowed = rh.Permissions(read=[tmp_path], write=[str(tmp_path)], commands=True)
    assert read.run(vars={"name": str(secret)}, permissions=allowed).text == "s\n"
    write.run(vars={"name": str(out)}, permissions=allowed)
    assert out.read_text() == "w\n"
    assert shell.run(permissions=allowed).text == "c\n"
    assert shell.run(permissions=rh.Permissions(everything=True)).text == "c\n"


def test_errors_can_be_pickled() -> None:
    for program in ["{ print (1 }", "BEGIN { print 1 % 0 }"]:
        with pytest.raises((rh.SyntaxError, rh.RuntimeError)) as caught:
            rh.awk(program)
        error: Any = caught.value
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), copy.report) == (type(error), str(error), error.report)
    with pytest.raises(rh.StatusError) as status:
        rh.awk("BEGIN { exit 2 }").raise_for_status()
    assert pickle.loads(pickle.dumps(status.value)).status == 2


def test_everything_that_is_wrong_is_listed() -> None:
    with pytest.raises(rh.SyntaxError) as caught:
        rh.compile("{ print $1 + }\n{ print ) }\n", name="two.awk")
    found = caught.value.diagnostics
    assert [(d.severity, d.filename, d.lineno) for d in found] == [
        ("error", "two.awk", 1),
        ("error", "two.awk", 2),
    ]
    assert found[0].message == caught.value.msg
    assert found[0].offset == caught.value.offset
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == found
