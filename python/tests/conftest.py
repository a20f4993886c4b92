"""What all tests need."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes is the machine's matter.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# A shell that starts the tests in the background has them ignore Ctrl-C, and Python then has no handler.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession  # type: ignore[import-not-found, unused-ignore]

    master = os.environ["RIVERHAWK_SPARK_MASTER"]
    session = (
        SparkSession.builder.master(master)
        # So that an executor that dies is replaced at once.
        .config("spark.deploy.maxExecutorRetries", "-1")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    directory = tmp_path_factory.mktemp("logs")
    words = ["tea", "milk", "sugar", "x"]
    paths = []
    for file in range(2):
        path = directory / f"log{file}"
        path.write_text("".join(f"{words[n * 7 % 4]} {n + file * 60000}\n" for n in range(60000)))
        paths.append(path)
    return paths
