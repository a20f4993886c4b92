//! Makes seeds of the fuzz targets from the language corpus: `cargo run --example seed`.
//!
//! A row's program goes to `parser`, program and input to `runs`, `tiers` and `untrusted`, its
//! regular expressions with the input to `regex`, the input to `separators`, and of a table to `csv`
//! and `jsonl`. Files are named after the row, so that a second run overwrites them.

use riverhawk_compress::{Codec, compress};
use riverhawk_fuzz::CUT;
use riverhawk_syntax::ast::{ExprKind, Program};
use riverhawk_syntax::{parse, source::SourceMap};
use riverhawk_tests::load;
use std::fs;
use std::io;
use std::path::Path;

/// The input of rows without one.
const TEXT: &[u8] = b"a bb, ccc: 0x1F -12.5e3 caf\xc3\xa9\n";

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut seeds = 0;
    let mut seed = |target: &str, name: &str, parts: &[&[u8]]| -> io::Result<()> {
        let dir = corpus.join(target);
        fs::create_dir_all(&dir)?;
        seeds += 1;
        fs::write(dir.join(name.replace('/', ".")), parts.concat())
    };
    for row in load::load(&[]).map_err(io::Error::other)?.iter().flat_map(|file| file.rows()) {
        let input = row.input.as_deref().unwrap_or_default();
        let Some(program) = &row.program else { continue };
        let options = u8::from(row.lc_all() == "C");
        seed("parser", &row.id(), &[program])?;
        for target in ["runs", "tiers"] {
            seed(target, &row.id(), &[&[options], program, &[CUT], input])?;
        }
        seed("untrusted", &row.id(), &[program, &[CUT], input])?;
        if !input.is_empty() {
            // Separator, window, chunk, change: the text's length, for variation.
            let length = input.len() as u8;
            seed("separators", &row.id(), &[&[length, length % 7, length % 5, length % 3], input])?;
        }
        let text = if input.is_empty() { TEXT } else { input };
        for (number, regex) in patterns(program).iter().enumerate() {
            seed(
                "regex",
                &format!("{}.{number}", row.id()),
                &[&[options | 4], regex, &[CUT], text],
            )?;
        }
    }
    for (choice, codec) in (0..).zip(Codec::ALL) {
        let whole = compress(codec, &TEXT.repeat(9))?;
        let two = [&whole[..], &compress(codec, b"second\n")?].concat();
        seed("compressed", &format!("{codec}.whole"), &[&[choice, 200, 100], &whole])?;
        seed("compressed", &format!("{codec}.two"), &[&[choice, 3, 250], &two])?;
        seed("compressed", &format!("{codec}.cut"), &[&[choice, 0, 0], &two[..two.len() * 2 / 3]])?;
    }
    // Words by number: see the target's table.
    let lines: [&[u8]; 5] = [
        &[0, 12, 14, 15],
        &[1, 12, 14],
        &[3, 4, 7, 8, 12, 15],
        &[5, 13, 9, 14, 10, 15],
        &[6, 12, 14, 14, 11, 15],
    ];
    for (number, words) in lines.iter().enumerate() {
        let arguments: Vec<&[u8]> = words.iter().map(std::slice::from_ref).collect();
        seed("in_place", &number.to_string(), &[&arguments.join(&CUT)])?;
    }
    println!("{seeds} seeds in {}", corpus.display());
    Ok(())
}

/// Regular expressions, and strings in the places of dynamic ones.
fn patterns(text: &[u8]) -> Vec<Vec<u8>> {
    let mut source = SourceMap::new();
    if source.add("program", text.to_vec()).is_err() {
        return Vec::new();
    }
    let Some(program) = parse(&source).program else { return Vec::new() };
    program.exprs.iter().filter_map(|expression| pattern(&program, &expression.kind)).collect()
}

fn pattern(program: &Program, expression: &ExprKind) -> Option<Vec<u8>> {
    match expression {
        ExprKind::Regex(regex) => Some(regex.clone()),
        ExprKind::Match { regex, .. } => match &program[*regex].kind {
            ExprKind::String(regex) => Some(regex.clone()),
            _ => None,
        },
        _ => None,
    }
}
