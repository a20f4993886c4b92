"""The rows of the language corpus that need a program and input alone give the command's bytes."""

import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import riverhawk as rh

CORPUS = Path(__file__).parents[2] / "tests" / "corpus"

ROW = re.compile(r"([\w.-]+): (.*)")
MARK = re.compile(r" (<<<|>>>|!!!|~~~)")

# The command fills in where its extensions are.
LEFT_OUT = {"program-files/environment-says-where-files-and-extensions-are"}

ESCAPE = re.compile(r"\\(?:([ntrs\\])|x(..)|u\{(\w+)\})")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "s": " ", "\\": "\\"}


def unescaped(text: str) -> bytes:
    def byte(found: re.Match[str]) -> str:
        letter, hexadecimal, code = found.groups()
        if letter:
            return ESCAPES[letter]
        return bytes.fromhex(hexadecimal).decode("latin-1") if hexadecimal else chr(int(code, 16))

    # Bytes of the text as characters, so that `\xHH` can be one.
    raw = text.encode().decode("latin-1")
    return ESCAPE.sub(
        lambda found: (
            byte(found).encode("utf-8").decode("latin-1") if found.group(3) else byte(found)
        ),
        raw,
    ).encode("latin-1")


def rows() -> Iterator[tuple[str, str, bytes, bytes]]:
    """Names, programs, inputs and outputs of rows on one line, without options and failures."""
    for path in sorted(CORPUS.glob("*.awkt")):
        in_block = False
        for line in path.read_text(encoding="utf-8").splitlines():
            in_block = bool(line) and (in_block or line.startswith("== "))
            found = None if in_block else ROW.fullmatch(line)
            if found is None:
                continue
            program, *marked = MARK.split(found[2])
            parts = dict(zip(marked[::2], marked[1::2], strict=True))
            name = f"{path.stem}/{found[1]}"
            if name in LEFT_OUT or "!!!" in parts or ">>>" not in parts:
                continue
            given, wanted = (parts.get(mark, "").removeprefix(" ") for mark in ("<<<", ">>>"))
            # musl has its own words.
            wanted = wanted.replace("Connection timed out", os.strerror(errno.ETIMEDOUT))
            yield name, program, unescaped(given), unescaped(wanted)


def test_the_same_bytes_as_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = rh.Permissions(everything=True)
    count, wrong = 0, []
    for name, program, given, wanted in rows():
        directory = tmp_path / name.replace("/", ".")
        directory.mkdir()
        monkeypatch.chdir(directory)
        count += 1
        try:
            result = rh.compile(program.encode()).run(
                input=given,
                permissions=everything,
                env={"LC_ALL": "en_US.UTF-8", "PATH": "/usr/bin:/bin"},
            )
        except rh.RuntimeError as error:
            # By an emulator: qemu-user opens no pseudo-terminals.
            if str(error).endswith("Function not implemented"):
                continue
            wrong.append((name, program, str(error).encode(), wanted))
            continue
        if (result.stdout, result.status) != (wanted, 0):
            wrong.append((name, program, result.stdout, wanted))
    assert count > 2500
    assert not wrong, f"{len(wrong)} of {count}: {wrong[:20]}"
