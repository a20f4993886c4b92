//! Events of files, for rules.

use riverhawk_awkio::fault::Fault;

pub(crate) enum FileEvent {
    /// It is open.
    Begun,
    /// ERRNO says that it is a directory, as in gawk.
    Directory,
    Refused {
        /// For ERRNO.
        error: std::io::Error,
        /// What happens unless the rule says `nextfile`.
        otherwise: Refusal,
    },
    /// It was read, or left by `nextfile`.
    Ended,
}

/// What happens to a file that cannot be opened.
pub(crate) enum Refusal {
    /// A directory is skipped with this warning.
    Skip(String),
    Fatal(Fault),
}

/// The rules, and the event that they have not seen yet.
#[derive(Default)]
pub(crate) struct FileRules {
    pub begin: bool,
    pub end: bool,
    pub(super) event: Option<FileEvent>,
}

impl FileRules {
    /// Whether there is a rule for it.
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

    #[inline]
    pub(crate) fn has_event(&self) -> bool {
        self.event.is_some()
    }
}
