//! JUnit's XML, in the form that build servers read.

use std::fmt::Write;
use std::time::Duration;

use super::tested::{Counts, Tested, Verdict};

pub(super) fn report(tested: &[Tested]) -> Vec<u8> {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites{}>", counts(tested));
    let mut rest = tested;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|test| test.suite == first.suite).count();
        let (suite, after) = rest.split_at(count);
        let name = escaped(&first.suite);
        let counts = counts(suite);
        let _ = writeln!(out, "  <testsuite name=\"{name}\"{counts}>");
        suite.iter().for_each(|test| add_case(&mut out, test));
        let _ = writeln!(out, "  </testsuite>");
        rest = after;
    }
    let _ = writeln!(out, "</testsuites>");
    out.into_bytes()
}

fn counts(tested: &[Tested]) -> String {
    let Counts { failed, skipped, .. } = Counts::of(tested);
    let time: Duration = tested.iter().map(|test| test.time).sum();
    format!(
        " tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\" time=\"{:.3}\"",
        tested.len(),
        time.as_secs_f64()
    )
}

fn add_case(out: &mut String, test: &Tested) {
    let _ = write!(
        out,
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\" time=\"{:.3}\"",
        escaped(&test.suite),
        escaped(&test.name),
        escaped(&test.place.file),
        test.place.line,
        test.time.as_secs_f64()
    );
    let failure = match &test.verdict {
        Verdict::Passed => {
            let _ = writeln!(out, "/>");
            return;
        }
        Verdict::Skipped(why) => {
            let _ = writeln!(out, "><skipped message=\"{}\"/></testcase>", escaped(why));
            return;
        }
        Verdict::Failed(failure) => failure,
    };
    let place = format!("{}:{}", failure.place.file, failure.place.line);
    let drawn = if failure.drawn.is_empty() { &failure.message } else { &failure.drawn };
    let _ = writeln!(
        out,
        ">\n      <failure message=\"{}\">{}\n{}</failure>",
        escaped(&failure.message),
        escaped(&place),
        escaped(drawn)
    );
    for (element, text) in [("system-out", &test.stdout), ("system-err", &test.stderr)] {
        if !text.is_empty() {
            let text = escaped(&String::from_utf8_lossy(text));
            let _ = writeln!(out, "      <{element}>{text}</{element}>");
        }
    }
    let _ = writeln!(out, "    </testcase>");
}

/// For text and attributes; what XML cannot hold at all is replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            control if (control as u32) < 0x20 => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(escaped("<a b=\"c\">&\u{1b}\n"), "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}\n");
    }
}
