//! Random statements. Loops count in variables of their own, so that every program ends.

use crate::expressions::Writer;
use crate::tree::{Node, fixed, optional};

impl Writer<'_> {
    pub fn statements(&mut self, most: usize, depth: usize) -> Node {
        let count = 1 + self.dice.below(most);
        Node::list((0..count).map(|_| self.statement(depth)).collect())
    }

    fn end(&mut self) -> &'static str {
        self.dice.pick(&["; ", "\n  "])
    }

    fn block(&mut self, depth: usize) -> Node {
        let body = self.statements(2, depth);
        fixed!["{ ", body, "}"]
    }

    fn statement(&mut self, depth: usize) -> Node {
        if self.dialect.has_extensions() && self.dice.once_in(3) {
            return self.extended_statement(depth);
        }
        match self.dice.below(if depth == 0 { 14 } else { 20 }) {
            0..=3 => {
                let (target, end) = (self.target(1), self.end());
                let value = self.any(3);
                match self.loops {
                    0 => optional![target, " = ", value, end],
                    _ => optional![target, " = ", self.capped(value), end],
                }
            }
            4..=6 => {
                let arguments = self.list(3);
                let (open, close) = self.dice.pick(&[&("print ", ""), &("print(", ")")]);
                let end = self.end();
                optional![*open, arguments, *close, end]
            }
            7 => {
                let (format, arguments) = self.format(2);
                let end = self.end();
                optional!["printf ", format, arguments, end, "print \"\"; "]
            }
            8 | 9 => {
                let (value, end) = (self.any(3), self.end());
                optional![value, end]
            }
            10 => {
                let (array, end) = (self.array(), self.end());
                if self.dice.once_in(4) {
                    return optional!["delete ", array, end];
                }
                let key = self.plain_key();
                optional!["delete ", array, "[", key, "]", end]
            }
            11 => {
                let record = self.string();
                optional!["$0 = ", record, "; "]
            }
            12 => {
                let count = self.dice.pick(&["0", "1", "2", "3", "5", "NF"]);
                optional!["NF = ", count, "; "]
            }
            13 => {
                let setting = self.setting();
                optional![setting, "; "]
            }
            14..=16 => self.branch(depth - 1),
            _ if self.loops < 2 => self.repetition(depth - 1),
            _ => self.branch(depth - 1),
        }
    }

    fn list(&mut self, most: usize) -> Node {
        let mut parts = vec![self.listed(2)];
        for _ in 0..self.dice.below(most) {
            let value = self.listed(2);
            parts.push(optional![", ", value]);
        }
        Node::list(parts)
    }

    /// A variable that affects conversions; FS only affects later records, so `$0` is set, too.
    fn setting(&mut self) -> &'static str {
        if self.paragraphs {
            return self.dice.pick(&[
                "OFS = \"-\"",
                "CONVFMT = \"%.2g\"",
                "OFMT = \"%.3f\"",
                "SUBSEP = \":\"",
                "$1 = $1",
            ]);
        }
        self.dice.pick(&[
            "OFS = \"-\"",
            "OFS = \"\"",
            "CONVFMT = \"%.2g\"",
            "CONVFMT = \"%.10g\"",
            "OFMT = \"%.3f\"",
            "OFMT = \"%.10g\"",
            "SUBSEP = \":\"",
            "FS = \",\"",
            "FS = \" \"",
            "FS = \"1\"",
            "$3 = \"\"",
            "$1 = $1",
        ])
    }

    fn branch(&mut self, depth: usize) -> Node {
        let (condition, then) = (self.any(2), self.block(depth));
        if self.dice.once_in(2) {
            return optional!["if (", condition, ") ", then, "\n  "];
        }
        let otherwise = self.block(depth);
        optional![
            "if (",
            condition,
            ") ",
            then,
            self.dice.pick(&[" else ", "\n  else "]),
            otherwise,
            "\n  "
        ]
    }

    fn repetition(&mut self, depth: usize) -> Node {
        let counter = format!("{}{}", ["i", "j"][self.loops], self.suffix);
        self.loops += 1;
        let mut body = self.statements(2, depth);
        if self.dice.once_in(4) {
            let condition = self.any(1);
            body =
                fixed![body, "if (", condition, ") ", self.dice.pick(&["break; ", "continue; "])];
        }
        self.loops -= 1;
        // Texts that double in each turn would use up the memory.
        let suffix = self.suffix.clone();
        let trimmed = fixed![
            "{ if (length($0) > 99) $0 = \"q 1\"; ",
            format!(
                "x{suffix} = cap(x{suffix}); y{suffix} = cap(y{suffix}); z{suffix} = cap(z{suffix}); "
            ),
            body,
            "}"
        ];
        let count = self.dice.below(4);
        match self.dice.below(4) {
            0 => optional![
                format!("for ({counter} = 0; {counter} < {count}; {counter}++) "),
                trimmed,
                "\n  "
            ],
            1 => {
                optional![format!("{counter} = 0; while ({counter}++ < {count}) "), trimmed, "\n  "]
            }
            2 => optional![
                format!("{counter} = 0; do "),
                trimmed,
                format!(" while ({counter}++ < {count})\n  ")
            ],
            _ => {
                // The order of keys is undefined: only what does not depend on it is kept.
                let array = self.array().text();
                let seen = self.dice.pick(&[
                    "length(A[K]) + length(K \"\")",
                    "(K < 2) + 10 * (K == 10)",
                    "(K == K \"\") + 10 * (K > \"1\")",
                    "(K ? 1 : 0) + 10 * !A[K]",
                    "length(sprintf(\"%c\", K))",
                    "(K < x) + 10 * (K < $1)",
                ]);
                let seen = seen
                    .replace('A', &array)
                    .replace('K', &format!("k{suffix}"))
                    .replace('x', &format!("x{suffix}"));
                optional![format!(
                    "n{suffix} = 0; for (k{suffix} in {array}) n{suffix} += {seen}; print n{suffix}\n  "
                )]
            }
        }
    }

    pub fn show(&self) -> Node {
        let s = &self.suffix;
        let nested = match self.dialect.has_extensions() {
            true => format!("walk(\"m\", m{s}); "),
            false => String::new(),
        };
        Node::list(vec![
            optional![nested],
            optional![format!("print \"x=<\" x{s} \">\"; ")],
            optional![format!("print \"y=<\" y{s} \"> z=<\" z{s} \">\"; ")],
            optional!["print NF \"<\" $0 \">\"; "],
            optional![format!("dump(\"a\", a{s}); ")],
            optional![format!("dump(\"b\", b{s}); dump(\"s\", s{s})\n")],
        ])
    }
}
