"""Programs on a Spark cluster give the bytes of one run; needs Java and pyspark, see `python/test --cluster`."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh

if "RIVERHAWK_SPARK_MASTER" not in os.environ:
    # Java's machine in this process would take SIGINT from the tests that follow.
    pytest.skip("left out: for python/test --cluster", allow_module_level=True)
pyspark = pytest.importorskip("pyspark", reason="left out: pyspark is not installed")

import riverhawk.spark as rhspark  # noqa: E402
from riverhawk.spark import _run as spark_run  # noqa: E402

PROGRAMS = [
    "{ print NR, FNR, $1 }",
    "{ n[$1] += $2 } END { for (k in n) print k, n[k] }",
    "$2 > max { max = $2; line = $0 } END { print max, line, NR, $0 }",
    "/tea 3/, /milk/ { print }",
    "{ all[$1] = all[$1] $2 } END { for (k in all) print k, length(all[k]) }",
    "$2 == 99999 { exit 3 } END { print NR }",
]


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


@pytest.mark.parametrize("relaxed", [False, True])
def test_large_arrays_are_joined_by_their_keys(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relaxed: bool
) -> None:
    monkeypatch.setattr(spark_run, "_SMALL", 0)
    path = tmp_path / "log"
    path.write_text("".join(f"key{n * 7919 % 5003} {n} {n % 300}\n" for n in range(40_000)))
    program = """{ sum[$1] += $2; count[$3]++; if ($2 > most[$3]) most[$3] = $2; n++; last = $1 }
        !($1 in first) { first[$1] = NR } /9$/ { all[$3] = all[$3] $1 }
        END { for (k in sum) print k, sum[k], first[k]; for (k in count) print k, count[k], most[k], all[k] }"""
    expected = rh.awk(program, path, relaxed_sums=relaxed)
    found = rhspark.run(spark, program, path, piece_size=30_000, relaxed_sums=relaxed)
    assert found.stdout == expected.stdout
    assert found.variables == expected.variables


def test_what_cannot_run_in_pieces_is_refused(spark: Any, logs: list[Path], tmp_path: Path) -> None:
    program = "{ print last; last = $1 }"
    with pytest.raises(
        rh.RuntimeError,
        match="^not in pieces: .*its value comes from other records.*serial='driver'",
    ):
        rhspark.run(spark, program, logs, output=tmp_path / "out")
    assert not list(tmp_path.iterdir()), "no half output"
    found = rhspark.run(spark, program, logs, serial="driver")
    assert found.stdout == rh.awk(program, *logs).stdout
    with pytest.raises(rh.RuntimeError, match="fractions in s"):
        rhspark.run(spark, "{ s += $2 / 4 } END { print s }", logs, piece_size=30_000)


def frame(spark: Any, program: str, columns: str, paths: list[Any], **options: str) -> Any:
    spark.dataSource.register(rhspark.ProgramSource)
    reader = spark.read.format("riverhawk").option("program", program).option("columns", columns)
    return reader.options(piece_size="30000", **options).load([str(path) for path in paths])


@pytest.mark.parametrize(
    ("program", "options"),
    [
        ("$2 % 3 == 0 { print $1, $2, $2 / 4 }", {}),
        ("NR % 7 == 0 { print $1, NR, FNR / 2 }", {}),
        ('BEGIN { print "first", 1, 0.5 } { print $1, $2, 1 } END { print "last", 2, 0.25 }', {}),
        ('{ printf "{\\"word\\": \\"%s\\", \\"n\\": %d}\\n", $1, $2 }', {"format": "jsonl"}),
    ],
)
def test_what_is_printed_is_a_frame(
    spark: Any, logs: list[Path], program: str, options: dict[str, str]
) -> None:
    found = frame(spark, program, "word string, n int, part double", logs, **options)
    expected = [
        (row["word"], row["n"], row["part"])
        for row in rh.compile(program).table(
            files=logs,
            columns={"word": "string", "n": "i64", "part": "f64"},
            format=options.get("format", "tsv"),  # type: ignore[arg-type]
        )
    ]
    assert found.rdd.getNumPartitions() > 10
    assert [tuple(row) for row in found.collect()] == expected


def test_a_frame_needs_independent_records(spark: Any, logs: list[Path]) -> None:
    with pytest.raises(Exception, match="depends on others"):
        frame(spark, "{ n[$1]++ } END { for (k in n) print k }", "k string", logs).collect()
    with pytest.raises(Exception, match="depends on others"):
        frame(spark, "/tea 3/, /milk/ { print }", "k string", logs).collect()
    with pytest.raises(Exception, match="its value comes from other records"):
        frame(spark, "{ print last; last = $1 }", "k string", logs).collect()
    with pytest.raises(Exception, match="no such option: colums"):
        frame(spark, "{ print }", "k string", logs, colums="k string").collect()
    with pytest.raises(Exception, match="division by zero"):
        frame(spark, "{ print 1 / ($2 - 70000) }", "k double", logs).collect()


def test_a_program_over_the_columns_of_a_frame(spark: Any) -> None:
    rows = [("tea", 3, "a,b"), ("milk", None, 'with "quotes"'), ("sugar", 5, "two\nlines")]
    given = spark.createDataFrame(rows, "word string, n int, note string").repartition(1)
    program = """{ print toupper($1), @"n" * 2, length(@"note") } END { print NR, NF, FNR }"""
    columns = {"word": "string", "twice": "i64", "length": "i64"}
    found = given.mapInArrow(rhspark.udf(program, columns), "word string, twice long, length long")
    assert sorted(map(tuple, found.collect())) == sorted(
        [("TEA", 6, 3), ("MILK", 0, 13), ("SUGAR", 10, 9), ("3", 3, 3)]
    )
    with pytest.raises(rh.SyntaxError):
        rhspark.udf("{ print ", columns)


def test_patterns_urls_and_compressed_files(spark: Any, logs: list[Path], tmp_path: Path) -> None:
    program = "{ n[$1]++ } END { for (k in n) print k, n[k], NR }"
    expected = rh.awk(program, *logs).stdout
    directory = logs[0].parent
    for paths in [str(directory / "log*"), [f"file://{logs[0]}", f"file:{logs[1]}"]]:
        assert rhspark.run(spark, program, paths, piece_size=300_000).stdout == expected
    with pytest.raises(FileNotFoundError, match=r"no file matches .*none\*"):
        rhspark.run(spark, program, directory / "none*")


def test_files_with_a_scheme(spark: Any, logs: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="left out: fsspec is not installed")
    program = "/tea/ { print NR, $2 } { n[$1]++ } END { for (k in n) print k, n[k], NR, $0 }"
    expected = rh.awk(program, *logs)
    # The same files by fsspec, which has this name for those of the system.
    url = f"local://{logs[0].parent}/log"
    for paths in [f"{url}*", [f"{url}0", str(logs[1])]]:
        found = rhspark.run(spark, program, paths, piece_size=200_000)
        assert (found.stdout, found.variables["n"]) == (expected.stdout, expected.variables["n"])
    with pytest.raises(FileNotFoundError, match=r"no file matches local://.*none\*"):
        rhspark.run(spark, program, f"local://{tmp_path}/none*")
    with pytest.raises(FileNotFoundError, match="none"):
        rhspark.run(spark, program, f"local://{tmp_path}/none", serial="driver")
    rows = frame(spark, "{ print $1, NR }", "word string, n int", [f"{url}1"]).collect()
    assert [row.n for row in rows] == list(range(1, 60001))


def test_an_object_store(spark: Any, logs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    s3fs = pytest.importorskip("s3fs", reason="left out: s3fs is not installed")
    server = pytest.importorskip("moto.server", reason="left out: moto[server] is not installed")
    store = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    store.start()
    try:
        host, port = store.get_host_and_port()
        options = {
            "key": "key",
            "secret": "secret",
            "client_kwargs": {"endpoint_url": f"http://{host}:{port}"},
        }
        files = s3fs.S3FileSystem(**options)
        files.mkdir("logs")
        for log in logs:
            files.pipe_file(f"logs/{log.name}", log.read_bytes())
        program = "{ n[$1] += $2; print NR, $1 } END { for (k in n) print k, n[k] }"
        run: dict[str, Any] = {"piece_size": 300_000, "storage_options": options}
        result = rhspark.run(spark, program, "s3://logs/log*", output="s3://logs/out/today", **run)
        expected = rh.awk(program, *logs)
        assert (result.status, result.variables["n"]) == (0, expected.variables["n"])
        files.invalidate_cache()
        parts = sorted(files.glob("logs/out/today/part-*"))
        assert len(parts) > 4
        assert b"".join(map(files.cat_file, parts)) == expected.stdout
        assert files.exists("logs/out/today/_SUCCESS")
        with pytest.raises(FileExistsError, match="s3://logs/out/today exists$"):
            rhspark.run(spark, program, "s3://logs/log*", output="s3://logs/out/today", **run)
        with pytest.raises(rh.RuntimeError, match="division by zero"):
            rhspark.run(
                spark, "{ print } $2 == 90000 { print 1 / 0 }", "s3://logs/log*",
                output="s3://logs/out/other", **run,
            )  # fmt: skip
        files.invalidate_cache()
        assert files.ls("logs/out") == ["logs/out/today"], "no half output"
    finally:
        store.stop()


def test_compressed_files_are_run_by_executors(
    spark: Any, logs: list[Path], tmp_path: Path
) -> None:
    packed = [tmp_path / "log0.gz", tmp_path / "log1.gz"]
    for path, log in zip(packed, logs, strict=True):
        path.write_bytes(gzip.compress(log.read_bytes()))
    for program in [
        "{ n[$1]++ } END { for (k in n) print k, n[k], NR }",
        "NR % 1000 == 1",
        "END { print }",
    ]:
        expected = rh.awk(program, *logs).stdout
        inputs: list[Any] = [packed, [packed[0], logs[1]], f"local://{tmp_path}/log?.gz"]
        for paths in inputs:
            found = rhspark.run(spark, program, paths, piece_size=50_000, keep_variables=False)
            assert found.stdout == expected


def test_rows_with_quotes(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    rows = (f'"w,{n % 7}","two\nlines ""{n}""",{n}\n' for n in range(20_000))
    path.write_text("word,note,n\n" + "".join(rows))
    program = '{ sum[$1] += @"n"; size += length(@"note") } END { for (k in sum) print k, sum[k], size, NR }'
    options: dict[str, Any] = {"input_format": "csv", "header": True}
    expected = rh.awk(program, path, **options)
    found = rhspark.run(spark, program, path, piece_size=50_000, **options)
    assert (found.stdout, found.stderr) == (expected.stdout, expected.stderr)
