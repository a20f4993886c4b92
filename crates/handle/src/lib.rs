//! Handles that any thread may use: files, pipes, child processes, sockets, terminals, standard
//! streams.
//!
//! **What it is.** A [`Handle`] is read, written, or both. It may be opened on one thread, read on
//! another and closed on a third; clones are the same handle. Its directions have a lock each, and
//! closing ends a blocked reader at once. It gives bytes, lines and characters in any encoding of
//! `riverhawk-text`, in turns. Prints are never torn, and every failure comes out, typed and with
//! the handle's name.
//!
//! **What it is not.** No asynchronous runtime: calls block their thread (in a worker of
//! `riverhawk-pool` a declared wait), or a task awaits readiness. Records are `riverhawk-stream`'s,
//! over [`Handle::source`]; whole files `riverhawk-slurp`'s. UNIX only, run on Linux only so far.
//!
//! **Main nouns.**
//!
//! | | |
//! |---|---|
//! | [`Handle`] | anything open; [`Reader`] and [`Writer`] are its directions, held for several calls |
//! | [`OpenOptions`] | how a file is opened |
//! | [`Spawn`] | a child process to be started; [`Child`] one that runs; [`Ended`] how it ended |
//! | [`Connect`], [`Listener`] | sockets; [`InetName`] gawk's names for them |
//! | [`Chain`] | several inputs read as one |
//! | [`Device`] | two primitives from which a handle can be made of anything |
//! | [`Dispatcher`] | the one thread that waits for readiness, children and [`Signals`] |
//! | [`Error`] | what failed, on what, while doing what |
//!
//! ```
//! use riverhawk_handle::{Handle, Spawn};
//! use std::thread;
//!
//! // A coprocess: one thread writes to it while another is blocked reading from it.
//! let sort = Spawn::argv(["sort", "-n"]).coprocess()?;
//! let reader = sort.clone();
//! let reading = thread::spawn(move || reader.lines().collect::<Result<Vec<_>, _>>());
//! for number in [30, 4, 100] {
//!     sort.print(&number.to_string())?;
//! }
//! sort.close_writing()?; // its input ends, its output is still read
//! assert_eq!(reading.join().unwrap()?, ["4", "30", "100"]);
//! assert!(sort.close()?.is_some_and(|ended| ended.is_success()));
//!
//! // Failures are never silent.
//! let full = Handle::create("/dev/full")?;
//! let error = full.print("anything").unwrap_err();
//! assert_eq!(error.to_string(), "cannot write to \"/dev/full\": No space left on device");
//! # Ok::<(), riverhawk_handle::Error>(())
//! ```
//!
//! Awaiting instead of blocking, as a task of the pool:
//!
//! ```
//! use riverhawk_handle::Handle;
//! use riverhawk_pool::Pool;
//!
//! let pool = Pool::new();
//! let (reader, writer) = Handle::pipe()?;
//! let task = pool.spawn_future(async move { reader.receive_when_ready(100).await });
//! writer.write(b"come at last")?;
//! assert_eq!(task.wait().unwrap()?, b"come at last");
//! # Ok::<(), riverhawk_handle::Error>(())
//! ```
//!
//! # Guarantees
//! - **Threads.** Every operation may be called on any thread. One piece ([`Handle::write`],
//!   [`print`](Handle::print), [`write_pieces`](Handle::write_pieces)) is not torn by another
//!   thread's; each line is read by one thread, whole.
//! - **Closing** ends blocked reads and accepts with [`ErrorKind::Closed`] and waits for a write
//!   under way, which [`Handle::abort`] ends too. (If another process takes the bytes between our
//!   asking and our reading, that read waits for the next ones.)
//! - **Nothing is lost.** Interrupted calls are made again, short writes go on. After a timeout the
//!   handle is as it was. What a decoder holds goes back to bytes, on pipes too.
//! - **No silent failure.** A failed write is reported once: at that write, or at the flush or
//!   close that found out; by [`close_all`] for handles that were dropped.
//! - **Children** leave no zombie, inherit no descriptor, start with an empty signal mask and
//!   SIGPIPE at its default, and are not killed.
//! - **Other processes**: an inherited descriptor is never made non-blocking.
//! - **Memory.** A block of 64 KiB for reading, more while a record is longer; up to
//!   [`DEFAULT_BUFFER`] for writing. A handle that was never used has neither.
//! - **Unsafe code.** One block of two system calls, between fork and exec, for a child on a
//!   terminal.
//!
//! # Beside the usual choices
//! `examples/handle_speed.rs` prints times beside the standard library's.
//!
//! - **`std::process`**, which this crate uses, leaves zombies where `wait` is forgotten, knows no
//!   terminals, and waits on one thread. Using both directions of a child on one thread can
//!   deadlock with either.
//! - **`std::net`, `std::os::unix::net`** cannot end another thread's blocked read or accept, and
//!   know no service names.
//! - **`BufReader`, `BufWriter`** belong to one thread or one lock for both directions; `BufWriter`
//!   loses the failure of its last flush when dropped; `lines` knows one encoding and loses the
//!   line that fails.
//! - **`tokio`** and its kin wait for thousands at once and want everything above to be `async`.

#![deny(unsafe_code)]

mod ahead;
mod chain;
mod device;
mod dispatcher;
mod error;
mod gate;
mod handle;
mod inet;
mod net;
mod open_handles;
mod process;
mod read_side;
mod registry;
mod standard;
mod wake;
mod write_side;

pub use chain::Chain;
pub use device::{Device, Wait};
pub use dispatcher::{Dispatcher, Ready, Signals};
pub use error::{Action, Error, ErrorKind, Name};
pub use handle::{Handle, HandleSource, Lines, LockKind, OpenOptions, Reader, Writer};
pub use inet::{InetError, InetName, InetProtocol, Retry};
pub use net::{Connect, Family, HostPortError, Listener, split_host_port};
pub use open_handles::close_all;
pub use process::{Child, ChildEnd, Ended, Process, Redirect, Spawn};
pub use registry::open_handles;
pub use riverhawk_pool::Interest;

/// Bytes of output held back by default. Terminals have none.
pub const DEFAULT_BUFFER: usize = riverhawk_stream::OUTPUT_BLOCK;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
