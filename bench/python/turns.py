"""Who is faster, fairly."""

import time
from collections.abc import Callable, Mapping
from typing import Any


def least_times(peers: Mapping[str, Callable[[], Any]], turns: int) -> dict[str, float]:
    """The least CPU time of each, in seconds, of so many turns."""
    best = dict.fromkeys(peers, float("inf"))
    for _ in range(turns):
        for name, run in peers.items():
            begun = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - begun)
    return best
