//! Where no thread can interrupt another's system calls.

/// A thread, whose calls last as long as they do.
pub(super) struct RunThread(());

impl RunThread {
    /// The calling thread.
    pub(super) fn current() -> RunThread {
        RunThread(())
    }

    /// Does nothing: the call ends by itself, or the process is ended.
    ///
    /// # Safety
    /// None is needed.
    pub(super) unsafe fn interrupt(&self) {}
}

/// There is nothing to note.
pub(super) fn note_interrupts() {}
