//! The register bytecode of an awk program.
//!
//! [`instructions`] is the one table of operations; from it come the type [`Op`], the [`verify()`]
//! pass that lets the interpreter skip its own checks, and the [`dump`] that people read. A
//! [`Unit`] is a whole compiled program: one vector of operations, cut into [`StaticFrame`]s
//! (BEGIN, the record loop, END, each function).
//!
//! What it is not: it neither compiles nor runs anything.

#![forbid(unsafe_code)]

pub mod dump;
pub mod instructions;
pub mod operand;
pub mod unit;
pub mod verify;

pub use instructions::Op;
pub use operand::{
    CodeAt, ColumnNo, ConstId, Dst, FieldNo, FormatId, FrameId, GetlineSource, GlobalNo, Joints,
    MathFn, NamedTable, PatternKind, PatternRef, PreciseFn, PrintTarget, RegexId, Regs, ResultType,
    RuleNo, SlotAccess, Src, Srcs, Step, Successors, Update, VisitNo, Want,
};
pub use unit::{
    FrameKind, ProfiledRule, RETURN_VALUE, RegexConstant, RegexSpelling, StaticFrame, Unit,
};
pub use verify::{VerifyError, verify};
