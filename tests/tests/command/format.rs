//! The formatter over the corpus, generated programs and installed awk programs: its output has the
//! same tree, keeps every comment, and is a fixed point. See `formatted.rs` for behaviour.

use riverhawk_syntax::ast::{DirectiveKind, Program, Stmt, StmtId, StmtKind};
use riverhawk_syntax::format::{Includes, Layout, format};
use riverhawk_syntax::source::SourceMap;
use riverhawk_syntax::{dump, parse};
use riverhawk_tests::Row;
use riverhawk_tests::load::load;
use std::process::Command;

fn source(text: &[u8]) -> SourceMap {
    let mut source = SourceMap::new();
    source.add("program", text.to_vec()).expect("a short program");
    source
}

/// Every body in braces, without nested braces and lone semicolons: all that formatting changes.
fn normal(mut program: Program) -> String {
    fn spliced(program: &Program, body: &[StmtId], out: &mut Vec<StmtId>) {
        for &id in body {
            match &program[id].kind {
                StmtKind::Block(inner) => spliced(program, inner, out),
                _ => out.push(id),
            }
        }
    }
    fn flat(program: &Program, body: &[StmtId]) -> Vec<StmtId> {
        let mut out = Vec::new();
        spliced(program, body, &mut out);
        out
    }
    fn braced(program: &mut Program, body: StmtId) -> StmtId {
        let body = flat(program, &[body]);
        program.stmts.push(Stmt { kind: StmtKind::Block(body), span: Default::default() });
        StmtId(program.stmts.len() as u32 - 1)
    }
    for at in 0..program.stmts.len() {
        let mut kind = program.stmts[at].kind.clone();
        match &mut kind {
            StmtKind::If { then, otherwise, .. } => {
                *then = braced(&mut program, *then);
                if let Some(last) = otherwise
                    && !matches!(program[*last].kind, StmtKind::If { .. })
                {
                    *last = braced(&mut program, *last);
                }
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::ForIn { body, .. } => *body = braced(&mut program, *body),
            StmtKind::Switch { cases, .. } => {
                for case in cases {
                    case.body = flat(&program, &case.body);
                }
            }
            _ => {}
        }
        program.stmts[at].kind = kind;
    }
    let bodies = |program: &Program, body: &Vec<StmtId>| flat(program, body);
    let copy = program.clone();
    let of_files = program.begin_file.iter_mut().chain(&mut program.end_file);
    let actions = program.begin.iter_mut().chain(&mut program.end).chain(of_files);
    actions.for_each(|action| action.body = bodies(&copy, &action.body));
    program
        .rules
        .iter_mut()
        .filter_map(|rule| rule.action.as_mut())
        .for_each(|body| *body = bodies(&copy, body));
    program.functions.iter_mut().for_each(|function| function.body = bodies(&copy, &function.body));
    dump(&program)
}

fn comments(program: &Program, source: &SourceMap) -> Vec<String> {
    let text = |&span| String::from_utf8_lossy(source.slice(span)).trim_end().to_owned();
    program.comments.iter().map(text).collect()
}

fn check(name: &str, text: &[u8]) -> bool {
    let before = source(text);
    let Some(program) = parse(&before).program else { return false };
    for keep_blank_lines in [false, true] {
        let layout = Layout { keep_blank_lines, ..Layout::default() };
        let printed = format(&program, &before, &layout);
        let shown = String::from_utf8_lossy(&printed);
        let after = source(&printed);
        let parsed = parse(&after);
        let Some(again) = parsed.program else {
            panic!("{name}: {:?}\n{shown}", parsed.diagnostics)
        };
        assert_eq!(normal(program.clone()), normal(again.clone()), "{name}:\n{shown}");
        assert_eq!(comments(&program, &before), comments(&again, &after), "{name}:\n{shown}");
        assert_eq!(
            shown,
            String::from_utf8_lossy(&format(&again, &after, &layout)),
            "{name}: formatted twice"
        );
    }
    true
}

/// None when an included file is missing or does not parse.
fn with_files(text: &[u8], row: &Row) -> Option<(SourceMap, Program)> {
    let mut source = source(text);
    loop {
        let parsed = parse(&source);
        if parsed.wanted.is_empty() {
            return parsed.program.map(|program| (source, program));
        }
        for wanted in parsed.wanted {
            let is_it = |name: &str| name.as_bytes() == wanted.name;
            let (_, text) = row
                .files
                .iter()
                .find(|(name, _)| is_it(name) || name.strip_suffix(".awk").is_some_and(is_it))?;
            source.include(&wanted.name, "included", text.clone()).ok()?;
        }
    }
}

#[test]
fn a_program_with_its_files_in_it_keeps_its_tree() {
    let mut count = 0;
    for file in load(&[]).expect("the corpus") {
        for row in file.rows().filter(|row| !row.files.is_empty()) {
            // Files may be programs: `-f program`.
            for text in row.program.iter().chain(row.files.iter().map(|(_, text)| text)) {
                let Some((before, program)) = with_files(text, row) else { continue };
                let includes = program
                    .directives
                    .iter()
                    .any(|one| matches!(one.kind, DirectiveKind::Include(_)));
                count += usize::from(includes);
                for keep_blank_lines in [false, true] {
                    let layout = Layout { keep_blank_lines, ..Layout::default() };
                    let printed = format(&program, &before, &layout);
                    let shown = format!("{}:\n{}", row.id(), String::from_utf8_lossy(&printed));
                    let after = source(&printed);
                    let again = parse(&after).program.unwrap_or_else(|| panic!("{shown}"));
                    assert_eq!(normal(program.clone()), normal(again.clone()), "{shown}");
                    assert_eq!(
                        printed,
                        format(&again, &after, &layout),
                        "{shown}: formatted twice"
                    );
                }
            }
        }
    }
    assert!(count > 10, "only {count} programs include files");
}

#[test]
fn a_profile_adds_to_the_layout_no_more_than_its_margin() {
    let stripped = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(text);
        let bare = |line: &str| {
            line.trim_start()
                .trim_start_matches("7  ")
                .trim_start()
                .trim_end_matches(" # 7")
                .to_owned()
        };
        text.lines().map(bare).collect()
    };
    let mut count = 0;
    for file in load(&[]).expect("the corpus") {
        for row in file.rows() {
            let before = source(row.program.as_deref().unwrap_or_default());
            let Some(program) = parse(&before).program else { continue };
            let plain = format(&program, &before, &Layout::default());
            let counted =
                format(&program, &before, &Layout { counts: Some(&|_| 7), ..Layout::default() });
            assert_eq!(stripped(&plain), stripped(&counted), "{}", row.id());
            count += 1;
        }
    }
    assert!(count > 1_000, "only {count} programs parsed");
}

#[test]
fn programs_of_the_generator_keep_their_trees() {
    let mut count = 0;
    for seed in 1..=60 {
        let mut differ = Command::new(env!("CARGO_BIN_EXE_differ"));
        let output = differ
            .args(["--show", "yes", "--seed", &seed.to_string()])
            .output()
            .expect("the generator");
        assert!(output.status.success(), "seed {seed}");
        // Forty small programs in one and a whole one, each followed by its input.
        let lines = output.stdout.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>();
        for lines in lines.split(|line| line.starts_with(b"< ")) {
            count +=
                usize::from(!lines.is_empty() && check(&format!("seed {seed}"), &lines.concat()));
        }
    }
    assert!(count > 100, "only {count} programs parsed");
}

#[test]
fn every_program_of_the_corpus_keeps_its_tree() {
    let mut count = 0;
    for file in load(&[]).expect("the corpus") {
        for row in file.rows() {
            let programs = row.program.iter().chain(row.files.iter().map(|(_, text)| text));
            for text in programs {
                count += usize::from(check(&format!("{}/{}", row.topic, row.name), text));
            }
        }
    }
    assert!(count > 1_000, "only {count} programs parsed");
}

#[test]
fn comments_find_their_places() {
    let table = [
        ("# a\n\n# b\n{ x } # c\n# d\n", "# a\n\n# b\n{\n\tx\n}\t# c\n# d\n"),
        (
            "BEGIN { # a\n# b\nx # c\n; y # d\n# e\n}",
            "BEGIN {\n\t# a\n\t# b\n\tx\t# c\n\ty\t# d\n\t# e\n}\n",
        ),
        (
            "{ if (a) # a\nb # b\nelse # c\nc }",
            "{\n\tif (a) {\n\t\t# a\n\t\tb\t# b\n\t} else {\n\t\t# c\n\t\tc\n\t}\n}\n",
        ),
        (
            "BEGINFILE { x # a\n}\n@namespace \"n\"\nfunction f(a) { return a }",
            "BEGINFILE {\n\tx\t# a\n}\n\n@namespace \"n\"\n\nfunction f(a)\n{\n\treturn a\n}\n",
        ),
        ("{ x = a && # why\nb }", "{\n\t# why\n\tx = a && b\n}\n"),
        (
            "{ switch (x) { # a\ncase 1: # b\nx # c\n# d\ndefault: y } }",
            "{\n\tswitch (x) {\n\t# a\n\tcase 1:\n\t\t# b\n\t\tx\t# c\n\t\t# d\n\tdefault:\n\t\ty\n\t}\n}\n",
        ),
        (
            "function f(a, # a\nb) # b\n{ return } # c",
            "function f(a, b)\n{\n\t# a\n\t# b\n\treturn\n}\t# c\n",
        ),
    ];
    for (text, expected) in table {
        let source = source(text.as_bytes());
        let program = parse(&source).program.unwrap_or_else(|| panic!("{text}"));
        let printed = format(&program, &source, &Layout::default());
        assert_eq!(String::from_utf8_lossy(&printed), expected, "{text}");
        assert!(check(text, text.as_bytes()));
    }
}

struct Including {
    pieces: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    whole: &'static str,
    alone: &'static str,
}

const INCLUDING: &[Including] = &[
    Including {
        pieces: &["# m\n@include \"a\" # why\n@include \"b\"\n# end\nEND { x }\n"],
        files: &[("a", "# in a\nBEGIN { y } # y\n"), ("b", "function f() { }")],
        whole: "# m\n# @include \"a\"\t# why\n\n# in a\nBEGIN {\n\ty\n}\t# y\n\n# @include \"b\"\n\n\
         function f()\n{\n}\n\n# end\nEND {\n\tx\n}\n",
        alone: "# m\n@include \"a\"\t# why\n@include \"b\"\n# end\nEND {\n\tx\n}\n",
    },
    // The second time nothing is read; files include files.
    Including {
        pieces: &["@include \"a\"\n@include \\\n \"b\"; BEGIN { m }\n"],
        files: &[("a", "@include \"b\"\nBEGIN { a }\n"), ("b", "BEGIN { b }\n@include \"a\"\n")],
        whole: "# @include \"a\"\n# @include \"b\"\n\nBEGIN {\n\tb\n}\n\n# @include \"a\"\n\n\
         BEGIN {\n\ta\n}\n\n# @include \"b\"\n\nBEGIN {\n\tm\n}\n",
        alone: "@include \"a\"\n@include \\\n\"b\"\nBEGIN {\n\tm\n}\n",
    },
    // Each file begins in the namespace awk, and so does each piece of the program.
    Including {
        pieces: &["@namespace \"n\"\nBEGIN { x }\n@include \"a\"\nEND { x }", "END { z }"],
        files: &[("a", "BEGIN { y }\n@namespace \"o\"\nBEGIN { y }\n")],
        whole: "@namespace \"n\"\n\nBEGIN {\n\tx\n}\n\n# @include \"a\"\n\n@namespace \"awk\"\n\nBEGIN {\n\ty\n}\n\n\
         @namespace \"o\"\n\nBEGIN {\n\ty\n}\n\n@namespace \"n\"\n\nEND {\n\tx\n}\n\n\
         @namespace \"awk\"\n\nEND {\n\tz\n}\n",
        alone: "@namespace \"n\"\n\nBEGIN {\n\tx\n}\n\n@include \"a\"\nEND {\n\tx\n}\n\n@namespace \"awk\"\n\nEND {\n\tz\n}\n",
    },
];

#[test]
fn files_that_are_included_are_printed_where_they_are_read_or_left_alone() {
    for Including { pieces, files, whole, alone } in INCLUDING {
        let mut source = SourceMap::new();
        pieces.iter().for_each(|piece| {
            source.add("piece", piece.as_bytes().to_vec()).expect("a short program")
        });
        for (name, text) in *files {
            source
                .include(name.as_bytes(), *name, text.as_bytes().to_vec())
                .expect("a short program");
        }
        let program = parse(&source).program.unwrap_or_else(|| panic!("{pieces:?}"));
        for (includes, expected) in [(Includes::Print, whole), (Includes::Leave, alone)] {
            let printed = format(&program, &source, &Layout { includes, ..Layout::default() });
            assert_eq!(String::from_utf8_lossy(&printed), **expected, "{pieces:?}");
        }
        let again = self::source(whole.as_bytes());
        let again = parse(&again).program.unwrap_or_else(|| panic!("{whole}"));
        assert_eq!(normal(program), normal(again), "{whole}");
    }
}

#[test]
fn programs_by_others_keep_their_trees() {
    // Scripts of Debian's gawk, its documentation and other packages, where installed.
    let mut found = Vec::new();
    for folder in ["/usr/share/awk", "/usr/share/doc/gawk/examples", "/usr/share/doc/mawk/examples"]
    {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        found.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    for path in found.iter().filter(|path| path.is_file()) {
        let text = std::fs::read(path).expect("a file that can be read");
        check(&path.display().to_string(), &text);
    }
}

#[test]
fn depth_is_no_matter() {
    for text in [
        format!("BEGIN {{ x = {}1{} }}", "(".repeat(50_000), ")".repeat(50_000)),
        format!("BEGIN {{ {} x {} }}", "{ if (y) ".repeat(20_000), "}".repeat(20_000)),
        format!("BEGIN {{ x = 1{} }}", " + 1".repeat(100_000)),
        format!("BEGIN {{ if (a) b {} }}", "\nelse if (c) d".repeat(5_000)),
    ] {
        let source = source(text.as_bytes());
        let program = parse(&source).program.expect("a deep program");
        let printed = format(&program, &source, &Layout::default());
        assert!(
            parse(&{
                let mut again = SourceMap::new();
                again.add("again", printed).unwrap();
                again
            })
            .program
            .is_some()
        );
    }
}
