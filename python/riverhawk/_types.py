"""Types of arguments and results, for annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Literal, Protocol, SupportsFloat, TypedDict, Union

if TYPE_CHECKING:
    from ._engine import Cancel
    from ._settings import Limits, Permissions

StrOrBytesPath = Union[str, bytes, PathLike[str], PathLike[bytes]]
"""The name of a file."""

Scalar = Union[str, bytes, SupportsFloat, None]
"""What a variable can be set to; text is compared as text, numbers as numbers."""

Settable = Union[Scalar, "Mapping[Scalar, Settable]", "Sequence[Settable]"]
"""A scalar or an array of them; a sequence is an array from 1."""

Variable = Union[str, int, float, "dict[str, Variable]", None]
"""A variable after a run."""


class Readable(Protocol):
    """A file object to read."""

    def read(self, size: int, /) -> str | bytes:
        """At most about `size` characters or bytes; nothing at the end."""
        ...


class Encoding(Protocol):
    """An encoding for `Decoder`."""

    @property
    def name(self) -> str:
        """What errors call it."""
        ...

    def decode(self, data: bytes, final: bool, /) -> tuple[str, int]:
        """Text, and how many bytes of `data` it is of; an incomplete character comes again."""
        ...


class Writable(Protocol):
    """A binary file object to write."""

    def write(self, data: bytes, /) -> int | None:
        """Takes the bytes."""


class PieceCluster(Protocol):
    """What brings pieces of the input to other machines."""

    @property
    def runs_rest(self) -> bool:
        """Whether this machine runs what cannot run in pieces; otherwise that is an error."""
        ...

    def count(self, start: bytes, pieces: list[bytes], /) -> list[int]:
        """The numbers of records of the pieces."""
        ...

    def run(self, start: bytes, pieces: list[bytes], /) -> list[bytes]:
        """The parcels of the pieces, in order, joined or not."""
        ...

    def insert(self, name: bytes, /) -> None:
        """What was printed and kept under this name belongs here."""


class OperandFiles(Protocol):
    """Opens files by names that the system does not know."""

    def open(self, name: bytes, /) -> tuple[int, int, Callable[[int, int], bytes]] | None:
        """The length of a file, a number that is another if it has changed, and what reads so many bytes from
        a place on, none only at the end; `None` for the system's files."""
        ...


Input = Union[str, bytes, bytearray, memoryview, Readable, "Iterable[str | bytes]"]
"""A standard input: the text itself, a file object, or an iterable of lines."""


ColumnType = Union[
    Literal["string"], Literal["bytes"], Literal["i64"], Literal["f64"], Literal["bool"]
]
"""What the values of a column are."""

Columns = Union["Mapping[str, ColumnType | None]", "Iterable[str]"]
"""The columns of a table; types that are not given are inferred."""


class RunOptions(TypedDict, total=False):
    """The options of a run; `Program.run` says what they are."""

    files: StrOrBytesPath | Iterable[StrOrBytesPath] | None
    input: Input | None
    args: Iterable[str | bytes] | None
    vars: Mapping[str, Settable] | None
    env: Mapping[str, str] | None
    stdout: Writable | None
    stderr: Writable | None
    limits: Limits | None
    permissions: Permissions | None
    cancel: Cancel | None
    jobs: int | None
    piece_size: int | None
    relaxed_sums: bool | None
    cluster: PieceCluster | None
    operand_files: OperandFiles | None
    progress: Callable[[int, int], object] | None
    input_format: Literal["csv", "tsv", "json", "jsonl"] | None
    output_format: Literal["csv", "tsv", "json", "jsonl"] | None
    header: bool | None
    encoding: str | None
    seed: int | None
    clock: float | None
    keep_variables: bool | None
