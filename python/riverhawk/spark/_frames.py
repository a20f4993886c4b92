"""A data source: what programs print, as DataFrames."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, cast

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from .. import __version__
from .._engine import compile, complaint, deferred, take_printed
from .._table import table
from ._paths import bytes_of, named
from ._stores import Stores
from ._task import Task

if TYPE_CHECKING:
    import pyarrow as pa

_Format = Literal["csv", "tsv", "jsonl"]

# Types of Spark, and those of the columns that are read for them.
_TYPES = {
    "string": "string",
    "binary": "bytes",
    "boolean": "bool",
    "bigint": "i64",
    "int": "i64",
    "smallint": "i64",
    "tinyint": "i64",
    "double": "f64",
    "float": "f64",
}

_OPTIONS = (
    "columns",
    "format",
    "name",
    "path",
    "paths",
    "piece_size",
    "program",
    "storage_options",
)


class ProgramSource(DataSource):
    """`spark.read.format('riverhawk').option('program', ...).option('columns', 'host string, n long')`.

    Executors run the program over pieces of the files. What is printed for a record may depend on its
    number, but not on other records: for such programs there is `riverhawk.spark.run`. Register it with
    `spark.dataSource.register(riverhawk.spark.ProgramSource)`.
    """

    @classmethod
    def name(cls) -> str:
        return "riverhawk"

    def schema(self) -> str:
        return self._option("columns")

    def _option(self, name: str) -> str:
        unknown = set(self.options) - set(_OPTIONS)
        if unknown:
            raise ValueError(f"no such option: {', '.join(sorted(unknown))}")
        value = self.options.get(name)
        if value is None:
            raise ValueError(f"the option {name!r} is missing")
        return str(value)

    def reader(self, schema: Any) -> DataSourceReader:
        columns = {}
        for field in schema.fields:
            kind = _TYPES.get(field.dataType.simpleString())
            if kind is None:
                raise ValueError(
                    f"a column cannot be {field.dataType.simpleString()}: {field.name}"
                )
            columns[field.name] = kind
        stores = Stores(json.loads(self.options.get("storage_options", "{}")))
        paths = json.loads(self.options.get("paths", "[]")) or [self._option("path")]
        return _Reader(
            self._option("program"),
            self.options.get("name", "program"),
            named(paths, stores),
            stores,
            bytes_of(self.options.get("piece_size", "64MB")),
            cast("_Format", self.options.get("format", "tsv")),
            columns,
            schema,
        )


class _Part(InputPartition):
    """What the driver has printed, or a piece whose output is still to be made."""

    def __init__(self, printed: bytes, start: bytes = b"", piece: bytes = b"") -> None:
        super().__init__(None)
        self.printed, self.start, self.piece = printed, start, piece


class _Reader(DataSourceReader):
    def __init__(
        self,
        program: str,
        name: str,
        files: list[str],
        stores: Stores,
        piece_size: int,
        format: _Format,
        columns: dict[str, str],
        schema: Any,
    ) -> None:
        self.program, self.program_name = program, name
        self.files, self.stores, self.piece_size = files, stores, piece_size
        self.format: _Format = format
        self.columns, self.schema = columns, schema
        self.version = __version__

    def partitions(self) -> list[InputPartition]:
        compiled = compile(self.program, name=self.program_name)
        if not compiled.has_independent_records():
            raise ValueError(
                "what this program prints for a record depends on others: riverhawk.spark.run gives its result"
            )
        later = _Later(self._task(b""))
        result = compiled.run(
            files=self.files,
            operand_files=self.stores,
            keep_variables=False,
            piece_size=self.piece_size,
            output_format=None if self.format == "jsonl" else self.format,
            cluster=later,
            stdout=later,
        )
        result.raise_for_status()
        return [part for part in later.parts if part.piece or part.printed]

    def _task(self, start: bytes) -> Task:
        return Task(self.version, self.program, self.program_name, start, None, stores=self.stores)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyspark.sql.pandas.types import to_arrow_schema

        assert isinstance(partition, _Part)
        printed = partition.printed
        if partition.piece:
            parcel = self._task(partition.start).worker().run(partition.piece)
            if why := complaint(parcel):
                raise RuntimeError(why)
            printed = take_printed(parcel, b"")[1] or b""
        rows = table(io.BytesIO(printed), self.format, self.columns, header=False)
        schema = to_arrow_schema(self.schema)
        for batch in pa.RecordBatchReader.from_stream(rows):
            yield batch.cast(schema)


class _Later:
    """Notes the pieces of a run instead of running them, and what is printed between them."""

    runs_rest = False

    def __init__(self, task: Task) -> None:
        self.task = task
        self.parts: list[_Part] = []
        self.deferred: dict[bytes, _Part] = {}
        self.counts: list[int] = []

    def write(self, data: bytes) -> int:
        if not self.parts or self.parts[-1].piece:
            self.parts.append(_Part(b""))
        self.parts[-1].printed += data
        return len(data)

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        self.task.start = start
        self.counts = list(self.task.count(pieces))
        return self.counts

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        parcels = []
        counts = self.counts or [0] * len(pieces)
        for piece, count in zip(pieces, counts, strict=True):
            name = b"%d" % len(self.deferred)
            self.deferred[name] = _Part(b"", start, piece)
            parcels.append(deferred(piece, count, name))
        return parcels

    def insert(self, name: bytes) -> None:
        self.parts.append(self.deferred[name])
