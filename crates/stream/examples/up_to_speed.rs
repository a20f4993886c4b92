//! `up_to(byte)` beside a bare `memchr` loop and `BufRead::read_until`.
//!
//! ```text
//! cargo run --release -p riverhawk-stream --example up_to_speed -- [ROUNDS]
//! ```
//!
//! Lines of 60 and 8 bytes in memory; best round of each row. "appended": into a vector; "lent": a
//! piece of the buffer.

use riverhawk_stream::{
    Buffered, Ended, MemoryStream, ReadSource, Records, SourceStream, Step, Stream,
};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader};
use std::time::{Duration, Instant};

fn bare(text: &[u8]) -> io::Result<usize> {
    let (mut rest, mut total) = (text, 0);
    while let Some(at) = memchr::memchr(b'\n', rest) {
        total += black_box(&rest[..at]).len();
        rest = &rest[at + 1..];
    }
    Ok(total)
}

fn bare_appending(text: &[u8]) -> io::Result<usize> {
    let (mut rest, mut total, mut line) = (text, 0, Vec::new());
    while let Some(at) = memchr::memchr(b'\n', rest) {
        line.clear();
        line.extend_from_slice(&rest[..at]);
        total += black_box(&line).len();
        rest = &rest[at + 1..];
    }
    Ok(total)
}

fn lent(mut stream: impl Buffered) -> io::Result<usize> {
    let mut total = 0;
    loop {
        let taken = stream.take_up_to(b'\n')?;
        if taken.ended == Ended::AtEnd {
            return Ok(total);
        }
        total += black_box(taken.bytes).len();
    }
}

fn appended(mut stream: impl Stream) -> io::Result<usize> {
    let (mut total, mut line) = (0, Vec::new());
    while stream.up_to(b'\n', &mut line)? == Ended::AtDelimiter {
        total += black_box(&line).len();
        line.clear();
    }
    Ok(total)
}

fn read_until(mut reader: impl BufRead) -> io::Result<usize> {
    let (mut total, mut line) = (0, Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 {
        total += black_box(&line).len() - 1;
        line.clear();
    }
    Ok(total)
}

fn records(text: &'static [u8]) -> io::Result<usize> {
    let (mut records, mut total) = (Records::new(ReadSource::new(text)), 0);
    loop {
        match records.next_buffered() {
            Step::Record(record) => total += black_box(records.text(&record)).len(),
            Step::NeedMore => {
                records.refill()?;
            }
            Step::End => return Ok(total),
        }
    }
}

type Row<'t> = (&'t str, usize, Box<dyn Fn() -> io::Result<usize> + 't>);

fn main() -> io::Result<()> {
    let rounds = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(60);
    for length in [60, 8] {
        // Larger than the second-level cache.
        let line = [vec![b'x'; length - 1], b"\n".to_vec()].concat();
        let text: &'static [u8] = line.repeat(6_000_000 / length).leak();
        let lines = (text.len() / length) as f64;
        struct Plain<'t>(MemoryStream<'t>);
        impl Stream for Plain<'_> {
            fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.read_into(buffer)
            }
        }
        let source = || SourceStream::from_reader(text);
        let rows: [Row<'_>; 10] = [
            ("memchr loop", 0, Box::new(|| bare(text))),
            ("up_to in memory, lent", 0, Box::new(|| lent(MemoryStream::new(text)))),
            ("memchr loop, appended", 2, Box::new(|| bare_appending(text))),
            ("up_to in memory, appended", 2, Box::new(|| appended(MemoryStream::new(text)))),
            ("BufRead::read_until on a slice", 2, Box::new(|| read_until(text))),
            ("up_to through a window, lent", 0, Box::new(|| lent(source()))),
            ("up_to through a window, appended", 2, Box::new(|| appended(source()))),
            (
                "BufReader::read_until, 256 KiB",
                2,
                Box::new(|| read_until(BufReader::with_capacity(256 * 1024, text))),
            ),
            ("Records, lent", 0, Box::new(|| records(text))),
            (
                "the byte-at-a-time default",
                2,
                Box::new(|| appended(Plain(MemoryStream::new(text)))),
            ),
        ];
        let mut best = [Duration::MAX; 10];
        for _ in 0..rounds {
            for ((what, _, run), best) in rows.iter().zip(&mut best) {
                let start = Instant::now();
                let total = run()?;
                *best = start.elapsed().min(*best);
                assert_eq!(total, (length - 1) * lines as usize, "{what}");
            }
        }
        println!("lines of {length} bytes");
        for ((what, base, _), time) in rows.iter().zip(best) {
            let (ns, ratio) =
                (time.as_nanos() as f64 / lines, time.as_secs_f64() / best[*base].as_secs_f64());
            println!("  {what:<36} {ns:>7.2} ns a line  {ratio:>6.2} of `{}`", rows[*base].0);
        }
    }
    Ok(())
}
