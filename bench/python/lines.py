"""Records and fields of the package beside Python's own.

python bench/python/lines.py [turns]          CPU time in milliseconds for a million lines, the least of some turns
python bench/python/lines.py --instructions   instructions for each line, as valgrind counts them: also on a busy machine
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import AnyStr

import riverhawk as rh
from turns import least_times

NOTHING = "nothing"
LOOP = "a loop over lists"
# Of which the package makes a list.
BATCH = 128


def consume(lines: object) -> None:
    for _ in lines:  # type: ignore[attr-defined]
        pass


def blocks(whole: AnyStr, newline: AnyStr) -> list[AnyStr]:
    lines = whole.split(newline)[:-1]
    return [newline.join(lines[at : at + BATCH]) for at in range(0, len(lines), BATCH)]


def idioms(path: str) -> dict[str, Callable[[], None]]:
    data = Path(path).read_bytes()
    as_bytes, as_str = blocks(data, b"\n"), blocks(data.decode(), "\n")
    empty = [[None] * BATCH] * len(as_bytes)
    flat = chain.from_iterable
    return {
        NOTHING: lambda: None,
        LOOP: lambda: consume(flat(empty)),
        # The same objects without reading or decoding, by Python's own loop in C.
        "split in memory, str": lambda: consume(flat(block.split("\n") for block in as_str)),
        "split in memory, bytes": lambda: consume(flat(block.split(b"\n") for block in as_bytes)),
        "open, str": lambda: consume(open(path, encoding="utf-8")),
        "rh.records, str": lambda: consume(rh.records(path)),
        "open, bytes": lambda: consume(open(path, "rb")),
        "rh.records, bytes": lambda: consume(rh.records(path, encoding=None)),
        "open and split": lambda: consume(map(str.split, open(path, encoding="utf-8"))),
        "rh.fields": lambda: consume(rh.fields(path)),
    }


def write(path: Path, lines: int, word: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(lines):
            file.write(f"{number} the {word} brown fox jumps over the lazy dog {number % 1000}\n")


def instructions(name: str, path: str) -> int:
    run = [sys.executable, __file__, "--run", name, path]
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *run], capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found, done.stderr
    return int(found[1])


def print_table(ascii_times: dict[str, float], mixed_times: dict[str, float]) -> None:
    print(" ASCII  mixed")
    for name, amount in ascii_times.items():
        print(f"{amount:6.0f} {mixed_times[name]:6.0f}  {name}")


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        idioms(sys.argv[3])[sys.argv[2]]()
        return
    counts = sys.argv[1:] == ["--instructions"]
    lines = 20_000 if counts else 1_000_000
    tables: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "lines"
        for word in ["quick", "qu\u00efck"]:
            write(path, lines, word)
            if counts:
                before = instructions(NOTHING, str(path))
                tables.append(
                    {
                        name: (instructions(name, str(path)) - before) / lines
                        for name in idioms(str(path))
                        if name != NOTHING
                    }
                )
            else:
                turns = int(sys.argv[1]) if len(sys.argv) > 1 else 15
                least = least_times(idioms(str(path)), turns)
                tables.append({name: seconds * 1000 for name, seconds in least.items()})
    print_table(*tables)


if __name__ == "__main__":
    main()
