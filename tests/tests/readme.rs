//! What the README shows at a prompt is what comes out: each command of its `console` blocks is run and compared.

use riverhawk_tests::build;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command, and what the page says that it prints.
#[derive(Debug, PartialEq)]
struct Shown {
    command: String,
    output: String,
}

/// The commands of the `console` blocks: lines that begin with `$ `, each with the lines up to the next.
fn shown(page: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for block in page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        for line in block.lines() {
            match (line.strip_prefix("$ "), all.last_mut()) {
                (Some(command), _) => all.push(Shown { command: command.into(), output: String::new() }),
                (None, Some(last)) => last.output += &format!("{line}\n"),
                (None, None) => panic!("a console block begins with `$ `: {line}"),
            }
        }
    }
    all
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a shell shows, standard error in its place among the output.
fn typed(command: &str) -> String {
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\nrhawk() {{ \"$RHAWK\" \"$@\"; }}\n{command}")])
        .current_dir(root())
        .env("RHAWK", build::rhawk())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("sh");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_command_of_the_readme_prints_what_stands_below_it() {
    let page = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let all = shown(&page);
    assert!(all.len() >= 5, "{all:?}");
    for Shown { command, output } in all {
        assert_eq!(typed(&command), output, "{command}");
    }
}

#[test]
fn commands_are_told_from_their_output() {
    let of = |command: &str, output: &str| Shown { command: command.into(), output: output.into() };
    let page = "text\n```console\n$ one\na\n\nb\n$ two\n```\n```sh\n$ no\n```\n```console\n$ three\nc\n```\n";
    assert_eq!(shown(page), [of("one", "a\n\nb\n"), of("two", ""), of("three", "c\n")]);
}
