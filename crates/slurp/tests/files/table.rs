//! Functions x options x kinds of file x error modes against a naive model.

use crate::scratch::Scratch;
use riverhawk_slurp::{
    Durability, Error, ErrorKind, ErrorMode, Lock, Operation, ReadDir, Settle, Slurp, Spew,
    TEMPORARY_PREFIX,
};
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Read,
    ReadInto,
    ReadLines,
    Write,
    WriteWith,
    Append,
    Prepend,
    Edit,
    EditLines,
    ReadDir,
}

use Function as F;

const FUNCTIONS: [Function; 10] = [
    F::Read,
    F::ReadInto,
    F::ReadLines,
    F::Write,
    F::WriteWith,
    F::Append,
    F::Prepend,
    F::Edit,
    F::EditLines,
    F::ReadDir,
];

impl Function {
    fn operation(self) -> Operation {
        match self {
            F::Read | F::ReadInto | F::ReadLines => Operation::Read,
            F::Write | F::WriteWith => Operation::Write,
            F::Append => Operation::Append,
            F::Prepend => Operation::Prepend,
            F::Edit => Operation::Edit,
            F::EditLines => Operation::EditLines,
            F::ReadDir => Operation::ReadDir,
        }
    }

    fn writes(self) -> bool {
        !matches!(self, F::Read | F::ReadInto | F::ReadLines | F::ReadDir)
    }

    /// Reads the file before writing, by default atomically.
    fn edits(self) -> bool {
        matches!(self, F::Prepend | F::Edit | F::EditLines)
    }
}

/// Options for how, and three for what (`no_clobber`, `create`, `atomic`).
#[derive(Debug, Clone, Copy, Default)]
struct Options {
    block_size: Option<usize>,
    atomic: Option<bool>,
    create: Option<bool>,
    no_clobber: bool,
    lock: Lock,
    durability: Durability,
    rewrite_unchanged: bool,
}

impl Options {
    fn table() -> Vec<Self> {
        let mut table = vec![
            Self::default(),
            Self { block_size: Some(1), ..Self::default() },
            Self { block_size: Some(4096), durability: Durability::File, ..Self::default() },
            Self { create: Some(false), ..Self::default() },
            Self { create: Some(true), ..Self::default() },
            Self { lock: Lock::Exclusive, ..Self::default() },
            Self { lock: Lock::Shared, rewrite_unchanged: true, ..Self::default() },
        ];
        for atomic in [false, true] {
            let atomic = Some(atomic);
            table.extend([
                Self { atomic, ..Self::default() },
                Self { atomic, create: Some(true), lock: Lock::Exclusive, ..Self::default() },
                Self { atomic, create: Some(false), block_size: Some(7), ..Self::default() },
                Self { atomic, no_clobber: true, ..Self::default() },
                Self {
                    atomic,
                    durability: Durability::FileAndDirectory,
                    rewrite_unchanged: true,
                    ..Self::default()
                },
            ]);
        }
        table
    }

    fn slurp(self) -> Slurp {
        let mut slurp = Slurp::new().lock(self.lock);
        if let Some(size) = self.block_size.and_then(NonZeroUsize::new) {
            slurp = slurp.block_size(size);
        }
        slurp
    }

    fn spew(self) -> Spew {
        let mut spew = match self.atomic {
            None => Spew::new(),
            Some(true) => Spew::new().atomic(),
            Some(false) => Spew::new().in_place(),
        };
        spew = match self.create {
            None => spew,
            Some(true) => spew.create(),
            Some(false) => spew.only_existing(),
        };
        spew = if self.no_clobber { spew.no_clobber() } else { spew };
        spew = if self.rewrite_unchanged { spew.write_unchanged() } else { spew };
        spew = spew.lock(self.lock).sync(self.durability);
        if let Some(size) = self.block_size.and_then(NonZeroUsize::new) {
            spew = spew.block_size(size);
        }
        spew
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Missing,
    MissingDirectory,
    Directory,
    BelowAFile,
    DanglingLink,
    LinkCircle,
    /// A regular file with this content, reached directly or through a link.
    File(usize),
    LinkToFile(usize),
}

fn content(number: usize) -> Vec<u8> {
    match number {
        0 => Vec::new(),
        1 => b"one line\n".to_vec(),
        2 => b"no final\nnewline".to_vec(),
        3 => b"dos\r\nlines\r\n".to_vec(),
        4 => b"nul\0\0bytes\n\0".to_vec(),
        5 => b"\n\nparagraph\none\n\n\n\nparagraph two\n".to_vec(),
        6 => (0..1 << 20).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect(),
        _ => b"\xff\xfe not UTF-8 \xc3".to_vec(),
    }
}

const CONTENTS: std::ops::Range<usize> = 0..8;
const ADDED: &[u8] = b"added\n";

fn kinds() -> impl Iterator<Item = Kind> {
    use Kind as K;
    [K::Missing, K::MissingDirectory, K::Directory, K::BelowAFile, K::DanglingLink, K::LinkCircle]
        .into_iter()
        .chain(CONTENTS.map(K::File))
        .chain([K::LinkToFile(2)])
}

/// Makes the file; gives the path to use and the file's own path.
fn set_up(kind: Kind, scratch: &Scratch) -> (PathBuf, PathBuf) {
    let link = |to: &str| {
        let path = scratch.join("link");
        std::os::unix::fs::symlink(to, &path).unwrap();
        path
    };
    match kind {
        Kind::Missing => (scratch.join("file"), scratch.join("file")),
        Kind::MissingDirectory => (scratch.join("nowhere/file"), scratch.join("nowhere/file")),
        Kind::Directory => (scratch.path().to_owned(), scratch.path().to_owned()),
        Kind::BelowAFile => {
            scratch.file("plain", "");
            (scratch.join("plain/file"), scratch.join("plain/file"))
        }
        Kind::DanglingLink => (link("file"), scratch.join("file")),
        Kind::LinkCircle => {
            let path = link("link");
            (path.clone(), path)
        }
        Kind::File(number) => {
            let path = scratch.file("file", content(number));
            (path.clone(), path)
        }
        Kind::LinkToFile(number) => {
            let file = scratch.file("file", content(number));
            (link("file"), file)
        }
    }
}

/// The expected content (`None`: no file), or the possible kinds of the error.
fn model(function: Function, options: Options, kind: Kind) -> Result<Option<Vec<u8>>, ErrorKind> {
    let creates = options.create.unwrap_or(!function.edits()) || options.no_clobber;
    let old = match kind {
        Kind::MissingDirectory => return Err(ErrorKind::NotFound),
        Kind::BelowAFile => return Err(ErrorKind::NotADirectory),
        Kind::Directory if function == F::ReadDir => return Ok(None),
        Kind::Directory | Kind::LinkCircle | Kind::DanglingLink
            if function.writes() && options.no_clobber =>
        {
            return Err(ErrorKind::AlreadyExists);
        }
        Kind::LinkCircle => return Err(ErrorKind::LinkLoop),
        Kind::Directory => return Err(ErrorKind::IsADirectory),
        Kind::Missing | Kind::DanglingLink if function.writes() && creates => Vec::new(),
        Kind::Missing | Kind::DanglingLink => return Err(ErrorKind::NotFound),
        Kind::File(_) | Kind::LinkToFile(_) if function == F::ReadDir => {
            return Err(ErrorKind::NotADirectory);
        }
        Kind::File(_) | Kind::LinkToFile(_) if function.writes() && options.no_clobber => {
            return Err(ErrorKind::AlreadyExists);
        }
        Kind::File(number) | Kind::LinkToFile(number) => content(number),
    };
    Ok(Some(match function {
        F::Read | F::ReadInto | F::ReadLines | F::ReadDir => old,
        F::Write | F::WriteWith => ADDED.to_vec(),
        F::Append => [&old, ADDED].concat(),
        F::Prepend => [ADDED, &old].concat(),
        F::Edit => old.iter().rev().copied().collect(),
        // Doubles every line.
        F::EditLines => {
            old.split_inclusive(|&byte| byte == b'\n').flat_map(|line| line.repeat(2)).collect()
        }
    }))
}

/// With what was read, if it reads.
type Outcome = Result<Option<Vec<u8>>, Error>;

fn run(
    function: Function,
    options: Options,
    mode: ErrorMode,
    warnings: &Warnings,
    path: &Path,
) -> Outcome {
    let hook = {
        let warnings = Arc::clone(warnings);
        move |error: &Error| warnings.lock().unwrap().push(error.to_string())
    };
    // Not called in the two other modes.
    let slurp = options.slurp().warn_with(hook.clone()).errors(mode);
    let spew = options.spew().warn_with(hook.clone()).errors(mode);
    match function {
        F::Read => slurp.read(path).map(Some),
        F::ReadInto => {
            let mut buffer = b"left over".to_vec();
            let result = slurp.read_into(path, &mut buffer);
            match &result {
                Ok(length) => assert_eq!(*length, buffer.len()),
                Err(_) => assert!(buffer.is_empty()),
            }
            result.map(|_| Some(buffer))
        }
        F::ReadLines => {
            slurp.keep_separators().read_lines(path).map(|lines| Some(lines.to_vec().concat()))
        }
        F::Write => spew.write(path, ADDED).map(|()| None),
        F::WriteWith => spew
            .write_with(path, |out| {
                let (head, tail) = ADDED.split_at(2);
                out.write_all(head)?;
                out.flush()?;
                out.write_all(tail)
            })
            .map(|()| None),
        F::Append => spew.append(path, ADDED).map(|()| None),
        F::Prepend => spew.prepend(path, ADDED).map(|()| None),
        F::Edit => spew.edit(path, |text| text.reverse()).map(|_| None),
        F::EditLines => spew.edit_lines(path, |line| line.extend_from_within(..)).map(|_| None),
        F::ReadDir => ReadDir::new().warn_with(hook).errors(mode).read(path).map(|_| None),
    }
}

type Warnings = Arc<Mutex<Vec<String>>>;

fn check(function: Function, options: Options, kind: Kind, mode: ErrorMode) {
    let context = format!("{function:?} {kind:?} {mode:?} {options:?}");
    let scratch = Scratch::new();
    let (path, file) = set_up(kind, &scratch);
    let names_before = scratch.names();
    let content_before = std::fs::read(&file).ok();
    let inode_before = inode(&file);
    let warnings = Warnings::default();

    let outcome = run(function, options, mode, &warnings, &path);
    let warnings = warnings.lock().unwrap().clone();
    let content_after = std::fs::read(&file).ok();
    match (model(function, options, kind), &outcome) {
        (Ok(expected), Ok(read)) => {
            assert!(warnings.is_empty(), "{context}: {warnings:?}");
            if function.writes() {
                assert_eq!(content_after, expected, "{context}");
            } else {
                assert_eq!(content_after, content_before, "{context}");
                assert_eq!(*read, expected, "{context}");
            }
            let atomic = options.atomic.unwrap_or(function.edits());
            if let (Some(before), true) = (inode_before, function.writes()) {
                let unchanged = content_before == content_after
                    && function.edits()
                    && !options.rewrite_unchanged;
                assert_eq!(inode(&file) == Some(before), !atomic || unchanged, "{context}: inode");
            }
        }
        (Err(expected), Err(error)) => {
            assert_eq!(error.kind(), expected, "{context}: {error}");
            assert_eq!(error.path(), path, "{context}");
            assert_eq!(error.operation(), function.operation(), "{context}");
            assert!(error.to_string().contains(&*path.to_string_lossy()), "{context}: {error}");
            let expected_warnings =
                if mode == ErrorMode::Warn { vec![error.to_string()] } else { Vec::new() };
            assert_eq!(warnings, expected_warnings, "{context}");
            assert_eq!(content_after, content_before, "{context}: a failed call changed the file");
            assert_eq!(
                scratch.names(),
                names_before,
                "{context}: a failed call left something behind"
            );
        }
        (expected, got) => panic!("{context}: expected {expected:?}, got {got:?}"),
    }
    for name in scratch.names() {
        assert!(
            !name.as_bytes().starts_with(TEMPORARY_PREFIX.as_bytes()),
            "{context}: left {name:?}"
        );
    }
    let failed = outcome.is_err();
    match outcome.settle() {
        Ok(settled) => {
            assert_eq!(settled.is_none(), failed, "{context}: a failure is never an empty file")
        }
        Err(_) => assert_eq!(mode, ErrorMode::Raise, "{context}"),
    }
}

fn inode(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|metadata| metadata.ino())
}

#[test]
fn every_function_with_every_option_on_every_kind_of_file_does_what_the_model_says() {
    for function in FUNCTIONS {
        for options in Options::table() {
            for kind in kinds() {
                // A million system calls.
                if options.block_size.is_some_and(|size| size < 100) && kind == Kind::File(6) {
                    continue;
                }
                check(function, options, kind, ErrorMode::Raise);
            }
        }
    }
}

#[test]
fn every_function_treats_errors_as_its_mode_says() {
    for mode in [ErrorMode::Raise, ErrorMode::Warn, ErrorMode::Return] {
        for function in FUNCTIONS {
            for kind in kinds().filter(|kind| *kind != Kind::File(6)) {
                check(function, Options::default(), kind, mode);
                check(
                    function,
                    Options { atomic: Some(true), no_clobber: true, ..Options::default() },
                    kind,
                    mode,
                );
            }
        }
    }
}
