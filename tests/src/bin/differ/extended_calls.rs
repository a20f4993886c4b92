//! Random calls of gawk's functions, and other expressions of its language.
//!
//! Stated divergences (`docs/divergences.md`) are avoided.

use crate::expressions::Writer;
use crate::tree::{Node, expression, fixed};

pub const ORDERS: [&str; 12] = [
    "@ind_str_asc",
    "@ind_str_desc",
    "@ind_num_asc",
    "@ind_num_desc",
    "@val_str_asc",
    "@val_str_desc",
    "@val_num_asc",
    "@val_num_desc",
    "by_number",
    "by_text",
    "by_length",
    "by_key",
];

const TIME_FORMATS: [&str; 24] = [
    "%Y-%m-%d %H:%M:%S",
    "%a %A|%b %B",
    "%c",
    "%C %y %G %g",
    "%d %e|%j",
    "%D %F",
    "%h%n%t.",
    "%H %I|%k %l",
    "%M %S %p",
    "%r",
    "%R %T",
    "%s",
    "%u %w",
    "%U %V %W",
    "%x",
    "%X",
    "%z %Z",
    "%%",
    "",
    "text",
    "%Ey %Od",
    "é %d",
    "%_d %-d %5Y %^a",
    "%P",
];

const TIMES: [&str; 14] = [
    "0",
    "1",
    "86399",
    "86400",
    "951782400",
    "1e9",
    "1234567890",
    "1700000000.9",
    "-1",
    "-86401",
    "4102444800",
    "253402300799",
    "\"1700000000\"",
    "1711843200",
];

const DATES: [&str; 14] = [
    "1970 1 1 0 0 0",
    "2000 02 29 12 34 56",
    "2023 12 31 23 59 60",
    "2024 14 35 25 61 61",
    "2024 3 0 -1 0 0",
    "1969 12 31 23 59 59",
    "2024 7 1 0 0 0 1",
    "2024 7 1 0 0 0 0",
    "2024 7 1 0 0 0 -1",
    "2024 1 1",
    "text",
    "",
    "2024 1 1 1.5 0 0",
    "1900 1 1 0 0 0",
];

impl Writer<'_> {
    pub fn extended_call(&mut self, depth: usize) -> Node {
        if self.namespaced && self.dice.once_in(4) {
            return self.elsewhere(depth);
        }
        match self.dice.below(32) {
            0..=4 => self.gensub(depth),
            5..=8 => {
                let (text, pattern, array) = (self.any(depth), self.pattern(), self.array());
                expression!["match(", text, ", /", pattern, "/, ", array, ")"]
            }
            9 | 10 => self.patsplit(depth),
            11 => self.split_by_regex(depth),
            12 | 13 => self.sorted(),
            14 => {
                let text = self.numeral(depth);
                expression!["strtonum(", text, ")"]
            }
            15 => {
                let format = self.dice.pick(&TIME_FORMATS);
                expression![
                    "strftime(\"",
                    format,
                    "\", ",
                    self.dice.pick(&TIMES),
                    self.dice.pick(&[")", ", 1)", ", 0)"])
                ]
            }
            16 => {
                expression!["mktime(\"", self.dice.pick(&DATES), self.dice.pick(&["\")", "\", 1)"])]
            }
            17..=20 => self.bits(),
            21 | 22 => match self.dice.below(4) {
                0 => expression!["typeof(", self.array(), ")"],
                // As text: an element without a value may become an array in gawk.
                1 => {
                    let (array, key) = (self.array(), self.key());
                    let element = fixed![array, "[", key, "]"];
                    fixed!["kind(typeof(", element.clone(), "), ", element, " \"\")"]
                }
                2 => {
                    let scalar = self.scalar();
                    fixed!["kind(typeof(", scalar.clone(), "), ", scalar, ")"]
                }
                _ => {
                    let value = self.any(depth);
                    expression!["typeof((", value, ") + 0)"]
                }
            },
            23 => {
                let array = self.array();
                expression![
                    "(isarray(",
                    array,
                    ") isarray(",
                    self.dice.pick(&["1", "$1", "NF"]),
                    "))"
                ]
            }
            24 => {
                let value = self.any(depth);
                match self.dice.below(2) {
                    0 => expression!["mkbool(", value, ")"],
                    _ => expression!["typeof(mkbool(", value, "))"],
                }
            }
            25 | 26 => self.indirect(depth),
            27 => {
                let array = self.array();
                expression!["size(", array, ")"]
            }
            28 => {
                let (one, many) = (self.string(), self.string());
                match self.dice.below(3) {
                    0 => expression!["dcgettext(", one, ")"],
                    1 => expression![
                        "dcngettext(",
                        one,
                        ", ",
                        many,
                        ", ",
                        self.dice.pick(&["0", "1", "2", "NF"]),
                        ")"
                    ],
                    _ => expression!["dcgettext(", one, ", \"no-such-domain\", \"LC_MESSAGES\")"],
                }
            }
            29 => expression![self.dice.pick(&[
                "PROCINFO[\"FS\"]",
                "SYMTAB[\"NF\"]",
                "SYMTAB[\"FNR\"]",
                "SYMTAB[\"shared\"]",
                "(SYMTAB[\"shared\"] = 7)",
                "(\"dump\" in FUNCTAB)",
                "(\"length\" in FUNCTAB)",
                "(\"shared\" in SYMTAB)",
                "(\"nosuch\" in SYMTAB)",
                "shared++",
                "isarray(SYMTAB)",
                "PROCINFO[\"strftime\"]",
                "RT",
                "ERRNO",
                "IGNORECASE",
                "FPAT",
                "FIELDWIDTHS",
                "TEXTDOMAIN",
                "BINMODE",
                "ARGC",
                "(systime() > 1e9)",
            ])],
            30 => {
                let (pattern, text) = (self.pattern(), self.listed(depth));
                expression!["(r", self.suffix.clone(), " = @/", pattern, "/) (", text, ")"]
            }
            _ => {
                let (array, key) = (self.nested(), self.nested_key());
                expression!["(", key, " in ", array, ")"]
            }
        }
    }

    fn gensub(&mut self, depth: usize) -> Node {
        let (pattern, replacement) = (self.replaced_operand(), self.replacement_of_groups());
        let how = self
            .dice
            .pick(&["\"g\"", "\"G\"", "1", "2", "3", "\"2\"", "1.9", "\"gx\"", "\"g\"", "1"]);
        if self.dice.once_in(4) {
            return expression!["gensub(", pattern, ", ", replacement, ", ", how, ")"];
        }
        // As text: for a number gawk 5.2.1 prints freed memory.
        let text = self.text(depth);
        expression!["gensub(", pattern, ", ", replacement, ", ", how, ", ", text, ")"]
    }

    /// Without a lone backslash at the end: gawk reads past it, a stated divergence.
    fn replacement_of_groups(&mut self) -> Node {
        let text = self.dice.pick(&[
            "",
            "x",
            "&",
            "<&>",
            "\\\\0",
            "<\\\\1>",
            "\\\\1\\\\2",
            "[\\\\2|\\\\1]",
            "\\\\&",
            "\\\\\\\\1",
            "\\\\3",
            "\\\\9",
            "a\\\\b",
            "&&",
            "-",
            "\\\\1x\\\\0",
        ]);
        expression!["\"", text, "\""]
    }

    fn patsplit(&mut self, depth: usize) -> Node {
        // As text: in a number gawk finds nothing, a stated divergence.
        let (text, array) = (self.text(depth), self.array());
        // Without look-behind: for gawk each piece is a new beginning, a stated divergence.
        let looks_back = ["\\<", "\\y", "\\B", "\\`", "^"];
        let pattern =
            looks_back.iter().fold(self.solid_pattern(), |pattern, sign| pattern.replace(sign, ""));
        match self.dice.below(4) {
            0 => expression!["patsplit(", text, ", ", array, ")"],
            1 => expression!["patsplit(", text, ", ", array, ", /", pattern, "/)"],
            _ => expression![
                "patsplit(",
                text,
                ", ",
                array,
                ", /",
                pattern,
                "/, s",
                self.suffix.clone(),
                ")"
            ],
        }
    }

    fn split_by_regex(&mut self, depth: usize) -> Node {
        let (text, array, pattern) = (self.any(depth), self.array(), self.solid_pattern());
        let separators = format!("s{}", self.suffix);
        match self.dice.below(3) {
            0 => expression!["split(", text, ", ", array, ", @/", pattern, "/, ", separators, ")"],
            1 => expression!["split(", text, ", ", array, ", /", pattern, "/, ", separators, ")"],
            _ => expression!["split(", text, ", ", array, ", FS, ", separators, ")"],
        }
    }

    /// Into another array, from elements with values: gawk crashes on one without.
    fn sorted(&mut self) -> Node {
        let (array, into) = (self.array(), format!("q{}", self.suffix));
        let order = self.dice.pick(&ORDERS);
        // Ties between values by their keys depend on the order in the table.
        let name = if order.contains("val") || order.starts_with("by_") && order != "by_key" {
            "asort"
        } else {
            "asorti"
        };
        let ending = match self.dice.below(4) {
            0 => format!("{name}({into})"),
            1 => format!("{name}({into}, {into})"),
            _ => format!("{name}({into}, {into}, \"{order}\")"),
        };
        expression!["(filled(", array, format!(", {into}) {ending})")]
    }

    fn numeral(&mut self, depth: usize) -> Node {
        if self.dice.once_in(2) {
            let text = self.dice.pick(&[
                "0x1F",
                "017",
                "0x",
                "08",
                "1e3",
                " 12 ",
                "-0x1F",
                "+017",
                "0x1.8",
                "0xFFFFFFFFFFFFFFFF",
                "0b1",
                "1x",
                "",
            ]);
            return expression!["\"", text, "\""];
        }
        self.any(depth)
    }

    /// Arguments that are never negative: those end the program.
    fn bits(&mut self) -> Node {
        let (first, second) = (self.natural(), self.natural());
        match self.dice.below(8) {
            0 => expression!["compl(", first, ")"],
            1 => expression![
                "lshift(",
                first,
                ", ",
                self.dice.pick(&["0", "1", "3", "8", "31", "52", "63"]),
                ")"
            ],
            2 => expression![
                "rshift(",
                first,
                ", ",
                self.dice.pick(&["0", "1", "3", "8", "31", "52", "63"]),
                ")"
            ],
            3 => {
                let third = self.natural();
                expression![
                    self.dice.pick(&["and(", "or(", "xor("]),
                    first,
                    ", ",
                    second,
                    ", ",
                    third,
                    ")"
                ]
            }
            _ => expression![self.dice.pick(&["and(", "or(", "xor("]), first, ", ", second, ")"],
        }
    }

    fn natural(&mut self) -> Node {
        match self.dice.below(4) {
            0 => {
                let array = self.array();
                expression!["size(", array, ")"]
            }
            1 => {
                let leaf = self.leaf();
                expression!["(", leaf, ") ^ 2 % 9007199254740992"]
            }
            _ => expression![self.dice.pick(&[
                "0",
                "1",
                "5",
                "255",
                "256",
                "1.9",
                "0xff",
                "4294967295",
                "9007199254740991",
                "NR",
                "NF",
                "\"12\"",
                "\"7x\"",
            ])],
        }
    }

    /// Through a variable, with names of both kinds of functions.
    fn indirect(&mut self, depth: usize) -> Node {
        let name = format!("h{}", self.suffix);
        // As text: gawk's built-in functions fail when called by name with a variable without a
        // value.
        let value = self.text(depth);
        match self.dice.below(5) {
            0 => {
                let function = self
                    .dice
                    .pick(&["length", "toupper", "tolower", "int", "strtonum", "twice", "cap"]);
                let function =
                    if self.flavour.raw && !self.flavour.bytes { "length" } else { function };
                expression![format!("(({name} = \"{function}\") @{name}(("), value, ")))"]
            }
            1 => {
                let other = self.text(depth);
                let function = self.dice.pick(&["index", "sprintf", "mkbool"]);
                let format = if function == "sprintf" { "\"%s|\"" } else { "\"a b\"" };
                if function == "mkbool" {
                    return expression![format!("(({name} = \"mkbool\") @{name}("), other, "))"];
                }
                expression![format!("(({name} = \"{function}\") @{name}({format}, "), other, "))"]
            }
            2 => {
                let (array, key) = (self.array(), self.key_text());
                expression![format!("(({name} = \"first\") @{name}("), array, ", ", key, "))"]
            }
            3 => {
                let (text, array) = (self.text(depth), self.array());
                expression![
                    format!("(({name} = \"split\") @{name}("),
                    text,
                    ", ",
                    array,
                    ", \",\"))"
                ]
            }
            _ => {
                let text = self.text(depth);
                let how = self.dice.pick(&["\"g\"", "1"]);
                expression![
                    format!("(({name} = \"gensub\") @{name}(\"a\", \"<&>\", {how}, "),
                    text,
                    "))"
                ]
            }
        }
    }

    fn elsewhere(&mut self, depth: usize) -> Node {
        let value = self.any(depth);
        match self.dice.below(6) {
            0 => expression!["lib::sum(", value, ", 2)"],
            1 => expression!["lib::apply(\"twice\", ", value, ")"],
            2 => expression!["((h = \"lib::sum\") @h(1, ", value, "))"],
            3 => expression!["lib::count((", value, ") \"\")"],
            4 => expression!["(lib::total = (", value, ") % 1000)"],
            _ => expression!["SYMTAB[\"lib::total\"]"],
        }
    }

    fn text(&mut self, depth: usize) -> Node {
        let value = self.any(depth);
        fixed!["((", value, ") \"\")"]
    }

    fn key_text(&mut self) -> Node {
        let key = self.string();
        expression!["(", key, " \"\")"]
    }

    pub fn nested(&mut self) -> Node {
        let name = format!("m{}", self.suffix);
        if self.dice.once_in(2) {
            return fixed![name];
        }
        fixed![name, "[", self.dice.pick(&["1", "2", "\"x\""]), "]"]
    }

    pub fn nested_key(&mut self) -> Node {
        expression![self.dice.pick(&["1", "2", "\"x\"", "\"y\"", "NF", "3"])]
    }
}
