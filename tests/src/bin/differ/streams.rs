//! Random reading and writing besides the main input. Each statement closes what it opens, so that
//! the order of the output is certain.

use crate::expressions::Writer;
use crate::tree::{Node, optional};

const SOURCES: [&str; 8] = [
    "echo a b c",
    "printf 'x 1\\\\ny 2\\\\n'",
    "printf 'no newline'",
    "exit 3",
    "cat /dev/null",
    "echo 10; exit 1",
    "printf ' \\\\n\\\\n7 \\\\n'",
    "printf 'a,b;c'",
];

/// They print only after reading everything.
const FILTERS: [&str; 7] = [
    "sort",
    "sort -r",
    "sort -n",
    "tr a-z A-Z | sort",
    "sort | cat",
    "sort; exit 2",
    "sort >/dev/null; exit 1",
];

impl Writer<'_> {
    pub fn stream(&mut self) -> Node {
        let (var, line) = self.place();
        let s = self.suffix.clone();
        // Whether what was read looks like a number.
        let types = match self.dice.below(3) {
            0 => format!(", ({line} < 9), ({line} > 10), !{line}"),
            1 if self.dialect.has_extensions() => format!(", typeof({line}), typeof($1)"),
            _ => String::new(),
        };
        let list = self.listed(2);
        match self.dice.below(9) {
            0..=2 => {
                let more = self.listed(2);
                let again = self.dice.pick(&[">", ">>"]);
                optional![
                    format!("print "),
                    list,
                    format!(" > \"file{s}\"; "),
                    optional![
                        "printf \"%s,%s\\n\\n\", NR, ",
                        more,
                        format!(" {again} \"file{s}\"; ")
                    ],
                    format!(
                        "print close(\"file{s}\"); while ((getline{var} < \"file{s}\") > 0) print \"r\", {line}, NR, NF, RT{types}; print close(\"file{s}\"); "
                    ),
                ]
            }
            3 | 4 => {
                let command = self.dice.pick(&SOURCES);
                optional![format!(
                    "while ((\"{command}\" | getline{var}) > 0) print \"c\", {line}, NR, NF, RT{types}; print close(\"{command}\"); "
                )]
            }
            5 => {
                let (command, more) = (self.dice.pick(&FILTERS), self.listed(2));
                optional![
                    "print ",
                    list,
                    format!(" | \"{command}\"; "),
                    optional!["print ", more, format!(" | \"{command}\"; ")],
                    format!("print close(\"{command}\"); ")
                ]
            }
            6 => {
                let (command, more) = (self.dice.pick(&FILTERS), self.listed(2));
                optional![
                    "print ",
                    list,
                    format!(" |& \"{command}\"; "),
                    optional!["print ", more, format!(" |& \"{command}\"; ")],
                    format!(
                        "close(\"{command}\", \"to\"); while ((\"{command}\" |& getline{var}) > 0) print \"p\", {line}, NR{types}; print close(\"{command}\"); "
                    )
                ]
            }
            7 => optional![self.dice.pick(&[
                "print system(\"echo s\"); ",
                "print system(\"exit 3\"); ",
                "print system(\"\"); ",
                "print (getline x < \"no/such\"), ERRNO; ",
                "print close(\"never opened\"); ",
                "print \"e\" > \"/dev/stderr\"; ",
                "print \"o\" > \"/dev/stdout\"; ",
                "printf \"%s-\", \"o\" > \"/dev/fd/1\"; ",
                "print fflush(); ",
                "print system(\"kill -9 $$\"); ",
            ])],
            _ => {
                let target = self.target(1);
                let command = self.dice.pick(&SOURCES);
                optional![
                    format!("print (\"{command}\" | getline "),
                    target.clone(),
                    "), ",
                    target,
                    format!("; close(\"{command}\"); ")
                ]
            }
        }
    }

    fn place(&mut self) -> (String, String) {
        match self.dice.below(3) {
            0 => (String::new(), "$0".to_owned()),
            1 => (format!(" t{}", self.suffix), format!("t{}", self.suffix)),
            _ => (format!(" x{}", self.suffix), format!("x{}", self.suffix)),
        }
    }
}
