//! awk in the middle of a Rust program's own pipeline: lines come from an iterator and go to one.
//!
//! `cargo run -p riverhawk --example pipeline`

use riverhawk::{Program, Run};

fn main() -> Result<(), riverhawk::Error> {
    let numbers = (1..).map(|number: u64| number.to_string());
    let program = Program::compile("$1 % 7 == 0 { print $1, $1 * $1 }")?;
    let squares = program.records(Run::new().lines(numbers));
    for line in squares.take(5) {
        println!("{}", String::from_utf8_lossy(&line?));
    }
    Ok(())
}
