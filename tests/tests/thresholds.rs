//! Programs of the corpus repeated around the specialiser's thresholds: 149, 150, 151 times, 199,
//! 200, 201, and a thousand. The interpreter gives the right answer.
//!
//! The body of a single BEGIN action is repeated; input is repeated up to that many records.

use riverhawk_tests::run::{Outcome, Tier};
use riverhawk_tests::{Awk, Config, Row, build, load, run, suite};
use std::process::ExitCode;
use std::time::Duration;

const COUNTS: [usize; 7] = [149, 150, 151, 199, 200, 201, 1000];

/// With the usual and with no delay, in buffers small enough to be handed over.
const SETTINGS: [&str; 2] =
    ["--spesh-blocking --spesh-buffer=16", "--spesh-nodelay --spesh-blocking"];

/// What takes longer a thousand times shows nothing that its neighbours do not.
const PATIENCE: Duration = Duration::from_secs(10);

/// None when the row has no such form.
fn repeated(row: &Row, times: usize) -> Option<Row> {
    let program = std::str::from_utf8(row.program.as_deref()?).ok()?;
    let mut row = row.clone();
    if let Some(body) = only_begin(program) {
        row.program = Some(
            format!("BEGIN {{ for (repeat_ = 0; repeat_ < {times}; repeat_++) {{ {body}\n}} }}")
                .into_bytes(),
        );
        return Some(row);
    }
    let input = row.input.as_deref().filter(|input| !input.is_empty())?;
    let records = input.iter().filter(|&&byte| byte == b'\n').count().max(1);
    row.input = Some(input.repeat(times.div_ceil(records)));
    Some(row)
}

/// Found without parsing: an invalid result is an error for both.
fn only_begin(program: &str) -> Option<&str> {
    let body =
        program.trim().strip_prefix("BEGIN")?.trim_start().strip_prefix('{')?.strip_suffix('}')?;
    (!body.contains("BEGIN") && !body.contains("END") && !body.contains("function "))
        .then_some(body)
}

fn ask(row: &Row, options: &str) -> Option<Outcome> {
    let leading = options.split_whitespace().map(str::to_owned).collect();
    let awk = Awk { program: build::rhawk().to_owned(), leading };
    run::run(&awk, row, Config::Default, PATIENCE).ok()
}

/// Whether its output depends on neither time nor speed.
fn is_steady(row: &Row) -> bool {
    let program = row.program.as_deref().unwrap_or_default();
    let moment = [
        "srand", "systime", "strftime", "PROCINFO", "sleep", "getline", "system", "|", "tmp",
        "close", "rand",
    ];
    !moment.iter().any(|word| program.windows(word.len()).any(|part| part == word.as_bytes()))
}

fn main() -> ExitCode {
    // The usual harness lists its tests; this is one.
    if std::env::args().any(|arg| arg == "--list") {
        println!("thresholds: test");
        return ExitCode::SUCCESS;
    }
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let rows: Vec<_> = files
        .iter()
        .flat_map(|file| file.rows())
        .filter(|row| is_steady(row))
        .enumerate()
        .collect();
    let interpreter = Tier::Interpreter.options().join(" ");
    let failures = suite::on_threads(&rows, |(at, row)| {
        // Each row gets one count and one setting; together they get all.
        let row = repeated(row, COUNTS[at % COUNTS.len()])?;
        let options = SETTINGS[at / COUNTS.len() % SETTINGS.len()];
        let right = ask(&row, &interpreter).filter(|right| !right.timed_out)?;
        let ours = ask(&row, options)?;
        let same = (&right.produced, &right.stderr, &right.created)
            == (&ours.produced, &ours.stderr, &ours.created);
        let told = || {
            let program =
                String::from_utf8_lossy(row.program.as_deref().unwrap_or_default()).into_owned();
            format!(
                "FAIL {} {options}\n  {program}\n  right: {right:?}\n  ours:  {ours:?}\n",
                row.id()
            )
        };
        Some(if same { None } else { Some(told()) })
    });
    let asked = failures.iter().flatten().count();
    let failed: Vec<String> = failures.into_iter().flatten().flatten().collect();
    failed
        .iter()
        .for_each(|failure| println!("{}", failure.chars().take(2000).collect::<String>()));
    println!("thresholds: {} of {asked} programs differ", failed.len());
    ExitCode::from(u8::from(!failed.is_empty() || asked < 1000))
}
