//! Counts the edited files of a run.

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub edited: u64,
    pub unchanged: u64,
    pub failures: Vec<String>,
}

impl Tally {
    /// Empty if every file was edited.
    pub(super) fn into_messages(self) -> Vec<String> {
        let Tally { edited, unchanged, failures: mut messages } = self;
        let failed = messages.len() as u64;
        if failed > 0 && edited + unchanged + failed > 1 {
            messages
                .push(format!("in place: {edited} edited, {unchanged} unchanged, {failed} failed"));
        }
        messages
    }
}
