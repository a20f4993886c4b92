//! The tasks: each row has a program in every suitable language, the input, and rhawk's bar.
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
mod strangers;
mod streams;
mod strings;
mod tables;

use crate::data::Dataset;

/// What a character is in this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// UTF-8; the reference is gawk in UTF-8.
    Characters,
    /// rhawk runs with `-b`; the reference is gawk in the C locale.
    Bytes,
}

/// When answers are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Byte for byte.
    Exact,
    /// The same lines in any order: what `for (k in a)` promises.
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    Operands,
    /// A pipe from `cat`, whose own time does not count.
    Pipe,
}

/// The bar: rhawk's CPU time is at most `factor` times another's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Maximum ratio.
    pub factor: f64,
    pub against: Bar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// The fastest awk with the right answer, byte-mode awks included.
    FastestAwk,
    /// mawk, the fastest of the interpreted awks.
    Mawk,
    /// The fastest other with the right answer, where no other awk takes part.
    Fastest,
}

/// In another language or tool.
#[derive(Clone, Debug)]
pub struct Case {
    /// As in `peers::KNOWN`.
    pub peer: &'static str,
    pub flags: Vec<&'static str>,
    /// `None` for a tool that needs only flags.
    pub program: Option<&'static str>,
    /// For tools that would print a file's name.
    pub from_stdin: bool,
}

/// Representative rows, in the order to show them.
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

#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    pub about: &'static str,
    pub inputs: Vec<Dataset>,
    pub awk: &'static str,
    /// Before the program, such as `-F,`.
    pub awk_flags: Vec<&'static str>,
    /// Programs of other languages and tools.
    pub cases: Vec<Case>,
    pub unit: Unit,
    pub order: Order,
    pub feed: Feed,
    pub target: Target,
    /// Memory must not grow with the input: at most `STREAMING_KIB`.
    pub streaming: bool,
    /// Runs per measurement; times are reported per run.
    pub repeat: u32,
    /// Other awks need a case to take part, and the first case is the reference.
    pub by_case: bool,
}

/// In KiB.
pub const STREAMING_KIB: u64 = 8 * 1024;

impl Row {
    /// By default streaming, exact answers, no slower than the fastest awk.
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

    /// No slower than mawk, without a limit of memory.
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

    /// No slower than any peer, awk or not.
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

    /// The task needs memory: no bar for it.
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

    /// Only rhawk and awks with a case take part.
    fn by_case(mut self) -> Self {
        self.by_case = true;
        self
    }

    /// With the row's program.
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

    /// With the input on standard input.
    fn filter(mut self, peer: &'static str, flags: &[&'static str]) -> Self {
        self.cases.push(Case { peer, flags: flags.to_vec(), program: None, from_stdin: true });
        self
    }

    /// Texts with placeholders.
    pub fn texts(&self) -> impl Iterator<Item = &'static str> {
        let of_cases =
            self.cases.iter().flat_map(|case| case.flags.iter().copied().chain(case.program));
        self.awk_flags.iter().copied().chain([self.awk]).chain(of_cases)
    }

    /// From operands and programs.
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
        strangers::rows(),
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
