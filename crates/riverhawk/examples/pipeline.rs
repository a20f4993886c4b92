//! awk in the middle of a Rust program's own pipeline: lines come from an iterator and go to one.
//!
//! `cargo run -p riverhawk --example pipeline`

use riverhawk::{Program, Run};

/// The first multiples of 7 with their squares.
fn squares(count: usize) -> Result<Vec<String>, riverhawk::Error> {
    let numbers = (1..).map(|number: u64| number.to_string());
    let program = Program::compile("$1 % 7 == 0 { print $1, $1 * $1 }")?;
    let squares = program.records(Run::new().lines(numbers));
    let lines = squares.take(count);
    lines.map(|line| Ok(String::from_utf8_lossy(&line?).into_owned())).collect()
}

fn main() -> Result<(), riverhawk::Error> {
    squares(5)?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

#[test]
fn endless_input_is_read_as_far_as_it_is_needed() {
    assert_eq!(squares(2).unwrap(), ["7 49", "14 196"]);
}
