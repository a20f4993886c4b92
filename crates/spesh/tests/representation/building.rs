//! From bytecode to instructions.

use crate::{built, numeric_loop, optimised, unit};
use riverhawk_bytecode::FrameId;
use riverhawk_spesh::Type;
use riverhawk_spesh::ir::{
    BlockEnd, BlockInst, CodeRequest, EntryPoint, Feedback, FrameName, Inst, Refusal, Snapshot,
    Text, dump, may_gain_called_back, program_may_gain, verify,
};

fn steps(function: &riverhawk_spesh::ir::IrFunction) -> impl Iterator<Item = &BlockInst> {
    function.blocks.iter().flat_map(|block| &block.steps)
}

#[test]
fn a_loop_of_numbers_touches_no_slot_until_it_ends() {
    let function = optimised(numeric_loop("BEGIN { for (i = 0; i < 100; i++) s += i; print s }"));
    assert_eq!(verify(&function), Ok(()));
    let turning = function
        .blocks
        .iter()
        .enumerate()
        .find(|(number, block)| {
            block.end.targets().iter().any(|target| target.block.0 as usize == *number)
        })
        .map(|(_, block)| block)
        .expect("a block that goes back to itself");
    let slots = turning.steps.iter().filter(|step| !step.inst.is_pure()).count();
    assert_eq!(slots, 0, "{}", dump(&function));
}

#[test]
fn only_what_the_loop_mentions_is_guarded() {
    let function =
        numeric_loop("BEGIN { other = 1; for (i = 0; i < 100; i++) s += i; print s, other }");
    let guards = steps(&function).filter(|step| matches!(step.inst, Inst::Guard { .. })).count();
    assert_eq!(guards, 3, "i, s, and other behind the loop: {}", dump(&function));
}

#[test]
fn operations_that_follow_each_other_are_performed_by_one_call() {
    let function =
        numeric_loop("BEGIN { for (i = 0; i < 100; i++) { fflush(); fflush(); srand(i) } }");
    let counts: Vec<u32> = steps(&function)
        .filter_map(
            |step| if let Inst::Perform { count, .. } = step.inst { Some(count) } else { None },
        )
        .collect();
    assert!(counts.iter().any(|&count| count >= 3), "{counts:?}");
}

#[test]
fn texts_have_instructions_and_numbers_go_to_them_in_registers() {
    let function = numeric_loop(
        "BEGIN { for (i = 0; i < 100; i++) { x = \"abc\" i; y = substr(x, i, 1); if (x == y) n += index(x, \"c\") } print n, y }",
    );
    let dumped = dump(&function);
    assert!(dumped.contains("compare_texts") && dumped.contains("concat"), "{dumped}");
    let takes_numbers =
        |step: &BlockInst| matches!(step.inst, Inst::Text(Text::Substr { length: Some(_), .. }));
    assert!(steps(&function).any(takes_numbers), "{dumped}");
}

#[test]
fn a_sum_that_begins_as_nothing_is_a_number_from_its_second_turn_on() {
    let unit = unit("function f(n,  i, s) { while (i < n) { s += i; i++ } return s }");
    let entry = EntryPoint::Call { arguments: vec![Some(Type::Num)] };
    let function = optimised(built(
        &unit,
        CodeRequest { frame: FrameName::Function(0), entry, feedback: Feedback::default() },
    ));
    assert_eq!(verify(&function), Ok(()));
    // One iteration for the uninitialised value, then a loop without checks.
    assert!(
        !steps(&function).any(|step| matches!(step.inst, Inst::ReadNumber(_) | Inst::Guard { .. })),
        "{}",
        dump(&function)
    );
}

#[test]
fn a_function_that_returns_numbers_alone_gives_one_in_a_register() {
    for (program, gives_number) in [
        ("function f(n) { return n * 2 }", true),
        ("function f(n) { if (n > 1) return n; return 0 }", true),
        ("function f(n) { if (n > 1) return n }", false),
        ("function f(n) { return n \"\" }", false),
    ] {
        let unit = unit(program);
        let entry = EntryPoint::Call { arguments: vec![Some(Type::Num)] };
        let function = built(
            &unit,
            CodeRequest { frame: FrameName::Function(0), entry, feedback: Feedback::default() },
        );
        let returns =
            |wanted: fn(&BlockEnd) -> bool| function.blocks.iter().any(|block| wanted(&block.end));
        assert_eq!(returns(|end| matches!(end, BlockEnd::Return(_))), gives_number, "{program}");
    }
}

#[test]
fn what_is_not_there_is_refused() {
    let snapshot = Snapshot::of(&unit("BEGIN { print }"));
    let entry = EntryPoint::Loop { header: 1_000, registers: Vec::new(), globals: Vec::new() };
    for frame in [FrameName::Begin, FrameName::End, FrameName::Function(3)] {
        let request = CodeRequest { frame, entry: entry.clone(), feedback: Feedback::default() };
        let refused =
            riverhawk_spesh::ir::build(&snapshot, &request, &mut riverhawk_spesh::ir::NoCallees);
        assert_eq!(refused.err(), Some(Refusal::NotThere));
    }
}

#[test]
fn a_function_knows_the_globals_that_its_callees_touch() {
    let program = "function a() { x = 1; b() } function b() { y++; return z } function c() { getline } BEGIN { a(); c() }";
    let unit = unit(program);
    let snapshot = Snapshot::of(&unit);
    let global = |name: &str| {
        unit.globals.iter().position(|global| global.name == name).expect("a global") as u16
    };
    let touched = &snapshot.frame(FrameName::Function(0)).expect("a function").touched;
    assert!(touched.may_write(global("x")) && touched.may_write(global("y")));
    assert!(touched.touches(global("z")) && !touched.may_write(global("z")));
    // Operands of the command line may assign any global.
    assert!(snapshot.frame(FrameName::Function(2)).expect("a function").touched.everything);
}

#[test]
fn parameters_of_arithmetic_are_known() {
    let unit = unit("function f(a, b, c, d) { print b; d = c; return a * 2 - -a }");
    let snapshot = Snapshot::of(&unit);
    let frame = snapshot.frame(FrameName::Function(0)).expect("a function");
    assert_eq!(frame.arithmetic, [true, false, false, false]);
}

#[test]
fn a_loop_gains_unless_it_spends_its_time_in_functions() {
    let gains = |body: &str| {
        let unit = unit(&format!(
            "function f(x) {{ return x }} BEGIN {{ for (i = 0; i < 100; i++) {body}; print n }}"
        ));
        let snapshot = Snapshot::of(&unit);
        let begin = unit.begin.as_ref().expect("a BEGIN").code.clone();
        let headers = (begin.start..begin.end)
            .filter(|&at| snapshot.loop_gains(FrameName::Begin, at))
            .count();
        headers == begin.len()
    };
    assert!(!gains("n += length(sprintf(\"%05d:%s\", i, \"abc\"))"));
    assert!(!gains("printf \"%d %s\\n\", i, \"abc\""));
    assert!(!gains("n += split(s, a, \",\")"));
    assert!(!gains("n += match(s, /(a+)(b+)/, a)"));
    assert!(!gains("print i, i * 2"));
    assert!(!gains("print \"x\""));
    assert!(gains("{ print i; n += i * 2; m += n / 3; k = n - m }"), "enough is done besides");
    assert!(gains("n += i"));
    assert!(gains("n += index(s, \"needle\")"));
    assert!(gains("print f(i)"));
    assert!(gains("for (j = 0; j < 9; j++) n += j"));
    assert!(
        !gains("for (j = 0; j < 9; j++) printf \"%d %s\\n\", i, \"abc\""),
        "what counts is the innermost"
    );
}

#[test]
fn a_program_may_gain_by_loops_that_do_and_by_functions_worth_entering() {
    let gains = |program: &str| program_may_gain(&unit(program));
    assert!(!gains("{ s += $3; c[$5]++ } END { print s }"));
    assert!(!gains("BEGIN { while ((getline line < \"file\") > 0) n += split(line, a) }"));
    assert!(!gains("function f(a, b) { return a - b } BEGIN { asort(x, y, \"f\") }"));
    assert!(gains("{ c[$5]++ } END { for (k in c) n++ }"));
    assert!(gains("function f(x) { calls++; return x } { s += f($3) }"));
    assert!(
        gains("function f(x,  i) { while (i < x) i++ } BEGIN { f(3) }"),
        "nobody knows how often it is called"
    );
    assert!(
        !gains("BEGINFILE { n++ } { for (i = 1; i <= NF; i++) s += $i }"),
        "no machine code is made of it"
    );
}

#[test]
fn a_function_that_a_built_in_one_calls_is_watched_if_it_is_long_or_has_loops() {
    let unit = unit(
        "function f(i, v, j, w) { return v - w } function g(i, v) { while (v > 1) v /= 2; return v }",
    );
    assert!(!may_gain_called_back(&unit, FrameId(0)));
    assert!(may_gain_called_back(&unit, FrameId(1)));
}

#[test]
fn a_record_loop_gains_by_the_loops_and_calls_within() {
    let gains = |program: &str, frame| Snapshot::of(&unit(program)).gains(frame);
    assert!(!gains(
        "$1 > 3 { next } { n += length($0); c[$1]++ } /x/, /y/ { print }",
        FrameName::Main
    ));
    assert!(!gains("$1 > 3", FrameName::Main));
    assert!(!gains("{ s += $3; c[$5]++ }", FrameName::Main));
    assert!(!gains("{ for (i = NF; i; i--) printf \"%s \", $i }", FrameName::Main));
    assert!(gains("function f(x) { calls++; return x } { n += f($1) }", FrameName::Main));
    assert!(gains("{ for (i = 1; i <= NF; i++) n += $i }", FrameName::Main));
    assert!(gains("{ for (k in c) n++ }", FrameName::Main));
    assert!(gains("{ k = substr($0, 1, 3); c[k] += substr($0, 5) }", FrameName::Main));
    assert!(!gains("{ c[substr($0, 1, 3)]++ }", FrameName::Main));
    // These are no views.
    assert!(!gains(
        "{ k = substr(l, 1, 3); m = substr(l, 5); l = $0 } END { print k, m }",
        FrameName::Main
    ));
    assert!(gains("BEGIN { x = 1 }", FrameName::Begin));
}
