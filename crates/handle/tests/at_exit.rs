//! The end of a program, in a process of its own, because it closes everything.

mod scratch;

use riverhawk_handle::{Device, Handle, Spawn, close_all, open_handles};
use scratch::Scratch;
use std::io;

struct Full;

impl Device for Full {
    fn write(&self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::from_raw_os_error(libc::ENOSPC))
    }
}

/// Accepts only the first piece.
struct FillsUp(std::sync::atomic::AtomicBool);

impl Device for FillsUp {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.swap(true, std::sync::atomic::Ordering::SeqCst) {
            Full.write(bytes)
        } else {
            Ok(bytes.len())
        }
    }
}

fn filled_up(name: &str) -> Handle {
    let handle = Handle::of_device(name, None::<FillsUp>, Some(FillsUp(false.into())));
    handle.write(b"fits").unwrap();
    handle.write(b"is held back").unwrap();
    handle
}

#[test]
fn close_all_writes_what_is_held_back_youngest_first_and_tells_every_failure_once() {
    let scratch = Scratch::new();
    let before = open_handles();
    drop(filled_up("dropped before"));
    let file = Handle::create(scratch.path("file")).unwrap();
    file.write(b"kept").unwrap();
    file.write(b" too").unwrap();
    let order = scratch.path("order");
    let first = Spawn::shell(format!("cat; echo first >>{}", order.display())).write().unwrap();
    let second = Spawn::shell(format!("cat; echo second >>{}", order.display())).write().unwrap();
    let broken = filled_up("open at the end");
    assert_eq!(open_handles(), before + 4);

    let messages: Vec<_> = close_all().iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "cannot finish writing to dropped before: No space left on device",
            "cannot finish writing to open at the end: No space left on device",
        ]
    );
    assert_eq!(std::fs::read_to_string(scratch.path("file")).unwrap(), "kept too");
    assert_eq!(std::fs::read_to_string(order).unwrap(), "second\nfirst\n");
    assert!([file, first, second, broken].iter().all(Handle::is_closed));
    assert_eq!(open_handles(), before);
    assert!(close_all().is_empty());
}
