//! Every form of an option.

use super::*;

fn no_variables(_: &str) -> Option<OsString> {
    None
}

fn run(args: &[&str]) -> Box<Invocation> {
    match parse(args, no_variables) {
        Ok(Request::Run(invocation)) => invocation,
        other => panic!("{args:?}: {other:?}"),
    }
}

fn refused(args: &[&str]) -> String {
    let error = parse(args, no_variables).expect_err("should be refused");
    assert_eq!(error.status, 1, "{args:?}");
    error.message
}

fn assignments(args: &[&str]) -> Vec<(String, Vec<u8>)> {
    let invocation = run(args);
    invocation
        .config
        .machine
        .command_line
        .assignments
        .iter()
        .map(|assignment| (assignment.name().to_owned(), assignment.value().to_owned()))
        .collect()
}

fn operands_of(invocation: &Invocation) -> Vec<OsString> {
    let operands = &invocation.config.machine.command_line.operands;
    operands.iter().map(|operand| OsString::from_vec(operand.clone())).collect()
}

fn text(text: &str) -> ProgramText {
    ProgramText::Text(text.into())
}

fn file(name: &str) -> ProgramText {
    ProgramText::File(name.into())
}

#[test]
fn the_first_operand_is_the_program_and_ends_the_options() {
    let invocation = run(&["{ print }", "-x", "--", "-v", "a=1", ""]);
    assert_eq!(invocation.program, [text("{ print }")]);
    assert_eq!(operands_of(&invocation), ["-x", "--", "-v", "a=1", ""]);
    assert!(invocation.config.machine.command_line.assignments.is_empty());
}

#[test]
fn two_dashes_end_the_options() {
    let invocation = run(&["-b", "--", "-program", "-x"]);
    assert_eq!(invocation.program, [text("-program")]);
    assert_eq!(operands_of(&invocation), ["-x"]);
    let invocation = run(&["-f", "p", "--", "-x"]);
    assert_eq!(
        (&invocation.program, operands_of(&invocation)),
        (&vec![file("p")], vec![OsString::from("-x")])
    );
}

#[test]
fn a_single_dash_is_an_operand() {
    assert_eq!(operands_of(&run(&["p", "-"])), ["-"]);
    assert_eq!(operands_of(&run(&["-f", "p", "-", "-b"])), ["-", "-b"]);
}

#[test]
fn program_text_is_collected_in_order() {
    let invocation = run(&["-f", "a", "-e", "b", "--file=c", "--source", "d", "-f-", "x"]);
    assert_eq!(invocation.program, [file("a"), text("b"), file("c"), text("d"), file("-")]);
    assert_eq!(operands_of(&invocation), ["x"]);
}

#[test]
fn an_empty_e_is_no_program_but_an_empty_operand_is() {
    assert!(refused(&["-e", ""]).starts_with("no program text"));
    assert_eq!(run(&["-e", "", "{ x }"]).program, [text("{ x }")]);
    assert_eq!(run(&[""]).program, [text("")]);
}

#[test]
fn the_separator_is_an_assignment_in_order() {
    let fs = |value: &str| vec![("FS".to_owned(), value.as_bytes().to_owned())];
    assert_eq!(assignments(&["-F:", "p"]), fs(":"));
    assert_eq!(assignments(&["-F", "\\t", "p"]), fs("\\t"));
    assert_eq!(assignments(&["-F", " ", "p"]), fs(" "));
    assert_eq!(assignments(&["-F=", "p"]), fs("="));
    assert_eq!(assignments(&["-F", "", "p"]), fs(""));
    assert_eq!(assignments(&["-Ft", "p"]), fs("t"));
    assert_eq!(assignments(&["--field-separator=|", "p"]), fs("|"));
    assert_eq!(assignments(&["--field-separator", "-", "p"]), fs("-"));
    let in_order = assignments(&["-F:", "-vFS=,", "p"]);
    assert_eq!(in_order, [fs(":"), fs(",")].concat());
}

#[test]
fn assignments_are_taken_as_written() {
    let a = |value: &str| vec![("a".to_owned(), value.as_bytes().to_owned())];
    assert_eq!(assignments(&["-va=1", "p"]), a("1"));
    assert_eq!(assignments(&["-v", "a=b\\n=c", "p"]), a("b\\n=c"));
    assert_eq!(assignments(&["--assign=a=", "p"]), a(""));
    assert_eq!(assignments(&["--assign", "a=-1", "p"]), a("-1"));
}

#[test]
fn arguments_are_bytes() {
    let bytes = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let args =
        vec![bytes(b"-F\xff"), bytes(b"-v"), bytes(b"a=\xfe"), bytes(b"\xfd"), bytes(b"\xfc=\xfb")];
    let Ok(Request::Run(invocation)) = parse(args, no_variables) else { panic!() };
    assert_eq!(invocation.config.machine.command_line.assignments[0].value(), b"\xff");
    assert_eq!(invocation.config.machine.command_line.assignments[1].value(), b"\xfe");
    assert_eq!(invocation.program, [ProgramText::Text(bytes(b"\xfd"))]);
    assert_eq!(operands_of(&invocation), [bytes(b"\xfc=\xfb")]);
    assert!(parse([bytes(b"-\xff")], no_variables).is_err());
    assert!(parse([bytes(b"--\xff"), bytes(b"p")], no_variables).is_err());
}

#[test]
fn a_name_that_cannot_be_a_variable_is_fatal() {
    for assignment in ["1a=2", "=2", "if=2", "length=2"] {
        let error = parse(["-v", assignment, "p"], no_variables).unwrap_err();
        assert_eq!(error.status, 2, "{assignment}");
        assert!(error.message.contains(assignment), "{}", error.message);
    }
    assert_eq!(refused(&["-v", "abc", "p"]), "-v 'abc': expected var=value");
}

#[test]
fn short_flags_may_be_grouped() {
    let invocation = run(&["-bF:", "p"]);
    assert!(invocation.compile.characters_as_bytes);
    assert_eq!(
        invocation.config.machine.command_line.assignments,
        [Assignment::field_separator(b":")]
    );
    assert!(matches!(parse(["-bV"], no_variables), Ok(Request::Version)));
    assert!(matches!(parse(["-hV"], no_variables), Ok(Request::Help(None))));
}

#[test]
fn long_options_may_be_cut_short() {
    assert!(run(&["--char", "p"]).compile.characters_as_bytes);
    assert_eq!(run(&["--fil=x"]).program, [file("x")]);
    // Abbreviates a gawk option, although one of ours begins so too.
    assert!(matches!(parse(["--he"], no_variables), Ok(Request::Help(None))));
    assert!(matches!(parse(["--v"], no_variables), Ok(Request::Version)));
    // `--dump` is complete, though it also begins a gawk option.
    assert_eq!(run(&["--dump=ast", "p"]).dump, Some(Dump::Ast));
    assert_eq!(
        refused(&["--fi", "p"]),
        "option --fi is ambiguous: it may be --field-separator, --file, --fix"
    );
    // gawk's options take precedence over ours.
    assert_eq!(run(&["--trad", "p"]).compile.dialect, Dialect::Traditional);
    assert!(run(&["--g", "p"]).gen_pot);
    assert!(run(&["--cs", "p"]).config.machine.tables.input.is_some());
    assert!(run(&["--sa", "p"]).config.machine.permissions.sandbox);
    assert!(refused(&["--s", "p"]).contains("--source"));
}

#[test]
fn the_w_form_is_a_long_option() {
    assert_eq!(run(&["-W", "source=p"]).program, [text("p")]);
    assert_eq!(run(&["-Wsource=p"]).program, [text("p")]);
    assert_eq!(run(&["-W", "source", "p"]).program, [text("p")]);
    assert!(matches!(parse(["-W", "version"], no_variables), Ok(Request::Version)));
    assert!(run(&["-bWchar", "p"]).compile.characters_as_bytes);
    assert!(refused(&["-W"]).contains("-W"));
    assert_eq!(
        run(&["-W", "bogus=3", "p"]).warnings,
        ["option `-W bogus=3' unrecognized, ignored"]
    );
    assert_eq!(
        run(&["-Wlnit", "p"]).warnings,
        ["option `-W lnit' unrecognized, ignored; did you mean `-W lint'?"]
    );
    assert!(refused(&["-W", "no", "p"]).contains("ambiguous"));
    assert!(refused(&["-W", "", "p"]).contains("unknown option --"));
    assert!(refused(&["-W", "version=1"]).contains("takes no argument"));
}

#[test]
fn inside_options_are_taken() {
    assert_eq!(run(&["--dump=bytecode", "p"]).dump, Some(Dump::Bytecode));
    assert_eq!(run(&["--dump", "ast", "p"]).dump, Some(Dump::Ast));
    let message = "--dump needs ast or bytecode or ir or asm, not 'tree'; to list the variables, use --dump-variables";
    assert_eq!(refused(&["--dump=tree", "p"]), message);
    assert!(run(&["--stats", "p"]).config.tools.stats);
    assert_eq!(run(&["--window-size=7", "p"]).config.machine.input.window_size, 7);
    for wrong in ["0", "-1", "+1", "1k", "", "99999999999999999999999"] {
        assert!(refused(&["--window-size", wrong, "p"]).contains("whole number"), "{wrong}");
    }
}

#[test]
fn what_is_missing_or_too_much_is_refused() {
    assert_eq!(refused(&["-F"]), "-F (--field-separator) needs an argument");
    assert_eq!(refused(&["--file"]), "-f (--file) needs an argument");
    assert!(
        matches!(parse(["--help=x"], no_variables), Ok(Request::Help(Some(topic))) if topic == "x")
    );
    assert!(
        matches!(parse(["-W", "help=x"], no_variables), Ok(Request::Help(Some(topic))) if topic == "x")
    );
    assert_eq!(refused(&["--version=3"]), "--version takes no argument");
    assert_eq!(
        refused(&["--characters-as-bytes=3", "p"]),
        "--characters-as-bytes takes no argument"
    );
    assert!(refused(&[]).starts_with("no program text"));
    assert!(refused(&["-b"]).starts_with("no program text"));
    assert!(refused(&["--"]).starts_with("no program text"));
}

#[test]
fn unknown_options_are_refused_with_the_nearest() {
    assert_eq!(refused(&["-Z", "p"]), "unknown option -Z");
    assert_eq!(refused(&["-é", "p"]), "unknown option -é");
    assert_eq!(refused(&["--verison"]), "unknown option --verison; did you mean --version?");
    assert_eq!(refused(&["--zork", "p"]), "unknown option --zork");
    assert_eq!(refused(&["--=x", "p"]), "unknown option --");
}

#[test]
fn options_that_nobody_knows_are_those_of_a_program_that_is_there() {
    let operands = |args: &[&str]| {
        operands_of(&run(args)).iter().map(|o| o.to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(operands(&["-f", "p", "-Z"]), ["-Z"]);
    assert_eq!(
        operands(&["-f", "p", "--zork=1", "-v", "x=2", "--", "a"]),
        ["--zork=1", "-v", "x=2", "--", "a"]
    );
    assert_eq!(operands(&["-fp", "-vx=1", "-bZ", "-Zb"]), ["-bZ", "-Zb"]);
    assert_eq!(operands(&["-e", "p", "-ZZ", "a"]), ["-ZZ", "a"]);
    assert_eq!(refused(&["-P", "-f", "p", "-Z"]), "unknown option -Z");
    assert_eq!(refused(&["-Z", "-f", "p"]), "unknown option -Z");
}

#[test]
fn arithmetic_of_any_precision_is_asked_for_by_letter_and_by_name() {
    assert!(
        run(&["-M", "p"]).compile.bignum
            && run(&["-bM", "p"]).compile.bignum
            && run(&["--big", "p"]).compile.bignum
    );
    assert!(!run(&["p"]).compile.bignum);
}

#[test]
fn what_concerns_several_cores() {
    let invocation =
        run(&["-j", "3", "--piece-size=10", "--relaxed-sums", "--progress", "{ print }"]);
    assert_eq!((invocation.config.parallel.jobs, invocation.config.parallel.piece_size), (3, 10));
    assert!(
        invocation.config.parallel.relaxed_sums
            && invocation.config.tools.progress
            && !invocation.explain
    );
    assert_eq!(run(&["-j0", "{ print }"]).config.parallel.jobs, 0);
    assert_eq!(run(&["--jobs=2", "--explain", "{ print }"]).config.parallel.jobs, 2);
    assert!(run(&["--explain", "{ print }"]).explain);
    assert_eq!(
        refused(&["-jx", "{ print }"]),
        "-j (--jobs) needs a whole number of at least 0, not 'x'"
    );
    assert_eq!(
        refused(&["--piece-size=0", "{ print }"]),
        "--piece-size needs a whole number of at least 1, not '0'"
    );
}

#[test]
fn posix_and_traditional_settle_what_contradicts_them() {
    let warnings = |args: &[&str]| run(args).warnings;
    assert!(warnings(&["-c", "p"]).is_empty() && warnings(&["-P", "p"]).is_empty());
    assert_eq!(warnings(&["-cP", "p"]), ["`--posix' overrides `--traditional'"]);
    assert_eq!(run(&["-Pc", "p"]).compile.dialect, Dialect::Posix);
    assert_eq!(run(&["-n", "p"]).config.machine.locale.numbers, NumberSyntax::NonDecimal);
    let both = run(&["-nc", "p"]);
    assert_eq!(
        (both.config.machine.locale.numbers, both.warnings.len()),
        (NumberSyntax::Decimal, 1)
    );
    assert_eq!(run(&["-nP", "p"]).config.machine.locale.numbers, NumberSyntax::Posix);
    assert!(!run(&["-bP", "p"]).compile.characters_as_bytes);
    let conflict = parse(["-kP", "p"], no_variables).expect_err("should be refused");
    assert_eq!((conflict.message.as_str(), conflict.status), ("`--posix' and `--csv' conflict", 2));
    assert_eq!(
        run(&["-c", "-Ft", "p"]).config.machine.command_line.assignments,
        [Assignment::field_separator(b"\\t")]
    );
    assert_eq!(
        run(&["-P", "-Ft", "p"]).config.machine.command_line.assignments,
        [Assignment::field_separator(b"t")]
    );
}

#[test]
fn the_environment_may_ask_for_posix() {
    let set = |name: &str| (name == "POSIXLY_CORRECT").then(OsString::new);
    let mut invocation = run(&["p"]);
    assert_eq!(invocation.apply_environment(|_| None), Ok(()));
    assert_eq!(invocation.compile.dialect, Dialect::Gawk);
    assert_eq!(invocation.apply_environment(set), Ok(()));
    assert_eq!(
        (invocation.compile.dialect, invocation.config.machine.locale.numbers),
        (Dialect::Posix, NumberSyntax::Posix)
    );
    assert!(run(&["--csv", "p"]).apply_environment(set).is_err());
}

#[test]
fn exec_ends_the_options_and_its_operands_are_files() {
    let invocation = run(&["-v", "x=1", "-E", "p.awk", "-v", "y=2", "--", "z=3"]);
    assert_eq!(invocation.program, [file("p.awk")]);
    assert_eq!(operands_of(&invocation), ["-v", "y=2", "--", "z=3"]);
    assert!(
        invocation.config.machine.command_line.only_files
            && !run(&["p"]).config.machine.command_line.only_files
    );
    assert_eq!(refused(&["-E"]), "-E (--exec) needs an argument");
}

#[test]
fn a_file_is_included_as_the_directive_does() {
    let invocation = run(&["-i", "a\"b", "{ print }"]);
    let directive = |text: &str| ProgramText::Directive(text.into());
    assert_eq!(invocation.program, [directive(r#"@include "a\"b""#), text("{ print }")]);
    let loaded = run(&["-l", "ordchr", "-fp.awk", "-iq", "x"]);
    assert_eq!(
        loaded.program,
        [directive("@load \"ordchr\""), file("p.awk"), directive("@include \"q\"")]
    );
    assert_eq!(operands_of(&loaded), ["x"]);
    let nameless = parse(&["-i", "", "x"], no_variables).expect_err("names no file");
    assert_eq!((nameless.status, &*nameless.message), (2, "-i (--include) needs a non-empty name"));
    // An include is not a program.
    assert!(refused(&["-ia", "-lb"]).starts_with("no program text"));
    assert_eq!(
        run(&["-i", "inplace", "{ print }"]).config.machine.output.in_place,
        Some(Vec::new())
    );
}
