//! Lines of a file with this crate, the standard library, linereader and bstr.
//!
//! ```text
//! cargo run --release -p riverhawk-stream --example line_speed -- [ROUNDS]
//! ```
//!
//! A million lines of 60 bytes in the page cache; best round of each row.

use bstr::io::BufReadExt;
use linereader::LineReader;
use riverhawk_stream::{
    Buffered, Ended, FdSource, RecordCursor, RecordStream, Records, SourceStream, Step, Stream,
};
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

fn read_only(path: &Path) -> io::Result<usize> {
    let (mut file, mut block, mut total) = (File::open(path)?, vec![0; 256 * 1024], 0);
    loop {
        match file.read(&mut block)? {
            0 => return Ok(total - LINES),
            count => total += count,
        }
    }
}

fn records(path: &Path) -> io::Result<usize> {
    let (mut records, mut total) = (Records::new(FdSource::open(path)?), 0);
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

fn cursor(path: &Path) -> io::Result<usize> {
    let (mut cursor, mut total) = (RecordCursor::new(Records::new(FdSource::open(path)?)), 0);
    while let Some(record) = cursor.next_record()? {
        total += black_box(record).len();
    }
    Ok(total)
}

fn up_to(path: &Path) -> io::Result<usize> {
    let (mut stream, mut total) = (SourceStream::open(path)?, 0);
    loop {
        let taken = stream.take_up_to(b'\n')?;
        if taken.ended == Ended::AtEnd {
            return Ok(total);
        }
        total += black_box(taken.bytes).len();
    }
}

fn up_to_appending(path: &Path) -> io::Result<usize> {
    let (mut stream, mut line, mut total) = (SourceStream::open(path)?, Vec::new(), 0);
    while stream.up_to(b'\n', &mut line)? == Ended::AtDelimiter {
        total += black_box(&line).len();
        line.clear();
    }
    Ok(total)
}

fn take_line(path: &Path) -> io::Result<usize> {
    let (mut stream, mut total) = (SourceStream::open(path)?, 0);
    loop {
        let taken = stream.take_line()?;
        if taken.is_end() {
            return Ok(total);
        }
        total += black_box(taken.bytes).len();
    }
}

fn read_until(path: &Path) -> io::Result<usize> {
    let (mut reader, mut line, mut total) = (BufReader::new(File::open(path)?), Vec::new(), 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        total += black_box(&line).len() - 1;
        line.clear();
    }
    Ok(total)
}

fn read_line_from(mut reader: BufReader<File>) -> io::Result<usize> {
    let (mut line, mut total) = (String::new(), 0);
    while reader.read_line(&mut line)? > 0 {
        total += black_box(&line).len() - 1;
        line.clear();
    }
    Ok(total)
}

fn read_line(path: &Path) -> io::Result<usize> {
    read_line_from(BufReader::new(File::open(path)?))
}

fn read_line_large(path: &Path) -> io::Result<usize> {
    read_line_from(BufReader::with_capacity(256 * 1024, File::open(path)?))
}

fn lines(path: &Path) -> io::Result<usize> {
    let mut total = 0;
    for line in BufReader::new(File::open(path)?).lines() {
        total += black_box(line?).len();
    }
    Ok(total)
}

fn linereader(path: &Path) -> io::Result<usize> {
    let (mut reader, mut total) = (LineReader::with_capacity(256 * 1024, File::open(path)?), 0);
    while let Some(line) = reader.next_line() {
        total += black_box(line?).len() - 1;
    }
    Ok(total)
}

fn for_byte_line(path: &Path) -> io::Result<usize> {
    let mut total = 0;
    BufReader::with_capacity(256 * 1024, File::open(path)?).for_byte_line(|line| {
        total += black_box(line).len();
        Ok(true)
    })?;
    Ok(total)
}

const LINES: usize = 1_000_000;
const LENGTH: usize = 60;

type Row = (&'static str, fn(&Path) -> io::Result<usize>);

const ROWS: [Row; 12] = [
    ("BufRead::read_line, reused String", read_line),
    ("the same, buffer of 256 KiB", read_line_large),
    ("BufRead::lines, a String for each", lines),
    ("BufRead::read_until, reused Vec", read_until),
    ("linereader, buffer of 256 KiB", linereader),
    ("bstr for_byte_line, buffer of 256 KiB", for_byte_line),
    ("Records::next_buffered", records),
    ("RecordCursor::next_record", cursor),
    ("SourceStream::take_up_to", up_to),
    ("SourceStream::up_to, reused Vec", up_to_appending),
    ("SourceStream::take_line, any line end", take_line),
    ("read() and nothing else", read_only),
];

fn main() -> io::Result<()> {
    let rounds = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(20);
    let path = std::env::temp_dir().join(format!("riverhawk-line-speed-{}", std::process::id()));
    fs::write(&path, format!("{}\n", "x".repeat(LENGTH)).repeat(LINES))?;
    let mut best = [Duration::MAX; ROWS.len()];
    let measured = (|| {
        for _ in 0..rounds {
            for ((what, run), best) in ROWS.iter().zip(&mut best) {
                let start = Instant::now();
                let total = run(&path)?;
                *best = start.elapsed().min(*best);
                assert_eq!(total, LINES * LENGTH, "{what}");
            }
        }
        Ok(())
    })();
    fs::remove_file(&path)?;
    for ((what, _), time) in ROWS.iter().zip(best) {
        let (ns, ahead) =
            (time.as_nanos() as f64 / LINES as f64, best[0].as_secs_f64() / time.as_secs_f64());
        println!(
            "{what:<38} {:>7.2} ms {ns:>7.2} ns a line {ahead:>6.2} times read_line",
            time.as_secs_f64() * 1e3
        );
    }
    measured
}
