//! What other awks lack: a table of features, each with a program that a test runs on those awks.

use super::Linter;
use crate::ast::{
    BinaryOp, Builtin, Expr, ExprId, ExprKind, GetlineFrom, LibraryFn, RedirectKind, Span, StmtKind,
};

/// Something that not all awks have.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// The function's name, or the name in messages.
    pub name: &'static str,
    /// A program that uses it.
    pub probe: &'static str,
    /// The output of that program where the feature exists.
    pub prints: &'static str,
    /// The awks that lack it: `mawk` (1.3.4-20260302), `onetrue-awk` (2025-12-25), `busybox`
    /// (1.38).
    pub lacking: &'static [&'static str],
}

const ALL: &[&str] = &["mawk", "onetrue-awk", "busybox"];
const MAWK_AND_ONETRUE: &[&str] = &["mawk", "onetrue-awk"];

macro_rules! features {
    ($($name:literal $probe:literal => $prints:literal, $lacking:expr;)*) => {
        /// Every feature that is looked for.
        pub const FEATURES: &[Feature] =
            &[$(Feature { name: $name, probe: $probe, prints: $prints, lacking: $lacking }),*];
    };
}

features! {
    "gensub" r#"BEGIN { print gensub(/a/, "b", 1, "a") }"# => "b", MAWK_AND_ONETRUE;
    "strftime" r#"BEGIN { print strftime("%Y", 0, 1) }"# => "1970", &["onetrue-awk"];
    "mktime" r#"BEGIN { print (mktime("2000 01 01 00 00 00") > 0) }"# => "1", &["onetrue-awk"];
    "systime" r#"BEGIN { print (systime() > 0) }"# => "1", &["onetrue-awk"];
    "and" r#"BEGIN { print and(5, 3) }"# => "1", MAWK_AND_ONETRUE;
    "or" r#"BEGIN { print or(5, 3) }"# => "7", MAWK_AND_ONETRUE;
    "xor" r#"BEGIN { print xor(5, 3) }"# => "6", MAWK_AND_ONETRUE;
    "compl" r#"BEGIN { print (compl(1) > 0) }"# => "1", MAWK_AND_ONETRUE;
    "lshift" r#"BEGIN { print lshift(1, 3) }"# => "8", MAWK_AND_ONETRUE;
    "rshift" r#"BEGIN { print rshift(8, 3) }"# => "1", MAWK_AND_ONETRUE;
    "strtonum" r#"BEGIN { print strtonum("0x11") }"# => "17", ALL;
    "asort" r#"BEGIN { a[1] = 2; a[2] = 1; print asort(a), a[1] }"# => "2 1", ALL;
    "asorti" r#"BEGIN { a["b"]; print asorti(a), a[1] }"# => "1 b", ALL;
    "patsplit" r#"BEGIN { print patsplit("a b", p, /[a-z]/) }"# => "2", ALL;
    "typeof" r#"BEGIN { print typeof(1) }"# => "number", ALL;
    "isarray" r#"BEGIN { print isarray(x) }"# => "0", ALL;
    "mkbool" r#"BEGIN { print mkbool(1) }"# => "1", ALL;
    "bindtextdomain" r#"BEGIN { print (bindtextdomain("/") != "") }"# => "1", ALL;
    "dcgettext" r#"BEGIN { print dcgettext("a") }"# => "a", ALL;
    "dcngettext" r#"BEGIN { print dcngettext("a", "b", 2) }"# => "b", ALL;
    "fflush" r#"BEGIN { print fflush() }"# => "0", &["busybox"];
    "the third argument of match" r#"BEGIN { match("abc", /b/, m); print m[0] }"# => "b", ALL;
    "the fourth argument of split" r#"BEGIN { split("abc", p, "b", s); print s[1] }"# => "b", ALL;
    "the second argument of close" r#"BEGIN { print close("a", "to") }"# => "-1", ALL;
    "switch" r#"BEGIN { switch (1) { case 1: print "one" } }"# => "one", ALL;
    "an indirect call" r#"function f() { return 3 } BEGIN { g = "f"; print @g() }"# => "3", ALL;
    "a typed regexp" r#"BEGIN { x = @/a/; print ("a" ~ x) }"# => "1", ALL;
    "an array of arrays" r#"BEGIN { a[1][2] = 3; print a[1][2] }"# => "3", ALL;
    "a coprocess" r#"BEGIN { print "x" |& "cat"; close("cat", "to"); "cat" |& getline y; print y }"# => "x", ALL;
    "a hexadecimal constant" "BEGIN { print 0x11 }" => "17", MAWK_AND_ONETRUE;
    "an octal constant" "BEGIN { print 011 }" => "9", MAWK_AND_ONETRUE;
    "the operator **" "BEGIN { print 2 ** 3 }" => "8", &["mawk", "busybox"];
    "the operator **=" "BEGIN { x = 2; x **= 3; print x }" => "8", &["mawk", "busybox"];
    "func" "func f() { return 1 } BEGIN { print f() }" => "1", &["mawk"];
    "the regexp operator \\<" r#"BEGIN { print "a b" ~ /\<b/ }"# => "1", MAWK_AND_ONETRUE;
    "the regexp operator \\y" r#"BEGIN { print "a b" ~ /\yb/ }"# => "1", ALL;
    "an equivalence class in a regexp" r#"BEGIN { print "a" ~ /^[[=a=]]$/ }"# => "1", &["mawk"];
    "a collating element in a regexp" r#"BEGIN { print "x" ~ /^[[.x.]]$/ }"# => "1", &["mawk"];
    "IGNORECASE" r#"BEGIN { IGNORECASE = 1; print "A" ~ /a/ }"# => "1", MAWK_AND_ONETRUE;
    "FPAT" r#"BEGIN { FPAT = "a+"; $0 = "baab"; print $1 }"# => "aa", ALL;
    "FIELDWIDTHS" r#"BEGIN { FIELDWIDTHS = "1 2"; $0 = "abc"; print $2 }"# => "bc", ALL;
    "RT" r#"BEGIN { RS = "x"; "printf axb" | getline; print RT }"# => "x", MAWK_AND_ONETRUE;
    "ERRNO" r#"BEGIN { getline x < "/nosuch/file"; print (ERRNO != "") }"# => "1", MAWK_AND_ONETRUE;
    "PROCINFO" r#"BEGIN { print (PROCINFO["pid"] > 0) }"# => "1", ALL;
    "SYMTAB" r#"BEGIN { x = 3; print SYMTAB["x"] }"# => "3", &["mawk", "busybox"];
    "FUNCTAB" r#"function f() { } BEGIN { print ("f" in FUNCTAB) }"# => "1", ALL;
    "BEGINFILE" r#"BEGINFILE { print "b" } BEGIN { ARGV[1] = "/dev/null"; ARGC = 2 }"# => "b", ALL;
    "ENDFILE" r#"ENDFILE { print "e" } BEGIN { ARGV[1] = "/dev/null"; ARGC = 2 }"# => "e", ALL;
    "@include" "@include \"/dev/null\"\nBEGIN { print 1 }" => "1", ALL;
    "@load" "@load \"ordchr\"\nBEGIN { print ord(\"a\") }" => "97", ALL;
    "@namespace" "@namespace \"a\"\nBEGIN { print 1 }" => "1", ALL;
    "counting characters beyond ASCII" r#"BEGIN { print length("é") }"# => "1", &["mawk", "busybox"];
    "the case of characters beyond ASCII" r#"BEGIN { print toupper("é") }"# => "É", &["mawk", "busybox"];
    "substr from before the first character" r#"BEGIN { print substr("hello", -1, 3) }"# => "hel", &["mawk"];
    "index of the empty text" r#"BEGIN { print index("abc", "") }"# => "1", &["busybox"];
    "a comparison in print without parentheses" "BEGIN { print 1 == 1 }" => "1", &["onetrue-awk"];
    "parentheses around an array that is deleted" "BEGIN { a[1]; delete(a); print (1 in a) }" => "0", MAWK_AND_ONETRUE;
    "a new line after ? or :" "BEGIN { print 1 ?\n 2 :\n 3 }" => "2", MAWK_AND_ONETRUE;
    "%2$s, the number of an argument in a format" r#"BEGIN { printf "%2$s%1$s\n", "b", "a" }"# => "ab", ALL;
    "the flag ' in a format" r#"BEGIN { printf "%'d\n", 1234567 }"# => "1,234,567", &["onetrue-awk", "busybox"];
    "* in a format" r#"BEGIN { printf "%*d|\n", 4, 3 }"# => "   3|", &["busybox"];
    "a width before %%" r#"BEGIN { printf "%5%|\n" }"# => "%|", ALL;
    "%a" r#"BEGIN { printf "%a\n", 1 }"# => "0x1p+0", &["mawk"];
    "%c of a number over 127" r#"BEGIN { printf "%c\n", 233 }"# => "é", &["mawk", "busybox"];
}

impl Linter<'_> {
    pub(super) fn portable(&mut self) {
        let program = self.program;
        for (_, expr) in self.exprs() {
            self.portable_expr(expr);
        }
        for stmt in &program.stmts {
            match &stmt.kind {
                StmtKind::Switch { .. } => self.lacking("switch", stmt.span),
                StmtKind::Print { to: Some(to), .. } | StmtKind::Printf { to: Some(to), .. }
                    if to.kind == RedirectKind::Coprocess =>
                {
                    self.lacking("a coprocess", stmt.span);
                }
                StmtKind::Delete { subscripts: None, .. }
                    if self.is_in_parentheses(b"delete", stmt.span) =>
                {
                    self.lacking("parentheses around an array that is deleted", stmt.span);
                }
                _ => {}
            }
            if let StmtKind::Print { args, .. } | StmtKind::Printf { args, .. } = &stmt.kind
                && let Some(&first) = args.first()
                // The tree does not show the parentheses around a whole list, as in `print (a < b,
                // c)`.
                && !self.text(Span { start: stmt.span.start, end: program[first].span.start }).contains(&b'(')
            {
                for &arg in args {
                    if self.compares(arg) {
                        self.lacking(
                            "a comparison in print without parentheses",
                            program[arg].span,
                        );
                    }
                }
            }
        }
        for function in
            program.functions.iter().filter(|function| function.defined && !function.builtin)
        {
            let words = self.text(function.span);
            if words.starts_with(b"func") && !words.starts_with(b"function") {
                self.lacking("func", function.name_span);
            }
        }
    }

    fn portable_expr(&mut self, expr: &Expr) {
        let program = self.program;
        let span = expr.span;
        match &expr.kind {
            ExprKind::Library { function, .. } => match function.namespace() {
                None => self.lacking(function.name(), span),
                Some(_) => {
                    let message = format!(
                        "`{}' is only here: no other awk has it",
                        LibraryFn::name(*function)
                    );
                    self.warn(span, message, "");
                }
            },
            ExprKind::Builtin { builtin: Builtin::Match, args } if args.len() > 2 => {
                self.lacking("the third argument of match", span);
            }
            ExprKind::Builtin { builtin: Builtin::Split, args } if args.len() > 3 => {
                self.lacking("the fourth argument of split", span);
            }
            ExprKind::Builtin { builtin: Builtin::Close, args } if args.len() > 1 => {
                self.lacking("the second argument of close", span);
            }
            ExprKind::Builtin { builtin: Builtin::Fflush, .. } => self.lacking("fflush", span),
            ExprKind::IndirectCall { .. } => self.lacking("an indirect call", span),
            ExprKind::TypedRegex(_) => self.lacking("a typed regexp", span),
            ExprKind::Element { array, .. } if array.element.is_some() => {
                self.lacking("an array of arrays", span)
            }
            ExprKind::Getline { from: GetlineFrom::Coprocess(_), .. } => {
                self.lacking("a coprocess", span)
            }
            ExprKind::Regex(text)
                if text
                    .windows(2)
                    .any(|pair| pair[0] == b'\\' && b"<>BsSwW`'".contains(&pair[1])) =>
            {
                self.lacking("the regexp operator \\<", span);
            }
            ExprKind::Number(_) => {
                let text = self.text(span);
                if text.len() > 2 && text[0] == b'0' && text[1] | 0x20 == b'x' {
                    self.lacking("a hexadecimal constant", span);
                } else if text.len() > 1
                    && text[0] == b'0'
                    && text.iter().all(|digit| (b'0'..b'8').contains(digit))
                {
                    self.lacking("an octal constant", span);
                }
            }
            ExprKind::Binary(BinaryOp::Pow, left, _)
                if self.is_stars(program[*left].span, span) =>
            {
                self.lacking("the operator **", span);
            }
            ExprKind::Assign { op: Some(BinaryOp::Pow), target, .. }
                if self.is_stars(program[*target].span, span) =>
            {
                self.lacking("the operator **=", span);
            }
            _ => {}
        }
    }

    fn compares(&self, id: ExprId) -> bool {
        match &self.program[id].kind {
            ExprKind::Binary(op, ..) => {
                use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
                matches!(op, Lt | Le | Eq | Ne | Gt | Ge)
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.compares(*left) || self.compares(*right)
            }
            ExprKind::Cond { cond, yes, no } => {
                [cond, yes, no].into_iter().any(|&part| self.compares(part))
            }
            ExprKind::Assign { value, .. } => self.compares(*value),
            _ => false,
        }
    }

    pub(super) fn is_in_parentheses(&self, word: &[u8], span: Span) -> bool {
        let after = self.text(span).get(word.len()..).unwrap_or_default();
        after.trim_ascii_start().starts_with(b"(")
    }

    fn is_stars(&self, operand: Span, whole: Span) -> bool {
        self.text(Span { start: operand.end, end: whole.end }).trim_ascii_start().starts_with(b"**")
    }

    pub(super) fn lacking(&mut self, name: &str, span: Span) {
        let Some(feature) = FEATURES.iter().find(|feature| feature.name == name) else { return };
        let quoted = if name.contains(' ') || name.starts_with('%') {
            name.to_owned()
        } else {
            format!("`{name}'")
        };
        let message = format!(
            "{quoted} is not portable: {} {} it",
            feature.lacking.join(", "),
            match feature.lacking {
                [_] => "lacks",
                _ => "lack",
            }
        );
        self.warn(span, message, "");
    }
}
