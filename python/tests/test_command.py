"""The command that the wheel brings."""

import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import riverhawk as rh

SCRIPT = [os.path.join(sysconfig.get_path("scripts"), "rhawk")]
MODULE = [sys.executable, "-m", "riverhawk"]


def run(*arguments: str, input: bytes = b"") -> tuple[int, bytes, bytes]:
    done = subprocess.run([*MODULE, *arguments], input=input, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", [SCRIPT, MODULE])
def test_it_is_the_command(command: list[str], tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.write_text("a:1\nb:2\n")
    done = subprocess.run(
        [*command, "-F:", "-v", "n=3", '{ s += $2 * n } END { print s, ENVIRON["HOME"] }', data],
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": "/h"},
        check=True,
    )
    assert done.stdout == "9 /h\n"


def test_statuses_and_messages() -> None:
    assert run("BEGIN { exit 3 }") == (3, b"", b"")
    status, _, message = run("{ print (1 }")
    assert (status, message.startswith(b"rhawk: ")) == (1, True)
    assert run("BEGIN { print 1 % 0 }")[0] == 2
    assert rh.__version__.encode() in run("--version")[1]
    assert run("{ print ARGC, $1 }", input=b"\xff x\n") == (0, b"1 \xff\n", b"")


def test_signals_are_a_commands() -> None:
    """A reader that ends, ends it quietly, and Ctrl-C kills it."""
    writer = subprocess.Popen(
        [*MODULE, "BEGIN { while (1) print 1 }"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert writer.stdout and writer.stderr
    writer.stdout.readline()
    writer.stdout.close()
    assert writer.stderr.read() == b""
    assert writer.wait(10) in (-signal.SIGPIPE, 141)
    endless = subprocess.Popen(
        [*MODULE, 'BEGIN { print "on"; fflush(); while (1) n++ }'], stdout=subprocess.PIPE
    )
    assert endless.stdout
    endless.stdout.readline()
    endless.send_signal(signal.SIGINT)
    assert endless.wait(10) == -signal.SIGINT
    endless.stdout.close()
    writer.stderr.close()
