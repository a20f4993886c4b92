//! `split`.

use crate::runtime::Runtime;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{PatternRef, Src};
use riverhawk_record::splitter::Splitter;
use riverhawk_simd::FINISHED;
use riverhawk_value::{Array, ArrayRef, Probe, Value, View};

impl Runtime {
    pub fn split<'v>(
        &mut self,
        s: &Value,
        array: &ArrayRef,
        by: PatternRef,
        slot: impl FnOnce(Src) -> &'v Value,
        between: Option<&ArrayRef>,
    ) -> Fallible<f64> {
        self.globals.check_pieces("split", array, between)?;
        let splitter = self.splitter(by, slot)?;
        let Workspace { scratch: [scratch, ..], pieces, .. } = &mut self.workspace;
        let record = self.current.record.text_and_behind();
        let text = s.text(record, &self.current.specials.convfmt, scratch);
        pieces.clear();
        if let Splitter::Row(format) = splitter {
            let values = riverhawk_record::table::pieces(format, text, pieces);
            let count = values.len();
            array.borrow_mut().fill(values.into_iter());
            if let Some(between) = between {
                let separator = Value::from_text(&[format.separator()]);
                between.borrow_mut().fill((1..count).map(|_| separator.clone()));
            }
            return Ok(count as f64);
        }
        match between {
            None => {
                let mut at = 0;
                while at != FINISHED {
                    at = splitter.split_some(text, at, usize::MAX, pieces);
                }
            }
            Some(between) => split_keeping(&splitter, text, pieces, &mut between.borrow_mut()),
        }
        let text = match s {
            // With what is behind it, so that short pieces near the end are copied as all others.
            Value::View(view) => &record[view.start as usize..],
            _ => text,
        };
        array.borrow_mut().fill_parts(text, pieces);
        Ok(pieces.len() as f64)
    }

    fn splitter<'v>(
        &mut self,
        by: PatternRef,
        slot: impl FnOnce(Src) -> &'v Value,
    ) -> Fallible<Splitter> {
        match by.kind() {
            PatternKind::FieldSeparator => self.searches.default_splitter(&self.current),
            PatternKind::Constant(re) => {
                Ok(self.searches.patterns.constant_splitter(re.index())?.clone())
            }
            PatternKind::Slot(src) => {
                let separator = slot(src);
                if separator.is_array() {
                    return Err(Fault::new("attempt to use an array as a field separator"));
                }
                if let Value::Regex { number, text } = separator {
                    return Ok(Splitter::of_typed(
                        self.searches.patterns.of_value(*number, text.as_bytes())?,
                        self.locale.unit,
                    ));
                }
                let mut scratch = std::mem::take(&mut self.workspace.scratch[2]);
                let text = separator.text(
                    self.current.record.text(),
                    &self.current.specials.convfmt,
                    &mut scratch,
                );
                let splitter = self.searches.patterns.splitter(text);
                self.workspace.scratch[2] = scratch;
                self.searches.warn_of_unknown_escapes(&self.current, &mut self.outside)?;
                Ok(splitter?)
            }
        }
    }
}

/// With the separators, and for blanks those at the ends as elements 0 and n.
fn split_keeping(
    splitter: &Splitter,
    text: &[u8],
    pieces: &mut Vec<(u32, u32)>,
    between: &mut Array,
) {
    let mut gaps = Vec::new();
    splitter.split_keeping(text, pieces, &mut gaps);
    let gap = |&(start, end): &(u32, u32)| Value::from_input(View::input(start, end).of(text));
    between.fill(gaps.iter().map(gap));
    if !matches!(splitter, Splitter::Blanks) {
        return;
    }
    let first = pieces.first().map_or(text.len(), |&(start, _)| start as usize);
    if first > 0 {
        between.set(Probe::Int(0), Value::from_text(&text[..first]));
    }
    if let Some(&(_, last)) = pieces.last().filter(|&&(_, last)| (last as usize) < text.len()) {
        between.set(Probe::Int(pieces.len() as i64), Value::from_text(&text[last as usize..]));
    }
}
