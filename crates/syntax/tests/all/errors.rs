//! Messages about broken programs: rows of a program and its diagnostics as `line:column message`.

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::diagnostic::Severity;
use riverhawk_syntax::{MAX_ERRORS, Parsed, parse, source::SourceMap};

fn parsed(program: &[u8]) -> (SourceMap, Parsed) {
    let mut source = SourceMap::new();
    source.add("cmd. line", program.to_vec()).unwrap();
    let parsed = parse(&source);
    (source, parsed)
}

fn place(source: &SourceMap, span: Span) -> String {
    let at = source.locate(span).unwrap();
    format!("{}:{}", at.line, at.column)
}

fn messages(program: &[u8], severity: Severity) -> Vec<String> {
    let (source, parsed) = parsed(program);
    let has_errors = parsed.diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert_eq!(parsed.program.is_none(), has_errors, "{}", program.escape_ascii());
    let of_kind = parsed.diagnostics.iter().filter(|found| found.severity == severity);
    of_kind.map(|found| format!("{} {}", place(&source, found.span), found.message)).collect()
}

fn check(rows: &[(&str, &[&str])]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(program, expected)| {
            (program, expected, messages(program.as_bytes(), Severity::Error))
        })
        .filter(|(_, expected, found)| found != *expected)
        .map(|(program, expected, found)| {
            format!("{program}\n  expected {expected:?}\n  found    {found:?}")
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_not_terminated_is_reported_where_it_starts() {
    check(&[
        ("BEGIN { print \"abc }", &["1:15 unterminated string"]),
        ("BEGIN { print \"abc\n}", &["1:15 unterminated string"]),
        ("BEGIN { print \"abc\\", &["1:15 unterminated string"]),
        ("BEGIN { print /abc\n}", &["1:15 unterminated regexp"]),
        ("BEGIN { print /[/\n}", &["1:15 unterminated regexp"]),
        ("BEGIN { print (1\n}", &["1:15 expected `)`, found the end of the line"]),
        ("BEGIN { print (1 }", &["1:15 expected `)`, found `}`"]),
        ("BEGIN { a[1 }", &["1:10 expected `]`, found `}`"]),
        ("BEGIN { a[1\n }", &["1:10 expected `]`, found the end of the line"]),
        ("BEGIN { f(1\n }", &["1:10 expected `)`, found the end of the line"]),
        ("BEGIN { if (a\n b }", &["1:12 expected `)`, found the end of the line"]),
        ("BEGIN { a", &["1:7 expected `}`, found the end of the program"]),
        ("BEGIN { if (a) { b }\n\nEND { c }", &["1:7 expected `}`, found `END`"]),
        (
            "function f(a) { if (a) { b }\nfunction g() { }",
            &["1:15 expected `}`, found `function`"],
        ),
        ("function f(a", &["1:11 expected `,` or `)`, found the end of the program"]),
        ("function f(a { }", &["1:14 expected `,` or `)`, found `{`"]),
        (
            "function f(a)",
            &["1:14 expected `{` of the function's body, found the end of the program"],
        ),
        ("BEGIN", &["1:1 BEGIN blocks must have an action part"]),
    ]);
}

#[test]
fn syntax_errors_say_what_was_found_and_what_was_expected() {
    check(&[
        (
            "BEGIN { print 1 < 2 < 3 }",
            &["1:21 comparisons cannot be chained: found `<` after a comparison"],
        ),
        (
            "BEGIN { x = 1 == 2 == 3 }",
            &["1:20 comparisons cannot be chained: found `==` after a comparison"],
        ),
        ("BEGIN { 1 + x = 2 }", &["1:9 cannot assign to an expression"]),
        ("BEGIN { !x = 5 }", &["1:9 cannot assign to an expression"]),
        ("BEGIN { (x) = 3 }", &["1:9 cannot assign to an expression in parentheses"]),
        ("BEGIN { 3 = x }", &["1:9 cannot assign to an expression"]),
        ("BEGIN { x++ = 5 }", &["1:9 cannot assign to an expression"]),
        (
            "BEGIN { $x++ = 5 }",
            &["1:9 cannot assign a value to the result of a field post-increment expression"],
        ),
        (
            "BEGIN { ++$i++ }",
            &["1:11 cannot assign a value to the result of a field post-increment expression"],
        ),
        ("BEGIN { (x)++ }", &["1:15 expected a variable after `++`, found `}`"]),
        ("BEGIN { ++3 }", &["1:11 expected a variable after `++`, found `3`"]),
        ("BEGIN { 3++ }", &["1:13 expected a variable after `++`, found `}`"]),
        ("BEGIN { x y = 3 }", &["1:9 cannot assign to an expression"]),
        ("BEGIN { f() = 1 }", &["1:9 cannot assign to an expression"]),
        ("BEGIN { getline = 3 }", &["1:9 cannot assign to an expression"]),
        (
            "BEGIN { getline $x++ }",
            &["1:17 cannot assign a value to the result of a field post-increment expression"],
        ),
        ("BEGIN { getline x++ }", &["1:21 expected a variable after `++`, found `}`"]),
        ("BEGIN { print 1--1 }", &["1:18 expected a variable after `--`, found `1`"]),
        ("BEGIN { print 1 & 2 }", &["1:17 invalid character `&` in an expression"]),
        ("BEGIN { print 1 | }", &["1:19 expected an expression, found `}`"]),
        ("BEGIN { x = 1 | 2 }", &["1:17 expected `getline` after `|`, found `2`"]),
        ("BEGIN { print 'x' }", &["1:15 invalid character `'` in an expression"]),
        ("BEGIN { print # }", &["1:7 expected `}`, found the end of the program"]),
        (
            "BEGIN { print a ? b, c : d }",
            &["1:20 expected `:` of the conditional expression, found `,`"],
        ),
        ("BEGIN { x = 1, y = 2 }", &["1:14 expected `;`, `}` or the end of the line, found `,`"]),
        (
            "BEGIN { print 1 ? 2 : 3 : 4 }",
            &["1:25 expected `;`, `}` or the end of the line, found `:`"],
        ),
        ("BEGIN { a ? b }", &["1:15 expected `:` of the conditional expression, found `}`"]),
        ("BEGIN { x = y = = 3 }", &["1:17 expected an expression, found `=`"]),
        ("BEGIN { x += += 1 }", &["1:14 expected an expression, found `+=`"]),
        ("BEGIN { x =* 2 }", &["1:12 expected an expression, found `*`"]),
        ("BEGIN { x = }", &["1:13 expected an expression, found `}`"]),
        ("BEGIN { print a ~ }", &["1:19 expected an expression, found `}`"]),
        ("BEGIN { print 1, }", &["1:18 expected an expression, found `}`"]),
        ("BEGIN { print , 1 }", &["1:15 expected an expression, found `,`"]),
        ("BEGIN { print () }", &["1:16 expected an expression, found `)`"]),
        ("BEGIN { print (,1) }", &["1:16 expected an expression, found `,`"]),
        ("BEGIN { print a[] }", &["1:17 expected an expression, found `]`"]),
        ("BEGIN { print a[1,] }", &["1:19 expected an expression, found `]`"]),
        ("BEGIN { print f(,1) }", &["1:17 expected an expression, found `,`"]),
        ("BEGIN { print $ }", &["1:17 expected an expression, found `}`"]),
        (r#"BEGIN { print "a" . "b" }"#, &["1:19 invalid character `.` in an expression"]),
        ("BEGIN { print 1e+ }", &["1:19 expected an expression, found `}`"]),
        ("BEGIN { print x ! ~ y }", &["1:19 expected an expression, found `~`"]),
        ("BEGIN { x = (1, 2) }", &["1:20 expected `in` after a list in parentheses, found `}`"]),
        ("BEGIN { print ((1,2)) }", &["1:21 expected `in` after a list in parentheses, found `)`"]),
        ("BEGIN { print $(1,2) in a }", &["1:16 `$` cannot be applied to a list in parentheses"]),
        (
            "BEGIN { print (1,2)(3) }",
            &["1:20 expected the end of the statement or a redirection, found `(`"],
        ),
        (
            "BEGIN { print (1,2), 3 }",
            &["1:20 expected the end of the statement or a redirection, found `,`"],
        ),
        (
            r#"BEGIN { printf("a", 1)(2) }"#,
            &["1:23 expected the end of the statement or a redirection, found `(`"],
        ),
        ("BEGIN { printf() }", &["1:16 expected an expression, found `)`"]),
        (
            "BEGIN { print a > b ? c : d }",
            &["1:21 expected `;`, `}` or the end of the line, found `?`"],
        ),
        (
            r#"BEGIN { print a > "b" > "c" }"#,
            &["1:23 expected `;`, `}` or the end of the line, found `>`"],
        ),
        (
            r#"BEGIN { print a > "b" | "c" }"#,
            &["1:25 expected `getline` after `|`, found a string"],
        ),
        (
            r#"BEGIN { print a > "b", "c" }"#,
            &["1:22 expected `;`, `}` or the end of the line, found `,`"],
        ),
        (
            r#"BEGIN { print a > x = "b" }"#,
            &["1:21 expected `;`, `}` or the end of the line, found `=`"],
        ),
        ("BEGIN { print a[1>2] }", &["1:18 expected `]`, found `>`"]),
        ("BEGIN { print print 1 }", &["1:15 expected an expression, found `print`"]),
        ("BEGIN { if x print 1 }", &["1:12 expected `(` after `if`, found `x`"]),
        ("BEGIN { while x print 1 }", &["1:15 expected `(` after `while`, found `x`"]),
        ("BEGIN { for x }", &["1:13 expected `(` after `for`, found `x`"]),
        ("BEGIN { if () x }", &["1:13 expected an expression, found `)`"]),
        ("BEGIN { if (1) }", &["1:16 expected a statement, found `}`"]),
        ("BEGIN { while (1) }", &["1:19 expected a statement, found `}`"]),
        ("BEGIN { for (;;) }", &["1:18 expected a statement, found `}`"]),
        ("BEGIN { for (i in a) }", &["1:22 expected a statement, found `}`"]),
        (
            "BEGIN { for ((i,j) in a) x }",
            &["1:24 expected `;` between the parts of `for`, found `)`"],
        ),
        (
            "BEGIN { for (x[1] in a) y }",
            &["1:23 expected `;` between the parts of `for`, found `)`"],
        ),
        ("BEGIN { for (i in a;;) y }", &["1:20 expected `)`, found `;`"]),
        ("BEGIN { for (i in (a)) y }", &["1:19 expected the name of an array, found `(`"]),
        (
            "BEGIN { for (i=0, j=0; i<3; i++) ; }",
            &["1:17 expected `;` between the parts of `for`, found `,`"],
        ),
        (
            "BEGIN { for (i=0; i<3) ; }",
            &["1:22 expected `;` between the parts of `for`, found `)`"],
        ),
        (
            "BEGIN { if (1) x else y }",
            &["1:18 expected `;`, `}` or the end of the line, found `else`"],
        ),
        ("BEGIN { if (1) x;; else y }", &["1:20 expected a statement, found `else`"]),
        ("BEGIN { if (1) { x }; else y }", &["1:23 expected a statement, found `else`"]),
        ("BEGIN { else x }", &["1:9 expected a statement, found `else`"]),
        (
            "BEGIN { if (1) { x } elsif (2) { y } }",
            &["1:32 expected `;`, `}` or the end of the line, found `{`"],
        ),
        (
            "BEGIN { do x while (0) }",
            &["1:14 expected `;`, `}` or the end of the line, found `while`"],
        ),
        ("BEGIN { do x; }", &["1:15 expected `while` after the body of `do`, found `}`"]),
        ("BEGIN { do { x } }", &["1:18 expected `while` after the body of `do`, found `}`"]),
        ("BEGIN { x } }", &["1:13 unexpected `}`"]),
        ("BEGIN { x ) }", &["1:11 expected `;`, `}` or the end of the line, found `)`"]),
        ("BEGIN { x ] }", &["1:11 expected `;`, `}` or the end of the line, found `]`"]),
        ("}", &["1:1 unexpected `}`"]),
        (")", &["1:1 expected an expression, found `)`"]),
        ("~ 3", &["1:1 expected an expression, found `~`"]),
        ("{ print } else { }", &["1:11 expected an expression, found `else`"]),
        (
            "1, 2, 3 { }",
            &["1:5 expected `{`, `;` or the end of the line after a pattern, found `,`"],
        ),
        ("BEGIN, 1 { }", &["1:6 expected `{` after `BEGIN`, found `,`"]),
        ("BEGIN 1 { }", &["1:7 expected `{` after `BEGIN`, found `1`"]),
        ("; BEGIN { x }", &["1:1 each rule must have a pattern or an action part"]),
        ("BEGIN { x };; BEGIN { y }", &["1:13 each rule must have a pattern or an action part"]),
        ("1;;2", &["1:3 each rule must have a pattern or an action part"]),
        ("BEGIN { break }", &["1:9 `break' is not allowed outside a loop or switch"]),
        ("BEGIN { continue }", &["1:9 `continue' is not allowed outside a loop"]),
        ("{ while (1) break; continue }", &["1:20 `continue' is not allowed outside a loop"]),
        ("BEGIN { next }", &["1:9 `next' used in BEGIN action"]),
        ("END { nextfile }", &["1:7 `nextfile' used in END action"]),
        ("BEGIN { return }", &["1:9 `return' used outside function context"]),
        ("{ return 1 }", &["1:3 `return' used outside function context"]),
        ("BEGIN { delete }", &["1:16 expected the name of an array, found `}`"]),
        ("BEGIN { delete 3 }", &["1:16 expected the name of an array, found `3`"]),
        ("BEGIN { delete $1 }", &["1:16 expected the name of an array, found `$`"]),
        ("BEGIN { delete(a[1]) }", &["1:17 expected `)`, found `[`"]),
        ("BEGIN { delete a, b }", &["1:17 expected `;`, `}` or the end of the line, found `,`"]),
        ("BEGIN { substr }", &["1:16 expected `(` after the function `substr`, found `}`"]),
        ("BEGIN { func = 1 }", &["1:9 `func` is a keyword, not a variable"]),
        (r"BEGIN { x = 1 \ }", &["1:15 backslash not last character on line"]),
        ("BEGIN { é = 1 }", &["1:9 invalid character `é` in an expression"]),
        ("BEGIN { x = “a” }", &["1:13 invalid character `“` in an expression"]),
        (
            "BEGIN { x = 1 2 3 == 4 5 == 6 }",
            &["1:26 comparisons cannot be chained: found `==` after a comparison"],
        ),
        (
            "BEGIN { if (1) print 1 elif (2) print 2 }",
            &["1:33 expected `;`, `}` or the end of the line, found `print`"],
        ),
        ("BEGIN { a b; c d = 1; e }", &["1:14 cannot assign to an expression"]),
    ]);
}

#[test]
fn mistakes_with_functions_are_named_as_gawk_names_them() {
    check(&[
        ("function f() { break }", &["1:16 `break' is not allowed outside a loop or switch"]),
        (r#"BEGIN { substr("x") }"#, &["1:9 1 is invalid as number of arguments for substr"]),
        (r#"BEGIN { index("x") }"#, &["1:9 1 is invalid as number of arguments for index"]),
        ("BEGIN { length(1, 2) }", &["1:9 2 is invalid as number of arguments for length"]),
        ("BEGIN { rand(1) }", &["1:9 1 is invalid as number of arguments for rand"]),
        ("BEGIN { sin() }", &["1:9 0 is invalid as number of arguments for sin"]),
        ("BEGIN { atan2(1) }", &["1:9 1 is invalid as number of arguments for atan2"]),
        (r#"BEGIN { split("a") }"#, &["1:9 1 is invalid as number of arguments for split"]),
        (r#"BEGIN { sub("a") }"#, &["1:9 1 is invalid as number of arguments for sub"]),
        (
            r#"BEGIN { gsub(/a/, "b", (x)) }"#,
            &["1:24 gsub third parameter is not a changeable object"],
        ),
        (
            r#"BEGIN { gsub(/a/, "b", x y) }"#,
            &["1:24 gsub third parameter is not a changeable object"],
        ),
        (
            r#"BEGIN { print index("abc", /b/) }"#,
            &["1:28 index: regexp constant as second argument is not allowed"],
        ),
        (
            r#"BEGIN { sub(/a/, "b", ++x) }"#,
            &["1:23 sub third parameter is not a changeable object"],
        ),
        ("BEGIN { g = 1; g(1) }", &["1:16 attempt to use non-function `g' in function call"]),
        ("BEGIN { g(g) }", &["1:9 attempt to use non-function `g' in function call"]),
        ("BEGIN { g(1); g = 2; g(3) }", &["1:22 attempt to use non-function `g' in function call"]),
        ("BEGIN { NF(1) }", &["1:9 attempt to use non-function `NF' in function call"]),
        (
            "function f(a, a) { }",
            &["1:15 function `f': parameter #2, `a', duplicates parameter #1"],
        ),
        ("function f(f) { }", &["1:12 function `f': cannot use function name as parameter name"]),
        (
            "function f(NF) { }",
            &["1:12 function `f': cannot use special variable `NF' as a function parameter"],
        ),
        (
            "function f(ARGV) { }",
            &["1:12 function `f': cannot use special variable `ARGV' as a function parameter"],
        ),
        ("function f(a, 1) { }", &["1:15 expected the name of a parameter, found `1`"]),
        ("function f(a b) { }", &["1:14 expected `,` or `)`, found `b`"]),
        ("function f(a, b,) { }", &["1:17 expected the name of a parameter, found `)`"]),
        ("function f(print) { }", &["1:12 expected the name of a parameter, found `print`"]),
        ("function (a) { }", &["1:10 expected the name of the function, found `(`"]),
        ("function f { }", &["1:12 expected `(` after the function's name, found `{`"]),
        ("function f(a) return a", &["1:15 expected `{` of the function's body, found `return`"]),
        (
            "function length() { }",
            &["1:10 `length' is a built-in function, it cannot be redefined"],
        ),
        ("function print() { }", &["1:10 expected the name of the function, found `print`"]),
        (
            "function gensub() { }",
            &["1:10 `gensub' is a built-in function, it cannot be redefined"],
        ),
        ("function NF() { }", &["1:10 function name `NF' previously defined"]),
        ("function ENVIRON() { }", &["1:10 function name `ENVIRON' previously defined"]),
        ("function f() { } function f() { }", &["1:27 function name `f' previously defined"]),
        ("BEGIN { x = 1 } function x() { }", &["1:26 function name `x' previously defined"]),
        (
            "function x() { } BEGIN { x = 1 }",
            &[
                "1:26 function `x' called with space between name and `(', or used as a variable or an array",
            ],
        ),
        (
            "function f(a) { } BEGIN { f (1) }",
            &[
                "1:27 function `f' called with space between name and `(', or used as a variable or an array",
            ],
        ),
        (
            "function f(a) { } BEGIN { print f }",
            &[
                "1:33 function `f' called with space between name and `(', or used as a variable or an array",
            ],
        ),
        (
            "function f() { f = 1 }",
            &[
                "1:16 function `f' called with space between name and `(', or used as a variable or an array",
            ],
        ),
        (
            "function f() { } BEGIN { 1 in f }",
            &[
                "1:31 function `f' called with space between name and `(', or used as a variable or an array",
            ],
        ),
        ("function f(a) { a(1) }", &["1:17 attempt to use non-function `a' in function call"]),
        ("BEGIN { function f() { } }", &["1:7 expected `}`, found `function`"]),
    ]);
}

#[test]
fn what_only_gawk_has_is_named_and_never_misread() {
    check(&[
        ("BEGIN { print a @ b }", &["1:17 expected an expression, found `@`"]),
        (r#"@include "x""#, &["1:10 cannot open source file `x'"]),
        (r#"@include x"#, &["1:10 expected a name in double quotes, found `x`"]),
        (r#"@include "x" y"#, &["1:14 expected `;` or the end of the line, found `y`"]),
        (
            r#"BEGIN { @include "x" }"#,
            &[
                "1:9 `@include`, `@load` and `@namespace` are allowed only outside rules and functions",
            ],
        ),
        (
            r#"@load "x""#,
            &["1:7 cannot open shared library `x' for reading: there are no shared libraries"],
        ),
        (r#"@load "inplace""#, &["1:7 the extension `inplace' is not available"]),
        (
            r#"@load "time"; BEGIN { sleep(1, 2) }"#,
            &["1:23 2 is invalid as number of arguments for sleep(seconds)"],
        ),
        (r#"@load "ordchr"; function ord() { }"#, &["1:26 function name `ord' previously defined"]),
        (r#"@namespace "a b""#, &["1:12 namespace name `a b' must meet identifier naming rules"]),
        (
            r#"@namespace "if""#,
            &["1:12 using reserved identifier `if' as a namespace is not allowed"],
        ),
        (
            "function f(a::b) { }",
            &["1:12 function `f': parameter `a::b' cannot contain a namespace"],
        ),
        (
            "BEGIN { a::b = 1; x = a::b(1); x = y ? a::b : 1 }",
            &["1:23 attempt to use non-function `a::b' in function call"],
        ),
    ]);
}

#[test]
fn where_files_begin_and_end_there_is_no_record_to_go_on_from() {
    check(&[
        ("BEGINFILE { next }", &["1:13 `next' used in BEGINFILE action"]),
        ("BEGINFILE { nextfile }", &[]),
        ("ENDFILE { nextfile }", &["1:11 `nextfile' used in ENDFILE action"]),
        (
            "BEGINFILE { getline }",
            &["1:13 non-redirected `getline' invalid inside `BEGINFILE' rule"],
        ),
        ("ENDFILE { getline x }", &["1:11 non-redirected `getline' invalid inside `ENDFILE' rule"]),
        ("BEGINFILE { getline x < FILENAME; \"date\" | getline }", &[]),
        ("BEGINFILE", &["1:1 BEGINFILE blocks must have an action part"]),
        ("{ print;\nBEGINFILE { }", &["1:1 expected `}`, found `BEGINFILE`"]),
    ]);
}

#[test]
fn a_qualified_name_is_one_namespace_and_one_name_that_are_no_words_of_the_language() {
    check(&[
        ("BEGIN { x = foo:: bar }", &["1:13 qualified identifier `foo::' is badly formed"]),
        ("BEGIN { x = foo::1 }", &["1:13 qualified identifier `foo::1' is badly formed"]),
        ("BEGIN { x = file::() }", &["1:13 qualified identifier `file::' is badly formed"]),
        (
            "BEGIN { x = a::b::c }",
            &[
                "1:13 identifier `a::b::c': namespace separator can only appear once in a qualified name",
            ],
        ),
        (
            "BEGIN { x = length::y }",
            &["1:13 using reserved identifier `length' as a namespace is not allowed"],
        ),
        (
            "BEGIN { x = if::y }",
            &["1:13 using reserved identifier `if' as a namespace is not allowed"],
        ),
        (
            "BEGIN { x = awk::length(y) }",
            &[
                "1:13 using reserved identifier `length' as second component of a qualified name is not allowed",
            ],
        ),
        (
            "BEGIN { file::print(y) }",
            &[
                "1:9 using reserved identifier `print' as second component of a qualified name is not allowed",
            ],
        ),
        (
            "BEGIN { print foo ::bar }",
            &["1:19 expected `;`, `}` or the end of the line, found `:`"],
        ),
    ]);
}

#[test]
fn a_namespace_of_the_library_has_its_functions_unless_the_program_defines_some() {
    check(&[
        ("BEGIN { x = file::slrup(y) }", &["1:13 there is no function `file::slrup`"]),
        ("BEGIN { print 1 text::nothing(y) }", &["1:17 there is no function `text::nothing`"]),
        ("BEGIN { file::x = 1; getline text::x; for (k in math::x) y }", &[]),
        ("function file::slurp(x) { } BEGIN { file::slurp(1) }", &[]),
        (
            "function f(text::x) { }",
            &["1:12 function `f': parameter `text::x' cannot contain a namespace"],
        ),
        (
            "BEGIN { math::min(1) }",
            &["1:9 1 is invalid as number of arguments for math::min(a, b)"],
        ),
        (
            "BEGIN { x = file::slurp }",
            &["1:25 expected `(` after the function `file::slurp`, found `}`"],
        ),
        ("BEGIN { file::slurp (x }", &["1:21 expected `)`, found `}`"]),
    ]);
    for (program, help) in [
        ("BEGIN { file::slrup(y) }", "there is a function `file::slurp`"),
        ("BEGIN { text::slurp(y) }", "there is a function `file::slurp`"),
        ("BEGIN { file::html_escape(y) }", "there is a function `text::html_escape`"),
        (
            "BEGIN { file::frobnicate(y) }",
            "there are file::slurp, file::lines, file::spew, file::append, file::prepend, file::edit, file::edit_lines, file::dir, file::stat",
        ),
    ] {
        let (_, found) = parsed(program.as_bytes());
        assert_eq!(found.diagnostics[0].help.as_deref(), Some(help), "{program}");
        // The status of gawk for an undefined function.
        assert_eq!(found.exit_status(), 2, "{program}");
    }
    let (_, found) = parsed(b"BEGIN { x = slurp(y) }");
    assert_eq!(found.diagnostics[0].help.as_deref(), Some("there is a function `file::slurp`"));
}

#[test]
fn a_library_function_is_given_what_its_table_says() {
    check(&[
        (
            "BEGIN { file::slurp() }",
            &["1:9 0 is invalid as number of arguments for file::slurp(path [, limit])"],
        ),
        (
            "BEGIN { file::slurp(x, y, z) }",
            &["1:9 3 is invalid as number of arguments for file::slurp(path [, limit])"],
        ),
        (
            "BEGIN { file::lines(x) }",
            &["1:9 1 is invalid as number of arguments for file::lines(path, array)"],
        ),
        (
            "BEGIN { text::replace(1, 2, 3, 4, 5) }",
            &["1:9 5 is invalid as number of arguments for text::replace(s, old, new [, count])"],
        ),
        ("BEGIN { file::lines(x, 1) }", &["1:24 file::lines: second argument is not an array"]),
        (
            "BEGIN { text::graphemes(x, y 1) }",
            &["1:28 text::graphemes: second argument is not an array"],
        ),
        (
            "BEGIN { text::graphemes(x, (y)) }",
            &["1:28 text::graphemes: second argument is not an array"],
        ),
    ]);
}

#[test]
fn each_broken_statement_is_reported_once_and_parsing_goes_on() {
    check(&[
        (
            "BEGIN { x = }\nBEGIN { y = }",
            &["1:13 expected an expression, found `}`", "2:13 expected an expression, found `}`"],
        ),
        (
            "BEGIN {\n  x = (1\n  y = 2 )\n  z = 3\n  w = * 4\n}\nEND { print 1, }",
            &[
                "2:7 expected `)`, found the end of the line",
                "3:9 expected `;`, `}` or the end of the line, found `)`",
                "5:7 expected an expression, found `*`",
                "7:16 expected an expression, found `}`",
            ],
        ),
        (
            "{ if (x { a }\n  b = = 1 }\nEND { c ) }",
            &[
                "1:9 expected `)`, found `{`",
                "2:7 expected an expression, found `=`",
                "3:9 expected `;`, `}` or the end of the line, found `)`",
            ],
        ),
        (
            "BEGIN { for (i = 0, j = 0; i < 3; i++) { a; b } c }\nEND { d d }",
            &["1:19 expected `;` between the parts of `for`, found `,`"],
        ),
        (
            "BEGIN { print \"a }\nBEGIN { print 'b' }",
            &["1:15 unterminated string", "2:15 invalid character `'` in an expression"],
        ),
        (
            "function f(a { b }\nfunction g() { c = }",
            &["1:14 expected `,` or `)`, found `{`", "2:20 expected an expression, found `}`"],
        ),
    ]);
}

#[test]
fn no_more_than_the_limit_of_errors_is_reported() {
    let program = "BEGIN {\n".to_string() + &"x = = 1\n".repeat(1000) + "}\n";
    assert_eq!(messages(program.as_bytes(), Severity::Error).len(), MAX_ERRORS);
    let program = "x = = 1\n".repeat(1000);
    assert_eq!(messages(program.as_bytes(), Severity::Error).len(), MAX_ERRORS);
    let program = "BEGIN { x = ' }\n".repeat(1000);
    assert_eq!(messages(program.as_bytes(), Severity::Error).len(), MAX_ERRORS);
}

#[test]
fn bytes_that_no_program_has_are_named() {
    for (program, expected) in [
        (&b"BEGIN { \xff = 1 }"[..], "1:9 invalid character byte 0xFF in an expression"),
        (b"BEGIN { x = 1 \x0c }", "1:15 invalid character byte 0x0C in an expression"),
        (b"BEGIN { x = \"a\0b\" }", "1:15 invalid character '\\000' in source code"),
        (b"\0", "1:1 invalid character '\\000' in source code"),
        (b"\xef\xbb\xbfBEGIN { }", "1:1 invalid character U+FEFF in an expression"),
    ] {
        let found = messages(program, Severity::Error);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{}", program.escape_ascii());
    }
}

#[test]
fn an_obvious_fix_is_offered() {
    for (program, part) in [
        ("BEGIN { if (1) x else y }", "`;` or a new line is needed before `else`"),
        ("BEGIN { else x }", "belongs to no `if`"),
        ("BEGIN { print 'x' }", "double quotes"),
        ("BEGIN { if (1) print 1 elif (2) print 2 }", "`else if`"),
        ("BEGIN { if (1) { x } elsif (2) { y } }", "`else if`"),
        ("BEGIN { x = a & b }", "`&&`"),
        ("BEGIN { x = a | b }", "`||`"),
        ("BEGIN { printf(\"a\", 1)(2) }", "whole list of a print"),
        ("BEGIN { print a > b ? c : d }", "put a comparison in parentheses"),
        ("BEGIN { print a[b > c] }", "put a comparison in parentheses"),
        ("BEGIN { a < b < c }", "&&"),
        ("BEGIN { 1 + x = 2 }", "put the assignment in parentheses"),
        ("BEGIN { x = “a” }", "ASCII double quotes"),
        ("BEGIN { x", "missing `}`"),
        ("BEGIN\n{ x }", "same line as `BEGIN`"),
        ("BEGIN { for ((i, j) in a) x }", "SUBSEP"),
        ("BEGIN { lenght(x) }", "`length`"),
        ("function area(x) { } BEGIN { aera(1) }", "`area`"),
        ("function f(x) { } BEGIN { f (1) }", "no blank"),
    ] {
        let (_, parsed) = parsed(program.as_bytes());
        let help = parsed.diagnostics[0].help.clone().unwrap_or_default();
        assert!(help.contains(part), "{program}: help is {help:?}");
    }
}

#[test]
fn where_a_name_was_first_defined_is_shown() {
    for (program, related) in [
        ("function f() { } function f() { }", "1:10"),
        ("function f(a, a) { }", "1:12"),
        ("function x() { } BEGIN { x = 1 }", "1:10"),
        ("BEGIN { x = 1 } function x() { }", "1:9"),
        ("BEGIN { print a[1>2] }", "1:16"),
    ] {
        let (source, parsed) = parsed(program.as_bytes());
        assert_eq!(place(&source, parsed.diagnostics[0].related[0].0), related, "{program}");
    }
}

#[test]
fn warnings_do_not_stop_the_program() {
    for (program, expected) in [
        (
            r#"BEGIN { print "\q\z" }"#,
            &[
                r"1:16 escape sequence `\q' treated as plain `q'",
                r"1:18 escape sequence `\z' treated as plain `z'",
            ][..],
        ),
        (r#"BEGIN { print "\x" }"#, &[r"1:16 no hex digits in `\x' escape sequence"]),
        (
            r#"BEGIN { print "\8\é" }"#,
            &[
                r"1:16 escape sequence `\8' treated as plain `8'",
                r"1:18 escape sequence `\é' treated as plain `é'",
            ],
        ),
        (
            r#"BEGIN { for ("\q" in a; x; y) z }"#,
            &[r"1:15 escape sequence `\q' treated as plain `q'"],
        ),
        (
            "function f(a) { } BEGIN { f(1, 2) }",
            &["1:27 function `f' called with more arguments than declared"],
        ),
        ("BEGIN { foo(1) }", &["1:9 function `foo' is called but not defined"]),
        (
            "BEGIN { foo(1); foo(2); bar(3) }",
            &[
                "1:9 function `foo' is called but not defined",
                "1:25 function `bar' is called but not defined",
            ],
        ),
        (
            "function area(x) { } BEGIN { aera(1) }",
            &["1:30 function `aera' is called but not defined"],
        ),
        (r#"BEGIN { lenght("x") }"#, &["1:9 function `lenght' is called but not defined"]),
        ("BEGIN { if (0) g(1); print g }", &["1:16 function `g' is called but not defined"]),
        (
            "function file::f(x) { } BEGIN { file::slurp(1, 2) }",
            &["1:33 function `file::slurp' is called but not defined"],
        ),
        ("BEGIN { sprintf() }", &["1:9 sprintf: no arguments"]),
        (r#"BEGIN { split("a", 5) }"#, &["1:20 split: second argument is not an array"]),
        (r#"BEGIN { split("a", b, ",", 3) }"#, &["1:28 split: fourth argument is not an array"]),
        (r#"BEGIN { match("a", b, 5) }"#, &["1:23 match: third argument is not an array"]),
        (
            r#"@load "time"; BEGIN { sleep() }"#,
            &["1:23 sleep: called with 0 arguments, expecting at least 1"],
        ),
    ] {
        assert_eq!(messages(program.as_bytes(), Severity::Warning), expected, "{program}");
        assert_eq!(messages(program.as_bytes(), Severity::Error), [""; 0], "{program}");
    }
}

#[test]
fn an_escape_without_a_meaning_is_told_of_once() {
    let program = br#"BEGIN { print "a\/b"; gsub("\/", "|"); print "\q\q" }"#;
    let found = [
        "1:17 escape sequence `\\/' treated as plain `/'",
        "1:47 escape sequence `\\q' treated as plain `q'",
    ];
    assert_eq!(messages(program, Severity::Warning), found);
}

#[test]
fn exit_statuses_are_those_of_gawk() {
    for (program, status) in [
        (&b"BEGIN { }"[..], 0),
        (b"BEGIN { x = }", 1),
        (b"BEGIN { foo(1) }", 0),
        (b"BEGIN { g = 1; g(1) }", 1),
        (b"BEGIN { printf }", 0),
        (b"BEGIN { sprintf() }", 0),
        (b"BEGIN { file::lines(x, 1) }", 2),
        (b"BEGIN { \0 }", 2),
        (b"BEGIN { length(1, 2) }", 1),
        (b"function f(a, a) { }", 1),
        (b"BEGIN { sprintf(); x = }\nBEGIN { y = }", 1),
    ] {
        assert_eq!(parsed(program).1.exit_status(), status, "{}", program.escape_ascii());
    }
}
