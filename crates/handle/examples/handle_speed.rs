//! Compares a handle with the standard library: lines, prints, children, a print while a reader is
//! blocked.
//!
//! `cargo run --release -p riverhawk-handle --example handle_speed`

use riverhawk_handle::{Handle, Spawn};
use riverhawk_stream::{FdSource, RecordCursor, RecordStream, Records};
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const LINES: usize = 200_000;
const ROUNDS: usize = 12;
const CHILDREN: usize = 40;

/// The variants alternate; the best time of each counts.
fn compare(what: &str, ways: &mut [(&str, &mut dyn FnMut() -> Outcome)]) -> Outcome {
    let mut best = vec![Duration::MAX; ways.len()];
    for _ in 0..ROUNDS {
        for ((_, way), best) in ways.iter_mut().zip(&mut best) {
            let began = Instant::now();
            way()?;
            *best = (*best).min(began.elapsed());
        }
    }
    println!("{what}");
    for ((name, _), best) in ways.iter().zip(best) {
        println!("  {name:<46} {:8.2} ms", best.as_secs_f64() * 1e3);
    }
    Ok(())
}

fn main() -> Outcome {
    let directory =
        std::env::temp_dir().join(format!("riverhawk-handle-speed-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let path = directory.join("lines");
    let line = "a line of sixty bytes, as they are in many a log, more or so";
    std::fs::write(&path, format!("{line}\n").repeat(LINES))?;
    let out = directory.join("out");

    compare(
        "200,000 lines of 61 bytes from a file",
        &mut [
            ("BufReader::read_line, reused String", &mut || {
                let (mut reader, mut line) = (BufReader::new(File::open(&path)?), String::new());
                while reader.read_line(&mut line)? > 0 {
                    black_box(line.len());
                    line.clear();
                }
                Ok(())
            }),
            ("Reader::read_line (decoded, lent)", &mut || {
                let handle = Handle::open(&path)?;
                let mut reader = handle.reader();
                while let Some(line) = reader.read_line()? {
                    black_box(line.len());
                }
                Ok(())
            }),
            ("BufReader::lines, a String each", &mut || {
                for line in BufReader::new(File::open(&path)?).lines() {
                    black_box(line?.len());
                }
                Ok(())
            }),
            ("Handle::lines, a String each", &mut || {
                for line in Handle::open(&path)?.lines() {
                    black_box(line?.len());
                }
                Ok(())
            }),
            ("Records over a file descriptor", &mut || {
                let mut records = RecordCursor::new(Records::new(FdSource::open(&path)?));
                while let Some(record) = records.next_record()? {
                    black_box(record.len());
                }
                Ok(())
            }),
            ("Records over Handle::source", &mut || {
                let mut records = RecordCursor::new(Records::new(Handle::open(&path)?.source()));
                while let Some(record) = records.next_record()? {
                    black_box(record.len());
                }
                Ok(())
            }),
        ],
    )?;

    let file = path.to_str().ok_or("a path that is no text")?;
    compare(
        "the same through `cat` and a pipe",
        &mut [
            ("std: BufReader over ChildStdout", &mut || {
                let mut child = Command::new("cat").arg(file).stdout(Stdio::piped()).spawn()?;
                let mut reader = BufReader::new(child.stdout.take().ok_or("no pipe")?);
                let mut line = String::new();
                while reader.read_line(&mut line)? > 0 {
                    black_box(line.len());
                    line.clear();
                }
                child.wait()?;
                Ok(())
            }),
            ("Reader::read_line over Spawn::read", &mut || {
                let handle = Spawn::argv(["cat", file]).read()?;
                let mut reader = handle.reader();
                while let Some(line) = reader.read_line()? {
                    black_box(line.len());
                }
                drop(reader);
                handle.close()?;
                Ok(())
            }),
        ],
    )?;

    compare(
        "200,000 prints of 61 bytes into a file",
        &mut [
            ("BufWriter (8 KiB)", &mut || {
                let mut writer = BufWriter::new(File::create(&out)?);
                for _ in 0..LINES {
                    writer.write_all(line.as_bytes())?;
                    writer.write_all(b"\n")?;
                }
                Ok(writer.flush()?)
            }),
            ("Mutex<BufWriter>, locked for each print", &mut || {
                let writer = std::sync::Mutex::new(BufWriter::new(File::create(&out)?));
                for _ in 0..LINES {
                    let mut writer = writer.lock().map_err(|_| "poisoned")?;
                    writer.write_all(line.as_bytes())?;
                    writer.write_all(b"\n")?;
                }
                Ok(writer.lock().map_err(|_| "poisoned")?.flush()?)
            }),
            ("Handle::write_pieces (locked for each print)", &mut || {
                let handle = Handle::create(&out)?;
                for _ in 0..LINES {
                    handle.write_pieces(&[line.as_bytes(), b"\n"])?;
                }
                handle.close()?;
                Ok(())
            }),
            ("Writer::write_pieces (locked once)", &mut || {
                let handle = Handle::create(&out)?;
                let mut writer = handle.writer();
                for _ in 0..LINES {
                    writer.write_pieces(&[line.as_bytes(), b"\n"])?;
                }
                drop(writer);
                handle.close()?;
                Ok(())
            }),
        ],
    )?;

    compare(
        "40 children: start, read a line, wait",
        &mut [
            ("std::process::Command", &mut || {
                for _ in 0..CHILDREN {
                    let mut child = Command::new("echo").arg("x").stdout(Stdio::piped()).spawn()?;
                    let mut line = String::new();
                    BufReader::new(child.stdout.take().ok_or("no pipe")?).read_line(&mut line)?;
                    child.wait()?;
                }
                Ok(())
            }),
            ("Spawn::read", &mut || {
                for _ in 0..CHILDREN {
                    let handle = Spawn::argv(["echo", "x"]).read()?;
                    handle.read_line()?;
                    handle.close()?;
                }
                Ok(())
            }),
        ],
    )?;
    let (one, other) = Handle::pair()?;
    one.set_buffer(0)?;
    let blocked = one.clone();
    let reading = std::thread::spawn(move || blocked.read_to_end());
    std::thread::sleep(Duration::from_millis(20));
    compare(
        "a print through a handle whose reader is blocked, 1,000 times",
        &mut [("Handle::print, and the peer's read", &mut || {
            for _ in 0..1_000 {
                one.print("x")?;
                black_box(other.read_exactly(2)?);
            }
            Ok(())
        })],
    )?;
    other.close()?;
    reading.join().map_err(|_| "the reader panicked")??;
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}
