"""Options of runs, streams of what is printed, and event loops."""

import asyncio
import gzip
import itertools
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import riverhawk as rh

ENDLESS = rh.compile("BEGIN { while (1) n++ }")
NUMBERS = rh.compile("BEGIN { while (1) print ++n }")


def test_tables() -> None:
    table = 'name,price\n"tea, green",3\nmilk,1\n'
    double = rh.compile('{ print @"name", @"price" * 2 }')
    result = double.run(input=table, input_format="csv", header=True, output_format="jsonl")
    assert result.lines() == ['["tea, green",6]', '["milk",2]']
    assert rh.awk("{ print $2 }", input="a\tb\n", input_format="tsv").text == "b\n"
    assert rh.awk('{ print @"a" }', input='{"a": 1}\n', input_format="jsonl").text == "1\n"
    assert rh.awk("END { print NR }", input="[1,\n2]", input_format="json").text == "2\n"
    bad: Any = "xml"
    with pytest.raises(ValueError, match="xml"):
        double.run(input_format=bad)


def test_encoding_clock_and_seed() -> None:
    assert rh.awk("{ print length }", input=b"\xe4\n", encoding="latin-1").text == "1\n"
    clock = rh.compile('BEGIN { print strftime("%F", systime(), 1) }')
    assert clock.run(clock=1_000_000_000).text == "2001-09-09\n"
    with pytest.raises(ValueError):
        clock.run(clock=float("inf"))
    random = rh.compile("BEGIN { print rand() }")
    assert random.run(seed=5).text == random.run(seed=5).text != random.run(seed=6).text


def test_jobs_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("".join(f"{i % 10} {i}\n" for i in range(200_000)))
    count = rh.compile("{ n[$1] += $2 } END { for (k in n) print k, n[k] }")
    assert count.run(files=path, jobs=2).text == count.run(files=path).text
    assert count.run(files=path, jobs=0, cancel=rh.Cancel()).text == count.run(files=path).text


def test_limit_of_decompressed_input(tmp_path: Path) -> None:
    path = tmp_path / "f.gz"
    path.write_bytes(gzip.compress(b"x" * 3_000_000))
    assert rh.awk("{ print length }", path).text == "3000000\n"
    with pytest.raises(rh.RuntimeError):
        rh.awk("{ n++ }", path, limits=rh.Limits(decompressed=200_000))


def test_options_that_are_none() -> None:
    bad: Any
    for bad in [{"file": "x"}, {"file": None}, {"cancel": 5}, {"vars": 5}, {"limits": 5}]:
        with pytest.raises((TypeError, AttributeError)):
            ENDLESS.run(**bad)
    assert rh.awk("1", input="a\n", files=None, vars=None, limits=None).text == "a\n"


def test_what_is_said_of_mistakes(tmp_path: Path) -> None:
    bad: Any = {"file": "x"}
    with pytest.raises(TypeError, match='no option "file"; did you mean "files"?'):
        ENDLESS.run(**bad)
    for bad, said in [
        ({"xyzzy": 1}, "it has args, .*input"),
        ({"stdin": "x"}, 'did you mean "input"'),
        ({"csv": True}, 'did you mean input_format="csv"'),
        ({"functions": {}}, "it is for compile"),
    ]:
        with pytest.raises(TypeError, match=f'a run has no option "{next(iter(bad))}".*{said}'):
            ENDLESS.stream(**bad)
    with pytest.raises(TypeError, match="not both"):
        rh.awk("1", tmp_path, files=tmp_path)
    with pytest.raises(TypeError, match="for compile"):
        rh.awk(ENDLESS, functions={"f": str})
    with pytest.raises(TypeError, match="for compile"):
        rh.awk(ENDLESS, bignum=True)
    assert rh.awk("BEGIN { print 2^70 }", bignum=True).text == f"{2**70}\n"
    for time in [-1.0, float("nan")]:
        with pytest.raises(ValueError, match="limit of time"):
            ENDLESS.run(limits=rh.Limits(time=time))
    assert rh.awk("1", input="a\n", limits=rh.Limits(time=float("inf"))).text == "a\n"
    for options, message in [
        ({"vars": [("x", 1)]}, "vars is a mapping, not list"),
        ({"args": "x=1"}, "args is a list of texts, not str"),
        ({"files": 5}, "files is a path or several, not int"),
        ({"limits": {"steps": 1}}, "limits is of the type riverhawk.Limits, not dict"),
        ({"permissions": "all"}, "permissions is of the type riverhawk.Permissions, not str"),
        ({"input": tmp_path}, "a file is given as files"),
    ]:
        bad = options
        with pytest.raises(TypeError, match=message):
            ENDLESS.run(**bad)
    bad = ["f"]
    with pytest.raises(TypeError, match="functions is a mapping, not list"):
        rh.compile("1", functions=bad)
    assert rh.compile("{ print f($1) }", functions=MappingProxyType({"f": str.upper})).run(
        input=bytearray(b"a\n")
    ).text == rh.awk("1", input=memoryview(b"A\n")).text
    for name in ["1x", "a b", ""]:
        with pytest.raises(ValueError, match="no variable has the name"):
            ENDLESS.run(vars={name: 1})
    assert rh.awk("1", input="a\n", vars={"unused": 1, "ns::x": 2}).text == "a\n"


def test_a_handle_ends_runs() -> None:
    cancel = rh.Cancel()
    assert not cancel.is_cancelled
    threading.Timer(0.02, cancel.cancel).start()
    with pytest.raises(rh.RuntimeError, match="cancelled") as caught:
        ENDLESS.run(cancel=cancel)
    assert caught.value.limit is None
    assert cancel.is_cancelled
    with pytest.raises(rh.RuntimeError):
        ENDLESS.run(cancel=cancel)


def test_lines_are_pulled() -> None:
    asked = []

    def items() -> Iterator[str]:
        for number in itertools.count():
            asked.append(number)
            yield str(number)

    with rh.compile("{ print $1 * 2 }").stream(input=items()) as lines:
        assert list(itertools.islice(lines, 3)) == ["0", "2", "4"]
        # Two blocks are full and a third is being written: it waits.
        before = -1
        while before < len(asked) < 200_000:
            before = len(asked)
            time.sleep(0.1)
        assert len(asked) < 200_000
    assert list(lines) == []


@pytest.mark.parametrize(
    ("printed", "lines"), [("", []), ("\n", [""]), ("a", ["a"]), ("a\n\nb\n", ["a", "", "b"])]
)
def test_lines_of_a_stream(printed: str, lines: list[str]) -> None:
    program = rh.compile('BEGIN { printf "%s", text }')
    assert list(program.stream(vars={"text": printed})) == lines


def test_a_stream_of_many_blocks() -> None:
    program = rh.compile(
        'BEGIN { while (n++ < 20000) printf "%d ü%s\\n", n, substr(x, 1, n % 90) }'
    )
    options: dict[str, Any] = {"vars": {"x": "y" * 100}}
    assert list(program.stream(**options)) == program.run(**options).lines()
    long = rh.compile('BEGIN { while (n++ < 50000) printf "abcdefghij"; print "" }')
    assert list(long.stream()) == ["abcdefghij" * 50_000]


def test_what_a_stream_raises_comes_last() -> None:
    lines = rh.compile("{ print; if (NR == 2) print 1 % 0 }").stream(input="a\nb\n")
    assert (next(lines), next(lines)) == ("a", "b")
    with pytest.raises(rh.RuntimeError, match="division by zero"):
        next(lines)
    assert list(lines) == []

    def fail() -> None:
        raise LookupError("gone")

    failing = rh.compile("BEGIN { print 1; f() }", functions={"f": fail}).stream()
    assert next(failing) == "1"
    with pytest.raises(LookupError) as caught:
        next(failing)
    assert isinstance(caught.value.__cause__, rh.RuntimeError)


def test_a_stream_ends_with_its_iterator() -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task"))

    next(NUMBERS.stream())
    time.sleep(0.1)
    before = threads()
    for _ in range(20):
        lines = NUMBERS.stream()
        assert next(lines) == "1"
        del lines
    for _ in range(100):
        if threads() <= before:
            break
        time.sleep(0.02)
    assert threads() <= before


def test_ctrl_c_ends_the_wait_for_a_line() -> None:
    lines = ENDLESS.stream()
    threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        next(lines)
    lines.close()


def test_streams_have_no_output_of_their_own() -> None:
    with pytest.raises(TypeError, match="stdout"):
        NUMBERS.stream(stdout=None)


def test_an_event_loop_goes_on() -> None:
    turned = threading.Event()

    async def main() -> str:
        async def turn() -> None:
            for _ in range(3):
                await asyncio.sleep(0.001)
            turned.set()

        turning = asyncio.create_task(turn())
        program = rh.compile(
            "BEGIN { print wait(10) }", functions={"wait": lambda seconds: turned.wait(seconds)}
        )
        result = await program.run_async()
        await turning
        return result.text

    assert asyncio.run(main()) == "1\n"


def test_a_cancelled_task_ends_its_run() -> None:
    async def main() -> float:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(ENDLESS.run_async(), 0.05)
        begun = time.monotonic()
        await asyncio.get_running_loop().shutdown_default_executor()
        return time.monotonic() - begun

    assert asyncio.run(main()) < 5


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []

    def lines() -> Iterator[str]:
        for _ in range(60):
            time.sleep(0.005)
            yield "x" * 10_000

    rh.awk("END { print NR }", input=lines(), progress=lambda *read: seen.append(read))
    assert 1 <= len(seen) <= 10
    assert seen == sorted(seen)
    assert seen[-1][0] <= 60 * 10_001

    def fail(read: int, records: int) -> None:
        raise LookupError(read)

    for cancel in [None, rh.Cancel()]:
        with pytest.raises(LookupError):
            rh.awk("1", input=lines(), progress=fail, cancel=cancel)
        assert cancel is None or not cancel.is_cancelled
