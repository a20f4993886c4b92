//! Formatted programs of the corpus give the answers of their rows, also in other dialects and with
//! included files.

use riverhawk_tests::suite::{self, TIME_LIMIT};
use riverhawk_tests::{Awk, Config, Row, build, load, run, verdict};

/// Options that print the program as part of the answer, and includes.
const SHOW_THE_PROGRAM: [&str; 10] =
    ["-o", "--pretty-print", "--format", "-p", "--profile", "--dump", "-D", "-I", "--trace", "-i"];

fn shows_the_program(word: &[u8]) -> bool {
    SHOW_THE_PROGRAM.iter().any(|option| word.starts_with(option.as_bytes()))
}

fn formatted(awk: &Awk, row: &Row) -> Option<Row> {
    let program = row.program.as_ref()?;
    let expected = &row.expected.as_ref()?.stdout;
    let prints_itself = expected.windows(program.len().max(1)).any(|part| part == program);
    if prints_itself
        || row.command_line().iter().any(|word| word != program && shows_the_program(word))
    {
        return None;
    }
    let printing =
        Awk { program: awk.program.clone(), leading: vec!["--pretty-print=-".to_owned()] };
    let printed = run::run(&printing, row, Config::Default, TIME_LIMIT).ok()?;
    if printed.produced.status != 0 {
        return None;
    }
    // A warning names a line, and an error shows it.
    Some(Row {
        program: Some(printed.produced.stdout),
        stderr: vec!["*".to_owned()],
        ..row.clone()
    })
}

#[test]
fn programs_of_the_corpus_do_the_same_when_they_are_formatted() {
    let awk = Awk { program: build::rhawk().to_owned(), leading: Vec::new() };
    let files = load::load(&[]).expect("the corpus");
    // One row in three: two processes for each take half a minute for all.
    let rows: Vec<&Row> = files.iter().flat_map(|file| file.rows()).step_by(3).collect();
    let complaints = suite::on_threads(&rows, |row| {
        let row = formatted(&awk, row)?;
        let outcome =
            run::run(&awk, &row, Config::Default, TIME_LIMIT).expect("rhawk can be started");
        let shown =
            String::from_utf8_lossy(row.program.as_deref().unwrap_or_default()).into_owned();
        Some(
            verdict::complaint(&row, &outcome)
                .map(|complaint| format!("{}:\n{shown}{complaint}", row.id())),
        )
    });
    let formatted = complaints.iter().flatten().count();
    let failed: Vec<String> = complaints.into_iter().flatten().flatten().collect();
    assert!(failed.is_empty(), "{} of {formatted}:\n{}", failed.len(), failed.join("\n"));
    assert!(formatted > 1_400, "only {formatted} programs were formatted");
}
