//! What `--help`, `--version` and a wrong command line print.

use crate::VERSION;
use crate::options::{Group, OPTIONS};

/// How the command is called, as every usage text begins.
pub const USAGE: &str = "\
Usage: rhawk [options] 'program' [file | var=value]...
       rhawk [options] -f progfile... [--] [file | var=value]...
";

/// The column that help texts begin at.
const HELP_COLUMN: usize = 34;

/// The text of `--help`.
pub fn help() -> String {
    let mut text = format!("{USAGE}\nRuns an awk program over the files, or over standard input (also named -).\n");
    for group in Group::ALL {
        text += &format!("\n{}:\n", group.title());
        for opt in OPTIONS.iter().filter(|opt| opt.group == group) {
            text += &format!("  {:width$}{}\n", opt.usage(), opt.help, width = HELP_COLUMN - 2);
        }
    }
    text += "
A long option may be cut short as long as it is unambiguous; -W name is --name.

Examples:
  rhawk '{ sum += $1 } END { print sum }' numbers.txt
  rhawk -F: '{ print $1 }' /etc/passwd
";
    text
}

/// The text of `--version`.
pub fn version() -> String {
    format!("rhawk {VERSION}\nLicensed under MIT or Apache-2.0, at your choice; there is no warranty.\n")
}

/// The text of `--copyright`.
pub fn copyright() -> String {
    "\
Copyright (C) the authors of Riverhawk.

This program may be used, copied, changed and passed on under the terms of the MIT licence or of the Apache licence,
version 2.0, at your choice; LICENSE-MIT and LICENSE-APACHE have their texts. It comes WITHOUT ANY WARRANTY.
"
    .to_owned()
}

/// What follows the message about a wrong command line.
pub fn usage_hint() -> String {
    format!("{USAGE}Try 'rhawk --help'.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_listed_in_one_line_of_80_columns() {
        let help = help();
        for opt in OPTIONS {
            let lines: Vec<&str> = help.lines().filter(|line| line.contains(&format!("--{}", opt.long))).collect();
            assert!(!lines.is_empty(), "{}", opt.long);
        }
        for line in help.lines() {
            assert!(line.len() <= 100, "{line}");
        }
    }
}
