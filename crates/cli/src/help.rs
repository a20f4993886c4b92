//! Texts of `--help`, `--version` and usage errors.

use crate::VERSION;
use crate::options::{Group, OPTIONS};

pub const USAGE: &str = "\
Usage: rhawk [options] 'program' [file | var=value]...
       rhawk [options] -f progfile... [--] [file | var=value]...
";

const HELP_COLUMN: usize = 34;

/// For `--help`: one screen.
pub fn help() -> String {
    format!("{USAGE}{SCREEN}")
}

const SCREEN: &str = "
Runs an awk program over the files, or over standard input (also named -).

  -F fs                    separate fields by fs
  -v var=value             set a variable before the program starts
  -f progfile              read the program from a file
  --csv, --tsv, --jsonl    input format (for output: --output-csv ...)
  -H                       the first record names the columns: @\"name\"
  --in-place[=suffix]      edit the files
  -j n                     use n threads (0: all cores)
  --lint                   warn about dubious code
  --profile=text:file      report where the time goes

  rhawk --help=all         list every option
  rhawk --help=gsub        explain a function; or NF, -F, printf, tables ...
  rhawk --help=topics      list the topics; see also man rhawk, rhawk-language

Examples:
  rhawk '{ sum += $1 } END { print sum }' numbers.txt
  rhawk -F: '{ print $1 }' /etc/passwd
";

/// For `--help=all`.
pub fn every_option() -> String {
    let mut text = format!(
        "{USAGE}\nRuns an awk program over the files, or over standard input (also named -).\n"
    );
    for group in Group::ALL {
        text += &format!("\n{}:\n", group.title());
        for opt in OPTIONS.iter().filter(|opt| opt.group == group) {
            text += &format!("  {:width$}{}\n", opt.usage(), opt.help, width = HELP_COLUMN - 2);
        }
    }
    text + "
A long option may be abbreviated if it is unambiguous; -W name is --name.
"
}

pub fn version() -> String {
    let features = if cfg!(feature = "jit") { "jit" } else { "none" };
    let commit = option_env!("RIVERHAWK_BUILT_FROM")
        .map_or(String::new(), |commit| format!("commit: {commit}\n"));
    format!(
        "rhawk {VERSION}\ntarget: {}\nfeatures: {features}\n{commit}Licensed under MIT or Apache-2.0, at your choice; there is no warranty.\n",
        env!("RIVERHAWK_TARGET")
    )
}

pub fn copyright() -> String {
    "\
Copyright (C) the authors of Riverhawk.

This program may be used, copied, changed and passed on under the terms of the MIT licence or of the Apache licence,
version 2.0, at your choice; LICENSE-MIT and LICENSE-APACHE have their texts. It comes WITHOUT ANY WARRANTY.
"
    .to_owned()
}

/// Follows the message about a usage error.
pub fn usage_hint() -> String {
    format!("{USAGE}Try 'rhawk --help'.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        let help = help();
        assert!(help.lines().count() <= 24, "{}", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn every_option_has_a_line() {
        let help = every_option();
        for opt in OPTIONS {
            assert!(
                help.lines().any(|line| line.contains(&format!("--{}", opt.long))),
                "{}",
                opt.long
            );
        }
        for line in help.lines() {
            assert!(line.len() <= 100, "{line}");
        }
    }
}
