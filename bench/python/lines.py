"""Records and fields of the package beside Python's own: CPU time in milliseconds, the least of some turns.

python bench/python/lines.py [turns]
"""

import sys
import tempfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import AnyStr

import riverhawk as rh
from turns import least_times

LINES = 1_000_000


def consume(lines: object) -> None:
    for _ in lines:  # type: ignore[attr-defined]
        pass


def blocks(whole: AnyStr, newline: AnyStr) -> list[AnyStr]:
    """Of 128 lines each, as the package makes lists of."""
    lines = whole.split(newline)[:-1]
    return [newline.join(lines[at : at + 128]) for at in range(0, len(lines), 128)]


def idioms(path: str) -> dict[str, Callable[[], None]]:
    data = Path(path).read_bytes()
    as_bytes, as_str = blocks(data, b"\n"), blocks(data.decode(), "\n")
    flat = chain.from_iterable
    return {
        # The same objects without reading or decoding, by Python's own loop in C.
        "split in memory, str": lambda: consume(flat(block.split("\n") for block in as_str)),
        "split in memory, bytes": lambda: consume(flat(block.split(b"\n") for block in as_bytes)),
        "open, str": lambda: consume(open(path)),
        "rh.records, str": lambda: consume(rh.records(path)),
        "open, bytes": lambda: consume(open(path, "rb")),
        "rh.records, bytes": lambda: consume(rh.records(path, encoding=None)),
        "open and split": lambda: consume(map(str.split, open(path))),
        "rh.fields": lambda: consume(rh.fields(path)),
    }


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "lines"
        with path.open("w") as file:
            for number in range(LINES):
                file.write(
                    f"{number} the quick brown fox jumps over the lazy dog {number % 1000}\n"
                )
        ascii_times = least_times(idioms(str(path)), turns)
        path.write_text(path.read_text().replace("quick", "qu\u00efck"))
        mixed_times = least_times(idioms(str(path)), turns)
    print(" ASCII  mixed")
    for name, seconds in ascii_times.items():
        print(f"{seconds * 1000:6.0f} {mixed_times[name] * 1000:6.0f}  {name}")


if __name__ == "__main__":
    main()
