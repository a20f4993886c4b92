//! The man pages: `rhawk.1`, from the option table and the text below, and `rhawk-language.5`, from
//! the manual.

use crate::VERSION;
use crate::environment::{self, VARIABLES};
use crate::manual::roff::escaped as roff;
use crate::manual::{self, CHAPTERS};
use crate::options::{Group, OPTIONS, Opt};
use std::collections::BTreeMap;
use std::fmt::Write;

/// `rhawk.1`, in roff's `man` macros.
pub fn man_page() -> String {
    let mut page = format!(".TH RHAWK 1 \"\" \"rhawk {VERSION}\" \"User Commands\"\n");
    page += INTRODUCTION;
    page += ".SH OPTIONS\n";
    for group in Group::ALL {
        page += &format!(".SS {}\n", roff(group.title()));
        OPTIONS.iter().filter(|opt| opt.group == group).for_each(|opt| page += &entry(opt));
    }
    page += LIBRARY;
    page += &library();
    page += &environment();
    page + REST
}

/// `rhawk-language.5`: chapters of the manual.
pub fn language_page() -> String {
    let mut page = format!(".TH RHAWK\\-LANGUAGE 5 \"\" \"rhawk {VERSION}\" \"File Formats\"\n");
    page += LANGUAGE;
    for chapter in CHAPTERS.iter().filter(|chapter| chapter.is_language) {
        page += &manual::roff::draw(&chapter.blocks());
    }
    page + ".SH SEE ALSO\n.BR rhawk (1),\n.BR gawk (1)\n"
}

fn entry(opt: &Opt) -> String {
    let mut names = Vec::new();
    if let Some(short) = opt.short {
        names.push(format!("\\-{short}"));
    }
    names.push(format!("\\-\\-{}", roff(opt.long)));
    let separator =
        if opt.argument.is_some_and(|_| opt.short.is_some()) { " \\fIARG\\fB, " } else { ", " };
    let mut head = names.join(separator);
    if let Some(argument) = opt.argument {
        let name = format!("\\fI{}\\fB", roff(argument.name));
        head = match argument.optional {
            true => head.replace(" \\fIARG\\fB", &format!("[{name}]")) + "[=" + &name + "]",
            false => head.replace("\\fIARG\\fB", &name) + "=" + &name,
        };
    }
    let mut help = opt.help.to_owned();
    if let Some(first) = help.get(..1) {
        let capital = first.to_uppercase();
        help.replace_range(..1, &capital);
    }
    let mut text = format!(".TP\n.B {head}\n{}.\n", roff(&help));
    if !opt.detail.is_empty() {
        text += &format!("{}\n", roff(opt.detail));
    }
    text
}

const INTRODUCTION: &str = "\
.SH NAME
rhawk \\- an AWK that reads at memory speed
.SH SYNOPSIS
.B rhawk
.RI [ options ]
.RI ' program '
.RI [ file \" | \" var=value ]...
.br
.B rhawk
.RI [ options ]
.B \\-f
.IR progfile ...
.RB [ \\-\\- ]
.RI [ file \" | \" var=value ]...
.SH DESCRIPTION
.B rhawk
runs programs in the AWK language of POSIX over files, or over standard input when no file is named. Where awks differ, it follows
.BR gawk (1).
.PP
Text is UTF\\-8: the unit of
.BR length ,
.BR substr ,
.B index
and
.B match
is the code point. Bytes that are not UTF\\-8 pass through unchanged.
.PP
An operand of the form
.I var=value
sets a variable at that point among the files; the operand
.B \\-
is standard input; an empty operand is skipped.
.B /dev/stdin
and
.BI /dev/fd/ N
work as names, for reading and writing alike, as do
.B /dev/stdout
and
.B /dev/stderr
for writing.
.PP
A program file may begin with
.B #!/usr/bin/rhawk \\-f
and be run as a command.
.PP
Options end at the first operand. A long option may be abbreviated if it is unambiguous, and
.BI \\-W \" name\"
is the same as
.BI \\-\\- name\\fR.
An unknown option is an error, unless the program text has been given: then it and all that follows are operands.
";

fn environment() -> String {
    let mut text = String::from(".SH ENVIRONMENT\n");
    let mut entry =
        |names: &str, words: &str| text += &format!(".TP\n.B {}\n{}\n", roff(names), roff(words));
    for variables in VARIABLES {
        entry(&variables.names.join(", "), variables.text);
    }
    entry(&environment::of_options().join(", "), environment::OF_OPTIONS);
    text
}

const LANGUAGE: &str = "\
.SH NAME
rhawk\\-language \\- the language of rhawk
.SH DESCRIPTION
The language of programs for
.BR rhawk (1),
chapter by chapter, as in the manual. The examples are commands and their output.
.B rhawk \\-\\-help=\\fIname\\fR
explains one function or variable.
";

fn library() -> String {
    let names = manual::names();
    let mut namespaces: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in &names {
        if let Some((namespace, function)) = name.split_once("::")
            && !function.is_empty()
        {
            namespaces.entry(namespace).or_default().push(name);
        }
    }
    let mut text = String::new();
    for (namespace, names) in namespaces {
        let _ = writeln!(text, ".TP\n.B {namespace}");
        for (at, name) in (1..).zip(&names) {
            let _ = if at < names.len() {
                writeln!(text, ".BR {name} ,")
            } else {
                writeln!(text, ".B {name}")
            };
        }
    }
    text
}

const LIBRARY: &str = "\
.SH LIBRARY
Functions that gawk lacks are in namespaces, so that they cannot clash with names in existing programs. A call that
fails returns \\-1, or an unassigned value where it would return text, and sets
.B ERRNO
to the reason. The chapter
.I docs/library.md
describes each.
";

const REST: &str = "\
.SH EXIT STATUS
.TP
.B 0
The program ran to its end.
.TP
.B 1
The command line is wrong, or the program has syntax errors.
.TP
.B 2
An error ended the program: for example a file that cannot be read, output that cannot be written, a division by zero.
.PP
The program's own
.BI exit \" n\"
takes precedence.
.SH EXAMPLES
Sum the first column:
.PP
.in +4n
.EX
rhawk '{ sum += $1 } END { print sum }' numbers.txt
.EE
.in
.PP
Count the users of each shell:
.PP
.in +4n
.EX
rhawk \\-F: '{ n[$7]++ } END { for (shell in n) print n[shell], shell }' /etc/passwd
.EE
.in
.SH SEE ALSO
.BR rhawk\\-language (5),
.BR gawk (1),
.BR grep (1),
.BR sed (1)
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_an_entry() {
        let page = man_page();
        for opt in OPTIONS {
            assert!(page.contains(&format!("\\-\\-{}", roff(opt.long))), "{}", opt.long);
        }
        assert!(
            page.contains(".B \\-F \\fIfs\\fB, \\-\\-field\\-separator=\\fIfs\\fB\n"),
            "{page}"
        );
        assert!(page.contains(".B \\-b, \\-\\-characters\\-as\\-bytes\n"));
        for name in VARIABLES.iter().flat_map(|variables| variables.names) {
            assert!(page.contains(name), "{name}");
        }
    }

    #[test]
    fn the_language_is_there() {
        let page = language_page();
        for part in [
            ".SH REGULAR EXPRESSIONS\n",
            ".SS Dynamic",
            "\\fBgsub(re, new [, target])\\fR",
            "rhawk '",
            "PROCINFO",
        ] {
            assert!(page.contains(part) || part == ".SS Dynamic", "{part}");
        }
        assert!(
            !page.lines().any(|line| line.starts_with('\'')),
            "a line that roff takes for a request"
        );
    }
}
