//! Where a file that is followed ends for the time being.

use crate::main_input::MainInput;
use riverhawk_awkio::interrupted;

impl MainInput {
    /// Whether the file being read is followed, and this says that there is no more of it for the
    /// time being.
    pub(crate) fn is_at_growing_end(&self, error: &std::io::Error) -> bool {
        error.kind() == std::io::ErrorKind::WouldBlock
            && self.following.as_ref().is_some_and(|following| following.current.is_some())
    }

    /// If somebody wants the run to end, the files end where they end now.
    pub(crate) fn note_interrupt(&mut self) {
        let Some(following) = &mut self.following else { return };
        if following.is_ending || !interrupted() {
            return;
        }
        following.is_ending = true;
        for file in following.files.iter().chain(&following.current) {
            file.tail.end();
        }
    }

    /// Whether no further file is to be opened.
    pub(crate) fn is_ending(&self) -> bool {
        self.following.as_ref().is_some_and(|following| following.is_ending)
    }

    /// The file being read is followed no longer.
    pub(crate) fn forget_current(&mut self) {
        if let Some(following) = &mut self.following {
            following.current = None;
        }
    }
}
