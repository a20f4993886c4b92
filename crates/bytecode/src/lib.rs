//! The register bytecode of an awk program.
//!
//! [`instructions`] is the table of operations; the type [`Op`], the [`verify()`] pass that lets
//! the interpreter skip checks, and the [`dump`] are generated from it. A [`Unit`] is a compiled
//! program: one vector of operations, divided into [`StaticFrame`]s (BEGIN, the record loop, END,
//! each function).
//!
//! This crate neither compiles nor runs anything.
//!
//! ```
//! use riverhawk_bytecode::{Dst, Op, Src, SlotAccess, Successors};
//!
//! let add = Op::Add { d: Dst::register(0), a: Src::register(1), b: Src::fixed(3) };
//! let mut read = Vec::new();
//! add.visit_slots(&[], |slot, access| {
//!     if access == SlotAccess::Read {
//!         read.push(slot);
//!     }
//! });
//! assert_eq!(read, [Src::register(1), Src::fixed(3)]);
//! assert_eq!(add.successors(), Successors::Next);
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod dump;
pub mod instructions;
pub mod operand;
pub mod unit;
pub mod verify;

pub use instructions::Op;
pub use operand::{
    ArrayArguments, CodeAt, ColumnNo, ConstId, Dst, FieldNo, FormatId, FrameId, GetlineSource,
    GlobalNo, HostNo, Joints, MathFn, NamedTable, PatternKind, PatternRef, PreciseFn, PrintTarget,
    RegexId, Regs, ResultType, RuleNo, SlotAccess, Src, Srcs, Step, Successors, Update, VisitNo,
    Want,
};
pub use riverhawk_regex::{Edge, EdgeBytes};
pub use unit::{
    Constant, FrameKind, ProfiledRule, RETURN_VALUE, RegexConstant, RegexSpelling, StaticFrame,
    Unit,
};
pub use verify::{VerifiedUnit, VerifyError, verify};
