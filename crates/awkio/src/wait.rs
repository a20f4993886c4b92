//! Flushes before a read that may block, and notices a lost reader.

use riverhawk_system::fd::BorrowedFd;
use std::time::{Duration, Instant};

use riverhawk_system::event::{PollFd, PollFlags, Timespec, poll};
use riverhawk_system::io::Errno;

use crate::cancel::{self, readable};
use crate::error::{Action, OutputError, Target};
use crate::output::Outputs;

/// Well below the 50 ms that a record may take through a pipe; long enough for full blocks, and for
/// an order of standard output and error that does not depend on scheduling.
const STALL: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

const STALLED: Duration = Duration::from_millis(20);

/// Waits at most `limit`, and not longer than the run; returns whether `input` is readable or has
/// ended.
pub fn until_readable(input: BorrowedFd<'_>, limit: Duration) -> std::io::Result<bool> {
    wait_until_readable(input, Instant::now().checked_add(limit))
}

/// Without an `end`, waits as long as the run lasts.
pub(crate) fn wait_until_readable(
    input: BorrowedFd<'_>,
    end: Option<Instant>,
) -> std::io::Result<bool> {
    let wake = cancel::wake();
    loop {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut awaited = vec![readable(input)];
        awaited.extend(wake.as_ref().map(|wake| readable(wake.fd())));
        let polled = poll(&mut awaited, left.as_ref());
        if polled != Ok(0) {
            cancel::interrupted()?;
        }
        match polled {
            Err(Errno::INTR) => {}
            result => return Ok(result? > 0),
        }
    }
}

/// Waits for `input`, and flushes all output after 20 ms.
///
/// # Errors
/// The flush's; or `BrokenPipe` if the reader of the only output has gone.
pub(crate) fn before_read(
    outputs: &mut Outputs,
    input: BorrowedFd<'_>,
) -> Result<(), Box<OutputError>> {
    // Only promptness is lost.
    let wake = cancel::wake();
    let wake = wake.as_ref().map(|wake| readable(wake.fd()));
    let mut first = vec![readable(input)];
    first.extend(wake.clone());
    if !matches!(poll(&mut first, Some(&STALL)), Ok(0)) {
        return Ok(());
    }
    outputs.flush_idle()?;
    if !outputs.lives_for_stdout() {
        return Ok(());
    }
    loop {
        let Some(stdout) = outputs.stdout().fd() else { return Ok(()) };
        // ERR, and HUP on some systems, are reported anyway: no reader.
        let mut waiting =
            vec![readable(input), PollFd::from_borrowed_fd(stdout, PollFlags::empty())];
        waiting.extend(wake.clone());
        match poll(&mut waiting, None) {
            // The read that follows reports it.
            _ if cancel::is_stopped() => return Ok(()),
            Err(Errno::INTR) => continue,
            Err(_) => return Ok(()),
            Ok(_) => {}
        }
        let reader_gone = waiting[1].revents().intersects(PollFlags::ERR | PollFlags::HUP);
        if !waiting[0].revents().is_empty() || !reader_gone {
            return Ok(());
        }
        return Err(reader_gone_error());
    }
}

const ASKED_EVERY: Duration = Duration::from_millis(100);

/// The same in a run that can be stopped.
const STOPPABLE_ASKED_EVERY: Duration = Duration::from_millis(5);

/// As `before_read`: `ready` waits at most the given time and returns whether there is input.
///
/// # Errors
/// As `before_read`.
pub fn before_others(
    outputs: &mut Outputs,
    ready: &dyn Fn(Duration) -> bool,
) -> Result<(), Box<OutputError>> {
    if ready(STALLED) {
        return Ok(());
    }
    outputs.flush_idle()?;
    let is_stoppable = cancel::current().is_some();
    let asked_every = if is_stoppable { STOPPABLE_ASKED_EVERY } else { ASKED_EVERY };
    while !cancel::is_stopped() && !ready(asked_every) {
        let Some(stdout) = outputs.lives_for_stdout().then(|| outputs.stdout().fd()).flatten()
        else {
            continue;
        };
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut asked = [PollFd::from_borrowed_fd(stdout, PollFlags::empty())];
        if poll(&mut asked, Some(&now)).is_ok()
            && asked[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
        {
            return Err(reader_gone_error());
        }
    }
    Ok(())
}

pub(super) fn reader_gone_error() -> Box<OutputError> {
    let source = std::io::ErrorKind::BrokenPipe.into();
    Box::new(OutputError { target: Target::Stdout, action: Action::Write, source })
}
