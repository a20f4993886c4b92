//! Advisory locks: `flock(2)` on the whole file, released on close.

use crate::error::{ErrorKind, Failure, Step, during};
use riverhawk_system::fd::BorrowedFd;
use riverhawk_system::fs::{FlockOperation, flock};
use riverhawk_system::io::{Errno, retry_on_intr};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The lock of an operation. Only affects programs that lock too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lock {
    /// No lock.
    #[default]
    None,
    /// With other readers.
    Shared,
    /// Without others.
    Exclusive,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Locking {
    pub(crate) lock: Lock,
    pub(crate) timeout: Option<Duration>,
}

/// The first and the maximum sleep between tries.
const FIRST_NAP: Duration = Duration::from_micros(500);
const LONGEST_NAP: Duration = Duration::from_millis(10);

impl Locking {
    /// Locks an open file, or fails with [`ErrorKind::LockTimeout`] when `begin` is too long ago.
    pub(crate) fn take(self, file: BorrowedFd<'_>, begin: Instant) -> Result<(), Failure> {
        let (waiting, trying) = match self.lock {
            Lock::None => return Ok(()),
            Lock::Shared => (FlockOperation::LockShared, FlockOperation::NonBlockingLockShared),
            Lock::Exclusive => {
                (FlockOperation::LockExclusive, FlockOperation::NonBlockingLockExclusive)
            }
        };
        let Some(timeout) = self.timeout else {
            return retry_on_intr(|| flock(file, waiting)).map_err(during(Step::Lock));
        };
        let mut nap = FIRST_NAP;
        loop {
            match retry_on_intr(|| flock(file, trying)) {
                Err(Errno::WOULDBLOCK) => {}
                result => return result.map_err(during(Step::Lock)),
            }
            let left = timeout.saturating_sub(begin.elapsed());
            if left.is_zero() {
                let message = format!("locked by another program for {timeout:?}");
                return Err(Failure::new(Step::Lock, ErrorKind::LockTimeout, message));
            }
            sleep(nap.min(left));
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }
}
