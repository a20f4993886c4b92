"""Who is faster, fairly."""

import resource
import time
from collections.abc import Callable, Mapping
from typing import Any


def cpu_time() -> float:
    """Seconds of this process and of those that it has waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def least_times(
    peers: Mapping[str, Callable[[], Any]],
    turns: int,
    clock: Callable[[], float] = cpu_time,
) -> dict[str, float]:
    """The least time of each, in seconds, of so many turns."""
    best = dict.fromkeys(peers, float("inf"))
    for _ in range(turns):
        for name, run in peers.items():
            begun = clock()
            run()
            best[name] = min(best[name], clock() - begun)
    return best


elapsed = time.perf_counter
