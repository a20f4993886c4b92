//! Linux and Android.

use riverhawk_system::process::{Resource, getrlimit};
use std::io;

/// The lowest address of this thread's stack, if the system knows it.
pub(crate) fn stack_end() -> Option<usize> {
    // SAFETY: the attributes are initialised by the first call, read, and destroyed.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let (mut address, mut size) = (std::ptr::null_mut(), 0);
        let status = libc::pthread_attr_getstack(&attributes, &mut address, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        let is_first = libc::gettid() == libc::getpid();
        (status == 0).then(|| match is_first && cfg!(target_env = "musl") {
            true => end_of_first(address.addr() + size),
            false => address.addr(),
        })
    }
}

/// The lowest address of the first thread's stack, which begins below `top`. musl says how far it has
/// grown, which is less than a call of machine code needs at first; it grows to the process's limit.
fn end_of_first(top: usize) -> usize {
    /// Without a limit, what is the limit elsewhere.
    const UNLIMITED: u64 = 8 << 20;
    let limit = getrlimit(Resource::Stack).current.unwrap_or(UNLIMITED);
    // Arguments and environment lie above, and the system lets them have a quarter.
    top.saturating_sub(usize::try_from(limit / 4 * 3).unwrap_or(usize::MAX))
}

/// The names of all threads of the process but this one.
pub(crate) fn other_threads() -> io::Result<Vec<String>> {
    let this = riverhawk_system::thread::gettid().as_raw_nonzero().get().to_string();
    let mut names = Vec::new();
    for thread in std::fs::read_dir("/proc/self/task")? {
        let thread = thread?;
        if thread.file_name().to_str() != Some(&this) {
            let name = std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
            names.push(name.trim_end().to_string());
        }
    }
    Ok(names)
}

/// The major and minor part of a device's number.
pub(crate) fn device_parts(device: u64) -> (f64, f64) {
    (f64::from(libc::major(device)), f64::from(libc::minor(device)))
}
