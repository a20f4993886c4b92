from collections.abc import Callable, Iterable, Mapping
from typing import final

from ._settings import Limits, Permissions
from ._types import Input, Scalar, Settable, StrOrBytesPath, Variable, Writable

__all__ = ["Program", "Result", "__version__", "compile"]

__version__: str

def compile(
    program: str | bytes,
    *,
    name: str = "program",
    functions: Mapping[str, Callable[..., Scalar]] | None = None,
    any_precision: bool = False,
) -> Program: ...

@final
class Program:
    @property
    def name(self) -> str: ...
    def run(
        self,
        *,
        files: StrOrBytesPath | Iterable[StrOrBytesPath] | None = None,
        input: Input | None = None,
        args: Iterable[str | bytes] | None = None,
        vars: Mapping[str, Settable] | None = None,
        env: Mapping[str, str] | None = None,
        stdout: Writable | None = None,
        stderr: Writable | None = None,
        limits: Limits | None = None,
        permissions: Permissions | None = None,
        keep_variables: bool = True,
    ) -> Result: ...
    def format(self) -> str: ...

@final
class Result:
    @property
    def stdout(self) -> bytes: ...
    @property
    def stderr(self) -> bytes: ...
    @property
    def status(self) -> int: ...
    @property
    def records(self) -> int: ...
    @property
    def text(self) -> str: ...
    def lines(self) -> list[str]: ...
    @property
    def variables(self) -> dict[str, Variable]: ...
    def raise_for_status(self) -> Result: ...
    def _repr_html_(self) -> str: ...
