//! Code lenses: the counts of a profile that lies beside the program.

use std::fs;
use std::path::Path;

use lsp_types::SymbolKind;
use lsp_types::{CodeLens, CodeLensParams, Command};

use super::Refusal;
use super::outline::items;
use crate::place::Place;
use crate::server::Server;

/// What `--profile` writes without a name.
const PROFILE: &str = "awkprof.out";

pub(crate) fn lenses(
    server: &mut Server<'_>,
    params: CodeLensParams,
) -> Result<Option<Vec<CodeLens>>, Refusal> {
    let place = Place::of(&params.text_document.uri);
    let Some(profile) = profile_beside(&place) else { return Ok(None) };
    let mut counts = counts(&profile);
    let Some(program) = server.programs_of(&place).into_iter().next() else { return Ok(None) };
    let mut lenses = Vec::new();
    for item in items(&program, &place) {
        let head = match item.kind {
            SymbolKind::FUNCTION => {
                format!(
                    "function {}{}",
                    program.text(item.name_span),
                    item.detail.unwrap_or_default()
                )
            }
            _ => program.text(item.name_span),
        };
        // In order: two rules may have one pattern.
        let head = without_blanks(&head);
        let Some(at) = counts.iter().position(|count| count.head == head) else { continue };
        let count = counts.remove(at);
        let title = match (item.kind, count.matched) {
            (SymbolKind::FUNCTION, _) => format!("called {}", times(count.reached)),
            (_, Some(matched)) => format!("matched {matched} of {}", count.reached),
            (_, None) => format!("ran {}", times(count.reached)),
        };
        lenses.push(CodeLens {
            range: program.range(item.name_span, server.encoding),
            command: Some(Command { title, command: String::new(), arguments: None }),
            data: None,
        });
    }
    Ok(Some(lenses))
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn profile_beside(place: &Place) -> Option<String> {
    let folder = place.path().and_then(Path::parent)?;
    let text = fs::read(folder.join(PROFILE)).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

#[derive(Debug, PartialEq, Eq)]
struct Count {
    /// A pattern, or `function` with name and parameters, without blanks.
    head: String,
    reached: u64,
    matched: Option<u64>,
}

/// The counts in the margin of rules and functions: `     3  $1 > 0 { # 2`.
fn counts(profile: &str) -> Vec<Count> {
    let mut found = Vec::new();
    for line in profile.lines() {
        let (count, rest) = line.trim_start().split_once("  ").unwrap_or_default();
        let (Ok(reached), false) = (count.parse(), rest.starts_with('\t')) else { continue };
        let (head, matched) = match rest.rsplit_once(" # ") {
            Some((head, matched)) if matched.parse::<u64>().is_ok() => (head, matched.parse().ok()),
            _ => (rest, None),
        };
        let head = head.trim_end().strip_suffix('{').unwrap_or(head);
        found.push(Count { head: without_blanks(head), reached, matched });
    }
    found
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::{Count, counts};

    #[test]
    fn counts_are_read_from_the_margin_of_rules_and_functions() {
        let profile = "\t# rhawk profile\n\n     3  $1 > 0 { # 2\n     2  \tn++\n\t}\n\n     5  function f(a, b)\n\t{\n";
        let count =
            |head: &str, reached, matched| Count { head: head.to_owned(), reached, matched };
        assert_eq!(counts(profile), [count("$1>0", 3, Some(2)), count("functionf(a,b)", 5, None)]);
    }
}
