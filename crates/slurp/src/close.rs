//! Closing a file with the system's answer.
//!
//! Dropping an [`OwnedFd`] throws it away, and network and quota file systems report a lost write
//! only here. The only unsafe code of the crate.

use crate::error::{Failure, Step, during};
use rustix::fd::{IntoRawFd, OwnedFd};

/// Closes `file` and reports the error. An interrupted close is not repeated: on Linux the
/// descriptor is gone by then.
#[allow(unsafe_code)]
pub(crate) fn close(file: OwnedFd) -> Result<(), Failure> {
    // SAFETY: the descriptor is open because `OwnedFd` owned it, and nobody uses it afterwards
    // because `into_raw_fd` took it out of its only owner.
    match unsafe { rustix::io::try_close(file.into_raw_fd()) } {
        Err(rustix::io::Errno::INTR) => Ok(()),
        result => result.map_err(during(Step::Close)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{Mode, OFlags};

    #[test]
    fn a_closed_file_is_closed_once_and_its_number_is_free_again() {
        let open = || {
            rustix::fs::open("/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()).unwrap()
        };
        for _ in 0..100_000 {
            close(open()).unwrap();
            drop(open());
        }
    }
}
