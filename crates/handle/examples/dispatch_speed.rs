//! One watch of the dispatcher (register, receive the event, deregister) with `mio`, `polling` and
//! poll(2).
//!
//! `cargo run --release -p riverhawk-handle --example dispatch_speed`

use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::time::{Duration, Instant};

const TIMES: u32 = 2_000;
const ROUNDS: usize = 30;

fn best(mut once: impl FnMut() -> io::Result<()>) -> io::Result<f64> {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for _ in 0..TIMES {
            once()?;
        }
        best = best.min(began.elapsed());
    }
    Ok(best.as_secs_f64() * 1e6 / f64::from(TIMES))
}

fn main() -> io::Result<()> {
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(b"x")?;

    let mut poll = mio::Poll::new()?;
    let mut events = mio::Events::with_capacity(256);
    let with_mio = best(|| {
        let number = reader.as_raw_fd();
        let mut source = mio::unix::SourceFd(&number);
        poll.registry().register(&mut source, mio::Token(1), mio::Interest::READABLE)?;
        poll.poll(&mut events, None)?;
        assert_eq!(events.iter().count(), 1);
        poll.registry().deregister(&mut source)
    })?;

    let poller = polling::Poller::new()?;
    let mut events = polling::Events::new();
    let with_polling = best(|| {
        // SAFETY: `reader` outlives the registration, deleted below before the next round.
        unsafe { poller.add(&reader, polling::Event::readable(1))? };
        events.clear();
        poller.wait(&mut events, None)?;
        assert_eq!(events.len(), 1);
        poller.delete(&reader)
    })?;

    let with_poll = best(|| {
        use rustix::event::{PollFd, PollFlags, poll};
        let ready = poll(&mut [PollFd::from_borrowed_fd(reader.as_fd(), PollFlags::IN)], None)?;
        assert_eq!(ready, 1);
        Ok(())
    })?;

    println!("one watch, us (best of {ROUNDS} rounds of {TIMES})");
    println!("  mio      {with_mio:6.2}");
    println!("  polling  {with_polling:6.2}");
    println!("  poll(2)  {with_poll:6.2}");
    Ok(())
}
