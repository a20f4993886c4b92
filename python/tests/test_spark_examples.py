"""The examples on other clusters give the bytes of one run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import riverhawk as rh

if os.environ.get("RIVERHAWK_SPARK_MASTER", "").partition("[")[0] != "local":
    pytest.skip("left out: for python/test --cluster, once", allow_module_level=True)

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("peer", ["dask", "ray"])
def test_an_example(peer: str, tmp_path: Path) -> None:
    pytest.importorskip(peer, reason=f"left out: {peer} is not installed")
    path = tmp_path / "log"
    path.write_text("".join(f"key{n * 7 % 1000} {n}\n" for n in range(400_000)))
    program = "{ n[$1] += $2 } NR % 50000 == 0 { print NR, $1 } END { for (k in n) print k, n[k] }"
    command = [sys.executable, str(EXAMPLES / f"on_{peer}.py"), program, str(path)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == rh.awk(program, path).stdout
