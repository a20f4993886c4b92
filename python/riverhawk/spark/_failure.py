"""What Spark raises, as errors that say what happened in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from .._errors import RuntimeError as RunError

_MISMATCH = re.compile(r"\[PYTHON_VERSION_MISMATCH\][^\n]*")
_TOO_LARGE = re.compile(r"Total size of serialized results[^\n]*")
_CANCELLED = re.compile(r"Job \d+ (?:was )?cancelled[^\n]*")
_LOST = re.compile(r"(?:ExecutorLostFailure|Lost task)[^\n]*")


@contextmanager
def explained() -> Iterator[None]:
    """Errors of jobs become `riverhawk.RuntimeError`, with Spark's own as their cause."""
    try:
        yield
    except RunError:
        raise
    except Exception as error:
        message = reason(str(error))
        if message is None:
            raise
        raise RunError(message) from error


def reason(text: str) -> str | None:
    """What ended a job, of Spark's message with the stacks of Java and Python."""
    if found := _MISMATCH.search(text):
        return f"an executor runs another Python (PYSPARK_PYTHON): {found[0]}"
    if found := _TOO_LARGE.search(text):
        return (
            f"{found[0].strip()}: what comes of the pieces does not fit into the driver. Raise "
            "spark.driver.maxResultSize and spark.driver.memory, or let output= keep what is printed out of it"
        )
    if found := _CANCELLED.search(text):
        return f"the run was cancelled: {found[0].strip()}"
    raised = _raised(text)
    if raised is not None:
        kind, message = raised
        if kind == "ModuleNotFoundError" and "'riverhawk" in message:
            return (
                f"an executor has no Riverhawk ({message}): install the driver's version there, "
                "or send it with --archives or on the image"
            )
        return message if kind in ("ValueError", "RuntimeError") else f"{kind}: {message}"
    if found := _LOST.search(text):
        return found[0].strip()
    return None


def _raised(text: str) -> tuple[str, str] | None:
    """The class and the message that end the last traceback of Python."""
    _, begun, traceback = text.rpartition("Traceback (most recent call last):\n")
    if not begun:
        return None
    lines: list[str] = []
    for line in traceback.splitlines():
        if line.startswith("\tat ") or (lines and not line.strip()):
            break
        # Source lines of the stack are indented.
        if lines or not line.startswith(" "):
            lines.append(line)
    kind, colon, message = "\n".join(lines).partition(": ")
    return (kind.rpartition(".")[2], message.strip()) if colon else None
