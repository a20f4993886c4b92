//! What has happened to a file, for a rule to hear of.

use riverhawk_awkio::fault::Fault;

/// Something that has happened to a file, and that a rule is still to hear of.
pub(crate) enum FileEvent {
    /// It is open.
    Begun,
    /// It is open, and a directory. ERRNO says so, as in gawk.
    Directory,
    /// It could not be opened.
    Refused {
        /// What ERRNO says of it.
        error: std::io::Error,
        /// What becomes of it unless the rule says `nextfile`.
        otherwise: Refusal,
    },
    /// It has been read, or left by `nextfile`.
    Ended,
}

/// What becomes of a file that cannot be opened.
pub(crate) enum Refusal {
    /// A directory is passed over with this warning.
    Skip(String),
    /// Anything else ends the run.
    Fatal(Fault),
}

/// Which rules there are, and what they are still to hear of.
#[derive(Default)]
pub(crate) struct FileRules {
    /// There is a BEGINFILE.
    pub begin: bool,
    /// There is an ENDFILE.
    pub end: bool,
    pub(super) event: Option<FileEvent>,
}

impl FileRules {
    /// Says what has happened, if there is a rule for it; whether there is.
    pub(crate) fn tell(&mut self, event: FileEvent) -> bool {
        let wanted = match event {
            FileEvent::Ended => self.end,
            _ => self.begin,
        };
        if wanted {
            self.event = Some(event);
        }
        wanted
    }

    /// Whether a rule must run before there can be another record.
    #[inline]
    pub(crate) fn has_event(&self) -> bool {
        self.event.is_some()
    }
}
