//! macOS.

use std::io;

/// The lowest address of this thread's stack.
pub(crate) fn stack_end() -> Option<usize> {
    // SAFETY: they only read what is known of this thread.
    let (start, size) = unsafe {
        let this = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(this).addr(), libc::pthread_get_stacksize_np(this))
    };
    start.checked_sub(size)
}

/// The names of all threads of the process but this one: the system has no list of them.
pub(crate) fn other_threads() -> io::Result<Vec<String>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The major and minor part of a device's number, which has 32 bits.
pub(crate) fn device_parts(device: u64) -> (f64, f64) {
    let device = device as libc::dev_t;
    (f64::from(libc::major(device)), f64::from(libc::minor(device)))
}
