//! What all UNIX systems have.

use std::io;

use riverhawk_system::{fs, process};

/// gawk's name for the kind of system.
pub(crate) const PLATFORM: &[u8] = b"posix";

/// The numbers of the process, its users and groups, by their names in `PROCINFO`.
pub(crate) fn identities() -> Vec<(String, u32)> {
    let parent = process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get().cast_unsigned());
    let mut known = vec![
        ("pid".to_string(), std::process::id()),
        ("ppid".to_string(), parent),
        ("pgrpid".to_string(), process::getpgrp().as_raw_nonzero().get().cast_unsigned()),
        ("uid".to_string(), process::getuid().as_raw()),
        ("euid".to_string(), process::geteuid().as_raw()),
        ("gid".to_string(), process::getgid().as_raw()),
        ("egid".to_string(), process::getegid().as_raw()),
    ];
    let groups = process::getgroups().unwrap_or_default();
    known.extend((1..).zip(groups).map(|(at, group)| (format!("group{at}"), group.as_raw())));
    known
}

/// The number of this process.
pub(crate) fn this_process() -> u32 {
    std::process::id()
}

/// The number of the process that has started this one.
pub(crate) fn parent() -> i32 {
    process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get())
}

/// A copy of this process, which must have no other thread: 0 in the copy, its number here.
pub(crate) fn fork() -> io::Result<i32> {
    // SAFETY: the process has only this thread, so the copy is complete. Nothing in it relies on
    // what a copy lacks: children are waited for by number, and an unknown number is an error.
    known(unsafe { libc::fork() })
}

/// Waits for any child; its number.
pub(crate) fn wait_for_any() -> io::Result<i32> {
    loop {
        // SAFETY: no status is asked for, so nothing is written.
        match known(unsafe { libc::wait(std::ptr::null_mut()) }) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            found => return found,
        }
    }
}

/// A child's number if it has ended or stopped, 0 if not.
pub(crate) fn has_ended(child: i32) -> io::Result<i32> {
    // SAFETY: no status is asked for, so nothing is written.
    known(unsafe { libc::waitpid(child, std::ptr::null_mut(), libc::WNOHANG | libc::WUNTRACED) })
}

fn known(number: i32) -> io::Result<i32> {
    if number < 0 { Err(io::Error::last_os_error()) } else { Ok(number) }
}

/// Linux's `ST_VALID`, which the C library lacks: the other flags are valid.
const VALID: u64 = 0x20;

/// Sizes and limits of the file system that `path` is on, by their names in `statvfs`.
pub(crate) fn file_system(path: &std::path::Path) -> io::Result<[(&'static str, u64); 11]> {
    let known = fs::statvfs(path)?;
    Ok([
        ("bsize", known.f_bsize),
        ("frsize", known.f_frsize),
        ("blocks", known.f_blocks),
        ("bfree", known.f_bfree),
        ("bavail", known.f_bavail),
        ("files", known.f_files),
        ("ffree", known.f_ffree),
        ("favail", known.f_favail),
        ("fsid", known.f_fsid),
        ("flag", known.f_flag.bits() & !VALID),
        ("namemax", known.f_namemax),
    ])
}
