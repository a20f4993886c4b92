//! `--help` and the manual it prints; environment variables; completions in their shells.

use riverhawk_syntax::ast::{Builtin, LibraryFn, Special};
use riverhawk_tests::messages::repository;
use riverhawk_tests::shell::Shell;
use riverhawk_tests::terminal::typed;
use std::process::{Command, Stdio};

fn help(topic: &str) -> String {
    let ran = Shell::new().run(&format!("\"$RHAWK\" --help='{topic}'"));
    assert_eq!((ran.stderr.as_str(), ran.status), ("", 0), "{topic}: {ran:?}");
    ran.stdout
}

#[test]
fn every_function_and_variable_has_its_part_of_the_manual() {
    let functions = Builtin::ALL.iter().map(|builtin| builtin.name());
    let functions = functions.chain(LibraryFn::reserved().map(LibraryFn::name));
    let variables = Special::ALL.iter().map(|special| special.name());
    for name in functions
        .chain(variables)
        .chain(["printf", "getline", "switch", "nextfile", "ENVIRON", "PROCINFO"])
    {
        let text = help(name);
        assert!(text.contains(name) && text.contains("(rhawk --help="), "{name}: {text}");
    }
    assert_eq!(help("gsub"), help("GSUB"));
    assert_eq!(help("gsub"), help("gsub()"));
}

#[test]
fn options_chapters_and_subjects_are_found() {
    for (topic, words) in [
        ("-F", "-F, --field-separator=fs\n  separate fields by fs"),
        ("--csv", "-k, --csv\n"),
        ("message-format", "--message-format=form"),
        ("regex", "REGULAR EXPRESSIONS\n"),
        ("tables", "TABLES: CSV"),
        ("Regular expressions", "REGULAR EXPRESSIONS\n"),
        ("limits", "Limits\n"),
        ("percentile", "  math::percentile(array, p)\n"),
        ("time::", "TIMES: TIME::\n"),
        ("array", "ARRAYS: ARRAY::\n"),
        ("environment", "POSIXLY_CORRECT\n      When set, programs run as with --posix."),
        ("topics", "  regex                   Regular expressions\n"),
        ("all", "      --spesh-buffer=n"),
    ] {
        let text = help(topic);
        assert!(text.contains(words), "{topic}: {text}");
        assert!(!text.contains("](") && !text.contains("```"), "{topic}: {text}");
    }
}

#[test]
fn help_fits_a_screen_and_says_where_there_is_more() {
    let shell = Shell::new();
    let text = shell.run("\"$RHAWK\" --help").stdout;
    assert!(
        text.lines().count() <= 24 && text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(text.contains("--help=all") && text.contains("--help=topics"), "{text}");
    let wrong = shell.run("\"$RHAWK\" --help=prnitf");
    wrong.assert_says(&["nothing about 'prnitf': did you mean --help=printf?"], 1);
}

#[test]
fn the_manual_lists_the_variables_that_help_lists() {
    let page =
        std::fs::read_to_string(repository().join("docs/command-line.md")).expect("the chapter");
    let (_, section) = page.split_once("\n## The environment\n").expect("its section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let first_cells =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    let mut in_manual: Vec<String> = first_cells
        .flat_map(|cell| cell.split(['`', ',', ' ']))
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let is_name = |word: &&str| {
        word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    let help = help("environment");
    let names = help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut in_help: Vec<String> =
        names.flat_map(|line| line.split([' ', ','])).filter(is_name).map(str::to_owned).collect();
    in_manual.sort();
    in_help.sort();
    assert_eq!(in_help, in_manual);
}

fn has(name: &str) -> bool {
    let found = Command::new(name)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    if !found {
        eprintln!("{name} is not installed: its completions are not tried");
    }
    found
}

fn shell() -> Shell {
    let shell = Shell::new()
        .with_file("lib-one.awk", "")
        .with_file("data.txt", "")
        .with_file("profile.svg", "");
    std::fs::create_dir(shell.dir().join("path")).expect("a folder");
    shell.with_file("path/inpath.awk", "")
}

/// The text typed before a tab, and the completed word.
const COMPLETED: &[(&str, &str)] = &[
    ("--message-format=js", "--message-format=json"),
    ("--message-f", "--message-format"),
    ("--color=al", "--color=always"),
    ("--encoding=windows-1252", "--encoding=windows-1252"),
    ("--encoding=shif", "--encoding=shift_jis"),
    ("--encoding koi8-u", "--encoding koi8-u"),
    ("--help=regexp", "--help=regexp"),
    ("--help=mkt", "--help=mktime"),
    ("--help=file::sl", "--help=file::slurp"),
    ("--lint=port", "--lint=portable"),
    ("-l ordc", "-l ordchr"),
    ("-i inpl", "-i inplace"),
    ("-i inpat", "-i inpath.awk"),
    ("-i lib-o", "-i lib-one.awk"),
    ("-f lib-o", "-f lib-one.awk"),
    ("--profile=callg", "--profile=callgrind:"),
    ("--profile=svg:prof", "--profile=svg:profile.svg"),
    ("1 dat", "1 data.txt"),
];

/// Each row on its own line: a shell whose `rhawk` prints its arguments.
fn keys() -> String {
    let lines = COMPLETED.iter().map(|(typed, _)| format!("rhawk {typed}\t\n"));
    lines.chain(["exit\n".to_owned()]).collect()
}

fn check(name: &str, given: &str) {
    let given: Vec<&str> =
        given.lines().filter_map(|line| line.strip_prefix("GOT<")?.split('>').next()).collect();
    let expected: Vec<&str> = COMPLETED.iter().map(|(_, completed)| *completed).collect();
    for (given, expected) in given.iter().zip(&expected) {
        // A long option with a value is completed with or without `=`.
        assert_eq!(given.trim_end_matches('='), *expected, "{name}");
    }
    assert_eq!(given.len(), expected.len(), "{name}: {given:?}");
}

#[test]
fn bash_completes_options_and_values() {
    if !has("bash") {
        return;
    }
    let file = repository().join("completions/rhawk.bash");
    let init = format!(
        "source {}\nrhawk() {{ printf 'GOT<%s>\\n' \"$*\" >> given; }}\nPS1='$ '\n",
        file.display()
    );
    let shell = shell().with_file("init", init);
    typed(&shell, "AWKPATH=path bash --noprofile --rcfile init -i", &keys());
    check("bash", &shell.content("given"));
}

#[test]
fn zsh_completes_options_and_values() {
    if !has("zsh") {
        return;
    }
    let folder = repository().join("completions");
    let init = format!(
        "fpath=({} $fpath)\nautoload -U compinit\ncompinit -u -D\nrhawk() {{ printf 'GOT<%s>\\n' \"$*\" >> given }}\n\
         PS1='$ '\nunsetopt ZLE_BRACKETED_PASTE 2>/dev/null\nzstyle ':completion:*' menu no\n",
        folder.display()
    );
    let shell = shell().with_file(".zshrc", init);
    typed(&shell, "ZDOTDIR=$PWD AWKPATH=path zsh -d -i", &keys());
    check("zsh", &shell.content("given"));
}

#[test]
fn fish_completes_options_and_values() {
    if !has("fish") {
        return;
    }
    let shell = shell();
    let file = repository().join("completions/rhawk.fish");
    for (typed, completed) in COMPLETED {
        let script = format!(
            "HOME=$PWD AWKPATH=path fish --no-config -c 'source {}; complete -C \"rhawk {typed}\"'",
            file.display()
        );
        let ran = shell.run(&script);
        let last = completed.rsplit(' ').next().unwrap_or_default();
        let offered: Vec<&str> =
            ran.stdout.lines().filter_map(|line| line.split('\t').next()).collect();
        // A complete word need not be offered.
        let is_there = offered
            .iter()
            .any(|word| *word == last || word.ends_with(last.rsplit('=').next().unwrap_or(last)));
        assert!(is_there || typed == completed, "{typed}: {ran:?}");
    }
}
