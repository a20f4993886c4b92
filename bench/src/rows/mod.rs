//! What is measured: each row is one task, a program for it in every language that has an idiomatic
//! one, the input, and the bar for rhawk.
//!
//! A program names an input file as `@lines60@` and a loop count, which follows the scale, as
//! `@n:1000000@`.

mod columns;
mod compute;
mod gawk;
mod json;
mod keys;
mod output;
mod patterns;
mod precise;
mod reading;
mod records;
mod startup;
mod streams;
mod strings;
mod tables;

use crate::data::Dataset;

/// What a character is in this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Code points: every peer runs in UTF-8, and the reference is gawk in UTF-8.
    Characters,
    /// Bytes: rhawk runs with `-b`, gawk in the C locale, which is also the reference.
    Bytes,
}

/// When two answers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Byte for byte.
    Exact,
    /// The same lines in any order: what `for (k in a)` promises.
    Any,
}

/// How the input reaches the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    /// As operands after the program.
    Operands,
    /// Through a pipe from `cat`, whose own time is not counted.
    Pipe,
}

/// The bar: rhawk's CPU time at most `factor` times that of somebody else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The largest acceptable ratio.
    pub factor: f64,
    pub against: Bar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// The fastest awk of this run that gave the right answer, byte-mode awks included.
    FastestAwk,
    /// mawk, the fastest of the interpreted awks.
    Mawk,
    /// The fastest of all others that gave the right answer: where no other awk takes part.
    Fastest,
}

/// Another language's or tool's way to do a row.
#[derive(Clone, Debug)]
pub struct Case {
    /// The peer's name, as in `peers::KNOWN`.
    pub peer: &'static str,
    /// Flags before the program.
    pub flags: Vec<&'static str>,
    /// The program itself; none for a tool that needs only flags.
    pub program: Option<&'static str>,
    /// The input as standard input instead of an operand, for tools that would print its name.
    pub from_stdin: bool,
}

/// The rows that stand for all, in the order in which to show them.
pub const HEADLINES: &[&str] = &[
    "length",
    "length-mixed",
    "lines-short",
    "copy",
    "swap",
    "sum",
    "count-1k",
    "word-count",
    "replace-rare",
    "gsub-digits",
    "regex-rs",
    "fib",
    "startup",
];

/// One task.
#[derive(Clone, Debug)]
pub struct Row {
    /// Short name, for `--rows`.
    pub name: &'static str,
    /// What it does, for the report.
    pub about: &'static str,
    /// The input files, in order.
    pub inputs: Vec<Dataset>,
    pub awk: &'static str,
    /// Options before it, such as `-F,`.
    pub awk_flags: Vec<&'static str>,
    /// The programs of other languages and tools.
    pub cases: Vec<Case>,
    /// Characters or bytes.
    pub unit: Unit,
    /// What counts as the same answer.
    pub order: Order,
    /// Operands or a pipe.
    pub feed: Feed,
    /// The bar for CPU time.
    pub target: Target,
    /// Memory must not grow with the input: at most `STREAMING_KIB` at the peak.
    pub streaming: bool,
    /// Runs of the program in one measurement; times are reported per run.
    pub repeat: u32,
    /// Other awks take part only with a case of their own, and the first of these is the reference.
    pub by_case: bool,
}

/// Most memory that a streaming row may take, in KiB.
pub const STREAMING_KIB: u64 = 8 * 1024;

impl Row {
    /// A row that reads `inputs`: streaming, exact answers, no slower than the fastest awk by
    /// default.
    fn reads(
        name: &'static str,
        about: &'static str,
        inputs: &[Dataset],
        awk: &'static str,
    ) -> Self {
        Row {
            name,
            about,
            inputs: inputs.to_vec(),
            awk,
            awk_flags: Vec::new(),
            cases: Vec::new(),
            unit: Unit::Characters,
            order: Order::Exact,
            feed: Feed::Operands,
            target: Target { factor: 1.0, against: Bar::FastestAwk },
            streaming: true,
            repeat: 1,
            by_case: false,
        }
    }

    /// A row without input: no slower than mawk, memory as it may be.
    fn computes(name: &'static str, about: &'static str, awk: &'static str) -> Self {
        Row {
            target: Target { factor: 1.0, against: Bar::Mawk },
            streaming: false,
            ..Self::reads(name, about, &[], awk)
        }
    }

    fn flags(mut self, flags: &[&'static str]) -> Self {
        self.awk_flags = flags.to_vec();
        self
    }

    fn of_fastest_awk(mut self, factor: f64) -> Self {
        self.target = Target { factor, against: Bar::FastestAwk };
        self
    }

    fn of_mawk(mut self, factor: f64) -> Self {
        self.target = Target { factor, against: Bar::Mawk };
        self
    }

    /// No slower than anybody else, awk or not.
    fn of_fastest(mut self) -> Self {
        self.target = Target { factor: 1.0, against: Bar::Fastest };
        self
    }

    fn in_bytes(mut self) -> Self {
        self.unit = Unit::Bytes;
        self
    }

    fn any_order(mut self) -> Self {
        self.order = Order::Any;
        self
    }

    /// The task itself keeps data: its memory has no bar.
    fn keeps_data(mut self) -> Self {
        self.streaming = false;
        self
    }

    fn through_pipe(mut self) -> Self {
        self.feed = Feed::Pipe;
        self
    }

    fn repeated(mut self, runs: u32) -> Self {
        self.repeat = runs;
        self
    }

    /// Only the awks that have a case take part, and rhawk.
    fn by_case(mut self) -> Self {
        self.by_case = true;
        self
    }

    /// Another awk with the row's program and flags of its own.
    fn awk_with(self, peer: &'static str, flags: &[&'static str]) -> Self {
        let program = self.awk;
        self.case(peer, flags, Some(program))
    }

    fn case(
        mut self,
        peer: &'static str,
        flags: &[&'static str],
        program: Option<&'static str>,
    ) -> Self {
        self.cases.push(Case { peer, flags: flags.to_vec(), program, from_stdin: false });
        self
    }

    fn perl(self, flags: &[&'static str], program: &'static str) -> Self {
        self.case("perl", flags, Some(program))
    }

    fn python(self, program: &'static str) -> Self {
        self.case("python3", &[], Some(program))
    }

    fn ruby(self, flags: &[&'static str], program: &'static str) -> Self {
        self.case("ruby", flags, Some(program))
    }

    fn lua(self, program: &'static str) -> Self {
        self.case("luajit", &[], Some(program))
    }

    fn raku(self, program: &'static str) -> Self {
        self.case("raku", &[], Some(program))
    }

    fn tool(self, peer: &'static str, flags: &[&'static str]) -> Self {
        self.case(peer, flags, None)
    }

    /// A tool that gets the input as its standard input.
    fn filter(mut self, peer: &'static str, flags: &[&'static str]) -> Self {
        self.cases.push(Case { peer, flags: flags.to_vec(), program: None, from_stdin: true });
        self
    }

    /// Every text of the row in which placeholders may stand.
    pub fn texts(&self) -> impl Iterator<Item = &'static str> {
        let of_cases =
            self.cases.iter().flat_map(|case| case.flags.iter().copied().chain(case.program));
        self.awk_flags.iter().copied().chain([self.awk]).chain(of_cases)
    }

    /// The input files it needs, operands and those named in programs.
    pub fn datasets(&self) -> Vec<Dataset> {
        let mut needed = self.inputs.clone();
        for dataset in crate::data::ALL {
            let named = format!("@{}@", dataset.name);
            if !needed.contains(dataset) && self.texts().any(|text| text.contains(&named)) {
                needed.push(*dataset);
            }
        }
        needed
    }
}

/// Every row, in the order of the report.
pub fn all() -> Vec<Row> {
    let parts = [
        reading::rows(),
        columns::rows(),
        keys::rows(),
        patterns::rows(),
        precise::rows(),
        records::rows(),
        output::rows(),
        strings::rows(),
        tables::rows(),
        json::rows(),
        compute::rows(),
        gawk::rows(),
        streams::rows(),
        startup::rows(),
    ];
    parts.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_names_are_unique() {
        let rows = all();
        for (at, row) in rows.iter().enumerate() {
            assert!(
                rows[at + 1..].iter().all(|other| other.name != row.name),
                "{} twice",
                row.name
            );
        }
    }

    #[test]
    fn every_case_belongs_to_a_known_peer_and_to_an_awk_only_where_it_must() {
        for row in all() {
            for case in &row.cases {
                let peer = crate::peers::KNOWN.iter().find(|known| known.name == case.peer);
                assert!(
                    peer.is_some_and(|known| row.by_case || !known.is_awk()),
                    "{}: {}",
                    row.name,
                    case.peer
                );
            }
        }
    }

    #[test]
    fn datasets_named_only_in_a_program_are_found() {
        let row = Row::computes("x", "", r#"BEGIN { while ((getline l < "@words@") > 0) n++ }"#);
        assert_eq!(row.datasets(), [crate::data::WORDS]);
    }
}
