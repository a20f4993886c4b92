//! The Test Anything Protocol, version 14 (<https://testanything.org>).

use std::fmt::Write;

use super::tested::{Tested, Verdict};

pub(super) fn report(tested: &[Tested]) -> Vec<u8> {
    let mut out = format!("TAP version 14\n1..{}\n", tested.len());
    for (number, test) in (1..).zip(tested) {
        let name = escaped(&format!("{}: {}", test.suite, test.name));
        let _ = match &test.verdict {
            Verdict::Passed => writeln!(out, "ok {number} - {name}"),
            Verdict::Skipped(why) => {
                writeln!(out, "ok {number} - {name} # SKIP {}", escaped(why).trim_end())
            }
            Verdict::Failed(_) => writeln!(out, "not ok {number} - {name}"),
        };
        if let Verdict::Failed(failure) = &test.verdict {
            let _ = writeln!(out, "  ---");
            let _ = writeln!(out, "  message: {}", quoted(&failure.message));
            let _ = writeln!(out, "  at:\n    file: {}", quoted(&failure.place.file));
            let _ = writeln!(out, "    line: {}", failure.place.line);
            add_block(&mut out, "details", &failure.drawn);
            add_block(&mut out, "stdout", &String::from_utf8_lossy(&test.stdout));
            add_block(&mut out, "stderr", &String::from_utf8_lossy(&test.stderr));
            let _ = writeln!(out, "  ...");
        }
    }
    out.into_bytes()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#").replace(['\n', '\r'], " ")
}

/// A double-quoted scalar of YAML, whose escapes are those of JSON and more.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(out, "\\x{:02x}", control as u32);
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

/// A literal block, or a quoted scalar if it has what a block cannot.
fn add_block(out: &mut String, name: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let is_plain = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    if !text.chars().all(is_plain) {
        let _ = writeln!(out, "  {name}: {}", quoted(text));
        return;
    }
    // The indentation is said: the first line may begin with a blank.
    let _ = writeln!(out, "  {name}: |2-");
    for line in text.lines() {
        let _ = writeln!(out, "    {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_a_directive_or_end_a_line_is_escaped() {
        assert_eq!(escaped("a#b\\\nc"), "a\\#b\\\\ c");
        assert_eq!(quoted("a\"\\\n\u{1b}é"), "\"a\\\"\\\\\\x0a\\x1bé\"");
        let mut out = String::new();
        add_block(&mut out, "stdout", " a\n\nb\n");
        assert_eq!(out, "  stdout: |2-\n     a\n    \n    b\n");
    }
}
