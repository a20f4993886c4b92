//! `--trace`: each statement on standard error before it runs.

use std::io::{self, Write};

use riverhawk_bytecode::Unit;
use riverhawk_syntax::Visit;
use riverhawk_syntax::source::SourceMap;
use riverhawk_vm::visits::{AfterVisit, Observer, Scene};

/// Writes each statement to standard error before it runs.
pub struct Trace {
    /// By place; none for expressions.
    lines: Vec<Option<String>>,
}

impl Trace {
    /// The lines for every place of a program.
    pub fn new(unit: &Unit, sources: &SourceMap) -> Trace {
        let line = |&(visit, span): &_| {
            if !matches!(visit, Visit::Statement(_) | Visit::Rule(_) | Visit::Function(_)) {
                return None;
            }
            let place = sources.locate(span)?;
            let text = sources.slice(span);
            let first = text.split(|&byte| byte == b'\n').next().unwrap_or(text);
            Some(format!(
                "+ {}:{}: {}\n",
                place.name,
                place.line,
                String::from_utf8_lossy(first).trim_end()
            ))
        };
        Trace { lines: unit.visits.iter().map(line).collect() }
    }
}

impl Observer for Trace {
    fn visit(&mut self, place: usize, _: &mut Scene<'_>) -> AfterVisit {
        if let Some(Some(line)) = self.lines.get(place) {
            // A standard error that cannot be written is no reason to stop.
            let _ = io::stderr().write_all(line.as_bytes());
        }
        AfterVisit::On
    }
}
