//! Streams read ahead by a task of the pool, a bounded number of parts at a time.

use super::helpers::Helper;
use riverhawk_parallel::{StreamCutter, StreamPart};
use riverhawk_pool::{Handle, Receiver, blocking, channel};
use riverhawk_stream::{Room, Source};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone)]
pub(super) struct Arrivals(Receiver<StreamPart>);

impl Arrivals {
    /// Reads at most `ahead` parts ahead.
    pub fn start(pool: &Handle, parts: StreamCutter, ahead: usize, helper: Helper) -> Arrivals {
        let (sender, receiver) = channel(Some(ahead));
        let read = move || {
            // The helper is dropped last.
            let (helper, mut parts) = (helper, parts);
            let _entered = helper.enter();
            // The run may be over while input is still awaited.
            while let Some(part) = blocking(|| parts.next_part(|| !sender.is_closed())) {
                let is_last = matches!(part, StreamPart::Last(_) | StreamPart::Failed(..));
                if sender.send(part).wait().is_err() || is_last {
                    return;
                }
            }
        };
        pool.spawner().name("input").run(read);
        Arrivals(receiver)
    }

    /// Waits for the next part or the end; false after this time.
    pub fn wait(&self, time: Duration) -> bool {
        self.0.wait_ready(time)
    }

    pub fn take(&self) -> Option<StreamPart> {
        self.0.try_receive()
    }

    pub fn end(&self) {
        self.0.close();
    }
}

/// The rest of a stream: parts already taken, then later ones.
pub(super) struct Remainder {
    parts: VecDeque<Arc<[u8]>>,
    /// Bytes read of the first part.
    at: usize,
    failure: Option<io::Error>,
    arrivals: Arrivals,
}

impl Remainder {
    pub fn new(
        parts: VecDeque<Arc<[u8]>>,
        failure: Option<io::Error>,
        arrivals: Arrivals,
    ) -> Remainder {
        Remainder { parts, at: 0, failure, arrivals }
    }
}

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
            match self.arrivals.0.receive().wait() {
                Some(
                    StreamPart::Piece(part) | StreamPart::AtOnce(part) | StreamPart::Last(part),
                ) => self.parts.push_back(part),
                Some(StreamPart::Failed(part, failure)) => {
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
    use crate::parallel::helpers::Helpers;
    use riverhawk_awkio::cancel::ProcessOwner;
    use riverhawk_parallel::Stream;
    use riverhawk_pool::Pool;
    use riverhawk_stream::MemorySource;

    struct Broken(MemorySource, bool);

    impl Source for Broken {
        fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
            match self.0.read(room)? {
                0 if !std::mem::replace(&mut self.1, true) => Err(io::Error::other("broken")),
                count => Ok(count),
            }
        }
    }

    fn parts(source: impl Source + 'static) -> StreamCutter {
        let cut = riverhawk_parallel::Cut::Byte(b'\n');
        let stream =
            Stream { operand: None, name: b"-".to_vec(), source: Box::new(source), waits_on: None };
        StreamCutter::new(stream, cut.finder(), 1000)
    }

    #[test]
    fn the_remainder_is_what_was_taken_and_what_comes_and_why_no_more_does() {
        let pool = Pool::new();
        let lines = "a line of text\n".repeat(5000);
        let broken = Broken(MemorySource::new(lines.as_bytes()), false);
        let helper = Helpers::new(ProcessOwner::Host).helper();
        let arrivals = Arrivals::start(&pool, parts(broken), 2, helper);
        let mut taken = VecDeque::new();
        while taken.len() < 3 {
            arrivals.wait(Duration::from_secs(10));
            if let Some(StreamPart::Piece(part) | StreamPart::AtOnce(part)) = arrivals.take() {
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
        let helpers = Helpers::new(ProcessOwner::Host);
        let source = MemorySource::new(lines.as_bytes());
        let arrivals = Arrivals::start(&pool, parts(source), 1, helpers.helper());
        assert!(arrivals.wait(Duration::from_secs(10)));
        arrivals.end();
        helpers.end();
    }
}
