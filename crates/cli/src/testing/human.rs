//! The report for people.

use std::fmt::Write;

use super::tested::{Counts, Tested, Verdict};

/// Colours, or none.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    is_coloured: bool,
}

impl Paint {
    pub fn coloured() -> Paint {
        Paint { is_coloured: true }
    }

    pub fn plain() -> Paint {
        Paint { is_coloured: false }
    }

    fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.is_coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A line for each test under its file, failures with what was printed, and a sum.
pub(super) fn report(tested: &[Tested], paint: Paint) -> Vec<u8> {
    let mut out = String::new();
    let mut suite = None;
    for test in tested {
        if suite != Some(&test.suite) {
            let _ = writeln!(out, "{}", test.suite);
            suite = Some(&test.suite);
        }
        let _ = match &test.verdict {
            Verdict::Passed => writeln!(out, "  {}  {}", paint.good("ok  "), test.name),
            Verdict::Skipped(why) => {
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                writeln!(out, "  {}  {}{}", paint.dim("skip"), test.name, paint.dim(&why))
            }
            Verdict::Failed(_) => writeln!(out, "  {}  {}", paint.bad("FAIL"), test.name),
        };
    }
    for test in tested {
        add_failure(&mut out, test, paint);
    }
    let Counts { passed, failed, skipped } = Counts::of(tested);
    let mut parts = vec![paint.good(&format!("{passed} passed"))];
    if failed > 0 {
        parts.push(paint.bad(&format!("{failed} failed")));
    }
    if skipped > 0 {
        parts.push(format!("{skipped} skipped"));
    }
    let _ = writeln!(out, "\n{}", parts.join(", "));
    out.into_bytes()
}

fn add_failure(out: &mut String, test: &Tested, paint: Paint) {
    let Verdict::Failed(failure) = &test.verdict else { return };
    let name = paint.bad(&format!("FAIL {}", test.name));
    let _ = writeln!(out, "\n{name} ({}:{})", test.suite, test.place.line);
    // A drawn error says all of it; the others have only the message.
    if !failure.drawn.contains(&failure.message) {
        let _ = writeln!(out, "{}", failure.message);
    }
    out.push_str(&failure.drawn);
    for (what, text) in [("printed", &test.stdout), ("standard error", &test.stderr)] {
        if text.is_empty() || what == "printed" && failure.drawn.starts_with("--- output") {
            continue;
        }
        let _ = writeln!(out, "{}", paint.dim(&format!("{what}:")));
        for line in String::from_utf8_lossy(text).lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
}
