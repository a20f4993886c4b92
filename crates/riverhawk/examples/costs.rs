//! What embedding costs: compiling, running what is compiled, calling a function, memory's speed
//! beside the command's over a file.
//!
//! `cargo run --release -p riverhawk --example costs -- target/release/rhawk`

use riverhawk::{Call, Program, Run};
use std::hint::black_box;
use std::sync::Arc;
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

    two_threads()?;

    memory_and_command(std::env::args().nth(1).as_deref())
}

/// What a run of one program takes while another thread runs it too: the processor's time, so that
/// a busy machine is no matter.
fn two_threads() -> Result<(), riverhawk::Error> {
    const RUNS: u32 = 400;
    let source =
        "{ if (match($0, /([a-z]+)=([0-9]+)/, m)) n += m[2]; gsub(/[a-c]+x?/, \"<&>\"); u = u $0 }
        $0 ~ \"w\" NR \"|[xyz]+$\" { k++ } END { print n, k, length(u) }";
    let program = Program::compile(source)?;
    let input: String = (0..25).map(|n| format!("abc w{n} xyz key={n}\n")).collect();
    let runs = || {
        for _ in 0..RUNS {
            black_box(program.run(Run::new().input(input.as_str())).expect("it runs"));
        }
    };
    let round = |threads: usize| {
        let begun = processor_seconds();
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(runs))));
        (processor_seconds() - begun) * 1e6 / f64::from(RUNS) / threads as f64
    };
    let (mut one, mut two) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..9 {
        (one, two) = (one.min(round(1)), two.min(round(2)));
    }
    println!(
        "regular expressions over {} bytes: on one thread {one:.2} us, on two {two:.2} us each",
        input.len()
    );
    Ok(())
}

/// User and system time of the process, all threads together, as Linux counts it.
fn processor_seconds() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse().unwrap_or(f64::NAN)).sum::<f64>() / TICKS
}

/// Programs over a text in memory, and over a file with the command `rhawk`, if it is named.
fn memory_and_command(command: Option<&str>) -> Result<(), riverhawk::Error> {
    let lines =
        (0..2_000_000).map(|n| format!("w{} {n} some words, more or less {}\n", n % 1000, n % 77));
    let text: Arc<[u8]> = lines.collect::<String>().into_bytes().into();
    let path = std::env::temp_dir().join(format!("rhawk-costs-{}", std::process::id()));
    std::fs::write(&path, &text).expect("a file of the text");
    for (name, source) in [
        ("length", "{ n += length($0) } END { print n }"),
        ("lines", "END { print NR }"),
        ("print", "{ print }"),
        ("sum", "{ s += $2 } END { print s }"),
        ("count", "{ c[$1]++ } END { for (k in c) n++; print n }"),
        ("gsub", "{ gsub(/[0-9]+/, \"#\"); print }"),
    ] {
        let program = Program::compile(source)?;
        let (mut memory, mut reader, mut file) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for _ in 0..7 {
            let run = Run::new().shared_input(Arc::clone(&text)).stdout(std::io::sink());
            memory = memory.min(seconds(|| drop(program.run(run))));
            let run =
                Run::new().stdin(std::io::Cursor::new(Arc::clone(&text))).stdout(std::io::sink());
            reader = reader.min(seconds(|| drop(program.run(run))));
            if let Some(command) = command {
                let mut command = std::process::Command::new(command);
                command.arg(source).arg(&path).stdout(std::process::Stdio::null());
                file = file.min(seconds(|| drop(command.status())));
            }
        }
        let speed = |seconds: f64| text.len() as f64 / seconds / 1e9;
        print!("{name:10} memory {:6.3} GB/s, reader {:6.3} GB/s", speed(memory), speed(reader));
        match command {
            Some(_) => println!(
                ", command on a file {:6.3} GB/s; memory takes {:.3} of it, a reader {:.3}",
                speed(file),
                memory / file,
                reader / file
            ),
            None => println!(),
        }
    }
    std::fs::remove_file(&path).expect("the file to go");
    Ok(())
}

fn seconds(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}
