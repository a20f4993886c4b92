//! The language corpus: rows of program, input and expected output in readable files, and their
//! runner.
//!
//! Rows are in `corpus/<topic>.awkt`; [`parse`] reads such a file, [`render`] writes it back in
//! canonical form. [`run`] starts one awk on one [`Row`] under one [`Config`] (window size, file or
//! pipe), in a directory of its own; [`verdict`] compares; [`suite`] runs many rows on a few
//! threads and prints the failures.
//!
//! The test `corpus` (rhawk, every configuration), the binary `corpus` (any awk) and the binary
//! `record` (records what gawk and other awks give) use this. They only see a process, nothing of
//! rhawk's insides.
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
//! | `~~~` | awks with another output or status; `gawk`: the row is about something that only rhawk has |
//!
//! The program has no escapes. In brackets, `%` is the program's place (else it comes last), `@C`
//! chooses the locale (`en_US.UTF-8` otherwise), everything else is passed on; `'...'` keeps
//! spaces, `$'...'` takes escapes.
//!
//! Elsewhere escapes are `\n \t \r \s \\ \xHH \u{HEX}`; `\s` is a space where an editor would strip
//! it. As a word of standard error, `*` matches anything, `?` any text but none; without words
//! standard error must be empty.
//!
//! A row that needs more is written as `== name` and one key a line, up to an empty line. A value
//! is on the key's line or below it, each line after `| `; a last line that ends in a lone `\` has
//! no newline.
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
//! | `prog`, `prog-escaped` | the program, without or with escapes |
//! | `input`, `file NAME` | standard input; a file in the row's directory |
//! | `output`, `status`, `stderr` | the expected result |
//! | `creates NAME` | a file that must exist afterwards, with this content |
//! | `differs` | as after `~~~` |
//! | `configs` | run only under these configurations |
//! | `because`, `gawk-says`, `gawk-status` | why rhawk deliberately differs from gawk, and what gawk does |

// Used only by the tests of this package.
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
