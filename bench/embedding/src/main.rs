//! What embedding costs, beside other languages that programs embed: jaq, LuaJIT through `mlua`,
//! and GoAWK's Go API.
//!
//! `cargo run --release` in this folder prints a table; GoAWK has a column where Go is installed.

mod goawk;
mod jaq;
mod luajit;
mod rhawk;
mod timing;

/// What one language takes for each task; `None` where it has no such task.
#[derive(Default)]
pub struct Costs {
    /// Compiling a one-liner that sums a column, in microseconds.
    pub compile: Option<f64>,
    /// Running it, compiled, over 25 lines of four bytes, in microseconds.
    pub run: Option<f64>,
    /// One call of a host function from a loop of five million, without the loop, in nanoseconds.
    pub call: Option<f64>,
    /// Summing the lengths of five million lines of forty bytes in memory, in seconds.
    pub memory: Option<f64>,
}

/// 25 lines with a number each: 100 bytes.
fn numbers() -> String {
    (0..25).map(|number| format!("{}\n", 100 + number)).collect()
}

/// Their sum.
const SUM: f64 = 25.0 * 100.0 + 300.0;

/// 200 MB.
fn lines() -> String {
    "a line of forty bytes, more or less, 12\n".repeat(LINES)
}

const LINES: usize = 5_000_000;

/// Without the line feeds.
const LENGTHS: f64 = LINES as f64 * 39.0;

fn main() {
    let columns = [
        ("riverhawk", Some(rhawk::costs())),
        ("GoAWK", goawk::costs()),
        ("LuaJIT (mlua)", Some(luajit::costs())),
        ("jaq", Some(jaq::costs())),
    ];
    print!("| |");
    columns.iter().for_each(|(name, _)| print!(" {name} |"));
    print!("\n|---|");
    columns.iter().for_each(|_| print!("---:|"));
    println!();
    row(&columns, "compile a one-liner, µs", 1, |costs| costs.compile);
    row(&columns, "run it over 100 bytes, µs", 1, |costs| costs.run);
    row(&columns, "call a host function, ns", 1, |costs| costs.call);
    row(&columns, "lengths of lines, 200 MB in memory, s", 3, |costs| costs.memory);
}

fn row(
    columns: &[(&str, Option<Costs>)],
    title: &str,
    digits: usize,
    cost: fn(&Costs) -> Option<f64>,
) {
    print!("| {title} |");
    for (_, costs) in columns {
        match costs.as_ref().and_then(cost) {
            Some(cost) => print!(" {cost:.digits$} |"),
            None => print!(" - |"),
        }
    }
    println!();
}
