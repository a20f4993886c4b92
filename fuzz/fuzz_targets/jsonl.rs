//! Any bytes are lines of JSON or are refused, as by another reader of JSON, through every window;
//! and an assigned value is in its place in valid JSON.
//!
//! Input: one byte for the window, one for the path, the text.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_engine::{
    CompileOptions, Compiled, Config, InputConfig, JsonForm, MachineConfig, Source, TableFormat,
    Tables, compile,
};
use riverhawk_fuzz::Streams;
use serde_json::Value;
use serde_json::value::RawValue;
use std::cell::RefCell;

/// Paths that occur in texts of a few bytes.
const PATHS: [(&str, &str); 5] =
    [("a", "/a"), ("a.b", "/a/b"), ("[0]", "/0"), ("a[1]", "/a/1"), ("b[0].a", "/b/0/a")];

struct Programs {
    streams: Streams,
    show: Compiled,
    set: Vec<Compiled>,
}

thread_local! {
    static PROGRAMS: RefCell<Programs> = RefCell::new(Programs {
        streams: Streams::take_over().expect("files in memory"),
        show: program("{ n = NF; for (i = 1; i <= n; i++) printf \"%s=%s;\", FIELDS[i], $i; print }"),
        set: PATHS.iter().map(|(path, _)| program(&format!("NF {{ @\"{path}\" = \"new\"; print }}"))).collect(),
    });
}

fn program(text: &str) -> Compiled {
    let options = CompileOptions { characters_as_bytes: false, ..CompileOptions::default() };
    compile(vec![Source::new("program", text)], &options).unwrap_or_else(|_| panic!("{text}"))
}

fn run(
    streams: &mut Streams,
    program: &Compiled,
    text: &[u8],
    window_size: usize,
) -> (u8, Vec<String>, Vec<u8>) {
    let tables = Tables { input: Some(TableFormat::Json(JsonForm::Lines)), ..Tables::default() };
    let input = InputConfig { window_size, decompress: None, ..InputConfig::default() };
    let machine = MachineConfig { input, tables, ..MachineConfig::default() };
    let config = Config { machine, ..Config::default() };
    let (outcome, output) = streams.around(text, || program.run(config)).expect("files in memory");
    (outcome.status, outcome.errors.into_iter().map(|error| error.message).collect(), output)
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let [window, path, text @ ..] = input else { return };
    if text.len() > 2_000 {
        return;
    }
    let path = usize::from(*path) % PATHS.len();
    PROGRAMS.with_borrow_mut(|Programs { streams, show, set }| {
        let whole = run(streams, show, text, InputConfig::WINDOW_SIZE);
        assert_eq!(whole, run(streams, show, text, usize::from(*window) + 1));
        let lines = || text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n');
        // The other reader needs UTF-8, and its recursion limits nesting.
        let comparable = std::str::from_utf8(text).is_ok()
            && text.iter().filter(|byte| b"[{".contains(byte)).count() < 100;
        if comparable {
            let is_json = |line: &[u8]| {
                line.iter().all(|byte| b" \t\r".contains(byte))
                    || serde_json::from_slice::<&RawValue>(line).is_ok()
            };
            assert_eq!(whole.0 == 0, text.is_empty() || lines().all(is_json), "{:?}", whole.1);
        }
        let (status, _, output) = run(streams, &set[path], text, usize::from(*window) + 1);
        if status == 0 {
            let printed =
                output.strip_suffix(b"\n").unwrap_or(&output).split(|&byte| byte == b'\n');
            for line in printed.filter(|line| !line.is_empty()) {
                // Numbers past the range of a double, lone surrogates: JSON by its grammar, without
                // a value.
                let Ok(value) = serde_json::from_slice::<Value>(line) else { continue };
                assert_eq!(
                    value.pointer(PATHS[path].1),
                    Some(&Value::from("new")),
                    "{}",
                    String::from_utf8_lossy(line)
                );
            }
        }
    });
});
