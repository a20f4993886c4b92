"""One line for what is run once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ._engine import Program, Regex, Result, compile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._types import StrOrBytesPath

_compiled = lru_cache(maxsize=128)(compile)


def awk(
    program: str | bytes | Program,
    *files: StrOrBytesPath,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    **run: Any,
) -> Result:
    """Compile a program and run it; the last 128 programs without functions are kept compiled.

    `run` is what `Program.run` takes.

    >>> import riverhawk as rh
    >>> rh.awk('$1 ~ /^b/', input=['apple', 'banana', 'blueberry']).lines()
    ['banana', 'blueberry']
    """
    if not isinstance(program, Program):
        program = compile(program, functions=functions) if functions else _compiled(program)
    return program.run(files=files, **run)


def _regex(pattern: str | bytes, ignore_case: bool) -> Regex:
    """For `pickle`."""
    return Regex(pattern, ignore_case=ignore_case)
