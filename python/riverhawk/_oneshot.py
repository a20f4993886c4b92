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
    bignum: bool = False,
    **options: Unpack[RunOptions],
) -> Result:
    """Compile a program and run it; the last 128 programs without functions are kept compiled.

    `paths` are files to read, `functions` and `bignum` those of `compile`, and the options those of
    `Program.run`.

    >>> import riverhawk as rh
    >>> rh.awk('$1 ~ /^b/', input=['apple', 'banana', 'blueberry']).lines()
    ['banana', 'blueberry']
    """
    if isinstance(program, Program):
        if functions or bignum:
            raise TypeError("functions and bignum are for compile, and the program is compiled")
    elif functions:
        program = compile(program, functions=functions, bignum=bignum)
    else:
        program = _compiled(program, bignum=bignum)
    if paths:
        if options.get("files") is not None:
            raise TypeError("files are arguments or the option files, not both")
        options["files"] = paths
    return program.run(**options)


def _program(text: bytes, name: str, bignum: bool) -> Program:
    """For `pickle`."""
    return compile(text, name=name, bignum=bignum)


def _regex(pattern: str | bytes, ignore_case: bool) -> Regex:
    """For `pickle`."""
    return Regex(pattern, ignore_case=ignore_case)
