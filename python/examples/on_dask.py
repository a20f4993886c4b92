"""The same program on Dask, with the bytes of a run on one machine.

python on_dask.py PROGRAM FILE...

All workers must be able to open the files by these names. With `dask.distributed`, make a `Client` first: Dask then
uses it.
"""

from __future__ import annotations

import sys

import dask

import riverhawk as rh

# Parcels that one task joins.
AT_ONCE = 8


def count_records(text: str, start: bytes, piece: bytes) -> int:
    return rh.compile(text).piece_worker(start).count(piece)


def run_pieces(text: str, start: bytes, pieces: list[bytes]) -> bytes:
    worker = rh.compile(text).piece_worker(start)
    return worker.join([worker.run(piece) for piece in pieces])


def join_parcels(text: str, start: bytes, parcels: list[bytes]) -> bytes:
    return rh.compile(text).piece_worker(start).join(parcels)


class Dask:
    """Brings pieces to Dask's workers, and their results back."""

    # What cannot run in pieces is an error.
    runs_rest = False

    def __init__(self, text: str, scheduler: str | None = None) -> None:
        self.text, self.scheduler = text, scheduler

    def _compute(self, tasks: list[object]) -> list[object]:
        return list(dask.compute(*tasks, scheduler=self.scheduler))

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        count = dask.delayed(count_records, pure=False)
        return self._compute([count(self.text, start, piece) for piece in pieces])

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        run = dask.delayed(run_pieces, pure=False)
        join = dask.delayed(join_parcels, pure=False)
        parcels = [run(self.text, start, some) for some in grouped(pieces)]
        # Neighbours are joined by the workers until few are left.
        while len(parcels) > AT_ONCE:
            parcels = [join(self.text, start, some) for some in grouped(parcels)]
        return self._compute(parcels)

    def insert(self, name: bytes) -> None:
        raise NotImplementedError("no output is kept elsewhere")


def grouped(things: list) -> list[list]:
    return [things[at : at + AT_ONCE] for at in range(0, len(things), AT_ONCE)]


def main() -> int:
    text, *files = sys.argv[1:]
    program = rh.compile(text)
    cluster = Dask(text, scheduler="processes")
    result = program.run(files=files, cluster=cluster, piece_size=1 << 20)
    sys.stdout.buffer.write(result.stdout)
    sys.stderr.buffer.write(result.stderr)
    return result.status


if __name__ == "__main__":
    sys.exit(main())
