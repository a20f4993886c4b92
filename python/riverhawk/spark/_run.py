"""Programs over files on all machines."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .. import __version__
from .._engine import Result, compile
from .._errors import RuntimeError as RunError
from ._failure import explained
from ._outputs import Parts, staged
from ._paths import absolute, bytes_of, named
from ._stores import Stores
from ._task import Task, too_much

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Parcels that one task joins.
_AT_ONCE = 8


def explain(program: str | bytes) -> str:
    """Which rules can run in pieces, how variables are joined, and what prevents it."""
    return compile(program).explain()


def run(
    spark: Any,
    program: str | bytes,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    vars: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] | None = None,
    relaxed_sums: bool = False,
    piece_size: int | str = "64MB",
    driver_limit: int | str = "1GB",
    serial: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    name: str = "program",
    **options: Any,
) -> Result:
    """Run a program over files, and return its result, or write what it prints to `output`.

    `paths` are files, or patterns as `/logs/2026-*/*.log`, whose files are read in the order of their names.
    With a scheme, as `s3://bucket/log-*`, fsspec or pyarrow opens them, with `storage_options` for fsspec.
    `output` is a new directory with `part-00000` and so on, whose concatenation is what one machine would
    print. It appears when the run has succeeded; in object stores `_SUCCESS` is its last file. `serial='driver'` lets the driver run what cannot run in
    pieces; otherwise that raises `riverhawk.RuntimeError` with the reason. What comes of the pieces is an
    error if it has more than `driver_limit` bytes, since the driver has to hold it for `END`. Other options
    are those of `Program.run`.
    """
    if serial not in (None, "driver"):
        raise ValueError(f"serial is None or 'driver', not {serial!r}")
    stores = Stores(storage_options)
    files = named(paths, stores)
    given = {
        **options,
        "files": files,
        "vars": vars,
        "relaxed_sums": relaxed_sums,
        "piece_size": bytes_of(piece_size),
        "operand_files": stores,
    }
    limit = bytes_of(driver_limit)
    compiled = compile(program, name=name)
    if output is None:
        with _refused():
            cluster = Spark(spark, program, name, serial, None, limit, stores)
            return compiled.run(**given, cluster=cluster)
    parts = Parts(staged(absolute(output), stores))
    try:
        cluster = Spark(spark, program, name, serial, parts, limit, stores)
        with _refused():
            result = compiled.run(**given, cluster=cluster, stdout=parts)
        parts.publish()
    except BaseException:
        parts.discard()
        raise
    return result


_ON_ONE_THREAD = re.compile("-j: (?:ran|continued) on one thread: ")


@contextmanager
def _refused() -> Iterator[None]:
    """What `-j` runs on one thread is an error here, with the same reason."""
    try:
        yield
    except RunError as error:
        message = str(error)
        if found := _ON_ONE_THREAD.match(message):
            reason = message[found.end() :]
            error.args = (f"not in pieces: {reason}; serial='driver' has the driver run it",)
        raise


class Spark:
    """What brings pieces to executors."""

    def __init__(
        self,
        spark: Any,
        program: str | bytes,
        name: str,
        serial: str | None,
        parts: Parts | None,
        limit: int,
        stores: Stores,
    ) -> None:
        self.context = spark.sparkContext
        self.text, self.name, self.parts, self.limit = program, name, parts, limit
        self.runs_rest = serial == "driver"
        self.stores = stores

    def _task(self, start: bytes) -> Task:
        stage = None if self.parts is None else self.parts.stage
        return Task(__version__, self.text, self.name, start, stage, self.limit, self.stores)

    def _spread(self, pieces: list[bytes]) -> Any:
        """Several pieces for each task, so that tasks stay few and parcels are joined where they are."""
        slots = max(1, self.context.defaultParallelism)
        return self.context.parallelize(pieces, min(len(pieces), slots * 8))

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        task = self._task(start)
        with explained():
            return list(self._spread(pieces).mapPartitions(task.count).collect())

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        task = self._task(start)
        spread = self._spread(pieces)
        count = spread.getNumPartitions()
        parcels = spread.mapPartitionsWithIndex(task.run)
        # Neighbours are joined in executors until the driver gets few.
        while count > _AT_ONCE:
            grouped = parcels.map(_by_group).groupByKey(max(1, count // _AT_ONCE))
            parcels = grouped.map(task.join)
            count = -(-count // _AT_ONCE)
        with explained():
            joined = sorted(parcels.map(task.check).collect())
        size = sum(len(parcel) for _, parcel in joined)
        if size > self.limit:
            raise RunError(too_much(size, self.limit))
        return [parcel for _, parcel in joined]

    def insert(self, name: bytes) -> None:
        assert self.parts is not None
        self.parts.insert(name.decode())


def _by_group(numbered: tuple[int, bytes]) -> tuple[int, tuple[int, bytes]]:
    return numbered[0] // _AT_ONCE, numbered
