//! The start of the process: the cost of one-liners in a shell loop.

use super::Row;
use crate::data::USERS;

/// Their sum is well above the clock's resolution, and noise averages out.
const STARTS: u32 = 200;

pub fn rows() -> Vec<Row> {
    vec![
        Row::computes("startup", "start, do nothing, exit", "BEGIN {}")
            .of_mawk(1.5)
            .repeated(STARTS)
            .perl(&["-e"], "1")
            .python("pass")
            .ruby(&[], "nil")
            .lua("return")
            .raku("0"),
        Row::computes(
            "startup-hello",
            "start, print a line",
            "BEGIN { printf \"%s %d\\n\", \"hello\", 42 }",
        )
        .of_mawk(1.5)
        .repeated(STARTS)
        .perl(&["-e"], "printf qq(%s %d\\n), 'hello', 42"),
        Row::reads(
            "first-line",
            "start, print the first line of a file",
            &[USERS],
            "{ print $2; exit }",
        )
        .of_mawk(1.5)
        .repeated(STARTS),
    ]
}
