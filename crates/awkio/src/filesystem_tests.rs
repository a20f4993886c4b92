//! Streams whose names an embedder decides on, and runs whose output is captured.

use crate::filesystem::{
    FileSystem, InputStream, MemoryFiles, OutputStream, Pipes, Started, WriteMode,
};
use crate::{BrokenPipe, CloseStatus, Connection, InputKind, Io, OutputKind, Outputs};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn captured() -> (Io, Kept, Kept) {
    let (stdout, stderr) = (Kept::default(), Kept::default());
    let outputs = Outputs::with_writers(Box::new(stdout.clone()), Box::new(stderr.clone()));
    (Io::with_outputs(outputs, BrokenPipe::Report, 1024), stdout, stderr)
}

fn over(files: impl FileSystem + 'static) -> (Io, Kept) {
    let (mut io, stdout, _) = captured();
    io.outputs.set_file_system(Arc::new(files));
    (io, stdout)
}

fn records(io: &mut Io, kind: InputKind, name: &[u8]) -> Vec<String> {
    let id = io.input(kind, name).unwrap();
    let mut all = Vec::new();
    while let Some((reader, record)) = io.next_record(id).unwrap() {
        all.push(String::from_utf8_lossy(reader.records.text(&record)).into_owned());
    }
    all
}

#[test]
fn commands_print_where_the_run_prints() {
    let (mut io, stdout, stderr) = captured();
    io.outputs.stdout().write(b"first\n").unwrap();
    let status = io.system(b"echo second; echo trouble >&2; cat; exit 3").unwrap();
    assert_eq!(status, CloseStatus(3));
    io.output(OutputKind::Pipe, b"sort").unwrap().write(b"b\na\n").unwrap();
    io.close(b"sort").unwrap();
    assert_eq!(stdout.text(), "first\nsecond\na\nb\n");
    assert_eq!(stderr.text(), "trouble\n");
    assert_eq!(records(&mut io, InputKind::Command, b"echo x; cat; echo y >&2"), ["x"]);
    assert!(io.finish().is_empty());
    assert_eq!(stderr.text(), "trouble\ny\n");
}

#[test]
fn names_lead_to_the_embedders_files() {
    let files = MemoryFiles::new();
    files.insert("/etc/passwd", "nobody\nelse\n");
    let (mut io, _) = over(files.clone());
    assert_eq!(records(&mut io, InputKind::File, b"/etc/passwd"), ["nobody", "else"]);
    assert!(io.input(InputKind::File, b"/etc/hosts").is_err());
    io.output(OutputKind::File, b"/dev/fd/7").unwrap().write(b"text\n").unwrap();
    io.close(b"/dev/fd/7").unwrap();
    io.output(OutputKind::Append, b"/dev/fd/7").unwrap().write(b"more\n").unwrap();
    let mut operand = io.open_main(b"/etc/passwd", None).unwrap().unwrap();
    assert!(operand.next(&mut io.outputs).unwrap().is_some());
    assert!(io.open_main(b"-", None).unwrap().is_none());
    assert!(io.finish().is_empty());
    assert_eq!(files.get("/dev/fd/7"), Some(b"text\nmore\n".to_vec()));
}

#[test]
fn what_the_embedder_does_not_offer_is_refused() {
    let (mut io, _) = over(MemoryFiles::new());
    let message = |error: &dyn std::fmt::Display| error.to_string();
    assert_eq!(
        message(&io.system(b"true").unwrap_err()),
        "cannot start the command \"true\": commands cannot be started here"
    );
    assert!(io.output(OutputKind::Pipe, b"cat").is_err());
    assert!(io.input(InputKind::Command, b"date").is_err());
    assert!(io.coprocess_sink(b"cat", Connection::Pipes).is_err());
    let error = io.output(OutputKind::File, b"/inet/tcp/0/localhost/9").err().unwrap();
    assert_eq!(
        message(&error),
        "cannot connect to \"/inet/tcp/0/localhost/9\": connections cannot be made here"
    );
}

/// Commands that say what they were asked for.
struct Echo(Kept);

impl FileSystem for Echo {
    fn open(&self, _: &[u8]) -> io::Result<InputStream> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn create(&self, _: &[u8], _: WriteMode) -> io::Result<OutputStream> {
        Ok(OutputStream::new(io::BufWriter::with_capacity(1 << 20, self.0.clone())))
    }

    fn start(&self, command: &[u8], pipes: Pipes) -> io::Result<Started> {
        let said = format!("{} {pipes:?}\n", String::from_utf8_lossy(command));
        Ok(Started {
            input: Some(Box::new(self.0.clone())),
            output: Some(Box::new(io::Cursor::new(said))),
            wait: Some(Box::new(|| Ok(7))),
        })
    }

    fn connect(&self, name: &[u8]) -> io::Result<Started> {
        self.start(name, Pipes::Both)
    }
}

#[test]
fn commands_and_connections_can_be_the_embedders() {
    let written = Kept::default();
    let (mut io, stdout) = over(Echo(written.clone()));
    assert_eq!(io.system(b"one").unwrap(), CloseStatus(7));
    assert_eq!(records(&mut io, InputKind::Command, b"two"), ["two Output"]);
    assert_eq!(io.close(b"two").unwrap(), CloseStatus(7));
    io.output(OutputKind::Pipe, b"three").unwrap().write(b"3\n").unwrap();
    assert_eq!(io.close(b"three").unwrap(), CloseStatus(7));
    let both = io.coprocess_sink(b"four", Connection::Pipes).unwrap();
    both.write(b"4\n").unwrap();
    both.end_print().unwrap();
    let (reader, record) = io.next_from_coprocess(b"four").unwrap().unwrap();
    assert_eq!(reader.records.text(&record), b"four Both");
    assert_eq!(io.close(b"four").unwrap(), CloseStatus(7));
    io.coprocess_reader(b"/inet/tcp/0/h/1", Connection::Pipes).unwrap();
    assert!(io.next_from_coprocess(b"/inet/tcp/0/h/1").unwrap().is_some());
    assert_eq!(stdout.text(), "one None\nthree Input\n");
    assert_eq!(written.text(), "3\n4\n");
}

#[test]
fn writers_are_flushed_when_the_program_says_so() {
    let written = Kept::default();
    let (mut io, _) = over(Echo(written.clone()));
    io.output(OutputKind::File, b"f").unwrap().write(b"a\n").unwrap();
    assert_eq!(written.text(), "");
    io.flush(b"f").unwrap();
    assert_eq!(written.text(), "a\n");
    io.output(OutputKind::File, b"f").unwrap().write(b"b\n").unwrap();
    assert!(io.finish().is_empty());
    assert_eq!(written.text(), "a\nb\n");
}
