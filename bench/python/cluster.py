"""What a run on Spark costs: tables for docs/cluster.md, in Markdown.

python bench/python/cluster.py [--part jobs|parcels|scale|plain] [--size 1GB] [--copies 10] [--rhawk PATH]

`scale` reads `copies` names of one file in memory (/dev/shm), so that no disk is measured, on two executors with a
core each, and beside it `rhawk -j 2`. CPU time is that of the executors and of what they start. `plain` is the same
answer from PySpark alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import riverhawk as rh
import riverhawk.spark as rhspark
from riverhawk.spark._paths import bytes_of

COUNT = "{ n[$1] += $5 } END { for (k in n) print k, n[k] }"
TICK = os.sysconf("SC_CLK_TCK")


def session(master: str) -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1")
    spark = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def executors_cpu() -> float:
    """Seconds of CPU of all executors and of their processes, also of those that have ended."""
    parents, times, roots = {}, {}, set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(") ")[2].split()
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        pid = int(entry.name)
        parents[pid] = int(fields[1])
        times[pid] = sum(map(int, fields[11:15])) / TICK
        if b"CoarseGrainedExecutorBackend" in command:
            roots.add(pid)

    def ancestors(pid: int) -> set[int]:
        found = set()
        while pid in parents:
            found.add(pid)
            pid = parents[pid]
        return found

    # Not those of others on this machine.
    families = {pid: ancestors(pid) for pid in times}
    mine = {pid for pid, family in families.items() if os.getpid() in family}
    return sum(times[pid] for pid in mine if families[pid] & roots)


def least(run: Callable[[], Any], turns: int) -> float:
    best = float("inf")
    for _ in range(turns):
        begun = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begun)
    return best


def jobs(directory: Path) -> None:
    """The fixed cost of a job and of a piece, with pieces of next to nothing."""
    spark = session("local[2]")
    path = directory / "small"
    path.write_text("tea 1\n" * 400_000)
    size = path.stat().st_size
    times = {}
    rhspark.run(spark, "{ n++ } END { print n }", [path], piece_size=size // 4)
    for pieces in (2, 16, 1000, 4000):
        for name, program in (
            ("n", "{ n++ } END { print n }"),
            ("NR", "NR % 1000 == 0 { print NR }"),
        ):
            run = lambda: rhspark.run(spark, program, [path], piece_size=size // pieces)  # noqa: B023, E731
            times[pieces, name] = least(run, 3)
    print("| pieces | `{ n++ }` s | with NR, two jobs s |\n|---|---|---|")
    for pieces in (2, 16, 1000, 4000):
        print(f"| {pieces} | {times[pieces, 'n']:.2f} | {times[pieces, 'NR']:.2f} |")
    each = (times[4000, "n"] - times[1000, "n"]) / 3000
    print(f"\nEach piece: {each * 1e3:.2f} ms")
    spark.stop()


class Measured:
    """Runs pieces here, and notes what parcels weigh and cost."""

    runs_rest = False

    def __init__(self, program: Any) -> None:
        self.program = program
        self.sizes: list[int] = []
        self.joined, self.join_seconds, self.run_seconds = 0, 0.0, 0.0

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        raise NotImplementedError

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        worker = self.program.piece_worker(start)
        begun = time.process_time()
        parcels = [worker.run(piece) for piece in pieces]
        between = time.process_time()
        self.sizes = [len(parcel) for parcel in parcels]
        joined = worker.join(parcels)
        self.join_seconds = (time.process_time() - between) / max(1, len(parcels) - 1)
        self.run_seconds = between - begun
        self.joined = len(joined)
        return [joined]


def parcels(directory: Path) -> None:
    """Parcels of counts by key: each piece has all keys."""
    print(
        "| keys | parcel bytes | bytes per key | join of two ms | driver after that ms |\n|---|---|---|---|---|"
    )
    for power in (3, 4, 5, 6, 7):
        keys = 10**power
        path = directory / "keys"
        with path.open("w") as file:
            for _ in range(2 if power > 5 else 4):
                file.writelines(f"host{key:07} 1\n" for key in range(keys))
        program = rh.compile("{ n[$1]++ } END { print length(n) }")
        cluster = Measured(program)
        begun = time.process_time()
        size = path.stat().st_size // (2 if power > 5 else 4)
        result = program.run(files=[path], cluster=cluster, piece_size=size)
        assert result.text == f"{keys}\n"
        rest = time.process_time() - begun - cluster.run_seconds
        rest -= cluster.join_seconds * max(1, len(cluster.sizes) - 1)
        print(
            f"| 10^{power} | {cluster.joined:,} | {cluster.joined / keys:.1f} "
            f"| {cluster.join_seconds * 1e3:.1f} | {rest * 1e3:.0f} |",
            flush=True,
        )
        path.unlink()


def log(directory: Path, size: int) -> Path:
    """A log of so many bytes, 10,000 hosts."""
    path = directory / "log"
    block = "".join(
        f"host{n * 7919 % 10007} GET /item/{n % 977}?page={n % 13} {200 + n % 5} {n % 5003}\n"
        for n in range(250_000)
    ).encode()
    with path.open("wb") as file:
        for _ in range(max(1, size // len(block))):
            file.write(block)
    return path


def copies(path: Path, count: int) -> list[Path]:
    names = [path.with_name(f"log{at}") for at in range(count)]
    for name in names:
        if not name.exists():
            os.link(path, name)
    return names


def scale(directory: Path, size: int, count: int, rhawk: str) -> None:
    files = copies(log(directory, size), count)
    total = sum(file.stat().st_size for file in files)
    begun, before = time.perf_counter(), os.times()
    expected = subprocess.run(
        [rhawk, "-j", "2", COUNT, *files], capture_output=True, check=True
    ).stdout
    wall, after = time.perf_counter() - begun, os.times()
    alone = (
        after.children_user
        + after.children_system
        - before.children_user
        - before.children_system
    )
    spark = session("local-cluster[2,1,1024]")
    small = directory / "small"
    small.write_text("tea and milk and sugar 1\n" * 40_000)
    fixed = least(lambda: rhspark.run(spark, COUNT, small, piece_size="100KB"), 3)
    cpu, begun = executors_cpu(), time.perf_counter()
    found = rhspark.run(spark, COUNT, files)
    there, cpu = time.perf_counter() - begun, executors_cpu() - cpu
    spark.stop()
    assert found.stdout == expected
    print(f"{total / 1e9:.1f} GB | seconds | CPU seconds\n---|---|---")
    print(
        f"`rhawk -j 2` | {wall:.1f} | {alone:.1f}\nSpark, 2 executors | {there:.1f} | {cpu:.1f}\n"
        f"of which a job costs | {fixed:.1f} |\n\n"
        f"Beyond that, {wall / (there - fixed):.2f} of the speed of `rhawk -j 2`",
        flush=True,
    )


def plain(directory: Path, size: int) -> None:
    """Executors' CPU for the same answer."""
    from pyspark.sql import functions as F

    path = log(directory, size)
    spark = session("local-cluster[2,1,1024]")

    def by_frame() -> dict[str, int]:
        text = spark.read.text(str(path))
        words = F.split(text.value, " ")
        lines = text.select(words[0].alias("k"), words[4].cast("long").alias("v"))
        return {
            row.k: row.s
            for row in lines.groupBy("k").agg(F.sum("v").alias("s")).collect()
        }

    def by_program() -> dict[str, int]:
        return rhspark.run(spark, COUNT, [path]).variables["n"]

    assert by_frame() == by_program()
    print("| | CPU seconds of executors |\n|---|---|")
    for name, run in (
        ("`rh.spark.run`", by_program),
        ("`spark.read.text`, `split`, `groupBy`", by_frame),
    ):
        best = float("inf")
        for _ in range(3):
            cpu = executors_cpu()
            run()
            best = min(best, executors_cpu() - cpu)
        print(f"| {name} | {best:.1f} |", flush=True)
    spark.stop()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=["jobs", "parcels", "scale", "plain"])
    parser.add_argument("--size", default="1GB")
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument(
        "--rhawk", default=shutil.which("rhawk") or "target/release/rhawk"
    )
    given = parser.parse_args()
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    size = bytes_of(given.size)
    parts: dict[str, Callable[[Path], None]] = {
        "jobs": jobs,
        "parcels": parcels,
        "scale": lambda directory: scale(directory, size, given.copies, given.rhawk),
        "plain": lambda directory: plain(directory, size),
    }
    for name, part in parts.items():
        if given.part in (None, name):
            with tempfile.TemporaryDirectory(dir=memory) as directory:
                print(f"\n## {name}\n", flush=True)
                part(Path(directory))


if __name__ == "__main__":
    main()
