//! Rows against a naive reader, and against csv-core.

use super::TableFormat;
use crate::record::{Joining, Record, TextKind};
use crate::splitter::Splitter;
use proptest::prelude::*;
use riverhawk_stream::{Records, ScriptedSource, Step};
use riverhawk_value::Value;
use riverhawk_value::format::{Format, FormatRules};

type Row = Vec<Vec<u8>>;

/// A newline after an even number of quotes ends a row; a CR before it is dropped. A quoted field
/// ends with a quote before a comma or the row's end, two are one, CR LF is LF. An empty line has
/// no fields.
fn rows_by_the_rules(text: &[u8]) -> Vec<Row> {
    let (mut rows, mut begin, mut inside) = (Vec::new(), 0, false);
    for at in 0..=text.len() {
        let byte = text.get(at).copied();
        inside ^= byte == Some(b'"');
        if byte.is_some() && (byte != Some(b'\n') || inside) || byte.is_none() && begin == at {
            continue;
        }
        let line = &text[begin..at];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        begin = at + 1;
        if byte.is_some() || !line.is_empty() {
            rows.push(fields_by_the_rules(line));
        }
    }
    rows
}

fn fields_by_the_rules(line: &[u8]) -> Row {
    let (mut row, mut at) = (Row::new(), 0);
    while !line.is_empty() {
        let mut field = Vec::new();
        if line.get(at) == Some(&b'"') {
            at += 1;
            while at < line.len() {
                let pair = (line[at], line.get(at + 1).copied());
                at += 1;
                match pair {
                    (b'"', Some(b'"')) => {
                        field.push(b'"');
                        at += 1;
                    }
                    (b'"', None | Some(b',')) => break,
                    (b'\r', Some(b'\n')) => {}
                    (byte, _) => field.push(byte),
                }
            }
        } else {
            let rest = &line[at..];
            field.extend(rest.iter().take_while(|&&byte| byte != b','));
            at += field.len();
        }
        row.push(field);
        if at >= line.len() {
            break;
        }
        at += 1;
    }
    row
}

/// Finds fields up to `first` before the rest.
fn rows_as_read(text: &[u8], window: usize, chunk: usize, first: usize) -> Vec<Row> {
    let format = TableFormat::CSV;
    let mut records = Records::with_window(ScriptedSource::chunked(text, chunk), window);
    records.set_separator(format.record_separator());
    let mut record = Record::new(Splitter::Row(format));
    let mut rows = Vec::new();
    loop {
        let range = match records.next_buffered() {
            Step::Record(range) => range,
            Step::NeedMore => {
                records.refill().unwrap();
                continue;
            }
            Step::End => return rows,
        };
        record.set_text(records.text(&range), TextKind::Input);
        for n in 1..=first {
            record.field(n);
        }
        let count = record.count();
        rows.push((1..=count).map(|n| bytes_of(&record.field(n), record.text())).collect());
    }
}

fn bytes_of(value: &Value, record: &[u8]) -> Vec<u8> {
    value.bytes(record).unwrap_or_default().to_vec()
}

/// csv-core handles neither empty lines nor CR LF in quotes.
fn rows_of_csv_core(text: &[u8]) -> Vec<Row> {
    let mut reader =
        csv_core::ReaderBuilder::new().terminator(csv_core::Terminator::Any(b'\n')).build();
    let (mut rows, mut at) = (Vec::new(), 0);
    let (mut row, mut field): (Row, Vec<u8>) = (Vec::new(), Vec::new());
    loop {
        let mut out = [0; 64];
        let (result, read, written) = reader.read_field(&text[at..], &mut out);
        at += read;
        field.extend_from_slice(&out[..written]);
        match result {
            csv_core::ReadFieldResult::Field { record_end } => {
                row.push(std::mem::take(&mut field));
                if record_end {
                    rows.push(std::mem::take(&mut row));
                }
            }
            csv_core::ReadFieldResult::End => return rows,
            csv_core::ReadFieldResult::InputEmpty | csv_core::ReadFieldResult::OutputFull => {}
        }
    }
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let odd = proptest::collection::vec(
        proptest::sample::select(&b"\"\"\"\",,,\n\nab \r\r\xC3"[..]),
        0..120,
    );
    prop_oneof![odd, proper_text()]
}

fn proper_text() -> impl Strategy<Value = Vec<u8>> {
    let field = proptest::collection::vec(proptest::sample::select(&b"\",\nab\r"[..]), 0..20);
    proptest::collection::vec((field, 0..4u8), 0..20).prop_map(|fields| {
        let mut text = Vec::new();
        for (field, end) in fields {
            TableFormat::CSV.write_field(&field, &mut text);
            text.extend_from_slice([&b","[..], b",", b"\n", b"\r\n"][usize::from(end)]);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, max_shrink_iters: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn rows_equal_those_of_the_rules_however_they_are_read(
        text in text(),
        window in 1usize..100,
        chunk in 1usize..100,
        first in 0usize..4,
    ) {
        prop_assert_eq!(rows_as_read(&text, window, chunk, first), rows_by_the_rules(&text));
    }

    #[test]
    fn rows_equal_those_of_csv_core_where_its_rules_are_the_same(text in proper_text()) {
        let text: Vec<u8> = text.into_iter().filter(|&byte| byte != b'\r').collect();
        let rows: Vec<Row> = rows_by_the_rules(&text).into_iter().filter(|row| !row.is_empty()).collect();
        prop_assert_eq!(rows_of_csv_core(&text), rows);
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(fields in proptest::collection::vec("[ab,;\"\\\\\t\n\r]{0,8}", 1..6)) {
        for format in [TableFormat::CSV, TableFormat::Csv { separator: b';' }, TableFormat::Tsv] {
            let mut row = Vec::new();
            for (at, field) in fields.iter().enumerate() {
                if at > 0 {
                    row.push(format.separator());
                }
                format.write_field(field.as_bytes(), &mut row);
            }
            format.end_row(fields.len(), 0, &mut row);
            let mut record = Record::new(Splitter::Row(format));
            record.set_text(&row, TextKind::Input);
            // CR LF in quotes is read as LF.
            let lost = matches!(format, TableFormat::Csv { .. });
            let expected = fields.iter().map(|field| if lost { field.replace("\r\n", "\n") } else { field.clone() });
            let count = record.count();
            let found: Vec<Vec<u8>> = (1..=count).map(|n| bytes_of(&record.field(n), record.text())).collect();
            let expected: Vec<Vec<u8>> = expected.map(String::into_bytes).collect();
            // In TSV one empty field looks like an empty row.
            let none = format == TableFormat::Tsv && expected == [Vec::<u8>::new()];
            prop_assert_eq!(found, if none { Vec::new() } else { expected });
        }
    }

    #[test]
    fn assigning_a_field_keeps_every_byte_of_the_others(text in text(), n in 1usize..4, value in "[ab,\"]{0,4}") {
        let text: Vec<u8> = text.into_iter().filter(|&byte| byte != b'\n').collect();
        let convfmt = Format::for_numbers(FormatRules::Gawk, b"%.6g").unwrap();
        let mut record = Record::new(Splitter::Row(TableFormat::CSV));
        record.set_text(&text, TextKind::Input);
        let before: Vec<Vec<u8>> = (1..=record.count()).map(|at| bytes_of(&record.field(at), record.text())).collect();
        record.set_field(n, Value::from_text(value.as_bytes()));
        let joining = || Joining { separator: b"", convfmt: &convfmt, row: Some(TableFormat::CSV) };
        let whole = record.whole(joining());
        let joined = bytes_of(&whole, record.text());
        // Values are unchanged, also those read before joining.
        for (at, field) in before.iter().enumerate().filter(|&(at, _)| at + 1 != n) {
            prop_assert_eq!(&bytes_of(&record.field(at + 1), record.text()), field);
        }
        prop_assert_eq!(bytes_of(&record.field(n), record.text()), value.as_bytes());
        // An unclosed quote would take the rest.
        let mut end = Vec::new();
        TableFormat::CSV.write_field(value.as_bytes(), &mut end);
        let mut ranges = Vec::new();
        TableFormat::CSV.split(&text, 0, usize::MAX, &mut ranges);
        if n <= before.len() && riverhawk_simd::naive::split_quoted(&text, super::quoting(b','), 0, usize::MAX, &mut Vec::new()).is_literal {
            let (start, stop) = TableFormat::CSV.whole_field(&text, ranges[n - 1]);
            let mut expected = [&text[..start], &end[..], &text[stop..]].concat();
            if expected.is_empty() {
                expected = b"\"\"".to_vec();
            }
            prop_assert_eq!(joined, expected);
        }
    }
}
