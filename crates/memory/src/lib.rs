//! Memory that runs out is an error, not the end of the process.
//!
//! Nearly all code that allocates cannot be told that there is no memory: Rust's vectors end the
//! process then. Therefore
//!
//! - what may grow large grows by [`grow`], [`append`] and [`push`], which leave it as it was if
//!   there is no memory for it;
//! - for everything else there is a *reserve*, kept from the start by [`keep_reserve`] and freed at
//!   the first request that the system refuses; then the request is tried again;
//! - in both cases memory has [run out](ran_out). A run asks for that wherever a program can make
//!   something larger, before the result is used, and ends with an error;
//! - if even the reserve does not suffice, a function is called that ends the process.
//!
//! The reserve and the limits of [accounts](open_account) are those of [`Checked`], which wraps the
//! process's allocator, or two of them [by size](BySize). The reserve is the process's; each run may
//! have an account of its own, so that runs do not see each other's limits.
//!
//! ```
//! use riverhawk_memory::{self as memory, Checked};
//! use std::alloc::System;
//!
//! #[global_allocator]
//! static ALLOCATOR: Checked<System> = Checked(System);
//!
//! let account = memory::open_account(Some(10 << 20)).unwrap();
//! let mut text = vec![b'-'; 6 << 20];
//! assert!(!memory::grow(&mut text, 6 << 20));
//! assert!(memory::ran_out() && memory::reached_limit() == Some(10 << 20));
//! std::thread::spawn(|| assert!(!memory::ran_out())).join().unwrap();
//! drop(account);
//! assert!(memory::grow(&mut text, 6 << 20) && !memory::ran_out());
//! ```

#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod allocator;
#[allow(unsafe_code)]
mod appender;
#[allow(unsafe_code)]
mod by_size;
mod growth;
#[allow(unsafe_code)]
mod short;

pub use allocator::{
    AccountInUse, Checked, NotCounted, Run, SharedAccount, has_reserve, keep_reserve, open_account,
    ran_out, ran_out_at, reached_limit, refusable, run_out, wanted,
};
pub use appender::{Appender, PART};
pub use by_size::{BySize, LARGE_BLOCK};
pub use growth::{
    COPIED_AT_ONCE, Growing, REFUSABLE_SIZE, append, copies, extend, grow, grow_exactly,
    is_available, long_copy, push,
};
pub use short::{append_part, append_within};
