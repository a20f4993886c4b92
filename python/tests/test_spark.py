"""Programs on a Spark cluster give the bytes of one run; needs Java and pyspark, see `python/test --cluster`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh

pyspark = pytest.importorskip("pyspark", reason="left out: pyspark is not installed")

import riverhawk.spark as rhspark  # noqa: E402

PROGRAMS = [
    "{ print NR, FNR, $1 }",
    "{ n[$1] += $2 } END { for (k in n) print k, n[k] }",
    "$2 > max { max = $2; line = $0 } END { print max, line, NR, $0 }",
    "/tea 3/, /milk/ { print }",
    "{ all[$1] = all[$1] $2 } END { for (k in all) print k, length(all[k]) }",
    "$2 == 99999 { exit 3 } END { print NR }",
]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession  # type: ignore[import-not-found, unused-ignore]

    master = os.environ.get("RIVERHAWK_SPARK_MASTER", "local[2]")
    session = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    directory = tmp_path_factory.mktemp("logs")
    words = ["tea", "milk", "sugar", "x"]
    paths = []
    for file in range(2):
        path = directory / f"log{file}"
        path.write_text(
            "".join(f"{words[n * 7 % 4]} {n + file * 60000}\n" for n in range(60000))
        )
        paths.append(path)
    return paths


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_bytes_are_those_of_one_run(
    spark: Any, logs: list[Path], tmp_path: Path, program: str
) -> None:
    expected = rh.awk(program, *logs)
    found = rhspark.run(spark, program, logs, piece_size=30_000)
    assert (found.stdout, found.status) == (expected.stdout, expected.status)
    assert found.variables == expected.variables
    rhspark.run(spark, program, logs, piece_size="100KB", output=tmp_path / "out")
    parts = sorted((tmp_path / "out").glob("part-*"))
    assert b"".join(part.read_bytes() for part in parts) == expected.stdout


def test_what_cannot_run_in_pieces_is_refused(
    spark: Any, logs: list[Path], tmp_path: Path
) -> None:
    program = "{ print last; last = $1 }"
    with pytest.raises(rh.RuntimeError, match="its value comes from other records"):
        rhspark.run(spark, program, logs, output=tmp_path / "out")
    assert not list(tmp_path.iterdir()), "no half output"
    found = rhspark.run(spark, program, logs, serial="driver")
    assert found.stdout == rh.awk(program, *logs).stdout
    with pytest.raises(rh.RuntimeError, match="fractions in s"):
        rhspark.run(spark, "{ s += $2 / 4 } END { print s }", logs, piece_size=30_000)


def test_another_version_on_an_executor_is_an_error_with_both() -> None:
    task = rhspark._Task("0.0.1", "1", "program", b"", None)
    with pytest.raises(RuntimeError, match=f"0.0.1, and this executor {rh.__version__}"):
        task._worker()


def test_a_file_that_changes_is_an_error(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("tea 1\n" * 60000)

    class Changing(rhspark._Spark):
        def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
            path.write_text("milk 1\n" * 60000)
            return super().run(start, pieces)

    program = "{ n++ } END { print n }"
    cluster = Changing(spark, program, "program", None, None)
    with pytest.raises(Exception, match="has changed during the run"):
        rh.compile(program).run(files=[path], piece_size=30_000, cluster=cluster)
