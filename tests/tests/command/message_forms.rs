//! The forms of messages: on a terminal, short, as JSON; coloured or not; and what editors read.

use riverhawk_tests::shell::Shell;
use riverhawk_tests::terminal::on_terminal;
use std::process::{Command, Stdio};

fn shell() -> Shell {
    Shell::new()
        .with_file("s1.awk", "{ x = 1 / $2 }\nBEGIN { print 1 +; }\n")
        .with_file("s2.awk", "{ x = 1 / $2 }\n")
        .with_file("in.txt", "1 2\n3 0\n")
}

fn errors(script: &str) -> Vec<String> {
    let ran = shell().run(script);
    ran.stderr.lines().filter(|line| line.contains(": error: ")).map(str::to_owned).collect()
}

/// The standard error of both kinds of error in a file.
const IN_FILES: &str = r#""$RHAWK" -f s1.awk; "$RHAWK" -f ./s2.awk in.txt"#;

#[test]
fn the_first_line_begins_with_file_line_and_column() {
    let found = errors(IN_FILES);
    assert_eq!(
        found,
        [
            "s1.awk:2:18: error: expected an expression, found `;`",
            "./s2.awk:1:7: error: division by zero in `/'",
        ]
    );
    let found =
        errors(r#""$RHAWK" 'BEGIN { print 1 +; }'; "$RHAWK" --zork; "$RHAWK" -f - < s1.awk"#);
    assert_eq!(
        found,
        [
            "rhawk: cmd. line:1:18: error: expected an expression, found `;`",
            "rhawk: error: unknown option --zork",
            "rhawk: -:2:18: error: expected an expression, found `;`",
        ]
    );
}

/// `gnu` of Emacs's `compilation-error-regexp-alist`, and vim's pattern for `%f:%l:%c:%m`; in both
/// a file's name without colons.
const EDITORS: &[&str] = &[
    r"^([[:alpha:]][-[:alnum:].]+: ?)?([0-9]*[^0-9:]([^ :]| [^-/:])*): ?([0-9]+)[.:]([0-9]+):( *([Ee]rror|[Ww]arning|[Nn]ote))",
    r"^()([[:alnum:]\/._+,#$%~=-]+)():([0-9]+):([0-9]+):(.*)$",
];

#[test]
fn editors_find_the_place() {
    let shell = shell();
    let stderr = shell.run(IN_FILES).stderr;
    for pattern in EDITORS {
        let found: Vec<String> =
            stderr.lines().filter_map(|line| place(&shell, pattern, line)).collect();
        assert_eq!(found, ["s1.awk 2 18", "./s2.awk 1 7"], "{pattern}");
    }
    let short = shell.run(r#""$RHAWK" --message-format=short -f s2.awk in.txt"#).stderr;
    assert_eq!(short, "s2.awk:1:7: error: division by zero in `/' (in.txt, record 2)\n");
}

fn place(shell: &Shell, pattern: &str, line: &str) -> Option<String> {
    let script = r#""$RHAWK" 'BEGIN { if (match(ENVIRON["LINE"], ENVIRON["PATTERN"], part)) print part[2], part[4], part[5] }'"#;
    let mut command = shell.command(script);
    let output = command.env("LINE", line).env("PATTERN", pattern).output().expect("sh");
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .filter(|found| !found.is_empty())
}

#[test]
fn vim_itself_finds_the_place() {
    if Command::new("vim").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("vim is not installed: its own errorformat is not tried");
        return;
    }
    let shell = shell();
    let list = r#"for e in getqflist() | if e.valid | call writefile([bufname(e.bufnr) . " " . e.lnum . " " . e.col], "found", "a") | endif | endfor"#;
    let script = format!(
        r#"{{ {IN_FILES}; }} 2> errors; vim -e -s -u NONE -N -c 'cgetfile errors' -c '{list}' -c 'qa!' < /dev/null"#
    );
    shell.run(&script);
    assert_eq!(shell.content("found").replace("./", ""), "s1.awk 2 18\ns2.awk 1 7\n");
}

#[test]
fn every_message_takes_the_form_that_is_asked_for() {
    let scripts = [
        ("--zork", "unknown option --zork"),
        ("-f nosuch.awk", "cannot open program file"),
        ("'BEGIN { print 1 +; }'", "expected an expression"),
        ("'BEGIN { print substr(\"x\", 1) > \"/no/such/file\" }'", "cannot open"),
        ("'{ x = 1 / $2 }' in.txt", "division by zero"),
        ("-P -c 'BEGIN { }'", "overrides"),
        ("'BEGIN { x = log(-1) }'", "received negative argument -1"),
        ("'BEGIN { print \"\\d\" }'", "treated as plain"),
        ("'{ n++ }' nosuch", "cannot open"),
    ];
    for (arguments, words) in scripts {
        let short = shell()
            .run(&format!("\"$RHAWK\" --message-format=short {arguments} > /dev/null"))
            .stderr;
        assert_eq!(short.lines().count(), 1, "{arguments}: {short}");
        assert!(
            short.contains(words) && (short.contains("error: ") || short.contains("warning: ")),
            "{short}"
        );
        let json = shell()
            .run(&format!("\"$RHAWK\" --message-format json {arguments} > /dev/null"))
            .stderr;
        assert_eq!(json.lines().count(), 1, "{arguments}: {json}");
        assert!(
            json.starts_with("{\"program\":\"rhawk\",\"severity\":\"") && json.ends_with("}\n"),
            "{json}"
        );
        assert!(json.contains(words), "{json}");
    }
}

#[test]
fn json_can_be_read_by_rhawk() {
    let script = r#""$RHAWK" --message-format=json -f s2.awk in.txt 2>&1 | "$RHAWK" --jsonl '{ print @"file", @"line", @"column", @"end_column", @"input.record", @"message" }'"#;
    shell().run(script).assert_prints("s2.awk 1 7 13 2 division by zero in `/'\n");
}

#[test]
fn colour_is_where_it_is_asked_for() {
    let bad = "'BEGIN { ( }'";
    let coloured = |before: &str, option: &str| {
        shell().run(&format!("{before} \"$RHAWK\" {option} {bad}")).stderr.contains("\x1b[")
    };
    for (before, option, expected) in [
        ("", "", false),
        ("", "--color=always", true),
        ("CLICOLOR_FORCE=1", "", true),
        ("FORCE_COLOR=1", "", true),
        ("FORCE_COLOR=1 NO_COLOR=1", "", false),
        ("NO_COLOR=1", "--color always", true),
        ("FORCE_COLOR=1", "--color=never", false),
    ] {
        assert_eq!(coloured(before, option), expected, "{before} {option}");
    }
    let seen = |script: &str| on_terminal(&shell(), 80, script).text.contains("\x1b[");
    assert!(seen(&format!("\"$RHAWK\" {bad}")));
    assert!(!seen(&format!("\"$RHAWK\" --color=never {bad}")));
    assert!(!seen(&format!("NO_COLOR=1 \"$RHAWK\" {bad}")));
    assert!(!seen(&format!("TERM=dumb \"$RHAWK\" {bad}")));
    shell()
        .run("\"$RHAWK\" --color=red 1")
        .assert_says(&["--color needs auto or always or never, not 'red'"], 1);
}

#[test]
fn a_long_line_of_the_program_fits_the_terminal() {
    let program = format!("BEGIN {{ {} ] {} }}", "x = x + 1;".repeat(30), "y = y + 1;".repeat(30));
    let shell = Shell::new().with_file("long.awk", &program);
    for columns in [40, 80, 120] {
        let seen = on_terminal(&shell, columns, "\"$RHAWK\" --color=never -f long.awk");
        let lines: Vec<&str> = seen.text.lines().skip(1).collect();
        assert!(
            lines.iter().all(|line| line.chars().count() <= columns.into()),
            "{columns}: {lines:?}"
        );
        assert!(lines[1].contains("...") && lines[1].find(']') == lines[2].find('^'), "{lines:?}");
        assert_eq!(seen.status, 1);
    }
    // Without a terminal, nothing is shortened.
    let ran = shell.run("\"$RHAWK\" -f long.awk");
    assert!(ran.stderr.lines().nth(2).is_some_and(|line| line.len() > 120), "{ran:?}");
}
