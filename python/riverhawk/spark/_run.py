"""Programs over files on all machines."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .. import __version__
from .._engine import Program, Result, compile, take_printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# Parcels that one task joins.
_AT_ONCE = 8

_UNITS = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "B": 1}


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
    serial: str | None = None,
    name: str = "program",
    **options: Any,
) -> Result:
    """Run a program over files, and return its result, or write what it prints to `output`.

    `output` is a new directory with `part-00000` and so on, whose concatenation is what one machine would
    print. It appears when the run has succeeded. `serial='driver'` lets the driver run what cannot run in
    pieces; otherwise that raises `riverhawk.RuntimeError` with the reason. Other options are those of
    `Program.run`.
    """
    if serial not in (None, "driver"):
        raise ValueError(f"serial is None or 'driver', not {serial!r}")
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    files = [local(path) for path in paths]
    given = {
        **options,
        "files": files,
        "vars": vars,
        "relaxed_sums": relaxed_sums,
        "piece_size": bytes_of(piece_size),
    }
    compiled = compile(program, name=name)
    if output is None:
        return compiled.run(**given, cluster=Spark(spark, program, name, serial, None))
    target = Path(local(output))
    if target.exists():
        raise FileExistsError(f"{target} exists")
    # Beside the target, so that it becomes it by renaming.
    kept = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        parts = _Parts(kept)
        cluster = Spark(spark, program, name, serial, parts)
        result = compiled.run(**given, cluster=cluster, stdout=parts)
        parts.finish()
        kept.chmod(0o755)
        kept.rename(target)
    except BaseException:
        shutil.rmtree(kept, ignore_errors=True)
        raise
    return result


def local(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if text.startswith("file:"):
        text = "/" + text[len("file:") :].lstrip("/")
    elif "://" in text:
        raise ValueError(f"{text}: only paths that all machines can open are read: mount it")
    return os.path.abspath(text)


def bytes_of(size: int | str) -> int:
    if isinstance(size, int):
        return size
    for unit, factor in _UNITS.items():
        if size.upper().endswith(unit):
            return int(float(size[: -len(unit)]) * factor)
    return int(size)


class _Parts:
    """What is printed, as files in order: of the driver, and between them those of pieces."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.order: list[Path] = []
        self.file: IO[bytes] | None = None

    def write(self, data: bytes) -> int:
        if self.file is None:
            path = self.directory / f"driver-{uuid.uuid4().hex}"
            self.order.append(path)
            self.file = open(path, "xb")
        return self.file.write(data)

    def insert(self, name: str) -> None:
        self._close()
        self.order.append(self.directory / name)

    def _close(self) -> None:
        if self.file is not None:
            file, self.file = self.file, None
            with file:
                file.flush()
                os.fsync(file.fileno())

    def finish(self) -> None:
        """Names the parts by their order, and removes what lost tasks have left."""
        self._close()
        used = {path.name for path in self.order}
        for path in self.directory.iterdir():
            if path.name not in used:
                path.unlink()
        for number, path in enumerate(self.order):
            path.rename(self.directory / f"part-{number:05}")
        (self.directory / "_SUCCESS").touch()


class Spark:
    """What brings pieces to executors."""

    def __init__(
        self, spark: Any, program: str | bytes, name: str, serial: str | None, parts: _Parts | None
    ) -> None:
        self.context = spark.sparkContext
        self.text, self.name, self.parts = program, name, parts
        self.runs_rest = serial == "driver"

    def _task(self, start: bytes) -> Task:
        directory = None if self.parts is None else str(self.parts.directory)
        return Task(__version__, self.text, self.name, start, directory)

    def _spread(self, pieces: list[bytes]) -> Any:
        """Several pieces for each task, so that tasks stay few and parcels are joined where they are."""
        slots = max(1, self.context.defaultParallelism)
        return self.context.parallelize(pieces, min(len(pieces), slots * 8))

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        task = self._task(start)
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
        return [parcel for _, parcel in sorted(parcels.collect())]

    def insert(self, name: bytes) -> None:
        assert self.parts is not None
        self.parts.insert(name.decode())


def _by_group(numbered: tuple[int, bytes]) -> tuple[int, tuple[int, bytes]]:
    return numbered[0] // _AT_ONCE, numbered


class Task:
    """What an executor does."""

    def __init__(
        self, version: str, text: str | bytes, name: str, start: bytes, directory: str | None
    ) -> None:
        self.version, self.text, self.name = version, text, name
        self.start, self.directory = start, directory

    def worker(self) -> Any:
        if self.version != __version__:
            raise RuntimeError(
                f"the driver has Riverhawk {self.version}, and this executor {__version__}: "
                "install the same version on all machines"
            )
        program: Program = compile(self.text, name=self.name)
        return program.piece_worker(self.start)

    def count(self, pieces: Iterable[bytes]) -> Iterator[int]:
        worker = self.worker()
        for piece in pieces:
            yield worker.count(piece)

    def run(self, number: int, pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        worker = self.worker()
        parcels = [self._keep(worker.run(piece)) for piece in pieces]
        if parcels:
            yield number, worker.join(parcels)

    def _keep(self, parcel: bytes) -> bytes:
        """Writes what was printed to a file of its own; attempts of the same task do not meet."""
        if self.directory is None:
            return parcel
        name = f"piece-{uuid.uuid4().hex}"
        parcel, printed = take_printed(parcel, name.encode())
        if printed:
            with open(os.path.join(self.directory, name), "xb") as file:
                file.write(printed)
                file.flush()
                os.fsync(file.fileno())
        return parcel

    def join(self, group: tuple[int, Iterable[tuple[int, bytes]]]) -> tuple[int, bytes]:
        number, parcels = group
        return number, self.worker().join([parcel for _, parcel in sorted(parcels)])
