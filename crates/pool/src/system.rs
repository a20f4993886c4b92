//! The supervisor's system calls.

use std::time::Duration;

#[cfg(unix)]
pub(crate) fn process_cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).ok()
}

#[cfg(not(unix))]
pub(crate) fn process_cpu_time() -> Option<Duration> {
    None
}

/// The number of this process; 1 in WebAssembly, where it is the only one.
pub(crate) fn process_number() -> u32 {
    #[cfg(target_family = "wasm")]
    return 1;
    #[cfg(not(target_family = "wasm"))]
    return std::process::id();
}

/// The system's thread id, or 0.
pub(crate) fn thread_number() -> i32 {
    #[cfg(target_os = "linux")]
    return rustix::thread::gettid().as_raw_nonzero().get();
    #[cfg(not(target_os = "linux"))]
    return 0;
}

/// Whether a thread runs or would run on a free core. Linux only: field 3 of `stat`.
pub(crate) fn is_runnable(thread: i32) -> Option<bool> {
    if thread == 0 {
        return None;
    }
    let stat = std::fs::read(format!("/proc/self/task/{thread}/stat")).ok()?;
    // The name, in parentheses, may contain parentheses and blanks.
    let after_name = stat.iter().rposition(|&byte| byte == b')')? + 2;
    Some(*stat.get(after_name)? == b'R')
}

/// None if one of them is unknown.
pub(crate) fn count_runnable(threads: impl Iterator<Item = i32>) -> Option<usize> {
    let mut runnable = 0;
    for thread in threads {
        runnable += usize::from(is_runnable(thread)?);
    }
    Some(runnable)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::sync::mpsc;
    use std::time::Instant;

    #[test]
    fn process_cpu_time_grows_with_work() {
        let before = process_cpu_time().unwrap();
        let start = Instant::now();
        while process_cpu_time().unwrap() - before < Duration::from_millis(20) {
            black_box(0);
            assert!(start.elapsed() < Duration::from_secs(60), "20 ms of CPU time within a minute");
        }
    }

    /// Fields 14 and 15 of `stat`, in ticks of 10 ms.
    fn accounted() -> Duration {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let ticks = stat.rsplit_once(')').unwrap().1.split_whitespace().skip(11).take(2);
        Duration::from_millis(ticks.map(|ticks| ticks.parse::<u64>().unwrap() * 10).sum())
    }

    #[test]
    fn process_cpu_time_is_within_five_percent_of_the_kernel_s_account() {
        let before = process_cpu_time().unwrap();
        while process_cpu_time().unwrap() - before < Duration::from_millis(300) {
            black_box(0);
        }
        // The tolerance covers other threads and rounding to ticks.
        let (low, account, high) =
            (process_cpu_time().unwrap(), accounted(), process_cpu_time().unwrap());
        assert!(
            account.mul_f64(1.05) + Duration::from_millis(20) >= low,
            "{low:?} {account:?} {high:?}"
        );
        assert!(
            account <= high.mul_f64(1.05) + Duration::from_millis(20),
            "{low:?} {account:?} {high:?}"
        );
    }

    #[test]
    fn thread_that_asks_is_runnable_and_one_that_waits_is_not() {
        assert_eq!(is_runnable(thread_number()), Some(true));
        let (number, numbers) = mpsc::channel();
        let (let_go, wait) = mpsc::channel::<()>();
        let waiting = std::thread::Builder::new().name("a) R (b".into()).spawn(move || {
            number.send(thread_number()).unwrap();
            let _ = wait.recv();
        });
        let thread = numbers.recv().unwrap();
        while is_runnable(thread) != Some(false) {
            std::thread::yield_now();
        }
        drop(let_go);
        waiting.unwrap().join().unwrap();
    }
}
