"""Records and fields of the package beside Python's own: CPU time in milliseconds, the least of some turns.

python bench/python/lines.py [turns]
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import riverhawk as rh
from turns import least_times

LINES = 1_000_000


def consume(lines: object) -> None:
    for _ in lines:  # type: ignore[attr-defined]
        pass


def idioms(path: str) -> dict[str, Callable[[], None]]:
    return {
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
        best = least_times(idioms(str(path)), turns)
    for name, seconds in best.items():
        print(f"{seconds * 1000:6.0f}  {name}")


if __name__ == "__main__":
    main()
