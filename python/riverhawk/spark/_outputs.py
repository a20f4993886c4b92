"""Where `output` goes: parts in a hidden directory, which become the output when all are written."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from ._stores import Stores, has_scheme

# Written last: with it the output is complete.
SUCCESS = "_SUCCESS"

# Copies within an object store, which take their time but no work here.
_COPIES_AT_ONCE = 16


def staged(output: str, stores: Stores) -> LocalStage | FarStage:
    """The hidden directory for an output that does not exist yet."""
    return FarStage.beside(output, stores) if has_scheme(output) else LocalStage.beside(output)


def _part(number: int) -> str:
    return f"part-{number:05}"


class LocalStage:
    """A directory that all machines have mounted. It travels by pickle."""

    def __init__(self, place: str, target: str) -> None:
        self.place, self.target = place, target

    @staticmethod
    def beside(output: str) -> LocalStage:
        target = Path(output)
        if target.exists():
            raise FileExistsError(f"{target} exists")
        # Beside the target, so that it becomes it by renaming.
        return LocalStage(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent), output)

    def create(self, name: str) -> IO[bytes]:
        return open(os.path.join(self.place, name), "xb")

    def close(self, file: IO[bytes]) -> None:
        with file:
            file.flush()
            os.fsync(file.fileno())

    def write(self, name: str, data: bytes) -> None:
        file = self.create(name)
        try:
            file.write(data)
        finally:
            self.close(file)

    def publish(self, order: list[str]) -> None:
        """Names the parts by their order, and removes what lost tasks have left."""
        place = Path(self.place)
        used = set(order)
        for path in place.iterdir():
            if path.name not in used:
                path.unlink()
        for number, name in enumerate(order):
            (place / name).rename(place / _part(number))
        (place / SUCCESS).touch()
        place.chmod(0o755)
        place.rename(self.target)

    def discard(self) -> None:
        """Also if tasks that were not needed any more still write there."""
        for _ in range(20):
            shutil.rmtree(self.place, ignore_errors=True)
            if not os.path.exists(self.place):
                return
            time.sleep(0.05)


class FarStage:
    """A directory of a file system with a scheme. It travels by pickle.

    Object stores have no directories that could be renamed: there the parts are copied by the store, and
    `_SUCCESS` is the last of them.
    """

    def __init__(self, place: str, target: str, stores: Stores) -> None:
        self.place, self.target, self.stores = place, target, stores

    @staticmethod
    def beside(output: str, stores: Stores) -> FarStage:
        target = output.rstrip("/")
        head, _, name = target.rpartition("/")
        if not name or head.endswith(":/"):
            raise ValueError(f"{output}: output is a directory of its own, not a whole store")
        stage = FarStage(f"{head}/.{name}.{uuid.uuid4().hex}", target, stores)
        stage._refuse_what_exists()
        if stage._store.renames:
            stage._store.make_directory(stage.place)
        return stage

    @property
    def _store(self) -> Any:
        return self.stores.store(self.target)

    def _refuse_what_exists(self) -> None:
        if self._store.is_there(self.target):
            unfinished = not self._store.is_there(f"{self.target}/{SUCCESS}")
            why = f", without {SUCCESS}: a run was stopped there, or runs" if unfinished else ""
            raise FileExistsError(f"{self.target} exists{why}")

    def create(self, name: str) -> IO[bytes]:
        file: IO[bytes] = self._store.create(f"{self.place}/{name}")
        return file

    def close(self, file: IO[bytes]) -> None:
        file.close()

    def write(self, name: str, data: bytes) -> None:
        self._store.write(f"{self.place}/{name}", data)

    def publish(self, order: list[str]) -> None:
        self._refuse_what_exists()
        if self._store.renames:
            self._rename(order)
        else:
            self._copy(order)

    def _rename(self, order: list[str]) -> None:
        store, used = self._store, set(order)
        for name in store.names(self.place):
            if name not in used:
                store.remove(f"{self.place}/{name}")
        for number, name in enumerate(order):
            store.rename(f"{self.place}/{name}", f"{self.place}/{_part(number)}")
        store.write(f"{self.place}/{SUCCESS}", b"")
        store.rename(self.place, self.target)

    def _copy(self, order: list[str]) -> None:
        def copy(numbered: tuple[int, str]) -> None:
            number, name = numbered
            self._store.copy(f"{self.place}/{name}", f"{self.target}/{_part(number)}")

        try:
            with ThreadPoolExecutor(_COPIES_AT_ONCE) as copies:
                for _ in copies.map(copy, enumerate(order)):
                    pass
            self._store.write(f"{self.target}/{SUCCESS}", b"")
        except BaseException:
            self._store.remove_tree(self.target)
            raise
        self._store.remove_tree(self.place)

    def discard(self) -> None:
        self._store.remove_tree(self.place)


class Parts:
    """What is printed, as files in order: of the driver, and between them those of pieces."""

    def __init__(self, stage: LocalStage | FarStage) -> None:
        self.stage = stage
        self.order: list[str] = []
        self.file: IO[bytes] | None = None

    def write(self, data: bytes) -> int:
        if self.file is None:
            name = f"driver-{uuid.uuid4().hex}"
            self.file = self.stage.create(name)
            self.order.append(name)
        self.file.write(data)
        return len(data)

    def insert(self, name: str) -> None:
        self.close()
        self.order.append(name)

    def close(self) -> None:
        if self.file is not None:
            file, self.file = self.file, None
            self.stage.close(file)

    def publish(self) -> None:
        self.close()
        self.stage.publish(self.order)

    def discard(self) -> None:
        try:
            self.close()
        except OSError:
            # The run ends with the error that made it fail.
            pass
        self.stage.discard()
