"""Names of files that all machines can open, and sizes in words."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable

from ._stores import Stores, has_scheme

_UNITS = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "B": 1}


def named(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], stores: Stores
) -> list[str]:
    """The files that `paths` name, those of a pattern in the order of their names."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    files: list[str] = []
    for path in map(absolute, paths):
        is_far = has_scheme(path)
        # A name with brackets may be just that.
        if not glob.has_magic(path) or (stores.exists if is_far else os.path.exists)(path):
            files.append(path)
            continue
        found = stores.matching(path) if is_far else sorted(glob.glob(path, recursive=True))
        if not found:
            raise FileNotFoundError(f"no file matches {path}")
        files.extend(found)
    return files


def absolute(path: str | os.PathLike[str]) -> str:
    """A path of the system, or one with another scheme than `file:`."""
    text = os.fspath(path)
    if text.startswith("file:"):
        text = "/" + text[len("file:") :].lstrip("/")
    return text if has_scheme(text) else os.path.abspath(text)


def bytes_of(size: int | str) -> int:
    if isinstance(size, int):
        return size
    for unit, factor in _UNITS.items():
        if size.upper().endswith(unit):
            return int(float(size[: -len(unit)]) * factor)
    return int(size)
