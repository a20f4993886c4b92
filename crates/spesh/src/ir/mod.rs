//! The typed intermediate representation, between the bytecode and the code generator.
//!
//! - [`Snapshot`]: the program, for another thread;
//! - [`CodeRequest`]: what to compile, and what was observed;
//! - [`build()`]: translates each basic block once for each combination of types;
//! - [`IrFunction`]: the result, in static single assignment;
//! - [`passes`] optimise it, [`verify()`] checks it, [`dump()`] shows it.

mod build;
mod dump;
mod flow;
mod function;
mod gain;
mod integer;
mod liveness;
mod operands;
mod operations;
pub mod passes;
mod performer;
mod request;
mod slot;
mod snapshot;
mod state;
mod tags;
mod text;
mod value;
mod verify;
mod view;
mod written;

pub use build::{NoCallees, Refusal, SlotResolver, build};
pub use dump::dump;
pub use flow::loop_depths;
pub use function::{
    Binary, Block, BlockData, BlockEnd, BlockInst, BlockTarget, Callee, Exit, ExitId, ExitReason,
    FrameScope, Inlined, Inst, InstClass, IrFunction, Mark, ReturnForm, Signature, Store, Unary,
};
pub use gain::{may_gain_called_back, program_may_gain};
pub use integer::{Integer, IntegerLimit, IntegerRange};
pub use liveness::Liveness;
pub use performer::{EdgeCut, Performer};
pub use request::{CodeRequest, EntryPoint, Feedback, FrameName, Seen};
pub use slot::Slot;
pub use snapshot::{ConstantFacts, Snapshot, SnapshotFrame, UsedGlobals};
pub use tags::TagSet;
pub use text::Text;
pub use value::{Known, List, Order, Value, ValueType};
pub use verify::verify;
pub use view::{View, Want};
