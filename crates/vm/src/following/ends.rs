//! The present ends of followed files.

use crate::main_input::MainInput;
use riverhawk_awkio::interrupted;

impl MainInput {
    pub(crate) fn is_at_growing_end(&self, error: &std::io::Error) -> bool {
        error.kind() == std::io::ErrorKind::WouldBlock
            && self.following.as_ref().is_some_and(|following| following.current.is_some())
    }

    /// An interrupt makes the present ends final.
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

    pub(crate) fn is_ending(&self) -> bool {
        self.following.as_ref().is_some_and(|following| following.is_ending)
    }

    pub(crate) fn forget_current(&mut self) {
        if let Some(following) = &mut self.following {
            following.current = None;
        }
    }
}
