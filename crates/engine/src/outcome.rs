//! The result of a run.

use crate::{Data, Diagnostic, Profile, RuntimeError, Span, StopCause};

/// The result of a run. Output that could not be written is an error, even if it was noticed late.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The exit status, 0 to 255: of `exit`, or 2 after an error.
    pub status: u8,
    /// The error that ended the run, and every failure to write output at the end.
    pub errors: Vec<RuntimeError>,
    /// Warnings of calls that cannot work and were not reached.
    pub unreached: Vec<Diagnostic>,
    /// Why a run was on one thread although more were requested.
    pub remarks: Vec<Remark>,
    /// With [`crate::Tools::stats`].
    pub stats: Option<Stats>,
    /// With [`crate::Optimiser::keep_ir`] or [`crate::Optimiser::keep_assembly`].
    pub machine_code: String,
    /// Visits of each place in an observed run, for [`crate::Compiled::profile`].
    pub visits: Vec<u64>,
    /// With [`crate::CompileOptions::profiled`].
    pub profile: Option<Profile>,
    /// The final variables, one per line, with [`crate::Reports::dump_variables`].
    pub variables: Option<Vec<u8>>,
    /// Records read of the main input.
    pub records: u64,
    /// What stopped the run from outside.
    pub stopped: Option<StopCause>,
    /// The variables, if requested.
    pub data: Vec<(String, Data)>,
}

impl Outcome {
    /// The status of gawk's fatal errors.
    pub const FATAL: u8 = 2;

    /// A run that ended with this status.
    pub fn ended(status: u8) -> Outcome {
        Outcome { status, ..Outcome::default() }
    }

    /// A run that this error ended.
    pub fn failed(error: RuntimeError) -> Outcome {
        Outcome { status: Outcome::FATAL, errors: vec![error], ..Outcome::default() }
    }
}

/// A remark about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The position in the program, if any.
    pub span: Option<Span>,
    /// One line.
    pub message: String,
}

/// Counters of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Names (with the unit if any) and values, in the order in which they are printed.
    pub counters: Vec<(&'static str, u64)>,
    /// Further lines.
    pub notes: Vec<String>,
}

impl Stats {
    /// One line for each counter, with the names aligned; then the notes.
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
