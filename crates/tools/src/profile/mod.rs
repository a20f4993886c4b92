//! Profiles: where a run spends its time, and how it was executed.
//!
//! The virtual machine records ([`riverhawk_vm::profile`]) as often as [`Ticker`] says, `gather`
//! adds names and places, and the [`Profile`] is written as a table, for callgrind's tools, as
//! folded stacks or as a flame graph.

mod callgrind;
mod flame_graph;
mod folded;
mod gather;
mod text;
mod ticker;

pub use gather::{CodeUse, gather};
pub use ticker::Ticker;

/// Where a run spent its time, in nanoseconds of wall time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// What the program is called: its first piece of text.
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
    /// Time by stack. The first node is the program itself.
    pub stacks: Vec<StackNode>,
    /// Loops that were entered as machine code in the middle of an activation.
    pub loops: Vec<EnteredLoop>,
    /// Places at which machine code was left for the interpreter, the most frequent first.
    pub fallbacks: Vec<Fallback>,
}

/// A place in the program's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePlace {
    /// The file, or what stands for it.
    pub file: String,
    /// The line, from 1; 0 when nothing is known.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// A rule or a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfilePart {
    /// A function's name, `BEGIN` and the like, a rule's pattern, or the action of one without;
    /// `main` is the record loop, which reads.
    pub name: String,
    /// Where it stands.
    pub place: SourcePlace,
    /// Times that the interpreter entered it.
    pub interpreted: u64,
    /// Times that it was entered as machine code of its own.
    pub compiled: u64,
    /// Times that it ran as part of the machine code of its caller.
    pub inlined: u64,
    /// Time in it and not below, interpreted.
    pub self_interpreted: u64,
    /// Time in it and not below, in machine code and what that has the interpreter do.
    pub self_compiled: u64,
    /// Time in it and below.
    pub total: u64,
}

impl ProfilePart {
    /// Times that it was entered.
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
    /// By which of [`Profile::parts`].
    pub caller: usize,
    /// Of which.
    pub callee: usize,
    /// The call.
    pub place: SourcePlace,
    /// How often.
    pub count: u64,
    /// Time in the callee and below. What passed in a recursion is put down to the outermost call.
    pub time: u64,
}

/// A node of the call tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackNode {
    /// Which of [`Profile::parts`]; none for the program itself.
    pub part: Option<usize>,
    /// The node that it was called from.
    pub parent: usize,
    /// Time here and not below.
    pub time: u64,
}

/// A loop that was entered as machine code in the middle of an activation (on-stack replacement).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredLoop {
    /// The part that it is in.
    pub part: String,
    /// Its first operation.
    pub place: SourcePlace,
    /// How often.
    pub count: u64,
}

/// A place at which machine code was left for the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// The part that it is in.
    pub part: String,
    /// The operation that the interpreter went on with.
    pub place: SourcePlace,
    /// What stands there.
    pub text: String,
    /// Why, in words.
    pub reason: String,
    /// Whether a guard failed: what was relied on did not hold. Otherwise there was no machine
    /// code for what came.
    pub is_guard: bool,
    /// How often.
    pub count: u64,
}

/// How a profile is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFormat {
    /// A table that a person reads.
    Text,
    /// What `callgrind_annotate` and KCachegrind open; the event is a nanosecond, positions are
    /// lines.
    Callgrind,
    /// A line for each stack, for flame graph tools: `BEGIN;f;g` and microseconds.
    Folded,
    /// A flame graph in SVG, to be looked at in a browser.
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

    /// What the command line calls it.
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
