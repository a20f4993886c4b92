//! Random statements of gawk's language: arrays of arrays, sorted loops, `switch`, splitting, files
//! and commands.

use crate::constants::Flavour;
use crate::dialect::Dialect;
use crate::expressions::Writer;
use crate::extended_calls::ORDERS;
use crate::tree::{Node, fixed, optional};

/// Patterns for FPAT that never match the empty text.
const FIELD_PATTERNS: [&str; 8] = [
    "[^,]+",
    "[a-z]+",
    "[0-9]+",
    "([^,]*)|(\\\"[^\\\"]+\\\")",
    "[^ ]+",
    "[ab]+|[0-9]",
    "\\\\w+",
    ".",
];

const WIDTHS: [&str; 8] = ["1", "2 3", "1 2 *", "3:2 1", "2 2 2 2 2", "4 *", "1:1 1:1", "10 10"];

impl Writer<'_> {
    pub fn extended_statement(&mut self, depth: usize) -> Node {
        match self.dice.below(if depth == 0 { 17 } else { 22 }) {
            0..=2 => {
                let (element, value) = (self.element(), self.any(2));
                let value = if self.loops > 0 { self.capped(value) } else { value };
                optional![
                    element,
                    self.dice.pick(&[" = (", " = (", " += (", " = x (", " -= ("]),
                    value,
                    "); "
                ]
            }
            3 => {
                let element = self.element();
                optional![element, self.dice.pick(&["++; ", "--; ", " ^= 2; ", " %= 7; "])]
            }
            4 => {
                let (array, key) = (self.nested(), self.nested_key());
                match self.dice.below(3) {
                    0 => optional!["delete ", array, "; "],
                    _ => optional!["delete ", array, "[", key, "]; "],
                }
            }
            5 => {
                let text = self.any(2);
                optional![
                    "split(",
                    text,
                    ", m",
                    self.suffix.clone(),
                    "[",
                    self.dice.pick(&["1", "2"]),
                    "]); "
                ]
            }
            6 => optional![format!("walk(\"m\", m{0}); ", self.suffix)],
            7 => {
                let pattern = self.pattern();
                let value = self.any(1);
                let s = &self.suffix;
                optional![
                    format!("r{s} = @/"),
                    pattern,
                    format!("/; print typeof(r{s}), r{s}, ("),
                    value,
                    format!(") ~ r{s}; ")
                ]
            }
            8 if !self.may_fold() => optional!["IGNORECASE = 0; "],
            8 => optional![self.dice.pick(&[
                "IGNORECASE = 1; ",
                "IGNORECASE = 1; ",
                "IGNORECASE = 0; ",
                "IGNORECASE = \"a\"; "
            ])],
            // An infinity assigned to a field shows freed memory of gawk.
            9..=11 if !self.flavour.infinite && !self.paragraphs => self.splitting(),
            12 | 13 if self.flavour.streams => self.stream(),
            9..=14 => {
                let array = self.nested();
                let s = &self.suffix;
                optional![
                    format!("n{s} = 0; for (k{s} in "),
                    array.clone(),
                    format!(") n{s} += length({0}[k{s}]); ", array.text()),
                    format!("print n{s}; ")
                ]
            }
            15 => self.sorted_types(),
            16 => {
                let (array, key) = (self.array(), self.key());
                optional![
                    "if (",
                    array.clone(),
                    "[",
                    key.clone(),
                    "] \"\" == \"\") delete ",
                    array,
                    "[",
                    key,
                    "]; "
                ]
            }
            // Infinities beside text are a stated divergence.
            17..=21 if self.flavour.infinite => self.sorted_loop(),
            17..=19 => self.switch(depth - 1),
            20 | 21 if self.loops < 2 => self.sorted_loop(),
            _ => self.switch(depth - 1),
        }
    }

    /// IGNORECASE is not used where gawk cuts characters of texts of different lengths, a stated
    /// divergence.
    pub fn may_fold(&self) -> bool {
        let Flavour { bytes, unicode, raw, .. } = self.flavour;
        bytes || self.dialect == Dialect::Own || !(unicode || raw)
    }

    fn element(&mut self) -> Node {
        let name = format!("m{}", self.suffix);
        let key = match self.dice.below(3) {
            0 => self.key(),
            _ => fixed![self.dice.pick(&["\"a\"", "1", "2", "3", "NF"])],
        };
        let row = self.dice.pick(&["1", "2", "\"x\""]);
        match self.dice.below(4) {
            0 => fixed![name, "[", row, "][\"deep\"][", key, "]"],
            _ => fixed![name, "[", row, "][", key, "]"],
        }
    }

    fn splitting(&mut self) -> Node {
        let setting = match self.dice.below(4) {
            0 => format!("FIELDWIDTHS = \"{}\"", self.dice.pick(&WIDTHS)),
            1 | 2 => format!("FPAT = \"{}\"", self.dice.pick(&FIELD_PATTERNS)),
            _ => format!(
                "FS = \"{}\"",
                self.dice.pick(&[
                    ",", " ", "a", "|", "[ ,]", "", "\\t", "ab?", ".", "\\\\|", "^a", "[ ]"
                ])
            ),
        };
        let record = match self.dice.below(3) {
            0 => self.string(),
            1 => fixed!["$0"],
            _ => self.listed(2),
        };
        optional![
            setting,
            "; $0 = ",
            record,
            format!(
                "; printf \"%d\", NF; for (e{0} = 1; e{0} <= NF && e{0} < 20; e{0}++) printf \"[%s]\", $e{0}; ",
                self.suffix
            ),
            "print PROCINFO[\"FS\"]; "
        ]
    }

    /// A loop in a known order. By value only values are printed: the keys of equal ones have no
    /// order.
    fn sorted_loop(&mut self) -> Node {
        let order = self.dice.pick(&ORDERS);
        let by_value = order.contains("val") || order.starts_with("by_") && order != "by_key";
        let s = self.suffix.clone();
        let array = self.array().text();
        let (before, of) = match by_value {
            true => (format!("filled({array}, q{s}); "), format!("q{s}")),
            false => ("IGNORECASE = 0; ".to_owned(), array),
        };
        self.loops += 1;
        let body = match (by_value, self.dice.below(4)) {
            (true, _) => fixed![format!("{of}[k{s}]")],
            (_, 0) => fixed![format!("k{s}; delete {of}[k{s}]")],
            (_, 1) => fixed![format!("k{s}; {of}[k{s} \"x\"] = NF")],
            (_, 2) => fixed![format!("k{s}; if (length({of}) > 2) break")],
            _ => fixed![format!("k{s} \"=\" {of}[k{s}]")],
        };
        self.loops -= 1;
        optional![
            before,
            format!("PROCINFO[\"sorted_in\"] = \"{order}\"; for (k{s} in {of}) {{ print "),
            body,
            " }\n  delete PROCINFO[\"sorted_in\"]; "
        ]
    }

    fn sorted_types(&mut self) -> Node {
        let s = &self.suffix;
        let text = self.dice.pick(&["b 10 a 9 x", "3 1e1 0x1 c", "z 5 y 4"]);
        let order =
            self.dice.pick(&["@val_type_asc", "@val_type_desc", "@val_num_asc", "@val_str_desc"]);
        optional![format!(
            "IGNORECASE = 0; split(\"{text}\", q{s}); q{s}[\"k\"] = 7; q{s}[\"l\"] = \"7x\"; asort(q{s}, q{s}, \"{order}\"); dump(\"q\", q{s}); "
        )]
    }

    /// Negative labels crash gawk, a stated divergence.
    fn switch(&mut self, depth: usize) -> Node {
        let value = match self.dice.below(3) {
            0 => self.leaf(),
            1 => fixed![self.dice.pick(&[
                "$1",
                "NF",
                "x",
                "\"ab\"",
                "$0",
                "substr($0, 1, 1)",
                "length($1)"
            ])],
            _ => self.any(2),
        };
        let labels = [
            "1", "2", "\"a\"", "/^a/", "10", "\"2x\"", "/[0-9]$/", "\"\"", "0", "/b|c/", "0x1F",
            "3", "\"ab\"", "/./", "1.5",
        ];
        let mut parts = Vec::new();
        // Duplicate labels are refused, 10 and "10" too: every label appears once, in turn.
        let mut at = self.dice.below(labels.len());
        let default = self.dice.below(6);
        let count = 1 + self.dice.below(4);
        for number in 0..count {
            let label = if number == default {
                "default".to_owned()
            } else {
                format!("case {}", labels[at % labels.len()])
            };
            at += 1 + self.dice.below(3);
            let body = self.statements(2, depth);
            let jump = match self.dice.below(4) {
                0 if self.loops > 0 => "continue; ",
                1 => "",
                _ => "break; ",
            };
            parts.push(optional![label, ": ", body, jump, "\n  "]);
        }
        let parts = Node::list(parts);
        optional!["switch (", value, ") { ", parts, "}\n  "]
    }
}
