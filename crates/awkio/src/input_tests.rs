use super::*;
use crate::OpenErrorKind;
use crate::output::tests::Scratch;

struct Clocked {
    inputs: Inputs,
    outputs: Outputs,
    clock: u64,
}

impl Clocked {
    fn new() -> Self {
        // A window of one byte: results must not depend on the size of a read.
        let inputs = Inputs::new(1);
        let outputs = Outputs::with_writers(Box::new(std::io::sink()), Box::new(std::io::sink()));
        Self { inputs, outputs, clock: 0 }
    }

    fn open(&mut self, kind: InputKind, name: &[u8]) -> Result<InputId, OpenError> {
        self.clock += 1;
        self.inputs.open(kind, name, self.clock, &mut self.outputs, &ChildEnvironment::default())
    }

    fn getline(&mut self, kind: InputKind, name: &[u8]) -> Option<String> {
        let id = self.open(kind, name).unwrap();
        let (reader, record) = self.inputs.next(id, &mut self.outputs).unwrap()?;
        Some(String::from_utf8(reader.records.text(&record).to_vec()).unwrap())
    }
}

use InputKind::{Command, File as FromFile};

#[test]
fn a_file_stays_open_between_getlines_and_ended_until_closed() {
    let scratch = Scratch::new("input");
    let name = scratch.name("f");
    let path = String::from_utf8(name.clone()).unwrap();
    std::fs::write(&path, "a\nb\n").unwrap();
    let mut input = Clocked::new();
    assert_eq!(input.getline(FromFile, &name).as_deref(), Some("a"));
    assert_eq!(input.getline(FromFile, &name).as_deref(), Some("b"));
    assert_eq!(input.getline(FromFile, &name), None);
    std::fs::write(&path, "a\nb\nc\n").unwrap();
    assert_eq!(input.getline(FromFile, &name), None); // as gawk
    assert_eq!(input.inputs.close(&name), CloseStatus::CLOSED);
    assert_eq!(input.inputs.close(&name), CloseStatus::NOT_OPEN);
    assert_eq!(input.getline(FromFile, &name).as_deref(), Some("a"));
}

#[test]
fn close_of_a_command_returns_gawks_number() {
    // Recorded from gawk 5.2.1: `c | getline; print close(c)`.
    for (command, status) in
        [("exit 5", 5), ("kill -15 $$", 271), ("echo x; exit 3", 3), ("true", 0)]
    {
        let mut input = Clocked::new();
        while input.getline(Command, command.as_bytes()).is_some() {}
        assert_eq!(input.inputs.close(command.as_bytes()), CloseStatus(status), "{command}");
        assert_eq!(input.inputs.close(command.as_bytes()), CloseStatus::NOT_OPEN);
    }
}

#[test]
fn a_command_closed_early_is_not_waited_for_for_ever() {
    let mut input = Clocked::new();
    assert_eq!(input.getline(Command, b"yes").as_deref(), Some("y"));
    // The shell may run yes as a child or replace itself with it.
    assert!([141, 256 + 13].contains(&input.inputs.close(b"yes").0));
}

#[test]
fn what_cannot_be_opened_is_typed() {
    let mut input = Clocked::new();
    assert_eq!(input.open(FromFile, b"/").unwrap_err().kind, OpenErrorKind::Directory);
    assert_eq!(input.open(FromFile, b"/no/such").unwrap_err().kind, OpenErrorKind::Missing);
    assert_eq!(input.open(FromFile, b"").unwrap_err().kind, OpenErrorKind::EmptyName);
    assert_eq!(input.open(Command, b"").unwrap_err().kind, OpenErrorKind::EmptyName);
    assert_eq!(input.inputs.close(b"/"), CloseStatus::NOT_OPEN);
}

#[test]
fn the_standard_input_has_one_reader_under_all_its_names() {
    let mut input = Clocked::new();
    input
        .inputs
        .set_stdin(RecordReader::of_source(riverhawk_stream::MemorySource::new("1\n2\n3\n4\n"), 1));
    for (name, line) in [(&b"-"[..], "1"), (b"/dev/stdin", "2"), (b"/dev/fd/0", "3")] {
        assert_eq!(input.getline(FromFile, name).as_deref(), Some(line));
        assert_eq!(input.inputs.close(name), CloseStatus::CLOSED);
    }
    let record = input.inputs.stdin().next(&mut input.outputs).unwrap().unwrap();
    assert_eq!(input.inputs.stdin().records.text(&record), b"4");
    assert_eq!(input.getline(FromFile, b"-"), None);
}

#[test]
fn a_command_and_a_file_of_one_name_are_two_inputs() {
    let scratch = Scratch::new("two-inputs");
    let name = scratch.name("echo");
    std::fs::write(
        String::from_utf8(name.clone()).unwrap(),
        "#!/bin/sh\necho from command; exit 6\n",
    )
    .unwrap();
    let command = [b"/bin/sh ", &name[..]].concat();
    let mut input = Clocked::new();
    assert_eq!(input.getline(FromFile, &name).as_deref(), Some("#!/bin/sh"));
    assert_eq!(input.getline(Command, &command).as_deref(), Some("from command"));
    assert_eq!(input.getline(Command, &name), None); // not executable: the shell says so and returns 126
    assert_eq!(input.inputs.close(&name), CloseStatus(126));
    assert_eq!(input.inputs.close(&name), CloseStatus::CLOSED);
    assert_eq!(input.inputs.close(&command), CloseStatus(6));
}

#[test]
fn the_last_input_is_taken_again_only_for_its_kind_and_its_name() {
    let mut input = Clocked::new();
    let command = input.open(Command, b"echo x").unwrap();
    assert_eq!(input.open(FromFile, b"echo x").unwrap_err().kind, OpenErrorKind::Missing);
    let other = input.open(Command, b"echo y").unwrap();
    assert!(other != command && input.open(Command, b"echo y").unwrap() == other);
    assert_eq!(input.getline(Command, b"echo x").as_deref(), Some("x"));
    assert!(input.inputs.last_opened().is_some_and(|(_, name)| *name == *b"echo y"));
}
