"""The same program on an Apache Spark cluster, with the bytes of a run on one machine.

The driver leads: it runs `BEGIN`, the first and the last records and `END`. Executors run pieces of the
files, and join what comes of pieces that follow each other. Paths must mean the same files on all
machines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._columns import udf
from ._run import explain, run

if TYPE_CHECKING:
    from ._frames import ProgramSource

__all__ = ["ProgramSource", "explain", "run", "udf"]


def __getattr__(name: str) -> Any:
    # PySpark is imported only for what needs its classes.
    if name == "ProgramSource":
        from ._frames import ProgramSource

        return ProgramSource
    raise AttributeError(name)
