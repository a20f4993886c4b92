"""Tables of files and file objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._engine import open_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._engine import Table
    from ._types import Columns, Readable, StrOrBytesPath


def table(
    source: StrOrBytesPath | Readable,
    format: Literal["csv", "tsv", "jsonl"] = "csv",
    columns: Columns | None = None,
    *,
    header: bool = True,
    sep: str = ",",
    nulls: Iterable[str | bytes] = ("",),
    encoding: str = "utf-8",
    errors: str = "strict",
    decompress: bool = True,
    batch_size: int = 65_536,
) -> Table:
    r"""Read a file or file object as a table, which Arrow's libraries take without a copy.

    `columns` are the names of those that are wanted, or a mapping of names to types: `string`,
    `bytes`, `i64`, `f64`, `bool`, or `None` for a type that is to be inferred. Without a `header` the
    fields are named in their order; without both they are `column_1` and so on. `sep` separates the
    fields of `csv`. An object of `jsonl` has its members as columns; what is nested in them is text.

    Types are inferred from the first batch: `i64` where all values are integers, `f64` where all are
    numbers, `bool` where all are `true` or `false`, else `string`. A number with zeros before other
    digits, or an integer that 64 bits do not hold, is text, since it may be a code. A later value of
    another type is an error that says where it is, and so is a member that the first batch does not
    have, unless `columns` are given.

    Fields that are one of `nulls` are null, unless they are in quotes; so are missing fields and members,
    and `null` in JSON. Blank lines are skipped, but in a table with one column. A row with too many
    fields, or with quotes that are wrong, is an error.

    Batches have `batch_size` rows, or about 8 MiB of text if that is fewer, and are read when they are
    asked for, without the GIL. `encoding`, `errors` (`strict`, `replace` or `ignore`) and `decompress`
    are as in `records`.

    Raises what `open` raises, and `TableError` for what is wrong in the text, which is where the types
    are first asked for or the batch is read. The libraries raise errors of their own then, with the
    same message.

    >>> import io, riverhawk as rh
    >>> orders = io.BytesIO(b'item,price,code\ntea,3.5,007\nmilk,,012\n')
    >>> rh.table(orders).schema
    {'item': 'string', 'price': 'f64', 'code': 'string'}
    >>> logs = io.BytesIO(b'{"status": 200, "path": "/"}\n{"status": 404}\n')
    >>> list(rh.table(logs, 'jsonl', columns={'status': 'i64', 'path': 'string'}))
    [{'status': 200, 'path': '/'}, {'status': 404, 'path': None}]
    """
    return open_table(
        source, format, columns, header, sep, nulls, encoding, errors, decompress, batch_size
    )
