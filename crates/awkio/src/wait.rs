//! Flushes before a read that may block, and notices a lost reader.

use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::error::{Action, OutputError, Target};
use crate::output::Outputs;
use crate::time_limit;

/// Well below the 50 ms that a record may take through a pipe; long enough for full blocks, and for
/// an order of standard output and error that does not depend on scheduling.
const STALL: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

const STALLED: Duration = Duration::from_millis(20);

/// Waits at most `limit`; returns whether `input` is readable or has ended.
pub fn until_readable(input: BorrowedFd<'_>, limit: Duration) -> std::io::Result<bool> {
    let deadline = Instant::now() + limit;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec {
            tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        match poll(&mut [PollFd::from_borrowed_fd(input, PollFlags::IN)], Some(&left)) {
            Err(Errno::INTR) => time_limit::interrupted()?,
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
    if !matches!(poll(&mut [PollFd::from_borrowed_fd(input, PollFlags::IN)], Some(&STALL)), Ok(0)) {
        return Ok(());
    }
    outputs.flush_idle()?;
    if !outputs.lives_for_stdout() {
        return Ok(());
    }
    loop {
        let Some(stdout) = outputs.stdout().fd() else { return Ok(()) };
        // ERR, and HUP on some systems, are reported anyway: no reader.
        let mut waiting = [
            PollFd::from_borrowed_fd(input, PollFlags::IN),
            PollFd::from_borrowed_fd(stdout, PollFlags::empty()),
        ];
        match poll(&mut waiting, None) {
            // The read that follows reports it.
            Err(Errno::INTR) if time_limit::is_over() => return Ok(()),
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
    while !time_limit::is_over() && !ready(ASKED_EVERY) {
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
