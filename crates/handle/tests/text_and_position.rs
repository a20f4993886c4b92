//! Text over bytes, and positions with bytes read ahead.

mod scratch;

use riverhawk_handle::{Chain, Device, ErrorKind, Handle, OpenOptions, Spawn};
use riverhawk_text::decoder::Separators;
use riverhawk_text::encoding::{Encodings, Latin1, Policy, Utf8, Utf16};
use scratch::{Scratch, descriptors};
use std::io::{BufRead, Read, SeekFrom};
use std::sync::{Arc, Mutex};

/// Gives its bytes in pieces of one size, each after an interruption.
struct Pieces {
    bytes: Vec<u8>,
    size: usize,
    state: Mutex<(usize, bool)>,
}

impl Device for Pieces {
    fn read(&self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (at, interrupt) = &mut *self.state.lock().unwrap();
        *interrupt = !*interrupt;
        if *interrupt {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let count = self.size.min(buffer.len()).min(self.bytes.len() - *at);
        buffer[..count].copy_from_slice(&self.bytes[*at..*at + count]);
        *at += count;
        Ok(count)
    }
}

fn in_pieces(bytes: &[u8], size: usize) -> Handle {
    let pieces = Pieces { bytes: bytes.to_vec(), size, state: Mutex::default() };
    Handle::of_device("pieces", Some(pieces), None::<Pieces>)
}

/// Takes so many bytes at a time, with interruptions between.
struct Miser {
    got: Arc<Mutex<Vec<u8>>>,
    size: usize,
    interrupt: Mutex<bool>,
}

impl Device for Miser {
    fn write(&self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut interrupt = self.interrupt.lock().unwrap();
        *interrupt = !*interrupt;
        if *interrupt {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let count = bytes.len().min(self.size);
        self.got.lock().unwrap().extend_from_slice(&bytes[..count]);
        Ok(count)
    }
}

#[test]
fn two_primitives_give_a_full_handle_whatever_the_pieces() {
    let text = "erste\r\nzweite €\n\nlast 𝄞";
    for size in [1, 2, 3, 7, 64, 100_000] {
        let lines: Vec<_> = in_pieces(text.as_bytes(), size).lines().map(Result::unwrap).collect();
        assert_eq!(lines, ["erste", "zweite €", "", "last 𝄞"], "{size}");
        assert_eq!(in_pieces(text.as_bytes(), size).read_text().unwrap(), text);
        assert_eq!(in_pieces(text.as_bytes(), size).read_to_end().unwrap(), text.as_bytes());
        let handle = in_pieces(text.as_bytes(), size);
        assert_eq!(
            handle.read_until("€".as_bytes()).unwrap().unwrap(),
            "erste\r\nzweite €".as_bytes()
        );
        assert_eq!(handle.read_until(b"\n\n").unwrap().unwrap(), b"\n\n");
        assert_eq!(handle.read_until(b"\n").unwrap().unwrap(), "last 𝄞".as_bytes());
        assert_eq!(handle.read_until(b"\n").unwrap(), None);
        let mut through_std = String::new();
        in_pieces(text.as_bytes(), size).reader().read_to_string(&mut through_std).unwrap();
        assert_eq!(through_std, text);
        let by_std = in_pieces(text.as_bytes(), size)
            .reader()
            .lines()
            .map(Result::unwrap)
            .collect::<Vec<_>>();
        assert_eq!(by_std, ["erste", "zweite €", "", "last 𝄞"]);
    }
}

#[test]
fn short_and_interrupted_writes_lose_nothing() {
    for size in [1, 3, 1000] {
        let got = Arc::new(Mutex::new(Vec::new()));
        let miser = Miser { got: Arc::clone(&got), size, interrupt: Mutex::default() };
        let handle = Handle::of_device("miser", None::<Miser>, Some(miser));
        for n in 0..500 {
            handle.print(&format!("line {n}")).unwrap();
        }
        handle.close().unwrap();
        let expected: String = (0..500).map(|n| format!("line {n}\n")).collect();
        assert_eq!(String::from_utf8(got.lock().unwrap().clone()).unwrap(), expected);
    }
}

#[test]
fn bytes_and_characters_can_be_read_in_turns() {
    for size in [1, 5, 1000] {
        let handle = in_pieces("ä1\nbinary:\u{7}\nmöre\n".as_bytes(), size);
        assert_eq!(handle.read_line().unwrap().as_deref(), Some("ä1"));
        assert_eq!(handle.read_exactly(9).unwrap(), b"binary:\x07\n");
        assert_eq!(handle.read_chars(2).unwrap().as_deref(), Some("mö"));
        assert_eq!(handle.tell().unwrap(), 4 + 9 + 3);
        handle.set_binary(); // on something that cannot seek: nothing is lost
        assert_eq!(handle.read_until(b"\n").unwrap().as_deref(), Some(&b"re\n"[..]));
        assert_eq!(handle.read_line().unwrap(), None);
    }
}

#[test]
fn another_encoding_gets_the_bytes_that_were_not_taken() {
    let mut bytes = b"utf-8: \xC3\xA4\nlatin-1: \xE4\n".to_vec();
    bytes.extend("utf-16\n".encode_utf16().flat_map(u16::to_be_bytes));
    let handle = Handle::of_bytes(bytes);
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("utf-8: ä"));
    handle.set_encoding(Latin1);
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("latin-1: ä"));
    handle.set_encoding(Encodings::new().get("utf-16be").unwrap());
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("utf-16"));
    assert_eq!(handle.read_line().unwrap(), None);
}

#[test]
fn text_goes_out_in_the_handles_encoding_and_what_it_lacks_is_an_error() {
    let scratch = Scratch::new();
    let path = scratch.path("latin");
    let handle = Handle::create(&path).unwrap();
    handle.set_encoding(Latin1);
    handle.print("Füße").unwrap();
    let error = handle.print("€").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotText);
    handle.close().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"F\xFC\xDFe\n");
    let handle = Handle::open(&path).unwrap();
    let error = handle.read_line().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotText);
    assert!(error.to_string().contains("FC"), "{error}");
    assert_eq!(handle.lines().filter_map(Result::ok).count(), 0); // an error ends it, and it ends
    handle.set_policy(Policy::ReplaceWith("?".into()));
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("F??e"));
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_start_and_nowhere_else() {
    let scratch = Scratch::new();
    let path = scratch.with("bom", "\u{FEFF}a\n\u{FEFF}b\n");
    let handle = Handle::open(&path).unwrap();
    for _ in 0..2 {
        let lines: Vec<_> = handle.lines().map(Result::unwrap).collect();
        assert_eq!(lines, ["a", "\u{FEFF}b"]);
        handle.seek(SeekFrom::Start(0)).unwrap();
    }
    let only = Handle::open(scratch.with("only", "\u{FEFF}")).unwrap();
    assert_eq!(only.lines().count(), 0);
    let wide = Handle::of_bytes(b"\xFF\xFEx\0\n\0".to_vec());
    wide.set_encoding(Utf16);
    assert_eq!(wide.read_line().unwrap().as_deref(), Some("x"));
}

#[test]
fn tell_and_seek_count_what_was_taken_not_what_was_read_ahead() {
    let scratch = Scratch::new();
    let path = scratch.with("f", "0123456789\nabc\näöü\n");
    let handle = Handle::open(&path).unwrap();
    assert_eq!(handle.tell().unwrap(), 0);
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("0123456789"));
    assert_eq!(handle.tell().unwrap(), 11);
    assert_eq!(handle.seek(SeekFrom::Current(-4)).unwrap(), 7);
    assert_eq!(handle.read_chars(1).unwrap().as_deref(), Some("7"));
    assert_eq!(handle.tell().unwrap(), 8);
    assert_eq!(handle.seek(SeekFrom::End(-7)).unwrap(), 15);
    assert_eq!(handle.read_chars(2).unwrap().as_deref(), Some("äö"));
    assert_eq!(handle.tell().unwrap(), 19);
    assert_eq!(handle.seek(SeekFrom::Start(100)).unwrap(), 100);
    assert!(handle.is_at_end().unwrap());
    assert_eq!(handle.read_line().unwrap(), None);
    assert_eq!(handle.seek(SeekFrom::Start(12)).unwrap(), 12);
    assert!(!handle.is_at_end().unwrap());
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("bc"));
    let error = handle.seek(SeekFrom::Current(-100)).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::EINVAL), "{error}");
    assert_eq!(handle.tell().unwrap(), 15);
}

#[test]
fn a_seek_forgets_what_was_read_ahead_as_bytes() {
    // Old bytes must not be read again.
    let scratch = Scratch::new();
    let handle = Handle::open(scratch.with("f", "0123456789")).unwrap();
    assert_eq!(handle.receive(2).unwrap(), b"01");
    handle.seek(SeekFrom::Start(8)).unwrap();
    assert_eq!(handle.receive(20).unwrap(), b"89");
}

#[test]
fn reading_and_writing_one_file_share_one_position() {
    let scratch = Scratch::new();
    let path = scratch.with("f", "one\ntwo\nthree\n");
    let handle = OpenOptions::update().open(&path).unwrap();
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("one"));
    handle.write(b"TWO").unwrap(); // exactly behind the line, though the whole file had been read ahead
    assert_eq!(handle.tell().unwrap(), 7);
    assert_eq!(handle.read_line().unwrap().as_deref(), Some(""));
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("three"));
    handle.write(b"four\n").unwrap();
    handle.write(b"five\n").unwrap();
    handle.seek(SeekFrom::Start(4)).unwrap();
    assert_eq!(handle.read_text().unwrap(), "TWO\nthree\nfour\nfive\n");
    let appending = Handle::append(&path).unwrap();
    assert_eq!(appending.tell().unwrap(), 24);
    appending.print("six").unwrap();
    assert_eq!(appending.tell().unwrap(), 28);
}

#[test]
fn pipes_have_a_running_position_and_cannot_seek() {
    let (reader, writer) = Handle::pipe().unwrap();
    writer.write(b"12345\n").unwrap();
    writer.write(b"6789").unwrap();
    assert_eq!(writer.tell().unwrap(), 10);
    writer.close().unwrap();
    assert_eq!(reader.read_line().unwrap().as_deref(), Some("12345"));
    assert_eq!(reader.tell().unwrap(), 6);
    assert_eq!(reader.seek(SeekFrom::Start(0)).unwrap_err().kind(), ErrorKind::NotSeekable);
    assert_eq!(reader.read_text().unwrap(), "6789");
    assert_eq!(reader.tell().unwrap(), 10);
}

#[test]
fn the_end_is_known_without_reading_in_a_file_and_by_a_read_elsewhere() {
    let scratch = Scratch::new();
    let file = Handle::open(scratch.with("f", "xy")).unwrap();
    assert!(!file.is_at_end().unwrap());
    assert_eq!(file.read_exactly(2).unwrap(), b"xy");
    assert!(file.is_at_end().unwrap());
    let empty = Handle::open(scratch.with("empty", "")).unwrap();
    assert!(!empty.is_at_end().unwrap()); // its size says nothing: it might be one of those in /proc
    assert_eq!(empty.read_line().unwrap(), None);
    assert!(empty.is_at_end().unwrap());
    let proc = Handle::open("/proc/self/status").unwrap();
    assert!(!proc.is_at_end().unwrap());
    assert!(proc.read_text().unwrap().contains("Name:"));
    assert!(proc.is_at_end().unwrap());
    let (reader, writer) = Handle::pipe().unwrap();
    writer.write(b"z").unwrap();
    writer.close().unwrap();
    assert_eq!(reader.receive(10).unwrap(), b"z");
    assert!(!reader.is_at_end().unwrap());
    assert_eq!(reader.receive(10).unwrap(), b"");
    assert!(reader.is_at_end().unwrap());
}

#[test]
fn a_file_that_grows_can_be_read_on_after_its_end() {
    let scratch = Scratch::new();
    let path = scratch.with("log", "one\nhal");
    let log = Handle::open(&path).unwrap();
    assert_eq!(log.read_until(b"\n").unwrap().as_deref(), Some(&b"one\n"[..]));
    assert_eq!(log.read_until(b"\n").unwrap().as_deref(), Some(&b"hal"[..]));
    assert_eq!(log.read_until(b"\n").unwrap(), None);
    Handle::append(&path).unwrap().write(b"f\nnew\n").unwrap();
    assert_eq!(log.read_until(b"\n").unwrap().as_deref(), Some(&b"f\n"[..]));
    assert_eq!(log.read_line().unwrap().as_deref(), Some("new"));
    assert_eq!(log.read_line().unwrap(), None);
    Handle::append(&path).unwrap().write(b"more\n").unwrap();
    assert_eq!(log.read_line().unwrap().as_deref(), Some("more"));
}

#[test]
fn a_terminal_ends_with_one_ctrl_d_and_goes_on_afterwards() {
    // Ours is the keyboard of a program that reads the terminal in the child.
    let (ours, theirs) = pty();
    let keyboard = ours;
    let terminal = theirs;
    assert!(terminal.is_terminal());
    keyboard.write(b"first\n").unwrap();
    assert_eq!(terminal.read_line().unwrap().as_deref(), Some("first"));
    keyboard.write(b"half\x04\x04").unwrap(); // Ctrl-D once sends what there is, once more ends
    assert_eq!(terminal.read_line().unwrap().as_deref(), Some("half"));
    assert_eq!(terminal.read_line().unwrap(), None);
    keyboard.write(b"again\n\x04").unwrap();
    assert_eq!(terminal.read_line().unwrap().as_deref(), Some("again"));
    assert_eq!(terminal.read_line().unwrap(), None);
    assert!(terminal.is_at_end().unwrap());
    keyboard.write(b"and again\n").unwrap();
    assert_eq!(terminal.read_line().unwrap().as_deref(), Some("and again"));
}

/// Both sides of a pseudo-terminal, in this process.
fn pty() -> (Handle, Handle) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let terminal = OpenOptions::update().only_existing().open(name).unwrap();
    (Handle::from_own_fd("keyboard", master).unwrap(), terminal)
}

#[test]
fn every_way_of_opening_creates_empties_appends_and_fails_as_it_says() {
    let scratch = Scratch::new();
    let (there, missing) = (scratch.path("there"), scratch.path("missing"));
    // The file after writing "X", when it held "abc" and when new.
    let rows: [(OpenOptions, Option<&str>, Option<&str>); 8] = [
        (OpenOptions::write(), Some("X"), Some("X")),
        (OpenOptions::append(), Some("abcX"), Some("X")),
        (OpenOptions::update(), Some("Xbc"), Some("X")),
        (OpenOptions::write().only_new(), None, Some("X")),
        (OpenOptions::update().only_new(), None, Some("X")),
        (OpenOptions::write().only_existing(), Some("X"), None),
        (OpenOptions::write().keep_content(), Some("Xbc"), Some("X")),
        (OpenOptions::update().truncate(), Some("X"), Some("X")),
    ];
    for (options, in_there, in_missing) in rows {
        std::fs::write(&there, "abc").unwrap();
        let _ = std::fs::remove_file(&missing);
        for (path, expected, refusal) in
            [(&there, in_there, ErrorKind::Exists), (&missing, in_missing, ErrorKind::Missing)]
        {
            match (options.open(path), expected) {
                (Ok(handle), Some(expected)) => {
                    handle.write(b"X").unwrap();
                    handle.close().unwrap();
                    assert_eq!(std::fs::read_to_string(path).unwrap(), expected, "{options:?}");
                }
                (Err(error), None) => assert_eq!(error.kind(), refusal, "{options:?}"),
                (other, _) => panic!("{options:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn nul_in_a_path_an_empty_path_and_directories_are_refused_everywhere() {
    let all =
        [OpenOptions::read(), OpenOptions::write(), OpenOptions::append(), OpenOptions::update()];
    for options in all {
        assert_eq!(options.open("a\0b").unwrap_err().kind(), ErrorKind::NulInName);
        assert_eq!(options.open("").unwrap_err().kind(), ErrorKind::EmptyName);
        assert_eq!(options.open("/tmp").unwrap_err().kind(), ErrorKind::Directory, "{options:?}");
    }
    assert!(!std::path::Path::new("a").exists());
}

#[test]
fn separators_can_change_in_mid_file() {
    let handle = Handle::of_bytes("a\nb;c\nd::e".to_owned());
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("a"));
    handle.set_separators(Separators::strings([";"]).unwrap());
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("b"));
    handle.set_separators(Separators::strings(["::"]).unwrap());
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("c\nd"));
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("e"));
}

#[test]
fn a_chain_opens_its_parts_in_turn_and_tells_of_each_switch() {
    let scratch = Scratch::new();
    let paths = [
        scratch.with("1", "a\nb"),
        scratch.with("2", ""),
        scratch.path("3"),
        scratch.with("4", b"\xE4;c\n"),
    ];
    let names: Vec<_> =
        paths.iter().map(|path| path.to_str().unwrap().as_bytes().to_vec()).collect();
    let mut chain = Chain::of_paths(&names);
    let switches = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&switches);
    chain.on_switch(move |new, old| {
        let last =
            |handle: Option<&Handle>| handle.map(|handle| handle.name().to_string().pop_last());
        noted.lock().unwrap().push((last(new), last(old)));
    });
    assert!(chain.current().is_none());
    assert_eq!(chain.read_line().unwrap().as_deref(), Some("a"));
    assert_eq!(chain.read_line().unwrap().as_deref(), Some("b"));
    // The second is empty; the third is missing, and the chain goes on.
    assert_eq!(chain.read_line().unwrap_err().kind(), ErrorKind::Missing);
    chain.set_encoding(Latin1);
    chain.set_separators(Separators::strings([";", "\n"]).unwrap());
    assert_eq!(chain.lines().next().unwrap().unwrap(), "ä");
    assert_eq!(chain.lines().map(Result::unwrap).collect::<Vec<_>>(), ["c"]);
    assert_eq!(chain.lines().count(), 0);
    let one = |c: char| Some(c);
    assert_eq!(
        *switches.lock().unwrap(),
        [
            (one('1'), None),
            (one('2'), one('1')),
            (None, one('2')),
            (one('4'), None),
            (None, one('4')),
        ]
    );
}

trait PopLast {
    fn pop_last(self) -> char;
}

impl PopLast for String {
    fn pop_last(mut self) -> char {
        self.pop();
        self.pop().unwrap()
    }
}

#[test]
fn a_chain_reads_bytes_and_text_over_its_parts_and_closes_them_all() {
    let parts = || [Handle::of_bytes("ab"), Handle::of_bytes(""), Handle::of_bytes("cdé")];
    let mut chain = Chain::of_handles(parts());
    assert_eq!(chain.receive(10).unwrap(), b"ab");
    assert_eq!(chain.receive(2).unwrap(), b"cd");
    assert_eq!(chain.read_chars(1).unwrap().as_deref(), Some("é"));
    assert_eq!(chain.receive(2).unwrap(), b"");
    assert_eq!(Chain::of_handles(parts()).read_text().unwrap(), "abcdé");
    let handles = parts();
    let mut chain = Chain::of_handles(handles.clone());
    chain.read_chars(1).unwrap();
    chain.close().unwrap();
    assert!(handles.iter().all(Handle::is_closed));
    assert_eq!(chain.read_line().unwrap(), None);
}

#[test]
fn reopening_many_times_leaks_nothing() {
    let scratch = Scratch::new();
    let path = scratch.with("f", "a\nb\nc\n");
    let before = riverhawk_handle::open_handles();
    for _ in 0..1500 {
        let handle = Handle::open(&path).unwrap();
        assert_eq!(handle.read_line().unwrap().as_deref(), Some("a"));
    }
    assert!(riverhawk_handle::open_handles() < before + 100); // what other tests have open now
    assert!(descriptors() < 500);
}

#[test]
fn a_mebibyte_line_and_bytes_of_every_value_come_through_unchanged() {
    let mut bytes: Vec<u8> = (0..3 << 20).map(|n: u32| (n % 251) as u8).collect();
    bytes.push(255);
    let cat = Spawn::argv(["cat"]).coprocess().unwrap();
    let writer = cat.clone();
    let sent = bytes.clone();
    let writing = std::thread::spawn(move || {
        writer.write(&sent).unwrap();
        writer.close_writing().unwrap();
    });
    let got = cat.read_until(&[255]).unwrap().unwrap();
    writing.join().unwrap();
    assert!(got == bytes);
    let utf8 = Handle::of_bytes(vec![b'x'; 2 << 20]);
    utf8.set_encoding(Utf8);
    assert_eq!(utf8.read_line().unwrap().unwrap().len(), 2 << 20);
}
