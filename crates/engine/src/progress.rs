//! Shows the progress in the input on standard error.
//!
//! Twice a second a timer of the pool reads a counter and rewrites one line, only on a terminal and
//! after the first second. Before the program writes, the line is erased ([`StatusLine`]).

use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use riverhawk_awkio::StatusLine;
use riverhawk_pool::{Timer, process};

pub(crate) struct Progress {
    bytes: Arc<AtomicU64>,
    line: Arc<StatusLine>,
    shown: Option<Shown>,
}

struct Shown {
    timer: Timer,
    /// Locked while the line is drawn; true after the last time.
    is_over: Arc<Mutex<bool>>,
}

const TICK: Duration = Duration::from_millis(500);

/// For a terminal whose width is unknown.
const USUAL_COLUMNS: usize = 80;

impl Progress {
    /// The total is the size of regular files among the operands, or of the standard input. Without
    /// any, only the bytes read are shown.
    pub fn begin(operands: &[Vec<u8>]) -> Progress {
        let (bytes, line) = (Arc::new(AtomicU64::new(0)), Arc::new(StatusLine::default()));
        let shown = std::io::stderr()
            .is_terminal()
            .then(|| show(bytes.clone(), line.clone(), size_of(operands)));
        Progress { bytes, line, shown: shown.flatten() }
    }

    pub fn bytes(&self) -> Arc<AtomicU64> {
        self.bytes.clone()
    }

    pub fn line(&self) -> Option<&Arc<StatusLine>> {
        self.shown.as_ref().map(|_| &self.line)
    }
}

fn show(bytes: Arc<AtomicU64>, shown: Arc<StatusLine>, total: u64) -> Option<Shown> {
    let is_over = Arc::<Mutex<bool>>::default();
    let (began, ended) = (Instant::now(), is_over.clone());
    let tick = move || {
        let is_over = ended.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = began.elapsed();
        if !*is_over && elapsed > 2 * TICK {
            // The last column stays empty, since some terminals wrap after it.
            shown.draw(&line(bytes.load(Ordering::Relaxed), total, elapsed, columns() - 1));
        }
    };
    let timer = process::handle().every(TICK, tick);
    Some(Shown { timer, is_over })
}

/// Asked each time, since the window may have been resized.
fn columns() -> usize {
    let size = riverhawk_system::termios::tcgetwinsize(riverhawk_system::stdio::stderr());
    size.map(|size| usize::from(size.ws_col))
        .ok()
        .filter(|&columns| columns > 1)
        .unwrap_or(USUAL_COLUMNS)
}

fn size_of(operands: &[Vec<u8>]) -> u64 {
    let sizes =
        operands.iter().filter_map(|operand| std::fs::metadata(OsStr::from_bytes(operand)).ok());
    let files = sizes.filter(|file| file.is_file()).map(|file| file.len()).sum();
    let is_file = |stat: &riverhawk_system::fs::Stat| {
        riverhawk_system::fs::FileType::from_raw_mode(stat.st_mode).is_file()
    };
    let stdin = || {
        riverhawk_system::fs::fstat(riverhawk_system::stdio::stdin())
            .ok()
            .filter(is_file)
            .map_or(0, |stat| stat.st_size as u64)
    };
    let reads_stdin = files == 0 || operands.iter().any(|operand| operand == b"-");
    if reads_stdin { files + stdin() } else { files }
}

/// The line is erased when this returns.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Shown { timer, is_over }) = self.shown.take() {
            timer.cancel();
            // Waits for a line that is being drawn.
            *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.line.wipe();
        }
    }
}

/// `312.5 MB of 1.0 GB, 31%, 156.2 MB/s, 0:04 left`, or as much of it as fits.
fn line(read: u64, total: u64, elapsed: Duration, columns: usize) -> String {
    let forms = forms(read, total, elapsed);
    forms.into_iter().find(|form| form.len() <= columns).unwrap_or_default()
}

fn forms(read: u64, total: u64, elapsed: Duration) -> Vec<String> {
    let rate = read as f64 / elapsed.as_secs_f64().max(1e-3);
    let speed = format!("{}/s", size(rate));
    if total == 0 || read > total {
        let read = size(read as f64);
        return vec![format!("{read}, {speed}"), read];
    }
    let percent = read.saturating_mul(100) / total;
    let left = if rate > 0.0 { (total - read) as f64 / rate } else { 0.0 };
    let left = left.round() as u64;
    let left = match (left / 3600, left / 60 % 60, left % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    };
    let of = format!("{} of {}", size(read as f64), size(total as f64));
    vec![
        format!("{of}, {percent}%, {speed}, {left} left"),
        format!("{of}, {percent}%, {left} left"),
        format!("{percent}%, {left} left"),
        format!("{percent}%"),
    ]
}

/// In the unit that has one to three digits before the point.
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
        let line = |read, total, seconds| line(read, total, Duration::from_secs(seconds), 79);
        assert_eq!(
            line(312_500_000, 1_000_000_000, 2),
            "312.5 MB of 1.0 GB, 31%, 156.2 MB/s, 0:04 left"
        );
        assert_eq!(line(1_000, 10_000_000, 1), "1.0 kB of 10.0 MB, 0%, 1.0 kB/s, 2:46:39 left");
        assert_eq!(line(0, 10, 1), "0 B of 10 B, 0%, 0 B/s, 0:00 left");
        assert_eq!(line(5_000_000, 0, 1), "5.0 MB, 5.0 MB/s");
        assert_eq!(line(20, 10, 1), "20 B, 20 B/s");
        assert_eq!(line(10, 10, 0), "10 B of 10 B, 100%, 10.0 kB/s, 0:00 left");
    }

    #[test]
    fn a_narrow_terminal_gets_less() {
        let line = |columns| line(312_500_000, 1_000_000_000, Duration::from_secs(2), columns);
        assert_eq!(line(44), "312.5 MB of 1.0 GB, 31%, 0:04 left");
        assert_eq!(line(20), "31%, 0:04 left");
        assert_eq!(line(5), "31%");
        assert_eq!(line(2), "");
    }

    #[test]
    fn it_ends_when_it_is_dropped() {
        let progress = Progress::begin(&[]);
        progress.bytes().fetch_add(1, Ordering::Relaxed);
        drop(progress);
    }
}
