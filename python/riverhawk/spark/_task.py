"""What executors do."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from .. import __version__
from .._engine import Program, compile, take_printed
from ._stores import Stores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._outputs import FarStage, LocalStage


class Task:
    """Runs pieces and joins parcels. It travels to executors by pickle."""

    def __init__(
        self,
        version: str,
        text: str | bytes,
        name: str,
        start: bytes,
        stage: LocalStage | FarStage | None,
        stores: Stores | None = None,
    ) -> None:
        """What pieces print goes into files of `stage`."""
        self.version, self.text, self.name = version, text, name
        self.start, self.stage, self.stores = start, stage, stores

    def __reduce__(self) -> tuple[Any, ...]:
        # The version comes first: what another version makes of the rest is not known.
        return _unpickled, (self.version, type(self), self.__dict__)

    def worker(self) -> Any:
        require(self.version)
        program: Program = compile(self.text, name=self.name)
        return program.piece_worker(self.start, self.stores)

    def count(self, pieces: Iterable[bytes]) -> Iterator[int]:
        worker = self.worker()
        for piece in pieces:
            yield worker.count(piece)

    def run(self, number: int, pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        worker = self.worker()
        # Parcels of as many pieces are joined at once, so that few are in memory, and what each has is
        # copied a logarithm of times.
        waiting: list[tuple[int, bytes]] = []
        for piece in pieces:
            count, parcel = 1, self._keep(worker.run(piece))
            while waiting and waiting[-1][0] == count:
                parcel = worker.join([waiting.pop()[1], parcel])
                count *= 2
            waiting.append((count, parcel))
        if waiting:
            yield number, worker.join([parcel for _, parcel in waiting])

    def _keep(self, parcel: bytes) -> bytes:
        """Writes what was printed to a file of its own; attempts of the same task do not meet."""
        if self.stage is None:
            return parcel
        name = f"piece-{uuid.uuid4().hex}"
        parcel, printed = take_printed(parcel, name.encode())
        if printed:
            self.stage.write(name, printed)
        return parcel

    def split(
        self, strands: int, numbered: tuple[int, bytes]
    ) -> Iterator[tuple[int, tuple[int, bytes]]]:
        """The strands of a parcel, by number, each with the number of the parcel."""
        number, parcel = numbered
        for strand, part in enumerate(self.worker().split(parcel, strands)):
            yield strand, (number, part)

    def join(self, group: tuple[int, Iterable[tuple[int, bytes]]]) -> tuple[int, bytes]:
        """What parcels of neighbours make together."""
        number, parcels = group
        return number, self.worker().join([parcel for _, parcel in sorted(parcels)])


def too_much(size: int, limit: int) -> str:
    return (
        f"what comes of the pieces has {size:,} bytes or more, and the driver takes {limit:,}: END needs all of "
        "it there. Raise driver_limit, and spark.driver.memory and spark.driver.maxResultSize with it; "
        "if most of it is printed, let output= keep that out of the driver"
    )


def require(version: str) -> None:
    if version != __version__:
        raise RuntimeError(
            f"the driver has Riverhawk {version}, and this executor {__version__}: "
            "install the same version on all machines"
        )


def _unpickled(version: str, kind: type[Task], fields: dict[str, Any]) -> Task:
    require(version)
    task = kind.__new__(kind)
    task.__dict__.update(fields)
    return task
