//! One run of a process: CPU time, wall time and peak memory, as accounted by the kernel.
//!
//! CPU time includes children that the process waited for. Peak memory is at least the size of this
//! program, 3 to 5 MiB, which a new process inherits.

use crate::invocation::{Input, Invocation};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// User and system time.
    pub cpu: Duration,
    /// From before the start until the end was seen.
    pub wall: Duration,
    /// Resident set, in KiB.
    pub peak_kib: u64,
}

#[derive(Clone, Copy, Debug)]
pub enum Ending {
    /// With status 0, or its other successful status.
    Done(Sample),
    /// With another status, or (`None`) by a signal.
    Failed(Option<i32>),
    /// Killed at the limit.
    TooSlow,
}

#[derive(Clone, Copy, Debug)]
pub struct Sinks<'a> {
    /// Standard output; `None` is /dev/null.
    pub out: Option<&'a Path>,
    /// Standard error; `None` is /dev/null.
    pub err: Option<&'a Path>,
}

pub fn run(invocation: &Invocation, sinks: Sinks, limit: Duration) -> io::Result<Ending> {
    let mut command = Command::new(&invocation.program);
    command.args(&invocation.args).env_clear().env("LC_ALL", &invocation.locale);
    for name in ["PATH", "HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    let (stdin, feeder) = open_input(&invocation.input)?;
    command.stdin(stdin).stdout(open_sink(sinks.out)?).stderr(open_sink(sinks.err)?);
    forget_peak();
    let started = Instant::now();
    let child = command.spawn();
    // Its copy of the pipe's end would hide a closed reader from the feeder.
    drop(command);
    let ended = child.and_then(|child| wait_at_most(child, limit));
    let wall = started.elapsed();
    if let Some(mut feeder) = feeder {
        let _ = feeder.kill();
        feeder.wait()?;
    }
    let is_good = |code| code == 0 || Some(code) == invocation.also_good;
    Ok(match ended? {
        None => Ending::TooSlow,
        Some(used) if used.status.code().is_some_and(is_good) => Ending::Done(Sample {
            cpu: used.rusage.utime + used.rusage.stime,
            wall,
            peak_kib: used.rusage.maxrss / 1024,
        }),
        Some(used) => Ending::Failed(used.status.code()),
    })
}

/// Resets this program's peak: new processes inherit it.
fn forget_peak() {
    // Only on Linux, if configured.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn open_sink(path: Option<&Path>) -> io::Result<Stdio> {
    Ok(match path {
        Some(path) => File::create(path)?.into(),
        None => Stdio::null(),
    })
}

fn open_input(input: &Input) -> io::Result<(Stdio, Option<Child>)> {
    match input {
        Input::Null => Ok((Stdio::null(), None)),
        Input::File(path) => Ok((File::open(path)?.into(), None)),
        Input::Pipe(path) => {
            let mut feeder = Command::new("cat")
                .arg(path)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .spawn()?;
            let pipe: Option<ChildStdout> = feeder.stdout.take();
            Ok((pipe.map_or_else(Stdio::null, Stdio::from), Some(feeder)))
        }
    }
}

/// `None` if it was killed. The child is reaped only after the watchdog has ended, so its id is
/// still valid.
fn wait_at_most(child: Child, limit: Duration) -> io::Result<Option<ResUse>> {
    let pid = Pid::from_child(&child);
    let (done, watch) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        let expired = watch.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        if expired {
            let _ = kill_process(pid, Signal::KILL);
        }
        expired
    });
    while let Err(error) = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
        if error != rustix::io::Errno::INTR {
            return Err(error.into());
        }
    }
    drop(done);
    let expired = watchdog.join().unwrap_or(false);
    let used = child.wait4()?;
    Ok((!expired).then_some(used))
}

/// On the last available core; gives whether that worked.
#[cfg(target_os = "linux")]
pub fn pin_to_one_core() -> bool {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return false };
    // Interrupts and other work tend to be on the first cores.
    let Some(last) = (0..CpuSet::MAX_CPU).rev().find(|&core| allowed.is_set(core)) else {
        return false;
    };
    let mut one = CpuSet::new();
    one.set(last);
    sched_setaffinity(None, &one).is_ok()
}

#[cfg(not(target_os = "linux"))]
pub fn pin_to_one_core() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, input: Input) -> Invocation {
        Invocation {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            locale: "C".into(),
            input,
            needs_file: false,
            also_good: None,
        }
    }

    const NOWHERE: Sinks = Sinks { out: None, err: None };
    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_run_reports_time_and_memory() {
        let Ok(Ending::Done(sample)) = run(&shell("exit 0", Input::Null), NOWHERE, MINUTE) else {
            panic!("ran")
        };
        assert!(sample.cpu > Duration::ZERO && sample.wall > Duration::ZERO && sample.peak_kib > 0);
    }

    #[test]
    fn a_failing_status_is_kept() {
        assert!(matches!(
            run(&shell("exit 3", Input::Null), NOWHERE, MINUTE),
            Ok(Ending::Failed(Some(3)))
        ));
    }

    #[test]
    fn a_status_that_means_no_match_is_good() {
        let invocation = Invocation { also_good: Some(1), ..shell("exit 1", Input::Null) };
        assert!(matches!(run(&invocation, NOWHERE, MINUTE), Ok(Ending::Done(_))));
    }

    #[test]
    fn a_run_past_the_limit_is_ended() {
        let begun = Instant::now();
        let ending = run(&shell("exec sleep 30", Input::Null), NOWHERE, Duration::from_millis(50));
        assert!(matches!(ending, Ok(Ending::TooSlow)));
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_pipe_feeds_the_file_and_output_lands_in_the_sink() {
        let folder =
            std::env::temp_dir().join(format!("riverhawk-bench-measure-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("made");
        let (from, to) = (folder.join("in"), folder.join("out"));
        std::fs::write(&from, "one\ntwo\n").expect("written");
        let sinks = Sinks { out: Some(&to), err: None };
        let ending = run(&shell("cat; test ! -f /dev/stdin", Input::Pipe(from)), sinks, MINUTE);
        assert!(matches!(ending, Ok(Ending::Done(_))), "{ending:?}");
        assert_eq!(std::fs::read_to_string(&to).expect("there"), "one\ntwo\n");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
