//! What a pool was built with.

use crate::readiness::Readiness;
use crate::thresholds::PoolThresholds;
use crate::watchdog::StuckTask;
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

pub(crate) type Source =
    Box<dyn Fn(Builder, Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> + Send + Sync>;

type OnStuck = Box<dyn Fn(&StuckTask) + Send + Sync>;

pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) cores: usize,
    pub(crate) hard_limit: usize,
    pub(crate) thresholds: PoolThresholds,
    pub(crate) stack_size: usize,
    pub(crate) stuck_after: Option<Duration>,
    pub(crate) on_stuck: Option<OnStuck>,
    pub(crate) source: Source,
    pub(crate) readiness: Option<Arc<dyn Readiness>>,
}
