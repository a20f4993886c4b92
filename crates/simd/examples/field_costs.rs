//! Times of the field kernels and of simple loops: `cargo run --release -p riverhawk-simd --example
//! field_costs`.
//!
//! Records of 52 bytes with 8 fields and of 180 bytes with 12; best of 20 rounds.

use std::hint::black_box;
use std::time::Instant;

type Fields = Vec<(u32, u32)>;

fn main() {
    let short: Vec<String> = (0..20_000)
        .map(|i| format!("{i:07} alpha{} bb 12.5 gamma {} delta x y{}", i % 97, i % 1000, i % 7))
        .collect();
    let long: Vec<String> = (0..10_000)
        .map(|i| format!("10.0.{}.{} - - [12/Nov/2026:10:{:02}:00 +0000] \"GET /path/to/page{i}.html HTTP/1.1\" 200 {} \"http://example.org/some/referrer\" \"Agent/5.0 (X11; Linux x86_64)\"", i % 256, i % 199, i % 60, i * 7))
        .collect();
    for (name, lines) in [("short", &short), ("long", &long)] {
        let total: usize = lines.iter().map(String::len).sum();
        println!("{name}: {} bytes a record", total / lines.len());
        for max in [1, 2, 3, 5, usize::MAX] {
            let shown = if max == usize::MAX { "all".to_string() } else { max.to_string() };
            measure(&format!("{shown:>3} fields, blanks: kernel"), lines, |text, out| {
                riverhawk_simd::split_blanks(text, 0, max, out);
            });
            measure(&format!("{shown:>3} fields, blanks: loop"), lines, |text, out| {
                riverhawk_simd::naive::split_blanks(text, 0, max, out);
            });
            measure(&format!("{shown:>3} fields, byte: kernel"), lines, |text, out| {
                riverhawk_simd::split_byte(text, b' ', 0, max, out);
            });
            measure(&format!("{shown:>3} fields, byte: memchr"), lines, |text, out| {
                split_memchr(text, max, out)
            });
        }
        measure("count of fields: kernel", lines, |text, out| {
            out.push((riverhawk_simd::count_blank_fields(text) as u32, 0));
        });
        measure("count of code points: kernel", lines, |text, out| {
            out.push((riverhawk_simd::count_code_points(text) as u32, 0));
        });
        measure("is ASCII: kernel", lines, |text, out| {
            out.push((u32::from(riverhawk_simd::is_ascii(text)), 0))
        });
        measure("nothing", lines, |_, out| out.push((0, 0)));
    }
}

fn split_memchr(text: &[u8], max: usize, out: &mut Fields) {
    let mut start = 0;
    for _ in 0..max {
        let Some(length) = memchr::memchr(b' ', &text[start..]) else {
            out.push((start as u32, text.len() as u32));
            return;
        };
        out.push((start as u32, (start + length) as u32));
        start += length + 1;
    }
}

fn measure(name: &str, lines: &[String], mut split: impl FnMut(&[u8], &mut Fields)) {
    let mut fields = Fields::new();
    let best = (0..20)
        .map(|_| {
            let start = Instant::now();
            for line in lines {
                fields.clear();
                split(black_box(line.as_bytes()), &mut fields);
                black_box(&fields);
            }
            start.elapsed()
        })
        .min()
        .unwrap_or_default();
    println!("  {name:<32} {:>7.2} ns", best.as_nanos() as f64 / lines.len() as f64);
}
