"""Records and fields of files and file objects."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, overload

from ._engine import ReversedRecords, read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._engine import Regex
    from ._types import Readable, StrOrBytesPath


@overload
def records(
    source: StrOrBytesPath | Readable,
    sep: str | bytes | Regex | Iterable[str | bytes] = "\n",
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
    chomp: bool = True,
    decompress: bool = True,
) -> Iterator[str]: ...
@overload
def records(
    source: StrOrBytesPath | Readable,
    sep: str | bytes | Regex | Iterable[str | bytes] = "\n",
    *,
    encoding: None,
    errors: str = "strict",
    chomp: bool = True,
    decompress: bool = True,
) -> Iterator[bytes]: ...
def records(
    source: StrOrBytesPath | Readable,
    sep: str | bytes | Regex | Iterable[str | bytes] = "\n",
    *,
    encoding: str | None = "utf-8",
    errors: str = "strict",
    chomp: bool = True,
    decompress: bool = True,
) -> Iterator[Any]:
    r"""Iterate over the records of a file or file object, without their separators.

    `sep` ends a record: a text, one of several texts, or a `Regex`; the empty text stands for blank
    lines. Unlike in `open`, a CR before a newline belongs to the record unless `sep` is
    `["\n", "\r\n"]`. Records are `str`, or `bytes` with `encoding=None`. `errors` is as in `open`; in
    other encodings than UTF-8 it is `strict`, `replace` or `ignore`. With `chomp=False` records keep
    their separators. Files that are compressed by gzip, zstd, bzip2, xz or lz4 are decompressed unless
    `decompress` is false.

    The file is opened at once and closed with the iterator. Only what is in memory is waited for: from
    a pipe a record comes as soon as it has ended.

    Raises what `open` raises, `UnicodeDecodeError` after the records before it, and what a file object
    raises, as it was.

    >>> import io, riverhawk as rh
    >>> list(rh.records(io.BytesIO(b'tea\nmilk\n\nink'), sep=''))
    ['tea\nmilk', 'ink']
    >>> list(rh.records(io.BytesIO(b'a1b22c'), rh.Regex('[0-9]+'), encoding=None))
    [b'a', b'b', b'c']
    """
    return chain.from_iterable(read_records(source, sep, encoding, errors, chomp, decompress))


@overload
def fields(
    source: StrOrBytesPath | Readable,
    fs: str | bytes | Regex = " ",
    sep: str | bytes | Regex | Iterable[str | bytes] = "\n",
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
    decompress: bool = True,
) -> Iterator[list[str]]: ...
@overload
def fields(
    source: StrOrBytesPath | Readable,
    fs: str | bytes | Regex = " ",
    sep: str | bytes | Regex | Iterable[str | bytes] = "\n",
    *,
    encoding: None,
    errors: str = "strict",
    decompress: bool = True,
) -> Iterator[list[bytes]]: ...
def fields(
    source: StrOrBytesPath | Readable,
    fs: str | bytes | Regex = " ",
    sep: str | bytes | Regex | Iterable[str | bytes] = "\n",
    *,
    encoding: str | None = "utf-8",
    errors: str = "strict",
    decompress: bool = True,
) -> Iterator[list[Any]]:
    r"""Iterate over the records of a file or file object as lists of their fields.

    `fs` separates fields: a text, or a `Regex`; a single space stands for runs of blanks, where blanks
    at the ends do not count. An empty record has no fields. The rest is as in `records`.

    >>> import io, riverhawk as rh
    >>> list(rh.fields(io.BytesIO(b'  tea   3\nmilk 1\n')))
    [['tea', '3'], ['milk', '1']]
    >>> list(rh.fields(io.BytesIO(b'a:b::\n'), ':'))
    [['a', 'b', '', '']]
    """
    if fs is None:
        raise TypeError("fs is a text or a Regex, not None")
    return chain.from_iterable(read_records(source, sep, encoding, errors, True, decompress, fs))


@overload
def backwards(
    source: StrOrBytesPath | Readable,
    sep: bytes = b"\n",
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
) -> Iterator[str]: ...
@overload
def backwards(
    source: StrOrBytesPath | Readable,
    sep: bytes = b"\n",
    *,
    encoding: None,
    errors: str = "strict",
) -> Iterator[bytes]: ...
def backwards(
    source: StrOrBytesPath | Readable,
    sep: bytes = b"\n",
    *,
    encoding: str | None = "utf-8",
    errors: str = "strict",
) -> Iterator[Any]:
    r"""Iterate over the records of a file from the last to the first, without their separators.

    `source` is a path, `bytes`, or a binary file object that seeks; it is read block by block from its
    end. `sep` is one byte. In `encoding`, which has ASCII's bytes for ASCII as UTF-8 and Latin-1 do,
    records are decoded; with `None` they are `bytes`. A path that is `bytes` is written
    `os.fsdecode(path)`.

    >>> import riverhawk as rh
    >>> list(rh.backwards('one\ntwo\nthrée\n'.encode()))
    ['thrée', 'two', 'one']
    """
    found = ReversedRecords(source, sep)
    if encoding is None:
        return found
    return (record.decode(encoding, errors) for record in found)
