//! How a run wants the process's pool, and `--pool-log`: what that decides, and what it has done
//! when the run ends.

use crate::Optimiser;
use riverhawk_awkio::Reason;
use riverhawk_pool::{LogLevel, Pool, process};
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// The log of the pool. A line that cannot be written is lost.
pub(crate) struct PoolLog(Arc<Mutex<File>>);

/// Configures the pool, unless an earlier run of the process has used it: for so many workers at
/// once, if not as many as there are cores; with a log, if the options want one.
///
/// # Errors
/// The log cannot be written.
pub(crate) fn configure(
    options: &Optimiser,
    workers: Option<usize>,
) -> Result<Option<PoolLog>, String> {
    if workers.is_none() && options.pool_log.is_none() {
        return Ok(None);
    }
    let mut builder = Pool::builder().stuck_after(None);
    if let Some(workers) = workers {
        builder = builder.cores(workers);
    }
    let mut log = None;
    if let Some(path) = &options.pool_log {
        let file = File::create(path).map_err(|error| {
            format!("cannot write the log {}: {}", path.display(), Reason(&error))
        })?;
        let file = Arc::new(Mutex::new(file));
        log = Some(PoolLog(file.clone()));
        builder = builder.observer(LogLevel::Decisions, move |entry| write(&file, entry));
    }
    process::configure(builder);
    Ok(log)
}

/// One write for a line, so that what reads along sees whole lines.
fn write(file: &Mutex<File>, line: impl std::fmt::Display) {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = file.write_all(format!("{line}\n").as_bytes());
}

/// The run has ended.
impl Drop for PoolLog {
    fn drop(&mut self) {
        write(&self.0, process::handle().usage());
    }
}
