"""One line for what is run once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ._engine import Program, Regex, Result, compile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Unpack

    from ._types import RunOptions, StrOrBytesPath

_compiled = lru_cache(maxsize=128)(compile)


def awk(
    program: str | bytes | Program,
    *paths: StrOrBytesPath,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    **options: Unpack[RunOptions],
) -> Result:
    """Compile a program and run it; the last 128 programs without functions are kept compiled.

    `paths` are files to read, and the options those of `Program.run`.

    >>> import riverhawk as rh
    >>> rh.awk('$1 ~ /^b/', input=['apple', 'banana', 'blueberry']).lines()
    ['banana', 'blueberry']
    """
    if not isinstance(program, Program):
        program = compile(program, functions=functions) if functions else _compiled(program)
    if paths:
        options["files"] = paths
    return program.run(**options)


def _regex(pattern: str | bytes, ignore_case: bool) -> Regex:
    """For `pickle`."""
    return Regex(pattern, ignore_case=ignore_case)
