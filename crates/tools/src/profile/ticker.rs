//! The timer of a profiled run. It has a thread, because the pool's timers are four times too slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A sample costs some 0.3 us: a thousandth of the time, and a run of 250 ms has a thousand
/// samples.
const PERIOD: Duration = Duration::from_micros(250);

/// A timer that sets a byte, until it is dropped.
pub struct Ticker {
    due: Arc<AtomicBool>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Without a thread there is only one sample, at the end.
    pub fn begin() -> Ticker {
        let (due, ends) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let (sets, until) = (due.clone(), ends.clone());
        let ticks = move || {
            while !until.load(Ordering::Relaxed) {
                std::thread::sleep(PERIOD);
                sets.store(true, Ordering::Relaxed);
            }
        };
        let thread = std::thread::Builder::new()
            .name("profile".to_owned())
            .stack_size(64 * 1024)
            .spawn(ticks)
            .ok();
        Ticker { due, ends, thread }
    }

    /// What it sets.
    pub fn due(&self) -> Arc<AtomicBool> {
        self.due.clone()
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It cannot fail.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ticks_until_it_is_dropped() {
        let ticker = Ticker::begin();
        let due = ticker.due();
        while !due.swap(false, Ordering::Relaxed) {
            std::thread::yield_now();
        }
        drop(ticker);
        due.store(false, Ordering::Relaxed);
        std::thread::sleep(4 * PERIOD);
        assert!(!due.load(Ordering::Relaxed));
    }
}
