//! Any bytes are rows of CSV: the same through every window, and equal to a naive reader's; and
//! written rows are read back unchanged.
//!
//! Input: one byte of options, the text.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_engine::{
    CompileOptions, Compiled, Config, InputConfig, MachineConfig, OutputFormat, Source,
    TableFormat, Tables, compile,
};
use riverhawk_fuzz::{Streams, naive_csv, naive_tsv};
use std::cell::RefCell;

/// Each field after its length.
const SHOW: &str =
    "{ printf \"%d;\", NF; for (i = 1; i <= NF; i++) printf \"%d:%s\", length($i), $i }";

/// From the last field on, so that fields are not found one by one.
const SHOW_BACKWARDS: &str = "{ n = NF; for (i = n; i > 0; i--) f[i] = $i; printf \"%d;\", n; for (i = 1; i <= n; i++) printf \"%d:%s\", length(f[i]), f[i] }";

/// Assigns one field and keeps the others.
const EDIT: &str = "NF { $2 = \"x,\\\"y\\\"\\n\"; print }";

struct Programs {
    streams: Streams,
    show: Compiled,
    show_backwards: Compiled,
    edit: Compiled,
    pass: Compiled,
}

thread_local! {
    static PROGRAMS: RefCell<Programs> = RefCell::new(Programs {
        streams: Streams::take_over().expect("files in memory"),
        show: program(SHOW),
        show_backwards: program(SHOW_BACKWARDS),
        edit: program(EDIT),
        pass: program("NF"),
    });
}

fn program(text: &str) -> Compiled {
    let options = CompileOptions { characters_as_bytes: true, ..CompileOptions::default() };
    compile(vec![Source::new("program", text)], &options).unwrap_or_else(|_| panic!("{text}"))
}

fn run(
    streams: &mut Streams,
    program: &Compiled,
    text: &[u8],
    tables: Tables,
    window_size: usize,
) -> Vec<u8> {
    let input = InputConfig { window_size, decompress: None, ..InputConfig::default() };
    let machine = MachineConfig { input, tables, ..MachineConfig::default() };
    let config = Config { machine, ..Config::default() };
    let (outcome, output) = streams.around(text, || program.run(config)).expect("files in memory");
    assert_eq!(outcome.status, 0);
    output
}

fn shown(rows: &[Vec<Vec<u8>>]) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        out.extend(format!("{};", row.len()).into_bytes());
        for field in row {
            out.extend(format!("{}:", field.len()).into_bytes());
            out.extend(field);
        }
    }
    out
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let Some((&flags, text)) = input.split_first() else { return };
    if text.len() > 2_000 {
        return;
    }
    let separator = [b',', b';', b'\t', b' '][usize::from(flags & 3)];
    let window = usize::from(flags >> 2) + 1;
    let csv = TableFormat::Csv { separator };
    let read = Tables { input: Some(csv), ..Tables::default() };
    let write = |output| Tables { output: Some(OutputFormat::Rows(output)), ..read };
    PROGRAMS.with_borrow_mut(|Programs { streams, show, show_backwards, edit, pass }| {
        let mut rows = naive_csv(text, separator);
        assert_eq!(run(streams, show, text, read, InputConfig::WINDOW_SIZE), shown(&rows));
        assert_eq!(run(streams, show_backwards, text, read, window), shown(&rows));

        rows.retain(|row| !row.is_empty());
        let as_tsv = run(streams, pass, text, write(TableFormat::Tsv), window);
        // A row of one empty field is an empty line, which in TSV is the same as none.
        let lone = |row: &Vec<Vec<u8>>| {
            if row.iter().all(Vec::is_empty) && row.len() == 1 { Vec::new() } else { row.clone() }
        };
        let plain: Vec<_> = rows.iter().map(lone).collect();
        if !rows.is_empty() {
            assert_eq!(shown(&naive_tsv(&as_tsv)), shown(&plain));
        }

        // A last row without a line end keeps its bytes, and gets a line end: it changes if a quote
        // is open.
        let mut ended = naive_csv(&[text, b"\n"].concat(), separator);
        ended.retain(|row| !row.is_empty());
        // Also if it ends in two carriage returns.
        if shown(&ended) != shown(&rows) || text.windows(2).any(|two| two == b"\r\r") {
            return;
        }
        let edited = run(streams, edit, text, write(csv), window);
        for row in &mut rows {
            row.resize(row.len().max(2), Vec::new());
            row[1] = b"x,\"y\"\n".to_vec();
        }
        assert_eq!(shown(&naive_csv(&edited, separator)), shown(&rows));
    });
});
