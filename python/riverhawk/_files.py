"""Whole files: read, written, appended to, prepended to and edited, without losing a byte or a failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, overload

from ._engine import (
    append_file,
    change_file,
    list_directory,
    prepend_file,
    read_file,
    write_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._types import StrOrBytesPath

__all__ = ["append", "edit_file", "edit_file_lines", "prepend", "read_dir", "slurp", "spew"]


@dataclass
class _Writing:
    """What `riverhawk._engine` reads; the names are those of the arguments below."""

    atomic: bool | None = None
    perms: int | None = None
    no_clobber: bool = False
    create: bool = False
    lock: bool = False
    lock_timeout: float | None = None
    sync: Literal["file", "directory"] | None = None


def _encoded(contents: str | bytes, encoding: str | None, errors: str) -> bytes:
    if isinstance(contents, bytes):
        return contents
    if not isinstance(contents, str):
        raise TypeError(f"contents are str or bytes, not {type(contents).__name__}")
    if encoding is None:
        raise TypeError("contents are str, which encoding=None does not encode")
    return contents.encode(encoding, errors)


@overload
def slurp(
    path: StrOrBytesPath,
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
    limit: int | None = None,
    lock: bool = False,
    lock_timeout: float | None = None,
) -> str: ...
@overload
def slurp(
    path: StrOrBytesPath,
    *,
    encoding: None,
    errors: str = "strict",
    limit: int | None = None,
    lock: bool = False,
    lock_timeout: float | None = None,
) -> bytes: ...
def slurp(
    path: StrOrBytesPath,
    *,
    encoding: str | None = "utf-8",
    errors: str = "strict",
    limit: int | None = None,
    lock: bool = False,
    lock_timeout: float | None = None,
) -> str | bytes:
    r"""Read a whole file: regular, growing, of `/proc`, FIFO or device.

    Newlines stay as they are. `encoding=None` gives `bytes`. A file of more than `limit` bytes is a
    `ValueError`. With `lock` it is read under a shared lock (`flock`), which is waited for at most
    `lock_timeout` seconds, or else is a `TimeoutError`.

    >>> import riverhawk as rh, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / 'hosts'
    >>> rh.spew(path, 'alpha 1\n')
    >>> rh.slurp(path)
    'alpha 1\n'
    """
    content = read_file(path, limit, lock, lock_timeout)
    return content if encoding is None else content.decode(encoding, errors)


def spew(
    path: StrOrBytesPath,
    contents: str | bytes,
    *,
    encoding: str | None = "utf-8",
    errors: str = "strict",
    atomic: bool = True,
    perms: int | None = None,
    no_clobber: bool = False,
    lock: bool = False,
    lock_timeout: float | None = None,
    sync: Literal["file", "directory"] | None = None,
) -> None:
    r"""Replace the content of a file, which is made if it is missing.

    Whoever reads it finds the old content or the new, even after `kill -9`: a new file gets the old
    one's owner, mode and attributes, and then its name. With `atomic=False` the file itself is
    overwritten, which is faster and keeps hard links. `perms` are those of a new file, less the umask.
    With `no_clobber` a file that exists is a `FileExistsError`. With `lock` an exclusive lock is taken.
    `sync` waits until the content (`file`), or the content and the name (`directory`), are on the disk.

    >>> import riverhawk as rh, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / 'key'
    >>> rh.spew(path, 'secret', perms=0o600, sync='directory')
    >>> oct(path.stat().st_mode & 0o777)
    '0o600'
    """
    how = _Writing(atomic, perms, no_clobber, False, lock, lock_timeout, sync)
    write_file(path, _encoded(contents, encoding, errors), how)


def append(
    path: StrOrBytesPath,
    contents: str | bytes,
    *,
    encoding: str | None = "utf-8",
    errors: str = "strict",
    perms: int | None = None,
    lock: bool = False,
    lock_timeout: float | None = None,
    sync: Literal["file", "directory"] | None = None,
) -> None:
    r"""Add to the end of a file, which is made if it is missing. The arguments are those of `spew`.

    >>> import riverhawk as rh, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / 'log'
    >>> rh.append(path, 'one\n'); rh.append(path, 'two\n')
    >>> rh.slurp(path)
    'one\ntwo\n'
    """
    how = _Writing(None, perms, False, False, lock, lock_timeout, sync)
    append_file(path, _encoded(contents, encoding, errors), how)


def prepend(
    path: StrOrBytesPath,
    contents: str | bytes,
    *,
    encoding: str | None = "utf-8",
    errors: str = "strict",
    atomic: bool = True,
    create: bool = False,
    lock: bool = False,
    lock_timeout: float | None = None,
    sync: Literal["file", "directory"] | None = None,
) -> None:
    r"""Add to the beginning of a file, which is made if it is missing with `create`.

    The other arguments are those of `spew`.

    >>> import riverhawk as rh, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / 'log'
    >>> rh.spew(path, 'two\n'); rh.prepend(path, 'one\n')
    >>> rh.slurp(path)
    'one\ntwo\n'
    """
    how = _Writing(atomic, None, False, create, lock, lock_timeout, sync)
    prepend_file(path, _encoded(contents, encoding, errors), how)


def edit_file(
    path: StrOrBytesPath,
    change: Callable[[str], str],
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
    atomic: bool = True,
    create: bool = False,
    lock: bool = False,
    lock_timeout: float | None = None,
    sync: Literal["file", "directory"] | None = None,
) -> bool:
    r"""Replace the text of a file by what `change` makes of it; return whether it was written.

    A text that stays as it is is not written, and neither is anything if `change` raises. With `lock`
    the file is locked from before it is read until after it is written. With `create` a missing file
    counts as empty. The other arguments are those of `spew`.

    >>> import riverhawk as rh, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / 'counter'
    >>> for _ in range(3):
    ...     written = rh.edit_file(path, lambda n: str(int(n or '0') + 1), create=True, lock=True)
    >>> rh.slurp(path)
    '3'
    """

    def changed(content: bytes) -> bytes:
        new = change(content.decode(encoding, errors))
        if not isinstance(new, str):
            raise TypeError(f"the edit of a file is str, not {type(new).__name__}")
        return new.encode(encoding, errors)

    return change_file(
        path, changed, _Writing(atomic, None, False, create, lock, lock_timeout, sync)
    )


def edit_file_lines(
    path: StrOrBytesPath,
    change: Callable[[str], str | None],
    *,
    encoding: str = "utf-8",
    errors: str = "strict",
    atomic: bool = True,
    create: bool = False,
    lock: bool = False,
    lock_timeout: float | None = None,
    sync: Literal["file", "directory"] | None = None,
) -> bool:
    r"""Replace each line of a file by what `change` makes of it; return whether it was written.

    Lines end with their newline, if they have one; `None` or the empty text deletes a line. The rest is
    as in `edit_file`.

    >>> import riverhawk as rh, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / 'hosts'
    >>> rh.spew(path, 'alpha 1\nbeta 2\n')
    >>> rh.edit_file_lines(path, lambda line: None if line.startswith('a') else line.upper())
    True
    >>> rh.slurp(path)
    'BETA 2\n'
    """

    def changed(text: str) -> str:
        # `splitlines` has more ends of lines than files have.
        lines = text.split("\n")
        last = lines.pop()
        new = [change(line + "\n") or "" for line in lines]
        if last:
            new.append(change(last) or "")
        return "".join(new)

    return edit_file(
        path,
        changed,
        encoding=encoding,
        errors=errors,
        atomic=atomic,
        create=create,
        lock=lock,
        lock_timeout=lock_timeout,
        sync=sync,
    )


def read_dir(path: StrOrBytesPath, *, prefix: bool = False, sorted: bool = False) -> list[str]:
    """List the names in a directory, without `.` and `..`.

    With `prefix` each begins with `path`; `sorted` orders them by their bytes.

    >>> import riverhawk as rh, tempfile, pathlib
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> rh.spew(directory / 'b', ''); rh.spew(directory / 'a', '')
    >>> rh.read_dir(directory, sorted=True)
    ['a', 'b']
    """
    return list_directory(path, prefix, sorted)
