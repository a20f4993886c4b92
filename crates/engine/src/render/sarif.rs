//! Messages as a SARIF 2.1.0 log, which code scanning services read:
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::code::MessageCode;
use riverhawk_syntax::diagnostic::Fix;
use riverhawk_syntax::source::SourceMap;

use super::excerpt::Excerpt;
use super::json::Object;
use super::plain_text::{plain, plain_lines};
use super::report::{Level, Report};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const HOME: &str = env!("CARGO_PKG_REPOSITORY");

const REGION: [&str; 4] = ["startLine", "startColumn", "endLine", "endColumn"];

/// How a result with a rule begins.
const RULE: &str = "{\"ruleId\":\"";

/// An element of `results`, without a newline.
pub(super) fn result(sources: &SourceMap, report: &Report<'_>) -> String {
    let mut object = Object::default();
    if let Some(code) = MessageCode::of(report.message) {
        object.text("ruleId", &code.to_string());
    }
    object.text(
        "level",
        match report.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        },
    );
    let mut text = plain(report.message);
    if !report.label.is_empty() {
        text += &format!(" ({})", plain(report.label));
    }
    if let Some(help) = report.help {
        text += &format!("\n{}", plain_lines(help).trim_end());
    }
    object.member("message", &message(&text));
    let located = report.span.and_then(|span| location(sources, span, None));
    object.list("locations", located.into_iter().collect());
    let related = report.related.iter();
    let related = related.filter_map(|(span, text)| location(sources, *span, Some(text)));
    object.list("relatedLocations", related.collect());
    object.list("fixes", report.fixes.iter().filter_map(|it| fix(sources, it)).collect());
    object.end()
}

/// The whole log, with a newline, of results in [`super::MessageFormat::Sarif`].
pub fn log(results: &[String], version: &str) -> String {
    let named = results.iter().filter_map(|result| result.strip_prefix(RULE)?.split('"').next());
    let mut codes: Vec<MessageCode> = named.filter_map(MessageCode::from_name).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules = codes.into_iter().map(|code| {
        let mut rule = Object::default();
        rule.text("id", &code.to_string());
        rule.member("shortDescription", &message(&code.template().replace("{}", "...")));
        rule.text("helpUri", &format!("{HOME}/blob/main/docs/{}", page(code)));
        rule.end()
    });
    let mut driver = Object::default();
    driver.text("name", "rhawk");
    driver.text("version", version);
    driver.text("informationUri", HOME);
    driver.list("rules", rules.collect());
    let mut tool = Object::default();
    tool.member("driver", &driver.end());
    let mut run = Object::default();
    run.member("tool", &tool.end());
    run.text("columnKind", "unicodeCodePoints");
    // An empty list says that nothing was found; without it the run would have failed.
    run.member("results", &format!("[{}]", results.join(",")));
    let mut log = Object::default();
    log.text("$schema", SCHEMA);
    log.text("version", "2.1.0");
    log.list("runs", vec![run.end()]);
    log.end() + "\n"
}

/// Where the manual explains a code.
fn page(code: MessageCode) -> String {
    match code.number() {
        700..1000 => format!("lint-codes.md#{}", code.to_string().to_lowercase()),
        _ => "errors.md#codes".to_owned(),
    }
}

fn message(text: &str) -> String {
    let mut object = Object::default();
    object.text("text", text);
    object.end()
}

fn artifact(name: &str) -> String {
    let mut object = Object::default();
    object.text("uri", &uri(name));
    object.end()
}

/// Relative, or with the scheme `file`.
fn uri(name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    let mut uri = String::from(if name.starts_with('/') { "file://" } else { "" });
    for &byte in name.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

fn region(sources: &SourceMap, span: Span) -> String {
    let mut region = Object::default();
    region.exact_place(sources, span, REGION);
    region.end()
}

fn location(sources: &SourceMap, span: Span, text: Option<&str>) -> Option<String> {
    let span = Excerpt::of(sources, span, None)
        .map_or(span, |place| Span { end: span.end.max(place.span.start), ..place.span });
    let start = sources.locate(span)?;
    let mut physical = Object::default();
    physical.member("artifactLocation", &artifact(start.name));
    physical.member("region", &region(sources, span));
    let mut location = Object::default();
    location.member("physicalLocation", &physical.end());
    if let Some(text) = text {
        location.member("message", &message(&plain(text)));
    }
    Some(location.end())
}

fn fix(sources: &SourceMap, fix: &Fix) -> Option<String> {
    let first = fix.edits.first()?;
    let replacements = fix.edits.iter().map(|edit| {
        let mut replacement = Object::default();
        replacement.member("deletedRegion", &region(sources, edit.span));
        if !edit.text.is_empty() {
            replacement.member("insertedContent", &message(&String::from_utf8_lossy(&edit.text)));
        }
        replacement.end()
    });
    let mut change = Object::default();
    change.member("artifactLocation", &artifact(sources.locate(first.span)?.name));
    change.list("replacements", replacements.collect());
    let mut object = Object::default();
    object.member("description", &message(&fix.title));
    object.list("artifactChanges", vec![change.end()]);
    Some(object.end())
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_become_references() {
        assert_eq!(uri("./a b#c.awk"), "a%20b%23c.awk");
        assert_eq!(uri("/tmp/é.awk"), "file:///tmp/%C3%A9.awk");
        assert_eq!(uri("x:y.awk"), "x%3Ay.awk");
    }
}
