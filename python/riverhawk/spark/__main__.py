"""`python -m riverhawk.spark -f prog.awk --master local[2] paths`; `spark-submit` takes this file as a script."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from riverhawk import RuntimeError as RunError
from riverhawk.spark import explain, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m riverhawk.spark")
    parser.add_argument("-f", metavar="FILE", help="the program, otherwise the first operand")
    parser.add_argument("-v", metavar="NAME=VALUE", action="append", default=[], dest="vars")
    parser.add_argument("--master", help="as for spark-submit")
    parser.add_argument("--output", help="a new directory for what is printed")
    parser.add_argument("--piece-size", default="64MB")
    parser.add_argument(
        "--driver-limit", default="1GB", help="the most that the driver holds for END"
    )
    parser.add_argument("--relaxed-sums", action="store_true")
    parser.add_argument("--serial", choices=["driver"], help="the driver runs what cannot be cut")
    parser.add_argument("--explain", action="store_true", help="say what can run in pieces")
    parser.add_argument("operands", nargs="*")
    given = parser.parse_args()
    paths = given.operands
    if given.f is not None:
        text, name = Path(given.f).read_bytes(), given.f
    elif paths:
        text, name, paths = paths[0].encode(), "cmd. line", paths[1:]
    else:
        parser.error("a program is needed")
    if given.explain:
        print(explain(text), end="")
        return 0
    from pyspark.sql import SparkSession  # type: ignore[import-not-found, unused-ignore]

    builder = SparkSession.builder.appName("riverhawk")
    if given.master is not None:
        builder = builder.master(given.master)
    spark = builder.getOrCreate()
    try:
        result = run(
            spark,
            text,
            paths,
            vars=dict(assignment.split("=", 1) for assignment in given.vars),
            output=given.output,
            relaxed_sums=given.relaxed_sums,
            piece_size=given.piece_size,
            driver_limit=given.driver_limit,
            serial=given.serial,
            keep_variables=False,
            name=name,
        )
    except RunError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        spark.stop()
    sys.stdout.buffer.write(result.stdout)
    sys.stderr.buffer.write(result.stderr)
    return result.status


if __name__ == "__main__":
    sys.exit(main())
