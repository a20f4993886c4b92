"""Programs of the language corpus, and generated ones, in small pieces on Spark: the bytes of one run.

All of them: RIVERHAWK_SPARK_PROGRAMS=all
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh

if os.environ.get("RIVERHAWK_SPARK_MASTER", "").partition("[")[0] != "local":
    pytest.skip("left out: for python/test --cluster, in one process", allow_module_level=True)
pytest.importorskip("pyspark", reason="left out: pyspark is not installed")

from test_corpus import rows  # noqa: E402

import riverhawk.spark as rhspark  # noqa: E402

ALL = os.environ.get("RIVERHAWK_SPARK_PROGRAMS") == "all"
SAMPLE = 20

SETTINGS: dict[str, Any] = {
    "permissions": rh.Permissions(everything=True),
    "env": {"LC_ALL": "en_US.UTF-8", "PATH": "/usr/bin:/bin"},
}


def can_run_in_pieces(program: str) -> bool:
    said = rhspark.explain(program.encode()).splitlines()
    return bool(said) and said[-1].startswith("the program can run in pieces")


def chosen(programs: list[Any], count: int) -> list[Any]:
    return programs if ALL else random.Random(1).sample(programs, min(count, len(programs)))


def in_pieces(spark: Any, program: bytes, path: Path, piece_size: int) -> tuple[bytes, int] | None:
    """What a run prints and its status; `None` if it is refused."""
    try:
        result = rhspark.run(spark, program, [path], piece_size=piece_size, **SETTINGS)
    except rh.RuntimeError as error:
        if str(error).startswith("not in pieces: "):
            return None
        raise
    return result.stdout, result.status


def test_programs_of_the_corpus(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidates = [row for row in rows() if row[2] and can_run_in_pieces(row[1])]
    assert len(candidates) > 300
    count, refused, wrong = 0, 0, []
    for name, program, given, _ in chosen(candidates, SAMPLE):
        directory = tmp_path / name.replace("/", ".")
        directory.mkdir()
        monkeypatch.chdir(directory)
        path = directory / "input"
        path.write_bytes(given)
        expected = rh.compile(program.encode()).run(files=[path], **SETTINGS)
        found = in_pieces(spark, program.encode(), path, 1)
        count += 1
        if found is None:
            refused += 1
        elif found != (expected.stdout, expected.status):
            wrong.append((name, program, found, expected.stdout))
    print(f"\n{count} programs of {len(candidates)}, {refused} refused")
    assert not wrong, wrong[:10]
    assert refused < count / 2


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
    path = tmp_path / "input"
    count, refused, wrong = 0, 0, []
    for program, text, piece_size in generated(300 if ALL else SAMPLE):
        path.write_bytes(text)
        expected = rh.compile(program).run(files=[path], **SETTINGS)
        found = in_pieces(spark, program.encode(), path, piece_size)
        count += 1
        if found is None:
            refused += 1
        elif found != (expected.stdout, expected.status):
            wrong.append((program, piece_size, len(text), found, expected.stdout))
    print(f"\n{count} programs, {refused} refused")
    assert not wrong, wrong[:5]
    assert refused < count / 2
