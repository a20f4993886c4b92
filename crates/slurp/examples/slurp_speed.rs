//! Whole files, compared with `std::fs`.
//!
//! `cargo run --release --example slurp_speed [-- --tsv] [DIRECTORY]`. Rows of one size alternate,
//! and the fastest of many short runs counts. `--tsv` prints size, group, name and nanoseconds.

use riverhawk_slurp::{Durability, Lines, Separator, Slurp, Spew};
use std::cell::RefCell;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

const SIZES: [usize; 4] = [512, 9_100, 121_000, 1 << 20];
const ROUNDS: usize = 150;

/// Group, name, one run.
type Row<'a> = (&'static str, &'static str, Box<dyn FnMut() + 'a>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tsv = false;
    let mut directory = std::env::temp_dir();
    for argument in std::env::args().skip(1) {
        if argument == "--tsv" {
            tsv = true;
        } else {
            directory = PathBuf::from(argument);
        }
    }
    let directory = directory.join(format!("slurp-speed-{}", std::process::id()));
    fs::create_dir(&directory)?;
    for size in SIZES {
        measure(size, &directory, tsv)?;
    }
    fs::remove_dir_all(&directory)?;
    Ok(())
}

fn measure(size: usize, directory: &Path, tsv: bool) -> Result<(), Box<dyn std::error::Error>> {
    let source = directory.join("source");
    let target = directory.join("target");
    let text: Vec<u8> =
        (0..size).map(|at| if at % 61 == 60 { b'\n' } else { b'a' + (at % 26) as u8 }).collect();
    fs::write(&source, &text)?;
    // One buffer for both: at a megabyte its pages decide.
    let buffer = RefCell::new(Vec::new());
    let mut line = String::new();
    let (slurp, spew) = (Slurp::new(), Spew::new());
    let (atomic, durable) = (Spew::new().atomic(), Spew::new().atomic().sync(Durability::File));
    let [a, b, c, d, e, f, g, h] =
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| target.with_extension(name));
    fs::write(&g, "")?;
    fs::write(&h, "")?;

    let mut rows: Vec<Row<'_>> = vec![
        ("read", "std::fs", Box::new(|| drop(black_box(fs::read(&source))))),
        ("read", "slurp", Box::new(|| drop(black_box(slurp.read(&source))))),
        (
            "read into buffer",
            "std::fs",
            Box::new(|| {
                let mut buffer = buffer.borrow_mut();
                buffer.clear();
                let _ = File::open(&source).and_then(|mut file| file.read_to_end(&mut buffer));
                black_box(&buffer);
            }),
        ),
        (
            "read into buffer",
            "slurp",
            Box::new(|| {
                let mut buffer = buffer.borrow_mut();
                let _ = slurp.read_into(&source, &mut buffer);
                black_box(&buffer);
            }),
        ),
        (
            "lines",
            "std BufRead::read_line",
            Box::new(|| {
                let Ok(file) = File::open(&source) else { return };
                let (mut reader, mut total) = (BufReader::new(file), 0);
                line.clear();
                while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                    total += line.len();
                    line.clear();
                }
                black_box(total);
            }),
        ),
        (
            "lines",
            "slurp",
            Box::new(|| {
                let total: usize = slurp
                    .read_lines(&source)
                    .map_or(0, |lines| lines.iter().map(<[u8]>::len).sum());
                black_box(total);
            }),
        ),
        (
            "list of lines",
            "slurp",
            Box::new(|| drop(black_box(slurp.read_lines(&source).map(|lines| lines.to_vec())))),
        ),
        (
            "lines in memory",
            "memchr",
            Box::new(|| {
                let mut from = 0;
                let total: usize = memchr::memchr_iter(b'\n', &text)
                    .map(|at| at - std::mem::replace(&mut from, at + 1))
                    .sum();
                black_box(total + from);
            }),
        ),
        (
            "lines in memory",
            "slurp",
            Box::new(|| {
                black_box(
                    Lines::new(&text, &Separator::NEWLINE).chomp().map(<[u8]>::len).sum::<usize>(),
                );
            }),
        ),
        ("write", "std::fs", Box::new(|| drop(black_box(fs::write(&a, &text))))),
        ("write", "slurp", Box::new(|| drop(black_box(spew.write(&b, &text))))),
        (
            "write new file",
            "std::fs",
            Box::new(|| drop(black_box(fs::remove_file(&g).and_then(|()| fs::write(&g, &text))))),
        ),
        (
            "write new file",
            "slurp",
            Box::new(|| drop(black_box(fs::remove_file(&h).map(|()| spew.write(&h, &text))))),
        ),
        (
            "write atomically",
            "std::fs",
            Box::new(|| drop(black_box(fs::write(&c, &text).and_then(|()| fs::rename(&c, &d))))),
        ),
        ("write atomically", "slurp", Box::new(|| drop(black_box(atomic.write(&e, &text))))),
    ];
    let mut best = vec![f64::INFINITY; rows.len()];
    // About 0.3 ms a run: shorter than a time slice.
    let repeats = (300_000 / (2_000 + size / 8)).max(1);
    for _ in 0..ROUNDS {
        for ((.., run), best) in rows.iter_mut().zip(&mut best) {
            // The first run warms the caches.
            run();
            let begin = Instant::now();
            (0..repeats).for_each(|_| run());
            *best = best.min(begin.elapsed().as_secs_f64() * 1e9 / repeats as f64);
        }
    }
    let mut synced = f64::INFINITY;
    for _ in 0..5 {
        let begin = Instant::now();
        drop(durable.write(&f, &text));
        synced = synced.min(begin.elapsed().as_secs_f64() * 1e9);
    }
    best.push(synced);
    let rows = rows
        .iter()
        .map(|(group, name, _)| (*group, *name))
        .chain([("write atomically, synced", "slurp")]);
    if !tsv {
        println!("{size} bytes");
    }
    for ((group, name), nanoseconds) in rows.zip(best) {
        if tsv {
            println!("{size}\t{group}\t{name}\t{nanoseconds:.0}");
        } else {
            println!("  {group:26} {name:24} {:10.2} us", nanoseconds / 1e3);
        }
    }
    Ok(())
}
