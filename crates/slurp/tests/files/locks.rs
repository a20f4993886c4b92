//! Advisory locks across processes.

use crate::scratch::{Scratch, again, both_spews, role};
use riverhawk_slurp::{ErrorKind, Lock, Slurp, Spew, Step, write};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// Another process that holds a lock on `path` until its input ends.
struct Holder {
    child: Child,
    /// Kept open for the child's final report.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Holder {
    fn new(test: &str, path: &Path) -> Self {
        let mut child =
            again(test, path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        while !lines.next().expect("the holder ended").unwrap().contains("locked") {}
        Self { child, _output: lines }
    }

    /// Run by the other process.
    fn play(path: &Path, lock: Lock) {
        Spew::new()
            .lock(lock)
            .write_with(path, |out| {
                println!("locked");
                std::io::stdout().flush()?;
                std::io::stdin().lock().read_line(&mut String::new())?;
                out.write_all(b"written under the lock")
            })
            .unwrap();
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let status = self.child.wait().unwrap();
        assert!(status.success() || std::thread::panicking());
    }
}

#[test]
fn an_exclusive_lock_of_another_process_is_waited_for_until_the_timeout() {
    if let Some(path) = role() {
        return Holder::play(&path, Lock::Exclusive);
    }
    let scratch = Scratch::new();
    let path = scratch.file("file", "before");
    let test = "locks::an_exclusive_lock_of_another_process_is_waited_for_until_the_timeout";
    let holder = Holder::new(test, &path);
    for timeout in [Duration::ZERO, Duration::from_millis(60)] {
        let begin = Instant::now();
        let read = Slurp::new().lock(Lock::Shared).lock_timeout(timeout).read(&path);
        assert!(begin.elapsed() >= timeout);
        let error = read.unwrap_err();
        assert_eq!((error.kind(), error.step()), (ErrorKind::LockTimeout, Step::Lock));
        for (_, spew) in both_spews() {
            let spew = spew.lock(Lock::Exclusive).lock_timeout(timeout);
            assert_eq!(spew.write(&path, "x").unwrap_err().kind(), ErrorKind::LockTimeout);
            assert_eq!(spew.append(&path, "x").unwrap_err().kind(), ErrorKind::LockTimeout);
            assert_eq!(spew.prepend(&path, "x").unwrap_err().kind(), ErrorKind::LockTimeout);
            assert_eq!(spew.edit(&path, |_| ()).unwrap_err().kind(), ErrorKind::LockTimeout);
        }
    }
    // Programs that do not lock are not affected.
    assert_eq!(Slurp::new().read(&path).unwrap(), b"before");
    assert_eq!(scratch.names(), ["file"]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| Slurp::new().lock(Lock::Shared).read(&path));
        drop(holder);
        assert_eq!(waiting.join().unwrap().unwrap(), b"written under the lock");
    });
}

#[test]
fn shared_locks_go_together_but_not_with_an_exclusive_one() {
    if let Some(path) = role() {
        return Holder::play(&path, Lock::Shared);
    }
    let scratch = Scratch::new();
    let path = scratch.file("file", "before");
    let holder =
        Holder::new("locks::shared_locks_go_together_but_not_with_an_exclusive_one", &path);
    let once = Slurp::new().lock_timeout(Duration::ZERO);
    assert_eq!(once.clone().lock(Lock::Shared).read(&path).unwrap(), b"before");
    assert_eq!(once.lock(Lock::Exclusive).read(&path).unwrap_err().kind(), ErrorKind::LockTimeout);
    drop(holder);
}

#[test]
fn no_increment_is_lost_when_processes_edit_a_counter_under_a_lock() {
    const ROUNDS: usize = 50;
    let increment = |path: &Path| {
        let (_, spew) = both_spews().into_iter().find(|(name, _)| path.ends_with(name)).unwrap();
        let spew = spew.lock(Lock::Exclusive);
        for _ in 0..ROUNDS {
            spew.edit(path, |text| {
                let number: usize = std::str::from_utf8(text).unwrap().parse().unwrap();
                *text = (number + 1).to_string().into_bytes();
            })
            .unwrap();
        }
    };
    if let Some(path) = role() {
        return increment(&path);
    }
    // The name changes inodes while others wait for an old one's lock.
    for (name, _) in both_spews() {
        let scratch = Scratch::new();
        let path = scratch.join(name);
        write(&path, "0").unwrap();
        let test = "locks::no_increment_is_lost_when_processes_edit_a_counter_under_a_lock";
        let mut children: Vec<_> =
            (0..3).map(|_| again(test, &path).stdout(Stdio::null()).spawn().unwrap()).collect();
        increment(&path);
        for child in &mut children {
            assert!(child.wait().unwrap().success());
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), (4 * ROUNDS).to_string(), "{name}");
    }
}
