//! Full devices: every writer fails, and an atomic one leaves only the old file.

use crate::scratch::{Scratch, is_root};
use riverhawk_slurp::{Durability, ErrorKind, Spew, Step, append, edit, prepend, write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A small file system in memory, removed on drop.
struct Small(Scratch, PathBuf);

impl Small {
    fn mount() -> Option<Self> {
        let scratch = Scratch::new();
        let path = scratch.join("small");
        std::fs::create_dir(&path).unwrap();
        let mount =
            |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
        if is_root()
            && mount(
                Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "none"]).arg(&path),
            )
        {
            Some(Self(scratch, path))
        } else {
            println!("skipped: no file system can be mounted here");
            None
        }
    }

    fn names(&self) -> usize {
        std::fs::read_dir(&self.1).unwrap().count()
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.1).status();
    }
}

#[test]
fn writes_to_the_full_device_fail() {
    let device = Path::new("/dev/full");
    if !device.exists() {
        return println!("skipped: no /dev/full here");
    }
    for text in [&b"x"[..], &[b'x'; 1 << 20]] {
        let error = write(device, text).unwrap_err();
        assert_eq!((error.kind(), error.step()), (ErrorKind::NoSpace, Step::Write));
        assert_eq!(append(device, text).unwrap_err().kind(), ErrorKind::NoSpace);
        let produced = Spew::new().write_with(device, |out| {
            let _ = out.write_all(text);
            let _ = out.flush();
            Ok(())
        });
        assert_eq!(produced.unwrap_err().kind(), ErrorKind::NoSpace);
        let open = std::fs::OpenOptions::new().write(true).open(device).unwrap();
        let buffered = std::io::BufWriter::with_capacity(1 << 21, open);
        assert_eq!(
            Spew::new().write_to("full", buffered, text).unwrap_err().kind(),
            ErrorKind::NoSpace
        );
    }
    // Not a file that can be replaced.
    assert_eq!(prepend(device, "x").unwrap_err().kind(), ErrorKind::NotARegularFile);
    assert_eq!(
        Spew::new().atomic().write(device, "x").unwrap_err().kind(),
        ErrorKind::NotARegularFile
    );
    let message = write(device, "x").unwrap_err().to_string();
    assert!(message.starts_with("cannot write /dev/full: No space left on device"), "{message}");
}

#[test]
fn an_atomic_write_without_room_leaves_the_old_file_and_nothing_else() {
    let Some(small) = Small::mount() else { return };
    let path = small.1.join("file");
    let old = vec![b'o'; 100_000];
    write(&path, &old).unwrap();
    let large = vec![b'n'; 300_000];
    let atomic = Spew::new().atomic().sync(Durability::FileAndDirectory);
    for _ in 0..20 {
        assert_eq!(atomic.write(&path, &large).unwrap_err().kind(), ErrorKind::NoSpace);
        assert_eq!(atomic.append(&path, &large).unwrap_err().kind(), ErrorKind::NoSpace);
        assert_eq!(prepend(&path, &large).unwrap_err().kind(), ErrorKind::NoSpace);
        assert_eq!(edit(&path, |text| text.extend(&large)).unwrap_err().kind(), ErrorKind::NoSpace);
        assert_eq!(
            atomic.write_with(&path, |out| out.write_all(&large)).unwrap_err().kind(),
            ErrorKind::NoSpace
        );
    }
    assert_eq!(std::fs::read(&path).unwrap(), old);
    assert_eq!(small.names(), 1);
    // In place the beginning of the new content is there.
    assert_eq!(write(&path, &large).unwrap_err().kind(), ErrorKind::NoSpace);
    assert_ne!(std::fs::read(&path).unwrap(), old);
    // There is room for one of the two.
    write(&path, "short").unwrap();
    atomic.write(&path, "fits").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"fits");
    assert!(small.0.names().len() == 1);
}

#[test]
fn a_producer_that_fails_or_panics_undoes_an_atomic_write() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    let atomic = Spew::new().atomic();
    let error = atomic
        .write_with(&path, |out| {
            out.write_all(&[b'x'; 200_000])?;
            Err(std::io::Error::other("on purpose"))
        })
        .unwrap_err();
    assert!(error.to_string().ends_with("on purpose"), "{error}");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        atomic.write_with(&path, |out| {
            out.write_all(&[b'x'; 200_000])?;
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(scratch.names(), ["file"]);
}
