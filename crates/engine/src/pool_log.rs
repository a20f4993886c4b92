//! The settings of the process's pool, and `--pool-log`.

use crate::Optimiser;
use riverhawk_awkio::Reason;
use riverhawk_pool::{LogLevel, Pool, process};
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct PoolLog(Arc<Mutex<File>>);

/// Configures the pool unless an earlier run of the process has: the number of workers, by default
/// that of cores, and the log.
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

/// A single write for each line, so that a concurrent reader finds whole lines.
fn write(file: &Mutex<File>, line: impl std::fmt::Display) {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = file.write_all(format!("{line}\n").as_bytes());
}

/// Logs the final usage of the pool.
impl Drop for PoolLog {
    fn drop(&mut self) {
        write(&self.0, process::handle().usage());
    }
}
