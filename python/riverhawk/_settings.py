"""What a run may use up, and what it may do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike


@dataclass(frozen=True)
class Limits:
    """What a run may use up; `None` is no limit. Reaching one is a `RuntimeError` that names it.

    >>> import riverhawk as rh
    >>> try:
    ...     rh.awk('BEGIN { while (1) n++ }', limits=rh.Limits(steps=10_000))
    ... except rh.RuntimeError as error:
    ...     print(error.limit)
    steps
    """

    steps: int | None = None
    """Turns of loops and calls of functions: the same in every run."""
    time: float | None = None
    """Seconds that pass."""
    memory: int | None = None
    """Bytes that the engine holds for the run."""
    output: int | None = None
    """Bytes printed, to all outputs together."""
    record: int | None = None
    """Bytes of a record."""
    decompressed: int | None = None
    """Bytes that a compressed file may become; 1 GiB or 10,000 times its size, whichever is more."""
    records: int | None = None
    """Records of the main input."""
    call_depth: int | None = None
    """Functions that have not returned."""


@dataclass(frozen=True)
class Permissions:
    """What a program may do besides reading its input and printing; nothing by default.

    >>> import riverhawk as rh
    >>> shell = rh.compile('BEGIN { system("echo hello") }')
    >>> shell.run(permissions=rh.Permissions(commands=True)).text
    'hello\\n'
    """

    read: str | PathLike[str] | Sequence[str | PathLike[str]] = field(default=())
    """Files at or below this path, or these, may be read."""
    write: str | PathLike[str] | Sequence[str | PathLike[str]] = field(default=())
    """Files at or below this path, or these, may be written."""
    commands: bool = False
    """Commands may be started, which then do whatever the process may do."""
    network: bool = False
    """Connections may be made."""
    everything: bool = False
    """Whatever the process may do; the others say nothing then."""
