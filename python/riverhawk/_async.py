"""Programs that an event loop waits for."""

from __future__ import annotations

import asyncio
import contextvars
from functools import partial
from typing import TYPE_CHECKING

from ._engine import Cancel

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._engine import Program, Result
    from ._types import RunOptions


async def run_async(program: Program, **options: Unpack[RunOptions]) -> Result:
    """Run a program on a thread of the event loop's executor."""
    cancel = options.setdefault("cancel", None) or Cancel()
    options["cancel"] = cancel
    call = partial(contextvars.copy_context().run, partial(program.run, **options))
    run = asyncio.get_running_loop().run_in_executor(None, call)
    try:
        return await asyncio.shield(run)
    except asyncio.CancelledError:
        cancel.cancel()
        # What it raises now is that it was cancelled.
        await asyncio.wait([run])
        run.exception()
        raise
