//! The same programs interpreted, and as machine code entered at each loop's first iteration and
//! each function's first call: the same output, errors, backtraces and status.

mod falling_back;
mod inlining;
mod integers;
mod operations;
mod packed;
mod run;
mod slots;
mod views;
