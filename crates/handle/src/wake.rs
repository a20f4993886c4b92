//! One descriptor per thread, which ends its wait.
//!
//! A blocked call polls this and the descriptor it waits for. It belongs to the thread, so a
//! thousand idle handles need none.

use crate::system;
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use std::io;
use std::sync::Arc;

/// A signal: the end that waits for it, and that which sends it if it is another.
#[derive(Debug)]
pub struct Wake(OwnedFd, Option<OwnedFd>);

impl Wake {
    /// One that is not signalled.
    ///
    /// # Errors
    /// There is no free descriptor.
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = system::signal()?;
        Ok(Self(reader, writer))
    }

    /// Created at the thread's first wait.
    pub(crate) fn of_this_thread() -> io::Result<Arc<Self>> {
        thread_local! {
            static WAKE: std::cell::OnceCell<Arc<Wake>> = const { std::cell::OnceCell::new() };
        }
        let kept = WAKE.try_with(|cell| -> io::Result<Arc<Self>> {
            if let Some(wake) = cell.get() {
                return Ok(Arc::clone(wake));
            }
            let made = Arc::new(Self::new()?);
            Ok(Arc::clone(cell.get_or_init(|| made)))
        });
        // During the thread's teardown: one for this wait.
        kept.unwrap_or_else(|_| Ok(Arc::new(Self::new()?)))
    }

    /// Readable once it has been signalled.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// Makes [`fd`](Wake::fd) readable. A full pipe or counter has been signalled already.
    pub fn signal(&self) {
        let _ =
            riverhawk_system::io::write(self.1.as_ref().unwrap_or(&self.0), &1_u64.to_ne_bytes());
    }

    pub(crate) fn reset(&self) {
        let mut counted = [0; 8];
        while system::may_read_signal(self.fd())
            && riverhawk_system::io::read(&self.0, &mut counted).is_ok_and(|count| count > 0)
        {
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_system::event::{PollFd, PollFlags, Timespec, poll};

    fn is_signalled(wake: &Wake) -> bool {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut [PollFd::from_borrowed_fd(wake.fd(), PollFlags::IN)], Some(&now)).unwrap() == 1
    }

    #[test]
    fn a_thread_has_one_and_it_can_be_used_again() {
        let wake = Wake::of_this_thread().unwrap();
        assert!(Arc::ptr_eq(&wake, &Wake::of_this_thread().unwrap()));
        assert!(!is_signalled(&wake));
        wake.signal();
        wake.signal();
        assert!(is_signalled(&wake));
        wake.reset();
        assert!(!is_signalled(&wake));
    }
}
