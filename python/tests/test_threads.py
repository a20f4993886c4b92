"""Threads, processes and signals."""

import asyncio
import importlib
import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import riverhawk as rh

ENDLESS = rh.compile("BEGIN { while (1) n++ }")


def interrupted(run: Callable[[], object]) -> float:
    """Seconds from SIGINT to `KeyboardInterrupt`."""
    sent = 0.0

    def send() -> None:
        nonlocal sent
        time.sleep(0.05)
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run()
        return time.monotonic() - sent
    finally:
        sender.join()


def never() -> Iterator[str]:
    while True:
        time.sleep(0.01)
        yield "x"


WAITING: dict[str, Callable[[], object]] = {
    "a loop": ENDLESS.run,
    "a loop in a function that a function runs": lambda: rh.compile(
        "BEGIN { f() }", functions={"f": lambda: ENDLESS.run().status}
    ).run(),
    "records": lambda: rh.awk("{ n++ }", "/dev/zero", vars={"RS": "\\0"}),
    "records in pieces": lambda: rh.awk("{ n++ }", "/dev/zero", vars={"RS": "\\0"}, jobs=2),
    "a command": lambda: rh.awk(
        'BEGIN { system("sleep 10") }', permissions=rh.Permissions(commands=True)
    ),
    "a function": lambda: rh.compile(
        "BEGIN { f() }", functions={"f": lambda: time.sleep(10)}
    ).run(),
    "an iterable": lambda: rh.awk("1", input=never()),
}


@pytest.mark.parametrize("what", WAITING)
def test_ctrl_c_ends_a_run_within_50_ms(what: str) -> None:
    handler, fd = signal.getsignal(signal.SIGINT), signal.set_wakeup_fd(-1)
    # The machine may be busy: the best of some.
    assert min(interrupted(WAITING[what]) for _ in range(4)) < 0.05
    assert signal.getsignal(signal.SIGINT) is handler
    assert signal.set_wakeup_fd(fd) == -1
    # Nothing is left of it.
    assert rh.awk("1", input="a\n").text == "a\n"


def test_another_handler_of_ctrl_c_is_called_and_the_run_goes_on() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        sender = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
        sender.start()
        result = rh.awk("BEGIN { while (n < 20000000) n++; print n }")
        sender.join()
        time.sleep(0.01)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (result.text, seen) == ("20000000\n", [signal.SIGINT])


def test_signals_of_an_event_loop_reach_it() -> None:
    async def main() -> list[int]:
        seen: list[int] = []
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, lambda: seen.append(1))
        # A handler of the loop's own is in the way of ours; with Python's the wakeup is shared.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sender = threading.Timer(0.02, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        sender.start()
        rh.awk("BEGIN { while (n < 20000000) n++ }")
        sender.join()
        await asyncio.sleep(0.05)
        return seen

    assert asyncio.run(main()) == [1]


def test_python_goes_on_while_programs_run() -> None:
    turns = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    with pytest.raises(rh.RuntimeError):
        counter.start()
        ENDLESS.run(limits=rh.Limits(time=0.3))
    stop.set()
    counter.join()
    assert turns > 20


def test_two_programs_run_at_once() -> None:
    """Each is in the engine while the other is: neither could end before the other has begun."""
    barrier = threading.Barrier(2, timeout=10)
    program = rh.compile(
        "BEGIN { meet(); while (n < 1000000) n++; meet(); print n }",
        functions={"meet": barrier.wait},
    )
    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(program.run) for _ in range(2)]
        assert [result.result().text for result in results] == ["1000000\n"] * 2


def test_many_threads_share_a_program() -> None:
    program = rh.compile(
        "{ n[$1 % 10]++; s += f($1) } END { print s, length(n) }", functions={"f": float}
    )
    text = "".join(f"{i}\n" for i in range(1000))
    expected = program.run(input=text).text
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: program.run(input=text).text, range(100))) == {expected}


def run_in_child(number: int) -> str:
    limited = rh.Limits(time=0.1)
    with pytest.raises(rh.RuntimeError):
        ENDLESS.run(limits=limited)
    shell = rh.Permissions(commands=True)
    return rh.awk(
        'BEGIN { "echo c" | getline l; print l, n }', vars={"n": number}, permissions=shell
    ).text


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_other_processes(method: str) -> None:
    # What starts threads in the parent.
    assert run_in_child(0) == "c 0\n"
    interrupted(ENDLESS.run)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(run_in_child, range(4)).get(timeout=60) == [
            f"c {i}\n" for i in range(4)
        ]


def test_memory_does_not_grow() -> None:
    def resident() -> int:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    program = rh.compile("{ a[$1] = f($2) } END { print length(a) }", functions={"f": str.upper})

    def runs(count: int) -> None:
        for _ in range(count):
            result = program.run(input=io.BytesIO(b"a b\nc d\n"), vars={"x": {"y": 1}})
            assert result.variables["a"] == {"a": "B", "c": "D"}
            with pytest.raises(rh.SyntaxError):
                rh.compile("{")

    runs(1000)
    before = resident()
    runs(10_000)
    assert resident() - before < 2_000_000


@pytest.mark.skipif(sys.version_info < (3, 13), reason="needs the module _interpreters")
def test_subinterpreters_are_refused() -> None:
    interpreters = importlib.import_module("_interpreters")
    other = interpreters.create()
    failure = interpreters.run_string(other, "import riverhawk")
    interpreters.destroy(other)
    assert failure.type.__name__ == "ImportError"
    assert rh.awk("1", input="a\n").text == "a\n"


def test_an_iterable_is_left_when_its_run_is() -> None:
    script = """
import threading, time
import riverhawk as rh

def forever():
    while True:
        pulled.append(1)
        yield b"tea\\n"
        time.sleep(0.001)

for program in ["{ n++ }", "NR == 9 { exit }"]:
    pulled = []
    cancel = rh.Cancel()
    threading.Timer(0.2, cancel.cancel).start()
    try:
        rh.compile(program).run(input=forever(), jobs=3, cancel=cancel)
    except rh.RuntimeError:
        pass
    count = len(pulled)
    time.sleep(0.1)
    assert count == len(pulled)
"""
    # A thread that is still in Python when the process ends aborts it.
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
