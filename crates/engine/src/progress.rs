//! How far the input has been read, on standard error.
//!
//! A timer of a pool looks at a counter twice a second and rewrites one line. Nothing is shown unless standard error is a terminal, nothing
//! during the first second, and the line is wiped out at the end, so nothing of it is ever mixed into what the program writes.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use riverhawk_pool::{Pool, Shutdown};

/// Shows progress as long as it lives.
#[derive(Debug)]
pub(crate) struct Progress {
    bytes: Arc<AtomicU64>,
    /// The pool whose timer shows it, and whether anything has been shown; none without a terminal.
    shown: Option<(Pool, Arc<AtomicBool>)>,
}

/// The line is rewritten this often.
const TICK: Duration = Duration::from_millis(500);

impl Progress {
    /// Begins to show it. What there is to read is what the operands that are regular files have in them; if they are none, only
    /// what has been read is shown.
    pub fn begin(operands: &[OsString]) -> Progress {
        let bytes = Arc::new(AtomicU64::new(0));
        let sizes = operands.iter().filter_map(|operand| std::fs::metadata(operand).ok());
        let total = sizes.filter(|file| file.is_file()).map(|file| file.len()).sum();
        let show = |bytes: Arc<AtomicU64>| {
            let (any, began) = (Arc::new(AtomicBool::new(false)), Instant::now());
            let pool = Pool::builder().name("progress").build().ok()?;
            let said = any.clone();
            let tick = move || {
                let elapsed = began.elapsed();
                if elapsed > 2 * TICK {
                    said.store(true, Ordering::Relaxed);
                    say(&format!("\r{}\x1b[K", line(bytes.load(Ordering::Relaxed), total, elapsed)));
                }
            };
            pool.every(TICK.as_secs_f64(), tick).ok()?;
            Some((pool, any))
        };
        let shown = std::io::stderr().is_terminal().then(|| show(bytes.clone()));
        Progress { bytes, shown: shown.flatten() }
    }

    /// Where the bytes read are to be counted.
    pub fn bytes(&self) -> Arc<AtomicU64> {
        self.bytes.clone()
    }
}

/// The line is gone when this returns.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((pool, any)) = self.shown.take() {
            // Waits for a line that is being written; the timer does not fire again. A panic there has cost nothing but the line.
            let _ = pool.shutdown(Shutdown::Discard);
            if any.load(Ordering::Relaxed) {
                say("\r\x1b[K");
            }
        }
    }
}

/// A terminal that has gone away is no reason to fail.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// `312.5 MB of 1.0 GB, 31%, 156.2 MB/s, 0:04 left`.
fn line(read: u64, total: u64, elapsed: Duration) -> String {
    let rate = read as f64 / elapsed.as_secs_f64().max(1e-3);
    let speed = format!("{}/s", size(rate));
    if total == 0 || read > total {
        return format!("{}, {speed}", size(read as f64));
    }
    let percent = read.saturating_mul(100) / total;
    let left = if rate > 0.0 { (total - read) as f64 / rate } else { 0.0 };
    let left = left.round() as u64;
    let left = match (left / 3600, left / 60 % 60, left % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    };
    format!("{} of {}, {percent}%, {speed}, {left} left", size(read as f64), size(total as f64))
}

/// Bytes in the unit that leaves one to three digits before the point.
fn size(bytes: f64) -> String {
    let mut size = bytes;
    for unit in ["B", "kB", "MB", "GB"] {
        if size < 1000.0 {
            return if unit == "B" { format!("{size:.0} B") } else { format!("{size:.1} {unit}") };
        }
        size /= 1000.0;
    }
    format!("{size:.1} TB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_much_how_fast_and_how_long() {
        let seconds = Duration::from_secs;
        assert_eq!(line(312_500_000, 1_000_000_000, seconds(2)), "312.5 MB of 1.0 GB, 31%, 156.2 MB/s, 0:04 left");
        assert_eq!(line(1_000, 10_000_000, seconds(1)), "1.0 kB of 10.0 MB, 0%, 1.0 kB/s, 2:46:39 left");
        assert_eq!(line(0, 10, seconds(1)), "0 B of 10 B, 0%, 0 B/s, 0:00 left");
        assert_eq!(line(5_000_000, 0, seconds(1)), "5.0 MB, 5.0 MB/s");
        assert_eq!(line(20, 10, seconds(1)), "20 B, 20 B/s");
        assert_eq!(line(10, 10, seconds(0)), "10 B of 10 B, 100%, 10.0 kB/s, 0:00 left");
    }

    #[test]
    fn it_ends_when_it_is_dropped() {
        let progress = Progress::begin(&[]);
        progress.bytes().fetch_add(1, Ordering::Relaxed);
        drop(progress);
    }
}
