//! Counts the records of files or of standard input and measures what one costs.
//!
//! ```text
//! cargo run --release -p riverhawk-stream --example count_records -- [--rounds N] [--separator STRING] [FILE...]
//! ```
//!
//! Without a file it measures generated text, in memory and in a file, beside `memchr_iter`. Best
//! of N rounds.

use riverhawk_stream::{FdSource, RecordSeparator, Records, StdinSource, Step};
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

fn count(records: &mut Records) -> io::Result<(u64, u64)> {
    let (mut count, mut bytes) = (0, 0);
    loop {
        match records.next_buffered() {
            Step::Record(record) => {
                count += 1;
                bytes += (record.end - record.start) as u64;
            }
            Step::NeedMore => {
                records.refill()?;
            }
            Step::End => return Ok((count, bytes)),
        }
    }
}

fn skip(records: &mut Records) -> io::Result<u64> {
    let mut count = 0;
    loop {
        count += records.skip_buffered().count;
        if records.next_buffered() == Step::End {
            return Ok(count);
        }
        records.refill()?;
    }
}

fn best<T>(rounds: usize, mut work: impl FnMut() -> T) -> Duration {
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn measure(path: &Path, rounds: usize) -> io::Result<()> {
    let text = fs::read(path)?;
    let lines = memchr::memchr_iter(b'\n', &text).count() as f64;
    let report = |what: &str, time: Duration| {
        let (ns, gigabytes) =
            (time.as_nanos() as f64 / lines, text.len() as f64 / time.as_nanos() as f64);
        println!(
            "  {what:<44} {:>8.2} ms {ns:>7.2} ns/record {gigabytes:>6.2} GB/s",
            time.as_secs_f64() * 1e3
        );
    };
    println!("{} MB, {lines} lines", text.len() / 1_000_000);
    let iterate = || {
        let mut start = 0;
        memchr::memchr_iter(b'\n', &text).fold(0, |sum, at| {
            let length = at - start;
            start = at + 1;
            sum + length
        })
    };
    report("memory: memchr_iter", best(rounds, iterate));
    let read_only = || -> io::Result<()> {
        let mut window = riverhawk_stream::Window::new(riverhawk_stream::DEFAULT_WINDOW);
        let mut source = FdSource::open(path)?;
        while window.refill(&mut source)? > 0 {
            window.consume_to(usize::MAX);
        }
        Ok(())
    };
    report("file: read, nothing else", best(rounds, read_only));
    let count_file = || count(&mut Records::new(FdSource::open(path)?));
    report("file: next_buffered", best(rounds, count_file));
    let skip_file = || skip(&mut Records::new(FdSource::open(path)?));
    report("file: skip_buffered", best(rounds, skip_file));
    let count_strings = || {
        let mut records = Records::new(FdSource::open(path)?);
        records.set_separator(RecordSeparator::strings(["\n", "\r\n"]).map_err(io::Error::other)?);
        count(&mut records)
    };
    report("file: next_buffered, LF or CRLF", best(rounds, count_strings));
    let mut records = Records::new(FdSource::open(path)?);
    count(&mut records)?;
    println!("  {:?}", records.counters());
    Ok(())
}

fn main() -> io::Result<()> {
    let (mut rounds, mut separator, mut files) = (20, None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(rounds),
            "--separator" => separator = arguments.next(),
            _ => files.push(argument),
        }
    }
    if files.is_empty() {
        for (name, line, lines) in
            [("long", "x".repeat(60), 1_000_000), ("short", "abcdefg".into(), 12_500_000)]
        {
            let path =
                std::env::temp_dir().join(format!("riverhawk-{name}-{}", std::process::id()));
            fs::write(&path, format!("{line}\n").repeat(lines))?;
            let measured = measure(&path, rounds);
            fs::remove_file(&path)?;
            measured?;
        }
        return Ok(());
    }
    for file in files {
        let mut records = if file == "-" {
            Records::new(StdinSource::new())
        } else {
            Records::new(FdSource::open(&file)?)
        };
        if let Some(separator) = &separator {
            records.set_separator(RecordSeparator::strings([separator]).map_err(io::Error::other)?);
        }
        let (records, bytes) = count(&mut records)?;
        writeln!(io::stdout(), "{records}\t{bytes}\t{file}")?;
    }
    Ok(())
}
