//! What embedding costs: compiling, running what is compiled, calling a function, memory's speed.
//!
//! `cargo run --release -p riverhawk --example costs`

use riverhawk::{Call, Program, Run};
use std::hint::black_box;
use std::time::Instant;

/// Nanoseconds of one of `count` turns, in the best of nine rounds.
fn best(count: u32, turn: impl Fn()) -> f64 {
    let round = |_| {
        let begun = Instant::now();
        (0..count).for_each(|_| turn());
        begun.elapsed().as_secs_f64() * 1e9 / f64::from(count)
    };
    (0..9).map(round).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), riverhawk::Error> {
    const ONE_LINER: &str = "{ n += $1 } END { print n }";
    let compiling = best(2_000, || drop(black_box(Program::compile(black_box(ONE_LINER)))));
    println!("compile a one-liner            {:8.1} us", compiling / 1e3);

    let sum = Program::compile(ONE_LINER)?;
    let input: String = (0..25).map(|number| format!("{}\n", 100 + number)).collect();
    let running = best(20_000, || drop(black_box(sum.run(Run::new().input(input.as_str())))));
    println!("run it over {} bytes          {:8.1} us", input.len(), running / 1e3);

    let calls = |body: &str| {
        let text = format!("BEGIN {{ for (i = 0; i < 5000000; i++) s += {body} }}");
        Program::builder()
            .source("calls", text)
            .function("same", 1..=1, |call: &mut Call<'_>| Ok(call.number(0).into()))
            .compile()
    };
    let [calling, empty] = [calls("same(i)")?, calls("i")?]
        .map(|program| best(1, || drop(black_box(program.run(Run::new())))) / 5e6);
    println!("call a function from a hot loop {:7.1} ns", calling - empty);

    let text = "a line of forty bytes, more or less, 12\n".repeat(5_000_000);
    let bytes = text.len() as f64;
    let length = Program::compile("{ n += length($0) } END { print n }")?;
    let begun = Instant::now();
    let outcome = length.run(Run::new().input(text))?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "read memory                    {:8.2} GB/s ({} characters)",
        bytes / seconds / 1e9,
        outcome.text().trim_end()
    );
    Ok(())
}
