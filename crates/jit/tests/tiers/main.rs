//! The same programs, interpreted and as machine code that is entered at the first turn of each
//! loop and the first call of each function: the same output, the same errors with the same
//! backtraces, the same status.

mod falling_back;
mod inlining;
mod integers;
mod operations;
mod packed;
mod run;
mod slots;
mod views;
