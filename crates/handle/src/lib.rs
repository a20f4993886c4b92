//! Handles that any thread may use: files, pipes, child processes, sockets, terminals, standard
//! streams.
//!
//! A [`Handle`] is read, written, or both, on any thread; clones are the same handle. Each
//! direction has its own lock, and closing ends a blocked read at once. It gives bytes, lines and
//! characters in any encoding of `riverhawk-text`. Prints are never torn, and every failure is
//! reported, typed, with the handle's name.
//!
//! It is no asynchronous runtime: calls block their thread (in a worker of `riverhawk-pool`, a
//! declared wait), or a task awaits readiness. For records see `riverhawk-stream` over
//! [`Handle::source`], for whole files `riverhawk-slurp`. Run only on Linux so far; where there are
//! no child processes, sockets or signals (WebAssembly), those are errors.
//!
//! | | |
//! |---|---|
//! | [`Handle`] | anything open; [`Reader`] and [`Writer`] lock one direction for several calls |
//! | [`OpenOptions`] | how a file is opened |
//! | [`Spawn`] | a child process to start; [`Child`] a running one; [`Ended`] its exit status |
//! | [`Connect`], [`Listener`] | sockets; [`InetName`] gawk's names for them |
//! | [`Chain`] | several inputs read as one |
//! | [`Device`] | a custom handle, from two primitives |
//! | [`Dispatcher`] | the thread that waits for readiness, children and [`Signals`] |
//! | [`Error`] | what failed, on which handle, during which action |
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
//! - **Threads.** Every operation may be called on any thread. Pieces ([`Handle::write`],
//!   [`print`](Handle::print), [`write_pieces`](Handle::write_pieces)) and lines are never torn
//!   between threads.
//! - **Closing** ends blocked reads and accepts with [`ErrorKind::Closed`] and waits for a running
//!   write, which [`Handle::abort`] ends too. (If another process takes the bytes between our poll
//!   and our read, that read waits for the next ones.)
//! - **Nothing is lost.** Interrupted calls are repeated, short writes continued. A timeout changes
//!   nothing. Bytes in a decoder can be read as bytes again, on pipes too.
//! - **No silent failure.** A failed write is reported once: at that write, the next flush or the
//!   close; by [`close_all`] for dropped handles.
//! - **Children** leave no zombie, inherit no descriptor, start with an empty signal mask and
//!   SIGPIPE at its default, and are not killed.
//! - **Other processes**: an inherited descriptor is never made non-blocking.
//! - **Memory.** A block of 64 KiB for reading, more for longer records; up to [`DEFAULT_BUFFER`]
//!   for writing; both allocated at first use.
//! - **Unsafe code.** Two system calls, between fork and exec, for a child on a terminal.
//!
//! # Why not the standard library
//! - **`std::process`**, used here, leaves zombies where `wait` is forgotten, and has no terminals.
//! - **`std::net`** cannot end another thread's blocked read or accept.
//! - **`BufReader`, `BufWriter`** have one lock for both directions; a dropped `BufWriter` loses its
//!   last failure.
//!
//! `examples/handle_speed.rs` compares times.

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
mod system;
mod wake;
mod write_side;

pub use chain::Chain;
pub use device::{Device, Wait};
pub use dispatcher::{Dispatcher, Ready, Signals};
pub use error::{Action, Error, ErrorKind, Name};
pub use handle::{Awaited, Handle, HandleSource, Lines, LockKind, OpenOptions, Reader, Writer};
pub use inet::{InetError, InetName, InetProtocol, Retry};
pub use net::Family;
#[cfg(feature = "network")]
pub use net::{Connect, HostPortError, Listener, split_host_port};
pub use open_handles::close_all;
pub use process::{Child, ChildEnd, Ended, Process, Redirect, Spawn, WeakChild};
pub use registry::open_handles;
pub use riverhawk_pool::Interest;
pub use wake::Wake;

/// Size of an output buffer, in bytes. Terminals have none.
pub const DEFAULT_BUFFER: usize = riverhawk_stream::OUTPUT_BLOCK;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
