"""What goes wrong with programs and runs."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ._engine import Result


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong in a program's text, or suspicious."""

    severity: Literal["error", "warning"]
    message: str
    filename: str | None
    """The name of the text; `None` for what is about functions of the caller's."""
    lineno: int | None
    offset: int | None
    """In characters, from 1."""
    label: str
    """What belongs at the place, usually what was expected; may be empty."""
    help: str | None
    """What to do about it."""


class SyntaxError(builtins.SyntaxError):
    """A program that does not compile. Python draws it with the line and a caret.

    `filename`, `lineno`, `offset` (in characters, from 1) and `text` are Python's own, of the first
    of the `diagnostics`; `report` is all of them, drawn with lines and carets.
    """

    report: str
    diagnostics: list[Diagnostic]

    def __init__(
        self,
        message: str,
        place: tuple[str, int, int, str | None] | None = None,
        report: str = "",
        diagnostics: list[Diagnostic] | None = None,
    ) -> None:
        if place is None:
            super().__init__(message)
        else:
            super().__init__(message, place)
        self.report = report
        self.diagnostics = diagnostics or []

    def __reduce__(self) -> tuple[type[SyntaxError], tuple[object, ...]]:
        place = (self.filename, self.lineno, self.offset, self.text)
        place_or_none = place if self.lineno is not None else None
        return type(self), (self.msg, place_or_none, self.report, self.diagnostics)


class RuntimeError(builtins.RuntimeError):
    """A run that failed.

    `str()` is the message. The other attributes are `None` where they say nothing.
    """

    filename: str | None
    """The name of the program in which it failed, at `lineno` and `offset`, counted from 1."""
    lineno: int | None
    offset: int | None
    input: str | None
    """The file whose record was being worked on; `-` is the standard input."""
    record: int | None
    """The number of that record in its file, from 1."""
    limit: str | None
    """The field of `Limits` that was reached."""
    result: Result | None
    """What the run had done until then."""
    report: str
    """The message with place, line, caret and record."""

    def __init__(
        self,
        message: str,
        *,
        filename: str | None = None,
        lineno: int | None = None,
        offset: int | None = None,
        input: str | None = None,
        record: int | None = None,
        limit: str | None = None,
        result: Result | None = None,
        report: str = "",
    ) -> None:
        super().__init__(message)
        self.filename = filename
        self.lineno = lineno
        self.offset = offset
        self.input = input
        self.record = record
        self.limit = limit
        self.result = result
        self.report = report

    def __reduce__(self) -> tuple[type[RuntimeError], tuple[str], dict[str, object]]:
        # A result stays in its process.
        return type(self), (str(self),), {**self.__dict__, "result": None}


class RegexError(ValueError):
    """A pattern that is no regular expression."""

    pattern: str | bytes
    pos: int
    """Where it is wrong: bytes from its start."""

    def __init__(self, message: str, pattern: str | bytes, pos: int) -> None:
        super().__init__(message, pattern, pos)
        self.pattern = pattern
        self.pos = pos

    def __str__(self) -> str:
        return f"{self.args[0]} at byte {self.pos} of {self.pattern!r}"


class TableError(ValueError):
    """A table whose text is not what its columns say; `str()` says where it is."""

    message: str
    input: str | None
    """The file, if it has a name."""
    record: int | None
    """The number of the record in it, from 1; the header is one."""
    column: str | None

    def __init__(
        self,
        message: str,
        input: str | None = None,
        record: int | None = None,
        column: str | None = None,
    ) -> None:
        super().__init__(message, input, record, column)
        self.message = message
        self.input = input
        self.record = record
        self.column = column

    def __str__(self) -> str:
        place = [self.input] if self.input is not None else []
        if self.record is not None:
            place.append(f"record {self.record}")
        if self.column is not None:
            place.append(f'column "{self.column}"')
        return ", ".join(place) + (": " if place else "") + self.message


class StatusError(Exception):
    """The exit status is not 0; raised by `Result.raise_for_status`."""

    result: Result | None
    """What the run has done."""
    status: int

    def __init__(self, result: Result) -> None:
        stderr = result.stderr.decode(errors="replace").strip()
        super().__init__(f"exit status {result.status}" + (f": {stderr}" if stderr else ""))
        self.result = result
        self.status = result.status

    def __reduce__(self) -> tuple[object, ...]:
        return _status_error, (str(self), self.status)


def _status_error(message: str, status: int) -> StatusError:
    error = StatusError.__new__(StatusError, message)
    error.result = None
    error.status = status
    return error
