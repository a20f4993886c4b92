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

/// The program's instructions, and its layout in a width.
fn laid_out(awk: &Awk, row: &Row, option: &str) -> Option<Vec<u8>> {
    let awk = Awk { program: awk.program.clone(), leading: vec![option.to_owned()] };
    let ran = run::run(&awk, row, Config::Default, TIME_LIMIT).ok()?.produced;
    (ran.status == 0).then_some(ran.stdout)
}

#[test]
fn narrow_layouts_have_the_same_instructions_and_stay_as_they_are() {
    let awk = Awk { program: build::rhawk().to_owned(), leading: Vec::new() };
    let files = load::load(&[]).expect("the corpus");
    // One row in fifteen: five processes for each.
    let rows: Vec<&Row> = files.iter().flat_map(|file| file.rows()).step_by(15).collect();
    let complaints = suite::on_threads(&rows, |row| {
        let program = row.program.as_ref()?;
        if row.command_line().iter().any(|word| word != program && shows_the_program(word)) {
            return None;
        }
        let code = laid_out(&awk, row, "--dump=bytecode")?;
        let text = laid_out(&awk, row, "--format=30")?;
        let again = Row { program: Some(text.clone()), ..(*row).clone() };
        let same_code = laid_out(&awk, &again, "--dump=bytecode").as_ref() == Some(&code);
        let same_text = laid_out(&awk, &again, "--format=30").as_ref() == Some(&text);
        let shown = String::from_utf8_lossy(&text).into_owned();
        let complaint = format!("{}: code {same_code}, text {same_text}:\n{shown}", row.id());
        Some((!(same_code && same_text)).then_some(complaint))
    });
    let tried = complaints.iter().flatten().count();
    let failed: Vec<String> = complaints.into_iter().flatten().flatten().collect();
    assert!(failed.is_empty(), "{} of {tried}:\n{}", failed.len(), failed.join("\n"));
    assert!(tried > 300, "only {tried} programs were laid out");
}
