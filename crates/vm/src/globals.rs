//! Global variables and constants, and the arrays that the engine fills.

use crate::named::Named;
use crate::procinfo::ProcessInfo;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::{Constant, Unit as Program};
use riverhawk_parallel::{Firsts, Noted};
use riverhawk_value::{ArrayRef, Value, new_array};

pub(crate) struct Globals {
    /// Globals, then constants.
    pub(crate) statics: Vec<Value>,
    pub(crate) environ: Option<ArrayRef>,
    /// Entries of ENVIRON that commands do not get while they have these values.
    pub(crate) assumed: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) named: Named,
    pub(crate) process: ProcessInfo,
    /// Counts assignments from outside the program. Machine code checks it, since it keeps globals
    /// in registers.
    pub(crate) assignments: u64,
    pub(crate) notes: Noted,
    /// What a piece has printed for new keys.
    pub(crate) firsts: Firsts,
    /// Where the output of that piece began.
    pub(crate) firsts_from: u64,
    /// Whether sums are kept exactly: while records are read.
    pub(crate) keeps_sums: bool,
}

impl Globals {
    pub(crate) fn new(program: &Program) -> Globals {
        let mut statics: Vec<Value> = Vec::with_capacity(program.statics());
        // Arrays too: `typeof` can tell that a variable is unused.
        statics.resize(program.globals.len(), Value::Uninit);
        statics.extend(program.constants.iter().map(Constant::to_value));
        for constant in &statics {
            if let Value::Str(heap) = constant {
                heap.is_ascii();
            }
        }
        Globals {
            statics,
            environ: None,
            assumed: Vec::new(),
            named: Named::default(),
            process: ProcessInfo::default(),
            assignments: 0,
            notes: Noted::default(),
            firsts: Firsts::default(),
            firsts_from: 0,
            keeps_sums: false,
        }
    }
}

#[inline(always)]
pub(crate) fn as_array(slot: &mut Value) -> Fallible<&ArrayRef> {
    if !matches!(slot, Value::Array(_)) {
        become_array(slot)?;
    }
    match slot {
        Value::Array(array) => Ok(array),
        _ => Err(Fault::new("not an array")),
    }
}

#[cold]
#[inline(never)]
fn become_array(slot: &mut Value) -> Fallible<()> {
    let array = match slot {
        Value::Uninit => new_array(),
        Value::Untyped(cell) => cell.get_or_init(new_array).clone(),
        _ => return Err(Fault::new("a scalar is used as an array")),
    };
    *slot = Value::Array(array);
    Ok(())
}
