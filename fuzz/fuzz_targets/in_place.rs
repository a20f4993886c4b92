//! Command lines that edit in place: the option's forms, and assignments among the operands. A file
//! holds what was printed or is unchanged, and no other file remains.
//!
//! Input: arguments separated by FE. They are words of a small vocabulary by their first byte, or
//! bytes.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_cli::parse::{Invocation, Request, parse};
use riverhawk_engine::{CompileOptions, Compiled, Config, Source, compile};
use riverhawk_fuzz::{CUT, Streams};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Words that the parser accepts.
const WORDS: [&[u8]; 16] = [
    b"--in-place",
    b"--in-place=.old",
    b"--in-place=",
    b"-i",
    b"inplace",
    b"-iinplace",
    b"--include=inplace",
    b"-v",
    b"inplace::suffix=.k",
    b"inplace::enable=0",
    b"inplace::enable=1",
    b"inplace::suffix=",
    b"{ print }",
    b"{ print NR }",
    b"a",
    b"b",
];

const PROGRAM: &str =
    "{ print \"new\", $0 } FNR == stop { exit } FNR == skip { nextfile } FNR == fail { $(-1) }";

struct World {
    streams: Streams,
    program: Compiled,
    folder: PathBuf,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::new(World {
        streams: Streams::take_over().expect("files in memory"),
        program: program(),
        folder: folder(),
    });
}

fn program() -> Compiled {
    let options = CompileOptions { characters_as_bytes: false, ..CompileOptions::default() };
    compile(vec![Source::new("program", PROGRAM)], &options).unwrap_or_else(|_| panic!("a program"))
}

fn folder() -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("riverhawk-fuzz-in-place-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The parser's answer; the last word if it asks for a run.
fn parsed(arguments: &[Vec<u8>]) -> Option<Box<Invocation>> {
    let arguments = arguments.iter().map(|argument| OsString::from_vec(argument.clone()));
    match parse(arguments, |_| None) {
        Ok(Request::Run(invocation)) => Some(invocation),
        Ok(
            Request::Help(_)
            | Request::Library(_)
            | Request::Version
            | Request::Copyright
            | Request::Lsp
            | Request::Dap,
        ) => None,
        Err(error) => {
            assert!(!error.message.is_empty() && error.status > 0);
            None
        }
    }
}

fn contents(folder: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    entries
        .map(|entry| (entry.file_name().into_vec(), fs::read(entry.path()).expect("a file")))
        .collect()
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let word = |piece: &[u8]| match piece {
        [first, ..] if *first < WORDS.len() as u8 => WORDS[usize::from(*first)].to_vec(),
        piece => piece.to_vec(),
    };
    let arguments: Vec<Vec<u8>> = input.split(|&byte| byte == CUT).map(word).collect();
    let Some(invocation) = parsed(&arguments) else { return };
    // Only within the folder: no names with slashes, no standard input.
    let is_inside =
        |operand: &Vec<u8>| matches!(&operand[..], b"a" | b"b") || operand.contains(&b'=');
    let command_line = &invocation.config.machine.command_line;
    let operands = &command_line.operands;
    if !operands.iter().all(is_inside) || operands.len() > 8 {
        return;
    }
    let Some(suffix) = invocation.config.machine.output.in_place.clone() else { return };
    WORLD.with_borrow_mut(|World { streams, program, folder }| {
        for (name, _) in contents(folder) {
            fs::remove_file(folder.join(std::ffi::OsStr::from_bytes(&name))).expect("removed");
        }
        fs::write(folder.join("a"), "one\ntwo\n").expect("written");
        fs::write(folder.join("b"), "three").expect("written");
        let inside = |operand: &Vec<u8>| match &operand[..] {
            b"a" | b"b" => {
                folder.join(std::ffi::OsStr::from_bytes(operand)).into_os_string().into_vec()
            }
            _ => operand.clone(),
        };
        let mut config = Config::default();
        config.machine.command_line.assignments.clone_from(&command_line.assignments);
        config.machine.command_line.operands = operands.iter().map(inside).collect();
        config.machine.output.in_place = Some(suffix.clone());
        streams.around(b"", || program.run(config)).expect("files in memory");
        // Other variables (ORS, RS, ENCODING) can change a line in any way.
        let sets_others = |text: &[u8]| text.contains(&b'=') && !text.starts_with(b"inplace::");
        let is_plain =
            command_line.assignments.is_empty() && !operands.iter().any(|it| sets_others(it));
        for (name, content) in contents(folder) {
            let name = String::from_utf8_lossy(&name);
            assert!(!name.starts_with(".riverhawk-"), "{name} was left");
            let is_line =
                |line: &str| matches!(line.trim_start_matches("new "), "one" | "two" | "three");
            let text = String::from_utf8_lossy(&content);
            assert!(!is_plain || text.lines().all(is_line), "{name}: {text:?}");
        }
    });
});
