//! A compiled program: what a compiler makes and an interpreter or optimiser reads.

use crate::instructions::Op;
use crate::operand::{ConstId, Src};
use riverhawk_regex::EdgeBytes;
use riverhawk_syntax::ast::{Dialect, Extension, Global, Span, Usage};
use riverhawk_syntax::host::HostDeclaration;
use riverhawk_syntax::{ColumnUses, Printed, Visit};
use riverhawk_value::{HeapStr, Value};
use std::collections::HashMap;
use std::ops::Range;

/// A compiled program. Globals are the first static slots, constants the following ones.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// All operations, frame after frame.
    pub code: Vec<Op>,
    /// The source of each operation, by index.
    pub spans: Vec<Span>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Whether arithmetic is of any precision.
    pub precise: bool,
    /// Whether integers are exact at any size, and other numbers doubles.
    pub exact: bool,
    /// With either, the texts of constants that exceed a double. They are converted when a run
    /// begins, at its precision.
    pub numerals: Vec<(ConstId, Vec<u8>)>,
    /// Constant regular expressions.
    pub regexes: Vec<RegexConstant>,
    /// Which of them are bytes at an edge of the text, as far as known: for machine code.
    pub edges: Vec<Option<EdgeBytes>>,
    /// Operands of operations with any number of them.
    pub lists: Vec<Src>,
    /// Constant formats.
    pub formats: Vec<Vec<u8>>,
    /// All `BEGIN` actions, if any.
    pub begin: Option<StaticFrame>,
    /// The record loop; `None` if nothing uses records.
    pub main: Option<StaticFrame>,
    /// All `END` actions, if any.
    pub end: Option<StaticFrame>,
    /// All `BEGINFILE` actions, if any.
    pub begin_file: Option<StaticFrame>,
    /// All `ENDFILE` actions, if any.
    pub end_file: Option<StaticFrame>,
    /// The call of a test function, which follows `END`, even after an `exit`.
    pub test: Option<StaticFrame>,
    /// Where user functions return to when a built-in function called them.
    pub callback: Option<StaticFrame>,
    /// User functions.
    pub functions: Vec<StaticFrame>,
    /// The places where an observed run stops or counts.
    pub visits: Vec<(Visit, Span)>,
    /// Calls of getline that are loop conditions. With one, a failure counts as true.
    pub getline_loops: Vec<u32>,
    /// The rules by [`Op::EnterRule`]'s number, in a profiled program.
    pub rules: Vec<ProfiledRule>,
    /// The dialect of the program's text.
    pub dialect: Dialect,
    /// Loaded extensions.
    pub extensions: Vec<Extension>,
    /// The host functions that a run must have, by number.
    pub host_functions: Vec<HostDeclaration>,
    /// How it uses a table's columns.
    pub columns: ColumnUses,
    /// What a redirected `print` writes as a row, by its list's index.
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

    pub(crate) fn column_names(&self) -> impl Iterator<Item = &str> {
        self.globals.iter().filter_map(|global| global.column())
    }

    /// The fields that operations take by a constant number, each as often as one does.
    pub fn fields_named(&self) -> impl Iterator<Item = usize> {
        let named = |op: &Op| match op {
            Op::Field { n, .. } | Op::OwnField { n, .. } | Op::LengthField { n, .. } => {
                Some(n.index())
            }
            _ => None,
        };
        self.code.iter().filter_map(named).filter(|&n| n > 0)
    }

    /// Whether fields are taken by a variable's number, as loops over all of them do.
    pub fn takes_fields_in_turn(&self) -> bool {
        let takes = |frame: &StaticFrame| {
            let registers = frame.params.len() + frame.locals.len();
            let is_variable = |i: Src| match i.is_static() {
                true => i.number() < self.globals.len(),
                false => i.number() < registers,
            };
            let code = self.code.get(frame.code.start as usize..frame.code.end as usize);
            code.unwrap_or_default().iter().any(|op| match *op {
                Op::FieldAt { i, .. } | Op::OwnFieldAt { i, .. } => is_variable(i),
                _ => false,
            })
        };
        self.frames().any(takes)
    }

    /// Every frame, in the order of the fields above.
    pub fn frames(&self) -> impl Iterator<Item = &StaticFrame> {
        self.frames_with_kinds().map(|(frame, _)| frame)
    }

    /// Every frame, and the kind that its place requires.
    pub(crate) fn frames_with_kinds(&self) -> impl Iterator<Item = (&StaticFrame, FrameKind)> {
        let phases = [
            (&self.begin, FrameKind::Begin),
            (&self.main, FrameKind::Main),
            (&self.end, FrameKind::End),
            (&self.begin_file, FrameKind::BeginFile),
            (&self.end_file, FrameKind::EndFile),
            (&self.test, FrameKind::End),
            (&self.callback, FrameKind::Callback),
        ];
        let phases = phases
            .into_iter()
            .flat_map(|(frame, kind)| frame.iter().map(move |frame| (frame, kind)));
        phases.chain(self.functions.iter().map(|frame| (frame, FrameKind::Function)))
    }
}

/// A constant, as data that any thread may read. Each run makes its own values of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// No value.
    Nothing,
    /// A number.
    Number(f64),
    /// The text of an integer that a double does not hold.
    Integer(Box<[u8]>),
    /// Text.
    Text(Box<[u8]>),
    /// `@/.../`.
    Regex {
        /// Between the slashes.
        text: Box<[u8]>,
        /// Its index among the regular expressions.
        number: u32,
    },
}

impl Constant {
    /// Text.
    pub fn text(text: &[u8]) -> Constant {
        Constant::Text(text.into())
    }

    /// Its value.
    pub fn to_value(&self) -> Value {
        match self {
            Constant::Nothing => Value::Uninit,
            Constant::Number(number) => Value::Num(*number),
            Constant::Integer(text) => Value::from_input(text).exact(b"").into_value(),
            Constant::Text(text) => Value::from_text(text),
            Constant::Regex { text, number } => {
                Value::Regex { text: HeapStr::new(text), number: *number }
            }
        }
    }
}

/// A part of the program that a profile counts separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfiledRule {
    /// Its frame.
    pub kind: FrameKind,
    /// The pattern; `None` for reading, and for an action without a pattern.
    pub pattern: Option<Span>,
    /// Whether it is the reading of records.
    pub reads: bool,
    /// Its source.
    pub span: Span,
}

/// The global that holds the value of an observed function; programs cannot name it.
pub const RETURN_VALUE: &str = "return value";

/// A regular expression in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexConstant {
    /// The pattern, as the regex engine takes it.
    pub pattern: Vec<u8>,
    /// As written in the program.
    pub spelling: RegexSpelling,
    /// Its first use.
    pub span: Span,
}

/// How a constant regular expression is written, which decides when an invalid one is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegexSpelling {
    /// `/.../`: an error of the program.
    Slashes,
    /// `@/.../`: also fatal, as in gawk.
    Typed,
    /// A string: an error when used.
    Text,
}

/// Kinds of frames.
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
    /// Where functions called by built-in ones return to.
    Callback,
    /// A user function.
    Function,
}

impl FrameKind {
    /// The name in programs; `main` for the record loop.
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

/// A part of the code that has its own registers.
#[derive(Clone, Debug)]
pub struct StaticFrame {
    /// What it is.
    pub kind: FrameKind,
    /// `BEGIN`, `main`, `END`, `BEGINFILE`, `ENDFILE` or the function's name.
    pub name: String,
    /// Range in the unit's code; the first operation is the entry.
    pub code: Range<u32>,
    /// Parameter names; parameters are the first registers.
    pub params: Vec<String>,
    /// Names of the variables that are the first registers of the record loop.
    pub locals: Vec<String>,
    /// How each parameter is used.
    pub usages: Vec<Usage>,
    /// Number of registers.
    pub registers: u16,
    /// Its definition in the source.
    pub span: Span,
    /// Whether the program defines it; a function may also only be called.
    pub defined: bool,
    /// Whether it stands for a built-in function of its name and arity, for indirect calls.
    pub builtin: bool,
}
