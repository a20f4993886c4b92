"""Programs of the language corpus, and generated ones, in small pieces on Spark: the bytes of one run.

All of their pieces are run by one job.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import riverhawk as rh

if "RIVERHAWK_SPARK_MASTER" not in os.environ:
    pytest.skip("left out: for python/test --cluster", allow_module_level=True)
pytest.importorskip("pyspark", reason="left out: pyspark is not installed")

from test_corpus import rows  # noqa: E402

from pyspark import cloudpickle  # noqa: E402

import riverhawk.spark as rhspark  # noqa: E402
from riverhawk.spark._task import Task  # noqa: E402

# Executors do not have this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call, unused-ignore]

SETTINGS: dict[str, Any] = {
    "permissions": rh.Permissions(everything=True),
    "env": {"LC_ALL": "en_US.UTF-8", "PATH": "/usr/bin:/bin"},
}


def can_run_in_pieces(program: str) -> bool:
    said = rhspark.explain(program.encode()).splitlines()
    return bool(said) and said[-1].startswith("on a cluster: ")


class Case(NamedTuple):
    program: bytes
    path: Path
    piece_size: int


# A program, a start and pieces.
Work = tuple[bytes, bytes, tuple[bytes, ...]]


class Elsewhere:
    """Gives what other machines have made of pieces, and notes what they have not been asked for yet."""

    runs_rest = True

    def __init__(self, program: bytes, results: dict[Work, bytes]) -> None:
        self.program, self.results = program, results
        self.missing: Work | None = None

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        worker = rh.compile(self.program).piece_worker(start)
        return [worker.count(piece) for piece in pieces]

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        work = (self.program, start, tuple(pieces))
        if work not in self.results:
            self.missing = work
            raise NotYet
        return [self.results[work]]

    def insert(self, name: bytes) -> None:
        raise NotImplementedError


class NotYet(Exception):
    pass


def joined(work: Work) -> bytes:
    program, start, pieces = work
    task = Task(rh.__version__, program, "program", start, None)
    return dict(task.run(0, pieces))[0]


def in_pieces(spark: Any, cases: list[Case]) -> tuple[list[tuple[bytes, int]], int]:
    """What runs print and their status, and how many pieces executors have run."""
    results: dict[Work, bytes] = {}
    # Pieces whose guess of the open ranges was wrong run in later rounds.
    for _ in range(10):
        found, missing = [], []
        for case in cases:
            elsewhere = Elsewhere(case.program, results)
            try:
                result = rh.compile(case.program).run(
                    files=[case.path], cluster=elsewhere, piece_size=case.piece_size, **SETTINGS
                )
                found.append((result.stdout, result.status))
            except NotYet:
                assert elsewhere.missing is not None
                missing.append(elsewhere.missing)
        if not missing:
            return found, sum(len(pieces) for _, _, pieces in results)
        made = spark.sparkContext.parallelize(missing, 4).map(joined).collect()
        results.update(zip(missing, made, strict=True))
    raise AssertionError("rounds without an end")


def check(spark: Any, cases: list[Case]) -> int:
    expected = []
    for case in cases:
        result = rh.compile(case.program).run(files=[case.path], **SETTINGS)
        expected.append((result.stdout, result.status))
    found, pieces = in_pieces(spark, cases)
    pairs = zip(cases, found, expected, strict=True)
    wrong = [(case, there, here) for case, there, here in pairs if there != here]
    assert not wrong, wrong[:5]
    return pieces


def test_programs_of_the_corpus(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cases = []
    for number, (_, program, given, _) in enumerate(rows()):
        if given and can_run_in_pieces(program):
            path = tmp_path / f"input{number}"
            # More records than the first and the last, which the driver runs.
            path.write_bytes(given * 4)
            cases.append(Case(program.encode(), path, 1))
    assert len(cases) > 300
    assert check(spark, cases) > 600


PATTERNS = [
    "",
    "$2 % 3 == 0",
    "/a.*e/",
    "NR % 5 == 1",
    "FNR < 9",
    "/tea 1/, /milk/",
    "$1 > $3",
    "!/x/",
]
ACTIONS = [
    "n++",
    "s += $2",
    "c[$1]++",
    "t[$1, $2 % 7] += $2",
    "if ($2 > max) max = $2",
    "last[$1] = $0",
    "print NR, $0",
    'printf "%s:%d ", $1, NF',
    'gsub(/[aeiou]/, "<&>"); print',
    "$2 = $2 * 2; print",
    "print length($0), toupper($3)",
    "w = w substr($1, 1, 1)",
    "if ($2 == 3) next; n += 2",
]
ENDS = [
    "print n, s, max, NR, $0",
    "for (k in c) print k, c[k]",
    "for (k in t) print k, t[k]",
    "for (k in last) print k, last[k]; print length(w), w",
]


def generated(count: int) -> Iterator[tuple[str, bytes, int]]:
    """Programs, inputs and sizes of pieces."""
    chance = random.Random(2)
    words = ["tea", "milk", "ale", "x", "séa", "water"]
    while count:
        rules = [
            f"{chance.choice(PATTERNS)} {{ {chance.choice(ACTIONS)} }}"
            for _ in range(chance.randint(1, 3))
        ]
        program = " ".join([*rules, f"END {{ {chance.choice(ENDS)} }}"])
        if can_run_in_pieces(program):
            lines = (
                f"{chance.choice(words)} {chance.randint(0, 99)} {chance.choice(words)}"
                for _ in range(chance.choice([1, 7, 300, 5000]))
            )
            text = "\n".join(lines) + chance.choice(["", "\n"])
            least = max(1, len(text) // 100)
            count -= 1
            yield program, text.encode(), chance.choice([least, least * 7, 1 << 20])


def test_generated_programs(spark: Any, tmp_path: Path) -> None:
    cases = []
    for number, (program, text, piece_size) in enumerate(generated(200)):
        path = tmp_path / f"input{number}"
        path.write_bytes(text)
        cases.append(Case(program.encode(), path, piece_size))
    assert check(spark, cases) > 3000
