//! Handles that any thread may use: files, pipes, child processes, sockets, terminals, standard
//! streams.
//!
//! **What it is.** A [`Handle`] is read, written, or both. It may be opened on one thread, read on
//! another and closed on a third; clones are the same handle. Its two directions have a lock each,
//! so a blocked reader never stops a writer, and closing ends a blocked reader at once. Bytes lie
//! below and a decoder above: the same handle gives bytes, lines and characters in any encoding of
//! `riverhawk-text`, in turns. What is written is held back by exact rules, whole prints
//! are never torn, and every failure comes out, typed and with the handle's name in it.
//!
//! **What it is not.** No asynchronous runtime: calls block the thread that makes them (in a worker
//! of `riverhawk-pool` that is a declared wait, which costs no worker), or a task awaits readiness.
//! No regular expressions and no records: those are `riverhawk-stream`'s, over [`Handle::source`].
//! No whole-file convenience: `riverhawk-slurp`. UNIX only, and run on Linux only so far.
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
//! - **Threads.** Every operation may be called on any thread at any time. One piece that is
//!   written ([`Handle::write`], [`print`](Handle::print), [`write_pieces`](Handle::write_pieces))
//!   is not torn by another thread's. Each line is read by one thread, whole.
//! - **Closing** ends blocked reads and accepts with [`ErrorKind::Closed`]; it waits for a write
//!   under way, since bytes that were accepted are not given up. [`Handle::abort`] ends that, too.
//!   (A read of a descriptor that is shared with another process, which takes the bytes between our
//!   asking and our reading, waits for the next ones.)
//! - **Nothing is lost.** Short and interrupted writes go on, interrupted reads are tried again.
//!   After a timeout the handle is as it was, half lines included. What a decoder holds goes back
//!   to bytes, on pipes too.
//! - **No silent failure.** A write that failed is told at that write, or at the flush or close
//!   that found out: once. Also for handles that were just dropped: [`close_all`].
//! - **Children** leave no zombie and no descriptor, inherit none of ours, start with an empty
//!   signal mask and SIGPIPE at its default, and are killed by nobody.
//! - **Other processes** do not notice: a descriptor that was inherited is never made non-blocking.
//! - **Memory.** A handle that is read holds one block of 64 KiB, more only while a record is
//!   longer; one that is written up to [`DEFAULT_BUFFER`]. An idle handle that was never used holds
//!   neither, and no descriptor beside its own.
//! - **Unsafe code.** One block of two system calls, between fork and exec, for a child on a
//!   terminal.
//!
//! # Beside the usual choices
//! `examples/handle_speed.rs` prints a table of times beside the standard library's for your
//! machine.
//!
//! - **`std::process`** starts children just as fast (this crate uses it). It leaves zombies where
//!   `wait` is forgotten, knows no terminals, and waits on one thread. Using both directions of a
//!   child on one thread can deadlock with either; use another thread or a task.
//! - **`std::net`, `std::os::unix::net`** cannot end another thread's blocked read or accept, and
//!   know no service names.
//! - **`BufReader`, `BufWriter`** belong to one thread or need a lock around them, which is then
//!   one for both directions; `BufWriter` swallows the failure of its last flush when it is
//!   dropped; `lines` knows one encoding and loses the line that fails.
//! - **`tokio`** and its kin wait for thousands at once at little cost and want everything above to
//!   be `async`. Here blocking code stays as it is, and few threads wait.

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
