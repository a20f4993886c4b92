"""Programs over the columns of DataFrames."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from .._engine import compile

if TYPE_CHECKING:
    import pyarrow as pa


def udf(
    program: str | bytes,
    columns: Mapping[str, str],
    *,
    format: Literal["csv", "tsv", "jsonl"] = "tsv",
    name: str = "program",
    **options: Any,
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for `DataFrame.mapInArrow`: the program over the rows of each partition.

    The columns are the fields, by number and by name (`@"host"`); null is the empty field. What the
    program prints are the rows of the result, whose columns have these names and types: `string`,
    `bytes`, `i64`, `f64` or `bool`. `BEGIN` and `END` run once for each partition. Other options are
    those of `Program.table`.
    """
    compile(program, name=name)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        compiled = compile(program, name=name)
        rows = compiled.table(
            columns=dict(columns),
            format=format,
            input=_rows(batches),
            input_format="csv",
            header=True,
            **options,
        )
        yield from pa.RecordBatchReader.from_stream(rows)

    return run


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[bytes]:
    """Batches as CSV, the names first."""
    from pyarrow import csv

    is_first = True
    for batch in batches:
        text = io.BytesIO()
        csv.write_csv(batch, text, csv.WriteOptions(include_header=is_first))
        is_first = False
        yield text.getvalue()
