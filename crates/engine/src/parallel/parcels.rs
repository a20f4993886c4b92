//! What a task of the pool reads of a stream, waiting for the leader: a few parcels, so that
//! reading and decoding go on beside the work, and memory is bounded.

use riverhawk_pool::{Pool, blocking};
use riverhawk_stream::{Room, Source};
use riverhawk_vm::parallel::{Parcel, Parcels};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Parcels on their way.
#[derive(Clone)]
pub(super) struct Arrivals {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parcels: VecDeque<Parcel>,
    /// The last parcel has been read, or nobody wants more.
    ended: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Arrivals {
    /// Lets a task of the pool read, at most so many parcels ahead.
    pub fn start(pool: &Pool, mut parcels: Parcels, most: usize) -> Arrivals {
        let state = State { parcels: VecDeque::new(), ended: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let arrivals = Arrivals { shared: shared.clone() };
        let read = move || {
            loop {
                let parcel = blocking(|| parcels.next_parcel());
                let is_last = matches!(parcel, Parcel::Last(_) | Parcel::Failed(..));
                let mut state = shared.lock();
                while state.parcels.len() >= most && !state.ended {
                    drop(state);
                    state = blocking(|| {
                        let mut state = shared.lock();
                        while state.parcels.len() >= most && !state.ended {
                            state =
                                shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                        }
                        state
                    });
                }
                if state.ended {
                    return;
                }
                state.parcels.push_back(parcel);
                state.ended = is_last;
                drop(state);
                shared.changed.notify_all();
                if is_last {
                    return;
                }
            }
        };
        pool.spawner().name("input").run(read);
        arrivals
    }

    /// Waits for the next parcel, at most so long; whether there is one, or will be none any more.
    pub fn wait(&self, time: Duration) -> bool {
        let state = self.shared.lock();
        let waits = |state: &mut State| state.parcels.is_empty() && !state.ended;
        let waited = self.shared.changed.wait_timeout_while(state, time, waits);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !state.parcels.is_empty() || state.ended
    }

    /// The next parcel, if it is there.
    pub fn take(&self) -> Option<Parcel> {
        let parcel = self.shared.lock().parcels.pop_front();
        self.shared.changed.notify_all();
        parcel
    }

    /// Nobody wants more.
    pub fn end(&self) {
        let mut state = self.shared.lock();
        state.ended = true;
        state.parcels.clear();
        self.shared.changed.notify_all();
    }
}

/// All that is left, for one reader: parcels that were taken already, then those that come.
pub(super) struct Remainder {
    parts: VecDeque<Arc<[u8]>>,
    /// Bytes of the first that have been read.
    at: usize,
    failure: Option<io::Error>,
    arrivals: Arrivals,
}

impl Remainder {
    /// Begins with these.
    pub fn new(
        parts: VecDeque<Arc<[u8]>>,
        failure: Option<io::Error>,
        arrivals: Arrivals,
    ) -> Remainder {
        Remainder { parts, at: 0, failure, arrivals }
    }
}

/// Who stops reading wants no more.
impl Drop for Remainder {
    fn drop(&mut self) {
        self.arrivals.end();
    }
}

impl Source for Remainder {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        loop {
            while let Some(part) = self.parts.front() {
                let left = &part[self.at..];
                if !left.is_empty() {
                    let count = room.append(left);
                    self.at += count;
                    return Ok(count);
                }
                self.parts.pop_front();
                self.at = 0;
            }
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            while !self.arrivals.wait(Duration::from_secs(3600)) {}
            match self.arrivals.take() {
                Some(Parcel::Piece(part) | Parcel::AtOnce(part) | Parcel::Last(part)) => {
                    self.parts.push_back(part)
                }
                Some(Parcel::Failed(part, failure)) => {
                    self.parts.push_back(part);
                    self.failure = Some(failure);
                }
                None => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_stream::MemorySource;
    use riverhawk_vm::parallel::Stream;

    /// A source that fails behind some lines.
    struct Broken(MemorySource, bool);

    impl Source for Broken {
        fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
            match self.0.read(room)? {
                0 if !std::mem::replace(&mut self.1, true) => Err(io::Error::other("broken")),
                count => Ok(count),
            }
        }
    }

    fn parcels(source: impl Source + 'static) -> Parcels {
        let cut = riverhawk_vm::parallel::Cut::Byte(b'\n');
        let stream =
            Stream { operand: None, name: b"-".to_vec(), source: Box::new(source), waits_on: None };
        Parcels::new(stream, cut.finder(), 1000)
    }

    #[test]
    fn the_remainder_is_what_was_taken_and_what_comes_and_why_no_more_does() {
        let pool = Pool::new();
        let lines = "a line of text\n".repeat(5000);
        let broken = Broken(MemorySource::new(lines.as_bytes()), false);
        let arrivals = Arrivals::start(&pool, parcels(broken), 2);
        let mut taken = VecDeque::new();
        while taken.len() < 3 {
            arrivals.wait(Duration::from_secs(10));
            if let Some(Parcel::Piece(part) | Parcel::AtOnce(part)) = arrivals.take() {
                taken.push_back(part);
            }
        }
        let mut rest = Remainder::new(taken, None, arrivals);
        let mut all = Vec::new();
        let failure = loop {
            all.reserve(700);
            match rest.read(&mut Room::new(&mut all, 700)) {
                Ok(count) => assert_ne!(count, 0, "the failure comes before the end"),
                Err(failure) => break failure,
            }
        };
        assert_eq!((all == lines.as_bytes(), failure.to_string().as_str()), (true, "broken"));
    }

    #[test]
    fn who_wants_no_more_is_not_kept_by_what_is_still_to_come() {
        let pool = Pool::new();
        let lines = "a line of text\n".repeat(5000);
        let arrivals = Arrivals::start(&pool, parcels(MemorySource::new(lines.as_bytes())), 1);
        assert!(arrivals.wait(Duration::from_secs(10)));
        arrivals.end();
        // Dropping the pool waits for the task.
    }
}
