//! Times of widening and of `encoding_rs`: `cargo run --release -p riverhawk-simd --example
//! widen_costs`. A million lines of 60 characters, some of them not ASCII, in pieces of 64 KiB;
//! nanoseconds per line.

use riverhawk_simd::{ByteOrder, ByteTable, widen_bytes, widen_utf16};
use std::time::Instant;

const PIECE: usize = 64 * 1024;

fn least(mut run: impl FnMut() -> usize) -> (f64, usize) {
    let (mut best, mut sum) = (f64::MAX, 0);
    for _ in 0..15 {
        let start = Instant::now();
        sum = run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best, sum)
}

fn table(encoding: &'static encoding_rs::Encoding) -> ByteTable {
    ByteTable::new(|byte| {
        let input = [byte];
        let (text, _) = encoding.decode_without_bom_handling(&input);
        text.chars().next().filter(|character| *character != '\u{FFFD}')
    })
}

fn by_crate(encoding: &'static encoding_rs::Encoding, input: &[u8], out: &mut String) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut sum = 0;
    for piece in input.chunks(PIECE) {
        out.clear();
        let _ = decoder.decode_to_string(piece, out, false);
        sum += out.len();
    }
    sum
}

fn main() {
    let lines = 100_000;
    let mut random = 1u64;
    let mut next = |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    println!(
        "{:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "per line", "latin-1", "1252", "rs 1252", "utf-16le", "utf-16be", "rs 16le"
    );
    for per_line in [0, 1, 2, 3, 5, 10, 20, 40, 60] {
        let mut text = String::new();
        for _ in 0..lines {
            let mut line = ['e'; 60];
            if per_line == 60 {
                line = ['ж'; 60];
            } else {
                (0..per_line).for_each(|_| line[next(60)] = 'é');
            }
            text.extend(line);
            text.push('\n');
        }
        let (single, label) = if per_line == 60 {
            (encoding_rs::WINDOWS_1251, "cyrillic")
        } else {
            (encoding_rs::WINDOWS_1252, "")
        };
        let bytes = single.encode(&text).0.into_owned();
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let (latin1, other) = (ByteTable::new(|byte| Some(char::from(byte))), table(single));
        let (mut out, mut string) =
            (Vec::with_capacity(4 * PIECE), String::with_capacity(4 * PIECE));
        let mut row = Vec::new();
        for table in [&latin1, &other] {
            row.push(least(|| {
                bytes
                    .chunks(PIECE)
                    .map(|piece| {
                        out.clear();
                        assert_eq!(widen_bytes(piece, table, &mut out), piece.len());
                        out.len()
                    })
                    .sum()
            }));
        }
        row.push(least(|| by_crate(single, &bytes, &mut string)));
        for (input, order) in [(&little, ByteOrder::Little), (&big, ByteOrder::Big)] {
            row.push(least(|| {
                input
                    .chunks(PIECE)
                    .map(|piece| {
                        out.clear();
                        assert_eq!(widen_utf16(piece, order, &mut out), piece.len());
                        out.len()
                    })
                    .sum()
            }));
        }
        row.push(least(|| by_crate(encoding_rs::UTF_16LE, &little, &mut string)));
        assert!(row[1..].iter().all(|(_, sum)| *sum == text.len()), "{row:?} {}", text.len());
        print!("{per_line:>8}");
        row.iter().for_each(|(seconds, _)| print!(" {:>9.1}", seconds * 1e9 / f64::from(lines)));
        println!("  {label}");
    }
}
