//! Interrupting the system calls of a run's thread.

/// A thread, for sending it a signal.
pub(super) struct RunThread(libc::pthread_t);

// SAFETY: the name of a thread, which any thread may use; a pointer only in some C libraries.
unsafe impl Send for RunThread {}

impl RunThread {
    /// The calling thread.
    pub(super) fn current() -> RunThread {
        // SAFETY: no preconditions.
        RunThread(unsafe { libc::pthread_self() })
    }

    /// Lets the system call end that it waits in.
    ///
    /// # Safety
    /// The thread still runs.
    pub(super) unsafe fn interrupt(&self) {
        // SAFETY: the caller's contract.
        unsafe { libc::pthread_kill(self.0, libc::SIGURG) };
    }
}

/// Ignored by default, SIGURG interrupts system calls.
pub(super) fn note_interrupts() {
    extern "C" fn interrupted(_: libc::c_int) {}
    // SAFETY: an action of zeros is valid (no flags, so calls are not restarted; an empty mask),
    // and the handler does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = interrupted as extern "C" fn(libc::c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGURG, &action, std::ptr::null_mut());
    }
}
