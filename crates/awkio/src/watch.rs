//! Waits for followed files. The kernel's events (inotify) only wake the waiter, which looks at all
//! files, so losing one only delays.

use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use riverhawk_system::event::{PollFd, PollFlags, Timespec, poll};

use crate::cancel::{self, readable};
use crate::error::OutputError;
use crate::output::Outputs;
use crate::signals;
use crate::system;
use crate::tail::Tail;
use crate::wait::reader_gone_error;

/// Network file systems send no events.
const LOOKED_AT_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };

/// Reports that something may have happened to a file.
pub struct Watch {
    events: Option<OwnedFd>,
}

impl Watch {
    /// Watches nothing yet.
    pub fn begin() -> Watch {
        Watch { events: system::file_events() }
    }

    /// Watches a file and its folder. Others are polled.
    pub fn add(&self, tail: &Tail) {
        let Some(path) = tail.path() else { return };
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Some(events) = &self.events {
            system::watch(events, path.as_path(), folder);
        }
    }

    fn events(&self) -> Option<BorrowedFd<'_>> {
        self.events.as_ref().map(AsFd::as_fd)
    }

    fn forget_events(&self) {
        if let Some(events) = self.events() {
            let mut notices = [0; 4096];
            while riverhawk_system::io::read(events, &mut notices).is_ok_and(|count| count > 0) {}
        }
    }

    /// Flushes output, then waits for a change, a readable stream, or the end of the run.
    ///
    /// # Errors
    /// The flush's; or `BrokenPipe` if the reader of the only output has gone.
    pub fn wait<'a>(
        &self,
        tails: impl Iterator<Item = &'a Tail>,
        outputs: &mut Outputs,
    ) -> Result<(), Box<OutputError>> {
        outputs.flush_idle()?;
        let lives_for_stdout = outputs.lives_for_stdout();
        let stdout = if lives_for_stdout { outputs.stdout().fd() } else { None };
        let wake = cancel::wake();
        let mut awaited: Vec<PollFd<'_>> = tails.filter_map(Tail::stream).map(readable).collect();
        awaited.extend(self.events().map(readable));
        awaited.extend(wake.as_ref().map(|wake| readable(wake.fd())));
        awaited.extend(signals::interrupted_fd().map(readable));
        // ERR is reported anyway: no reader.
        awaited.extend(stdout.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::empty())));
        // Errors show up when the files are read.
        let polled = poll(&mut awaited, Some(&LOOKED_AT_EVERY));
        let reader_is_gone = polled.is_ok()
            && stdout.is_some()
            && awaited
                .last()
                .is_some_and(|stdout| stdout.revents().intersects(PollFlags::ERR | PollFlags::HUP));
        drop(awaited);
        self.forget_events();
        if reader_is_gone { Err(reader_gone_error()) } else { Ok(()) }
    }
}
