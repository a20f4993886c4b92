//! A text in the formatter's layout, as changes of lines.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use lsp_types::{DocumentFormattingParams, DocumentRangeFormattingParams, Position, TextEdit, Uri};
use riverhawk_syntax::format::{Includes, Layout, format};

use super::Refusal;
use super::outline::items;
use crate::place::Place;
use crate::position::Lines;
use crate::program::Program;
use crate::server::Server;

/// Lines of the old text, and of the new text that replaces them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
}

pub(crate) fn whole(
    server: &mut Server<'_>,
    params: DocumentFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Refusal> {
    Ok(edits(server, &params.text_document.uri, None))
}

pub(crate) fn range(
    server: &mut Server<'_>,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Refusal> {
    let lines = params.range.start.line as usize..params.range.end.line as usize + 1;
    Ok(edits(server, &params.text_document.uri, Some(lines)))
}

/// The changes, in whole rules and functions around `wanted`. None for a program with errors: an
/// editor may ask at each save.
fn edits(
    server: &mut Server<'_>,
    uri: &Uri,
    wanted: Option<Range<usize>>,
) -> Option<Vec<TextEdit>> {
    let place = Place::of(uri);
    if server.texts.is_script(&place) {
        return None;
    }
    let program: Rc<Program> = server.own_programs(&place).into_iter().next()?;
    if program.is_broken {
        return None;
    }
    let layout = Layout { keep_blank_lines: true, includes: Includes::Leave, ..Layout::default() };
    let new = format(&program.tree, &program.sources, &layout);
    let old = server.texts.get(&place)?;
    let new = with_line_ends_of(&old, String::from_utf8_lossy(&new).into_owned());
    let (old_lines, new_lines) = (split(&old), split(new.as_bytes()));
    let mut hunks = hunks(&old_lines, &new_lines);
    if let Some(wanted) = wanted {
        let blocks: Vec<Range<usize>> = items(&program, &place)
            .iter()
            .map(|item| {
                program.line(item.span.start) as usize..program.line(item.span.end) as usize + 1
            })
            .collect();
        hunks = within(hunks, &blocks, wanted);
    }
    let lines = Lines::of(&old);
    let edits = hunks.into_iter().map(|hunk| {
        let start = at_line(&old, &lines, hunk.old.start, server);
        let end = at_line(&old, &lines, hunk.old.end, server);
        TextEdit::new(lsp_types::Range::new(start, end), lines_text(&new_lines[hunk.new]))
    });
    Some(edits.collect())
}

fn at_line(text: &[u8], lines: &Lines, line: usize, server: &Server<'_>) -> Position {
    match (line as u32) < lines.count() {
        true => Position::new(line as u32, 0),
        false => lines.position(text, text.len(), server.encoding),
    }
}

fn lines_text(lines: &[&[u8]]) -> String {
    String::from_utf8_lossy(&lines.concat()).into_owned()
}

fn with_line_ends_of(old: &[u8], new: String) -> String {
    match old.windows(2).any(|pair| pair == b"\r\n") {
        true => new.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => new,
    }
}

/// Lines with their ends, as the protocol counts them.
fn split(text: &[u8]) -> Vec<&[u8]> {
    let lines = Lines::of(text);
    let starts: Vec<usize> = (0..lines.count()).map(|line| lines.line(text, line).start).collect();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let mut found: Vec<&[u8]> =
        starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect();
    if found.last().is_some_and(|last| last.is_empty()) {
        found.pop();
    }
    found
}

/// The hunks that touch the wanted lines, or a rule or function that does. A hunk is never cut.
fn within(hunks: Vec<Hunk>, blocks: &[Range<usize>], mut wanted: Range<usize>) -> Vec<Hunk> {
    let touches = |a: &Range<usize>, b: &Range<usize>| {
        a.start < b.end && b.start < a.end || a.is_empty() && b.contains(&a.start)
    };
    loop {
        let old = wanted.clone();
        let ranges = blocks.iter().chain(hunks.iter().map(|hunk| &hunk.old));
        for range in ranges.filter(|range| touches(range, &old)) {
            wanted = wanted.start.min(range.start)..wanted.end.max(range.end);
        }
        if wanted == old {
            return hunks.into_iter().filter(|hunk| touches(&hunk.old, &wanted)).collect();
        }
    }
}

/// What differs, between lines that both texts have once and in the same order (patience diff).
fn hunks(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let mut found = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    for (old_line, new_line) in anchors(old, new).into_iter().chain([(old.len(), new.len())]) {
        let mut hunk = Hunk { old: old_at..old_line, new: new_at..new_line };
        while !hunk.old.is_empty()
            && !hunk.new.is_empty()
            && old[hunk.old.start] == new[hunk.new.start]
        {
            hunk.old.start += 1;
            hunk.new.start += 1;
        }
        while !hunk.old.is_empty()
            && !hunk.new.is_empty()
            && old[hunk.old.end - 1] == new[hunk.new.end - 1]
        {
            hunk.old.end -= 1;
            hunk.new.end -= 1;
        }
        if !(hunk.old.is_empty() && hunk.new.is_empty()) {
            found.push(hunk);
        }
        (old_at, new_at) = (old_line + 1, new_line + 1);
    }
    found
}

/// The longest rising sequence of lines that each text has once.
fn anchors(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    fn unique<'t>(lines: &[&'t [u8]]) -> HashMap<&'t [u8], Option<usize>> {
        let mut places: HashMap<&[u8], Option<usize>> = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            places.entry(line).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    }
    let (in_old, in_new) = (unique(old), unique(new));
    let pairs: Vec<(usize, usize)> = old
        .iter()
        .enumerate()
        .filter(|(at, line)| in_old.get(*line) == Some(&Some(*at)))
        .filter_map(|(at, line)| Some((at, (*in_new.get(line)?)?)))
        .collect();
    // For each length, the pair that the best sequence of it ends with.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (number, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before[number] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut sequence = Vec::new();
    let mut at = ends.last().copied();
    while let Some(number) = at {
        sequence.push(pairs[number]);
        at = before[number];
    }
    sequence.reverse();
    sequence
}
