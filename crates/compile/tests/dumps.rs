//! `dumps.txt`: small programs and their bytecode.
//!
//! After an intended change, `RIVERHAWK_UPDATE=1 cargo test -p riverhawk-compile --test dumps`
//! rewrites the file; review the difference.

use riverhawk_bytecode::{Unit, dump::dump, verify};
use std::path::PathBuf;

struct Row<'t> {
    promise: &'t str,
    program: &'t str,
    bytecode: &'t str,
}

fn table() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/dumps.txt")
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let row = |row| {
        let (promise, rest) = str::split_once(row, '\n').expect("a promise ends its line");
        let (program, bytecode) =
            rest.split_once("\n--\n").expect("`--` stands between program and bytecode");
        Row { promise, program, bytecode: bytecode.trim_end() }
    };
    text.split("\n## ").skip(1).map(row).collect()
}

fn compiled(text: &str) -> Unit {
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("row", text.as_bytes().to_vec()).expect("a short program");
    let parsed = riverhawk_syntax::parse(&sources);
    let program = parsed.program.unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics));
    riverhawk_compile::compile(&program).expect("it is small enough")
}

#[test]
fn each_program_compiles_to_the_bytecode_beside_it() {
    let text = std::fs::read_to_string(table()).expect("the table is in the repository");
    let (opening, _) = text.split_once("\n## ").expect("the table has rows");
    let mut renewed = opening.to_owned();
    let mut wrong = String::new();
    for Row { promise, program, bytecode } in rows(&text) {
        let unit = compiled(program);
        verify(&unit).unwrap_or_else(|error| panic!("{program}: {error}"));
        let found = dump(&unit);
        let found = found.trim_end();
        if found != bytecode {
            wrong.push_str(&format!(
                "\n## {promise}\n{program}\n-- expected\n{bytecode}\n-- found\n{found}\n"
            ));
        }
        renewed.push_str(&format!("\n## {promise}\n{program}\n--\n{found}\n"));
    }
    if std::env::var_os("RIVERHAWK_UPDATE").is_some() {
        std::fs::write(table(), renewed).expect("the table can be written");
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
}

#[test]
fn deep_trees_have_room() {
    let sum = format!("{}1", "1 + ".repeat(100_000));
    let nested = format!("a{}", "[1]".repeat(20_000));
    compiled(&format!("{{ a[k] = a[k] ({sum}) }}"));
    compiled(&format!("{{ a[{sum}] = a[{sum}] k }}"));
    compiled(&format!("{{ {nested} = {nested} k }}"));
}
