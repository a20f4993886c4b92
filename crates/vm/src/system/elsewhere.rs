//! Systems that are no UNIX.

use std::io;

/// Where this thread's stack ends is not known.
pub(crate) fn stack_end() -> Option<usize> {
    None
}

/// The names of all threads of the process but this one: the system has no list of them.
pub(crate) fn other_threads() -> io::Result<Vec<String>> {
    no_processes()
}

/// The major and minor part of a device's number: devices have none.
pub(crate) fn device_parts(_: u64) -> (f64, f64) {
    (0.0, 0.0)
}

/// gawk's name for the kind of system.
pub(crate) const PLATFORM: &[u8] = if cfg!(windows) { b"mingw" } else { b"posix" };

/// Numbers of the process, and of users and groups, of which there are none.
pub(crate) fn identities() -> Vec<(String, u32)> {
    riverhawk_system::process_id().map(|id| ("pid".to_string(), id)).into_iter().collect()
}

/// Never asked for: no process is a copy of another.
pub(crate) fn this_process() -> u32 {
    0
}

/// The number of the process that has started this one is not known.
pub(crate) fn parent() -> i32 {
    0
}

/// A copy of this process.
pub(crate) fn fork() -> io::Result<i32> {
    no_processes()
}

/// Waits for any child.
pub(crate) fn wait_for_any() -> io::Result<i32> {
    no_processes()
}

/// Whether a child has ended.
pub(crate) fn has_ended(_: i32) -> io::Result<i32> {
    no_processes()
}

fn no_processes<T>() -> io::Result<T> {
    let words = "this platform has no processes that are copies or children of others";
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}

/// Sizes and limits of a file system.
pub(crate) fn file_system(_: &std::path::Path) -> io::Result<[(&'static str, u64); 11]> {
    let words = "this platform says nothing about its file systems";
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}
