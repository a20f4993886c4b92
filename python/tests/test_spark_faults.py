"""What goes wrong on a cluster: the right bytes or a clear error, and no half output."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import riverhawk as rh

if "RIVERHAWK_SPARK_MASTER" not in os.environ:
    pytest.skip("left out: for python/test --cluster", allow_module_level=True)
pytest.importorskip("pyspark", reason="left out: pyspark is not installed")

from pyspark import TaskContext, cloudpickle  # noqa: E402

import riverhawk.spark as rhspark  # noqa: E402
from riverhawk.spark import _run as spark_run  # noqa: E402
from riverhawk.spark import _task as spark_task  # noqa: E402

# Executors do not have this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call, unused-ignore]

IS_APART = "cluster" in os.environ["RIVERHAWK_SPARK_MASTER"]

# Few tasks, as each is repeated until the job fails, with a new Python each time.
PIECE_SIZE = 400_000
PROGRAM = "{ n[$1] += $2; print NR, $1 } END { for (k in n) print k, n[k] }"


class Faulty(spark_task.Task):
    """Something happens in each task before it runs its pieces."""

    place: str

    def run(self, number: int, pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        self.happen(list(pieces := list(pieces)))
        return super().run(number, pieces)

    def happen(self, pieces: list[bytes]) -> None:
        raise NotImplementedError

    def is_first(self) -> bool:
        """Whether no other task of the run was here."""
        try:
            os.close(os.open(os.path.join(self.place, "first"), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True


class Killing(Faulty):
    """The machine of the first task dies, with what it has made."""

    def happen(self, pieces: list[bytes]) -> None:
        worker = self.worker()
        for piece in pieces:
            self._keep(worker.run(piece))
        if self.is_first():
            with open(f"/proc/{os.getppid()}/status") as status:
                parent = next(int(line.split()[1]) for line in status if line.startswith("PPid"))
            os.kill(parent, signal.SIGKILL)
            time.sleep(60)


class FailingTwice(Faulty):
    def happen(self, pieces: list[bytes]) -> None:
        context = TaskContext.get()
        assert context is not None
        if context.attemptNumber() < 2:
            raise OSError("the network is gone")


class Doubled(Faulty):
    """As with speculation: another attempt has run all of it, and a third has been stopped in the midst."""

    def happen(self, pieces: list[bytes]) -> None:
        list(super(Faulty, self).run(0, pieces))
        self._keep(self.worker().run(pieces[0]))


class Full(Faulty):
    """A file may have 1,000 bytes."""

    def _keep(self, parcel: bytes) -> bytes:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        try:
            return super()._keep(parcel)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    def happen(self, pieces: list[bytes]) -> None:
        pass


class Slow(Faulty):
    def happen(self, pieces: list[bytes]) -> None:
        open(os.path.join(self.place, "begun"), "w").close()
        time.sleep(20)


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Any:
    def use(kind: type[Faulty]) -> Path:
        place = tmp_path_factory.mktemp("faults")

        class FaultySpark(spark_run.Spark):
            def _task(self, start: bytes) -> spark_task.Task:
                task = kind(*_arguments(super()._task(start)))
                task.place = str(place)
                return task

        monkeypatch.setattr(spark_run, "Spark", FaultySpark)
        return place

    return use


def _arguments(task: spark_task.Task) -> tuple[Any, ...]:
    return task.version, task.text, task.name, task.start, task.stage, task.stores


def is_right(spark: Any, logs: list[Path], directory: Path) -> None:
    """Whether the output in parts is that of one run, and nothing else is there."""
    result = rhspark.run(spark, PROGRAM, logs, piece_size=PIECE_SIZE, output=directory / "out")
    expected = rh.awk(PROGRAM, *logs)
    assert (result.status, result.variables) == (expected.status, expected.variables)
    parts = sorted(path.name for path in (directory / "out").iterdir())
    assert parts == ["_SUCCESS", *(f"part-{at:05}" for at in range(len(parts) - 1))]
    found = b"".join((directory / "out" / part).read_bytes() for part in parts[1:])
    assert found == expected.stdout
    assert [path.name for path in directory.iterdir()] == ["out"]


@pytest.mark.skipif(not IS_APART, reason="left out: the executor is the driver")
def test_an_executor_that_is_killed(
    spark: Any, logs: list[Path], tmp_path: Path, faulty: Any
) -> None:
    place = faulty(Killing)
    is_right(spark, logs, tmp_path)
    assert (place / "first").exists()


@pytest.mark.parametrize("kind", [FailingTwice, Doubled])
def test_tasks_that_run_more_than_once(
    spark: Any, logs: list[Path], tmp_path: Path, faulty: Any, kind: type[Faulty]
) -> None:
    faulty(kind)
    is_right(spark, logs, tmp_path)


def fails(spark: Any, logs: list[Path], directory: Path, message: str, **options: Any) -> None:
    options.setdefault("piece_size", PIECE_SIZE)
    with pytest.raises(rh.RuntimeError, match=message) as error:
        rhspark.run(spark, PROGRAM, logs, output=directory / "out", **options)
    assert "\tat " not in str(error.value), "no stack of Java's"
    assert not list(directory.iterdir()), "no half output"


def test_a_full_disk_under_the_output_of_executors(
    spark: Any, logs: list[Path], tmp_path: Path, faulty: Any
) -> None:
    faulty(Full)
    fails(spark, logs, tmp_path, "OSError: .*File too large")


def test_a_full_disk_under_the_output_of_the_driver(
    spark: Any, logs: list[Path], tmp_path: Path
) -> None:
    program = "{ n++ } END { for (i = 0; i < 100000; i++) print i }"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            rhspark.run(spark, program, [], output=tmp_path / "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir()), "no half output"


def test_a_file_system_without_room(
    spark: Any, logs: list[Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    small = tmp_path_factory.mktemp("small")
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", small],
        capture_output=True,
        check=False,
    )
    if not mounted or mounted.returncode:
        pytest.skip("left out: mounting a small file system needs root")
    try:
        fails(spark, logs, small, "No space left on device")
    finally:
        # A task that is not needed any more may still have a file open.
        subprocess.run(["umount", "--lazy", small], check=True)


class Between(spark_run.Spark):
    """Something happens between the counting of records and their run."""

    @staticmethod
    def happen() -> None:
        raise NotImplementedError

    def run(self, start: bytes, pieces: list[bytes]) -> list[bytes]:
        self.happen()
        return super().run(start, pieces)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda path: path.write_text("milk 1\n" * 70000),
            "log has changed .* it had 360000 bytes and has 490000",
        ),
        (lambda path: os.utime(path, ns=(1, 1)), "log has changed .* time of modification"),
        (lambda path: path.unlink(), "cannot open .*log: No such file"),
    ],
)
def test_a_file_that_changes_between_the_passes(
    spark: Any, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch, change: Any, message: str,
) -> None:  # fmt: skip
    path = tmp_path_factory.mktemp("changing") / "log"
    path.write_text("tea 1\n" * 60000)
    monkeypatch.setattr(Between, "happen", staticmethod(lambda: change(path)))
    monkeypatch.setattr(spark_run, "Spark", Between)
    fails(spark, [path], tmp_path, message, piece_size=100_000)


def test_a_driver_that_would_hold_too_much(spark: Any, logs: list[Path], tmp_path: Path) -> None:
    program = "{ n[$0]++ } END { for (k in n) print k }"
    with pytest.raises(rh.RuntimeError, match="and the driver takes 10,240: .* Raise driver_limit"):
        rhspark.run(spark, program, logs, piece_size=PIECE_SIZE, driver_limit="10KB")
    fails(spark, logs, tmp_path, "the driver takes 300: ", driver_limit=300)


def test_another_version_on_an_executor(
    spark: Any, logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_run, "__version__", "0.0.1")
    fails(
        spark,
        logs,
        tmp_path,
        f"the driver has Riverhawk 0.0.1, and this executor {rh.__version__}: ",
    )


def another_python() -> str | None:
    installed = map(str, Path.home().glob(".pyenv/versions/3.1?.*/bin/python"))
    for found in ["python3.12", "python3.13", *installed]:
        command = [found, "-c", "import sys; print(sys.version_info[1], sys.executable)"]
        try:
            minor, path = subprocess.check_output(
                command, text=True, stderr=subprocess.DEVNULL
            ).split()
        except (OSError, subprocess.CalledProcessError):
            continue
        if int(minor) != sys.version_info[1]:
            return path
    return None


def test_another_python_on_an_executor(
    spark: Any, logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = another_python()
    if other is None:
        pytest.skip("left out: there is no other Python")
    monkeypatch.setattr(spark.sparkContext, "pythonExec", other)
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    there = subprocess.check_output(
        [other, "-c", "import sys; print(*sys.version_info[:2], sep='.')"], text=True
    ).strip()
    fails(spark, logs, tmp_path, rf"PYSPARK_PYTHON.*{there}.*{here}")


def test_an_executor_without_the_package(
    spark: Any, logs: list[Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    bare = tmp_path_factory.mktemp("bare") / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys._base_executable} "$@"\n')  # type: ignore[attr-defined]
    bare.chmod(0o755)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", str(bare))
    fails(spark, logs, tmp_path, "an executor has no Riverhawk .*: install")


def test_a_run_that_is_cancelled(spark: Any, logs: list[Path], tmp_path: Path, faulty: Any) -> None:
    place = faulty(Slow)
    context = spark.sparkContext

    def cancel() -> None:
        while not (place / "begun").exists():
            time.sleep(0.02)
        context.cancelJobGroup("awk")

    context.setJobGroup("awk", "a run", interruptOnCancel=True)
    cancelling = threading.Thread(target=cancel)
    cancelling.start()
    try:
        fails(spark, logs, tmp_path, "the run was cancelled: Job .* awk")
    finally:
        cancelling.join()
        context.setLocalProperty("spark.jobGroup.id", None)


def test_ctrl_c(spark: Any, logs: list[Path], tmp_path: Path, faulty: Any) -> None:
    place = faulty(Slow)

    def press() -> None:
        while not (place / "begun").exists():
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    pressing = threading.Thread(target=press)
    pressing.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        rhspark.run(spark, PROGRAM, logs, piece_size=PIECE_SIZE, output=tmp_path / "out")
    pressing.join()
    assert time.monotonic() - begun < 15, "no task was waited for"
    assert not list(tmp_path.iterdir()), "no half output"
