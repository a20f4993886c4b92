//! The language corpus: rows of program, input and expected output in files a person can read, and
//! what runs them.
//!
//! A [`Row`] is one small awk program with everything it needs and everything it must produce. Rows
//! live in `corpus/<topic>.awkt`; [`parse`] reads such a file, [`render`] writes it back in
//! canonical form. [`run`] starts one awk on one row under one [`Config`] (window size, file or
//! pipe), in a directory of its own; [`verdict`] compares; [`suite`] does so for many rows on a few
//! threads and prints what failed.
//!
//! Three programs stand on this: the test `corpus` (rhawk, every configuration), the binary
//! `corpus` (any awk) and the binary `record` (asks gawk for the expectations and the other awks
//! for where they differ).
//!
//! What it is not: a unit-test framework. It knows nothing of rhawk's insides and only ever sees a
//! process.
//!
//! # The format
//!
//! A simple row is one line: name, optional words in brackets, a colon, the program, and then
//! sections that each open with a mark of three characters between spaces:
//!
//! ```text
//! add-two-fields: { print $1 + $2 } <<< 1 2\n >>> 3\n
//! colon-separated [-F: -v x=1]: { print $x } <<< a:b\n >>> a\n
//! operand-after-program [% a=1 -]: { print a } <<< x\n >>> 1\n
//! bytes-in-the-c-locale [@C]: { print length($0) } <<< é\n >>> 2\n
//! zero-divisor: BEGIN { print 1/0 } >>> !!! 2 'division by zero'
//! power-then-minus: BEGIN { print -2^2 } >>> -4\n ~~~ mawk
//! ```
//!
//! | mark | section |
//! |---|---|
//! | `<<<` | standard input, with escapes |
//! | `>>>` | expected standard output, with escapes |
//! | `!!!` | expected exit status (when not 0) or `0`, then words that standard error must contain, in any case |
//! | `~~~` | awks that were asked and gave another output or status; `gawk`: the row is about something that only rhawk has |
//!
//! The program stands as it is, no escapes. In brackets, `%` stands for the program (it comes last
//! when no `%` is there), `@C` chooses the locale (`en_US.UTF-8` otherwise), everything else is
//! passed on; `'...'` keeps spaces, `$'...'` takes escapes.
//!
//! Everywhere else escapes are `\n \t \r \s \\ \xHH \u{HEX}`; `\s` is a space where an editor would
//! strip it. A word of standard error that is `*` stands for anything at all, `?` for any text but
//! none; without words standard error must be empty.
//!
//! A row that needs more is written as `== name` and one key a line, up to an empty line. A value
//! stands on the key's line or below it, each line after `| `; a last line that ends in a lone `\`
//! has no newline.
//!
//! ```text
//! == append-keeps-what-was-there
//! args -v n=3 % a.txt
//! file a.txt
//! | one
//! | two
//! prog
//! | { print n, $0 >> "out" }
//! creates out
//! | 3 one
//! | 3 two
//! output
//! ```
//!
//! | key | meaning |
//! |---|---|
//! | `args` | as in brackets above |
//! | `locale`, `env` | the value of `LC_ALL`; more variables, `NAME=value` words |
//! | `prog`, `prog-escaped` | the program as it stands; the program with escapes |
//! | `input`, `file NAME` | standard input; a file in the row's directory |
//! | `output`, `status`, `stderr` | what must come out |
//! | `creates NAME` | a file that must exist afterwards, with this content |
//! | `differs` | awks that gave another output or status, as after `~~~` |
//! | `configs` | run only under these configurations |
//! | `because`, `gawk-says`, `gawk-status` | rhawk deliberately differs from gawk: why, and what gawk does |

// Only the tests beside it use it.
#![allow(missing_docs)]
#![forbid(unsafe_code)]

pub mod build;
pub mod conformance;
pub mod escape;
pub mod load;
pub mod messages;
pub mod oracle;
pub mod parse;
pub mod render;
pub mod row;
pub mod run;
pub mod scratch;
pub mod shell;
pub mod suite;
pub mod terminal;
pub mod verdict;

pub use row::Row;
pub use run::{Awk, Config, Outcome, Tier};
