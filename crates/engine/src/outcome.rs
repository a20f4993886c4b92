//! How a run ended.

use crate::{Diagnostic, Profile, RuntimeError, Span};

/// How a run ended. Output that failed to reach its file is an error here, whenever it was noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The exit status, 0 to 255: that of `exit`, or 2 after an error.
    pub status: u8,
    /// What ended the run, if not the program itself; and every output that failed at the end.
    pub errors: Vec<RuntimeError>,
    /// Warnings of calls that cannot work and were not reached.
    pub unreached: Vec<Diagnostic>,
    /// Why a run that was to be on several threads was on one.
    pub remarks: Vec<Remark>,
    /// Counters, when [`crate::Tools::stats`] asked for them.
    pub stats: Option<Stats>,
    /// The machine code to keep ([`crate::Optimiser::keep_ir`],
    /// [`crate::Optimiser::keep_assembly`]).
    pub machine_code: String,
    /// How often each place was visited in an observed run: for [`crate::Compiled::profile`].
    pub visits: Vec<u64>,
    /// Where the time went, if compiled with [`crate::CompileOptions::profiled`].
    pub profile: Option<Profile>,
    /// The variables at the end, a line each, when [`crate::Reports::dump_variables`] asked
    /// for them.
    pub variables: Option<Vec<u8>>,
}

impl Outcome {
    /// Status of a run that an error ended, as gawk's `fatal`.
    pub const FATAL: u8 = 2;

    /// The program ended by itself.
    pub fn ended(status: u8) -> Outcome {
        Outcome { status, ..Outcome::default() }
    }

    /// An error ended the program.
    pub fn failed(error: RuntimeError) -> Outcome {
        Outcome { status: Outcome::FATAL, errors: vec![error], ..Outcome::default() }
    }
}

/// Something to know about a run, perhaps with a place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where in the program.
    pub span: Option<Span>,
    /// One line.
    pub message: String,
}

/// What a run did, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Name, with its unit if it is no plain count, and value, in the order to print them.
    pub counters: Vec<(&'static str, u64)>,
    /// More, a line each.
    pub notes: Vec<String>,
}

impl Stats {
    /// One line per counter, names aligned; then the notes.
    pub fn to_text(&self) -> String {
        let width = self.counters.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let counters =
            self.counters.iter().map(|(name, value)| format!("{name:width$}  {value}\n"));
        counters.chain(self.notes.iter().map(|note| format!("{note}\n"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stats_are_aligned_lines() {
        let notes = vec![String::from("and more")];
        let stats = Stats { counters: vec![("records", 3), ("bytes read", 4096)], notes };
        assert_eq!(stats.to_text(), "records     3\nbytes read  4096\nand more\n");
    }
}
