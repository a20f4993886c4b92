//! How long operations take: nanoseconds, the least of several runs.
use riverhawk_precise::{Context, Number};
use std::hint::black_box;
use std::time::Instant;

fn time<T>(name: &str, turns: u32, mut work: impl FnMut() -> T) {
    let mut least = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..turns {
            black_box(work());
        }
        least = least.min(start.elapsed().as_secs_f64() / f64::from(turns));
    }
    println!("  {name:5} {:12.0}", least * 1e9);
}

fn main() {
    for precision in [53, 113, 200, 3500, 10_000, 100_000] {
        let context = Context::bits(precision);
        println!("{precision} bits");
        let quotient = |a: f64| {
            let result = Number::from_f64(a).div(&Number::from_f64(3.0), &context);
            result.unwrap_or(Number::ZERO).to_float()
        };
        // With a factor above 7, which no fraction that is taken out of a number has.
        let (x, y) = (quotient(11.0), quotient(13.0));
        let turns = match precision {
            0..1000 => 2000,
            1000..50_000 => 20,
            _ => 2,
        };
        time("add", 20 * turns, || context.add(&x, &y));
        time("mul", 20 * turns, || context.mul(&x, &y));
        time("div", 20 * turns, || context.div(&x, &y));
        time("sqrt", 10 * turns, || context.sqrt(&x));
        time("exp", turns, || context.exp(&x));
        time("ln", turns, || context.ln(&x));
        time("sin", turns, || context.sin(&x));
        time("atan2", turns, || context.atan2(&x, &y));
        time("pow", turns, || context.pow(&x, &y));
    }
}
