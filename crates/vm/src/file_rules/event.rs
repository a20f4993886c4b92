//! Events of files, for the rules.

use riverhawk_awkio::fault::Fault;

pub(crate) enum FileEvent {
    Begun,
    Directory,
    Refused {
        error: std::io::Error,
        /// What happens unless the rule runs `nextfile`.
        otherwise: Refusal,
    },
    Ended,
}

pub(crate) enum Refusal {
    Skip(String),
    Fatal(Fault),
}

#[derive(Default)]
pub(crate) struct FileRules {
    pub begin: bool,
    pub end: bool,
    pub(super) event: Option<FileEvent>,
}

impl FileRules {
    pub(crate) fn raise(&mut self, event: FileEvent) -> bool {
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
