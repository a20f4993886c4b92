//! Ending the commands of a run that is stopped: SIGTERM, and SIGKILL after a while, to each
//! command and its descendants.
#![allow(unsafe_code)] // kill(2) by number.

use std::time::{Duration, Instant};

use riverhawk_handle::Child;
use riverhawk_system::process::Signal;

use super::{ASKED_FOR, LOOKED_AT_EVERY, Manner};
use crate::system::Process;
use crate::timers;

/// Children that have not ended by then are left to the dispatcher of `riverhawk_handle`.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(5);

/// Commands that are being ended.
struct Ending {
    children: Vec<Child>,
    /// What has been seen of their descendants.
    descendants: Vec<Process>,
    since: Instant,
}

/// Ends them without waiting; the thread of the timers collects them.
pub(super) fn end(children: Vec<Child>) {
    if children.is_empty() {
        return;
    }
    let mut ending = Ending { children, descendants: Vec::new(), since: Instant::now() };
    ending.signal(libc::SIGTERM);
    let next = ending.since + LOOKED_AT_EVERY;
    if let Err((children, _)) = later(next, ending) {
        children.iter().for_each(|child| drop(child.kill()));
    }
}

fn later(at: Instant, mut ending: Ending) -> Result<(), (Vec<Child>, std::io::Error)> {
    let children = ending.children.clone();
    timers::call_at(at, move || ending.step()).map(drop).map_err(|error| (children, error))
}

impl Ending {
    fn step(&mut self) -> Option<Instant> {
        let age = self.since.elapsed();
        if age >= ASKED_FOR {
            self.signal(libc::SIGKILL);
        }
        self.children.retain(|child| matches!(child.try_wait(), Ok(None)));
        let is_over = age >= GIVEN_UP_AFTER
            || self.children.is_empty() && (age >= ASKED_FOR || self.descendants.is_empty());
        (!is_over).then(|| Instant::now() + LOOKED_AT_EVERY)
    }

    fn signal(&mut self, number: i32) {
        for child in &self.children {
            let found = descendants(child.id().cast_signed());
            let before = self.descendants.len();
            self.descendants.extend(found.into_iter().filter_map(Process::find));
            // Otherwise its number may have been another process's meanwhile.
            if !matches!(child.try_wait(), Ok(None)) {
                self.descendants.truncate(before);
            }
        }
        for child in &self.children {
            // It may just have ended.
            let _ = child.signal(number);
        }
        let signal = if number == libc::SIGKILL { Signal::KILL } else { Signal::TERM };
        self.descendants.retain(|process| process.signal(signal));
    }
}

/// Whether [`end_all`] finds what a run has started.
pub(super) const FINDS_DESCENDANTS: bool = true;

/// Ends all descendants of this process, which must be the run's own; how many there are.
pub(super) fn end_all(manner: Manner) -> usize {
    let number = match manner {
        Manner::Asked => libc::SIGTERM,
        Manner::Forced => libc::SIGKILL,
    };
    let all = descendants(std::process::id().cast_signed());
    for &pid in &all {
        // SAFETY: no preconditions. At worst the process has just ended and its number is free.
        unsafe { libc::kill(pid, number) };
    }
    all.len()
}

/// The numbers of the running processes below this one.
fn descendants(root: i32) -> Vec<i32> {
    let (mut found, mut parents) = (Vec::new(), vec![root]);
    while let Some(parent) = parents.pop() {
        let Some(children) = children_of(parent) else { return scanned(root) };
        parents.extend(&children);
        found.extend(children);
    }
    found
}

/// `None` where the system keeps no such lists.
fn children_of(parent: i32) -> Option<Vec<i32>> {
    let mut children = Vec::new();
    // A process that has ended has no children.
    for task in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
        match std::fs::read_to_string(task.path().join("children")) {
            Ok(list) => children.extend(list.split_whitespace().filter_map(|pid| {
                let pid: i32 = pid.parse().ok()?;
                let state = std::fs::read(format!("/proc/{pid}/stat")).ok();
                let has_ended =
                    state.and_then(|stat| parent_in(&stat)).is_some_and(|(_, ended)| ended);
                (!has_ended).then_some(pid)
            })),
            Err(error) if task.path().exists() && error.kind() == std::io::ErrorKind::NotFound => {
                return None;
            }
            Err(_) => {}
        }
    }
    Some(children)
}

/// The same from a list of all processes.
fn scanned(root: i32) -> Vec<i32> {
    let (mut found, mut others) = (vec![root], processes());
    // Repeated, since children may be listed before their parents.
    loop {
        let before = found.len();
        others.retain(|&(pid, parent)| {
            let is_below = found.contains(&parent);
            if is_below {
                found.push(pid);
            }
            !is_below
        });
        if found.len() == before {
            return found.split_off(1);
        }
    }
}

/// Running processes and their parents, where `/proc` exists.
fn processes() -> Vec<(i32, i32)> {
    let process = |entry: std::fs::DirEntry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let (parent, has_ended) = parent_in(&std::fs::read(entry.path().join("stat")).ok()?)?;
        (!has_ended).then_some((pid, parent))
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(process).collect()
}

/// A process's parent, and whether it has ended and waits to be collected.
fn parent_in(stat: &[u8]) -> Option<(i32, bool)> {
    // The command's name, in parentheses, may contain anything.
    let rest = &stat[stat.iter().rposition(|&byte| byte == b')')? + 1..];
    let mut words = std::str::from_utf8(rest).ok()?.split_whitespace();
    let (state, parent) = (words.next()?, words.next()?.parse().ok()?);
    Some((parent, state == "Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn both_lists_of_processes_have_the_grandchild() {
        let mut shell = std::process::Command::new("sh")
            .args(["-c", "sleep 5 & echo $!; wait"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = shell.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
        let grandchild: i32 = line.trim().parse().unwrap();
        for found in [descendants(shell.id().cast_signed()), scanned(shell.id().cast_signed())] {
            assert_eq!(found, [grandchild]);
        }
        shell.kill().unwrap();
        shell.wait().unwrap();
        // SAFETY: no preconditions.
        unsafe { libc::kill(grandchild, libc::SIGKILL) };
    }
}
