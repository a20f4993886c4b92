//! The verifier rejects each kind of unsafe unit, with the reason.

mod fixture;

use fixture::{host_function, unit};
use riverhawk_bytecode::{
    ArrayArguments, CodeAt, ColumnNo, ConstId, Dst, FormatId, FrameId, FrameKind, GlobalNo, HostNo,
    Op, PatternRef, RegexId, Regs, RuleNo, Src, Srcs, Unit, VisitNo, verify,
};
use riverhawk_syntax::ast::LibraryFn;
use std::ops::Range;

const R0: Dst = Dst::register(0);
const X: Dst = Dst::fixed(3);
/// The first constant, as a slot.
const SEVEN: u16 = 6;

#[track_caller]
fn refused(unit: &Unit, why: &str) {
    let error = verify(unit).expect_err("it must be refused");
    assert!(error.why.contains(why), "{error}");
}

#[test]
fn a_unit_whose_operands_all_exist_is_accepted() {
    verify(&unit(&[Op::Add { d: X, a: Src::fixed(SEVEN), b: Src::register(3) }])).expect("valid");
}

#[test]
fn an_operand_that_does_not_exist_is_refused() {
    let s = R0.src();
    let cases = [
        (Op::Move { d: Dst::register(4), s }, "Move: d: register 4 of 4"),
        (Op::Move { d: R0, s: Src::register(4) }, "Move: s: register 4 of 4"),
        (Op::Move { d: R0, s: Src::fixed(9) }, "static slot 9 of 9"),
        (Op::LoadConst { d: R0, k: ConstId(3) }, "constant 3 of 3"),
        (Op::GetGlobal { d: R0, g: GlobalNo(6) }, "global 6 of 6"),
        (Op::Column { d: R0, c: ColumnNo(1), i: s }, "column 1 of 1"),
        (Op::JumpRecordMatches { re: RegexId(1), to: CodeAt(0) }, "regex 1 of 1"),
        (Op::Matches { d: R0, s, pattern: PatternRef::constant(RegexId(1)) }, "regex 1 of 1"),
        (Op::Matches { d: R0, s, pattern: PatternRef::slot(Src::register(9)) }, "register 9 of 4"),
        (Op::Visit { at: VisitNo(1) }, "visit 1 of 1"),
        (Op::EnterRule { rule: RuleNo(1) }, "rule 1 of 1"),
        (Op::FormatConst { format: FormatId(1), parts: Srcs { at: 0, count: 1 } }, "format 1 of 1"),
        (Op::Print { parts: Srcs { at: 3, count: 2 } }, "list 3 is not there"),
        (Op::Print { parts: Srcs { at: u32::MAX, count: u32::MAX } }, "is not there"),
        (
            Op::Call { d: R0, function: FrameId(1), arguments: Regs { first: 0, count: 0 } },
            "function 1 of 1",
        ),
        (
            Op::Call { d: R0, function: FrameId(0), arguments: Regs { first: 3, count: 2 } },
            "registers 3..5 of 4",
        ),
        (
            Op::Call { d: R0, function: FrameId(0), arguments: Regs { first: u16::MAX, count: 2 } },
            "of 4",
        ),
    ];
    for (op, why) in cases {
        refused(&unit(&[op]), why);
    }
}

#[test]
fn a_list_that_names_a_missing_slot_is_refused() {
    let mut unit = unit(&[Op::Print { parts: Srcs { at: 0, count: 2 } }]);
    verify(&unit).expect("valid");
    unit.lists[1] = Src::register(4);
    refused(&unit, "register 4 of 4");
}

#[test]
fn a_constant_is_never_written() {
    refused(&unit(&[Op::Move { d: Dst::fixed(SEVEN), s: R0.src() }]), "d: static slot 6 of 6");
    refused(&unit(&[Op::Increment { v: Dst::fixed(SEVEN) }]), "v: static slot 6 of 6");
}

#[test]
fn a_jump_out_of_its_frame_is_refused() {
    for to in [3, u32::MAX] {
        refused(&unit(&[Op::Jump { to: CodeAt(to) }, Op::Halt {}]), "leaves the frame");
    }
    let mut unit = unit(&[]);
    unit.functions[0].code = 1..2;
    unit.code[1] = Op::Jump { to: CodeAt(0) };
    refused(&unit, "leaves the frame");
}

#[test]
fn a_frame_that_runs_off_its_end_is_refused() {
    let mut running_off = unit(&[Op::Increment { v: X }]);
    running_off.main.as_mut().expect("a frame").code = 0..1;
    refused(&running_off, "runs off its end");
    // A conditional jump may not be taken, and the record loop ends.
    for op in [Op::JumpTrue { a: X.src(), to: CodeAt(0) }, Op::RecordLoop { again: CodeAt(0) }] {
        running_off.code[0] = op;
        refused(&running_off, "runs off its end");
    }
    running_off.main.as_mut().expect("a frame").code = 0..0;
    refused(&running_off, "runs off its end");
}

#[test]
fn a_frame_whose_code_is_not_there_is_refused() {
    for code in [0..9, 9..12, Range { start: 2, end: 1 }] {
        let mut unit = unit(&[]);
        unit.main.as_mut().expect("a frame").code = code;
        refused(&unit, "is not there");
    }
}

#[test]
fn spans_that_do_not_match_the_code_are_refused() {
    let mut unit = unit(&[]);
    unit.spans.pop();
    refused(&unit, "differ in length");
}

#[test]
fn more_arguments_than_parameters_are_refused_and_fewer_are_not() {
    let call = |count| {
        unit(&[Op::Call { d: R0, function: FrameId(0), arguments: Regs { first: 0, count } }])
    };
    refused(&call(3), "3 arguments for 2 parameters");
    for count in 0..=2 {
        verify(&call(count)).expect("valid");
    }
}

#[test]
fn a_library_function_takes_as_many_arguments_as_its_table_says_and_arrays_where_it_says() {
    let call = |f, at, count| unit(&[Op::Library { f, d: R0, arguments: Srcs { at, count } }]);
    verify(&call(LibraryFn::FileLines, 2, 2)).expect("valid");
    refused(&call(LibraryFn::FileLines, 2, 1), "1 arguments for file::lines(path, array)");
    refused(&call(LibraryFn::FileSlurp, 1, 3), "3 arguments for file::slurp(path [, limit])");
    // The list at 1 is r1 and the constant 7, which cannot be an array.
    refused(&call(LibraryFn::FileLines, 1, 2), "array: static slot 6 of 6");
    refused(&call(LibraryFn::FileLines, 3, 2), "is not there");
}

#[test]
fn a_host_function_takes_as_many_arguments_as_are_declared_and_arrays_where_they_are() {
    let arrays = ArrayArguments::of(&host_function());
    let call = |function, arrays, at, count| {
        unit(&[Op::CallHost { function, arrays, d: R0, arguments: Srcs { at, count } }])
    };
    verify(&call(HostNo(0), arrays, 2, 2)).expect("valid");
    refused(&call(HostNo(1), arrays, 2, 2), "host function 1 of 1");
    refused(&call(HostNo(0), arrays, 2, 0), "0 arguments for h");
    refused(&call(HostNo(0), arrays, 1, 3), "3 arguments for h");
    refused(&call(HostNo(0), ArrayArguments::default(), 2, 2), "h takes other arrays");
    // The list at 1 is r1 and the constant 7, which cannot be an array.
    refused(&call(HostNo(0), arrays, 1, 2), "array: static slot 6 of 6");
    refused(&call(HostNo(0), arrays, 3, 2), "is not there");
}

#[test]
fn more_parameters_than_registers_are_refused() {
    let mut unit = unit(&[]);
    unit.functions[0].registers = 1;
    refused(&unit, "1 registers");
    unit.functions[0].registers = 0x8001;
    refused(&unit, "32769 registers");
}

#[test]
fn operations_that_belong_to_another_kind_of_frame_are_refused() {
    refused(&unit(&[Op::Return { s: X.src() }]), "outside a function");
    refused(&unit(&[Op::ReturnNothing {}]), "outside a function");
    let mut unit = unit(&[]);
    for (op, why) in [
        (Op::Halt {}, "inside a function"),
        (Op::NextRecord { done: CodeAt(1) }, "outside the record loop"),
        (Op::RecordLoop { again: CodeAt(1) }, "outside the record loop"),
        (Op::DrainRecords {}, "outside the record loop"),
    ] {
        unit.code[1] = op;
        refused(&unit, why);
    }
}

#[test]
fn a_frame_in_the_place_of_another_kind_is_refused() {
    // A phase has no caller to return to.
    let mut phase = unit(&[]);
    phase.begin = Some(phase.functions[0].clone());
    refused(&phase, "a frame of kind Function stands where one of kind Begin belongs");
    let mut function = unit(&[]);
    function.functions[0].kind = FrameKind::End;
    refused(&function, "a frame of kind End stands where one of kind Function belongs");
}

#[test]
fn operations_that_write_two_slots_want_them_apart() {
    for op in [
        Op::PostIncrement { d: X, v: X },
        Op::PostDecrement { d: X, v: X },
        Op::Substitute {
            every: true,
            d: X,
            v: X,
            pattern: PatternRef::FIELD_SEPARATOR,
            by: X.src(),
        },
    ] {
        refused(&unit(&[op]), "the same slot");
    }
}

#[test]
fn the_variables_that_every_program_has_must_be_there() {
    let mut unit = unit(&[]);
    unit.globals.truncate(2);
    refused(&unit, "the variables that every program has");
}

#[test]
fn a_refusal_names_frame_and_operation() {
    let error = verify(&unit(&[Op::Halt {}, Op::LoadConst { d: R0, k: ConstId(9) }]))
        .expect_err("no such constant");
    assert_eq!(error.to_string(), "invalid bytecode in main at 1: LoadConst: k: constant 9 of 3");
}
