//! Allocations that fail anywhere in a run give the row's answer, or an error after a part of its
//! output. Never a signal, never another answer.

use riverhawk_tests::row::Row;
use riverhawk_tests::run::{Outcome, Tier, run};
use riverhawk_tests::{Awk, Config, load, verdict};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Rows of the corpus, spread over it, unless all are requested.
const SAMPLE: usize = 60;
const FAILURES_OF_EACH: usize = 5;
const LIMIT: Duration = Duration::from_secs(60);

const CONFIGS: [Config; 3] = [Config::Default, Config::Tier(Tier::Eager), Config::Pieces(2, 16)];

fn awk(program: &Path, environment: &[String]) -> Awk {
    let words = environment.iter().cloned().chain([program.display().to_string()]);
    Awk { program: "env".into(), leading: words.collect() }
}

fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state as usize
}

fn complaint(row: &Row, outcome: &Outcome) -> Option<String> {
    let said = String::from_utf8_lossy(&outcome.stderr);
    let is_error = outcome.produced.status == 2 && said.contains("memory") && !outcome.timed_out;
    let expected = row.expected.as_ref().map_or(&b""[..], |expected| &expected.stdout);
    // Output of other processes has no fixed order.
    let program = String::from_utf8_lossy(row.program.as_deref().unwrap_or_default());
    let is_alone = !["|", "system", "fork", "stderr"].iter().any(|word| program.contains(word))
        && !program.is_empty();
    let printed = &outcome.produced.stdout[..];
    // A list of JSON is closed also after an error.
    let open = printed
        .strip_suffix(b"\n]\n")
        .or_else(|| printed.strip_suffix(b"]\n"))
        .filter(|_| row.args.contains("--output-json"));
    let is_part = expected.starts_with(open.unwrap_or(printed));
    if is_error && (is_part || !is_alone) {
        return None;
    }
    let complaint = verdict::complaint(row, outcome)?;
    Some(format!("{complaint}  status {}, stderr {said}", outcome.produced.status))
}

fn check(program: &Path, row: &Row, config: Config, seed: u64) -> Vec<String> {
    let scratch =
        std::env::temp_dir().join(format!("riverhawk-scarce-{}-{seed}", std::process::id()));
    let counting = awk(program, &[format!("SCARCE_COUNT={}", scratch.display())]);
    let whole = run(&counting, row, config, LIMIT).unwrap_or_else(|error| panic!("{error}"));
    let count =
        std::fs::read_to_string(&scratch).ok().and_then(|count| count.parse::<usize>().ok());
    let _ = std::fs::remove_file(&scratch);
    // A wrong output is left to the corpus's own test.
    let Some(count) = count.filter(|_| verdict::complaint(row, &whole).is_none()) else {
        return Vec::new();
    };
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut complaints = Vec::new();
    for turn in 0..FAILURES_OF_EACH {
        let at = next(&mut state) % count.max(1);
        let mut environment = vec![format!("SCARCE_FAIL_AT={at}")];
        environment.extend((turn % 2 == 1).then(|| "SCARCE_ONCE=1".to_owned()));
        let outcome = run(&awk(program, &environment), row, config, LIMIT)
            .unwrap_or_else(|error| panic!("{error}"));
        if let Some(complaint) = complaint(row, &outcome) {
            complaints.push(format!(
                "{} {} ({}):\n{complaint}",
                row.name,
                environment.join(" "),
                config.name()
            ));
        }
    }
    complaints
}

#[test]
fn a_failed_allocation_is_an_error_or_changes_nothing() {
    let program = Path::new(env!("CARGO_BIN_EXE_rhawk-scarce"));
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let rows: Vec<&Row> = files.iter().flat_map(|file| file.rows()).collect();
    let all = std::env::var_os("RIVERHAWK_SCARCE").is_some_and(|what| what == "all");
    let every = if all { 1 } else { rows.len().div_ceil(SAMPLE) };
    let chosen: Vec<(usize, &Row)> = rows.into_iter().enumerate().step_by(every).collect();
    assert!(chosen.len() >= SAMPLE / 2);
    let next_row = AtomicUsize::new(0);
    let complaints = std::thread::scope(|scope| {
        let work = || {
            let mut complaints = Vec::new();
            while let Some(&(number, row)) = chosen.get(next_row.fetch_add(1, Ordering::Relaxed)) {
                let config = CONFIGS[number / every % CONFIGS.len()];
                if config.applies_to(row) {
                    complaints.extend(check(program, row, config, number as u64 + 1));
                }
            }
            complaints
        };
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no thread panics"))
            .collect::<Vec<_>>()
    });
    assert!(complaints.is_empty(), "{} of them:\n{}", complaints.len(), complaints.join("\n"));
}
