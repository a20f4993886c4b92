//! A compiled program.

use crate::instructions::Op;
use crate::operand::{ConstId, Src};
use riverhawk_syntax::ast::{Dialect, Extension, Global, Span, Usage};
use riverhawk_syntax::{ColumnUses, Printed, Visit};
use riverhawk_value::Value;
use std::collections::HashMap;
use std::ops::Range;

/// A compiled program. Globals are the first static slots, constants the following ones.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// All operations, frame after frame.
    pub code: Vec<Op>,
    /// Where each operation comes from, index for index with `code`.
    pub spans: Vec<Span>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Constants.
    pub constants: Vec<Value>,
    /// Whether it is for arithmetic of any precision.
    pub precise: bool,
    /// Whether integers are exact however large they are, and everything else is a double.
    pub exact: bool,
    /// With these, constants that are more than doubles, and their texts: they are read when a run
    /// begins, to its precision.
    pub numerals: Vec<(ConstId, Vec<u8>)>,
    /// Constant regular expressions.
    pub regexes: Vec<RegexConstant>,
    /// Slots of all operations that read any number of them, one list after the other.
    pub lists: Vec<Src>,
    /// Constant formats.
    pub formats: Vec<Vec<u8>>,
    /// All `BEGIN` actions, if any.
    pub begin: Option<StaticFrame>,
    /// The record loop; none when nothing looks at records.
    pub main: Option<StaticFrame>,
    /// All `END` actions, if any.
    pub end: Option<StaticFrame>,
    /// All `BEGINFILE` actions, if any.
    pub begin_file: Option<StaticFrame>,
    /// All `ENDFILE` actions, if any.
    pub end_file: Option<StaticFrame>,
    /// Where user functions return to that a built-in function called, if one does.
    pub callback: Option<StaticFrame>,
    /// User functions.
    pub functions: Vec<StaticFrame>,
    /// The places where an observed run stops or counts, each with its part of the text.
    pub visits: Vec<(Visit, Span)>,
    /// Getlines whose value alone decides about a loop: a failure is true there.
    pub getline_loops: Vec<u32>,
    /// What [`Op::EnterRule`] names; none unless the program is to be profiled.
    pub rules: Vec<ProfiledRule>,
    /// What the program was read as.
    pub dialect: Dialect,
    /// Extensions that are loaded.
    pub extensions: Vec<Extension>,
    /// What it does with the columns of a table.
    pub columns: ColumnUses,
    /// What a `print` elsewhere writes, if it is a row, by the beginning of its list.
    pub rows: HashMap<u32, Printed>,
}

impl Unit {
    /// Whether integers may have more bits than a double holds.
    pub fn has_large_integers(&self) -> bool {
        self.precise || self.exact
    }

    /// Number of static slots.
    pub fn statics(&self) -> usize {
        self.globals.len() + self.constants.len()
    }

    /// The columns that the program names, as [`ColumnNo`](crate::ColumnNo) numbers them.
    pub(crate) fn column_names(&self) -> impl Iterator<Item = &str> {
        self.globals.iter().filter_map(|global| global.column())
    }

    /// How many operations take a field that they name by its number.
    pub fn fields_named(&self) -> usize {
        let names = |op: &&Op| matches!(op, Op::Field { n, .. } | Op::OwnField { n, .. } | Op::LengthField { n, .. } if n.0 > 0);
        self.code.iter().filter(names).count()
    }

    /// Every frame: BEGIN, record loop, END, BEGINFILE, ENDFILE, the end of callbacks, functions.
    pub fn frames(&self) -> impl Iterator<Item = &StaticFrame> {
        self.frames_with_kinds().map(|(frame, _)| frame)
    }

    /// Every frame, with the kind that a frame in its place must be of.
    pub(crate) fn frames_with_kinds(&self) -> impl Iterator<Item = (&StaticFrame, FrameKind)> {
        let phases = [
            (&self.begin, FrameKind::Begin),
            (&self.main, FrameKind::Main),
            (&self.end, FrameKind::End),
            (&self.begin_file, FrameKind::BeginFile),
            (&self.end_file, FrameKind::EndFile),
            (&self.callback, FrameKind::Callback),
        ];
        let phases = phases
            .into_iter()
            .flat_map(|(frame, kind)| frame.iter().map(move |frame| (frame, kind)));
        phases.chain(self.functions.iter().map(|frame| (frame, FrameKind::Function)))
    }
}

/// What a profile tells apart within the phases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfiledRule {
    /// The frame that it is part of.
    pub kind: FrameKind,
    /// The pattern's place, or none: then it is an action without one or, in the record loop,
    /// reading.
    pub pattern: Option<Span>,
    /// Whether it is no rule, but the reading of records around the rules.
    pub reads: bool,
    /// Where it stands.
    pub span: Span,
}

/// The global, which no program can name, for what an observed function returns.
pub const RETURN_VALUE: &str = "return value";

/// A regular expression that stands in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexConstant {
    /// The pattern, as the regex engine takes it.
    pub pattern: Vec<u8>,
    /// How the program has it.
    pub spelling: RegexSpelling,
    /// Where it stands first.
    pub span: Span,
}

/// How a program spells a constant regular expression, which decides when an invalid one is an
/// error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegexSpelling {
    /// `/.../`: an error of the program.
    Slashes,
    /// `@/.../`: one too, and fatal, as in gawk.
    Typed,
    /// A string: an error when it is used.
    Text,
}

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// All BEGIN actions in order.
    Begin,
    /// The record loop with all rules.
    Main,
    /// All END actions in order.
    End,
    /// All BEGINFILE actions in order.
    BeginFile,
    /// All ENDFILE actions in order.
    EndFile,
    /// Where a function returns to that a built-in function has called: an end.
    Callback,
    /// A user function.
    Function,
}

impl FrameKind {
    /// What programs call it, and `main` for the record loop.
    pub fn name(self) -> &'static str {
        match self {
            FrameKind::Begin => "BEGIN",
            FrameKind::Main => "main",
            FrameKind::End => "END",
            FrameKind::BeginFile => "BEGINFILE",
            FrameKind::EndFile => "ENDFILE",
            FrameKind::Callback => "a callback",
            FrameKind::Function => "function",
        }
    }
}

/// A stretch of code with its own registers.
#[derive(Clone, Debug)]
pub struct StaticFrame {
    /// What it is.
    pub kind: FrameKind,
    /// `BEGIN`, `main`, `END`, `BEGINFILE`, `ENDFILE` or the function's name.
    pub name: String,
    /// Its part of the unit's code; it starts at the first operation.
    pub code: Range<u32>,
    /// Names of the parameters, which are the first registers.
    pub params: Vec<String>,
    /// How each parameter is used.
    pub usages: Vec<Usage>,
    /// Number of registers.
    pub registers: u16,
    /// Where it is defined.
    pub span: Span,
    /// Whether the program defines it: a function may only be called.
    pub defined: bool,
    /// Whether it stands for the built-in function of its name and arity, for indirect calls.
    pub builtin: bool,
}
