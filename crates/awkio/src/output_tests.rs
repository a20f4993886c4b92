use std::path::PathBuf;

use super::*;

/// A test's own directory, removed at its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("riverhawk-io-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        &self.0
    }

    pub(crate) fn name(&self, file: &str) -> Vec<u8> {
        self.0.join(file).into_os_string().into_encoded_bytes()
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Clocked {
    outputs: Outputs,
    clock: u64,
}

impl Clocked {
    fn new() -> Self {
        Self {
            outputs: Outputs::with_writers(Box::new(io::sink()), Box::new(io::sink())),
            clock: 0,
        }
    }

    fn open(&mut self, kind: OutputKind, name: &[u8]) -> Result<&mut Sink, Box<OutputError>> {
        self.clock += 1;
        self.outputs.open(kind, name, self.clock, &ChildEnvironment::default())
    }

    fn print(&mut self, kind: OutputKind, name: &[u8], text: &str) -> Result<(), Box<OutputError>> {
        let sink = self.open(kind, name)?;
        sink.write(text.as_bytes())?;
        sink.end_print()
    }
}

use OutputKind::{Append, File, Pipe};

#[test]
fn file_and_append_of_one_name_share_a_stream() {
    let scratch = Scratch::new("share");
    let mut out = Clocked::new();
    let name = scratch.name("f");
    std::fs::write(scratch.0.join("f"), "old\n").unwrap();
    out.print(File, &name, "1\n").unwrap();
    out.print(Append, &name, "2\n").unwrap();
    out.print(File, &name, "3\n").unwrap();
    assert_eq!(out.outputs.close(&name).unwrap(), CloseStatus::CLOSED);
    assert_eq!(out.outputs.close(&name).unwrap(), CloseStatus::NOT_OPEN);
    assert_eq!(scratch.read("f"), "1\n2\n3\n");
    out.print(Append, &name, "4\n").unwrap();
    out.outputs.close(&name).unwrap();
    assert_eq!(scratch.read("f"), "1\n2\n3\n4\n");
    out.print(File, &name, "5\n").unwrap();
    out.outputs.close(&name).unwrap();
    assert_eq!(scratch.read("f"), "5\n");
}

#[test]
fn close_of_a_command_returns_gawks_number() {
    // Recorded from gawk 5.2.1: `print "x" | c; print close(c)`.
    for (command, status) in
        [("cat >/dev/null; exit 3", 3), ("cat >/dev/null; kill -9 $$", 265), ("cat >/dev/null", 0)]
    {
        let mut out = Clocked::new();
        out.print(Pipe, command.as_bytes(), "x\n").unwrap();
        assert_eq!(
            out.outputs.close(command.as_bytes()).unwrap(),
            CloseStatus(status),
            "{command}"
        );
    }
}

#[test]
fn a_full_device_fails_at_print_flush_and_close_with_its_name() {
    let full = b"/dev/full";
    let is_full = |failure: Box<OutputError>, action| {
        assert_eq!((failure.target, failure.action), (Target::File(full[..].into()), action));
        assert_eq!(failure.source.raw_os_error(), Some(libc::ENOSPC));
    };
    let mut out = Clocked::new();
    let failure = (0..10_000).find_map(|_| out.print(File, full, "twenty bytes of text\n").err());
    is_full(failure.expect("the buffer was filled"), Action::Write);
    assert_eq!(out.outputs.close(full).unwrap(), CloseStatus::CLOSED);
    out.print(File, full, "x\n").unwrap();
    is_full(out.outputs.flush(full).unwrap_err(), Action::Flush);
    out.print(File, full, "x\n").unwrap();
    is_full(out.outputs.flush_all().unwrap_err(), Action::Flush);
    out.print(File, full, "x\n").unwrap();
    is_full(out.outputs.close(full).unwrap_err(), Action::Close);
    assert_eq!(out.outputs.close(full).unwrap(), CloseStatus::NOT_OPEN);
}

#[test]
fn a_command_that_does_not_read_is_a_broken_pipe_with_its_name() {
    let mut out = Clocked::new();
    let failure = (0..100_000)
        .find_map(|_| out.print(Pipe, b"exit 1", "some text for nobody\n").err())
        .unwrap();
    assert!(failure.is_reader_gone());
    assert_eq!(failure.target, Target::Pipe(b"exit 1"[..].into()));
    assert_eq!(out.outputs.close(b"exit 1").unwrap(), CloseStatus(1));
}

#[test]
fn what_cannot_be_opened_says_so() {
    let mut out = Clocked::new();
    for (name, code) in
        [("/no/such/dir/x", libc::ENOENT), ("/", libc::EISDIR), ("/dev/fd/999", libc::ENOENT)]
    {
        let failure = out.open(File, name.as_bytes()).err().unwrap();
        assert_eq!(
            (failure.action, failure.source.raw_os_error()),
            (Action::Open, Some(code)),
            "{name}"
        );
    }
}

#[test]
fn special_names_share_the_standard_streams_and_close_like_gawk() {
    let mut out = Clocked::new();
    for name in [&b"-"[..], b"/dev/stdout", b"/dev/fd/1"] {
        assert_eq!(out.outputs.close(name).unwrap(), CloseStatus::NOT_OPEN);
        out.open(File, name).unwrap().write(b"x").unwrap();
        assert!(out.outputs.stdout().has_pending());
        assert_eq!(out.outputs.close(name).unwrap(), CloseStatus::CLOSED);
        assert!(!out.outputs.stdout().has_pending());
    }
    out.print(File, b"/dev/stderr", "e").unwrap();
    assert!(!out.outputs.stderr().has_pending());
    assert!(out.outputs.flush(b"/dev/stdout").unwrap());
    assert!(!out.outputs.flush(b"/dev/fd/1").unwrap());
}

#[test]
fn a_command_and_a_file_of_one_name_close_youngest_first() {
    let scratch = Scratch::new("youngest");
    let mut out = Clocked::new();
    let name = [b"exec >/dev/null; cat; exit 4 # ", &scratch.name("")[..]].concat();
    out.print(Pipe, &name, "x").unwrap();
    // Invalid as a file name: only the command is open.
    assert!(out.print(File, &name, "x").is_err());
    assert_eq!(out.outputs.close(&name).unwrap(), CloseStatus(4));
    assert_eq!(out.outputs.close(&name).unwrap(), CloseStatus::NOT_OPEN);
}

#[test]
fn parked_files_go_on_at_their_end() {
    let scratch = Scratch::new("park");
    let mut out = Clocked::new();
    let names: Vec<_> = (0..5).map(|n| scratch.name(&n.to_string())).collect();
    for (n, name) in names.iter().enumerate() {
        out.print(File, name, &format!("first {n}\n")).unwrap();
    }
    for _ in 0..5 {
        assert!(out.outputs.park_one());
    }
    assert!(!out.outputs.park_one());
    for (n, name) in names.iter().enumerate().skip(1) {
        out.print(File, name, &format!("second {n}\n")).unwrap();
    }
    for name in &names {
        assert_eq!(out.outputs.close(name).unwrap(), CloseStatus::CLOSED);
    }
    assert_eq!(scratch.read("0"), "first 0\n");
    assert_eq!(scratch.read("4"), "first 4\nsecond 4\n");
}
