//! Ending the process in a hurry.
#![allow(unsafe_code)] // A call of the system.

/// Writes a message to standard error and ends the process, without memory, locks or what else is
/// to be done at its end.
pub fn exit_at_once(message: &[u8], status: u8) -> ! {
    // Nothing is left to be done about a message that cannot be written.
    let _ = crate::io::write(crate::stdio::stderr(), message);
    // SAFETY: it has no precondition.
    unsafe { libc::_exit(status.into()) }
}
