//! What an operation's operands are. Each kind knows what makes it valid in its frame and how it is
//! shown.

use crate::unit::{StaticFrame, Unit};
use riverhawk_syntax::ast::{BinaryOp, LibraryFn, RedirectKind, Special};
use std::fmt::Write;

/// What an operand is checked and shown against.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The program.
    pub unit: &'a Unit,
    /// The frame that the operation stands in.
    pub frame: &'a StaticFrame,
}

/// An operand of an operation.
pub trait Operand {
    /// Why it is not valid here, if it is not.
    fn verify(self, scope: Scope<'_>) -> Result<(), String>;
    /// Writes it as people read it.
    fn show(self, scope: Scope<'_>, out: &mut String);
}

/// Bit that tells a static slot (global or constant) from a register.
const STATIC: u16 = 0x8000;

/// The number of static slots that an operand can name; globals and constants past them are reached
/// by their own operations.
pub const STATIC_LIMIT: usize = 0x8000;

/// The number of registers a frame may have.
pub const REGISTER_LIMIT: usize = 0x8000;

macro_rules! slots {
    ($($(#[$doc:meta])* $name:ident, |$unit:ident| $statics:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(u16);

        impl $name {
            /// The register with this number.
            pub const fn register(number: u16) -> $name { $name(number) }
            /// The static slot with this number.
            pub const fn fixed(number: u16) -> $name { $name(number | STATIC) }
            /// Whether it is a static slot.
            #[inline(always)]
            pub const fn is_static(self) -> bool { self.0 & STATIC != 0 }
            /// Its number among the registers or the static slots.
            #[inline(always)]
            pub const fn number(self) -> usize { (self.0 & !STATIC) as usize }
        }

        impl Operand for $name {
            fn verify(self, scope: Scope<'_>) -> Result<(), String> {
                let (what, limit) = if self.is_static() {
                    let $unit = scope.unit;
                    ("static slot", $statics)
                } else {
                    ("register", scope.frame.registers as usize)
                };
                if self.number() < limit { Ok(()) } else { Err(format!("{what} {} of {limit}", self.number())) }
            }
            fn show(self, scope: Scope<'_>, out: &mut String) {
                out.push_str(&scope.slot_name(self.is_static(), self.number()));
            }
        }
    )*};
}

slots! {
    /// A slot that is read: a register, a global or a constant.
    Src, |unit| unit.statics();
    /// A slot that is written (and perhaps read first): a register or a global.
    Dst, |unit| unit.globals.len();
}

impl Src {
    /// The same slot, to write: the verifier has to know that it may be written.
    pub const fn dst(self) -> Dst {
        Dst(self.0)
    }
}

impl Dst {
    /// The same slot, to read.
    pub const fn src(self) -> Src {
        Src(self.0)
    }
}

impl Scope<'_> {
    /// A slot as people read it: `r3`, a parameter's or global's name, or the constant itself.
    pub fn slot_name(&self, is_static: bool, number: usize) -> String {
        if !is_static {
            return match self.frame.params.get(number) {
                Some(name) => name.clone(),
                None => format!("r{number}"),
            };
        }
        if let Some(global) = self.unit.globals.get(number) {
            return global.name.clone();
        }
        match self.unit.constants.get(number.wrapping_sub(self.unit.globals.len())) {
            Some(constant) => constant_text(constant),
            None => format!("static {number}"),
        }
    }
}

fn constant_text(constant: &riverhawk_value::Value) -> String {
    match constant {
        riverhawk_value::Value::Num(number) => format!("{number}"),
        riverhawk_value::Value::Precise(number) => format!("{}", number.to_f64()),
        riverhawk_value::Value::Uninit => "nothing".to_owned(),
        riverhawk_value::Value::Regex { text, .. } => {
            format!("/{}/", String::from_utf8_lossy(text.as_bytes()))
        }
        other => quoted(other.bytes(b"").unwrap_or_default()),
    }
}

fn quoted(text: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(text))
}

/// Names of the columns that the program names.
fn columns(scope: Scope<'_>) -> impl Iterator<Item = &str> {
    scope.unit.globals.iter().filter_map(|global| global.column())
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident($inner:ty) $what:literal, |$scope:ident, $number:ident| $limit:expr, $shown:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $inner);

        impl $name {
            /// As an index.
            #[inline(always)]
            pub const fn index(self) -> usize { self.0 as usize }
        }

        impl Operand for $name {
            fn verify(self, $scope: Scope<'_>) -> Result<(), String> {
                let limit: usize = $limit;
                if self.index() < limit { Ok(()) } else { Err(format!("{} {} of {limit}", $what, self.0)) }
            }
            fn show(self, $scope: Scope<'_>, out: &mut String) {
                let $number = self.index();
                let shown: Option<String> = $shown;
                match shown {
                    Some(shown) => out.push_str(&shown),
                    None => { let _ = write!(out, "{} {}", $what, self.0); }
                }
            }
        }
    )*};
}

numbers! {
    /// A global past the reach of a slot.
    GlobalNo(u32) "global", |scope, at| scope.unit.globals.len(),
        scope.unit.globals.get(at).map(|global| global.name.clone());
    /// A constant past the reach of a slot.
    ConstId(u32) "constant", |scope, at| scope.unit.constants.len(), scope.unit.constants.get(at).map(constant_text);
    /// A constant regular expression.
    RegexId(u32) "regex", |scope, at| scope.unit.regexes.len(),
        scope.unit.regexes.get(at).map(|regex| format!("/{}/", String::from_utf8_lossy(&regex.pattern)));
    /// A constant format of printf or sprintf.
    FormatId(u32) "format", |scope, at| scope.unit.formats.len(), scope.unit.formats.get(at).map(|format| quoted(format));
    /// A user function.
    FrameId(u32) "function", |scope, at| scope.unit.functions.len(),
        scope.unit.functions.get(at).map(|function| function.name.clone());
    /// A place that an observed run comes by.
    VisitNo(u32) "visit", |scope, at| scope.unit.visits.len(),
        scope.unit.visits.get(at).map(|(visit, _)| format!("{visit:?}"));
    /// A rule of a profiled program.
    RuleNo(u32) "rule", |scope, at| scope.unit.rules.len(),
        scope.unit.rules.get(at).map(|rule| format!("rule {at} ({})", rule.kind.name()));
    /// A field by its number; 0 is the record.
    FieldNo(u32) "field", |_scope, at| usize::MAX, Some(format!("${at}"));
    /// A column that the program names, in the order of their globals.
    ColumnNo(u32) "column", |scope, at| columns(scope).count(), columns(scope).nth(at).map(|name| format!("@{name:?}"));
}

/// Where a jump goes: an index into the unit's code, inside the same frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeAt(pub u32);

impl Operand for CodeAt {
    fn verify(self, scope: Scope<'_>) -> Result<(), String> {
        if scope.frame.code.contains(&self.0) {
            Ok(())
        } else {
            Err(format!("jump to {} leaves the frame", self.0))
        }
    }
    fn show(self, _: Scope<'_>, out: &mut String) {
        let _ = write!(out, "-> {}", self.0);
    }
}

/// Consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regs {
    /// The first.
    pub first: u16,
    /// How many.
    pub count: u16,
}

impl Operand for Regs {
    fn verify(self, scope: Scope<'_>) -> Result<(), String> {
        let end = usize::from(self.first) + usize::from(self.count);
        let limit = scope.frame.registers as usize;
        if end <= limit {
            Ok(())
        } else {
            Err(format!("registers {}..{end} of {limit}", self.first))
        }
    }
    fn show(self, scope: Scope<'_>, out: &mut String) {
        out.push('[');
        for at in 0..usize::from(self.count) {
            if at > 0 {
                out.push(' ');
            }
            out.push_str(&scope.slot_name(false, usize::from(self.first) + at));
        }
        out.push(']');
    }
}

/// A list of slots, kept in [`Unit::lists`]: what an operation with any number of sources reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Srcs {
    /// Index of the first in [`Unit::lists`].
    pub at: u32,
    /// How many.
    pub count: u32,
}

impl Srcs {
    /// The slots, in a unit that has been verified or is trusted to hold them.
    #[inline]
    pub fn of(self, unit: &Unit) -> &[Src] {
        let at = self.at as usize;
        unit.lists.get(at..at + self.count as usize).unwrap_or_default()
    }
}

impl Operand for Srcs {
    fn verify(self, scope: Scope<'_>) -> Result<(), String> {
        let slots = self.of(scope.unit);
        if slots.len() != self.count as usize {
            return Err(format!("list {} is not there", self.at));
        }
        slots.iter().try_for_each(|slot| slot.verify(scope))
    }
    fn show(self, scope: Scope<'_>, out: &mut String) {
        out.push('[');
        for (at, slot) in self.of(scope.unit).iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            slot.show(scope, out);
        }
        out.push(']');
    }
}

/// Which slots of a list that is printed make one text with the slot before them: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Joints(u32);

impl Joints {
    /// Each slot is a text of its own.
    pub const NONE: Joints = Joints(0);

    /// The most slots that a list may have some of which are joined.
    pub const MAX_SLOTS: usize = 32;

    /// The slot with this number is joined to the one before it. Only for the first
    /// [`Joints::MAX_SLOTS`].
    pub fn join(&mut self, at: usize) {
        debug_assert!((1..Self::MAX_SLOTS).contains(&at));
        self.0 |= 1 << at;
    }

    /// Whether a slot is joined to the one before it.
    #[inline(always)]
    pub const fn is_joined(self, at: usize) -> bool {
        at < Self::MAX_SLOTS && self.0 >> at & 1 == 1
    }

    /// Whether a slot is part of a text that is made of several.
    #[inline(always)]
    pub const fn is_part(self, at: usize) -> bool {
        self.is_joined(at) || self.is_joined(at + 1)
    }
}

impl Operand for Joints {
    fn verify(self, _: Scope<'_>) -> Result<(), String> {
        if self.is_joined(0) { Err("nothing stands before the first slot".into()) } else { Ok(()) }
    }
    fn show(self, _: Scope<'_>, out: &mut String) {
        let joined: Vec<String> = (0..Self::MAX_SLOTS)
            .filter(|&at| self.is_joined(at))
            .map(|at| at.to_string())
            .collect();
        let _ = write!(out, "[{}]", joined.join(" "));
    }
}

/// A regular expression or separator: a constant one, a slot whose text is one, or FS. Packed into
/// 4 bytes, so that an operation stays within 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternRef(u32);

/// What a [`PatternRef`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// Compiled with the program.
    Constant(RegexId),
    /// The text of a slot.
    Slot(Src),
    /// What FS says (`split` without separator).
    FieldSeparator,
}

const PATTERN_SLOT: u32 = 1 << 31;

impl PatternRef {
    /// What FS says.
    pub const FIELD_SEPARATOR: PatternRef = PatternRef(u32::MAX);

    /// A pattern compiled with the program.
    pub const fn constant(regex: RegexId) -> PatternRef {
        PatternRef(regex.0 & !PATTERN_SLOT)
    }

    /// The text of a slot.
    pub const fn slot(slot: Src) -> PatternRef {
        PatternRef(slot.0 as u32 | PATTERN_SLOT)
    }

    /// Unpacked.
    #[inline]
    pub const fn kind(self) -> PatternKind {
        if self.0 & PATTERN_SLOT == 0 {
            PatternKind::Constant(RegexId(self.0))
        } else if self.0 == u32::MAX {
            PatternKind::FieldSeparator
        } else {
            PatternKind::Slot(Src(self.0 as u16))
        }
    }
}

impl Operand for PatternRef {
    fn verify(self, scope: Scope<'_>) -> Result<(), String> {
        match self.kind() {
            PatternKind::Constant(regex) => regex.verify(scope),
            PatternKind::Slot(slot) => slot.verify(scope),
            PatternKind::FieldSeparator => Ok(()),
        }
    }
    fn show(self, scope: Scope<'_>, out: &mut String) {
        match self.kind() {
            PatternKind::Constant(regex) => regex.show(scope, out),
            PatternKind::Slot(slot) => slot.show(scope, out),
            PatternKind::FieldSeparator => out.push_str("FS"),
        }
    }
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident $text:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl Operand for $name {
            fn verify(self, _: Scope<'_>) -> Result<(), String> { Ok(()) }
            fn show(self, _: Scope<'_>, out: &mut String) {
                out.push_str(match self { $($name::$variant => $text),* });
            }
        }
    )*};
}

flags! {
    /// `x++` and its kin.
    Step {
        /// `++x`
        PreUp "++x",
        /// `--x`
        PreDown "--x",
        /// `x++`
        PostUp "x++",
        /// `x--`
        PostDown "x--",
    }
    /// What `x op= v` does.
    Update {
        /// `+=`
        Add "+=",
        /// `-=`
        Sub "-=",
        /// `*=`
        Mul "*=",
        /// `/=`
        Div "/=",
        /// `%=`
        Mod "%=",
        /// `^=`
        Pow "^=",
    }
    /// Functions of one number.
    MathFn {
        /// Sine of radians.
        Sin "sin",
        /// Cosine of radians.
        Cos "cos",
        /// e to the power.
        Exp "exp",
        /// Natural logarithm.
        Log "log",
        /// Square root.
        Sqrt "sqrt",
        /// Without fraction, towards zero.
        Int "int",
    }
    /// Arithmetic of any precision.
    PreciseFn {
        /// a + b
        Add "+",
        /// a - b
        Sub "-",
        /// a * b
        Mul "*",
        /// a / b; b = 0 is an error
        Div "/",
        /// a modulo b with the sign of a; b = 0 is an error
        Mod "%",
        /// a to the power b
        Pow "^",
        /// -a
        Neg "neg",
        /// a as a number
        Number "number",
        /// a as `print` writes it, if it is such a number
        Print "print",
        /// 1 when a is true, else 0
        Truth "truth",
        /// 0 when a is true, else 1
        Not "not",
        /// a without its fraction
        Int "int",
        /// Sine of radians
        Sin "sin",
        /// Cosine of radians
        Cos "cos",
        /// e to the power
        Exp "exp",
        /// Natural logarithm
        Log "log",
        /// Square root
        Sqrt "sqrt",
        /// The angle of (a = y, b = x)
        Atan2 "atan2",
        /// A random number, at least 0 and below 1
        Rand "rand",
        /// Seeds by a
        Srand "srand",
        /// Seeds by the time
        SrandByTime "srandbytime",
    }
    /// Where redirected output goes.
    PrintTarget {
        /// `> file`
        Truncate ">",
        /// `>> file`
        Append ">>",
        /// `| command`
        Pipe "|",
        /// `|& command`
        Coprocess "|&",
    }
    /// An array of what the program has, by name.
    NamedTable {
        /// Variables.
        Symbols "SYMTAB",
        /// Functions.
        Functions "FUNCTAB",
    }
    /// What an element is wanted as.
    Want {
        /// A scalar.
        Scalar "scalar",
        /// An array, which it becomes if it is nothing yet.
        Array "array",
        /// Either.
        Any "any",
    }
    /// Where a named getline reads from.
    GetlineSource {
        /// `getline < file`
        File "<",
        /// `command | getline`
        Command "|",
        /// `command |& getline`
        Coprocess "|&",
    }
}

impl From<RedirectKind> for PrintTarget {
    fn from(kind: RedirectKind) -> PrintTarget {
        match kind {
            RedirectKind::Truncate => PrintTarget::Truncate,
            RedirectKind::Append => PrintTarget::Append,
            RedirectKind::Pipe => PrintTarget::Pipe,
            RedirectKind::Coprocess => PrintTarget::Coprocess,
        }
    }
}

impl NamedTable {
    /// Its name in the program.
    pub fn name(self) -> &'static str {
        match self {
            NamedTable::Symbols => "SYMTAB",
            NamedTable::Functions => "FUNCTAB",
        }
    }
}

impl Update {
    /// The update of an arithmetic operator.
    pub fn of(op: BinaryOp) -> Option<Update> {
        Some(match op {
            BinaryOp::Add => Update::Add,
            BinaryOp::Sub => Update::Sub,
            BinaryOp::Mul => Update::Mul,
            BinaryOp::Div => Update::Div,
            BinaryOp::Mod => Update::Mod,
            BinaryOp::Pow => Update::Pow,
            _ => return None,
        })
    }
}

impl Operand for Special {
    fn verify(self, _: Scope<'_>) -> Result<(), String> {
        Ok(())
    }
    fn show(self, _: Scope<'_>, out: &mut String) {
        out.push_str(self.name());
    }
}

impl Operand for LibraryFn {
    fn verify(self, _: Scope<'_>) -> Result<(), String> {
        Ok(())
    }
    fn show(self, _: Scope<'_>, out: &mut String) {
        out.push_str(self.name());
    }
}

impl Operand for bool {
    fn verify(self, _: Scope<'_>) -> Result<(), String> {
        Ok(())
    }
    fn show(self, _: Scope<'_>, out: &mut String) {
        out.push_str(if self { "yes" } else { "no" });
    }
}
