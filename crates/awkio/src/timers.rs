//! What is to happen at a certain time, by one thread for all runs of the process.
//!
//! Not the pool's timers: the pool starts after a sandbox and may be stuck.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Returns when it is to be called again.
type Action = Box<dyn FnMut() -> Option<Instant> + Send>;

/// An action that is planned.
pub(crate) type Key = (Instant, u64);

struct Planned {
    actions: BTreeMap<Key, Action>,
    count: u64,
    /// The process that has the thread: one that was forked since does not.
    process: u32,
}

static PLANNED: Mutex<Planned> =
    Mutex::new(Planned { actions: BTreeMap::new(), count: 0, process: 0 });

static CHANGED: Condvar = Condvar::new();

fn planned() -> MutexGuard<'static, Planned> {
    PLANNED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Planned {
    fn add(&mut self, at: Instant, action: Action) -> Key {
        self.count += 1;
        let key = (at, self.count);
        self.actions.insert(key, action);
        key
    }
}

/// Calls `action` at that time, on the thread of the timers, which the first call starts.
///
/// # Errors
/// No thread can be started.
pub(crate) fn call_at(
    at: Instant,
    action: impl FnMut() -> Option<Instant> + Send + 'static,
) -> io::Result<Key> {
    let mut planned = planned();
    // Where processes have no numbers, there is one.
    let process = riverhawk_system::process_id().unwrap_or(1);
    if planned.process != process {
        std::thread::Builder::new().name("timers".into()).spawn(serve)?;
        // Actions of the parent's runs are not for this process.
        planned.actions.clear();
        planned.process = process;
    }
    let key = planned.add(at, Box::new(action));
    CHANGED.notify_one();
    Ok(key)
}

/// Forgets an action. One that has been called is called once more at most.
pub(crate) fn forget(key: Key) {
    let action = planned().actions.remove(&key);
    drop(action);
}

fn serve() {
    let mut planned = planned();
    loop {
        let now = Instant::now();
        planned = match planned.actions.first_key_value().map(|(key, _)| *key) {
            None => CHANGED.wait(planned).unwrap_or_else(PoisonError::into_inner),
            Some((at, _)) if at > now => {
                CHANGED.wait_timeout(planned, at - now).unwrap_or_else(PoisonError::into_inner).0
            }
            Some(key) => {
                let action = planned.actions.remove(&key);
                drop(planned);
                let again = action.and_then(|mut action| Some((action()?, action)));
                let mut planned = self::planned();
                if let Some((at, action)) = again {
                    planned.add(at, action);
                }
                planned
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn actions_come_in_order_of_time_and_may_come_again() {
        let (sender, called) = mpsc::channel();
        let now = Instant::now();
        let after = move |milliseconds| now + Duration::from_millis(milliseconds);
        let mut left = 2;
        let first = sender.clone();
        call_at(after(40), move || {
            first.send("late").unwrap();
            None
        })
        .unwrap();
        let again = sender.clone();
        call_at(after(5), move || {
            again.send("again").unwrap();
            left -= 1;
            (left > 0).then(|| after(10))
        })
        .unwrap();
        let forgotten = call_at(after(20), move || {
            sender.send("forgotten").unwrap();
            None
        });
        forget(forgotten.unwrap());
        assert_eq!(called.iter().collect::<Vec<_>>(), ["again", "again", "late"]);
    }
}
