//! Closing a file with the system's answer.
//!
//! Dropping an [`OwnedFd`] discards it, although network and quota file systems report lost writes
//! only here. The only unsafe code of the crate.

use crate::error::{Failure, Step, during};
use riverhawk_system::fd::{IntoRawFd, OwnedFd};

/// Closes `file` and reports the error. An interrupted close is not repeated: on Linux the
/// descriptor is already closed.
#[allow(unsafe_code)]
pub(crate) fn close(file: OwnedFd) -> Result<(), Failure> {
    // SAFETY: `OwnedFd` owned the descriptor, so it is open; `into_raw_fd` took it from its only
    // owner, so it is not used afterwards.
    match unsafe { riverhawk_system::io::try_close(file.into_raw_fd()) } {
        Err(riverhawk_system::io::Errno::INTR) => Ok(()),
        result => result.map_err(during(Step::Close)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_system::fs::{Mode, OFlags};

    #[test]
    fn a_closed_file_is_closed_once_and_its_number_is_free_again() {
        let open = || {
            riverhawk_system::fs::open("/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())
                .unwrap()
        };
        for _ in 0..100_000 {
            close(open()).unwrap();
            drop(open());
        }
    }
}
