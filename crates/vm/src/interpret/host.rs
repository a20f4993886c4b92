//! Calls of host functions.

#![allow(unsafe_code)]

use super::operands::{Operands, slots_of};
use crate::arithmetic::forms_set;
use crate::host::{HostCall, HostContext};
use crate::memory;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::{ArrayArguments, Dst, HostNo, Srcs};
use riverhawk_value::Value;

const FEW: usize = 8;

pub(crate) fn call(
    rt: &mut Runtime,
    mut operands: Operands,
    function: HostNo,
    arrays: ArrayArguments,
    d: Dst,
    list: Srcs,
) -> Fallible<()> {
    if arrays != ArrayArguments::default() {
        for (at, slot) in slots_of(&rt.program, list).enumerate() {
            if arrays.contains(at) {
                operands.array(slot.dst())?;
            }
        }
    }
    let nothing = Value::Uninit;
    let mut few = [&nothing; FEW];
    let count = list.count as usize;
    let many: Vec<&Value>;
    for (at, slot) in slots_of(&rt.program, list).enumerate() {
        if !arrays.contains(at) {
            operands.expect_scalar(slot)?;
        }
        if let Some(argument) = few.get_mut(at) {
            *argument = operands.get(slot);
        }
    }
    let arguments = if count <= FEW {
        &few[..count]
    } else {
        many = operands.list(&rt.program, list).collect();
        &many
    };
    let context =
        HostContext { record: rt.current.record.text(), convfmt: &rt.current.specials.convfmt };
    let name = rt.program.host_functions.get(function.index()).map_or("", |of| of.name());
    let forms = forms_set();
    let result =
        rt.host_functions.call(function.index(), name, &mut HostCall::new(arguments, context));
    // It may have run another program on this thread.
    if forms_set() != forms {
        rt.arithmetic.set_number_forms();
    }
    operands.put_parts(d, result?);
    memory::check()
}
