//! Profiles.
//!
//! The virtual machine records ([`riverhawk_vm::profile`]) as often as [`Ticker`] says, `gather`
//! adds names and places, and a [`Profile`] is written as a table, for callgrind's tools, as folded
//! stacks or as a flame graph.

mod callgrind;
mod flame_graph;
mod folded;
mod gather;
mod text;
mod ticker;

pub use gather::{CodeUse, gather};
pub use ticker::Ticker;

/// Where a run spent its time: nanoseconds of wall time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The program's first piece of text.
    pub program: String,
    /// How long the run took.
    pub elapsed: u64,
    /// So many samples were taken.
    pub samples: u64,
    /// Records of the main input.
    pub records: u64,
    /// Bytes of the main input.
    pub bytes: u64,
    /// Rules and functions that ran.
    pub parts: Vec<ProfilePart>,
    /// Who called whom.
    pub calls: Vec<Call>,
    /// Time by stack; the first node is the program.
    pub stacks: Vec<StackNode>,
    /// Loops entered by on-stack replacement.
    pub loops: Vec<EnteredLoop>,
    /// Side exits, the most frequent first.
    pub fallbacks: Vec<Fallback>,
}

/// A place in the program's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePlace {
    /// The file, or what stands for it.
    pub file: String,
    /// The line, from 1; 0 when unknown.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// A rule or a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfilePart {
    /// A function's name, `BEGIN`, a rule's pattern or action; `main` is the record loop.
    pub name: String,
    /// Where it stands.
    pub place: SourcePlace,
    /// Entries as interpreted code.
    pub interpreted: u64,
    /// Entries as machine code of its own.
    pub compiled: u64,
    /// Entries as part of its caller's machine code.
    pub inlined: u64,
    /// Time in it and not below, interpreted.
    pub self_interpreted: u64,
    /// Time in it and not below, in machine code and its helpers.
    pub self_compiled: u64,
    /// Time in it and below.
    pub total: u64,
}

impl ProfilePart {
    /// All entries.
    pub fn entries(&self) -> u64 {
        self.interpreted + self.compiled + self.inlined
    }

    /// Time in it and not below.
    pub fn self_time(&self) -> u64 {
        self.self_interpreted + self.self_compiled
    }
}

/// Calls from one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// In [`Profile::parts`].
    pub caller: usize,
    /// Of which.
    pub callee: usize,
    /// The call.
    pub place: SourcePlace,
    /// How often.
    pub count: u64,
    /// Time in the callee and below; a recursion's is the outermost call's.
    pub time: u64,
}

/// A node of the call tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackNode {
    /// In [`Profile::parts`]; none for the program.
    pub part: Option<usize>,
    /// Its caller's node.
    pub parent: usize,
    /// Time in it and not below.
    pub time: u64,
}

/// A loop entered by on-stack replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredLoop {
    /// Its part.
    pub part: String,
    /// Its first operation.
    pub place: SourcePlace,
    /// How often.
    pub count: u64,
}

/// A side exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// Its part.
    pub part: String,
    /// The operation that follows.
    pub place: SourcePlace,
    /// What stands there.
    pub text: String,
    /// Why, in words.
    pub reason: String,
    /// Whether a guard failed; otherwise there was no machine code.
    pub is_guard: bool,
    /// How often.
    pub count: u64,
}

/// The format of a written profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFormat {
    /// A table.
    Text,
    /// For `callgrind_annotate` and KCachegrind; the event is a nanosecond, positions are lines.
    Callgrind,
    /// `BEGIN;f;g` and microseconds, for flame graph tools.
    Folded,
    /// A flame graph in SVG.
    FlameGraph,
}

impl ProfileFormat {
    /// All of them.
    pub const ALL: [ProfileFormat; 4] = [
        ProfileFormat::Text,
        ProfileFormat::Callgrind,
        ProfileFormat::Folded,
        ProfileFormat::FlameGraph,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ProfileFormat::Text => "text",
            ProfileFormat::Callgrind => "callgrind",
            ProfileFormat::Folded => "folded",
            ProfileFormat::FlameGraph => "svg",
        }
    }
}

impl Profile {
    /// Writes it down.
    pub fn write(&self, format: ProfileFormat) -> String {
        match format {
            ProfileFormat::Text => text::write(self),
            ProfileFormat::Callgrind => callgrind::write(self),
            ProfileFormat::Folded => folded::write(self),
            ProfileFormat::FlameGraph => flame_graph::write(self),
        }
    }
}

#[cfg(test)]
mod sample;
