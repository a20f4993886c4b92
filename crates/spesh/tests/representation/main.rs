//! The intermediate representation: building, passes, verifier.

mod building;
mod effects;
mod integers;
mod verifying;
mod views;

use riverhawk_bytecode::{Op, Unit};
use riverhawk_spesh::Type;
use riverhawk_spesh::ir::{
    CodeRequest, EntryPoint, Feedback, FrameName, IrFunction, NoCallees, Snapshot, build, passes,
};

pub(crate) fn unit(program: &str) -> Unit {
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("test.awk", program.as_bytes().to_vec()).unwrap();
    let parsed = riverhawk_syntax::parse(&sources);
    riverhawk_compile::compile(&parsed.program.expect("no syntax errors")).unwrap()
}

/// The first target of a jump back in BEGIN.
pub(crate) fn first_loop(unit: &Unit) -> u32 {
    let headers = unit.code.iter().enumerate().filter_map(|(at, op)| {
        let to = match *op {
            Op::Loop { to }
            | Op::JumpLess { to, .. }
            | Op::JumpLessEqual { to, .. }
            | Op::JumpTrue { to, .. } => to.0,
            _ => return None,
        };
        (to as usize <= at).then_some(to)
    });
    headers.min().expect("a loop")
}

pub(crate) fn numeric_loop(program: &str) -> IrFunction {
    let unit = unit(program);
    let header = first_loop(&unit);
    let globals = unit
        .globals
        .iter()
        .map(|global| Some(if global.usage.array { Type::Array } else { Type::Num }))
        .collect();
    let entry = EntryPoint::Loop { header, registers: vec![Some(Type::Num); 20], globals };
    built(&unit, CodeRequest { frame: FrameName::Begin, entry, feedback: Feedback::default() })
}

pub(crate) fn built(unit: &Unit, request: CodeRequest) -> IrFunction {
    let snapshot = Snapshot::of(unit);
    build(&snapshot, &request, &mut NoCallees).expect("it can be built").0
}

pub(crate) fn optimised(mut function: IrFunction) -> IrFunction {
    passes::run(&mut function, &[], |_, _| {});
    function
}
