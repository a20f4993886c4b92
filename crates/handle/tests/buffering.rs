//! When output becomes visible, and that every failure is reported.

mod scratch;

use riverhawk_handle::{Action, Error, ErrorKind, Handle, OpenOptions, Spawn};
use scratch::{Scratch, size};

type Step = fn(&Handle) -> Result<(), Error>;

fn put(handle: &Handle, count: usize) -> Result<(), Error> {
    handle.write(&vec![b'x'; count])
}

/// Steps, and the file's size after them, as in Raku's out-buffering.t. The buffer has ten bytes.
const TABLE: &[(&str, &[Step], u64)] = &[
    ("once over", &[|h| put(h, 15)], 15),
    ("over, under", &[|h| put(h, 15), |h| put(h, 4)], 15),
    ("over, under, flush", &[|h| put(h, 15), |h| put(h, 4), Handle::flush], 19),
    ("over, under, close", &[|h| put(h, 15), |h| put(h, 4), |h| h.close().map(drop)], 19),
    (
        "twice with flush",
        &[
            |h| put(h, 15),
            |h| put(h, 4),
            Handle::flush,
            |h| put(h, 15),
            |h| put(h, 4),
            Handle::flush,
        ],
        38,
    ),
    (
        "twice, flush and close",
        &[
            |h| put(h, 15),
            |h| put(h, 4),
            Handle::flush,
            |h| put(h, 15),
            |h| put(h, 4),
            |h| h.close().map(drop),
        ],
        38,
    ),
    ("under, buffer made too small", &[|h| put(h, 8), |h| h.set_buffer(5)], 8),
    (
        "under, buffer made large",
        &[|h| put(h, 8), |h| h.set_buffer(1000), |h| put(h, 100), |h| put(h, 100), |h| put(h, 100)],
        8,
    ),
    (
        "large buffer, over",
        &[|h| put(h, 8), |h| h.set_buffer(1000), |h| put(h, 500), |h| put(h, 600)],
        508,
    ),
    (
        "large buffer, over, flush",
        &[|h| put(h, 8), |h| h.set_buffer(1000), |h| put(h, 500), |h| put(h, 600), Handle::flush],
        1108,
    ),
    // The edges of the rules.
    ("the first piece goes out at once", &[|h| put(h, 1)], 1),
    ("the second does not", &[|h| put(h, 1), |h| put(h, 1)], 1),
    ("exactly the room there is", &[|h| put(h, 1), |h| put(h, 4), |h| put(h, 6)], 1),
    ("one more than the room", &[|h| put(h, 1), |h| put(h, 4), |h| put(h, 7)], 5),
    ("exactly the buffer", &[|h| put(h, 1), |h| put(h, 3), |h| put(h, 10)], 14),
    ("no buffer", &[|h| h.set_buffer(0), |h| put(h, 1), |h| put(h, 1), |h| put(h, 1)], 3),
    (
        "a print of pieces is one piece",
        &[|h| put(h, 1), |h| h.write_pieces(&[b"12345", b"67890"])],
        11,
    ),
    ("nothing is nothing", &[|h| put(h, 1), |h| put(h, 3), |h| put(h, 0)], 1),
];

#[test]
fn what_is_in_the_file_before_a_flush_is_exactly_what_the_table_says() {
    let scratch = Scratch::new();
    for options in [OpenOptions::write(), OpenOptions::update(), OpenOptions::append()] {
        for (description, steps, visible) in TABLE {
            let path = scratch.with("table", "");
            let handle = options.open(&path).unwrap();
            handle.write(b"").unwrap();
            if !description.starts_with("no buffer") {
                handle.set_buffer(10).unwrap();
            }
            for step in *steps {
                step(&handle).unwrap();
            }
            assert_eq!(size(&path), *visible, "{description} {options:?}");
            handle.close().unwrap();
        }
    }
}

#[test]
fn tell_seek_and_read_flush_what_is_held_back() {
    let scratch = Scratch::new();
    let path = scratch.path("f");
    let handle = OpenOptions::update().open(&path).unwrap();
    handle.write(b"first ").unwrap();
    handle.write(b"second").unwrap();
    assert_eq!(size(&path), 6);
    assert_eq!(handle.tell().unwrap(), 12);
    assert_eq!(size(&path), 12);
    handle.write(b" third").unwrap();
    handle.seek(std::io::SeekFrom::Start(0)).unwrap();
    assert_eq!(size(&path), 18);
    handle.seek(std::io::SeekFrom::End(0)).unwrap();
    handle.write(b"!").unwrap();
    assert_eq!(handle.read(&mut [0; 8]).unwrap(), 0);
    assert_eq!(size(&path), 19);
}

#[test]
fn a_terminal_is_written_at_once() {
    let process = Spawn::argv(["sleep", "10"]).on_pty().start().unwrap();
    assert_eq!(process.stdout.as_ref().unwrap().buffer(), 0);
    process.child.kill().unwrap();
    process.child.wait().unwrap();
}

#[test]
fn a_full_device_is_an_error_at_the_first_print() {
    let full = Handle::create("/dev/full").unwrap();
    let error = full.print("x").unwrap_err();
    assert_eq!(error.to_string(), "cannot write to \"/dev/full\": No space left on device");
    assert_eq!((error.action(), error.raw_os_error()), (Action::Write, Some(libc::ENOSPC)));
    full.close().unwrap(); // nothing is held back any more: a failure is reported once
}

/// Accepts only the first write.
struct FillsUp(std::sync::atomic::AtomicBool);

impl riverhawk_handle::Device for FillsUp {
    fn write(&self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.swap(true, std::sync::atomic::Ordering::SeqCst) {
            false => Ok(bytes.len()),
            true => Err(std::io::Error::from_raw_os_error(libc::ENOSPC)),
        }
    }
}

fn fills_up() -> Handle {
    let handle = Handle::of_device("a small disk", None::<FillsUp>, Some(FillsUp(false.into())));
    handle.write(b"fits").unwrap();
    handle.write(b"is held back").unwrap();
    handle
}

#[test]
fn a_device_that_fills_up_is_an_error_at_flush_close_or_the_end_whichever_comes_first() {
    let flushed = fills_up();
    let error = flushed.flush().unwrap_err();
    assert_eq!(error.to_string(), "cannot flush a small disk: No space left on device");
    flushed.close().unwrap();

    let closed = fills_up();
    let error = closed.close().unwrap_err();
    assert_eq!(error.to_string(), "cannot finish writing to a small disk: No space left on device");
    assert_eq!(closed.close().unwrap(), None);

    let resized = fills_up();
    assert_eq!(resized.set_buffer(0).unwrap_err().action(), Action::Flush);

    let overflowed = fills_up();
    assert_eq!(overflowed.write(&[b'x'; 1 << 20]).unwrap_err().action(), Action::Write);
}

#[test]
fn a_handle_that_is_only_dropped_is_written() {
    let scratch = Scratch::new();
    let path = scratch.path("dropped");
    let handle = Handle::create(&path).unwrap();
    handle.write(b"a").unwrap();
    handle.write(b"b").unwrap();
    assert_eq!(size(&path), 1);
    drop(handle);
    assert_eq!(size(&path), 2);
}

#[test]
fn writing_where_nobody_reads_is_an_error_and_no_signal() {
    for (reader, writer) in [Handle::pipe().unwrap(), Handle::pair().unwrap()] {
        reader.close().unwrap();
        let error = writer.print("x").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ReaderGone, "{error}");
    }
}

#[test]
fn the_wrong_direction_is_refused() {
    let scratch = Scratch::new();
    let path = scratch.with("f", "text");
    let reader = Handle::open(&path).unwrap();
    assert_eq!(reader.write(b"x").unwrap_err().kind(), ErrorKind::NotWritable);
    let writer = Handle::append(&path).unwrap();
    assert_eq!(writer.read(&mut [0; 4]).unwrap_err().kind(), ErrorKind::NotReadable);
    assert_eq!(writer.is_at_end().unwrap_err().kind(), ErrorKind::NotReadable);
    for handle in [&reader, &writer] {
        handle.close().unwrap();
        assert_eq!(handle.read(&mut [0; 4]).unwrap_err().kind(), ErrorKind::Closed);
        assert_eq!(handle.write(b"x").unwrap_err().kind(), ErrorKind::Closed);
        assert_eq!(handle.tell().unwrap_err().kind(), ErrorKind::Closed);
    }
}

#[test]
fn forcing_to_the_disk_does_nothing_where_there_is_no_disk() {
    let scratch = Scratch::new();
    let (_reader, writer) = Handle::pipe().unwrap();
    let (_one, other) = Handle::pair().unwrap();
    let pty = Spawn::argv(["sleep", "10"]).on_pty().coprocess().unwrap();
    for handle in [&writer, &other, &pty, &Handle::create(scratch.path("f")).unwrap()] {
        handle.write(b"x").unwrap();
        handle.sync().unwrap();
    }
    pty.child().unwrap().kill().unwrap();
}
