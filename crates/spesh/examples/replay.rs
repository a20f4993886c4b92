//! Runs a small awk program by hand, as an interpreter would log it, and prints what the
//! specialiser makes of it: statistics, then the plan.
//!
//! ```awk
//! function push(stack, value) { stack[++stack[0]] = value }
//! function area(width, height, unit) { if (unit) return width * height * unit; return width * height }
//! function report(text) { printf "%s\n", text }
//! {
//!     total += area($1, $2)
//!     push(seen, $3)
//!     if (NR % 500 == 0) report(total)
//! }
//! ```
//!
//! `cargo run -p riverhawk-spesh --example replay [records]`

use riverhawk_spesh::*;
use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

/// Offsets in the record loop's bytecode.
mod at {
    pub const FIRST_FIELD: u32 = 16;
    pub const SECOND_FIELD: u32 = 32;
    pub const AREA: u32 = 48;
    pub const ADD: u32 = 64;
    pub const THIRD_FIELD: u32 = 80;
    pub const PUSH: u32 = 96;
    pub const REPORT: u32 = 128;
    pub const LOOP: u32 = 144;
}

struct Program {
    main: Arc<RegisteredFrame>,
    push: Arc<RegisteredFrame>,
    area: Arc<RegisteredFrame>,
    report: Arc<RegisteredFrame>,
}

impl Program {
    fn new(specialiser: &Specialiser) -> Program {
        let frame = |name: &str, line: u32, bytecode_bytes, parameters: &[&str]| {
            specialiser.register(FrameFacts {
                name: name.into(),
                place: format!("prog.awk:{line}"),
                bytecode_bytes,
                parameters: parameters.iter().map(|name| String::from(*name)).collect(),
                is_called: true,
                gains_from_types: true,
            })
        };
        Program {
            main: frame("main", 4, 160, &[]),
            push: frame("push", 1, 80, &["stack", "value"]),
            area: frame("area", 2, 112, &["width", "height", "unit"]),
            report: frame("report", 3, 48, &["text"]),
        }
    }

    fn run(&self, log: &mut Logger, records: u32) {
        log.enter_unit();
        let mut main = log.enter(&self.main, Some(Callsite::EMPTY));
        for record in 1..=records {
            // The first field is a number, except in a stray heading.
            let width = if record % 400 == 1 { Type::StrnumText } else { Type::StrnumNumeric };
            log.type_read(main, at::FIRST_FIELD, width);
            log.type_read(main, at::SECOND_FIELD, Type::StrnumNumeric);
            call(
                log,
                main,
                at::AREA,
                &self.area,
                &[width, Type::StrnumNumeric],
                Some(Type::Num),
                |log, here| {
                    log.outcome(here, 96, OperatorOutcome::StrnumAsNum);
                },
            );
            log.outcome(main, at::ADD, OperatorOutcome::NumNum);

            let third = [Type::StrnumText, Type::StrnumNumeric, Type::Num, Type::Str, Type::Uninit];
            let third = third[record as usize % third.len()];
            log.type_read(main, at::THIRD_FIELD, third);
            call(
                log,
                main,
                at::PUSH,
                &self.push,
                &[Type::Array, third],
                Some(Type::Uninit),
                |_, _| {},
            );

            if record % 500 == 0 {
                call(
                    log,
                    main,
                    at::REPORT,
                    &self.report,
                    &[Type::Num],
                    Some(Type::Uninit),
                    |log, here| {
                        log.outcome(here, 16, OperatorOutcome::NumAsStr);
                    },
                );
            }
            log.looped(&mut main, at::LOOP, &self.main);
        }
    }
}

fn call(
    log: &mut Logger,
    caller: CorrelationId,
    offset: u32,
    callee: &RegisteredFrame,
    types: &[Type],
    result: Option<Type>,
    body: impl FnOnce(&mut Logger, CorrelationId),
) {
    let kind =
        |ty: &Type| if *ty == Type::Array { ArgumentShape::Array } else { ArgumentShape::Scalar };
    let shape: Vec<ArgumentShape> = types.iter().map(kind).collect();
    log.invoke(caller, offset, callee);
    let here = log.enter(callee, Callsite::intern(&shape));
    for (index, ty) in (0..).zip(types) {
        log.argument(here, index, *ty, Some(Type::Num));
    }
    body(log, here);
    log.leave(here, caller, offset, result);
}

/// Runs the program over so many records, and writes what the specialiser makes of it.
pub fn replay(records: u32, to: Box<dyn Write + Send>) -> io::Result<Counters> {
    let options = SpecialiserOptions { blocking: true, ..SpecialiserOptions::default() };
    let specialiser = Specialiser::with_dump(&options, NoProducer, Some(to));
    let program = Program::new(&specialiser);
    let mut log = specialiser.logger(ThreadKind::Main);
    program.run(&mut log, records);
    log.send_now();
    drop(log);
    specialiser.finish()
}

fn main() -> Result<(), Box<dyn Error>> {
    let records = std::env::args().nth(1).map_or(Ok(500), |records| records.parse())?;
    let counters = replay(records, Box::new(io::stdout()))?;
    println!(
        "{} entries in {} buffers; {} specialisations",
        counters.entries, counters.buffers, counters.produced
    );
    Ok(())
}
