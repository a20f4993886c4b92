"""The same program on Ray, with the bytes of a run on one machine.

python on_ray.py PROGRAM FILE...

All nodes must be able to open the files by these names, and have the same version of `riverhawk`.
"""

from __future__ import annotations

import sys

import ray

import riverhawk as rh

# Parcels that one task joins.
AT_ONCE = 8


@ray.remote
def count_records(text: str, start: bytes, pieces: list[bytes]) -> list[int]:
    worker = rh.compile(text).piece_worker(start)
    return [worker.count(piece) for piece in pieces]


@ray.remote
def run_pieces(text: str, start: bytes, pieces: list[bytes]) -> bytes:
    worker = rh.compile(text).piece_worker(start)
    return worker.join([worker.run(piece) for piece in pieces])


@ray.remote
def join_parcels(text: str, start: bytes, *parcels: bytes) -> bytes:
    return rh.compile(text).piece_worker(start).join(list(parcels))


class Ray:
    """Brings pieces to Ray's nodes, and their results back."""

    # What cannot run in pieces is an error.
    runs_rest = False

    def __init__(self, text: str) -> None:
        self.text = text

    def count(self, start: bytes, pieces: list[bytes]) -> list[int]:
        start = ray.put(start)
        counts = ray.get([count_records.remote(self.text, start, some) for some in grouped(pieces)])
        return [count for some in counts for count in some]

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        start = ray.put(start)
        parcels = [run_pieces.remote(self.text, start, some) for some in grouped(pieces)]
        # Neighbours are joined by the nodes until few are left.
        while len(parcels) > AT_ONCE:
            parcels = [join_parcels.remote(self.text, start, *some) for some in grouped(parcels)]
        return ray.get(parcels)

    def insert(self, name: bytes) -> None:
        raise NotImplementedError("no output is kept elsewhere")


def grouped(things: list) -> list[list]:
    return [things[at : at + AT_ONCE] for at in range(0, len(things), AT_ONCE)]


def main() -> int:
    text, *files = sys.argv[1:]
    ray.init(log_to_driver=False)
    result = rh.compile(text).run(files=files, cluster=Ray(text), piece_size=1 << 20)
    sys.stdout.buffer.write(result.stdout)
    sys.stderr.buffer.write(result.stderr)
    return result.status


if __name__ == "__main__":
    sys.exit(main())
