"""Files that the system cannot open: `s3://`, `hdfs://` and others, by fsspec or by pyarrow.fs."""

from __future__ import annotations

import fnmatch
import hashlib
import os
from collections.abc import Callable, Mapping
from typing import Any

# Bytes that are read at once: little where records are looked for, much where they follow each other.
_LEAST = 64 << 10
_MOST = 8 << 20


def has_scheme(path: str) -> bool:
    return "://" in path


class Stores:
    """Opens paths with a scheme, with these options of their file systems. It travels by pickle."""

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self.options = dict(options or {})
        self._stores: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # What is open stays here.
        return Stores, (self.options,)

    def open(self, name: bytes) -> tuple[int, int, Callable[[int, int], bytes]] | None:
        """The length of a file, its version, and what reads it; `None` for the system's."""
        url = os.fsdecode(name)
        if not has_scheme(url):
            return None
        store = self.store(url)
        length, version = store.state(url)
        return (
            length,
            _number(version),
            Forwards(lambda start, end: store.read(url, start, end), length),
        )

    def matching(self, pattern: str) -> list[str]:
        """The files that a pattern names, in the order of their names."""
        return sorted(self.store(pattern).matching(pattern))

    def exists(self, url: str) -> bool:
        try:
            self.store(url).state(url)
        except FileNotFoundError:
            return False
        return True

    def store(self, url: str) -> Any:
        """The file system of a path."""
        scheme = url.partition("://")[0]
        if scheme not in self._stores:
            self._stores[scheme] = _by_fsspec(url, self.options) or _by_pyarrow(url, self.options)
        return self._stores[scheme]


def _number(version: str) -> int:
    return int.from_bytes(
        hashlib.blake2b(version.encode(), digest_size=8).digest(), "big", signed=True
    )


class Forwards:
    """Reads of any place, of which those that follow each other become few and large."""

    def __init__(self, read: Callable[[int, int], bytes], length: int) -> None:
        self.read, self.length = read, length
        self.block, self.start, self.size = b"", 0, _LEAST

    def __call__(self, offset: int, count: int) -> bytes:
        passed = offset - self.start
        if not 0 <= passed < len(self.block):
            follows = self.block and passed == len(self.block)
            self.size = min(self.size * 4, _MOST) if follows else _LEAST
            end = min(offset + max(count, self.size), self.length)
            self.block = self.read(offset, end) if offset < end else b""
            self.start, passed = offset, 0
        return self.block[passed : passed + count]


class _Fsspec:
    # Those in which a directory can be renamed at once.
    _RENAMING = frozenset({"file", "local", "hdfs", "arrow_hdfs", "sftp", "ssh", "smb"})

    def __init__(self, system: Any) -> None:
        self.system = system
        names = system.protocol
        self.renames = not self._RENAMING.isdisjoint([names] if isinstance(names, str) else names)

    def state(self, url: str) -> tuple[int, str]:
        # What another process changes is to be noticed.
        self.system.invalidate_cache()
        found = self.system.info(url)
        if found.get("type") == "directory":
            raise IsADirectoryError(url)
        names = ("ETag", "etag", "generation", "LastModified", "mtime", "modified", "created")
        known = [str(found[name]) for name in names if found.get(name) is not None]
        return int(found["size"]), " ".join(known)

    def read(self, url: str, start: int, end: int) -> bytes:
        return bytes(self.system.cat_file(url, start=start, end=end))

    def matching(self, pattern: str) -> list[str]:
        found = self.system.glob(pattern, detail=True)
        files = [name for name, what in found.items() if what.get("type") != "directory"]
        scheme, _, rest = pattern.partition("://")
        stripped = str(self.system._strip_protocol(pattern))
        if not rest.endswith(stripped):
            return [str(self.system.unstrip_protocol(name)) for name in files]
        # The machine, where names are without it.
        host = rest.removesuffix(stripped)
        return [f"{scheme}://{host}{name}" for name in files]

    def is_there(self, url: str) -> bool:
        self.system.invalidate_cache()
        return bool(self.system.exists(url))

    def make_directory(self, url: str) -> None:
        self.system.makedirs(url, exist_ok=True)

    def create(self, url: str) -> Any:
        return self.system.open(url, "wb")

    def write(self, url: str, data: bytes) -> None:
        self.system.pipe_file(url, data)

    def names(self, url: str) -> list[str]:
        self.system.invalidate_cache()
        return [str(name).rpartition("/")[2] for name in self.system.ls(url, detail=False)]

    def remove(self, url: str) -> None:
        self.system.rm_file(url)

    def remove_tree(self, url: str) -> None:
        if self.is_there(url):
            self.system.rm(url, recursive=True)

    def rename(self, url: str, to: str) -> None:
        self.system.mv(url, to, recursive=True)

    def copy(self, url: str, to: str) -> None:
        self.system.cp_file(url, to)


class _Pyarrow:
    def __init__(self, system: Any) -> None:
        self.system = system
        self.files: dict[str, Any] = {}
        # Of those that pyarrow has, in which a directory can be renamed at once.
        self.renames = system.type_name in ("local", "hdfs")

    def _path(self, url: str) -> str:
        from pyarrow import fs

        return str(fs.FileSystem.from_uri(url)[1])

    def state(self, url: str) -> tuple[int, str]:
        from pyarrow import fs

        found = self.system.get_file_info(self._path(url))
        if found.type == fs.FileType.NotFound:
            raise FileNotFoundError(url)
        if found.type != fs.FileType.File:
            raise IsADirectoryError(url)
        self.files.pop(url, None)
        return int(found.size), str(found.mtime_ns)

    def read(self, url: str, start: int, end: int) -> bytes:
        file = self.files.get(url)
        if file is None:
            # Of few files, since pieces follow each other.
            self.files.clear()
            file = self.files[url] = self.system.open_input_file(self._path(url))
        return bytes(file.read_at(end - start, start))

    def matching(self, pattern: str) -> list[str]:
        from pyarrow import fs

        head, scheme, rest = pattern.partition("://")
        fixed = rest[: min(rest.find(char) for char in "*?[" if char in rest)].rpartition("/")[0]
        base = self._path(f"{head}{scheme}{fixed}")
        wanted = base.rstrip("/") + rest[len(fixed) :]
        deep = "**" in rest or "/" in rest[len(fixed) + 1 :]
        selector = fs.FileSelector(base, recursive=deep, allow_not_found=True)
        found = [one.path for one in self.system.get_file_info(selector) if one.is_file]
        prefix = f"{head}{scheme}{fixed}"
        return [prefix + path[len(base.rstrip("/")) :] for path in found if _matches(path, wanted)]

    def is_there(self, url: str) -> bool:
        from pyarrow import fs

        return bool(self.system.get_file_info(self._path(url)).type != fs.FileType.NotFound)

    def make_directory(self, url: str) -> None:
        self.system.create_dir(self._path(url), recursive=True)

    def create(self, url: str) -> Any:
        return self.system.open_output_stream(self._path(url))

    def write(self, url: str, data: bytes) -> None:
        with self.create(url) as file:
            file.write(data)

    def names(self, url: str) -> list[str]:
        from pyarrow import fs

        return [
            one.base_name for one in self.system.get_file_info(fs.FileSelector(self._path(url)))
        ]

    def remove(self, url: str) -> None:
        self.system.delete_file(self._path(url))

    def remove_tree(self, url: str) -> None:
        if self.is_there(url):
            self.system.delete_dir(self._path(url))

    def rename(self, url: str, to: str) -> None:
        self.system.move(self._path(url), self._path(to))

    def copy(self, url: str, to: str) -> None:
        self.system.copy_file(self._path(url), self._path(to))


def _matches(path: str, pattern: str) -> bool:
    """As a shell does: `*` stays within a name, and `**` does not."""
    names, wanted = path.split("/"), pattern.split("/")

    def rest(at: int, of: int) -> bool:
        if of == len(wanted):
            return at == len(names)
        if wanted[of] == "**":
            return any(rest(later, of + 1) for later in range(at, len(names) + 1))
        return (
            at < len(names) and fnmatch.fnmatchcase(names[at], wanted[of]) and rest(at + 1, of + 1)
        )

    return rest(0, 0)


def _by_fsspec(url: str, options: Mapping[str, Any]) -> Any:
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return None
    try:
        return _Fsspec(url_to_fs(url, **options)[0])
    except (ImportError, ValueError):
        # No such scheme, or its package is missing: pyarrow has some by itself.
        return None


def _by_pyarrow(url: str, options: Mapping[str, Any]) -> Any:
    scheme = url.partition("://")[0]
    try:
        from pyarrow import fs
    except ImportError:
        raise ImportError(f"{url}: fsspec or pyarrow is needed to read {scheme}://") from None
    if options:
        raise ImportError(
            f"{url}: fsspec, with its package for {scheme}://, is needed for storage_options"
        )
    try:
        return _Pyarrow(fs.FileSystem.from_uri(url)[0])
    except (OSError, ValueError, NotImplementedError) as error:
        raise ValueError(
            f"{url}: neither fsspec nor pyarrow opens {scheme}:// here: {error}"
        ) from error
