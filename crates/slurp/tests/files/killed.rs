//! Atomic writes of a process killed at any moment leave the old content or the new.

use crate::scratch::{Scratch, again, role};
use riverhawk_slurp::{Spew, TEMPORARY_PREFIX, edit, read, write};
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Different lengths, so that a mixture is neither.
fn contents() -> [Vec<u8>; 2] {
    [b"old content\n".repeat(20_000), b"the new one\r\n".repeat(30_000)]
}

fn write_for_ever(path: &Path) -> ! {
    let [old, new] = contents();
    let spew = Spew::new().atomic();
    loop {
        spew.write(path, &new).unwrap();
        spew.write(path, &old).unwrap();
    }
}

#[test]
fn a_kill_in_the_middle_of_an_atomic_write_leaves_the_old_or_the_new_content() {
    if let Some(path) = role() {
        write_for_ever(&path);
    }
    let test = "killed::a_kill_in_the_middle_of_an_atomic_write_leaves_the_old_or_the_new_content";
    let scratch = Scratch::new();
    let path = scratch.join("file");
    let contents = contents();
    write(&path, &contents[0]).unwrap();
    let random = RandomState::new();
    let (mut seen, mut left_behind) = ([0; 2], 0);
    for round in 0..60_u64 {
        let before = inode(&path);
        let mut child =
            again(test, &path).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // From the first write on, during the next few.
        let begin = Instant::now();
        while inode(&path) == before {
            assert!(begin.elapsed() < Duration::from_secs(60), "the writer does not write");
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_nanos(random.hash_one(round) % 3_000_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let content = read(&path).unwrap();
        let which = contents.iter().position(|one| *one == content).expect("neither old nor new");
        seen[which] += 1;
        left_behind = temporaries(&scratch);
    }
    assert_eq!(seen[0] + seen[1], 60);

    // Leftovers of killed writers do not matter.
    write(scratch.join(&format!("{TEMPORARY_PREFIX}0000000000000000")), "left over").unwrap();
    Spew::new().atomic().write(&path, "after").unwrap();
    edit(&path, |text| text.extend(b"wards")).unwrap();
    assert_eq!(read(&path).unwrap(), b"afterwards");
    assert_eq!(
        temporaries(&scratch),
        left_behind + 1,
        "an atomic write neither leaves nor takes temporaries"
    );
    println!(
        "old {} times, new {} times, {left_behind} temporaries left by 60 kills",
        seen[0], seen[1]
    );
}

fn temporaries(scratch: &Scratch) -> usize {
    scratch
        .names()
        .iter()
        .filter(|name| name.as_bytes().starts_with(TEMPORARY_PREFIX.as_bytes()))
        .count()
}

fn inode(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).unwrap().ino()
}

#[test]
fn readers_beside_atomic_writers_see_one_content_or_the_other() {
    let scratch = Scratch::new();
    let path = scratch.join("file");
    let contents = contents();
    write(&path, &contents[0]).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 1..60 {
                Spew::new().atomic().write(&path, &contents[round % 2]).unwrap();
            }
        });
        let mut reads = 0;
        while !writer.is_finished() || reads == 0 {
            let content = read(&path).unwrap();
            assert!(contents.contains(&content), "a mixture of {} bytes", content.len());
            reads += 1;
        }
    });
}
