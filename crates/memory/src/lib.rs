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
//! Reserve and [limit](limit()) are those of [`Checked`], which wraps the process's allocator.
//!
//! ```
//! use riverhawk_memory::{self as memory, Checked};
//! use std::alloc::System;
//!
//! #[global_allocator]
//! static ALLOCATOR: Checked<System> = Checked(System);
//!
//! memory::limit(10 << 20).unwrap();
//! let mut text = vec![b'-'; 6 << 20];
//! assert!(!memory::grow(&mut text, 6 << 20));
//! assert!(memory::ran_out() && memory::reached_limit() == Some(10 << 20));
//! ```

#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod allocator;
mod growth;

pub use allocator::{
    Checked, NotCounted, Run, has_reserve, keep_reserve, limit, ran_out, ran_out_at, reached_limit,
    refusable, run_out, wanted,
};
pub use growth::{Growing, REFUSABLE_SIZE, append, copies, grow, grow_exactly, is_available, push};
