//! What a web handler does: a program of the user's, files of the request, no disk.
//!
//! `cargo run -p riverhawk --example web_handler`

use riverhawk::filesystem::MemoryFiles;
use riverhawk::{Limits, Program, Run};
use std::time::Duration;

/// The answer's status and body.
fn answer(program: &str, uploads: &[(&str, &str)], query: &[(&str, &str)]) -> (u16, String) {
    let program = match Program::compile(program) {
        Ok(program) => program,
        Err(error) => return (400, error.to_string()),
    };
    let files = MemoryFiles::new();
    for (name, text) in uploads {
        files.insert(*name, *text);
    }
    let limits = Limits::none().time(Duration::from_secs(1)).output(1 << 20);
    let run = Run::new()
        .file_system(files)
        .operands(uploads.iter().map(|(name, _)| *name))
        .variable("QUERY", query.iter().copied().collect::<riverhawk::Value>())
        .limits(limits);
    match program.run(run) {
        Ok(outcome) => (200, outcome.text().into_owned()),
        Err(error) if error.stopped().is_some() => (503, error.message().to_owned()),
        Err(error) => (422, error.to_string()),
    }
}

const UPLOADS: [(&str, &str); 2] = [("stock.txt", "tea 3\nmilk 0\n"), ("orders.txt", "tea 5\n")];

/// As a user types them.
const PROGRAMS: [&str; 4] = [
    "$2 >= QUERY[\"least\"] { print FILENAME \": \" $1 }",
    "{ print $1 + }",
    "BEGIN { getline secret < \"/etc/passwd\"; print secret == \"\" ? \"nothing\" : secret }",
    "BEGIN { for (;;) n++ }",
];

fn main() {
    for program in PROGRAMS {
        let (status, body) = answer(program, &UPLOADS, &[("least", "1")]);
        println!("{status}\n{body}");
    }
}

#[test]
fn each_program_has_its_answer() {
    let answers = PROGRAMS.map(|program| answer(program, &UPLOADS, &[("least", "1")]));
    assert_eq!(answers[0], (200, "stock.txt: tea\norders.txt: tea\n".to_owned()));
    assert_eq!(answers[1].0, 400);
    assert_eq!(answers[2], (200, "nothing\n".to_owned()));
    assert_eq!(answers[3].0, 503);
}
