"""Instructions for each row of a CSV file that becomes Arrow's columns, on one thread, beside other readers.

python bench/python/tables.py [rows]   as valgrind counts them: also on a busy machine

Each row has 35 bytes: an integer, two texts, a number with two decimals, an integer.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import polars
import pyarrow
import pyarrow.csv

import riverhawk as rh

TYPES = {"id": "i64", "item": "string", "city": "string", "price": "f64", "count": "i64"}
SOME = ["price", "count"]


def read(path: str, columns: dict[str, str] | None) -> None:
    pyarrow.RecordBatchReader.from_stream(rh.table(path, columns=columns)).read_all()


def read_by_pyarrow(path: str, columns: list[str]) -> None:
    pyarrow.csv.read_csv(
        path,
        read_options=pyarrow.csv.ReadOptions(use_threads=False),
        convert_options=pyarrow.csv.ConvertOptions(include_columns=columns),
    )


IDIOMS: dict[str, Callable[[str], object]] = {
    "rh.table, types given": lambda path: read(path, TYPES),
    "rh.table, types inferred": lambda path: read(path, None),
    "pyarrow": lambda path: read_by_pyarrow(path, []),
    "polars": lambda path: polars.read_csv(path),
    "rh.table, two columns": lambda path: read(path, {name: TYPES[name] for name in SOME}),
    "pyarrow, two columns": lambda path: read_by_pyarrow(path, SOME),
    "polars, two columns": lambda path: polars.read_csv(path, columns=SOME),
}


def write(path: Path, rows: int) -> None:
    rng = random.Random(7)
    words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath"]
    with path.open("w") as file:
        file.write(",".join(TYPES) + "\n")
        for number in range(rows):
            item, city = rng.choice(words), f"{rng.choice(words)} {rng.choice(words)}"
            price, count = rng.random() * 100, rng.randrange(1000)
            file.write(f"{number},{item},{city},{price:.2f},{count}\n")


def counting(state: str) -> None:
    """What is imported is not counted, and sooner done."""
    control = ["callgrind_control", "-i", state, str(os.getpid())]
    subprocess.run(control, capture_output=True, check=True)


def instructions(name: str, path: str) -> int:
    run = [sys.executable, __file__, "--run", name, path]
    valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no"]
    valgrind.append("--callgrind-out-file=/dev/null")
    one_thread = {**os.environ, "POLARS_MAX_THREADS": "1"}
    done = subprocess.run(
        [*valgrind, *run], capture_output=True, text=True, check=True, env=one_thread
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found, done.stderr
    return int(found[1])


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        counting("on")
        IDIOMS[sys.argv[2]](sys.argv[3])
        counting("off")
        return
    rows = int(sys.argv[1]) if sys.argv[1:] else 70_000
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "orders.csv"
        write(path, rows)
        for name in IDIOMS:
            print(f"{instructions(name, str(path)) / rows:6.0f}  {name}")


if __name__ == "__main__":
    main()
