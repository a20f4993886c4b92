"""Programs over files on all machines."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import __version__
from .._engine import Program, Result, compile, unite
from .._errors import RuntimeError as RunError
from ._failure import explained
from ._outputs import Parts, staged
from ._paths import absolute, bytes_of, named
from ._stores import Stores
from ._task import Task, too_much

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Parcels of so many bytes in all are joined by the driver.
_SMALL = 16 << 20

# What one task joins: it has all of it in memory.
_AT_ONCE = 64 << 20

# With more, messages are mostly about pieces.
_MOST_STRANDS = 4096


def explain(program: str | bytes) -> str:
    """Which rules can run in pieces, how variables are joined, in how many rounds, and what prevents it."""
    compiled = compile(program)
    said = compiled.explain()
    try:
        least, most = compiled.piece_rounds()
    except ValueError:
        return said
    rounds = "one round" if least == 1 else f"{least} rounds: records are counted, then run"
    if most > least:
        rounds += f"; up to {most - least} more run pieces that guessed wrong which ranges are open"
    return f"{said}on a cluster: {rounds}\n"


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
    print. It appears when the run has succeeded; in object stores `_SUCCESS` is its last file.
    `serial='driver'` lets the driver run what cannot run in pieces; otherwise that raises
    `riverhawk.RuntimeError` with the reason. What comes of the pieces is an error if it has more than
    `driver_limit` bytes, since the driver has to hold it for `END`. Other options are those of
    `Program.run`.
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
        self.joins = _has_variables(compile(program, name=name))
        self.stores = stores

    def _task(self, start: bytes) -> Task:
        stage = None if self.parts is None else self.parts.stage
        return Task(__version__, self.text, self.name, start, stage, self.stores)

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
        with explained():
            with _kept(self._spread(pieces).mapPartitionsWithIndex(task.run)) as parcels:
                size = parcels.map(_size).sum()
                if size > min(_SMALL, self.limit) and self.joins:
                    return [self._joined(task, parcels, size)]
                self._check(size)
                return [parcel for _, parcel in sorted(parcels.collect())]

    def _joined(self, task: Task, parcels: Any, size: int) -> bytes:
        """Parcels that are too large to be joined in one place, joined by parts of their keys."""
        slots = max(1, self.context.defaultParallelism)
        strands = min(max(slots, size // _AT_ONCE), _MOST_STRANDS)
        split = parcels.flatMap(partial(task.split, strands))
        with _kept(split.groupByKey(strands).map(task.join)) as joined:
            self._check(joined.map(_size).sum())
            return unite([strand for _, strand in sorted(joined.collect())])

    def _check(self, size: int) -> None:
        if size > self.limit:
            raise RunError(too_much(size, self.limit))

    def insert(self, name: bytes) -> None:
        assert self.parts is not None
        self.parts.insert(name.decode())


def _has_variables(program: Program) -> bool:
    """Whether parcels become less when they are joined."""
    try:
        return not program.has_independent_records()
    except ValueError:
        # It does not run in pieces.
        return False


def _size(numbered: tuple[int, bytes]) -> int:
    return len(numbered[1])


@contextmanager
def _kept(rdd: Any) -> Iterator[Any]:
    """Keeps what executors have made of it until it is not needed any more."""
    from pyspark import StorageLevel

    rdd.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        yield rdd
    finally:
        rdd.unpersist()
