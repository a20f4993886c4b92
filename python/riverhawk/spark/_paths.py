"""Names of files that all machines can open, and sizes in words."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable

_UNITS = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "B": 1}


def named(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    """The files that `paths` name, those of a pattern in the order of their names."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    files: list[str] = []
    for path in map(local, paths):
        # A name with brackets may be just that.
        if not glob.has_magic(path) or os.path.exists(path):
            files.append(path)
            continue
        found = sorted(glob.glob(path, recursive=True))
        if not found:
            raise FileNotFoundError(f"no file matches {path}")
        files.extend(found)
    return files


def local(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if text.startswith("file:"):
        text = "/" + text[len("file:") :].lstrip("/")
    elif "://" in text:
        raise ValueError(f"{text}: only paths that all machines can open are read: mount it")
    return os.path.abspath(text)


def bytes_of(size: int | str) -> int:
    if isinstance(size, int):
        return size
    for unit, factor in _UNITS.items():
        if size.upper().endswith(unit):
            return int(float(size[: -len(unit)]) * factor)
    return int(size)
